"""What holds for every template, however it is written and whatever is wrong with it."""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest
import yaml
from aws_cdk import App, CfnParameter, Duration, Environment
from aws_cdk import Stack as CdkStack
from aws_cdk.aws_batch import CfnJobQueue, CfnQuotaShare, CfnSchedulingPolicy, CfnServiceEnvironment
from hypothesis import given
from hypothesis import strategies as st

from qm_constructs import (
    JobStateTimeLimits,
    QuotaManagedTrainingQueue,
    QuotaManagementError,
    QuotaShare,
    QuotaShareOptions,
    ResourceSharing,
)
from qm_constructs.plan import Path
from qm_constructs.rules import Severity
from qm_constructs.template._reading import MAX_DEPTH
from qm_constructs.template.assembly import read_assembly
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.report import Located
from qm_constructs.template.source import CannotRead, parse
from qm_constructs.template.stack import Stack
from tests.scenarios import a_stack
from tests.strategies import (
    ACCOUNT,
    REASONS,
    REGION,
    Parameter,
    QueueSpec,
    ShareSpec,
    Template,
    as_yaml,
    at,
    examples,
    places,
    plans,
    rewritten,
    templates,
    with_an_unknown,
)


# `make fuzz` asks for many examples, drawn anew each time.
def read(text: str, file: str = "t.json", **place: Any) -> Stack:
    document = parse(text.encode(), file)
    return Stack(document.template, file, line_of=document.line_of, **place)


def judged(template: Template) -> list[Located]:
    return judge_stacks([read(json.dumps(template))])


def keys(found: Sequence[Located]) -> set[tuple[str, str, Path]]:
    return {(finding.rule.id, finding.resource, finding.path) for finding in found}


def errors(found: Sequence[Located]) -> set[tuple[str, str, Path]]:
    return keys([one for one in found if one.rule.severity is Severity.ERROR])


def is_there(template: Template, path: Path) -> bool:
    try:
        at(template, path)
    except (LookupError, TypeError):
        return False
    return True


