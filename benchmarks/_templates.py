"""Templates of any size: correct ones as CDK writes them, each shape hard on one part of a check.

Every shape is made of blocks of five resources, so that ``blocks`` tells the size.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

Template = dict[str, Any]
Resources = dict[str, Any]

RESOURCES_IN_BLOCK: Final = 5
SHARES_OF_QUEUE: Final = 20
BLOCKS_OF_STACK: Final = 10

_OUTSIDE: Final = "arn:aws:batch:us-east-1:111122223333:job-queue/{}"
_BATCH: Final = "AWS::Batch::"


def queues(blocks: int) -> Template:
    """Each queue with a policy, an environment and two shares, as CDK writes them."""
    return _template(_joined(_queue(number) for number in range(blocks)))


def named_queues(blocks: int) -> Template:
    """Each queue with a name of its own, by which its shares know it."""
    resources: Resources = {}
    for number in range(blocks):
        name = f"training-{number}"
        resources |= _queue(number, queue={"JobQueueName": name}, share={"JobQueue": name})
        for id in (f"Queue{number}Share{share}" for share in range(2)):
            resources[id]["DependsOn"] = [f"Queue{number}"]
    return _template(resources)


def queues_by_arn(blocks: int) -> Template:
    """The same, but the shares put the ARN together from the name."""
    template = named_queues(blocks)
    for resource in template["Resources"].values():
        if resource["Type"] == f"{_BATCH}QuotaShare":
            place = "arn:${AWS::Partition}:batch:${AWS::Region}:${AWS::AccountId}:job-queue/"
            arn = place + resource["Properties"]["JobQueue"]
            resource["Properties"]["JobQueue"] = {"Fn::Sub": arn}
    return template


def chained_queues(blocks: int) -> Template:
    """Queues with names, and each resource waits for the one before it, to spare the API."""
    template = named_queues(blocks)
    before = ""
    for id, resource in template["Resources"].items():
        if before:
            resource["DependsOn"] = [before]
        before = id
    return template


def outside_shares(blocks: int) -> Template:
    """One queue with a name, and a great many shares of queues made elsewhere, by literal ARN."""
    resources = _queue(0, queue={"JobQueueName": "training-0"}, share={"JobQueue": "training-0"})
    for number in range(RESOURCES_IN_BLOCK * (blocks - 1)):
        arn = _OUTSIDE.format(f"outside-{number // SHARES_OF_QUEUE}")
        resources[f"Share{number}"] = _share(f"Share{number}", f"team-{number}", arn)
    for share in range(2):
        resources[f"Queue0Share{share}"]["DependsOn"] = ["Queue0"]
    return _template(resources)


def shares_of_parameters(blocks: int) -> Template:
    """Shares of queues that only parameters name, beside as many queues."""
    template = queues(blocks)
    template["Parameters"] = {f"Queue{number}Arn": {"Type": "String"} for number in range(blocks)}
    for number in range(blocks):
        for share in range(2):
            properties = template["Resources"][f"Queue{number}Share{share}"]["Properties"]
            properties["JobQueue"] = {"Ref": f"Queue{number}Arn"}
    return template


def conditions(blocks: int) -> Template:
    """Each queue with two conditions of its own, and an ``Fn::If`` in its environment and share."""
    template = queues(blocks)
    parameters, terms = template["Parameters"], template.setdefault("Conditions", {})
    for number in range(blocks):
        parameters[f"Size{number}"] = {"Type": "String", "Default": "small"}
        terms[f"IsLarge{number}"] = {"Fn::Equals": [{"Ref": f"Size{number}"}, "large"]}
        terms[f"IsSmall{number}"] = {"Fn::Not": [{"Condition": f"IsLarge{number}"}]}
        _make_conditional(template["Resources"], number, f"IsLarge{number}", f"IsSmall{number}")
    return template


def shared_conditions(blocks: int) -> Template:
    """Every queue with the same two conditions."""
    template = queues(blocks)
    template["Parameters"]["Size"] = {"Type": "String", "Default": "small"}
    template["Conditions"] = {
        "IsLarge": {"Fn::Equals": [{"Ref": "Size"}, "large"]},
        "IsSmall": {"Fn::Not": [{"Condition": "IsLarge"}]},
    }
    for number in range(blocks):
        _make_conditional(template["Resources"], number, "IsLarge", "IsSmall")
    return template


def parameters(blocks: int) -> Template:
    """Each queue with parameters that allow several values: a capacity, a strategy and a state."""
    template = queues(blocks)
    for number in range(blocks):
        template["Parameters"] |= {
            f"Most{number}": _one_of("Number", 4, 2, 8),
            f"Strategy{number}": _one_of("String", "LEND", "RESERVE", "LEND_AND_BORROW"),
            f"State{number}": _one_of("String", "ENABLED", "DISABLED"),
        }
        environment = template["Resources"][f"Queue{number}Environment"]["Properties"]
        environment["CapacityLimits"][0]["MaxCapacity"] = 16
        share = template["Resources"][f"Queue{number}Share0"]["Properties"]
        share["CapacityLimits"][0]["MaxCapacity"] = {"Ref": f"Most{number}"}
        share["ResourceSharingConfiguration"] = {"Strategy": {"Ref": f"Strategy{number}"}}
        share["State"] = {"Ref": f"State{number}"}
        _lend(template["Resources"], f"Queue{number}Share1")
    return template


def fifo_queues(blocks: int) -> Template:
    """Queues without quota management, five on each environment (the environment counts as one)."""
    return _fifo(blocks, RESOURCES_IN_BLOCK - 1)


def fifo_queues_on_one(blocks: int) -> Template:
    """Queues without quota management, all on one environment."""
    return _fifo(blocks, RESOURCES_IN_BLOCK * blocks - 1)


def fifo_queues_by_name(blocks: int) -> Template:
    """The same, but each queue knows its environment by name."""
    template = fifo_queues(blocks)
    for id, resource in template["Resources"].items():
        properties = resource["Properties"]
        if resource["Type"] == f"{_BATCH}ServiceEnvironment":
            properties["ServiceEnvironmentName"] = id
        else:
            order = properties["ServiceEnvironmentOrder"][0]
            order["ServiceEnvironment"] = resource["DependsOn"] = _id_in(order)
    return template


def fifo_queues_by_id(blocks: int) -> Template:
    """The same with a mistake: the name is the logical id, and no environment's name."""
    template = fifo_queues_by_name(blocks)
    for resource in template["Resources"].values():
        resource["Properties"].pop("ServiceEnvironmentName", None)
    return template


