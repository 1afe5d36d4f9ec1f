"""Service environments."""

from __future__ import annotations

from typing import Final

from .errors import ClientError, already_exists, being_modified, does_not_exist
from .names import arn_of, check_name, name_from
from .pages import page
from .shapes import is_training_instance_type, training_instance_types
from .state import Json, ServiceEnvironment, here
from .switches import refuses
from .tags import check_tags

NUM_INSTANCES: Final = "NUM_INSTANCES"
_MOST: Final = 50


def check_limits(limits: list[Json]) -> None:
    """Refuses capacity limits that a service environment cannot have."""
    if not limits:  # SE-04
        raise ClientError("Capacitylimits are required.")
    if len(limits) > 5:
        raise ClientError("Number of capacity limits exceeds 5.")
    units = [limit.get("capacityUnit") for limit in limits]
    if NUM_INSTANCES in units and any(unit != NUM_INSTANCES for unit in units):  # SE-06
        raise ClientError(
            "Capacity units must specify either number of instances OR instance type, but not both"
        )
    for limit in limits:
        unit = limit.get("capacityUnit")
        if unit != NUM_INSTANCES and not is_training_instance_type(unit):  # SE-07, SE-09
            known = ", ".join(training_instance_types())
            raise ClientError(f"{unit} is unknown capacity unit in [{known}]")
        if limit.get("maxCapacity", 0) < 1:  # SE-08
            raise ClientError("Max capacity must be more than 0.")
    if len(set(units)) < len(units) and refuses("SE-11"):
        raise ClientError("Duplicate capacity units are not allowed.")


def find_environment(given: str) -> ServiceEnvironment:
    found = here().environments.get(name_from("service-environment", given))
    if found is None:
        raise does_not_exist(given)
    return found


def create_service_environment(given: Json) -> Json:
    name, tags, place = given["serviceEnvironmentName"], given.get("tags", {}), here()
    check_name(name, "Service environment")  # SE-03
    check_limits(given["capacityLimits"])
    check_tags(tags)
    if name in place.environments:
        raise already_exists(name)
    if len(place.environments) >= _MOST:
        raise ClientError(f"The account has reached its limit of {_MOST} service environments.")
    arn = arn_of("service-environment", name)
    place.environments[name] = ServiceEnvironment(
        name,
        arn,
        dict(tags),
        given.get("state", "ENABLED"),
        given["serviceEnvironmentType"],
        given["capacityLimits"],
    )
    return {"serviceEnvironmentName": name, "serviceEnvironmentArn": arn}


def update_service_environment(given: Json) -> Json:
    environment = find_environment(given["serviceEnvironment"])
    if not environment.life.is_valid:
        raise being_modified("update")
    limits = given.get("capacityLimits")
    if limits is not None:
        check_limits(limits)
        _check_against_the_queue(environment, limits)
        environment.limits = limits
    environment.state = given.get("state", environment.state)
    environment.life.move("UPDATING")
    return {
        "serviceEnvironmentName": environment.name,
        "serviceEnvironmentArn": environment.arn,
    }


def _check_against_the_queue(environment: ServiceEnvironment, limits: list[Json]) -> None:
    place, units = here(), {limit["capacityUnit"] for limit in limits}
    for queue in place.queues.values():
        if environment.arn not in queue.environment_arns:
            continue
        check_units_suit(place.has_quota_shares(queue), units)
        used = {
            limit["capacityUnit"]
            for share in place.shares_of(queue.arn)
            for limit in share.limits
            # Only what it has can be lost.
            if environment.limit_of(limit["capacityUnit"])
        }
        if used - units and refuses("UP-08"):
            raise ClientError(f"Capacity units in use by quota shares: {sorted(used - units)}.")


def check_units_suit(has_quota_shares: bool, units: set[str]) -> None:
    """Refuses units that do not go with how a job queue is scheduled."""
    if has_quota_shares and NUM_INSTANCES in units:  # SE-05
        raise ClientError(
            "Quota management requires instance types as the capacity units of the service "
            "environment."
        )
    if not has_quota_shares and NUM_INSTANCES not in units and refuses("JQ-13"):
        raise ClientError("Instance types as capacity units require a quota share policy.")


def _described(environment: ServiceEnvironment) -> Json:
    return {
        "serviceEnvironmentName": environment.name,
        "serviceEnvironmentArn": environment.arn,
        "serviceEnvironmentType": environment.type,
        "state": environment.state,
        "status": environment.life.status,
        "capacityLimits": environment.limits,
        "tags": dict(environment.tags),
    }


def describe_service_environments(given: Json) -> Json:
    asked = {name_from("service-environment", one) for one in given.get("serviceEnvironments", ())}
    found = [one for one in here().environments.values() if not asked or one.name in asked]
    return page([_described(one) for one in found], given, "serviceEnvironments")


def delete_service_environment(given: Json) -> Json:
    environment = find_environment(given["serviceEnvironment"])
    if environment.life.status == "DELETING":
        return {}
    if not environment.life.is_valid:
        raise being_modified("delete")
    if environment.state != "DISABLED":  # DE-03
        raise ClientError("Cannot delete, the service environment must be DISABLED first.")
    if any(environment.arn in queue.environment_arns for queue in here().queues.values()):
        raise ClientError("Cannot delete, found existing JobQueue relationship.")
    environment.life.move("DELETING")
    return {}
