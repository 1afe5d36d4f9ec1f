"""What a rule is: its evidence beside its check, and what a check finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Any, Final, NamedTuple

from qm_constructs.plan import Path, QueuePlan, Resource
from qm_constructs.rules._examples import Pair, Template

# The sources that more than one family of rules has.
QUOTA_GUIDE: Final = (
    "https://docs.aws.amazon.com/batch/latest/userguide/create-quota-management-resources.html"
)
SERVICE_LIMITS: Final = "https://docs.aws.amazon.com/batch/latest/userguide/service_limits.html"
SHARE_GUIDE: Final = "https://docs.aws.amazon.com/batch/latest/userguide/quota-shares.html"
API: Final = "https://docs.aws.amazon.com/batch/latest/APIReference"
CLOUDFORMATION: Final = "https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference"
OBSERVED: Final = "https://github.com/badmintoncryer/cdk-preflight/tree/main/rules/batch"


class Severity(str, Enum):
    """An error never reaches CloudFormation; a warning does, and can be acknowledged."""

    ERROR = "error"
    WARNING = "warning"


class Evidence(str, Enum):
    """How a rule is known: AWS writes it, AWS was seen to do it, it follows, or nobody has said."""

    DOCUMENTED = "documented"
    OBSERVED = "observed"
    INFERRED = "inferred"
    UNCONFIRMED = "unconfirmed"


class Context(Enum):
    """Which resources a check is for, by whether they are known to be of quota management."""

    ANY = "any"
    QUOTA_MANAGEMENT = "quota management"
    MAY_BE_QUOTA_MANAGEMENT = "quota management, or not known"
    MAY_BE_ANOTHER = "not quota management, or not known"

    def holds(self, quota_management: bool | None) -> bool:
        """Tells whether a check is for a resource.

        Args:
            quota_management: True, False, or None where it is not known.
        """
        if self is Context.ANY:
            return True
        if self is Context.QUOTA_MANAGEMENT:
            return quota_management is True
        return quota_management is not (self is Context.MAY_BE_ANOTHER)


# When the sources were read, and when the service was watched.
_READ: Final = "2026-10-20"
_WATCHED: Final = "2026-09-13"


# The id of a rule, and the resource and the property in which it finds something.
Weaker = tuple[str, Resource, Path]
# The resource and the property that are to be mended.
Cause = tuple[Resource, Path]


class Violation(NamedTuple):
    """What one check found, before it is known whose check it was.

    Args:
        path: The property at fault.
        problem: What is wrong and what is allowed, as a sentence.
        fix: How to mend it, as a sentence.
        resource: The resource at fault, where it is not the one judged (for a queue with all
            that belongs to it: the queue).
        as_written: The path is that in the template, with the functions on its way.
        weaker_than: What is found instead where more is known: the id of the rule, with the
            resource and the property; None where nothing is.
        cause: Where a template is told of it, once for all of one cause: the resource and the
            property; None where that is the place itself.
        apart: What tells it from what is found in the same place when the template turns out
            otherwise; empty where nothing does.
    """

    path: Path
    problem: str
    fix: str
    resource: Resource | None = None
    as_written: bool = False
    weaker_than: Weaker | None = None
    cause: Cause | None = None
    apart: str = ""


class Finding(NamedTuple):
    """A rule that a resource breaks.

    Args:
        rule: The rule.
        resource: The resource.
        path: The property at fault.
        problem: What is wrong and what is allowed, as a sentence.
        fix: How to mend it, as a sentence.
        as_written: The path is that in the template, with the functions on its way.
        weaker_than: What is found instead where more is known; None where nothing is.
        cause: Where a template is told of it; None where that is the place itself.
        apart: What tells it from what is found in the same place when the template turns out
            otherwise; empty where nothing does.
    """

    rule: Rule
    resource: Resource
    path: Path
    problem: str
    fix: str
    as_written: bool = False
    weaker_than: Weaker | None = None
    cause: Cause | None = None
    apart: str = ""

    @classmethod
    def of(cls, rule: Rule, found: Violation, resource: Resource | None = None) -> Finding:
        """Returns what a check of a rule found, in the resource that it names or else in this."""
        judged = found.resource or resource
        assert judged is not None
        return cls(
            rule,
            judged,
            found.path,
            found.problem,
            found.fix,
            found.as_written,
            found.weaker_than,
            found.cause,
            found.apart,
        )

    @property
    def value(self) -> Any:
        """The value of the property at fault, None where there is none."""
        return self.resource.at(self.path)


ResourceCheck = Callable[[Resource], Iterable[Violation]]
# The account and the Region, None where they are not known.
Place = tuple[str | None, str | None]
ResourcesCheck = Callable[[Sequence[Resource], Place], Iterable[Violation]]
QueueCheck = Callable[[QueuePlan], Iterable[Violation]]
QueuesCheck = Callable[[Sequence[QueuePlan]], Iterable[Violation]]


class Rule:
    """One rule of AWS Batch quota management.

    Args:
        id: Its row in the facts about the service, such as ``"JQ-01"``.
        title: The rule in one line.
        why: What AWS does about a breach, in its own words where they are known.
        severity: Error or warning.
        evidence: How the rule is known.
        source: The AWS page, or the record of what was seen.
        pair: A faulty and a correct template, as changes to one that is sound.
        unconfirmed: What AWS has not confirmed, as a sentence; empty for what it has.
    """

    def __init__(
        self,
        *,
        id: str,
        title: str,
        why: str,
        severity: Severity,
        evidence: Evidence,
        source: str,
        pair: Pair,
        unconfirmed: str = "",
    ) -> None:
        self.id: Final = id
        self.title: Final = title
        self.why: Final = why
        self.severity: Final = severity
        self.evidence: Final = evidence
        self.source: Final = source
        self.pair: Final = pair
        self.unconfirmed: Final = unconfirmed
        self.resource_checks: Final[list[tuple[str, Context, ResourceCheck]]] = []
        self.resources_checks: Final[list[ResourcesCheck]] = []
        self.queue_checks: Final[list[QueueCheck]] = []
        self.queues_checks: Final[list[QueuesCheck]] = []

    @property
    def date(self) -> str:
        """When the evidence was gathered, as YYYY-MM-DD."""
        return _WATCHED if self.evidence is Evidence.OBSERVED else _READ

    @property
    def faulty(self) -> Template:
        """A template that breaks this rule and no other."""
        return self.pair.faulty_template()

    @property
    def correct(self) -> Template:
        """The same template without the fault."""
        return self.pair.correct_template()

    def on(
        self, *types: str, context: Context = Context.ANY
    ) -> Callable[[ResourceCheck], ResourceCheck]:
        """Makes the decorated function this rule's check of every resource of the types."""

        def register(check: ResourceCheck) -> ResourceCheck:
            self.resource_checks.extend((type_, context, check) for type_ in types)
            return check

        return register

    def on_resources(self, check: ResourcesCheck) -> ResourcesCheck:
        """Makes the decorated function this rule's check of the resources of one place."""
        self.resources_checks.append(check)
        return check

    def on_queue(self, check: QueueCheck) -> QueueCheck:
        """Makes the decorated function this rule's check of a queue with all that belongs to it."""
        self.queue_checks.append(check)
        return check

    def on_queues(self, check: QueuesCheck) -> QueuesCheck:
        """Makes the decorated function this rule's check of several queues side by side."""
        self.queues_checks.append(check)
        return check
