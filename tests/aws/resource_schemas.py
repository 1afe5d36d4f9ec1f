"""What CloudFormation says of a resource's properties before its handler sees them."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from cfnlint.schema import PROVIDER_SCHEMA_MANAGER
from jsonschema import Draft7Validator
from jsonschema.exceptions import ValidationError

from .state import Json

SCHEDULING_POLICY: Final = "AWS::Batch::SchedulingPolicy"
SERVICE_ENVIRONMENT: Final = "AWS::Batch::ServiceEnvironment"
JOB_QUEUE: Final = "AWS::Batch::JobQueue"
QUOTA_SHARE: Final = "AWS::Batch::QuotaShare"
TYPES: Final = (SCHEDULING_POLICY, SERVICE_ENVIRONMENT, JOB_QUEUE, QUOTA_SHARE)


@cache
def schema(type: str) -> Json:
    """Returns a type's schema from CloudFormation's registry, as cfn-lint carries it."""
    found = PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", type).schema
    exact: Json = _with_exact_enums(found)
    return exact


def _with_exact_enums(node: Any) -> Any:
    """cfn-lint takes enums in any case, and keeps them in lower case; CloudFormation does not."""
    if isinstance(node, list):
        return [_with_exact_enums(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        "enum" if key == "enumCaseInsensitive" else key: [text.upper() for text in value]
        if key == "enumCaseInsensitive"
        else _with_exact_enums(value)
        for key, value in node.items()
    }


def _names(type: str, kind: str) -> tuple[str, ...]:
    return tuple(path.rpartition("/")[2] for path in schema(type)[kind])


def create_only(type: str) -> tuple[str, ...]:
    """Returns the properties whose change replaces the resource."""
    return _names(type, "createOnlyProperties")


def arn_attribute(type: str) -> str:
    """Returns the name of the attribute that is the resource's ARN, which is also its Ref."""
    (name,) = _names(type, "primaryIdentifier")
    return name


def read_properties(type: str, logical_id: str, given: Json) -> Json:
    """Returns properties with numbers that were written as text or as 8.0 made whole numbers.

    Raises:
        ValueError: CloudFormation refuses them, in its words as far as they are known.
    """
    whole = schema(type)
    read: Json = _coerced(given, whole, whole)
    faults = [
        _told(error)
        for error in Draft7Validator(whole).iter_errors(read)
        # AWS Batch was seen to refuse this itself, in its own words. [SP-03]
        if error.validator != "enum" or error.path[-1] != "IdleResourceAssignmentStrategy"
    ]
    faults += [
        f"#: extraneous key [{name}] is not permitted"
        for name in _names(type, "readOnlyProperties")
        if name in read
    ]
    if faults:
        text = ", ".join(sorted(faults))
        raise ValueError(f"Properties validation failed for resource {logical_id}: [{text}]")
    return read


def _coerced(value: Any, node: Json, whole: Json) -> Any:
    if "$ref" in node:
        node = whole["definitions"][node["$ref"].rpartition("/")[2]]
    if isinstance(value, dict):
        parts, others = node.get("properties", {}), {"type": "string"}
        if not parts and "patternProperties" not in node:
            return value
        return {key: _coerced(item, parts.get(key, others), whole) for key, item in value.items()}
    if isinstance(value, list):
        return [_coerced(item, node.get("items", {}), whole) for item in value]
    type = node.get("type")
    if type in ("integer", "number"):
        # JSON has one kind of number: 8.0 is 8.
        is_whole = isinstance(value, float) and value.is_integer()
        return int(value) if is_whole or _is_number_in_text(value) else value
    if type == "string" and isinstance(value, int | float):
        return str(value).lower() if isinstance(value, bool) else str(value)
    return value


def _is_number_in_text(value: Any) -> bool:
    return isinstance(value, str) and value.lstrip("-").isdecimal()


_WORDS: Final = {
    "enum": "is not a valid enum value",
    "minimum": "is not greater or equal to {}",
    "maximum": "is not less or equal to {}",
}


def _told(error: ValidationError) -> str:
    path = "#" + "".join(f"/{part}" for part in error.absolute_path)
    if error.validator == "required":
        return f"{path}: required key [{error.message.split(chr(39))[1]}] not found"
    if error.validator == "additionalProperties":
        return f"{path}: extraneous key [{error.message.split(chr(39))[1]}] is not permitted"
    if error.validator == "oneOf":
        matched = 0 if "under any" in error.message else 2
        return f"{path}: {matched} subschemas matched instead of one"
    if error.validator in _WORDS:
        return f"{path}: {error.instance} {_WORDS[error.validator].format(error.validator_value)}"
    return f"{path}: failed validation constraint for keyword [{error.validator}]"
