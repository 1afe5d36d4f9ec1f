"""What a queue and its shares become, and how other code refers to them."""

from __future__ import annotations

from typing import Any

import jsii
import pytest
from aws_cdk import (
    App,
    CfnOutput,
    Fn,
    IStableStringProducer,
    Lazy,
    RemovalPolicy,
    Stack,
    Tags,
)
from aws_cdk.aws_batch import (
    CfnJobQueue,
    CfnQuotaShare,
    CfnSchedulingPolicy,
    CfnServiceEnvironment,
)

from qm_constructs import (
    JobStateTimeLimits,
    QuotaManagedTrainingQueue,
    QuotaShare,
    QuotaShareOptions,
    QuotaShareSchedulingPolicy,
    ResourceSharing,
    ServiceEnvironment,
    TrainingInstanceType,
)
from tests.conftest import resources
from tests.scenarios import a_stack, arn

LIMITS = {"ml.p5.48xlarge": 16}
TYPES = ("SchedulingPolicy", "ServiceEnvironment", "JobQueue", "QuotaShare")


@jsii.implements(IStableStringProducer)
class _Key:
    def produce(self) -> str:
        return "produced"


def a_queue(stack: Stack, **kwargs: Any) -> QuotaManagedTrainingQueue:
    return QuotaManagedTrainingQueue(stack, "Queue", **{"capacity_limits": LIMITS, **kwargs})


def only(stack: Stack, type: str) -> dict[str, Any]:
    """Returns the properties of the one resource of a type."""
    (resource,) = resources(stack, type).values()
    properties: dict[str, Any] = resource["Properties"]
    return properties


def resolved(stack: Stack, value: object) -> Any:
    return stack.resolve(value)