def faulty(blocks: int) -> Template:
    """Queues with one mistake in each share, each a finding to be shown."""
    template = queues(blocks)
    for resource in template["Resources"].values():
        if resource["Type"] == f"{_BATCH}QuotaShare":
            resource["Properties"]["ResourceSharingConfiguration"]["Strategy"] = "BORROW"
    return template


SHAPES: Final[Mapping[str, Callable[[int], Template]]] = {
    "many small queues": queues,
    "queues and shares by name": named_queues,
    "queues and shares by ARN": queues_by_arn,
    "each waits for the one before": chained_queues,
    "shares of outside queues": outside_shares,
    "shares of parameters": shares_of_parameters,
    "conditions and Fn::If": conditions,
    "the same conditions": shared_conditions,
    "parameters, AllowedValues": parameters,
    "FIFO queues, 4 each": fifo_queues,
    "FIFO queues, one for all": fifo_queues_on_one,
    "FIFO queues by name": fifo_queues_by_name,
    "FIFO queues by logical id": fifo_queues_by_id,
    "a mistake in each share": faulty,
}


def write_assembly(folder: Path, blocks: int, *, by_sub: bool = False) -> None:
    """Writes a cdk.out of many stacks, each with shares of the queues of the stack before it.

    Args:
        folder: The folder, which is made.
        blocks: How many queues all stacks have together.
        by_sub: Whether the names of the exports are put together, the stack's name before the rest.
    """
    folder.mkdir(parents=True)
    artifacts: dict[str, Any] = {}
    for number, first in enumerate(range(0, blocks, BLOCKS_OF_STACK)):
        name = f"Stack{number}"
        template = _stack_with_exports(first, min(first + BLOCKS_OF_STACK, blocks), by_sub)
        if first:
            _import_from(template, number - 1, by_sub)
        (folder / f"{name}.template.json").write_text(as_json(template), encoding="utf-8")
        artifacts[name] = _artifact(name, template)
    manifest = {"version": "48.0.0", "artifacts": artifacts}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2), encoding="utf-8")


