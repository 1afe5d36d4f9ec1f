"""What the findings say, word by word: a change of wording is seen in the snapshot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from qm_constructs.rules import RULES
from qm_constructs.rules._examples import LEFT_OUT, changed
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.report import Located
from qm_constructs.template.source import parse
from qm_constructs.template.stack import Stack

TEMPLATES = Path(__file__).parent / "templates"
FAULTY = sorted(path for folder in ("faulty", "human") for path in (TEMPLATES / folder).iterdir())


def said(found: list[Located]) -> str:
    return "\n".join(
        f"{one.line or ''} {one.rule.id} {one.resource} {'.'.join(map(str, one.path))} "
        f"{one.value}\n  {one.message}\n  -> {one.fix}"
        for one in found
    )


@pytest.mark.parametrize("id", RULES)
def test_of_each_rule(id: str, snapshot: SnapshotAssertion) -> None:
    assert said(judge_stacks([Stack(RULES[id].faulty, "t")])) == snapshot


@pytest.mark.parametrize("path", FAULTY, ids=[path.name for path in FAULTY])
def test_of_each_template(path: Path, snapshot: SnapshotAssertion) -> None:
    document = parse(path.read_bytes(), path.name)
    stack = Stack(document.template, path.name, line_of=document.line_of)
    assert said(judge_stacks([stack])) == snapshot


UNIT, LIMITS = "CapacityLimits.0.CapacityUnit", "CapacityLimits"
IMPORTED = {"Fn::ImportValue": "P"}
ACTION = {"Reason": "x", "State": "RUNNABLE", "MaxTimeSeconds": 600, "Action": "TERMINATE"}
ACTIONS, ORDER = "Queue.JobStateTimeLimitActions", "Queue.ServiceEnvironmentOrder"
SHARING = "Product.ResourceSharingConfiguration"
NO_SHARES = {"Research": LEFT_OUT, "Product": LEFT_OUT}
POLICY_ARN = "arn:aws:batch:us-west-2:111122223333:scheduling-policy/p"
OTHER_ACCOUNT = "arn:aws:batch:us-west-2:123456789012:service-environment/e"
QUEUE_ARN = "arn:aws:batch:us-west-2:111122223333:job-queue/q"

VARIANTS: dict[str, dict[str, Any]] = {
    "name-empty": {"Product.QuotaShareName": "", "Queue.JobQueueName": ""},
    "name-longest": {"Product.QuotaShareName": "x" * 128},
    "name-too-long": {"Product.QuotaShareName": "x" * 129},
    "name-partly-known-and-too-long": {
        "Product.QuotaShareName": {"Fn::Sub": "${AWS::StackName}" + "x" * 129}
    },
    "name-partly-known-and-wrong": {"Product.QuotaShareName": {"Fn::Sub": "${AWS::StackName} x"}},
    "name-with-spaces-around": {"Product.QuotaShareName": " two  words! "},
    "name-longest-and-wrong": {"Product.QuotaShareName": "x" * 127 + " "},
    "name-between-capitals": {"Product.QuotaShareName": "X team X!"},
    "name-of-nothing-right": {"Product.QuotaShareName": "!?"},
    "name-in-another-alphabet": {"Product.QuotaShareName": "équipe"},
    "limits-none": {f"Product.{LIMITS}": []},
    "limits-six": {
        f"Product.{LIMITS}": [
            {"CapacityUnit": f"ml.g5.{size}xlarge", "MaxCapacity": 1}
            for size in ("", 2, 4, 8, 12, 16)
        ],
        f"Environment.{LIMITS}": [{"CapacityUnit": IMPORTED, "MaxCapacity": 1}],
    },
    "limit-empty": {f"Environment.{LIMITS}": [{}]},
    "limit-without-unit": {f"Environment.{LIMITS}": [{"MaxCapacity": 1}]},
    "limit-of-a-share-empty": {f"Product.{LIMITS}": [{}]},
    "limit-not-whole": {f"Product.{LIMITS}.0.MaxCapacity": 1.5},
    "limit-negative": {f"Product.{LIMITS}.0.MaxCapacity": -1},
    "limit-true": {f"Product.{LIMITS}.0.MaxCapacity": True},
    "limit-in-words": {f"Product.{LIMITS}.0.MaxCapacity": "six"},
    "unit-without-prefix": {f"Product.{UNIT}": "p5.48xlarge"},
    "unit-in-capitals": {f"Product.{UNIT}": "ML.P5.48XLARGE"},
    "unit-misspelt": {f"Product.{UNIT}": "ml.p5.48xlarg"},
    "unit-listed-but-not-there": {f"Product.{UNIT}": "ml.p4d.24xlarge"},
    "unit-unlike-any": {f"Environment.{UNIT}": "GPU", f"Product.{UNIT}": "GPU"},
    "unit-of-numbers": {f"Environment.{UNIT}": "NUM_INSTANCES", f"Product.{UNIT}": "NUM_INSTANCES"},
    "unit-unlisted": {**NO_SHARES, f"Environment.{UNIT}": "ml.new.thing"},
    "unit-unlisted-but-close": {**NO_SHARES, f"Environment.{UNIT}": "ml.p5.48xlarge "},
    "unit-of-a-share-of-a-queue-elsewhere": {
        "Research": LEFT_OUT,
        "Product.JobQueue": QUEUE_ARN,
        f"Product.{UNIT}": "ml.p5.48xlargee",
    },
    "unit-twice": {f"Product.{LIMITS}": [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 3}] * 3},
    "strategy-missing": {f"{SHARING}": {}},
    "strategy-in-small-letters": {f"{SHARING}.Strategy": "lend_and_borrow"},
    "strategy-unlike-any": {f"{SHARING}.Strategy": "SHARE"},
    "borrow-limit-of-a-reserver": {
        f"{SHARING}": {"Strategy": "RESERVE", "BorrowLimit": 50},
        "Research.ResourceSharingConfiguration.Strategy": "LEND",
        "Research.ResourceSharingConfiguration.BorrowLimit": LEFT_OUT,
    },
    "borrow-limit-below-minus-one": {"Research.ResourceSharingConfiguration.BorrowLimit": -2},
    "borrow-limit-in-words": {"Research.ResourceSharingConfiguration.BorrowLimit": "50%"},
    "borrow-limit-too-small": {
        "Research.ResourceSharingConfiguration.BorrowLimit": 9,
        "Research.CapacityLimits.0.MaxCapacity": 10,
    },
    "preemption-missing": {"Product.PreemptionConfiguration": {}},
    "preemption-in-small-letters": {"Product.PreemptionConfiguration.InSharePreemption": "enabled"},
    "everything-required-missing": {
        "Policy": {"Type": "AWS::Batch::SchedulingPolicy"},
        "Environment": {"Type": "AWS::Batch::ServiceEnvironment", "Properties": {}},
        "Queue": {"Type": "AWS::Batch::JobQueue", "Properties": {}},
        "Product": {"Type": "AWS::Batch::QuotaShare", "Properties": {}},
    },
    "queue-type-missing": {"Queue.JobQueueType": LEFT_OUT},
    "queue-type-of-containers": {"Queue.JobQueueType": "ECS"},
    "queue-without-environment": {**NO_SHARES, ORDER: LEFT_OUT},
    "queue-with-no-environment": {**NO_SHARES, ORDER: []},
    "queue-with-both-environments": {"Queue.ComputeEnvironmentOrder": []},
    "queue-with-three-environments": {
        ORDER: [{"Order": n, "ServiceEnvironment": {"Ref": "Environment"}} for n in range(3)]
    },
    "queue-without-policy": {"Queue.SchedulingPolicyArn": LEFT_OUT},
    "queue-with-a-fair-share-policy": {
        "Policy.FairsharePolicy": {},
        "Policy.QuotaSharePolicy": LEFT_OUT,
    },
    "queue-with-any-policy": {"Policy.QuotaSharePolicy": LEFT_OUT},
    "policy-by-its-name": {"Queue.SchedulingPolicyArn": "policy"},
    "policy-by-another-arn": {"Queue.SchedulingPolicyArn": QUEUE_ARN},
    "policy-of-a-queue-of-containers": {
        **NO_SHARES,
        "Environment": LEFT_OUT,
        "Queue.JobQueueType": "ECS",
        ORDER: LEFT_OUT,
        "Queue.ComputeEnvironmentOrder": [{"Order": 1, "ComputeEnvironment": "c"}],
    },
    "policy-of-a-queue-with-compute-environments": {
        **NO_SHARES,
        "Environment": LEFT_OUT,
        "Queue.JobQueueType": LEFT_OUT,
        ORDER: LEFT_OUT,
        "Queue.ComputeEnvironmentOrder": [{"Order": 1, "ComputeEnvironment": "c"}],
    },
    "policy-of-both-kinds": {"Policy.FairsharePolicy": {}},
    "policy-without-strategy": {"Policy.QuotaSharePolicy": {}},
    "policy-with-another-strategy": {
        "Policy.QuotaSharePolicy.IdleResourceAssignmentStrategy": "LIFO"
    },
    "environment-empty-name": {f"{ORDER}.0.ServiceEnvironment": ""},
    "environment-by-another-arn": {f"{ORDER}.0.ServiceEnvironment": POLICY_ARN},
    "environment-in-another-account": {
        f"{ORDER}.0.ServiceEnvironment": OTHER_ACCOUNT,
        "Queue.SchedulingPolicyArn": POLICY_ARN,
    },
    "environment-order-in-words": {f"{ORDER}.0.Order": "first"},
    "environment-order-empty": {ORDER: [{}]},
    "priority-in-words": {"Queue.Priority": "high"},
    "priority-not-whole": {"Queue.Priority": 1.5},
    "queue-by-another-arn": {"Product.JobQueue": POLICY_ARN},
    "queue-by-no-name": {"Product.JobQueue": "my queue"},
    "reason-unlike-any": {ACTIONS: [ACTION]},
    "reason-almost": {ACTIONS: [{**ACTION, "Reason": "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT"}]},
    "reason-in-small-letters": {
        ACTIONS: [{**ACTION, "Reason": "capacity:insufficient_instance_capacity"}]
    },
    "reason-without-prefix": {ACTIONS: [{**ACTION, "Reason": "INSUFFICIENT_INSTANCE_CAPACITY"}]},
    "time-limit-empty": {ACTIONS: [{}]},
    "time-limit-too-short": {ACTIONS: [{**ACTION, "Reason": IMPORTED, "MaxTimeSeconds": 599}]},
    "time-limit-in-words": {ACTIONS: [{**ACTION, "Reason": IMPORTED, "MaxTimeSeconds": "10m"}]},
    "time-limit-three-times": {
        ACTIONS: [{**ACTION, "Reason": "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY"}] * 3
    },
    "tags-of-every-fault": {
        "Queue.Tags": {
            "": "empty",
            "x" * 129: "y" * 257,
            "AWS:team": "aws:research",
            "a#b!": "c\nd",
            "number": 3,
            "null": None,
            "list": [],
        }
    },
    "tags-too-many": {"Queue.Tags": {f"tag{number}": "" for number in range(52)}},
    "tags-as-a-list": {"Queue.Tags": [{"Key": "a", "Value": "b"}]},
    "tags-true": {"Queue.Tags": True},
    "property-in-snake-case": {"Queue.job_queue_type": "SAGEMAKER_TRAINING"},
    "property-in-kebab-case": {
        "Queue.job-queue-type": "SAGEMAKER_TRAINING",
        "Queue.JobQueueType": LEFT_OUT,
    },
    "property-misspelt": {
        "Queue.JobQueuType": "SAGEMAKER_TRAINING",
        "Queue.JobQueueType": LEFT_OUT,
    },
    "property-unlike-any": {"Product.Colour": "red", "Product.CapacityLimits.0.Colour": "red"},
    "map-for-a-list": {ORDER: {"Order": 1, "ServiceEnvironment": {"Ref": "Environment"}}},
    "list-for-text": {"Product.QuotaShareName": ["team"]},
    "list-of-two-for-text": {"Product.QuotaShareName": ["team", "other"]},
    "list-for-a-number": {"Queue.Priority": [1]},
    "map-for-text": {"Product.QuotaShareName": {"a": 1, "b": 2}},
    "text-for-a-map": {f"{SHARING}": "LEND"},
    "text-partly-known-for-a-list": {f"Product.{LIMITS}": {"Fn::Sub": "${AWS::StackName}x"}},
    "text-for-a-list": {f"Product.{LIMITS}": "ml.p5.48xlarge"},
    "text-in-a-list-of-maps": {f"Product.{LIMITS}": ["ml.p5.48xlarge"]},
    "list-for-a-map": {f"{SHARING}": [{"Strategy": "LEND"}]},
    "null-for-text": {"Product.QuotaShareName": None},
    "null-in-a-list": {f"Product.{LIMITS}": [None]},
    "shares-above-the-environment-together": {
        "Research.CapacityLimits.0.MaxCapacity": 16,
        "Product.CapacityLimits.0.MaxCapacity": 2,
    },
    "share-above-the-environment": {"Product.CapacityLimits.0.MaxCapacity": 20},
    "borrower-of-two-units": {
        f"Environment.{LIMITS}": [
            {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 16},
            {"CapacityUnit": "ml.g5.xlarge", "MaxCapacity": 9},
            {"CapacityUnit": "ml.g5.2xlarge", "MaxCapacity": 9},
        ],
        f"Research.{LIMITS}": [
            {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 10},
            {"CapacityUnit": "ml.g5.xlarge", "MaxCapacity": 9},
            {"CapacityUnit": "ml.g5.2xlarge", "MaxCapacity": 9},
        ],
    },
    "borrower-alone": {"Product": LEFT_OUT},
    "names-twice": {
        "Product.QuotaShareName": "research",
        "Policy.Name": "same",
        "Environment.ServiceEnvironmentName": "same",
        "Queue.JobQueueName": "same",
        "Policy2": {"Type": "AWS::Batch::SchedulingPolicy", "Properties": {"Name": "same"}},
        "Environment2": {
            "Type": "AWS::Batch::ServiceEnvironment",
            "Properties": {
                "ServiceEnvironmentType": "SAGEMAKER_TRAINING",
                "CapacityLimits": [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 1}],
                "ServiceEnvironmentName": "same",
            },
        },
        "Queue2": {
            "Type": "AWS::Batch::JobQueue",
            "Properties": {"JobQueueName": "same", "Priority": 1},
        },
    },
}


@pytest.mark.parametrize("name", VARIANTS)
def test_of_each_variant(name: str, snapshot: SnapshotAssertion) -> None:
    """What a message says depends on the value: missing, misspelt, too long, of another kind."""
    assert said(judge_stacks([Stack(changed(VARIANTS[name]), "t")])) == snapshot
