"""What a check says: each finding with the place in the file that it is about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from qm_constructs.plan import Path
from qm_constructs.rules import Rule, Severity


class Located(NamedTuple):
    """A finding, and where it is.

    Args:
        rule: The rule that is broken.
        file: The file, as the user named it.
        stack: The name of the stack; None when it is not known.
        construct: The path of the CDK construct behind the resource; None without CDK.
        line: The line in the file, from 1; None when it is not known.
        resource: The logical id of the resource at fault; in a quotas file the share's name.
        path: The property at fault, from ``Properties`` on, as the template nests it; what stands
            beside them, from ``DependsOn`` or ``Condition`` on; of an output, from ``Outputs`` on;
            in a quotas file the keys that lead to it.
        value: What is written there, shortened; empty where it is long or nothing is.
        message: What is wrong and what is allowed, in sentences.
        fix: How to mend it, in sentences.
    """

    rule: Rule
    file: str
    stack: str | None
    construct: str | None
    line: int | None
    resource: str
    path: Path
    message: str
    fix: str
    value: str = ""

    @property
    def place(self) -> Path:
        """Where it is in the whole template."""
        return whole_path(self.resource, self.path)


def whole_path(id: str, path: Path) -> Path:
    """Returns where in a template something is that is told of a resource.

    Args:
        id: The logical id of the resource.
        path: Where it is in that; in the template, if it is a part of a condition or an output.
    """
    # A resource may have a key of such a name, which is wrong there.
    is_whole = len(path) > 1 and path[0] in ("Conditions", "Outputs")
    return path if is_whole else ("Resources", id, *path)


class Unreadable(NamedTuple):
    """A file, or a part of it, that could not be read, and why.

    Args:
        file: The file or folder, as the user named it.
        reason: Why, in one line.
        line: The line in the file, from 1; None where there is none.
        part: Whether it is a key or a value of a quotas file, of which the rest was read.
    """

    file: str
    reason: str
    line: int | None = None
    part: bool = False


class Note(NamedTuple):
    """What a reader of the report should know besides, about a resource.

    Args:
        file: The file, as the user named it.
        resource: The logical id of the resource; empty for the template as a whole.
        message: What there is to know, in a sentence.
    """

    file: str
    resource: str
    message: str


class Report:
    """What is said of all that was checked.

    Args:
        findings: The findings that are to be shown, by file and then by place in it.
        unreadable: What could not be read.
        templates: How many templates were checked.
        resources: How many resources of the four types were in all that was checked.
        acknowledged: How many findings the apps had acknowledged.
        ignored: How many findings the templates' own Metadata had waived.
        notes: What was not judged in full, and waivers that waive nothing.
        quotas_files: How many quotas files were checked.
    """

    def __init__(
        self,
        findings: Iterable[Located] = (),
        unreadable: Iterable[Unreadable] = (),
        templates: int = 0,
        resources: int = 0,
        *,
        acknowledged: int = 0,
        ignored: int = 0,
        notes: Iterable[Note] = (),
        quotas_files: int = 0,
    ) -> None:
        self.findings = [*findings]
        self.unreadable = [*unreadable]
        self.templates = templates
        self.resources = resources
        self.acknowledged = acknowledged
        self.ignored = ignored
        self.notes = [*notes]
        self.quotas_files = quotas_files

    @property
    def wrong_parts(self) -> int:
        """How many keys and values of quotas files could not be read."""
        return sum(problem.part for problem in self.unreadable)

    def count(self, severity: Severity) -> int:
        """Returns how many findings have a severity."""
        return sum(found.rule.severity is severity for found in self.findings)
