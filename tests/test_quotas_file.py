"""Quotas as a file: what is read, what is refused and where, and what is written back."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qm_constructs import Fault, QuotaManagementError, QuotaPlan
from qm_constructs.cli import plan_as_json
from qm_constructs.template import _yaml_text
from qm_constructs.template.loading import load
from qm_constructs.template.quota_plans import plans_of
from qm_constructs.template.source import parse_value
from qm_constructs.template.stack import Stack
from tests.strategies import as_yaml

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "quotas.yaml"
CASES = ROOT / "tests" / "cases"

HEAD = "capacity_limits: {ml.p5.48xlarge: 16}\n"
SHARE = f"{HEAD}quota_shares:\n  research:\n    capacity_limits: {{ml.p5.48xlarge: 8}}\n"

FULL = """\
$schema: quotas.schema.json
job_queue_name: gpus
capacity_limits:
  ml.p5.48xlarge: 16
  ml.g6.12xlarge: 32
priority: 7
enabled: false
service_environment_name: gpus-environment
scheduling_policy_name: gpus-policy
job_state_time_limits:
  service_environment_max_resource: 7200
  quota_management_limit_exceeded: null
  insufficient_instance_capacity: 600
tags:
  cost-center: '42'
  team: all
quota_shares:
  product:
    capacity_limits:
      ml.p5.48xlarge: 6
  research:
    capacity_limits:
      ml.p5.48xlarge: 10
      ml.g6.12xlarge: 8
    resource_sharing:
      strategy: LEND_AND_BORROW
      borrow_limit: 50
    in_share_preemption: true
    enabled: false
    tags:
      team: research
