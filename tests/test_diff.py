"""What a change does to running and queued jobs: one row for each kind of change."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from qm_constructs.changes import Change, Effect, compare
from qm_constructs.template.sides import read_sides
from qm_constructs.template.stack import Stack

Template = dict[str, Any]
Hit = tuple[str, str, str | None, str | None, Any, Any]

P5, G5 = "ml.p5.48xlarge", "ml.g5.xlarge"
ENVIRONMENT_LIMIT = "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE"
SHARE_LIMIT = "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED"

ENDS, PREEMPTS, CANNOT = "terminates-jobs", "preempts-jobs", "cannot-deploy"
BLOCKS, SLOWS, SAFE = "blocks-submissions", "slows-jobs", "safe"


def share(name: str, most: int, strategy: str, queue: Any = None, **other: Any) -> Template:
    sharing = {"Strategy": strategy}
    if strategy == "LEND_AND_BORROW":
        sharing |= {"BorrowLimit": other.pop("BorrowLimit", 100)}
    properties = {
        "QuotaShareName": name,
        "JobQueue": queue or {"Ref": "Queue"},
        "CapacityLimits": [{"CapacityUnit": P5, "MaxCapacity": most}],
        "ResourceSharingConfiguration": sharing,
        "PreemptionConfiguration": {"InSharePreemption": "DISABLED"},
        **other,
    }
    return {"Type": "AWS::Batch::QuotaShare", "Properties": properties}


def time_limit(reason: str, seconds: int = 3600) -> Template:
    return {
        "Reason": reason,
        "State": "RUNNABLE",
        "MaxTimeSeconds": seconds,
        "Action": "TERMINATE",
    }


def policy(**properties: Any) -> Template:
    member = {"QuotaSharePolicy": {"IdleResourceAssignmentStrategy": "FIFO"}}
    return {"Type": "AWS::Batch::SchedulingPolicy", "Properties": properties or member}


def environment(**properties: Any) -> Template:
    return {
        "Type": "AWS::Batch::ServiceEnvironment",
        "Properties": {
            "ServiceEnvironmentType": "SAGEMAKER_TRAINING",
            "CapacityLimits": [
                {"CapacityUnit": P5, "MaxCapacity": 16},
                {"CapacityUnit": G5, "MaxCapacity": 8},
            ],
            **properties,
        },
    }


def job_queue(environment: Any = None, **properties: Any) -> Template:
    named = environment or {"Ref": "Environment"}
    return {
        "Type": "AWS::Batch::JobQueue",
        "Properties": {
            "JobQueueType": "SAGEMAKER_TRAINING",
            "Priority": 1,
            "SchedulingPolicyArn": {"Ref": "Policy"},
            "ServiceEnvironmentOrder": [{"Order": 1, "ServiceEnvironment": named}],
            **properties,
        },
    }


def base() -> Template:
    """A queue with a share that borrows, one that lends and one that reserves."""
    return {
        "Resources": {
            "Policy": policy(),
            "Environment": environment(),
            "Queue": job_queue(),
            "Borrower": share("borrower", 4, "LEND_AND_BORROW"),
            "Lender": share("lender", 4, "LEND"),
            "Reserver": share("reserver", 4, "RESERVE"),
        }
    }


def changed(*edits: tuple[str, Any], of: Template | None = None) -> Template:
    """Returns a template with other values at some places, ``Lender.State`` say; None removes."""
    template = copy.deepcopy(of or base())
    for place, value in edits:
        id, *steps = place.split(".")
        if not steps:
            if value is None:
                del template["Resources"][id]
            else:
                template["Resources"][id] = value
            continue
        node = template["Resources"][id]
        if steps[0] not in ("DeletionPolicy", "UpdateReplacePolicy", "Metadata", "Condition"):
            node = node["Properties"]
        *way, last = [int(step) if step.isdecimal() else step for step in steps]
        for step in way:
            node = node[step]
        if value is None:
            del node[last]
        else:
            node[last] = value
    return template


def changes(old: Template, new: Template) -> list[Change]:
    return compare(*read_sides([Stack(old, "old.json")], [Stack(new, "new.json")]))


def effects(found: list[Change]) -> list[tuple[str, str]]:
    return [(change.hit.effect.value, change.resource) for change in found]


def only(found: list[Change]) -> Change:
    assert len(found) == 1, effects(found)
    return found[0]


MOST = "CapacityLimits.0.MaxCapacity"
STRATEGY = "ResourceSharingConfiguration.Strategy"
SHARING = "ResourceSharingConfiguration"
BORROW = "ResourceSharingConfiguration.BorrowLimit"
ACTIONS = "JobStateTimeLimitActions"
TWO = [{"CapacityUnit": P5, "MaxCapacity": 4}, {"CapacityUnit": G5, "MaxCapacity": 2}]
FAIR = {"ShareDecaySeconds": 600}


def of_actions(*actions: Any) -> Template:
    return changed((f"Queue.{ACTIONS}", list(actions)))


with_two = changed(("Borrower.CapacityLimits", TWO))
disabled = changed(("Lender.State", "DISABLED"))
limited = of_actions(time_limit(SHARE_LIMIT))

# Old, new, and what that does: effect, resource, share, unit, before, after.
TABLE: dict[str, tuple[Template, Template, list[Hit]]] = {
    # -- the limits of a share
    "a borrower's limit lowered": (
        base(),
        changed((f"Borrower.{MOST}", 3)),
        [(PREEMPTS, "Borrower", "borrower", P5, 4, 3)],
    ),
    "a reserving share's limit lowered": (
        base(),
        changed((f"Reserver.{MOST}", 1)),
        [(PREEMPTS, "Reserver", "reserver", P5, 4, 1)],
    ),
    "a lender's limit lowered": (
        base(),
        changed((f"Lender.{MOST}", 3)),
        [
            (PREEMPTS, "Lender", "lender", P5, 4, 3),
            (PREEMPTS, "Lender", "borrower", P5, 4, 3),
        ],
    ),
    "a lender's limit lowered that nobody can borrow up to": (
        changed((f"Lender.{MOST}", 9)),
        changed((f"Lender.{MOST}", 4)),
        [(PREEMPTS, "Lender", "lender", P5, 9, 4)],
    ),
    "a share's limit raised": (
        base(),
        changed((f"Lender.{MOST}", 5)),
        [(SAFE, "Lender", "lender", P5, 4, 5)],
    ),
    "a share's unit added": (base(), with_two, [(SAFE, "Borrower", "borrower", G5, None, 2)]),
    "a share's unit removed": (
        with_two,
        base(),
        [(PREEMPTS, "Borrower", "borrower", G5, 2, None)],
    ),
    "a share's unit exchanged": (
        base(),
        changed(("Reserver.CapacityLimits.0.CapacityUnit", G5)),
        [
            (PREEMPTS, "Reserver", "reserver", P5, 4, None),
            (SAFE, "Reserver", "reserver", G5, None, 4),
        ],
    ),
    "a share's limits reordered": (
        with_two,
        changed(("Borrower.CapacityLimits", TWO[::-1])),
        [(SAFE, "Borrower", "borrower", None, None, None)],
    ),
    "a number written as text": (base(), changed((f"Lender.{MOST}", "4")), []),
    # -- lending and borrowing
    "a lender that reserves": (
        base(),
        changed((f"Lender.{STRATEGY}", "RESERVE")),
        [
            (PREEMPTS, "Lender", "borrower", P5, 4, 0),
            (SAFE, "Lender", "lender", None, "LEND", "RESERVE"),
        ],
    ),
    "a lender that borrows too": (
        base(),
        changed((f"Lender.{STRATEGY}", "LEND_AND_BORROW")),
        [(SAFE, "Lender", "lender", None, "LEND", "LEND_AND_BORROW")],
    ),
    "a reserver that lends": (
        base(),
        changed((f"Reserver.{STRATEGY}", "LEND")),
        [(SLOWS, "Reserver", "reserver", None, "RESERVE", "LEND")],
    ),
    "a reserver that lends, and nobody borrows": (
        changed(("Borrower", None)),
        changed(("Borrower", None), (f"Reserver.{STRATEGY}", "LEND")),
        [(SAFE, "Reserver", "reserver", None, "RESERVE", "LEND")],
    ),
    "a reserver that lends and borrows": (
        base(),
        changed((f"Reserver.{STRATEGY}", "LEND_AND_BORROW")),
        [(SLOWS, "Reserver", "reserver", None, "RESERVE", "LEND_AND_BORROW")],
    ),
    "a borrower that lends only": (
        base(),
        changed((f"Borrower.{SHARING}", {"Strategy": "LEND"})),
        [(SLOWS, "Borrower", "borrower", None, "LEND_AND_BORROW", "LEND")],
    ),
    "a borrower that reserves": (
        base(),
        changed((f"Borrower.{SHARING}", {"Strategy": "RESERVE"})),
        [(SLOWS, "Borrower", "borrower", None, "LEND_AND_BORROW", "RESERVE")],
    ),
    "a borrow limit lowered": (
        base(),
        changed((f"Borrower.{BORROW}", 50)),
        [(SLOWS, "Borrower", "borrower", None, 100, 50)],
    ),
    "a borrow limit raised": (
        base(),
        changed((f"Borrower.{BORROW}", 200)),
        [(SAFE, "Borrower", "borrower", None, 100, 200)],
    ),
    "a borrow limit removed": (
        base(),
        changed((f"Borrower.{BORROW}", None)),
        [(SAFE, "Borrower", "borrower", None, 100, None)],
    ),
    "a borrow limit added": (
        changed((f"Borrower.{BORROW}", None)),
        changed((f"Borrower.{BORROW}", 50)),
        [(SLOWS, "Borrower", "borrower", None, None, 50)],
    ),
    "a borrow limit from unlimited": (
        changed((f"Borrower.{BORROW}", -1)),
        changed((f"Borrower.{BORROW}", 75)),
        [(SLOWS, "Borrower", "borrower", None, -1, 75)],
    ),
    "a borrow limit lowered to what others lend": (
        changed((f"Borrower.{BORROW}", -1)),
        base(),
        [(SAFE, "Borrower", "borrower", None, -1, 100)],
    ),
    "a borrow limit lowered to what fits the environment": (
        changed((f"Environment.{MOST}", 6)),
        changed((f"Environment.{MOST}", 6), (f"Borrower.{BORROW}", 50)),
        [(SAFE, "Borrower", "borrower", None, 100, 50)],
    ),
    "a lender's limit lowered to what fits the environment": (
        changed((f"Environment.{MOST}", 6)),
        changed((f"Environment.{MOST}", 6), (f"Lender.{MOST}", 2)),
        [(PREEMPTS, "Lender", "lender", P5, 4, 2)],
    ),
    "a lender's limit lowered below what fits the environment": (
        changed((f"Environment.{MOST}", 6)),
        changed((f"Environment.{MOST}", 6), (f"Lender.{MOST}", 1)),
        [
            (PREEMPTS, "Lender", "lender", P5, 4, 1),
            (PREEMPTS, "Lender", "borrower", P5, 2, 1),
        ],
    ),
    "a borrow limit to unlimited": (
        base(),
        changed((f"Borrower.{BORROW}", -1)),
        [(SAFE, "Borrower", "borrower", None, 100, -1)],
    ),
    "unlimited written out": (
        changed((f"Borrower.{BORROW}", None)),
        changed((f"Borrower.{BORROW}", -1)),
        [(SAFE, "Borrower", "borrower", None, None, -1)],
    ),
    # -- preemption in the share, and states
    "in-share preemption enabled": (
        base(),
        changed(("Lender.PreemptionConfiguration.InSharePreemption", "ENABLED")),
        [(PREEMPTS, "Lender", "lender", None, "DISABLED", "ENABLED")],
    ),
    "in-share preemption disabled": (
        changed(("Lender.PreemptionConfiguration.InSharePreemption", "ENABLED")),
        base(),
        [(SLOWS, "Lender", "lender", None, "ENABLED", "DISABLED")],
    ),
    "a share disabled": (base(), disabled, [(BLOCKS, "Lender", "lender", None, None, "DISABLED")]),
    "a share enabled": (
        disabled,
        changed(("Lender.State", "ENABLED")),
        [(SAFE, "Lender", "lender", None, "DISABLED", "ENABLED")],
    ),
    "the state of a disabled share left out": (
        disabled,
        base(),
        [(SAFE, "Lender", "lender", None, "DISABLED", None)],
    ),
    "the default state written out": (
        base(),
        changed(("Lender.State", "ENABLED")),
        [(SAFE, "Lender", "lender", None, None, "ENABLED")],
    ),
    "a queue disabled": (
        base(),
        changed(("Queue.State", "DISABLED")),
        [(BLOCKS, "Queue", None, None, None, "DISABLED")],
    ),
    "an environment disabled": (
        base(),
        changed(("Environment.State", "DISABLED")),
        [(BLOCKS, "Environment", None, None, None, "DISABLED")],
    ),
    # -- the limits of an environment
    "an environment's limit lowered": (
        base(),
        changed((f"Environment.{MOST}", 8)),
        [(SLOWS, "Environment", None, P5, 16, 8)],
    ),
    "an environment's limit raised": (
        base(),
        changed((f"Environment.{MOST}", 32)),
        [(SAFE, "Environment", None, P5, 16, 32)],
    ),
    "an environment's unit removed": (
        base(),
        changed(("Environment.CapacityLimits.1", None)),
        [(SLOWS, "Environment", None, G5, 8, None)],
    ),
    "an environment's unit added": (
        changed(("Environment.CapacityLimits.1", None)),
        base(),
        [(SAFE, "Environment", None, G5, None, 8)],
    ),
    "an environment's limit lowered that one share holds": (
        with_two,
        changed(("Environment.CapacityLimits.1.MaxCapacity", 4), of=with_two),
        [(SLOWS, "Environment", "borrower", G5, 8, 4)],
    ),
    # -- job state time limits
    "a time limit added": (base(), limited, [(ENDS, "Queue", None, None, None, 3600)]),
    "a time limit removed": (limited, base(), [(SAFE, "Queue", None, None, 3600, None)]),
    "a time limit lowered": (
        limited,
        of_actions(time_limit(SHARE_LIMIT, 600)),
        [(ENDS, "Queue", None, None, 3600, 600)],
    ),
    "a time limit raised": (
        limited,
        of_actions(time_limit(SHARE_LIMIT, 7200)),
        [(SAFE, "Queue", None, None, 3600, 7200)],
    ),
    "time limits reordered": (
        of_actions(time_limit(SHARE_LIMIT), time_limit(ENVIRONMENT_LIMIT)),
        of_actions(time_limit(ENVIRONMENT_LIMIT), time_limit(SHARE_LIMIT)),
        [(SAFE, "Queue", None, None, None, None)],
    ),
    "a time limit for another reason": (
        limited,
        of_actions(time_limit(ENVIRONMENT_LIMIT)),
        [(ENDS, "Queue", None, None, None, 3600), (SAFE, "Queue", None, None, 3600, None)],
    ),
    # -- scheduling policies
    "a policy that becomes fair-share": (
        base(),
        changed(("Policy", policy(FairsharePolicy=FAIR))),
        [(CANNOT, "Policy", None, None, None, None)],
    ),
    "a policy that becomes quota-share": (
        changed(("Policy", policy(FairsharePolicy=FAIR))),
        base(),
        [(CANNOT, "Policy", None, None, None, None)],
    ),
    "a policy that loses its kind": (
        base(),
        changed(("Policy", policy(Tags={"a": "b"}))),
        [
            (CANNOT, "Policy", None, None, None, None),
            (SAFE, "Policy", None, None, None, None),
        ],
    ),
    "a policy removed from a queue": (
        base(),
        changed(("Queue.SchedulingPolicyArn", None)),
        [(CANNOT, "Queue", None, None, None, None)],
    ),
    "a policy given to a queue": (
        changed(("Queue.SchedulingPolicyArn", None)),
        base(),
        [(CANNOT, "Queue", None, None, None, None)],
    ),
    "a policy swapped for one of its kind": (
        base(),
        changed(("Other", policy()), ("Queue.SchedulingPolicyArn", {"Ref": "Other"})),
        [(SAFE, "Queue", None, None, None, None), (SAFE, "Other", None, None, None, None)],
    ),
    "a policy swapped for one of another kind": (
        changed(("Other", policy(FairsharePolicy=FAIR))),
        changed(
            ("Other", policy(FairsharePolicy=FAIR)),
            ("Queue.SchedulingPolicyArn", {"Ref": "Other"}),
        ),
        [(CANNOT, "Queue", None, None, None, None)],
    ),
    "a policy swapped for one that is not known": (
        base(),
        changed(("Queue.SchedulingPolicyArn", {"Fn::ImportValue": "Policy"})),
        [(CANNOT, "Queue", None, None, None, None)],
    ),
    "a policy renamed": (
        base(),
        changed(("Policy.Name", "other")),
        [(SAFE, "Policy", None, None, None, "other")],
    ),
    # -- names and replacement
    "a share renamed": (
        base(),
        changed(("Reserver.QuotaShareName", "other")),
        [(ENDS, "Reserver", "reserver", None, "reserver", "other")],
    ),
    "a share removed": (
        base(),
        changed(("Reserver", None)),
        [(ENDS, "Reserver", "reserver", None, None, None)],
    ),
    "a lender removed": (
        base(),
        changed(("Lender", None)),
        [
            (ENDS, "Lender", "lender", None, None, None),
            (PREEMPTS, "Lender", "borrower", P5, 4, 0),
        ],
    ),
    "a share moved to another logical id": (
        base(),
        changed(("Reserver", None), ("Moved", share("reserver", 4, "RESERVE"))),
        [(CANNOT, "Moved", "reserver", None, None, None)],
    ),
    "a share moved to another logical id with another name": (
        base(),
        changed(("Reserver", None), ("Moved", share("other", 4, "RESERVE"))),
        [
            (ENDS, "Reserver", "reserver", None, None, None),
            (SAFE, "Moved", "other", None, None, None),
        ],
    ),
    "two shares that exchange their names": (
        base(),
        changed(("Lender.QuotaShareName", "reserver"), ("Reserver.QuotaShareName", "lender")),
        [
            (CANNOT, "Lender", "reserver", None, None, None),
            (CANNOT, "Reserver", "lender", None, None, None),
        ],
    ),
    "an environment of another type that keeps its name": (
        changed(("Environment.ServiceEnvironmentName", "gpus")),
        changed(
            ("Environment.ServiceEnvironmentName", "gpus"),
            ("Environment.ServiceEnvironmentType", "OTHER"),
        ),
        [(CANNOT, "Environment", None, None, "SAGEMAKER_TRAINING", "OTHER")],
    ),
    "an environment renamed": (
        base(),
        changed(("Environment.ServiceEnvironmentName", "gpus")),
        [(SLOWS, "Environment", None, None, None, "gpus")],
    ),
    "a queue of another type that keeps its name": (
        changed(("Queue.JobQueueName", "gpus")),
        changed(("Queue.JobQueueName", "gpus"), ("Queue.JobQueueType", "ECS")),
        [(CANNOT, "Queue", None, None, None, None)],
    ),
    "a queue renamed while its environment stays": (
        base(),
        changed(("Queue.JobQueueName", "gpus")),
        [
            (ENDS, "Queue", None, None, None, "gpus"),
            (ENDS, "Borrower", "borrower", None, None, None),
            (ENDS, "Lender", "lender", None, None, None),
            (ENDS, "Reserver", "reserver", None, None, None),
            (CANNOT, "Queue", None, None, None, None),
        ],
    ),
    "a queue renamed together with its environment": (
        base(),
        changed(
            ("Queue.JobQueueName", "gpus"),
            ("Environment.ServiceEnvironmentName", "gpus"),
        ),
        [
            (ENDS, "Queue", None, None, None, "gpus"),
            (ENDS, "Borrower", "borrower", None, None, None),
            (ENDS, "Lender", "lender", None, None, None),
            (ENDS, "Reserver", "reserver", None, None, None),
            (SAFE, "Environment", None, None, None, "gpus"),
        ],
    ),
    "a queue of another logical id on the same environment": (
        {"Resources": {"Policy": policy(), "Environment": environment(), "Queue": job_queue()}},
        {"Resources": {"Policy": policy(), "Environment": environment(), "Other": job_queue()}},
        [(ENDS, "Queue", None, None, None, None), (CANNOT, "Other", None, None, None, None)],
    ),
    "another type of resource under the logical id": (
        base(),
        changed(("Reserver", {"Type": "AWS::SNS::Topic"})),
        [
            (
                CANNOT,
                "Reserver",
                "reserver",
                None,
                "AWS::Batch::QuotaShare",
                "AWS::SNS::Topic",
            )
        ],
    ),
    "another of the four types under the logical id": (
        base(),
        changed(("Reserver", policy())),
        [
            (
                CANNOT,
                "Reserver",
                "reserver",
                None,
                "AWS::Batch::QuotaShare",
                "AWS::Batch::SchedulingPolicy",
            )
        ],
    ),
    # -- what is made, and what is retained
    "a share added": (
        changed(("Reserver", None)),
        base(),
        [(SAFE, "Reserver", "reserver", None, None, None)],
    ),
    "a retained share removed": (
        changed(("Lender.DeletionPolicy", "Retain")),
        changed(("Lender", None)),
        [(SAFE, "Lender", "lender", None, None, None)],
    ),
    "a share removed that is retained except on create": (
        changed(("Lender.DeletionPolicy", "RetainExceptOnCreate")),
        changed(("Lender", None)),
        [(SAFE, "Lender", "lender", None, None, None)],
    ),
    "a retained share renamed": (
        changed(("Lender.DeletionPolicy", "Retain")),
        changed(("Lender.DeletionPolicy", "Retain"), ("Lender.QuotaShareName", "other")),
        [(ENDS, "Lender", "lender", None, "lender", "other")],
    ),
    "a share renamed that is retained when replaced": (
        changed(("Lender.UpdateReplacePolicy", "Retain")),
        changed(("Lender.UpdateReplacePolicy", "Retain"), ("Lender.QuotaShareName", "other")),
        [(SAFE, "Lender", "lender", None, "lender", "other")],
    ),
    "a share renamed that is retained only from now on": (
        base(),
        changed(("Lender.UpdateReplacePolicy", "Retain"), ("Lender.QuotaShareName", "other")),
        [
            (ENDS, "Lender", "lender", None, "lender", "other"),
            (SAFE, "Lender", "lender", None, None, "Retain"),
        ],
    ),
    "a deletion policy changed": (
        base(),
        changed(("Lender.DeletionPolicy", "Retain")),
        [(SAFE, "Lender", "lender", None, None, "Retain")],
    ),
    # -- what hurts nobody
    "tags": (
        base(),
        changed(("Lender.Tags", {"team": "a"})),
        [(SAFE, "Lender", "lender", None, None, None)],
    ),
    "the priority": (
        base(),
        changed(("Queue.Priority", 2)),
        [(SAFE, "Queue", None, None, 1, 2)],
    ),
    "metadata": (base(), changed(("Lender.Metadata", {"aws:cdk:path": "Other"})), []),
    "another resource": (base(), changed(("Topic", {"Type": "AWS::SNS::Topic"})), []),
    "a reference in another form": (
        base(),
        changed(("Lender.JobQueue", {"Fn::GetAtt": ["Queue", "JobQueueArn"]})),
        [],
    ),
}


def flat(change: Change) -> Hit:
    hit = change.hit
    return hit.effect.value, change.resource, hit.share, hit.unit, hit.before, hit.after


@pytest.mark.parametrize("name", TABLE)
def test_the_effect_of(name: str) -> None:
    old, new, expected = TABLE[name]
    found = changes(old, new)
    assert [flat(change) for change in found] == expected
    for change in found:
        assert change.hit.message.endswith(".")
        assert change.hit.advice == "" or change.hit.advice.endswith(".")
        assert change.hit.source.startswith("https://")


@pytest.mark.parametrize("name", TABLE)
def test_nothing_changes_between_a_template_and_itself(name: str) -> None:
    for template in TABLE[name][:2]:
        assert changes(template, copy.deepcopy(template)) == []


def test_the_worst_stands_first() -> None:
    ranks = [change.hit.effect.rank for name in TABLE for change in changes(*TABLE[name][:2])]
    assert set(ranks) == set(range(len(Effect)))
    for name in TABLE:
        ranks = [change.hit.effect.rank for change in changes(*TABLE[name][:2])]
        assert ranks == sorted(ranks)


# -- what is said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (limited, base(), "may stay in force"),
        (base(), changed((f"Borrower.{BORROW}", None)), "may leave alone what a template leaves"),
        (disabled, base(), "the state then stays as it was"),
        (base(), changed(("Queue.State", "DISABLED")), "'borrower', 'lender' and 'reserver'"),
        (
            limited,
            changed((f"Reserver.{MOST}", 1), of=limited),
            f"ended after 3600 s by the queue's time limit {SHARE_LIMIT}",
        ),
        (
            of_actions(time_limit(ENVIRONMENT_LIMIT)),
            changed((f"Environment.{MOST}", 8), of=of_actions(time_limit(ENVIRONMENT_LIMIT))),
            f"ended after 3600 s by the queue's time limit {ENVIRONMENT_LIMIT}",
        ),
        (base(), changed(("Reserver", {"Type": "AWS::SNS::Topic"})), "does not permit the update"),
        (base(), changed(("Lender", None)), "because 'lender' lends less"),
        (with_two, changed(("Borrower.CapacityLimits", TWO[::-1])), "in another order"),
    ],
)
def test_what_matters_is_said(old: Template, new: Template, said: str) -> None:
    assert any(said in change.hit.message for change in changes(old, new))


# -- what is not known


def parameters(*templates: Template, **given: Any) -> list[Template]:
    return [
        {**template, "Parameters": {name: dict(of) for name, of in given.items()}}
        for template in templates
    ]


SIZE = {"Ref": "Size"}
NUMBER = {"Type": "Number"}


def test_what_is_not_known_and_stays_is_no_change() -> None:
    (one,) = parameters(changed((f"Lender.{MOST}", SIZE)), Size=NUMBER)
    assert changes(one, copy.deepcopy(one)) == []


@pytest.mark.parametrize("way", [1, -1])
def test_what_is_not_known_and_changes_counts_as_what_it_could_be(way: int) -> None:
    pair = parameters(base(), changed((f"Reserver.{MOST}", SIZE)), Size=NUMBER)
    found = only(changes(*pair[::way]))
    assert found.hit.effect is Effect.PREEMPTS_JOBS
    assert "the templates do not tell" in found.hit.message


@pytest.mark.parametrize("way", [1, -1])
def test_what_a_lender_lends_and_nobody_knows_may_be_less(way: int) -> None:
    lends_three = changed((f"Lender.{MOST}", 3))
    pair = parameters(lends_three, changed((f"Lender.{MOST}", SIZE)), Size=NUMBER)
    own, borrowed = changes(*pair[::way])
    assert (own.hit.share, borrowed.hit.share) == ("lender", "borrower")
    assert borrowed.resource == "Lender"
    assert "may be able to borrow less" in borrowed.hit.message


def test_a_default_counts_as_the_value() -> None:
    template = changed((f"Reserver.{MOST}", SIZE))
    (old,) = parameters(template, Size={**NUMBER, "Default": 4})
    (new,) = parameters(template, Size={**NUMBER, "Default": 2})
    found = only(changes(old, new))
    assert (found.hit.before, found.hit.after) == (4, 2)
    assert "default of the parameter 'Size': a deploy that keeps" in found.hit.message


STAGE = {"Type": "String"}


def staged(then: Any, stage: Any = "prod", **edit: Any) -> Template:
    template = changed((f"Reserver.{MOST}", {"Fn::If": ["IsProd", then, 2]}))
    template["Conditions"] = {"IsProd": {"Fn::Equals": [{"Ref": "Stage"}, stage]}}
    (template,) = parameters(template, Stage={**STAGE, **edit})
    return template


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (staged(4), staged(4), []),
        (staged(4), staged(3), [PREEMPTS]),  # only where it is prod
        (staged(4), staged(4, "production"), [PREEMPTS]),
        (staged(4, Default="prod"), staged(3, Default="prod"), [PREEMPTS]),
        (staged(4, Default="test"), staged(3, Default="test"), []),
        (staged(4, Default="prod"), staged(5, Default="prod"), [SAFE]),
    ],
)
def test_a_condition_counts_as_its_default_has_it(
    old: Template, new: Template, expected: list[str]
) -> None:
    assert [change.hit.effect.value for change in changes(old, new)] == expected


def conditional(condition: str | None, default: str | None = None) -> Template:
    template = changed(("Reserver.Condition", condition)) if condition else base()
    template["Conditions"] = {
        "IsProd": {"Fn::Equals": [{"Ref": "Stage"}, "prod"]},
        "IsTest": {"Fn::Equals": [{"Ref": "Stage"}, "test"]},
    }
    (template,) = parameters(template, Stage=STAGE if default is None else {"Default": default})
    return template


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (conditional("IsProd"), conditional("IsProd"), []),
        (conditional(None), conditional("IsProd"), [ENDS]),
        (conditional("IsTest"), conditional("IsProd"), [ENDS]),
        (conditional("IsProd"), conditional(None), []),
        (conditional(None, "prod"), conditional("IsProd", "prod"), []),
        (conditional(None, "test"), conditional("IsProd", "test"), [ENDS]),
        (conditional("IsProd", "test"), conditional(None, "test"), [SAFE]),
    ],
)
def test_a_share_on_a_condition(old: Template, new: Template, expected: list[str]) -> None:
    assert [change.hit.effect.value for change in changes(old, new)] == expected


# -- several queues


def two_queues() -> Template:
    template = base()
    template["Resources"] |= {
        "OtherEnvironment": environment(),
        "Other": job_queue({"Ref": "OtherEnvironment"}),
    }
    return template


def test_a_share_moved_to_another_queue_is_made_anew() -> None:
    old = two_queues()
    found = changes(old, changed(("Lender.JobQueue", {"Ref": "Other"}), of=old))
    assert [flat(change) for change in found] == [
        (ENDS, "Lender", "lender", None, None, None),
        (PREEMPTS, "Lender", "borrower", P5, 4, 0),
    ]


def test_a_queue_cannot_take_over_the_environment_of_another() -> None:
    old = two_queues()
    new = changed(
        ("Third", job_queue({"Ref": "OtherEnvironment"})),
        ("Other.ServiceEnvironmentOrder.0.ServiceEnvironment", {"Ref": "Environment3"}),
        ("Environment3", environment()),
        of=old,
    )
    assert (CANNOT, "Third") in effects(changes(old, new))


def test_a_queue_named_by_its_name_and_then_by_its_arn_is_another_value() -> None:
    named = [("Queue.JobQueueName", "gpus"), ("Reserver.JobQueue", "gpus")]
    found = changes(changed(*named), changed(*named[:1]))
    assert effects(found) == [(CANNOT, "Reserver")]


def test_the_same_arn_put_together_otherwise_is_no_change() -> None:
    arn = "arn:${AWS::Partition}:batch:${AWS::Region}:${AWS::AccountId}:job-queue/gpus"
    named = ("Queue.JobQueueName", "gpus")
    found = changes(changed(named), changed(named, ("Reserver.JobQueue", {"Fn::Sub": arn})))
    assert effects(found) == [(SAFE, "Reserver")]


def test_lenders_that_lend_less_together_are_all_named() -> None:
    old = changed(("Fourth", share("fourth", 4, "LEND")))
    new = changed((f"Lender.{MOST}", 1), (f"Fourth.{MOST}", 2), of=old)
    (found,) = [one for one in changes(old, new) if one.hit.share == "borrower"]
    assert found.resource == "Lender"
    assert (found.hit.before, found.hit.after) == (4, 3)
    assert "because 'lender' and 'fourth' lend less" in found.hit.message


def test_what_a_new_lender_makes_up_for_hurts_no_borrower() -> None:
    new = changed((f"Lender.{MOST}", 1), ("Fourth", share("fourth", 3, "LEND")))
    assert [one.hit.share for one in changes(base(), new)] == ["lender", "fourth"]


def test_a_queue_that_is_not_of_quota_management_may_share_its_environment() -> None:
    fifo = job_queue()
    del fifo["Properties"]["SchedulingPolicyArn"]
    old = {"Resources": {"Environment": environment(), "One": fifo}}
    new = changed(("Two", copy.deepcopy(fifo)), of=old)
    assert effects(changes(old, new)) == [(SAFE, "Two")]


# -- what is retained, and what that one uses


def retained(*ids: str, of: Template | None = None) -> Template:
    return changed(*((f"{id}.DeletionPolicy", "Retain") for id in ids), of=of)


NOTHING: Template = {"Resources": {}}
SHARES = ("Borrower", "Lender", "Reserver")


@pytest.mark.parametrize(
    ("kept", "cannot"),
    [
        (("Queue",), ["Policy", "Environment"]),
        (("Queue", "Environment"), ["Policy"]),
        (("Queue", "Policy"), ["Environment"]),
        (("Queue", "Policy", "Environment"), []),
        ((), []),
    ],
)
def test_what_a_retained_queue_uses_cannot_be_deleted(
    kept: tuple[str, ...], cannot: list[str]
) -> None:
    found = changes(retained(*kept, *SHARES), NOTHING)
    assert [one.resource for one in found if one.hit.effect is Effect.CANNOT_DEPLOY] == cannot
    for one in found:
        if one.resource in cannot:
            assert "the queue 'Queue' is retained" in one.hit.message
            assert "Retain it too" in one.hit.advice


def test_the_queue_that_stands_in_the_way_may_be_retained() -> None:
    kept = changed(("Queue.UpdateReplacePolicy", "Retain"))
    new = changed(("Queue.JobQueueName", "gpus"), of=kept)
    (found,) = [one for one in changes(kept, new) if one.hit.effect is Effect.CANNOT_DEPLOY]
    assert "the old queue, which is retained, keeps" in found.hit.message
    assert "has not confirmed" not in found.hit.message


@pytest.mark.parametrize(("old_stays", "first"), [(False, "`cdk destroy A`"), (True, "Deploy 'A'")])
def test_a_fixed_name_in_another_stack_is_freed_first(old_stays: bool, first: str) -> None:
    named = changed(("Queue.JobQueueName", "gpus"))
    place = ("111122223333", "us-east-1")
    old = [Stack(named, "a.json", "A", *place)]
    new = [Stack(named, "b.json", "B", *place)]
    if old_stays:
        new.append(Stack(NOTHING, "a.json", "A", *place))
    found = compare(*read_sides(old, new))
    advice = {one.hit.advice for one in found if one.hit.effect is Effect.CANNOT_DEPLOY}
    assert advice
    assert all(one.startswith(f"{first} first, which ends the jobs") for one in advice)


# -- waiting jobs that fit no longer

BOTH = of_actions(time_limit(SHARE_LIMIT, 700), time_limit(ENVIRONMENT_LIMIT, 800))
SHRINKS: dict[str, tuple[tuple[str, Any], str]] = {
    "its own limit": ((f"Reserver.{MOST}", 1), "share"),
    "its own unit": (("Reserver.CapacityLimits.0.CapacityUnit", G5), "share"),
    "a borrow limit": ((f"Borrower.{BORROW}", 50), "share"),
    "LEND_AND_BORROW to LEND": ((f"Borrower.{SHARING}", {"Strategy": "LEND"}), "share"),
    "LEND_AND_BORROW to RESERVE": ((f"Borrower.{SHARING}", {"Strategy": "RESERVE"}), "share"),
    "a lender that reserves": ((f"Lender.{STRATEGY}", "RESERVE"), "share"),
    "a lender that goes": (("Lender", None), "share"),
    "an environment's limit": ((f"Environment.{MOST}", 8), "environment"),
    "an environment's unit": (("Environment.CapacityLimits.1", None), "environment"),
}


@pytest.mark.parametrize("name", SHRINKS)
def test_what_becomes_of_waiting_jobs_is_said_wherever_a_reach_shrinks(name: str) -> None:
    edit, whose = SHRINKS[name]
    seconds, limit = (700, SHARE_LIMIT) if whose == "share" else (800, ENVIRONMENT_LIMIT)
    ended = f"fits no longer is ended after {seconds} s by the queue's time limit {limit}."
    stuck = "fits no longer never runs: it waits in RUNNABLE until somebody terminates it, and "
    stuck += "blocks its share meanwhile."
    for old, said in ((BOTH, ended), (base(), stuck)):
        messages = [one.hit.message for one in changes(old, changed(edit, of=old))]
        assert any(said in message for message in messages)
        assert not any("waiting ones start later" in message for message in messages)


def test_a_time_limit_that_is_not_known_may_end_them() -> None:
    old = changed((f"Queue.{ACTIONS}", {"Ref": "Actions"}))
    (old,) = parameters(old, Actions={"Type": "CommaDelimitedList"})
    (found,) = changes(old, changed((f"Reserver.{MOST}", 1), of=old))
    assert f"unless the queue has a time limit {SHARE_LIMIT}" in found.hit.message


def test_no_advice_takes_out_a_time_limit_that_may_stay_in_force() -> None:
    (found,) = changes(BOTH, changed((f"Environment.{MOST}", 8), of=BOTH))
    assert found.hit.advice.startswith(f"Raise the time limit {ENVIRONMENT_LIMIT}")
    assert "Do not take it out" in found.hit.advice


@pytest.mark.parametrize(("most", "said"), [(8, None), (12, "hold 4 more than"), (5, None)])
def test_shares_that_hold_more_than_their_environment(most: int, said: str | None) -> None:
    (found,) = changes(base(), changed((f"Lender.{MOST}", most)))
    assert found.hit.effect is Effect.SAFE
    assert ("(XR-02)" in found.hit.message) == (said is not None)
    assert said is None or said in found.hit.message


# -- a queue that may be another one, and a share that goes with a default


@pytest.mark.parametrize("way", [1, -1])
def test_an_arn_whose_place_is_not_known_may_be_of_another_queue(way: int) -> None:
    arn = "arn:aws:batch:us-east-1:111122223333:job-queue/gpus"
    named = ("Queue.JobQueueName", "gpus")
    pair = [changed(named), changed(named, ("Reserver.JobQueue", arn))]
    found = only(changes(*pair[::way]))
    assert (found.hit.effect, found.resource) == (Effect.TERMINATES_JOBS, "Reserver")
    assert "may go to another queue, as a new share: the templates do not tell" in found.hit.message
    placed = [
        [Stack(template, "t.json", "One", "111122223333", "us-east-1")] for template in pair[::way]
    ]
    assert effects(compare(*read_sides(*placed))) == [(SAFE, "Reserver")]


def test_a_share_that_goes_with_a_default_says_so() -> None:
    old, new = conditional("IsProd", "prod"), conditional("IsProd", "test")
    found = only(changes(old, new))
    assert found.hit.effect is Effect.TERMINATES_JOBS
    said = "Whether it is there comes from the default of the parameter 'Stage'"
    assert said in found.hit.message
    kept = only(changes(old, conditional("IsTest", "prod")))
    assert said not in kept.hit.message


def test_a_number_is_the_same_as_its_text() -> None:
    as_number, as_text = (
        changed(("Queue.JobStateTimeLimitActions", [{**time_limit("X"), "MaxTimeSeconds": most}]))
        for most in (700.5, "700.5")
    )
    assert changes(as_number, as_text) == []


def test_a_limit_that_is_no_whole_number_is_the_same_as_its_text() -> None:
    for id in ("Environment", "Lender"):
        as_number, as_text = (changed((f"{id}.{MOST}", most)) for most in (3.5, "3.5"))
        assert changes(as_number, as_text) == []
        limits = [{"CapacityUnit": P5, "MaxCapacity": most} for most in (3, 4)]
        one, other = (changed((f"{id}.CapacityLimits", some)) for some in (limits, limits[::-1]))
        assert {change.hit.effect for change in changes(one, other)} <= {Effect.SAFE}


def test_what_else_is_in_the_preemption_of_a_share_preempts_nobody() -> None:
    one, other = (
        changed(("Lender.PreemptionConfiguration", {"InSharePreemption": "ENABLED", "More": more}))
        for more in (1, "2")
    )
    assert {change.hit.effect for change in changes(one, other)} == {Effect.CANNOT_DEPLOY}
    unknown = changed(("Lender.PreemptionConfiguration", {"Fn::ImportValue": "preemption"}))
    sound = changed(("Lender.PreemptionConfiguration", {"InSharePreemption": "ENABLED"}))
    for old, new in ((one, unknown), (unknown, sound)):
        assert only(changes(old, new)).hit.effect is Effect.PREEMPTS_JOBS
