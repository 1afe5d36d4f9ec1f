"""``qm-constructs plan``, as a user runs it: what it prints, in which format, and how it ends."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from copy import deepcopy
from html import unescape
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from qm_constructs.cli.main import main
from qm_constructs.cli.plan import FORMATS
from qm_constructs.rules import SOUND
from qm_constructs.template.quota_plans import plans_of
from qm_constructs.template.stack import Stack
from tests.plan_scenarios import GPU, OTHER, template
from tests.strategies import examples, templates

CASES = Path(__file__).parent / "cases"
CORRECT = str(CASES / "correct.template.json")
Captured = pytest.CaptureFixture[str]

TWO = template(
    {GPU: 16},
    {
        "research": ({GPU: 10}, "LEND_AND_BORROW", 50),
        "product": ({GPU: 6}, "LEND", None),
    },
)


def written(folder: Path, whole: Mapping[str, Any], name: str = "queue.json") -> str:
    """Returns the path of a file that holds a template."""
    path = folder / name
    path.write_text(json.dumps(whole))
    return str(path)


def shown(capsys: Captured, *arguments: str) -> str:
    """Returns what a plan prints, which must end well."""
    assert main(["plan", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def words(text: str) -> str:
    """Returns a text in one line, as it reads once a page shows it."""
    return " ".join(unescape(text).split())


def read_in(capsys: Captured, form: str, *paths: str) -> str:
    """Returns in one line what a person reads of a plan, in whichever format."""
    text = shown(capsys, "--format", form, *paths)
    if form in ("html", "svg"):
        text = re.sub("<style.*?</style>|<[^>]+>", " ", text, flags=re.DOTALL)
    if form == "json":
        text = text.replace('\\"', '"')
    return words(text.replace("`", ""))


def planned(capsys: Captured, *paths: str) -> Any:
    """Returns the queues of a plan in JSON."""
    return json.loads(shown(capsys, "--format", "json", *paths))["queues"]


# -- Text --------------------------------------------------------------------------------


def test_text(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    written(tmp_path, TWO)
    assert (
        shown(capsys, "queue.json")
        == """\
training (Queue in queue.json)

  ml.p5.48xlarge: service environment 16, allocated 16, unallocated 0
                                    borrow   can     can  largest
  share     limit  strategy          limit  lend  borrow      job
  research     10  LEND_AND_BORROW    50 %    10       5       15
  product       6  LEND               none     6       0        6