def as_json(template: Template) -> str:
    """Returns a template as CDK writes it into cdk.out."""
    return json.dumps(template, indent=1)


def as_yaml(template: Template) -> str:
    """Returns a template as YAML, with the intrinsic functions in their long form."""
    import yaml  # noqa: PLC0415

    return str(yaml.safe_dump(template, sort_keys=False))


# -- The blocks


def _queue(
    number: int, *, queue: Resources | None = None, share: Resources | None = None
) -> Resources:
    id = f"Queue{number}"
    shares = [
        _share(id, f"team-{place}", {"Fn::GetAtt": [id, "JobQueueArn"]}) for place in range(2)
    ]
    for place, resource in enumerate(shares):
        resource["Properties"] |= share or {}
        resource["Metadata"] = _metadata(f"{id}Share{place}")
    return {
        f"{id}Policy": _resource(
            f"{id}Policy",
            "SchedulingPolicy",
            {"QuotaSharePolicy": {"IdleResourceAssignmentStrategy": "FIFO"}},
        ),
        f"{id}Environment": _resource(
            f"{id}Environment",
            "ServiceEnvironment",
            {
                "CapacityLimits": [
                    {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 8},
                    {"CapacityUnit": "ml.g6.12xlarge", "MaxCapacity": 16},
                ],
                "ServiceEnvironmentType": "SAGEMAKER_TRAINING",
                "State": "ENABLED",
                "Tags": {"team": "research", "cost-centre": "4711"},
            },
        ),
        id: _resource(
            id,
            "JobQueue",
            {
                "JobQueueType": "SAGEMAKER_TRAINING",
                "JobStateTimeLimitActions": [_time_limit()],
                "Priority": 10,
                "SchedulingPolicyArn": {"Fn::GetAtt": [f"{id}Policy", "Arn"]},
                "ServiceEnvironmentOrder": [_order(f"{id}Environment")],
                "State": "ENABLED",
                "Tags": {"team": "research", "cost-centre": "4711"},
                **(queue or {}),
            },
        ),
        **{f"{id}Share{place}": resource for place, resource in enumerate(shares)},
    }


def _share(id: str, name: str, queue: Any) -> Any:
    return _resource(
        id,
        "QuotaShare",
        {
            "CapacityLimits": [
                {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 4},
                {"CapacityUnit": "ml.g6.12xlarge", "MaxCapacity": 8},
            ],
            "JobQueue": queue,
            "PreemptionConfiguration": {"InSharePreemption": "DISABLED"},
            "QuotaShareName": name,
            "ResourceSharingConfiguration": {"BorrowLimit": 50, "Strategy": "LEND_AND_BORROW"},
            "State": "ENABLED",
        },
    )


def _fifo(blocks: int, queues_each: int) -> Template:
    resources: Resources = {}
    environment = ""
    for number in range(RESOURCES_IN_BLOCK * blocks):
        if number % (queues_each + 1) == 0:
            environment = f"Environment{number}"
            resources[environment] = _resource(
                environment,
                "ServiceEnvironment",
                {
                    "CapacityLimits": [{"CapacityUnit": "NUM_INSTANCES", "MaxCapacity": 40}],
                    "ServiceEnvironmentType": "SAGEMAKER_TRAINING",
                },
            )
        else:
            properties = {
                "JobQueueType": "SAGEMAKER_TRAINING",
                "Priority": number % 1000,
                "ServiceEnvironmentOrder": [_order(environment)],
            }
            resources[f"Queue{number}"] = _resource(f"Queue{number}", "JobQueue", properties)
    return _template(resources)


def _lend(resources: Resources, share: str) -> None:
    resources[share]["Properties"]["ResourceSharingConfiguration"] = {"Strategy": "LEND"}


