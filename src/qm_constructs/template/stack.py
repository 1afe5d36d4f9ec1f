"""What is judged together: the stacks of one cdk.out, or one template by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from copy import copy
from typing import Any, Final, NamedTuple

from qm_constructs.plan import Path


def no_line(path: Path) -> int | None:
    """Returns no line, for a template that was not read from text."""
    del path
    return None


class Written(NamedTuple):
    """How a quotas file writes a property of a resource.

    Args:
        resource: The logical id of the resource that it belongs to in the file.
        path: The keys that lead to it, within a share from the share on.
        value: What is written there; None where nothing is.
    """

    resource: str
    path: Path
    value: Any


_NONE: Final[Mapping[str, Any]] = {}


class Stack:
    """One template, with what is known of where it is deployed to.

    Args:
        template: The template as it was written: a mapping with ``Resources``; intrinsic functions
            in their long form.
        file: Where it was read from, as the user wrote it; ``-`` for standard input.
        name: The name of the stack; None when it is not known.
        account: The account that it is deployed to, 12 digits; None when it is not known.
        region: The Region that it is deployed to; None when it is not known.
        assembly: The cloud assembly (the app, or one of its stages) that the stack belongs to.
        artifact: What that assembly calls the stack; empty when it is not known.
        dependencies: What that assembly has deployed before the stack.
        line_of: Returns the line, from 1, of a place in the template, as deep as it is known.
        acknowledged: By construct path (``Stack/Queue``), the rules that the app has acknowledged
            there, such as ``{"Training/Queue": {"XR-02"}}``; the construct and all below it.
        constructs: By logical id, the path of the construct behind a resource, where its own
            Metadata does not say it.
        parent: The stack that this one is nested in; None where it is not nested.
        parent_resource: The logical id of this stack in its parent.
        written: Returns how a quotas file writes a property, by logical id and path from
            ``Properties`` on; None for a template.
        left_out: How many times more its template is nested than it is judged.
        faulty: Whether a quotas file has keys or values that it cannot have; the rest is here.
    """

    def __init__(
        self,
        template: Mapping[str, Any],
        file: str,
        name: str | None = None,
        account: str | None = None,
        region: str | None = None,
        *,
        assembly: str = "",
        artifact: str = "",
        dependencies: AbstractSet[str] = frozenset(),
        line_of: Callable[[Path], int | None] = no_line,
        acknowledged: Mapping[str, AbstractSet[str]] = _NONE,
        constructs: Mapping[str, str] = _NONE,
        parent: Stack | None = None,
        parent_resource: str = "",
        written: Callable[[str, Path], Written] | None = None,
        faulty: bool = False,
        left_out: int = 0,
    ) -> None:
        self.template = template
        self.file = file
        self.name = name
        self.account = account
        self.region = region
        self.assembly = assembly
        self.artifact = artifact
        self.dependencies = dependencies
        self.line_of = line_of
        self.acknowledged = acknowledged
        self.constructs = constructs
        self.parent = parent
        self.parent_resource = parent_resource
        self.written = written
        self.faulty = faulty
        self.left_out = left_out

    def but(self, **changed: Any) -> Stack:
        """Returns the same stack with some of its attributes changed.

        Args:
            changed: The attributes, by name.
        """
        other = copy(self)
        vars(other).update(changed)
        return other

    @property
    def path(self) -> str | None:
        """Its name; of a nested stack its logical id behind the path of the stack that it is in."""
        if self.name is not None or self.parent is None:
            return self.name
        above = self.parent.path
        return None if above is None else f"{above}/{self.parent_resource}"


def around(stack: Stack) -> list[Stack]:
    """Returns a stack and those that it is nested in, from the inside."""
    found = [stack]
    while found[-1].parent is not None and len(found) < 100:
        found.append(found[-1].parent)
    return found