Instances are counted whole: what a borrow limit lets a share borrow is rounded down. How AWS rounds
is not documented.
"""
    )


@pytest.mark.parametrize("columns", [80, 100, 300])
def test_text_fits_the_terminal(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    names = [letter * 128 for letter in "abc"] + ["\u7530" * 100]
    shares = {name: ({GPU: 10**9, OTHER: 7}, "LEND_AND_BORROW", 10**6) for name in names}
    path = written(tmp_path, template({GPU: 10**10, OTHER: 5}, shares, name="q" * 128))
    lines = shown(capsys, path).splitlines()
    wide = [len(line) + line.count("\u7530") for line in lines]
    assert max(wide) <= min(columns, 100)
    # A long name goes on in the lines below, and its numbers stand in its first line.
    text = "".join(line.split()[0] for line in lines if line.strip())
    assert all(name in text for name in names)
    (first,) = [line for line in lines if line.startswith("  a") and "1000000000" in line][:1]
    assert first.split()[0] == "a" * len(first.split()[0])
    assert lines[lines.index(first) - 1].startswith("  share")


@pytest.mark.parametrize("most", [10**11, 10**15, 10**30, 10**90])
def test_wide_numbers_leave_the_names_whole(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shares = {"research": ({GPU: most}, "LEND_AND_BORROW", 10**9), "b": ({GPU: 1}, "LEND", None)}
    lines = shown(capsys, written(tmp_path, template({GPU: most}, shares))).splitlines()
    assert max(map(len, lines)) <= 80
    first = [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]
    assert {"research", "b"} <= {*first}
    assert f"limit{most},strategyLEND_AND_BORROW" in "".join(lines).replace(" ", "")


@pytest.mark.parametrize(
    ("shares", "says"),
    [
        ({"a": ({GPU: 17}, "LEND", None)}, "The shares hold 1 more than the service environment"),
        ({"a": ({OTHER: 1}, "LEND", None)}, "The service environment has no limit for it"),
        ({"a": ({GPU: {"Ref": "P"}}, "LEND", None)}, "Unknown is what the template does not tell"),
        ({}, "unallocated 16"),
    ],
)
def test_text_says_what_the_numbers_do_not(
    tmp_path: Path, capsys: Captured, shares: Any, says: str
) -> None:
    path = written(tmp_path, template({GPU: 16}, shares, parameters=["P"]))
    assert says in shown(capsys, path)
    sound = shown(capsys, written(tmp_path, TWO))
    assert says not in sound


def test_a_share_that_is_disabled_is_told_of(tmp_path: Path, capsys: Captured) -> None:
    off = template({GPU: 16}, {"a": ({GPU: 4}, "LEND", None), "b": ({GPU: 4}, "RESERVE", None)})
    off["Resources"]["Share0"]["Properties"]["State"] = "DISABLED"
    text = " ".join(shown(capsys, written(tmp_path, off)).split())
    assert "DISABLED, so that no job can be submitted: a." in text
    assert "What a DISABLED share lends is counted; AWS does not say" in text
    off["Resources"]["Share0"]["Properties"]["ResourceSharingConfiguration"] = {
        "Strategy": "RESERVE"
    }
    assert "What a DISABLED" not in shown(capsys, written(tmp_path, off))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    ("resource", "says"),
    [
        ("Queue", "The queue is DISABLED: no job starts until it is enabled."),
        (
            "Env",
            "The service environment is DISABLED: no job starts until it is enabled (UP-11).",
        ),
    ],
)
def test_what_starts_no_job_is_told_of(
    tmp_path: Path, capsys: Captured, form: str, resource: str, says: str
) -> None:
    off = deepcopy(TWO)
    assert says not in read_in(capsys, form, written(tmp_path, off))
    off["Resources"][resource]["Properties"]["State"] = "DISABLED"
    assert says in read_in(capsys, form, written(tmp_path, off))


@pytest.mark.parametrize("form", FORMATS)
def test_a_queue_without_a_share_is_told_of(tmp_path: Path, capsys: Captured, form: str) -> None:
    none = template({GPU: 16}, {})
    says = "It has no quota share, so no job can be submitted to it (QS-19)."
    assert says in read_in(capsys, form, written(tmp_path, none))
    assert says not in read_in(capsys, form, written(tmp_path, TWO))


WITHOUT_POLICY = "Queue in queue.json is none: it has no scheduling policy, and quota management"
WITHOUT_QUOTA_SHARE_POLICY = "Queue in queue.json is none: its scheduling policy has no Quota"


def without_policy(kind: str) -> Any:
    """Returns a template whose queue is none of quota management."""
    whole = deepcopy(TWO)
    if kind == "none":
        del whole["Resources"]["Queue"]["Properties"]["SchedulingPolicyArn"]
    else:
        whole["Resources"]["Policy"]["Properties"] = {"FairsharePolicy": {}}
    return whole


@pytest.mark.parametrize(
    ("kind", "says"), [("none", WITHOUT_POLICY), ("fair", WITHOUT_QUOTA_SHARE_POLICY)]
)
def test_why_a_queue_with_shares_is_none(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, kind: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, without_policy(kind))
    written(tmp_path, TWO, "sound.json")
    for form in FORMATS:
        told = read_in(capsys, form, "queue.json")
        assert says in told
        assert "(JQ-07)" in told
        beside = read_in(capsys, form, "queue.json", "sound.json")
        assert says in beside
        assert "No queue of AWS Batch" not in beside
    asks = ["explain", "queue.json", "--share", "research", "--instance-type", GPU, "--count", "1"]
    assert main(asks) == 2
    assert says in capsys.readouterr().err


def test_markdown_is_prose_but_for_what_others_wrote(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, without_policy("fair"))
    told = shown(capsys, "--format", "markdown", "queue.json")
    assert "`Queue` in `queue.json` is none: its scheduling policy has no QuotaShare" in told
    named = changed("Share0", "QuotaShareName", "@octocat `<b>`")
    told = shown(capsys, "--format", "markdown", written(tmp_path, named))
    assert "qm-constructs check finds an error" in unescape(told)
    assert "octocat" in told
    assert not re.search("@octocat|<b>|`.*octocat", told)


@pytest.mark.parametrize("form", ["text", "markdown", "html", "svg"])
def test_a_template_without_such_a_queue(tmp_path: Path, capsys: Captured, form: str) -> None:
    path = written(tmp_path, {"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}})
    assert "No queue of AWS Batch quota management was found" in shown(
        capsys, "--format", form, path
    )
    assert planned(capsys, path) == []


# -- JSON --------------------------------------------------------------------------------


def test_json(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, TWO)
    assert planned(capsys, "queue.json") == [
        {
            "file": "queue.json",
            "stack": None,
            "queue": "Queue",
            "name": "training",
            "units": [
                {
                    "capacity_unit": GPU,
                    "environment": 16,
                    "allocated": 16,
                    "unallocated": 0,
                    "shares": [
                        {
                            "share": "research",
                            "max_capacity": 10,
                            "strategy": "LEND_AND_BORROW",
                            "borrow_limit": 50,
                            "lendable": 10,
                            "borrowable": 5,
                            "largest_job": 15,
                        },
                        {
                            "share": "product",
                            "max_capacity": 6,
                            "strategy": "LEND",
                            "borrow_limit": 0,
                            "lendable": 6,
                            "borrowable": 0,
                            "largest_job": 6,
                        },
                    ],
                    "notes": [],
                }
            ],
            "notes": [],
        }
    ]


def figures(queue: Any) -> dict[str, list[Any]]:
    """Returns each share's limit, what it lends and borrows, and its largest job, of one unit."""
    (unit,) = queue["units"]
    keys = ("max_capacity", "lendable", "borrowable", "largest_job")
    return {share["share"]: [share[key] for key in keys] for share in unit["shares"]}