class TestWhatIsRendered:
    def test_the_defaults_and_nothing_else(self, stack: Stack) -> None:
        a_queue(stack).add_quota_share("team", capacity_limits={"ml.p5.48xlarge": 4})
        assert only(stack, "SchedulingPolicy") == {
            "QuotaSharePolicy": {"IdleResourceAssignmentStrategy": "FIFO"}
        }
        assert only(stack, "ServiceEnvironment") == {
            "CapacityLimits": [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 16}],
            "ServiceEnvironmentType": "SAGEMAKER_TRAINING",
            "State": "ENABLED",
        }
        queue = only(stack, "JobQueue")
        assert set(queue) == {
            "JobQueueType",
            "JobStateTimeLimitActions",
            "Priority",
            "SchedulingPolicyArn",
            "ServiceEnvironmentOrder",
            "State",
        }
        assert (queue["JobQueueType"], queue["Priority"]) == ("SAGEMAKER_TRAINING", 1)
        (share,) = resources(stack, "QuotaShare").values()
        (queue_id,) = resources(stack, "JobQueue")
        assert share["Properties"] == {
            "CapacityLimits": [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 4}],
            "JobQueue": {"Ref": queue_id},
            "PreemptionConfiguration": {"InSharePreemption": "DISABLED"},
            "QuotaShareName": "team",
            "ResourceSharingConfiguration": {"Strategy": "LEND"},
            "State": "ENABLED",
        }

    def test_the_two_misconfigurations_end_a_job_after_an_hour_by_default(
        self, stack: Stack
    ) -> None:
        a_queue(stack)
        assert only(stack, "JobQueue")["JobStateTimeLimitActions"] == [
            {
                "Action": "TERMINATE",
                "MaxTimeSeconds": 3600,
                "Reason": f"MISCONFIGURATION:{reason}",
                "State": "RUNNABLE",
            }
            for reason in ("SERVICE_ENVIRONMENT_MAX_RESOURCE", "QUOTA_MANAGEMENT_LIMIT_EXCEEDED")
        ]

    def test_no_time_limits_are_no_property(self, stack: Stack) -> None:
        a_queue(stack, job_state_time_limits=JobStateTimeLimits.none())
        assert "JobStateTimeLimitActions" not in only(stack, "JobQueue")

    def test_one_time_limit_off_leaves_the_other_at_its_default(self, stack: Stack) -> None:
        limits = JobStateTimeLimits(service_environment_max_resource=None)
        a_queue(stack, job_state_time_limits=limits)
        (action,) = only(stack, "JobQueue")["JobStateTimeLimitActions"]
        assert action["Reason"] == "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED"

    @pytest.mark.parametrize(
        ("sharing", "rendered"),
        [
            (ResourceSharing.reserve(), {"Strategy": "RESERVE"}),
            (ResourceSharing.lend(), {"Strategy": "LEND"}),
            (
                ResourceSharing.lend_and_borrow(),
                {"Strategy": "LEND_AND_BORROW", "BorrowLimit": -1},
            ),
            (
                ResourceSharing.lend_and_borrow(-1),
                {"Strategy": "LEND_AND_BORROW", "BorrowLimit": -1},
            ),
            (
                ResourceSharing.lend_and_borrow(borrow_limit=200),
                {"Strategy": "LEND_AND_BORROW", "BorrowLimit": 200},
            ),
        ],
    )
    def test_resource_sharing(
        self, stack: Stack, sharing: ResourceSharing, rendered: dict[str, Any]
    ) -> None:
        a_queue(stack).add_quota_share("team", capacity_limits=LIMITS, resource_sharing=sharing)
        assert only(stack, "QuotaShare")["ResourceSharingConfiguration"] == rendered

    def test_disabled_and_preempting(self, stack: Stack) -> None:
        queue = a_queue(stack, enabled=False)
        queue.add_quota_share(
            "team", capacity_limits=LIMITS, in_share_preemption=True, enabled=False
        )
        assert only(stack, "JobQueue")["State"] == "DISABLED"
        assert only(stack, "ServiceEnvironment")["State"] == "ENABLED"
        share = only(stack, "QuotaShare")
        assert share["State"] == "DISABLED"
        assert share["PreemptionConfiguration"] == {"InSharePreemption": "ENABLED"}

    def test_an_environment_alone_can_be_disabled(self, stack: Stack) -> None:
        ServiceEnvironment(stack, "Environment", capacity_limits=LIMITS, enabled=False)
        assert only(stack, "ServiceEnvironment")["State"] == "DISABLED"

    def test_physical_names_only_where_given(self, stack: Stack) -> None:
        a_queue(
            stack,
            job_queue_name="queue",
            service_environment_name="environment",
            scheduling_policy_name="policy",
        )
        assert only(stack, "JobQueue")["JobQueueName"] == "queue"
        assert only(stack, "ServiceEnvironment")["ServiceEnvironmentName"] == "environment"
        assert only(stack, "SchedulingPolicy")["Name"] == "policy"

    def test_constants_are_keys_like_strings(self, stack: Stack) -> None:
        a_queue(stack, capacity_limits={TrainingInstanceType.P6_B200_48XLARGE: 2})
        assert only(stack, "ServiceEnvironment")["CapacityLimits"] == [
            {"CapacityUnit": "ml.p6-b200.48xlarge", "MaxCapacity": 2}
        ]

    def test_a_generator_of_options_is_read_once(self, stack: Stack) -> None:
        names = ("a", "b")
        a_queue(stack, quota_shares=(QuotaShareOptions(n, capacity_limits=LIMITS) for n in names))
        shares = resources(stack, "QuotaShare").values()
        assert [share["Properties"]["QuotaShareName"] for share in shares] == ["a", "b"]

    def test_numbers_of_other_libraries_count(self, stack: Stack) -> None:
        class Count:
            def __index__(self) -> int:
                return 3

        a_queue(stack, capacity_limits={"ml.p5.48xlarge": Count()})
        (limit,) = only(stack, "ServiceEnvironment")["CapacityLimits"]
        assert limit["MaxCapacity"] == 3


class TestTags:
    def test_reach_all_four_types_once(self, stack: Stack) -> None:
        queue = a_queue(stack, tags={"given": "queue"})
        queue.add_quota_share("team", capacity_limits=LIMITS, tags={"share": "own"})
        Tags.of(stack).add("walked", "yes")
        for type in TYPES:
            expected = {"given": "queue", "walked": "yes"}
            if type == "QuotaShare":
                expected["share"] = "own"
            assert only(stack, type)["Tags"] == expected

    def test_a_share_s_own_tag_wins(self, stack: Stack) -> None:
        options = QuotaShareOptions("team", capacity_limits=LIMITS, tags={"owner": "team"})
        a_queue(stack, tags={"owner": "platform"}, quota_shares=[options])
        assert only(stack, "QuotaShare")["Tags"] == {"owner": "team"}

    def test_a_key_may_be_a_token_that_gives_text(self, stack: Stack) -> None:
        key = Lazy.string(_Key())
        a_queue(stack, tags={key: "x"})
        assert only(stack, "JobQueue")["Tags"] == {"produced": "x"}

    def test_no_tags_are_no_property(self, stack: Stack) -> None:
        a_queue(stack, tags={})
        assert not any("Tags" in body["Properties"] for body in resources(stack).values())