class _ShortForms(yaml.CSafeDumper):
    """Writes YAML as people do: ``!Sub`` for ``Fn::Sub``, and no anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        del data
        return True


def _written(dumper: Any, data: dict[str, Any]) -> Any:
    key, argument = next(iter(data.items()), ("", None))
    name = key.removeprefix("Fn::")
    is_function = key in {"Ref", "Condition"} or (key != name and name.isalpha() and name.isascii())
    if len(data) == 1 and is_function:
        tag = f"!{name}"
        if isinstance(argument, str):
            return dumper.represent_scalar(tag, argument)
        if isinstance(argument, list):
            return dumper.represent_sequence(tag, argument)
        if isinstance(argument, dict):
            return dumper.represent_mapping(tag, argument)
    return dumper.represent_mapping("tag:yaml.org,2002:map", data)


_ShortForms.add_representer(dict, _written)


def shuffled(node: Any, by: random.Random) -> Any:
    """Returns a part of a template with the keys of its maps in another order."""
    if isinstance(node, list):
        return [shuffled(item, by) for item in node]
    if not isinstance(node, dict):
        return node
    items = [(key, shuffled(value, by)) for key, value in node.items()]
    by.shuffle(items)
    return dict(items)


def is_template(template: Template) -> bool:
    """Tells whether a damaged template is still one, and not nested too deeply."""
    is_one = isinstance(template.get("Resources"), dict)
    return is_one and max(len(path) for path in places(template)) < MAX_DEPTH


damaged = templates(damages=4).filter(is_template)


class TestAnyTemplate:
    @examples(100)
    @given(damaged)
    def test_a_finding_has_a_place_and_whole_sentences(self, template: Template) -> None:
        for finding in judged(template):
            assert finding.resource in template["Resources"]
            assert is_there(template, finding.place[:-1])
            assert finding.message.endswith((".", "?"))
            assert finding.fix.endswith((".", "?"))

    @examples(60)
    @given(damaged)
    def test_json_and_yaml_are_one(self, template: Template) -> None:
        texts = {
            "t.json": json.dumps(template, indent=1, ensure_ascii=False),
            "t.yaml": as_yaml(template),
            "t.yml": as_yaml(template, _ShortForms),
        }
        found = {name: judge_stacks([read(text, name)]) for name, text in texts.items()}
        assert keys(found["t.json"]) == keys(found["t.yaml"]) == keys(found["t.yml"])
        for name, text in texts.items():
            lines = text.split("\n")
            for finding in found[name]:
                path = finding.place
                key = path[-1 if is_there(template, path) else -2]
                assert finding.line is not None
                # A function has another name in the short form, and an entry of a list has none.
                if isinstance(key, str) and not key.startswith("Fn::"):
                    assert key in lines[finding.line - 1]

    @examples(40)
    @given(damaged, st.integers(0, 1000))
    def test_the_order_of_keys_is_nothing(self, template: Template, seed: int) -> None:
        found, other = judged(template), shuffled(template, random.Random(seed))
        # Of two shares of one name it is the later one that is at fault.
        assert {one.rule for one in found} == {one.rule for one in judged(other)}
        other["Resources"] = {id: other["Resources"][id] for id in template["Resources"]}
        assert keys(found) == keys(judged(other))

    @examples(25)
    @given(st.lists(damaged, min_size=2, max_size=3), st.data())
    def test_several_are_judged_together(self, several: list[Template], data: Any) -> None:
        sites: list[dict[str, Any]] = [
            {"name": "First", "account": ACCOUNT, "region": REGION},
            {"name": "Second", "account": ACCOUNT, "region": "eu-west-1"},
            {},
        ]
        given = {"Free0": {"Ref": "Queue0"}, "Is0": "yes", "OneOf0": {"Ref": "Free0"}}
        nested = {"Type": "AWS::CloudFormation::Stack", "Properties": {"Parameters": given}}
        several[0]["Resources"]["Nested"] = nested
        stacks = [
            read(json.dumps(template), f"{number}.json", **data.draw(st.sampled_from(sites)))
            for number, template in enumerate(several)
        ]
        stacks[1].parent = data.draw(st.sampled_from([None, stacks[0]]))
        stacks[1].parent_resource = "Nested"
        for finding in judge_stacks(stacks):
            template = several[int(finding.file[0])]
            assert is_there(template, finding.place[:-1])


class TestAnyBytes:
    @examples(150)
    @given(st.data())
    def test_they_are_a_template_or_cannot_be_read(self, data: Any) -> None:
        template = data.draw(templates(damages=1))
        name = data.draw(st.sampled_from(["t.json", "t.yaml", "t", "-"]))
        dumper = data.draw(st.sampled_from([None, yaml.CSafeDumper, _ShortForms]))
        text = as_yaml(template, dumper) if dumper else json.dumps(template, indent=1)
        content = bytearray(text.encode())
        for _ in range(data.draw(st.integers(1, 6))):
            start = data.draw(st.integers(0, len(content)))
            end = start + data.draw(st.sampled_from([0, 1, 2, 40]))
            content[start:end] = data.draw(st.binary(max_size=3)) + data.draw(
                st.sampled_from([b"", b"\n", b"[", b"{", b": ", b"&a ", b"*a", b"!Sub ", b"<<: "])
            )
        try:
            document = parse(bytes(content), name)
        except CannotRead as error:
            failed = error
        else:
            judge_stacks([Stack(document.template, name, line_of=document.line_of)])
            return
        assert failed.reason.isprintable()
        assert failed.line is None or 1 <= failed.line <= content.count(b"\n") + 2


class TestTheMeaning:
    @examples(100)
    @given(rewritten())
    def test_it_counts_and_not_how_it_is_written(self, pair: tuple[Template, Template]) -> None:
        first, second = (
            {(rule, resource) for rule, resource, _ in keys(judged(template))} for template in pair
        )
        assert first == second

    @examples(100)
    @given(with_an_unknown())
    def test_what_is_not_known_is_no_error(self, drawn: tuple[Template, Template, Path]) -> None:
        first, second, (_, id, *place) = drawn
        before, after = errors(judged(first)), errors(judged(second))
        added = after - before
        assert not [one for one in added if one[1] == id and [*one[2]][: len(place)] == place]
        # One error may keep another from being told, and what is not known is waited for by nobody.
        assert before or {rule for rule, _, _ in added} <= {"JQ-06", "QS-15"}


def value(stack: CdkStack, drawn: Any, type: str = "String") -> Any:
    """Returns what was drawn as a construct takes it, a parameter as its token."""
    if not isinstance(drawn, Parameter):
        return drawn
    id = f"Parameter{len(stack.node.children)}"
    parameter = CfnParameter(stack, id, type=type, default=drawn.default)
    return parameter.value_as_string if type == "String" else parameter.value_as_number


def limits(stack: CdkStack, drawn: Mapping[Any, Any]) -> dict[Any, Any]:
    return {value(stack, unit): value(stack, most, "Number") for unit, most in drawn.items()}


def tags(stack: CdkStack, drawn: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value(stack, tag) for key, tag in drawn.items()}


def share_arguments(stack: CdkStack, spec: ShareSpec) -> dict[str, Any]:
    return {
        "capacity_limits": limits(stack, spec.limits),
        "resource_sharing": ResourceSharing(
            spec.strategy, value(stack, spec.borrow_limit, "Number")
        ),
        "in_share_preemption": spec.preemption,
        "enabled": spec.enabled,
        "tags": tags(stack, spec.tags),
    }


def by_l3(stack: CdkStack, id: str, spec: QueueSpec, elsewhere: CdkStack) -> None:
    """Builds a queue with the constructs; some shares stand in another stack."""

    def seconds(drawn: Any) -> Duration | None:
        return None if drawn is None else Duration.seconds(value(stack, drawn, "Number"))

    name, environment, policy = (value(stack, drawn) for drawn in spec.names)
    queue = QuotaManagedTrainingQueue(
        stack,
        id,
        capacity_limits=limits(stack, spec.limits),
        quota_shares=[
            QuotaShareOptions(share.name, **share_arguments(stack, share))
            for share in spec.shares
            if share.way == 0
        ],
        job_queue_name=name,
        service_environment_name=environment,
        scheduling_policy_name=policy,
        priority=value(stack, spec.priority, "Number"),
        enabled=spec.enabled,
        job_state_time_limits=JobStateTimeLimits(
            service_environment_max_resource=seconds(spec.seconds[0]),
            quota_management_limit_exceeded=seconds(spec.seconds[1]),
            insufficient_instance_capacity=seconds(spec.seconds[2]),
        ),
        tags=tags(stack, spec.tags),
    )
    for share in spec.shares:
        if share.way == 1:
            queue.add_quota_share(share.name, **share_arguments(stack, share))
        if share.way == 2:
            arguments = share_arguments(elsewhere, share)
            share_id = f"{id}Share{len(elsewhere.node.children)}"
            QuotaShare(
                elsewhere, share_id, job_queue=queue, quota_share_name=share.name, **arguments
            )


def by_l1(stack: CdkStack, spec: QueueSpec) -> None:
    """Builds a queue of literals with CDK's own constructs, which refuse nothing."""

    def limits(drawn: Mapping[Any, Any]) -> list[dict[str, Any]]:
        return [{"capacityUnit": unit, "maxCapacity": most} for unit, most in drawn.items()]

    name, environment_name, policy_name = spec.names
    policy = CfnSchedulingPolicy(
        stack,
        "Policy",
        name=policy_name,
        quota_share_policy={"idleResourceAssignmentStrategy": "FIFO"},
        tags=spec.tags,
    )
    environment = CfnServiceEnvironment(
        stack,
        "Environment",
        service_environment_name=environment_name,
        service_environment_type="SAGEMAKER_TRAINING",
        capacity_limits=limits(spec.limits),
        tags=spec.tags,
    )
    actions = [
        {"action": "TERMINATE", "state": "RUNNABLE", "reason": reason, "maxTimeSeconds": seconds}
        for reason, seconds in zip(REASONS, spec.seconds, strict=True)
        if seconds is not None
    ]
    queue = CfnJobQueue(
        stack,
        "Queue",
        job_queue_name=name,
        job_queue_type="SAGEMAKER_TRAINING",
        priority=spec.priority,
        scheduling_policy_arn=policy.ref,
        service_environment_order=[{"order": 1, "serviceEnvironment": environment.ref}],
        job_state_time_limit_actions=actions,
        tags=spec.tags,
    )
    for number, share in enumerate(spec.shares):
        CfnQuotaShare(
            stack,
            f"Share{number}",
            quota_share_name=share.name,
            job_queue=queue.ref,
            capacity_limits=limits(share.limits),
            resource_sharing_configuration={
                "strategy": share.strategy,
                "borrowLimit": share.borrow_limit,
            },
            preemption_configuration={"inSharePreemption": "DISABLED"},
            tags=share.tags,
        )