def test_the_notes_in_json(tmp_path: Path, capsys: Captured) -> None:
    path = written(tmp_path, TWO)
    document = json.loads(shown(capsys, "--format", "json", path))
    (rounding,) = document["notes"]
    assert rounding.startswith("Instances are counted whole")
    over = changed("Share0", "CapacityLimits", [{"CapacityUnit": GPU, "MaxCapacity": 17}])
    (queue,) = planned(capsys, written(tmp_path, over))
    assert queue["units"][0]["notes"] == [
        "The shares hold 7 more than the service environment: they cannot all have what they are "
        "promised at once (XR-02)."
    ]
    (queue,) = planned(capsys, written(tmp_path, changed("Queue", "State", "DISABLED")))
    assert queue["notes"] == ["The queue is DISABLED: no job starts until it is enabled."]
    assert main(["plan", "--format", "json", str(tmp_path / "none.json")]) == 2
    assert json.loads(capsys.readouterr().out)["notes"] == []


def test_an_import_is_a_queue_of_which_little_is_known(tmp_path: Path, capsys: Captured) -> None:
    whole = template({GPU: 16}, {"a": ({GPU: 4}, "LEND_AND_BORROW", None)})
    arn = "arn:aws:batch:us-east-1:111122223333:job-queue/shared"
    whole["Resources"]["Share0"]["Properties"]["JobQueue"] = arn
    del whole["Resources"]["Queue"]
    path = written(tmp_path, whole)
    (queue,) = planned(capsys, path)
    assert (queue["queue"], queue["name"]) == (None, "shared")
    assert (queue["units"][0]["environment"], queue["units"][0]["allocated"]) == (None, None)
    assert figures(queue) == {"a": [4, 4, None, None]}
    assert "Other templates may add shares" in shown(capsys, path)


def test_parameters_are_their_defaults(tmp_path: Path, capsys: Captured) -> None:
    whole = template({GPU: {"Ref": "Most"}}, {"a": ({GPU: 4}, "LEND", None)})
    whole["Parameters"] = {
        "Most": {"Type": "Number", "Default": 3, "AllowedValues": [3, 30]},
        "Stage": {"Type": "String", "Default": "test", "AllowedValues": ["test", "prod"]},
    }
    whole["Conditions"] = {"IsProd": {"Fn::Equals": [{"Ref": "Stage"}, "prod"]}}
    whole["Resources"]["Share0"]["Condition"] = "IsProd"
    (queue,) = planned(capsys, written(tmp_path, whole))
    assert (queue["units"][0]["environment"], figures(queue)) == (3, {})
    whole["Parameters"]["Stage"]["Default"] = "prod"
    (queue,) = planned(capsys, written(tmp_path, whole))
    assert figures(queue) == {"a": [4, 4, 0, 3]}


def test_what_a_condition_leaves_open_is_unknown(tmp_path: Path, capsys: Captured) -> None:
    whole = template(
        {GPU: 16},
        {
            "a": ({GPU: {"Fn::If": ["IsProd", 8, 2]}}, "LEND_AND_BORROW", 100),
            "b": ({GPU: 1}, "LEND", None),
            "c": ({GPU: 4}, {"Fn::If": ["IsProd", "LEND", "LEND"]}, None),
            "d": ({GPU: 2}, "RESERVE", None),
        },
        parameters=["Stage"],
    )
    whole["Conditions"] = {"IsProd": {"Fn::Equals": [{"Ref": "Stage"}, "prod"]}}
    whole["Resources"]["Share1"]["Condition"] = "IsProd"
    (queue,) = planned(capsys, written(tmp_path, whole))
    assert figures(queue) == {
        "a": [None, None, None, None],
        "b": [None, None, 0, None],
        "c": [4, 4, 0, 4],
        "d": [2, 0, 0, 2],
    }
    assert queue["units"][0]["allocated"] is None