def _make_conditional(resources: Resources, number: int, large: str, small: str) -> None:
    environment = resources[f"Queue{number}Environment"]["Properties"]
    limit = environment["CapacityLimits"][0]
    limit["MaxCapacity"] = {"Fn::If": [large, 16, limit["MaxCapacity"]]}
    share = resources[f"Queue{number}Share0"]["Properties"]
    share["State"] = {"Fn::If": [small, "ENABLED", {"Ref": "AWS::NoValue"}]}
    _lend(resources, f"Queue{number}Share0")
    resources[f"Queue{number}Share1"]["Condition"] = large


def _stack_with_exports(first: int, end: int, by_sub: bool) -> Template:
    template = _template(_joined(_queue(number) for number in range(first, end)))
    resources = template["Resources"]
    for number in range(first, end):
        for limit in resources[f"Queue{number}Environment"]["Properties"]["CapacityLimits"]:
            limit["MaxCapacity"] *= 2
        for share in range(2):
            _lend(resources, f"Queue{number}Share{share}")
    template["Outputs"] = {
        f"Export{number}": {
            "Value": {"Fn::GetAtt": [f"Queue{number}", "JobQueueArn"]},
            "Export": {"Name": _export(first // BLOCKS_OF_STACK, number - first, by_sub)},
        }
        for number in range(first, end)
    }
    return template


def _export(stack: int, place: int, by_sub: bool) -> Any:
    if by_sub:
        return {"Fn::Sub": f"${{AWS::StackName}}-Queue{place}"}
    return f"Stack{stack}:ExportsOutputFnGetAttQueue{place}JobQueueArn"


def _import_from(template: Template, stack: int, by_sub: bool) -> None:
    """Makes the second share of each queue one of a queue of another stack."""
    template["Parameters"]["Base"] = {"Type": "String", "Default": f"Stack{stack}"}
    shares = [id for id in template["Resources"] if id.endswith("Share1")]
    for place, id in enumerate(shares):
        name = {"Fn::Sub": f"${{Base}}-Queue{place}"} if by_sub else _export(stack, place, False)
        properties = template["Resources"][id]["Properties"]
        properties["JobQueue"] = {"Fn::ImportValue": name}
        properties["QuotaShareName"] = "guests"


def _artifact(name: str, template: Template) -> Any:
    logical_ids = {
        "/" + resource["Metadata"]["aws:cdk:path"].replace("Stack/", f"{name}/", 1): [
            {"type": "aws:cdk:logicalId", "data": id}
        ]
        for id, resource in template["Resources"].items()
    }
    return {
        "type": "aws:cloudformation:stack",
        "environment": "aws://111122223333/us-east-1",
        "properties": {"templateFile": f"{name}.template.json", "stackName": name},
        "metadata": logical_ids,
        "displayName": name,
    }


def _template(resources: Resources) -> Template:
    return {
        "Resources": resources,
        "Parameters": {
            "BootstrapVersion": {
                "Type": "AWS::SSM::Parameter::Value<String>",
                "Default": "/cdk-bootstrap/hnb659fds/version",
                "Description": "Version of the CDK Bootstrap resources in this environment, "
                "automatically retrieved from SSM Parameter Store. [cdk:skip]",
            }
        },
    }


def _resource(id: str, type: str, properties: Resources) -> Any:
    return {"Type": f"{_BATCH}{type}", "Properties": properties, "Metadata": _metadata(id)}


def _metadata(id: str) -> Resources:
    return {"aws:cdk:path": f"Stack/{id}/Resource"}


def _order(environment: str) -> Resources:
    arn = {"Fn::GetAtt": [environment, "ServiceEnvironmentArn"]}
    return {"Order": 1, "ServiceEnvironment": arn}


def _id_in(order: Mapping[str, Any]) -> str:
    return str(order["ServiceEnvironment"]["Fn::GetAtt"][0])


def _time_limit() -> Resources:
    return {
        "Action": "TERMINATE",
        "MaxTimeSeconds": 3600,
        "Reason": "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED",
        "State": "RUNNABLE",
    }


def _one_of(type: str, *values: Any) -> Resources:
    return {"Type": type, "Default": values[0], "AllowedValues": list(values)}


def _joined(parts: Iterable[Resources]) -> Resources:
    return {id: resource for part in parts for id, resource in part.items()}