class TestRemovalPolicy:
    def policies(self, stack: Stack) -> dict[str, Any]:
        return {
            body["Type"].rpartition(":")[2]: body.get("DeletionPolicy")
            for body in resources(stack).values()
        }

    def test_none_by_default(self, stack: Stack) -> None:
        a_queue(stack).add_quota_share("team", capacity_limits=LIMITS)
        assert set(self.policies(stack).values()) == {None}

    def test_of_the_queue_reaches_all_that_it_makes(self, stack: Stack) -> None:
        queue = a_queue(stack, removal_policy=RemovalPolicy.RETAIN)
        queue.add_quota_share("team", capacity_limits=LIMITS)
        assert self.policies(stack) == dict.fromkeys(TYPES, "Retain")

    def test_of_the_queue_reaches_the_shares_made_with_it(self, stack: Stack) -> None:
        shares = [
            QuotaShareOptions("a", capacity_limits=LIMITS),
            QuotaShareOptions("b", capacity_limits=LIMITS, removal_policy=RemovalPolicy.DESTROY),
        ]
        a_queue(stack, removal_policy=RemovalPolicy.RETAIN, quota_shares=shares)
        policies = [body["DeletionPolicy"] for body in resources(stack, "QuotaShare").values()]
        assert policies == ["Retain", "Delete"]

    def test_of_a_share_is_its_own(self, stack: Stack) -> None:
        queue = a_queue(stack, removal_policy=RemovalPolicy.RETAIN)
        queue.add_quota_share("team", capacity_limits=LIMITS, removal_policy=RemovalPolicy.DESTROY)
        assert self.policies(stack)["QuotaShare"] == "Delete"

    def test_of_the_queue_leaves_what_was_given_alone(self, stack: Stack) -> None:
        environment = ServiceEnvironment(stack, "Environment", capacity_limits=LIMITS)
        QuotaManagedTrainingQueue(
            stack,
            "Queue",
            service_environment=environment,
            removal_policy=RemovalPolicy.RETAIN,
        )
        policies = self.policies(stack)
        assert policies["ServiceEnvironment"] is None
        assert policies["JobQueue"] == "Retain"


class TestLogicalIds:
    def test_order_of_code_shares_and_limits_changes_nothing(self) -> None:
        def template(order: int) -> dict[str, Any]:
            app = App()
            stack = a_stack(app)
            limits = [("ml.p5.48xlarge", 16), ("ml.g5.xlarge", 4), ("ml.m5.large", 8)]
            queue = a_queue(stack, capacity_limits=dict(limits[::order]))
            for name in ("research", "product", "ops")[::order]:
                queue.add_quota_share(name, capacity_limits=dict(limits[::order]))
            return resources(stack)

        assert template(1) == template(-1)

    def test_names_never_collide(self, stack: Stack) -> None:
        queue = a_queue(stack)
        names = ["Resource", "SchedulingPolicy", "ServiceEnvironment", "a-b", "a_b", "ab", "AB"]
        for name in names:
            queue.add_quota_share(name, capacity_limits={"ml.p5.48xlarge": 1})
        assert len(resources(stack, "QuotaShare")) == len(names)

    def ids(self, **kwargs: Any) -> dict[str, str]:
        stack = a_stack(App())
        a_queue(stack, **kwargs).add_quota_share("team", capacity_limits=LIMITS)
        return {body["Type"].rpartition(":")[2]: id for id, body in resources(stack).items()}

    def test_another_name_of_the_queue_makes_environment_and_policy_anew(self) -> None:
        one, other = self.ids(job_queue_name="one"), self.ids(job_queue_name="other")
        assert one["ServiceEnvironment"] != other["ServiceEnvironment"]
        assert one["SchedulingPolicy"] != other["SchedulingPolicy"]
        # These are replaced by their own names.
        assert (one["JobQueue"], one["QuotaShare"]) == (other["JobQueue"], other["QuotaShare"])

    def test_a_name_given_to_them_keeps_environment_and_policy(self) -> None:
        names = {"service_environment_name": "se", "scheduling_policy_name": "sp"}
        assert self.ids(job_queue_name="one", **names) == self.ids(job_queue_name="other", **names)
        assert self.ids(job_queue_name="one", **names) == self.ids(
            job_queue_name="one", **names | {"service_environment_name": "another"}
        )

    def test_a_token_as_name_adds_nothing(self) -> None:
        assert self.ids(job_queue_name=Fn.import_value("Name")) == self.ids()