@pytest.mark.parametrize(
    ("kind", "allowed", "known"),
    [
        # a strategy: a's limit, what it lends and borrows, its largest job; b's
        ("strategy", ["RESERVE", "LEND"], {"a": [4, None, 0, 4], "b": [4, 4, None, None]}),
        ("strategy", ["LEND"], {"a": [4, 4, 0, 4], "b": [4, 4, 4, 8]}),
        ("strategy", ["LEND", "LEND_AND_BORROW"], {"a": [4, 4, None, None], "b": [4, 4, 4, 8]}),
        ("strategy", ["RESERVE", "RESRVE"], {"a": [4, 0, 0, 4], "b": [4, 4, 0, 4]}),
        ("borrow limit", [100, 200], {"a": [4, 4, 4, 8], "b": [4, 4, 4, 8]}),
        ("borrow limit", [0, 200], {"a": [4, 4, None, None], "b": [4, 4, 4, 8]}),
        # b can borrow 4, and the environment has 6
        ("limit", [1, 9], {"a": [None, None, None, None], "b": [4, 4, None, None]}),
        ("limit", [4, 9], {"a": [None, None, 4, 6], "b": [4, 4, 4, 6]}),
        ("limit", [2, 3], {"a": [None, None, None, None], "b": [4, 4, None, 6]}),
        ("limit", [8, "x"], {"a": [8, 8, 4, 6], "b": [4, 4, 4, 6]}),
    ],
)
def test_what_a_parameter_may_be_bounds_what_depends_on_it(
    tmp_path: Path, capsys: Captured, kind: str, allowed: list[Any], known: dict[str, list[Any]]
) -> None:
    ref = {"Ref": "P"}
    borrows = kind != "strategy"
    strategy = "LEND_AND_BORROW" if borrows else ref
    whole = template(
        {GPU: 6 if kind == "limit" else 16},
        {
            "a": ({GPU: ref if kind == "limit" else 4}, strategy, ref if borrows else None),
            "b": ({GPU: 4}, "LEND_AND_BORROW", 100),
        },
        parameters=["P"],
    )
    if kind == "limit":
        config = whole["Resources"]["Share0"]["Properties"]["ResourceSharingConfiguration"]
        config["BorrowLimit"] = 100
    whole["Parameters"]["P"]["AllowedValues"] = allowed
    (queue,) = planned(capsys, written(tmp_path, whole))
    assert figures(queue) == known


def test_a_strategy_that_borrows_nothing_in_any_case(tmp_path: Path, capsys: Captured) -> None:
    whole = template({GPU: 16}, {"a": ({GPU: 4}, {"Ref": "P"}, None)}, parameters=["P"])
    whole["Parameters"]["P"]["AllowedValues"] = ["RESERVE", "LEND"]
    path = written(tmp_path, whole)
    assert "a          4  unknown     none  unknown       0        4" in shown(capsys, path)
    asks = ["explain", path, "--share", "a", "--instance-type", GPU, "--count"]
    assert main([*asks, "4"]) == 0
    assert main([*asks, "5"]) == 1
    told = words(capsys.readouterr().out)
    assert "Borrowing: nothing, whatever its strategy turns out to be." in told
    assert "-> Raise the limit of 'a' for ml.p5.48xlarge from 4 to 5." in told


def test_many_conditions_leave_nothing_known_that_depends_on_one(
    tmp_path: Path, capsys: Captured
) -> None:
    names = [f"C{number}" for number in range(12)]
    shares = {name: ({GPU: {"Fn::If": [name, 4, 2]}}, "RESERVE", None) for name in names}
    whole = template({GPU: 48}, shares, parameters=[f"P{name}" for name in names])
    whole["Conditions"] = {name: {"Fn::Equals": [{"Ref": f"P{name}"}, "x"]} for name in names}
    (queue,) = planned(capsys, written(tmp_path, whole))
    assert figures(queue) == {name: [None, 0, 0, None] for name in names}
    # Which way is the widest is not known either.
    asks = ["--share", "C0", "--instance-type", GPU, "--count", "5"]
    assert main(["explain", str(tmp_path / "queue.json"), *asks]) == 3


def test_a_shares_environment_in_another_stack_is_found(tmp_path: Path, capsys: Captured) -> None:
    environment, rest = template({GPU: 5}, {}), template({}, {"a": ({GPU: 8}, "LEND", None)})
    environment["Resources"] = {"Env": environment["Resources"]["Env"]}
    environment["Outputs"] = {
        "Arn": {"Value": {"Ref": "Env"}, "Export": {"Name": "the-environment"}}
    }
    del rest["Resources"]["Env"]
    order = rest["Resources"]["Queue"]["Properties"]["ServiceEnvironmentOrder"][0]
    order["ServiceEnvironment"] = {"Fn::ImportValue": "the-environment"}
    artifacts = {
        name: {"type": "aws:cloudformation:stack", "properties": {"templateFile": f"{name}.json"}}
        for name in ("Base", "Team")
    }
    written(tmp_path, {"version": "48.0.0", "artifacts": artifacts}, "manifest.json")
    written(tmp_path, environment, "Base.json")
    written(tmp_path, rest, "Team.json")
    (queue,) = planned(capsys, str(tmp_path))
    assert (queue["stack"], queue["queue"]) == ("Team", "Queue")
    assert figures(queue) == {"a": [8, 8, 0, 5]}


