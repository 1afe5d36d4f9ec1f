"""What the library costs: calls to Node, and what an import loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from aws_cdk import App, Stack

import qm_constructs
from qm_constructs import QuotaManagedTrainingQueue, ResourceSharing

PURE = sorted(
    ".".join(path.relative_to(Path(qm_constructs.__file__).parents[1]).with_suffix("").parts)
    for path in Path(qm_constructs.__file__).parent.rglob("*.py")
    if "constructs" not in path.relative_to(Path(qm_constructs.__file__).parent).parts
    and path.stem not in ("checks", "cfn_lint", "__main__")
)


def four_shares(stack: Stack, each: int) -> None:
    queue = QuotaManagedTrainingQueue(
        stack, "Queue", capacity_limits={"ml.p5.48xlarge": 16, "ml.g6.12xlarge": 32}, priority=10
    )
    for name in ("a", "b", "c", "d"):
        queue.add_quota_share(
            name,
            capacity_limits={"ml.p5.48xlarge": each, "ml.g6.12xlarge": 8},
            resource_sharing=ResourceSharing.lend(),
            in_share_preemption=True,
        )


def test_a_sound_queue_of_four_shares_costs_16_calls(stack: Stack, calls: list[str]) -> None:
    """Seven resources, seven constructs around them, two references."""
    calls.clear()
    four_shares(stack, 4)
    assert len(calls) == 16


def test_one_with_something_odd_about_it_costs_19(stack: Stack, calls: list[str]) -> None:
    """Three more, for the validation that warns at the synth."""
    calls.clear()
    four_shares(stack, 5)
    assert len(calls) == 19


def test_a_synth_of_sound_queues_costs_no_calls_more(
    app: App, stack: Stack, calls: list[str]
) -> None:
    QuotaManagedTrainingQueue(stack, "Queue", capacity_limits={"ml.p5.48xlarge": 16})
    calls.clear()
    app.synth()
    assert [call.partition(" ")[0] for call in calls] == ["invoke"]


def modules_after(code: str) -> set[str]:
    """Returns the modules that a fresh Python has loaded after running code."""
    script = f"{code}\nimport sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.split())


def test_the_package_alone_loads_neither_cdk_nor_node() -> None:
    modules = modules_after("import qm_constructs; dir(qm_constructs)")
    assert not modules & {"aws_cdk", "jsii", "constructs", "subprocess"}


def test_the_pure_half_loads_neither_cdk_nor_node() -> None:
    assert "qm_constructs.rules.quota_share" in PURE
    modules = modules_after(f"import {', '.join(PURE)}")
    assert not modules & {"aws_cdk", "jsii", "constructs"}


@pytest.mark.parametrize(
    "name", ["QuotaManagementError", "ResourceSharing", "TrainingInstanceType", "Fault"]
)
def test_a_pure_name_loads_neither_cdk_nor_node(name: str) -> None:
    assert "aws_cdk" not in modules_after(f"from qm_constructs import {name}")


def test_every_public_name_is_there() -> None:
    for name in qm_constructs.__all__:
        assert getattr(qm_constructs, name).__name__ == name
    assert set(qm_constructs.__all__) <= set(dir(qm_constructs))
    with pytest.raises(AttributeError, match="no attribute 'Queue'"):
        _ = qm_constructs.Queue
