"""The policy of docs/deploying.md is what CloudFormation's handlers of the four types need."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from qm_constructs.plan import JOB_QUEUE, QUOTA_SHARE, SCHEDULING_POLICY, SERVICE_ENVIRONMENT

DOC = (Path(__file__).parents[1] / "docs" / "deploying.md").read_text()
TYPES = (SCHEDULING_POLICY, SERVICE_ENVIRONMENT, JOB_QUEUE, QUOTA_SHARE)


def statements() -> list[dict[str, Any]]:
    """Returns the statements of the policy."""
    block = re.search(r"^```json\n(.*?)^```$", DOC, re.MULTILINE | re.DOTALL)
    assert block is not None
    found: list[dict[str, Any]] = json.loads(block[1])["Statement"]
    return found


@pytest.mark.lint  # the schemas are those of the locked version
def test_it_allows_what_the_handlers_need_and_no_more() -> None:
    from cfnlint.schema import PROVIDER_SCHEMA_MANAGER

    needed = {
        action.lower()
        for type in TYPES
        for handler in PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", type)
        .schema["handlers"]
        .values()
        for action in handler["permissions"]
    }
    of_batch, of_iam = statements()
    allowed = [*of_batch["Action"], of_iam["Action"]]
    assert sorted(action.lower() for action in allowed) == sorted(needed)


def test_the_service_linked_role_may_be_made_for_aws_batch_alone() -> None:
    assert statements()[1]["Condition"]["StringEquals"] == {
        "iam:AWSServiceName": "sagemaker-queuing.batch.amazonaws.com"
    }