# -- What AWS would refuse ---------------------------------------------------------------


def changed(resource: str, name: str, value: Any, whole: Any = TWO) -> Any:
    """Returns a template with a property that has another value, or none."""
    made = deepcopy(whole)
    made["Resources"][resource]["Properties"][name] = value
    if value is None:
        del made["Resources"][resource]["Properties"][name]
    return made


def two_of_one_environment() -> Any:
    """Returns a template of two queues that name one service environment."""
    made = deepcopy(TWO)
    queue = deepcopy(made["Resources"]["Queue"])
    queue["Properties"]["JobQueueName"] = "second"
    made["Resources"]["Queue2"] = queue
    for id in ("Share0", "Share1"):
        share = deepcopy(made["Resources"][id])
        share["Properties"]["JobQueue"] = {"Ref": "Queue2"}
        made["Resources"][f"{id}OfQueue2"] = share
    return made


def without_quota_management(id: str) -> Any:
    """Returns a template of two queues of one environment, one of them without quota management."""
    made = changed(id, "SchedulingPolicyArn", None, two_of_one_environment())
    for name in [*made["Resources"]]:
        share = made["Resources"][name]["Properties"]
        if share.get("JobQueue") == {"Ref": id}:
            del made["Resources"][name]
    return made


def two_environments() -> Any:
    """Returns a template of a queue that names two service environments."""
    orders = [{"Order": n, "ServiceEnvironment": {"Ref": f"Env{n}"}} for n in (1, 2)]
    made = changed("Queue", "ServiceEnvironmentOrder", orders)
    for n, most in ((1, 16), (2, 100)):
        made["Resources"][f"Env{n}"] = deepcopy(made["Resources"]["Env"])
        made["Resources"][f"Env{n}"]["Properties"]["CapacityLimits"][0]["MaxCapacity"] = most
    return made


ENV_OF_0 = [{"CapacityUnit": GPU, "MaxCapacity": 0}]
# A template; what is unknown of it, as (environment, largest job of research); the error.
REFUSED = [
    (changed("Env", "CapacityLimits", ENV_OF_0), (None, None), "SE-08: Env CapacityLimits[0]"),
    (changed("Share0", "CapacityLimits", ENV_OF_0), (16, None), "QS-05: Share0 CapacityLimits[0]"),
    (
        changed("Share0", "ResourceSharingConfiguration", {"Strategy": "LEND_AND_BOROW"}),
        (16, None),
        "ResourceSharingConfiguration.Strategy = 'LEND_AND_BOROW'",
    ),
    (two_environments(), (None, None), "JQ-03: Queue ServiceEnvironmentOrder: A job queue has"),
    (two_of_one_environment(), (None, None), "SE-12: Queue2 ServiceEnvironmentOrder"),
    (without_quota_management("Queue"), (None, None), "SE-12: Queue2 ServiceEnvironmentOrder"),
    (without_quota_management("Queue2"), (None, None), "SE-12: Queue2 ServiceEnvironmentOrder"),
]


@pytest.mark.parametrize(("whole", "known", "says"), REFUSED)
def test_what_aws_would_refuse_is_unknown_and_said(
    tmp_path: Path, capsys: Captured, whole: Any, known: tuple[Any, Any], says: str
) -> None:
    path = written(tmp_path, whole)
    queues = planned(capsys, path)
    for queue in queues:
        unit = queue["units"][0]
        assert (unit["environment"], unit["shares"][0]["largest_job"]) == known
    for form in FORMATS:
        told = read_in(capsys, form, path)
        # The picture has it twice, in words for who does not see it.
        times = len(queues) * (2 if form == "svg" else 1)
        assert told.count("qm-constructs check finds an error, ") == times
        assert says in told
        assert ("a value made elsewhere), what AWS would refuse, and what" in told) is (
            form != "svg"
        )
        assert "not in the service environment" not in told
    for queue in queues:
        asks = ["--share", "research", "--instance-type", GPU, "--count", "15"]
        assert main(["explain", path, *asks, "--queue", queue["name"]]) == 3
        assert says in words(capsys.readouterr().out)


