"""What botocore's model says of the calls: their paths, their members, and the enums in them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import botocore.session
from botocore.model import ServiceModel, Shape
from botocore.validate import ParamValidator

from .errors import ClientError
from .state import Json
from .switches import refuses


@cache
def model() -> ServiceModel:
    return botocore.session.get_session().get_service_model("batch")


@cache
def training_instance_types() -> list[str]:
    """Every instance type of SageMaker Training. [SE-13]"""
    sagemaker = botocore.session.get_session().get_service_model("sagemaker")
    return list(sagemaker.shape_for("TrainingInstanceType").enum)


def is_training_instance_type(unit: object) -> bool:
    """Whether the service knows an instance type. [SE-07, QS-06, SE-13]"""
    if isinstance(unit, str) and unit.startswith("ml.") and not refuses("SE-13"):
        return True
    return unit in training_instance_types()


@cache
def operations_by_path() -> dict[str, str]:
    """Returns the name of each call that has a path of its own, by that path."""
    names = model().operation_names
    paths = {name: model().operation_model(name).http["requestUri"] for name in names}
    return {path: name for name, path in paths.items() if "{" not in path}


def check_input(operation: str, given: Json) -> None:
    """Refuses a call that lacks a member, or has one of a wrong name, type or enum."""
    shape = model().operation_model(operation).input_shape
    report = ParamValidator().validate(given, shape)
    if report.has_errors():
        raise ClientError(report.generate_report())
    for path, value, allowed in _enum_faults(shape, given, ""):
        # Both have words of their own.
        if path.endswith((".action", ".idleResourceAssignmentStrategy")):
            continue
        raise ClientError(f"{path.lstrip('.')} is {value}, must be one of [{', '.join(allowed)}].")


def _enum_faults(shape: Shape, value: Any, path: str) -> Iterator[tuple[str, str, list[str]]]:
    if shape.type_name == "structure":
        for name, member in shape.members.items():
            if name in value:
                yield from _enum_faults(member, value[name], f"{path}.{name}")
    elif shape.type_name == "list":
        for number, item in enumerate(value):
            yield from _enum_faults(shape.member, item, f"{path}[{number}]")
    elif shape.type_name == "string" and shape.enum and value not in shape.enum:
        yield path, value, shape.enum
