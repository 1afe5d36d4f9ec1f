"""CF: what CloudFormation itself asks of the properties of the four types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from qm_constructs.errors import shown
from qm_constructs.plan import (
    BORROW_LIMIT,
    JOB_QUEUE,
    LEND_AND_BORROW,
    QUOTA_SHARE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    STRATEGY,
    Asked,
    Miswritten,
    Path,
    QueuePlan,
    Resource,
    Unknown,
    UnknownList,
    UnknownText,
)
from qm_constructs.rules import _checks, _functions, _spelt
from qm_constructs.rules._examples import Pair
from qm_constructs.rules._named import NAMED, by_arn, instead
from qm_constructs.rules._rule import CLOUDFORMATION, Evidence, Rule, Severity, Violation
from qm_constructs.schema import (
    ANYTHING,
    ARN_ATTRIBUTE,
    ATTRIBUTES,
    TAGS,
    TEXT,
    TYPES,
    WHOLE_NUMBER,
    AnyKind,
    ListOf,
    Struct,
)

_TYPES_PAGE = f"{CLOUDFORMATION}/AWS_Batch.html"

CF_01 = Rule(
    id="CF-01",
    title="A resource has the properties of its type, spelt as CloudFormation spells them",
    why="CloudFormation refuses any other: 'extraneous key [capacityLimits] is not permitted'.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_TYPES_PAGE,
    pair=Pair({"Product.capacity_limits": []}),
)
CF_02 = Rule(
    id="CF-02",
    title="A property has the kind of value that CloudFormation's schema gives it",
    why="CloudFormation refuses any other, and null anywhere.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_TYPES_PAGE,
    pair=Pair(
        {"Product.CapacityLimits": {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 6}},
    ),
)

CF_03 = Rule(
    id="CF-03",
    title="Fn::GetAtt asks for an attribute that the type has",
    why="CloudFormation refuses the whole template.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_TYPES_PAGE,
    pair=Pair(
        {"Queue.SchedulingPolicyArn": {"Fn::GetAtt": ["Policy", "SchedulingPolicyArn"]}},
    ),
)

CF_04 = Rule(
    id="CF-04",
    title="A reference leads to a parameter of the template, or to a resource that is there",
    why="CloudFormation refuses the whole template: 'Unresolved resource dependencies'.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source="https://repost.aws/knowledge-center/cloudformation-template-validation",
    pair=Pair({"Queue.SchedulingPolicyArn": {"Ref": "Polcy"}}),
)

CF_04_ID = Rule(
    id="CF-04-ID",
    title="A resource of the template is named by reference, not by its logical id",
    why="AWS Batch looks for one of that name, and knows no logical ids.",
    severity=Severity.WARNING,
    evidence=Evidence.INFERRED,
    source=f"{CLOUDFORMATION}/aws-resource-batch-quotashare.html",
    unconfirmed="AWS has not confirmed this.",
    pair=Pair({"Product.JobQueue": "Queue"}),
)

CF_05 = Rule(
    id="CF-05",
    title="An intrinsic function is written as CloudFormation asks",
    why="CloudFormation refuses the whole template: 'every Fn::GetAtt object requires two "
    "non-empty parameters'.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{CLOUDFORMATION}/intrinsic-function-reference.html",
    pair=Pair({"Queue.SchedulingPolicyArn": {"Fn::GetAtt": "Policy"}}),
)

# What the schema lets be left out, and a queue of quota management needs.
_OF_QUOTAS: Final = (
    "CapacityUnit",
    "IdleResourceAssignmentStrategy",
    "JobQueueType",
    "MaxCapacity",
    "QuotaSharePolicy",
    "SchedulingPolicyArn",
    "ServiceEnvironmentOrder",
)
_UNLESS_OF_QUOTAS: Final = ", if the queue is none of quota management"
_ALL: Final = (SCHEDULING_POLICY, SERVICE_ENVIRONMENT, JOB_QUEUE, QUOTA_SHARE)


@CF_01.on(*_ALL)
def _unknown_members(resource: Resource) -> Iterator[Violation]:
    for unknown in _spelt.unknown_members(resource):
        yield _unknown(resource, *unknown)


@CF_02.on(*_ALL)
def _kinds(resource: Resource) -> Iterator[Violation]:
    found: list[Violation] = []
    _wrong_in(resource, TYPES[resource.type], resource.properties, (), found)
    yield from found


@CF_03.on(*_ALL)
def _attributes(resource: Resource) -> Iterator[Violation]:
    yield from wrong_attributes(resource.asked, resource.type)


def wrong_attributes(
    attributes: Iterable[Asked | Miswritten], owner: str | None = None
) -> Iterator[Violation]:
    """Yields a violation for each attribute that its type lacks.

    Args:
        attributes: What is asked for.
        owner: The type of the resource that asks; None where it is none of the four.
    """
    for asked in attributes:
        if isinstance(asked, Miswritten) or asked.type is None:
            continue
        right = ARN_ATTRIBUTE[asked.type]
        if asked.attribute != right:
            yield Violation(
                asked.path,
                f"{asked.resource} has no attribute {shown(asked.attribute)}; an {asked.type} has "
                f"{right} alone.",
                instead(owner, asked.path, asked.resource, asked.type),
                as_written=True,
            )


@CF_04.on(*_ALL)
def _nowhere(resource: Resource) -> Iterator[Violation]:
    for asked in resource.asked:
        if isinstance(asked, Miswritten):
            continue
        if asked.is_absent:
            yield Violation(asked.path, *absent(asked), as_written=True)
        elif asked.type is None:
            yield Violation(asked.path, *missing(asked), as_written=True)


@CF_04_ID.on_queue
def _ids_for_names(plan: QueuePlan) -> Iterator[Violation]:
    for resource, path, id in plan.spelt_ids:
        type = NAMED[resource.type][path]
        yield Violation(
            path,
            f"{shown(id)} is the logical id of an {type} in the template, and the name of none: "
            "AWS Batch takes it for the name of one made elsewhere.",
            by_arn(id, type),
            resource,
        )


def absent(asked: Asked) -> tuple[str, str]:
    """Returns what is wrong with what asks for a resource that is not there, and how to mend it."""
    problem = f"The resource {asked.resource} is not there: its condition does not hold."
    return problem, "Give both the same condition, or choose by Fn::If."


def missing(asked: Asked) -> tuple[str, str]:
    """Returns what is wrong with what leads to nothing as a sentence, and how to mend it."""
    of = {"key": "map", "output": "nested stack"}.get(asked.what)
    if of is not None:
        owner = f"The {of} {shown(asked.attribute)}"
        return lacking(asked.what, asked.resource, asked.near, owner)
    if asked.what:
        return lacking(asked.what, asked.resource, asked.near)
    if asked.resource.startswith("AWS::"):
        problem = f"CloudFormation has no pseudo parameter {shown(asked.resource)}."
        known = ", ".join(_functions.PSEUDO_PARAMETERS)
        return problem, f"Did you mean {asked.near!r}?" if asked.near else f"It has {known}."
    return lacking("parameter and no resource", asked.resource, asked.near)


def lacking(what: str, name: str, near: str, owner: str = "The template") -> tuple[str, str]:
    """Returns that a template lacks what it names as a sentence, and how to mend it.

    Args:
        what: What it lacks.
        name: How it names it.
        near: What it has that is spelt much like it; empty for none.
        owner: What lacks it.
    """
    fix = f"Did you mean {near!r}?" if near else "Add it, or name one that is."
    return f"{owner} has no {what} {shown(name)}.", fix


@CF_05.on(*_ALL)
def _functions_as_asked(resource: Resource) -> Iterator[Violation]:
    for call in resource.asked:
        if isinstance(call, Miswritten):
            yield Violation(call.path, *_functions.mended(call, resource.type), as_written=True)


def _unknown(resource: Resource, kind: Struct, key: str, path: Path, written: Any) -> Violation:
    known = ", ".join(kind.members)
    problem = f"There is no property {shown(key)} here; CloudFormation knows {known}."
    return Violation(path, problem, _instead_of_unknown(resource, kind, key, written))


def _instead_of_unknown(resource: Resource, kind: Struct, key: str, written: Any) -> str:
    near = _spelt.spelt_like(kind, key, written)
    home = _spelt.home_of(resource.type, key)
    if not near and home and resource.at(home) is None:
        return _spelt.written_at(home)
    meant = near or _spelt.meant(kind, key, written)
    if near or meant in kind.required:
        return f"Write {meant}."
    if meant in _OF_QUOTAS:
        return f"Write {meant}, or leave it out{_UNLESS_OF_QUOTAS}."
    if meant:
        return f"Write {meant}, if that is meant, or leave it out."
    return f"Write {key} beside Properties." if key in ATTRIBUTES else "Leave it out."


def _wrong_in(
    resource: Resource, kind: AnyKind, value: Any, path: Path, found: list[Violation]
) -> None:
    if isinstance(value, UnknownList):
        if not _fits(kind, []):
            found.append(_misfit(kind, [], path, "a list"))
    elif isinstance(value, Unknown):
        is_text = isinstance(value, UnknownText) and _is_surely_text(value) and kind is not TEXT
        if is_text and not _fits(kind, value):
            found.append(_misfit(kind, value, path, "text"))
    elif value is None:
        fix = _instead_of_null(resource, path)
        found.append(Violation(path, "CloudFormation takes no null.", fix))
    elif not _fits(kind, value):
        found.append(_misfit(kind, value, path, kind_of(value)))
    else:
        parts = (
            [(key, TEXT, tag) for key, tag in value.items()]
            if kind is TAGS
            else _spelt.inside(kind, value)
        )
        for step, inner, part in parts:
            # Most of what there is is text where text belongs.
            if inner is not None and not (inner is TEXT and type(part) is str):
                _wrong_in(resource, inner, part, (*path, step), found)


def _misfit(kind: AnyKind, value: Any, path: Path, what: str) -> Violation:
    return Violation(path, f"This must be {kind.article}; it is {what}.", _fix(kind, value))


def _instead_of_null(resource: Resource, path: Path) -> str:
    if _checks.is_required(resource, path):
        return "Write a value."
    if path == BORROW_LIMIT and resource.at(STRATEGY) != LEND_AND_BORROW:
        return "Leave it out."
    is_of_quotas = path != () and path[-1] in _OF_QUOTAS
    unless = _UNLESS_OF_QUOTAS if is_of_quotas else ""
    return f"Write a value, or leave it out{unless}."


def _is_surely_text(value: UnknownText) -> bool:
    return _checks.identifies_a_resource(value) or any(
        isinstance(part, str) for part in value.parts
    )


def _fits(kind: AnyKind, value: Any) -> bool:
    if kind is ANYTHING:
        return True
    if isinstance(kind, ListOf):
        return isinstance(value, list)
    if isinstance(kind, Struct) or kind is TAGS:
        return isinstance(value, dict)
    # Which numbers there may be is told by the rules of the property.
    return not isinstance(value, dict | list)


def _fix(kind: AnyKind, value: Any) -> str:
    if kind is TAGS and isinstance(value, list):
        return "Write {team: research}, say, without Key and Value."
    if isinstance(kind, ListOf) and isinstance(value, dict):
        return "Put it into a list, even if it is the only one."
    if kind in (TEXT, WHOLE_NUMBER) and isinstance(value, list):
        # It may be that of a parameter.
        what = "it without the list" if len(value) == 1 else kind.article
        return f"Write {what}, or choose one entry by Fn::Select."
    if isinstance(kind, Struct):
        return f"Write a map of {', '.join(kind.members)}."
    if isinstance(kind, ListOf) and isinstance(kind.item, Struct):
        return f"Write a list of maps of {', '.join(kind.item.members)}."
    return f"Write {kind.article}."


def kind_of(value: Any) -> str:
    """Returns what kind of value there is: a map, a list, or what is written."""
    if isinstance(value, dict):
        return "a map"
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    return "a list" if isinstance(value, list) else shown(value)


RULES = (CF_01, CF_02, CF_03, CF_04, CF_04_ID, CF_05)