def test_of_a_queue_with_the_same_environment_that_alone_is_told(
    tmp_path: Path, capsys: Captured
) -> None:
    whole = changed("Queue2", "Priority", 2000, two_of_one_environment())
    told = {
        queue["queue"]: re.findall("finds an error, (.{5})", json.dumps(queue))
        for queue in planned(capsys, written(tmp_path, whole))
    }
    assert told == {"Queue": ["SE-12"], "Queue2": ["JQ-01", "SE-12"]}


def test_an_error_of_a_whole_resource_names_it_alone(tmp_path: Path, capsys: Captured) -> None:
    whole = deepcopy(TWO)
    del whole["Resources"]["Env"]["Properties"]
    told = words(shown(capsys, written(tmp_path, whole)))
    assert "finds an error, SE-01: Env: A service environment has no Service" in told


@pytest.mark.parametrize(
    ("faulty", "told", "rest"),
    [(1, 1, []), (5, 5, []), (6, 5, ["finds 1 more."]), (8, 5, ["finds 3 more."])],
)
def test_of_many_errors_the_first_five_are_told(
    tmp_path: Path, capsys: Captured, faulty: int, told: int, rest: list[str]
) -> None:
    shares = {f"team {number}": ({GPU: 1}, "LEND", None) for number in range(faulty)}
    text = words(shown(capsys, written(tmp_path, template({GPU: 16}, shares))))
    assert [int(number) for number in re.findall(r"QS-02: Share(\d) ", text)] == [*range(told)]
    assert (
        f"qm-constructs check finds an error, QS-02: Share{told - 1} QuotaShareName = 'team "
        f"{told - 1}': A name has 1 to 128 characters: letters, digits, hyphens and underscores; "
        "this one has ' '. "
    ) in text
    assert re.findall(r"qm-constructs check (finds \S+ more\.)", text) == rest


@pytest.mark.parametrize(("default", "branches"), [("test", "LEND LEN"), ("prod", "LEN LEND")])
def test_an_error_that_depends_on_the_deploy_is_none_of_the_plan(
    tmp_path: Path, capsys: Captured, default: str, branches: str
) -> None:
    strategy = {"Strategy": {"Fn::If": ["IsProd", *branches.split()]}}
    whole = changed("Share1", "ResourceSharingConfiguration", strategy)
    whole["Parameters"]["Stage"] = {"Type": "String"}
    whole["Conditions"] = {"IsProd": {"Fn::Equals": [{"Ref": "Stage"}, "prod"]}}
    assert "finds an error" not in shown(capsys, written(tmp_path, whole))
    misnamed = changed("Share0", "QuotaShareName", "a b", whole)
    told = words(shown(capsys, written(tmp_path, misnamed)))
    assert re.findall("finds an error, (.{14})", told) == ["QS-02: Share0 "]
    whole["Parameters"]["Stage"]["Default"] = default
    assert "QS-" in shown(capsys, written(tmp_path, whole))