def warned(app: App) -> Counter[str]:
    """Returns the rules of the warnings of the constructs."""
    texts = [str(message.entry.data) for stack in app.synth().stacks for message in stack.messages]
    ends = [text.partition("[ack: qm-constructs::")[2] for text in texts]
    return Counter(end.rstrip("]") for end in ends if end)


@pytest.mark.cdk
class TestTheConstructs:
    @examples(15)
    @given(plans(queues=4))
    def test_what_they_make_is_no_error(self, specs: list[QueueSpec]) -> None:
        placed = Environment(account=ACCOUNT, region=REGION)
        with tempfile.TemporaryDirectory() as folder:
            app = App(outdir=folder)
            one, two = a_stack(app, "One"), a_stack(app, "Two", env=placed)
            three = a_stack(app, "Three", env=placed)
            for number, spec in enumerate(specs):
                stack, elsewhere = [(one, one), (two, three), (three, three)][spec.stack]
                by_l3(stack, f"Queue{number}", spec, elsewhere)
            said = warned(app)
            stacks, unreadable = read_assembly(folder)
            found = judge_stacks(stacks)
        assert unreadable == []
        assert errors(found) == set()
        # Which of two shares is the later one may be another in the template.
        assert Counter(finding.rule.id for finding in found) == said

    @examples(15)
    @given(st.lists(plans(queues=1, odd=2), min_size=6, max_size=6))
    def test_what_they_refuse_is_an_error(self, drawn: Iterable[list[QueueSpec]]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            app = App(outdir=folder)
            refused: dict[str, set[str | None]] = {}
            for number, (spec,) in enumerate(drawn):
                apart = a_stack(App(outdir=f"{folder}/apart"), "Apart")
                refused[f"Case{number}"] = set()
                try:
                    by_l3(apart, "Queue", spec, apart)
                except QuotaManagementError as error:
                    refused[f"Case{number}"] = {fault.rule for fault in error.faults}
                by_l1(a_stack(app, f"Case{number}"), spec)
            app.synth()
            stacks, _ = read_assembly(folder)
            for stack in stacks:
                rules = {rule for rule, _, _ in errors(judge_stacks([stack]))}
                assert refused[str(stack.name)] <= rules
                assert refused[str(stack.name)] or not rules