"""

Save = Callable[..., Path]


@pytest.fixture
def save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Save:
    """Writes a file into the folder that the test runs in."""
    monkeypatch.chdir(tmp_path)

    def save(text: str | bytes, name: str = "quotas.yaml") -> Path:
        Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return Path(name)

    return save


def faults_of(path: Any) -> tuple[Fault, ...]:
    with pytest.raises(QuotaManagementError) as raised:
        QuotaPlan.from_file(path)
    return raised.value.faults


def told(fault: Fault) -> str:
    return " ".join(str(fault).split())


# -- What is refused, and where --------------------------------------------------------------

MISTAKES: list[tuple[str, str, tuple[str, ...]]] = [
    # keys
    (
        f"{HEAD}quota_share: {{}}\n",
        "quotas.yaml:2:1: quota_share = {}",
        ("There is no such key here; a quotas file has job_queue_name,", "mean quota_shares?"),
    ),
    (f"{HEAD}QuotaShares: {{}}\n", "quotas.yaml:2:1: QuotaShares = {}", ("mean quota_shares?",)),
    (f"{HEAD}removal: 1\n", "quotas.yaml:2:1: removal = 1", ("Leave it out.",)),
    (
        SHARE + "    in_share_premption: true\n",
        "quotas.yaml:5:5: quota_shares.research.in_share_premption = true",
        ("a quota share has capacity_limits, resource_sharing,", "mean in_share_preemption?"),
    ),
    (
        SHARE + "    resource_sharing: {strategy: LEND_AND_BORROW, limit: 5}\n",
        "quotas.yaml:5:51: quota_shares.research.resource_sharing.limit = 5",
        ("resource_sharing has strategy, borrow_limit.", "Leave it out."),
    ),
    (
        f"{HEAD}job_state_time_limits: {{insufficient_capacity: 600}}\n",
        "quotas.yaml:2:25: job_state_time_limits.insufficient_capacity = 600",
        ("mean insufficient_instance_capacity?",),
    ),
    (
        "quota_shares: {}\n",
        "quotas.yaml:1:1",
        ("capacity_limits is missing, which a quotas file needs.", "Add capacity_limits: {ml.p5"),
    ),
    (
        f"{HEAD}quota_shares:\n  research: {{}}\n",
        "quotas.yaml:3:3: quota_shares.research",
        ("capacity_limits is missing, which a quota share needs.",),
    ),
    (
        SHARE + "    resource_sharing: {borrow_limit: 50}\n",
        "quotas.yaml:5:5: quota_shares.research.resource_sharing",
        ("strategy is missing, which resource_sharing needs.", "Add strategy: RESERVE, say."),
    ),
    # kinds of values
    (
        "capacity_limits: {ml.p5.48xlarge: '16'}\n",
        "quotas.yaml:1:19: capacity_limits['ml.p5.48xlarge'] = '16'",
        ("Must be a whole number; this is text.", "Write 16, without quotes."),
    ),
    (
        "capacity_limits: {ml.p5.48xlarge: 1.5}\n",
        "quotas.yaml:1:19: capacity_limits['ml.p5.48xlarge'] = 1.5",
        ("Must be a whole number; this is not whole.", "Write a number from 1."),
    ),
    (
        f"{HEAD}priority: 08\n",
        "quotas.yaml:2:1: priority = '08'",
        ("this is text.", "Write 8, without quotes and without a zero in front."),
    ),
    (
        "capacity_limits: {ml.p5.48xlarge: true}\n",
        "quotas.yaml:1:19: capacity_limits['ml.p5.48xlarge'] = true",
        ("Must be a whole number; this is true.",),
    ),
    (
        "capacity_limits: {ml.p5.48xlarge: 2147483648}\n",
        "quotas.yaml:1:19: capacity_limits['ml.p5.48xlarge'] = 2147483648",
        ("32 bits", "at most 2147483647"),
    ),
    *(
        (
            f"capacity_limits: {{ml.p5.48xlarge: {number}}}\n",
            "quotas.yaml:1:19: capacity_limits['ml.p5.48xlarge'] = ",
            ("This number is too large", "at most 2147483647"),
        )
        for number in ("9" * 30, "9" * 101, "1.0e+400", "-" + "9" * 101)
    ),
    (
        f"{HEAD}priority: {{a: null, b: [true, false]}}\n",
        "quotas.yaml:2:1: priority = {'a': null, 'b': [true, false]}",
        ("Must be a whole number; this is a map.",),
    ),
    (
        "capacity_limits: {ml.p5.48xlarge: }\n",
        "quotas.yaml:1:19: capacity_limits['ml.p5.48xlarge'] = null",
        ("Must be a whole number; this is nothing.",),
    ),
    (
        "capacity_limits: [ml.p5.48xlarge]\n",
        "quotas.yaml:1:1: capacity_limits = ['ml.p5.48xlarge']",
        ("Must be a map of instance types to how many of each; this is a list.", "{ml.p5.48xlarge"),
    ),
    (
        f"{HEAD}quota_shares: [research]\n",
        "quotas.yaml:2:1: quota_shares = ['research']",
        ("Must be a map of names to what each share has; this is a list.", "Write {research: {"),
    ),
    (
        f"{HEAD}quota_shares: {{research: }}\n",
        "quotas.yaml:2:16: quota_shares.research = null",
        ("Must be a map of capacity_limits, resource_sharing,", "this is nothing."),
    ),
    (
        SHARE + "    resource_sharing: RESERVE\n",
        "quotas.yaml:5:5: quota_shares.research.resource_sharing = 'RESERVE'",
        ("Must be a map of strategy, borrow_limit; this is text.", "Write {strategy: RESERVE}."),
    ),
    (
        SHARE + "    resource_sharing: {strategy: 5}\n",
        "quotas.yaml:5:24: quota_shares.research.resource_sharing.strategy = 5",
        ("Must be one of RESERVE, LEND, LEND_AND_BORROW; this is a number.",),
    ),
    (
        f"{HEAD}enabled: DISABLED\n",
        "quotas.yaml:2:1: enabled = 'DISABLED'",
        ("Must be true or false; this is text.", "Write false."),
    ),
    (f"{HEAD}enabled: 1\n", "quotas.yaml:2:1: enabled = 1", ("Write true or false.",)),
    (
        f"{HEAD}job_queue_name: 12\n",
        "quotas.yaml:2:1: job_queue_name = 12",
        ("Must be text; this is a number.", "Put it in quotes."),
    ),
    (
        f"{HEAD}tags: {{cost-center: 42}}\n",
        "quotas.yaml:2:8: tags.cost-center = 42",
        ("Must be text; this is a number.", "Put it in quotes."),
    ),
    (
        f"{HEAD}job_state_time_limits: none\n",
        "quotas.yaml:2:1: job_state_time_limits = 'none'",
        ("Must be a map of service_environment_max_resource,",),
    ),
    (
        f"{HEAD}job_state_time_limits: {{insufficient_instance_capacity: 4h}}\n",
        "quotas.yaml:2:25: job_state_time_limits.insufficient_instance_capacity = '4h'",
        ("Must be a whole number or null; this is text.", "Write a number from 600 to 86400."),
    ),
    # what only a deploy or an app would know
    (
        f"{HEAD}job_queue_name: '{{{{resolve:ssm:/name}}}}'\n",
        "quotas.yaml:2:1: job_queue_name = '{{resolve:ssm:/name}}'",
        ("plain text, without tokens or references",),
    ),
    (
        f"{HEAD}priority: !Ref Priority\n",
        "quotas.yaml:2:1: priority = {'Ref': 'Priority'}",
        ("Must be a whole number; this is a map.",),
    ),
    (
        f"{HEAD}tags: {{team: '${{Token[TOKEN.7]}}'}}\n",
        "quotas.yaml:2:8: tags.team",
        ("plain text, without tokens or references",),
    ),
    (
        f"{HEAD}tags: !Ref Tags\n",
        "quotas.yaml:2:7: tags.Ref = 'Tags'",
        ("CloudFormation takes such a tag key for a function.",),
    ),
    # the rules, with the keys of the file
    (f"{HEAD}priority: 1001\n", "quotas.yaml:2:1: priority = 1001", ("0 to 1000", "[JQ-01]")),
    ("capacity_limits: {}\n", "quotas.yaml:1:1: capacity_limits = {}", ("1 to 5", "[SE-04]")),
    (
        "capacity_limits: {ml.p5.48xlarge: 0}\n",
        "quotas.yaml:1:19: capacity_limits['ml.p5.48xlarge'] = 0",
        ("1 or more", "[SE-08]"),
    ),
    (
        f"{HEAD}quota_shares:\n  my team:\n    capacity_limits: {{ml.p5.48xlarge: 8}}\n",
        "quotas.yaml:3:3: quota_shares['my team']",
        ("this one has ' '.", "Write 'my-team', say. [QS-02]"),
    ),
    (
        SHARE.replace("xlarge: 8", "xlrge: 8"),
        "quotas.yaml:4:23: quota_shares.research.capacity_limits['ml.p5.48xlrge'] = 8",
        ("Did you mean 'ml.p5.48xlarge'?", "[XR-01]"),
    ),
    (
        SHARE + "    resource_sharing: {strategy: lend}\n",
        "quotas.yaml:5:24: quota_shares.research.resource_sharing.strategy = 'lend'",
        ("Did you mean 'LEND'? [QS-07]",),
    ),
    (
        SHARE + "    resource_sharing: {strategy: LEND, borrow_limit: 5}\n",
        "quotas.yaml:5:40: quota_shares.research.resource_sharing.borrow_limit = 5",
        ("[QS-08]",),
    ),
    (
        f"{HEAD}job_state_time_limits: {{insufficient_instance_capacity: 60}}\n",
        "quotas.yaml:2:25: job_state_time_limits.insufficient_instance_capacity = 60",
        ("600 to 86400 seconds", "[JT-04]"),
    ),
    (
        f"{HEAD}tags: {{'aws:team': x}}\n",
        "quotas.yaml:2:8: tags.aws:team = 'x'",
        ("AWS reserves the prefix 'aws:'", "[SJ-09]"),
    ),
    (
        f"{HEAD}service_environment_name: a/b\n",
        "quotas.yaml:2:1: service_environment_name = 'a/b'",
        ("[SE-03]",),
    ),
    (
        f"{HEAD}scheduling_policy_name: a/b\n",
        "quotas.yaml:2:1: scheduling_policy_name = 'a/b'",
        ("[SP-02]",),
    ),
]


@pytest.mark.parametrize(("text", "where", "parts"), MISTAKES)
def test_a_mistake_is_named_as_it_stands_in_the_file(
    save: Save, text: str, where: str, parts: tuple[str, ...]
) -> None:
    (fault,) = faults_of(save(text))
    assert told(fault).startswith(where)
    for part in parts:
        assert part in told(fault)


@pytest.mark.parametrize(("text", "where", "parts"), MISTAKES)
def test_json_is_told_as_yaml_is(save: Save, text: str, where: str, parts: tuple[str, ...]) -> None:
    value, _ = parse_value(text.encode(), "quotas.yaml")
    (fault,) = faults_of(save(json.dumps(value, indent=2), "quotas.json"))
    assert fault.argument in where
    assert fault.place is not None
    assert re.fullmatch(r"quotas\.json:\d+:\d+", fault.place)
    for part in parts:
        assert part in told(fault)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"capacity_limits": {}}', "1:2"),
        ('{\n  "capacity_limits": {"ml.p5.48xlarge": 0}\n}', "2:23"),
        ('{"tags": {},\n\n\t"capacity_limits": {"a":\n1, "ml.p5.48xlarge":\n "1"}}', "4:4"),
        ('{"x": "\\n\u00fc", "capacity_limits": {"ml.p5.48xlarge": 1}}', "1:2"),
    ],
)
def test_line_and_column_in_json(save: Save, text: str, place: str) -> None:
    assert faults_of(save(text, "q.json"))[-1].place == f"q.json:{place}"


@pytest.mark.parametrize(
    ("written", "number", "fix"),
    [
        ("1:30", 90, "Write 90."),
        ("1:30.0", 90, "Write 90."),
        ("010", 8, "Write 10, or 8."),
        ("0_10", 8, "Write 10, or 8."),
        ("!!int '010'", 8, "Write 10, or 8."),
    ],
)
@pytest.mark.parametrize("key", ["capacity_limits: {ml.p5.48xlarge: %s}", f"{HEAD}priority: %s"])
def test_a_number_that_yaml_takes_for_another_is_refused(
    save: Save, key: str, written: str, number: int, fix: str
) -> None:
    (fault,) = faults_of(save(f"{key % written}\n"))
    shown = written.removeprefix("!!int ").strip("'")
    assert fault.problem == f"YAML reads {shown} as {number}, which may not be what is meant."
    assert fault.fix == fix
    assert fault.value == number


@pytest.mark.parametrize(("text", "number"), [("7", 7), ("0", 0), ("1_0", 10), ("0x10", 16)])
def test_a_number_that_reads_as_it_looks_is_taken(save: Save, text: str, number: int) -> None:
    plan = QuotaPlan.from_file(save(f"{HEAD}priority: {text}\n"))
    assert plan.ways[0].queue.at(("Priority",)) == number


@pytest.mark.parametrize(
    ("text", "name", "place"),
    [
        (f"{HEAD}priority: 1\npriority: 2\n", "quotas.yaml", "quotas.yaml:3:1"),
        (f"{HEAD}tags: {{a: x, a: y}}\n", "quotas.yaml", "quotas.yaml:2:14"),
        ('{"tags": {},\n "tags": {}}', "quotas.json", "quotas.json:2:2"),
    ],
)
def test_a_key_that_stands_twice_has_its_place(
    save: Save, text: str, name: str, place: str
) -> None:
    (fault,) = faults_of(save(text, name))
    assert fault.place == place
    assert "twice in one mapping" in fault.problem
    assert fault.fix == "Keep one of the two."


def test_what_is_no_yaml_is_not_told_to_be_yaml(save: Save) -> None:
    (fault,) = faults_of(save(f"{HEAD}priority: [1\n"))
    assert fault.fix == "Mend it there."


@pytest.mark.parametrize("path", [None, 3, ["quotas.yaml"], b"quotas.yaml"])
def test_a_plan_is_written_to_a_path(save: Save, path: Any) -> None:
    plan = QuotaPlan.from_file(save(HEAD))
    with pytest.raises(QuotaManagementError, match="Must be the path of a quotas file") as raised:
        plan.to_file(path)
    assert "Write plan.to_file('quotas.yaml'), say." in str(raised.value)


def test_a_plan_says_what_it_is_of(save: Save) -> None:
    assert repr(QuotaPlan.from_file(save(SHARE))) == (
        "<QuotaPlan 'job queue' in 'quotas.yaml': ml.p5.48xlarge 16; shares 'research'>"
    )
    assert repr(QuotaPlan.from_file(save(f"job_queue_name: gpus\n{HEAD}"))) == (
        "<QuotaPlan 'gpus' in 'quotas.yaml': ml.p5.48xlarge 16; shares none>"
    )


def test_a_number_that_is_too_large_is_shown_as_no_text(save: Save) -> None:
    (fault,) = faults_of(save(f"{HEAD}priority: {'9' * 101}\n"))
    assert re.search(r"priority =\s+9+\.\.\.9+\n", str(fault))


def test_a_whole_number_may_be_written_with_a_point(save: Save) -> None:
    plan = QuotaPlan.from_file(save("capacity_limits: {ml.p5.48xlarge: 16.0}\npriority: 2.0\n"))
    plan.to_file("out.json")
    assert re.findall(r": ([0-9.]+)", Path("out.json").read_text()) == ["16", "2"]


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file(save: Save) -> None:
    text = f"{HEAD}priority: 1001\nenabled: 'no'\nquota_shares:\n  a b: {{}}\n  c: {{x: 1}}\n"
    faults = faults_of(save(text))
    assert [fault.place for fault in faults] == [
        f"quotas.yaml:{place}" for place in ("2:1", "3:1", "5:3", "5:3", "6:3", "6:7")
    ]


def test_what_is_at_fault_already_is_not_judged_too(save: Save) -> None:
    lend = SHARE + "    resource_sharing: {strategy: LEND_AND_BORROW}\n"
    broken = lend + "  product: {capacity_limit: {ml.p5.48xlarge: 8}, resource_sharin: LEND}\n"
    assert [fault.rule for fault in faults_of(save(broken))] == [None, None]


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        (b"", ("The file is empty.",)),
        (b"- 1\n", ("The file is no quotas file",)),
        (b"a: [\n", ("quotas.yaml:2 The file is no valid YAML",)),
        (b"tags: {}\ntags: {}\n", ("quotas.yaml:2", "has the key 'tags' twice")),
        (b"Resources: {}\n", ("is a CloudFormation template, and no quotas file",)),
        (b"\xff\xfe\0", ("UTF-16",)),
        (b"a: &a [*a]\n", ("inside of its own anchor",)),
        (b"a: " + b"[" * 300 + b"]" * 300, ("nested more than 200 levels deep",)),
    ],
)
def test_what_is_no_quotas_file_says_why(save: Save, data: bytes, parts: tuple[str, ...]) -> None:
    (fault,) = faults_of(save(data))
    for part in parts:
        assert part in told(fault)


def test_a_path_that_leads_nowhere_says_so(tmp_path: Path) -> None:
    (fault,) = faults_of(tmp_path / "none.yaml")
    assert fault.problem == "The file does not exist."
    (fault,) = faults_of(tmp_path)
    assert "is a folder" in fault.problem
    (fault,) = faults_of(["quotas.yaml"])
    assert fault.problem == "Must be the path of a quotas file."


# -- What is read ----------------------------------------------------------------------------


def test_a_plan_of_a_file_answers_as_any_other() -> None:
    plan = QuotaPlan.from_file(EXAMPLE)
    assert [share.name for share in plan.shares] == ["inference", "product", "research"]
    assert plan.largest_job("research", "ml.p5.48xlarge") == 12
    assert plan.share("inference").explain("ml.p5.48xlarge", 5).runnable is False
    assert plan.complete


def test_anchors_and_merges_are_read_as_yaml_has_them(save: Save) -> None:
    shared = (
        "quota_shares:\n  a: &a {capacity_limits: {ml.p5.48xlarge: 8}}\n  b: {<<: *a}\n  c: *a\n"
    )
    plan = QuotaPlan.from_file(save(HEAD + shared))
    assert [plan.largest_job(name, "ml.p5.48xlarge") for name in "abc"] == [8, 8, 8]


def test_names_that_yaml_takes_for_something_else_are_names(save: Save) -> None:
    shares = "".join(
        f"  {name}: {{capacity_limits: {{ml.p5.48xlarge: 1}}}}\n" for name in ("on", "12", "null")
    )
    plan = QuotaPlan.from_file(save(f"{HEAD}quota_shares:\n{shares}"))
    assert [share.name for share in plan.shares] == ["on", "12", "null"]


@pytest.mark.parametrize("name", ["job queue", "service environment", "scheduling policy"])
def test_a_share_cannot_pass_for_another_part_of_the_queue(save: Save, name: str) -> None:
    (fault,) = faults_of(save(SHARE.replace("research", name)))
    assert (fault.place, fault.rule) == ("quotas.yaml:3:3", "QS-02")


# -- What is written -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["out.yaml", "out.yml", "out.json", "out.JSON"])
def test_what_is_written_is_what_was_read(save: Save, name: str) -> None:
    plan = QuotaPlan.from_file(save(FULL))
    plan.to_file(name)
    again = QuotaPlan.from_file(name)
    assert plan_as_json.render([again]).replace(name, "quotas.yaml") == plan_as_json.render([plan])
    again.to_file("again.yaml")
    assert Path("again.yaml").read_text() == FULL


def test_keys_are_written_in_one_order(save: Save) -> None:
    lines = FULL.split("quota_shares:\n")
    turned = "quota_shares:\n" + lines[1] + lines[0]
    QuotaPlan.from_file(save(turned)).to_file("out.yaml")
    assert Path("out.yaml").read_text() == FULL


@pytest.mark.parametrize("name", ["quotas", "quotas.txt", "quotas.yaml.bak", ""])
def test_the_name_says_what_is_written(save: Save, name: str) -> None:
    plan = QuotaPlan.from_file(save(FULL))
    with pytest.raises(QuotaManagementError, match=r"must end in \.yaml, \.yml or \.json"):
        plan.to_file(name)


def test_what_cannot_be_written_says_why(save: Save) -> None:
    plan = QuotaPlan.from_file(save(FULL))
    with pytest.raises(QuotaManagementError, match="No such file or directory"):
        plan.to_file("nowhere/quotas.yaml")


def plan_of(template: dict[str, Any]) -> QuotaPlan:
    (plan,) = plans_of([Stack(template, "t.json")])
    return plan


def template_of(path: Path) -> dict[str, Any]:
    ((stack,),), problems = load([str(path)], None)  # type: ignore[arg-type]
    assert not problems
    return json.loads(json.dumps(stack.template))  # type: ignore[no-any-return]


def test_a_template_s_queue_can_be_moved_to_a_file(save: Save) -> None:
    template = template_of(save(FULL.partition("\n")[2]))
    plan_of(template).to_file("moved.yaml")
    assert template_of(Path("moved.yaml")) == template
    moved, _ = parse_value(Path("moved.yaml").read_bytes(), "moved.yaml")
    assert {"$schema": "quotas.schema.json", **moved} == parse_value(FULL.encode(), "f.yaml")[0]


def test_what_is_as_by_default_is_not_written(save: Save) -> None:
    plan_of(template_of(save(SHARE))).to_file("moved.json")
    limits = {"capacity_limits": {"ml.p5.48xlarge": 8}}
    assert json.loads(Path("moved.json").read_text()) == {
        "capacity_limits": {"ml.p5.48xlarge": 16},
        "quota_shares": {"research": limits},
    }


PARAMETER = {"Ref": "Given"}
UNSAYABLE: list[tuple[str, str, Any, str]] = [
    ("job queue", "Priority", PARAMETER, "priority"),
    ("job queue", "JobQueueName", PARAMETER, "job_queue_name"),
    ("job queue", "State", PARAMETER, "enabled"),
    ("job queue", "Tags", PARAMETER, "tags"),
    ("job queue", "JobStateTimeLimitActions", PARAMETER, "job_state_time_limits"),
    ("job queue", "JobStateTimeLimitActions", [{"Reason": "X"}], "job_state_time_limits"),
    ("service environment", "CapacityLimits", PARAMETER, "capacity_limits"),
    ("service environment", "ServiceEnvironmentName", PARAMETER, "service_environment_name"),
    ("service environment", "State", "DISABLED", "service_environment"),
    ("service environment", "Tags", {"a": "b"}, "tags"),
    ("scheduling policy", "Name", PARAMETER, "scheduling_policy_name"),
    ("research", "QuotaShareName", PARAMETER, "quota_shares"),
    ("research", "CapacityLimits", PARAMETER, "quota_shares.research.capacity_limits"),
    (
        "research",
        "CapacityLimits",
        [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": PARAMETER}],
        "quota_shares.research.capacity_limits",
    ),
    (
        "research",
        "CapacityLimits",
        [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 1}] * 2,
        "quota_shares.research.capacity_limits",
    ),
    (
        "research",
        "ResourceSharingConfiguration",
        {"Strategy": PARAMETER},
        "quota_shares.research.resource_sharing",
    ),
    (
        "research",
        "ResourceSharingConfiguration",
        {"Strategy": "LEND_AND_BORROW", "BorrowLimit": PARAMETER},
        "quota_shares.research.resource_sharing.borrow_limit",
    ),
    ("research", "State", PARAMETER, "quota_shares.research.enabled"),
    ("research", "Tags", {"a": PARAMETER}, "quota_shares.research.tags"),
]


@pytest.mark.parametrize(("id", "name", "value", "argument"), UNSAYABLE)
def test_what_a_file_cannot_say_is_not_written(
    save: Save, id: str, name: str, value: Any, argument: str
) -> None:
    template = template_of(save(SHARE))
    template["Parameters"] = {"Given": {"Type": "String"}}
    template["Resources"][id]["Properties"][name] = value
    with pytest.raises(QuotaManagementError) as raised:
        plan_of(template).to_file("moved.yaml")
    assert {fault.argument for fault in raised.value.faults} == {argument}
    assert not Path("moved.yaml").exists()


def test_a_queue_with_shares_elsewhere_is_not_written(save: Save) -> None:
    template = template_of(save(SHARE))
    template["Outputs"] = {"Q": {"Value": {"Ref": "job queue"}, "Export": {"Name": "q"}}}
    with pytest.raises(QuotaManagementError, match="Other templates may add shares"):
        plan_of(template).to_file("moved.yaml")


def test_a_queue_that_turns_out_in_two_ways_is_not_written(save: Save) -> None:
    template = template_of(save(SHARE))
    template["Parameters"] = {"P": {"Type": "String"}}
    template["Conditions"] = {"C": {"Fn::Equals": [{"Ref": "P"}, "x"]}}
    template["Resources"]["job queue"]["Properties"]["Priority"] = {"Fn::If": ["C", 1, 2]}
    with pytest.raises(QuotaManagementError, match=r"in several\s+ways"):
        plan_of(template).to_file("moved.yaml")


def test_the_writer_s_yaml_is_read_by_any_reader(save: Save) -> None:
    tags = {"a": "on", "b": "12", "c": "ümlaut", "d": "null", "e": "1e3", "f": ""}
    text = as_yaml({"capacity_limits": {"ml.p5.48xlarge": 16}, "tags": tags})
    QuotaPlan.from_file(save(text)).to_file("out.yaml")
    QuotaPlan.from_file("out.yaml").to_file("out.json")
    assert json.loads(Path("out.json").read_text())["tags"] == tags


# As YAML 1.2 reads them, PyYAML 1.1 otherwise.
@pytest.mark.parametrize("text", ["1e3", "0o7", "1_0", "0x1F", "1.", ".5", "-1E-3", "12", "08"])
def test_a_text_that_looks_like_a_number_is_written_in_quotes(text: str) -> None:
    assert _yaml_text.as_yaml({text: text}) == f"'{text}': '{text}'\n"


@pytest.mark.parametrize("text", ["a", "e3", "0o8", "1.2.3", "v1", "10-20"])
def test_any_other_text_is_written_plain(text: str) -> None:
    assert _yaml_text.as_yaml({"tag": text}) == f"tag: {text}\n"


def test_no_dash_is_advised_where_it_is_no_path(save: Save) -> None:
    save(HEAD)
    (folder,) = faults_of(".")
    assert "a folder, no file." in folder.problem
    assert "'-'" not in told(folder)
    (dash,) = faults_of("-")
    assert dash.fix == "Give a file: standard input is for the commands."


def test_a_queue_made_in_python_reads_no_templates() -> None:
    """Importing the constructs costs nothing more because there are files."""
    code = (
        "import sys; import qm_constructs.constructs.queue; "
        "print([m for m in sys.modules if m.startswith('qm_constructs.template') or m == 'yaml'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout == "[]\n"