def test_a_quotas_file_names_the_error_as_it_is_written(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "quotas.yaml"
    file.write_text(
        f"capacity_limits: {{{GPU}: 0}}\nquota_shares:\n  a: {{capacity_limits: {{{GPU}: 4}}}}\n"
    )
    told = words(shown(capsys, str(file)))
    assert f"SE-08: service environment capacity_limits['{GPU}'] = 0: A capacity limit is" in told
    assert "service environment unknown" in told


ARN_START = "arn:aws:batch:us-east-1:111122223333"


@pytest.mark.parametrize(
    ("queue", "says"),
    [
        (None, "QS-"),
        ({"Ref": "Nothing"}, "CF-04: Share0 JobQueue"),
        ({"Ref": "Env"}, "Share0 JobQueue"),
        (f"{ARN_START}:service-environment/other", "QS-20"),
        (f"{ARN_START}:job-queue/other/quota-share/other", "QS-20"),
    ],
)
def test_shares_that_name_no_queue(tmp_path: Path, capsys: Captured, queue: Any, says: str) -> None:
    told = words(shown(capsys, written(tmp_path, changed("Share0", "JobQueue", queue))))
    assert "No queue (" in told
    assert "What these shares name as their queue is none." in told
    assert says in told
    assert "made elsewhere (" not in told
    assert "Other templates" not in told


def test_shares_whose_queue_is_not_made_have_no_queue(tmp_path: Path, capsys: Captured) -> None:
    whole = {**deepcopy(TWO), "Conditions": {"Never": {"Fn::Equals": ["a", "b"]}}}
    whole["Resources"]["Queue"]["Condition"] = "Never"
    told = words(shown(capsys, written(tmp_path, whole)))
    assert "No queue (" in told
    assert "What these shares name as their queue is none." in told
    assert "CF-04: Share0 JobQueue" in told


# -- Shares that are not listed ----------------------------------------------------------

LOOP = {"Fn::ForEach::Shares": ["N", ["x", "y"], {"S${N}": TWO["Resources"]["Share1"]}]}


def test_a_loop_of_the_template_may_add_shares(tmp_path: Path, capsys: Captured) -> None:
    whole = {**deepcopy(TWO), "Transform": "AWS::LanguageExtensions"}
    whole["Resources"] |= LOOP
    path = written(tmp_path, whole)
    told = words(shown(capsys, path))
    assert (
        "A macro, a module or an Fn::ForEach of the template may add shares to this queue" in told
    )
    assert "Other templates" not in told
    asks = ["--instance-type", GPU, "--count", "1"]
    assert main(["explain", path, "--share", "x", *asks]) == 3
    assert "one may be 'x'" in capsys.readouterr().out
    assert main(["explain", path, "--share", "research", *asks]) == 0


def test_a_loop_of_the_template_may_make_the_queue(tmp_path: Path, capsys: Captured) -> None:
    loop = {"Fn::ForEach::Queues": ["N", ["x"], {"Q${N}": TWO["Resources"]["Queue"]}]}
    path = written(tmp_path, {"Transform": "AWS::LanguageExtensions", "Resources": loop})
    told = read_in(capsys, "json", path)
    assert "an Fn::ForEach of the template " in told
    assert "queue.json may make queues." in told
    asks = ["explain", path, "--share", "x", "--instance-type", GPU, "--count", "1"]
    for more in ([], ["--queue", "Qx"]):
        assert main([*asks, *more, "--format", "json"]) == 3
        assert json.loads(capsys.readouterr().out)["runnable"] is None


def test_a_share_of_a_queue_that_is_not_told_may_be_one_of_each(
    tmp_path: Path, capsys: Captured
) -> None:
    whole = changed("Share1", "JobQueue", {"Ref": "P"})
    whole["Parameters"]["P"] = {"Type": "String"}
    told = words(shown(capsys, written(tmp_path, whole)))
    assert "A share whose queue the template does not tell may be one of this queue" in told


# -- Bad input ---------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html", "svg"])
def test_what_cannot_be_read_is_one_line(tmp_path: Path, capsys: Captured, form: str) -> None:
    broken = tmp_path / "broken\n::error::.json"
    broken.write_text("{")
    assert main(["plan", "--format", form, str(broken), str(tmp_path / "none.json")]) == 2
    out, err = capsys.readouterr()
    assert (out == "") is (form != "json")
    assert len(err.splitlines()) == 2
    assert all(line.startswith("qm-constructs: ") for line in err.splitlines())


def test_what_can_be_read_is_shown_all_the_same(tmp_path: Path, capsys: Captured) -> None:
    assert main(["plan", CORRECT, str(tmp_path / "none.json")]) == 2
    out, err = capsys.readouterr()
    assert "team-a" in out
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "no template was given -> qm-constructs plan cdk.out"),
        (["--format", "jsn", "x"], "there is no format 'jsn' -> did you mean json?"),
        (["--formt", "json", "x"], "there is no option '--formt' -> did you mean --format?"),
        (["-", "-"], "'-' is given twice"),
    ],
)
def test_wrong_arguments(capsys: Captured, arguments: list[str], says: str) -> None:
    assert main(["plan", *arguments]) == 2
    assert says in capsys.readouterr().err


HOSTILE = [
    "</script><script>alert(1)</script>",
    "\x1b[31mred\x07",
    "[bold]red[/bold]",
    "a|b",
    "`a``b`",
    "\u202eright to left",
    "*a* _b_ &lt; <!-- \r\n::error::",
    "</title></style></svg>",
]


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html", "svg"])
@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_no_name_does_anything(tmp_path: Path, capsys: Captured, name: str, form: str) -> None:
    path = written(tmp_path, template({name: 8}, {name: ({name: 4}, "LEND", None)}, name=name))
    out = shown(capsys, "--format", form, path)
    assert all(character.isprintable() or character == "\n" for character in out)
    if form in ("html", "svg"):
        assert "<script" not in out
    if form == "json":
        assert json.loads(out)["queues"][0]["name"] == name


# -- Any template ------------------------------------------------------------------------


@examples(60)
@given(templates(damages=3))
def test_any_template_has_a_plan_in_every_format(whole: dict[str, Any]) -> None:
    plans = plans_of([Stack(whole, "any.json")])
    for form in FORMATS:
        import_module(f"qm_constructs.cli.plan_as_{form}").render(plans)
    for plan in plans:
        for share in plan.shares:
            for unit in plan.units:
                if unit.name is not None:
                    answer = share.explain(unit.name, 4)
                    largest = share.largest_job(unit.name)
                    assert answer.largest_job == largest
                    assert largest is None or answer.runnable is (largest >= 4)