class TestReferences:
    def test_what_a_queue_is_made_of(self, stack: Stack) -> None:
        queue = a_queue(stack)
        share = queue.add_quota_share("team", capacity_limits=LIMITS)
        assert isinstance(queue.node.default_child, CfnJobQueue)
        assert isinstance(queue.service_environment, ServiceEnvironment)
        assert isinstance(queue.service_environment.node.default_child, CfnServiceEnvironment)
        assert isinstance(queue.scheduling_policy, QuotaShareSchedulingPolicy)
        assert isinstance(queue.scheduling_policy.node.default_child, CfnSchedulingPolicy)
        assert isinstance(share.node.default_child, CfnQuotaShare)
        assert queue.quota_shares == (share,)
        assert share.capacity_limits == LIMITS
        assert queue.service_environment.capacity_limits == LIMITS

    def test_is_taken_wherever_cdk_asks_for_a_reference(self, stack: Stack) -> None:
        queue = a_queue(stack)
        share = queue.add_quota_share("team", capacity_limits=LIMITS)
        environment = queue.service_environment
        policy = queue.scheduling_policy
        (id,) = resources(stack, "JobQueue")
        assert resolved(stack, CfnJobQueue.arn_for_job_queue(queue)) == {"Ref": id}
        assert resolved(stack, CfnQuotaShare.arn_for_quota_share(share)) == resolved(
            stack, share.quota_share_arn
        )
        arn_for = CfnServiceEnvironment.arn_for_service_environment
        assert "Ref" in resolved(stack, arn_for(environment))
        assert "Ref" in resolved(stack, CfnSchedulingPolicy.arn_for_scheduling_policy(policy))

    @pytest.mark.parametrize("named", [False, True])
    def test_a_name_comes_from_the_arn_so_that_it_carries_the_dependency(
        self, stack: Stack, named: bool
    ) -> None:
        queue = a_queue(stack, **({"job_queue_name": "fixed"} if named else {}))
        share = queue.add_quota_share("team", capacity_limits=LIMITS)
        for name, type, place in (
            (queue.job_queue_name, "JobQueue", 1),
            (queue.service_environment.service_environment_name, "ServiceEnvironment", 1),  # type: ignore[attr-defined]
            (queue.scheduling_policy.scheduling_policy_name, "SchedulingPolicy", 1),  # type: ignore[attr-defined]
            (share.quota_share_name, "QuotaShare", 3),
        ):
            (id,) = resources(stack, type)
            expected = {"Fn::Select": [place, {"Fn::Split": ["/", {"Ref": id}]}]}
            assert resolved(stack, name) == expected

    def test_they_know_their_account_and_region(self, placed_stack: Stack) -> None:
        queue = a_queue(placed_stack)
        share = queue.add_quota_share("team", capacity_limits=LIMITS)
        imported = QuotaManagedTrainingQueue.from_job_queue_arn(
            placed_stack, "Elsewhere", "arn:aws:batch:eu-west-1:123456789012:job-queue/q"
        )
        for construct in (queue, share, queue.service_environment, queue.scheduling_policy):
            assert (construct.env.account, construct.env.region) == ("111122223333", "us-east-1")
        assert (imported.env.account, imported.env.region) == ("123456789012", "eu-west-1")

    def test_creation_and_deletion_are_in_order_by_references_alone(self, stack: Stack) -> None:
        queue = a_queue(stack)
        queue.add_quota_share("one", capacity_limits={"ml.p5.48xlarge": 1})
        QuotaShare(
            stack,
            "Two",
            job_queue=queue,
            quota_share_name="two",
            capacity_limits={"ml.p5.48xlarge": 1},
        )
        template = resources(stack)
        assert not any("DependsOn" in body for body in template.values())

        def needs(id: str) -> set[str]:
            found: set[str] = set()

            def walk(value: Any) -> None:
                if isinstance(value, dict):
                    if "Ref" in value:
                        found.add(value["Ref"])
                    if "Fn::GetAtt" in value:
                        found.add(value["Fn::GetAtt"][0])
                    for part in value.values():
                        walk(part)
                elif isinstance(value, list):
                    for part in value:
                        walk(part)

            walk(template[id]["Properties"])
            return found

        def ids(type: str) -> set[str]:
            return set(resources(stack, type))

        for share in ids("QuotaShare"):
            assert needs(share) == ids("JobQueue")
        for job_queue in ids("JobQueue"):
            assert needs(job_queue) == ids("ServiceEnvironment") | ids("SchedulingPolicy")
        for first in ids("ServiceEnvironment") | ids("SchedulingPolicy"):
            assert needs(first) == set()


