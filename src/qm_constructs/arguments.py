"""The arguments of one call, read into the CloudFormation view; its faults become one error."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from qm_constructs.arns import EXAMPLES, parse_arn
from qm_constructs.errors import Fault, QuotaManagementError, shown
from qm_constructs.plan import MAX_INTEGER, Unknown, UnknownNumber
from qm_constructs.rules import Finding, Severity
from qm_constructs.tokens import is_one_token, is_token

_ARGUMENT_OF: Final = {
    "CapacityLimits": "capacity_limits",
    "JobQueue": "job_queue",
    "JobQueueName": "job_queue_name",
    "Name": "scheduling_policy_name",
    "Priority": "priority",
    "QuotaShareName": "quota_share_name",
    "ResourceSharingConfiguration": "resource_sharing",
    "SchedulingPolicyArn": "scheduling_policy",
    "ServiceEnvironmentName": "service_environment_name",
    "ServiceEnvironmentOrder": "service_environment",
    "Tags": "tags",
}

# CDK formats an ARN with a token for the partition, even where all else is literal.
_PARTITION: Final = re.compile(r"^arn:\$\{Token\[[^\]]*\]\}:")

# The order in which the constructors take their arguments.
_SIGNATURES: Final = (
    "scope",
    "id",
    "job_queue",
    "name",
    "quota_share_name",
    "capacity_limits",
    "quota_shares",
    "resource_sharing",
    "in_share_preemption",
    "job_queue_name",
    "priority",
    "enabled",
    "service_environment",
    "service_environment_name",
    "scheduling_policy",
    "scheduling_policy_name",
    "job_state_time_limits",
    "removal_policy",
    "tags",
    "plan",
)

NOT_KNOWN: Final = Unknown(None)
"""What stands in the view for an argument at fault already, so that no rule judges it too."""


class Arguments:
    """Reads the arguments of one call; each method returns the value for the CloudFormation view.

    Args:
        call: The call, as its error will name it.

    ``given`` keeps what the caller wrote for each argument, to be shown with its fault;
    ``place_of`` returns where an argument stands in a file, if it came from one.
    """

    def __init__(self, call: str) -> None:
        self.call = call
        self.faults: list[Fault] = []
        self.given: dict[str, Any] = {}
        self.place_of: Callable[[str], str | None] = _no_place

    def fault(
        self, argument: str, value: Any, problem: str, fix: str, rule: str | None = None
    ) -> None:
        """Keeps one fault; what was said of an argument once is not said again."""
        if not any((argument, problem) == (known.argument, known.problem) for known in self.faults):
            self.faults.append(Fault(argument, value, problem, fix, rule))

    def faults_of(self, argument: str) -> bool:
        """Tells whether an argument is at fault already."""
        return any(fault.argument == argument for fault in self.faults)

    def findings(
        self,
        findings: Iterable[Finding],
        argument_of: Callable[[Finding], str] | None = None,
    ) -> None:
        """Keeps every finding that is an error as a fault of the argument that it is about."""
        for finding in findings:
            if finding.rule.severity is Severity.ERROR:
                argument = (argument_of or argument_behind)(finding)
                value = self.given.get(argument, value_behind(finding))
                self.fault(argument, value, finding.problem, finding.fix, finding.rule.id)

    def raise_faults(self) -> None:
        """Raises one error with all the faults, in the order of the arguments, if there are any."""
        if self.faults:
            faults = sorted(self.faults, key=_place_in_signature)
            placed = [fault._replace(place=self.place_of(fault.argument)) for fault in faults]
            raise QuotaManagementError(self.call, placed)

    def text(self, argument: str, value: Any) -> str | Unknown:
        """Reads a string or a token."""
        self.given[argument] = value
        if is_token(value) and not isinstance(value, float):
            return Unknown(value)
        if isinstance(value, str):
            return str.__str__(value)
        self.fault(argument, value, "Must be a string or a token.", _how_to_give_text(value))
        return NOT_KNOWN

    def whole_number(
        self, argument: str, value: Any, what: str = "a whole number"
    ) -> int | Unknown:
        """Reads a whole number or a token."""
        self.given[argument] = value
        if is_token(value) and (not isinstance(value, str) or is_one_token(value)):
            return UnknownNumber(value)
        if not isinstance(value, bool):
            try:
                number = operator.index(value)
            except Exception:  # whatever it is, it is no number
                pass
            else:
                if abs(number) <= MAX_INTEGER:
                    return number
                problem = "Must fit into 32 bits, as the AWS Batch API has it."
                fix = f"Give a number of at most {MAX_INTEGER}."
                if _was_a_token(number):
                    problem = "Must be a number or a token; this was a token before int()."
                    fix = "Give the token itself."
                self.fault(argument, value, problem, fix)
                return NOT_KNOWN
        self.fault(argument, value, f"Must be {what} or a token.", _how_to_give_number(value))
        return NOT_KNOWN

    def boolean(self, argument: str, value: Any) -> bool:
        """Reads True or False."""
        if isinstance(value, bool):
            return value
        self.fault(argument, value, "Must be True or False.", "Write True or False, unquoted.")
        return False

    def arn(
        self,
        argument: str,
        value: Any,
        kind: str,
        rule: str | None = None,
        *,
        or_construct: bool = False,
    ) -> str | Unknown:
        """Reads a token or the ARN of a resource of a kind."""
        what = kind.replace("-", " ")
        fix = f"Give one like {EXAMPLES[kind]!r}{', or the construct itself' * or_construct}."
        if not isinstance(value, str) and not is_token(value):
            self.fault(argument, value, f"Must be the ARN of a {what}.", fix, rule)
            return NOT_KNOWN
        arn = self.text(argument, value)
        known = isinstance(value, str) and not is_token(_PARTITION.sub("arn:aws:", value))
        if known and parse_arn(value, kind) is None:
            self.fault(argument, value, f"Must be the ARN of a {what}.", fix, rule)
            return NOT_KNOWN
        return arn

    def capacity_limits(self, argument: str, value: Any) -> list[dict[str, Any]] | Unknown:
        """Reads a mapping of instance types to numbers; literals are sorted, tokens follow."""
        self.given[argument] = value
        fix = _how_to_give_limits(value)
        if fix:
            self.fault(argument, value, "Must map instance types to how many of each.", fix)
            return NOT_KNOWN
        entries: list[dict[str, Any]] = []
        for key, number in value.items():
            unit = self.text(f"A key of {argument}", key)
            most = self.whole_number(f"{argument}[{shown(key)}]", number)
            entries.append({"CapacityUnit": unit, "MaxCapacity": most})
        # A token's own text changes from run to run, so only literals can be sorted by it.
        return sorted(
            entries,
            key=lambda entry: (
                isinstance(entry["CapacityUnit"], Unknown),
                entry["CapacityUnit"] if isinstance(entry["CapacityUnit"], str) else "",
            ),
        )

    def tags(self, argument: str, value: Any) -> dict[Any, Any]:
        """Reads a mapping of tag keys to tag values; None is no tags."""
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            fix = "Write {'team': 'research'}, say."
            self.fault(argument, value, "Must map tag keys to tag values.", fix)
            return {}
        tags: dict[Any, Any] = {}
        for key, tag in value.items():
            if is_token(key) and not isinstance(key, float):
                tags[Unknown(key)] = self.text(f"{argument}[{shown(key)}]", tag)
            elif not isinstance(key, str):
                self.fault(f"A key of {argument}", key, "Must be a string.", "Give a string.")
            else:
                tags[str.__str__(key)] = self.text(f"{argument}[{shown(key)}]", tag)
        return tags


def argument_behind(finding: Finding, renamed: Mapping[str, str] = MappingProxyType({})) -> str:
    """Returns the argument that a property comes from, as its caller wrote it.

    Args:
        finding: The finding.
        renamed: The arguments that the call names otherwise than most, by their property.
    """
    first, *rest = finding.path
    argument = renamed.get(str(first)) or _ARGUMENT_OF[str(first)]
    if first == "CapacityLimits" and rest:
        unit = finding.resource.at(("CapacityLimits", rest[0], "CapacityUnit"))
        return f"{argument}[{shown(source_of(unit))}]"
    if first == "Tags" and rest:
        return f"{argument}[{shown(source_of(rest[0]))}]"
    return argument


def value_behind(finding: Finding) -> Any:
    """Returns the value of the argument that a property comes from, as its caller wrote it."""
    resource, path = finding.resource, finding.path
    if path[0] == "ResourceSharingConfiguration":
        return _AsWritten(resource.at(path[:1]))
    if path == ("CapacityLimits",):
        return {
            source_of(limit["CapacityUnit"]): source_of(limit["MaxCapacity"])
            for limit in finding.value
        }
    if path[-1] == "CapacityUnit":
        path = (*path[:-1], "MaxCapacity")
    return source_of(resource.at(path))


class _AsWritten:
    """A resource sharing configuration, shown as the factory call that makes it."""

    def __init__(self, configuration: Mapping[str, Any]) -> None:
        self._configuration = configuration

    def __repr__(self) -> str:
        factory = str(self._configuration["Strategy"]).lower()
        limit = self._configuration.get("BorrowLimit")
        given = "" if limit is None else f"borrow_limit={shown(source_of(limit))}"
        return f"ResourceSharing.{factory}({given})"


def source_of(value: Any) -> Any:
    """Returns what the caller gave for a value of the view."""
    return value.source if isinstance(value, Unknown) else value


def _how_to_give_text(value: Any) -> str:
    if type(value).__name__ == "InstanceType":
        return (
            "Write it as a string such as 'ml.p5.48xlarge', or take it from TrainingInstanceType."
        )
    return "Give a string."


def _how_to_give_number(value: Any) -> str:
    if isinstance(value, str):
        try:
            number = int(value)
        except ValueError:
            return "Give a whole number."
        return f"Write {number}, unquoted; int() turns a context value into a number."
    if isinstance(value, float) and value.is_integer() and abs(value) <= MAX_INTEGER:
        return f"Write {int(value)}."
    return "Give a whole number."


def _was_a_token(number: int) -> bool:
    try:
        return is_token(float(number))
    except OverflowError:
        return False


def _how_to_give_limits(value: Any) -> str:
    """Says how to write as a mapping what was written otherwise; empty where nothing is wrong."""
    entries = value if isinstance(value, list | tuple) else [value]
    try:
        pairs = dict(map(_pair_in, entries))
        if pairs:
            return f"Write {shown(pairs)}."
    except Exception:  # it is not one of the other ways to write limits
        pass
    return "" if isinstance(value, Mapping) else "Write {'ml.p5.48xlarge': 16}, say."


def _pair_in(entry: Any) -> tuple[Any, Any]:
    """Returns unit and number from a limit as CloudFormation, an L1 or a list of pairs has it."""
    if isinstance(entry, tuple):
        unit, most = entry
        return unit, most
    items = entry.items() if isinstance(entry, Mapping) else entry._values.items()
    named = {str(key).replace("_", "").lower(): part for key, part in items}
    return named["capacityunit"], named["maxcapacity"]


def _no_place(argument: str) -> str | None:
    del argument
    return None


def _place_in_signature(fault: Fault) -> int:
    argument = re.split(r"[.\[]", fault.argument.removeprefix("A key of "), maxsplit=1)[0]
    return _SIGNATURES.index(argument) if argument in _SIGNATURES else len(_SIGNATURES)