@pytest.mark.parametrize("form", ["html", "svg"])
def test_the_picture_of_a_limit_that_is_unknown(
    tmp_path: Path, capsys: Captured, form: str
) -> None:
    shares: dict[str, Any] = {"a": ({GPU: 8}, "LEND", None)}
    shares["c"] = ({GPU: {"Ref": "P"}}, "LEND", None)
    path = written(tmp_path, template({GPU: 20}, shares, parameters=["P"]))
    out = shown(capsys, "--format", form, path)
    (known, unknown) = re.findall(r"<svg x=[^>]*>.*?</svg>", out, flags=re.DOTALL)
    assert 'class="c0"' in known
    assert 'class="c1"' not in unknown
    assert 'class="open"' in unknown
    assert ">?</text>" in unknown
    # What no share has is not known either.
    assert "<pattern" not in out
    shares["c"] = ({GPU: 2}, "LEND", None)
    assert "<pattern" in shown(
        capsys, "--format", form, written(tmp_path, template({GPU: 20}, shares))
    )


@pytest.mark.parametrize("form", ["html", "svg"])
def test_queues_of_one_name_are_told_apart_by_their_files(
    tmp_path: Path, capsys: Captured, form: str
) -> None:
    paths = [written(tmp_path, TWO, name) for name in ("one.json", "two.json")]
    out = shown(capsys, "--format", form, *paths)
    told = re.findall("<a [^>]*>(.*?)</a>" if form == "html" else '"quiet"[^>]*>(.*?)</text>', out)
    for name in ("one.json", "two.json"):
        assert [text for text in told if text.endswith(f"{name})")]


# In quarters of the bar, from where to where each dashed box lies.
@pytest.mark.parametrize(
    ("strategies", "reach"),
    [
        # The last one reaches back, and passes over what does not lend.
        (["LEND", "RESERVE", "RESERVE", "LEND_AND_BORROW"], [(0, 1)]),
        (["LEND", "RESERVE", "LEND", "LEND_AND_BORROW"], [(0, 1), (2, 3)]),
        (["LEND", "LEND", "RESERVE", "LEND_AND_BORROW"], [(0, 2)]),
        (["LEND_AND_BORROW", "RESERVE", "LEND", "RESERVE"], [(2, 3)]),
        (["RESERVE", "LEND_AND_BORROW", "RESERVE", "RESERVE"], []),
        (["LEND", "LEND_AND_BORROW", "LEND", "RESERVE"], [(0, 1), (2, 3)]),
    ],
)
def test_the_picture_borrows_from_lenders_alone(
    tmp_path: Path, capsys: Captured, strategies: list[str], reach: list[tuple[int, int]]
) -> None:
    shares = {f"s{n}": ({GPU: 4}, strategy, None) for n, strategy in enumerate(strategies)}
    svg = shown(capsys, "--format", "svg", written(tmp_path, template({GPU: 16}, shares)))
    boxes = re.findall(r'<rect class="open" x="([0-9.]+)%" y="\d+" width="([0-9.]+)%"', svg)
    found = [(float(x) / 25, (float(x) + float(width)) / 25) for x, width in boxes]
    assert found == reach


@pytest.mark.parametrize("form", ["html", "svg", "text", "markdown", "json"])
def test_a_limit_may_be_beyond_any_float(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = deepcopy(SOUND)
    for id in ("Environment", "Product"):
        limit = whole["Resources"][id]["Properties"]["CapacityLimits"][0]
        limit["MaxCapacity"] = 10**400
    path = tmp_path / "a.json"
    path.write_text(json.dumps(whole))
    assert main(["plan", "--format", form, str(path)]) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize(
    ("named", "name", "is_none"),
    [
        ("another", "another", False),
        ({"Ref": "Given"}, None, False),
        ("no:name", None, False),
        ({"Fn::GetAtt": ["Role", "RoleId"]}, None, True),
        ({"Ref": "Environment"}, None, True),
        ({"Ref": "Role"}, None, True),
    ],
    ids=str,
)
def test_a_queue_of_a_share_may_be_one_elsewhere_or_none(
    named: Any, name: str | None, *, is_none: bool
) -> None:
    whole = deepcopy(SOUND)
    for id in ("Queue", "Research"):
        del whole["Resources"][id]
    whole["Resources"]["Role"] = {"Type": "AWS::IAM::Role"}
    whole["Resources"]["Product"]["Properties"]["JobQueue"] = named
    whole["Parameters"] = {"Given": {"Type": "String"}}
    (plan,) = plans_of([Stack(whole, "a.json")])
    assert (plan.origin.name, plan.origin.is_none) == (name, is_none)