class TestImports:
    def test_parts_of_an_arn(self, stack: Stack) -> None:
        queue = QuotaManagedTrainingQueue.from_job_queue_arn(stack, "Q", arn("job-queue/q"))
        share = QuotaShare.from_quota_share_arn(stack, "S", arn("job-queue/q/quota-share/team"))
        policy = QuotaShareSchedulingPolicy.from_scheduling_policy_arn(
            stack, "P", arn("scheduling-policy/p")
        )
        environment = ServiceEnvironment.from_service_environment_arn(
            stack, "E", arn("service-environment/e")
        )
        assert (queue.job_queue_name, share.quota_share_name) == ("q", "team")
        assert (policy.scheduling_policy_name, environment.service_environment_name) == ("p", "e")
        assert environment.capacity_limits is None
        assert share.quota_share_ref.quota_share_arn == arn("job-queue/q/quota-share/team")
        assert resources(stack) == {}

    def test_a_token_as_arn(self, stack: Stack) -> None:
        queue = QuotaManagedTrainingQueue.from_job_queue_arn(stack, "Q", Fn.import_value("Arn"))
        queue.add_quota_share("team", capacity_limits=LIMITS)
        CfnOutput(stack, "Name", value=queue.job_queue_name)
        assert only(stack, "QuotaShare")["JobQueue"] == {"Fn::ImportValue": "Arn"}

    def test_an_attribute_as_arn(self, stack: Stack) -> None:
        arn_of_it: Any = Fn.get_att("Elsewhere", "Arn")
        QuotaShare(stack, "S", job_queue=arn_of_it, quota_share_name="team", capacity_limits=LIMITS)
        assert only(stack, "QuotaShare")["JobQueue"] == {"Fn::GetAtt": ["Elsewhere", "Arn"]}

    def test_what_was_given_is_what_a_queue_tells(self, stack: Stack) -> None:
        environment = ServiceEnvironment.from_service_environment_arn(
            stack, "E", arn("service-environment/e")
        )
        policy = QuotaShareSchedulingPolicy(stack, "P")
        queue = QuotaManagedTrainingQueue(
            stack, "Q", service_environment=environment, scheduling_policy=policy
        )
        assert queue.service_environment is environment
        assert queue.scheduling_policy is policy
        by_arn = QuotaManagedTrainingQueue(
            stack, "Q2", service_environment=arn("service-environment/e2")
        )
        made_from = by_arn.service_environment.service_environment_ref
        assert made_from.service_environment_arn == arn("service-environment/e2")

    def test_a_share_in_another_stack(self, app: App) -> None:
        platform, team = a_stack(app, "Platform"), a_stack(app, "Team")
        queue = a_queue(platform)
        share = QuotaShare(
            team, "Share", job_queue=queue, quota_share_name="team", capacity_limits=LIMITS
        )
        assert queue.quota_shares == (share,)
        assert "Fn::ImportValue" in str(only(team, "QuotaShare")["JobQueue"])
