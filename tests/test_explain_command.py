"""``qm-constructs explain``, as a user runs it."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App, NestedStack, Stack, Stage

from qm_constructs import QuotaManagedTrainingQueue
from qm_constructs.cli.main import main
from tests.plan_scenarios import GPU, template
from tests.test_plan import HOSTILE, TWO, written

Captured = pytest.CaptureFixture[str]


def asked(path: str, share: str = "research", count: Any = 12, *more: str) -> int:
    """Returns how a question about GPU ends."""
    asks = {"--share": share, "--instance-type": GPU, "--count": str(count)}
    asks |= dict(zip(more[::2], more[1::2], strict=True))
    return main(["explain", path, *(word for pair in asks.items() for word in pair)])


def test_a_job_that_can_run(tmp_path: Path, capsys: Captured) -> None:
    assert asked(written(tmp_path, TWO)) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert (
        out
        == """\
A job of 12 ml.p5.48xlarge in 'research' can run, with 2 borrowed: it waits
until the others leave them idle, and can be preempted when they want them
back.
  Own limit: 10.
  Borrowing: 5; its borrow limit is 50 % of 10, which is 5; the others lend 6
    ('product' 6).
  Reach: 10 + 5 = 15.
  Service environment: 16.
  Largest job: 15.
"""
    )


def test_a_job_that_never_can(tmp_path: Path, capsys: Captured) -> None:
    assert asked(written(tmp_path, TWO), "research", 16) == 1
    assert capsys.readouterr().out.endswith(
        """\
  It waits in RUNNABLE until somebody terminates it, and blocks its share
    meanwhile.
  AWS will show: MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED - Job
    requirements exceed quota share capacity limits and borrow limits.
  -> Raise the borrow limit of 'research' from 50 % to 60 %.
"""
    )


def test_json(tmp_path: Path, capsys: Captured) -> None:
    path = written(tmp_path, TWO)
    assert asked(path, "product", 7, "--format", "json") == 1
    answer = json.loads(capsys.readouterr().out)
    explanation = answer.pop("explanation")
    assert "Largest job: 6." in explanation.splitlines()
    assert answer == {
        "unreadable": [],
        "runnable": False,
        "largest_job": 6,
        "reason": "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED",
        "status_text": "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED - "
        "Job requirements exceed quota share capacity limits.",
        "smallest_change": "Raise the limit of 'product' for ml.p5.48xlarge from 6 to 7. "
        "The shares then hold 1 more than the service environment (XR-02).",
    }
    assert asked(path, "product", 6, "--format", "json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["runnable"], answer["largest_job"], answer["reason"]) == (True, 6, None)


def test_a_type_that_nobody_has_a_limit_for(tmp_path: Path, capsys: Captured) -> None:
    arguments = ["--share", "research", "--instance-type", "ml.g5.xlarge", "--count", "1"]
    assert main(["explain", written(tmp_path, TWO), *arguments]) == 1
    assert "the service environment has no limit for this type" in " ".join(
        capsys.readouterr().out.split()
    )


def test_what_the_template_does_not_tell(tmp_path: Path, capsys: Captured) -> None:
    shares = {"research": ({GPU: {"Ref": "P"}}, "LEND", None)}
    path = written(tmp_path, template({GPU: 16}, shares, parameters=["P"]))
    assert asked(path, "research", 4, "--format", "json") == 3
    answer = json.loads(capsys.readouterr().out)
    assert (answer["runnable"], answer["largest_job"]) == (None, None)
    assert asked(path, "research", 17) == 1


def test_a_share_whose_name_is_not_told_may_be_the_one(tmp_path: Path, capsys: Captured) -> None:
    whole = template({GPU: 16}, {"a": ({GPU: 4}, "LEND", None)}, parameters=["P"])
    whole["Resources"]["Share0"]["Properties"]["QuotaShareName"] = {"Ref": "P"}
    path = written(tmp_path, whole)
    assert asked(path, "research", 4) == 3
    assert "one may be 'research'" in capsys.readouterr().out
    assert asked(path, "research", 4, "--format", "json") == 3
    assert json.loads(capsys.readouterr().out)["runnable"] is None


def test_standard_input(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    del tmp_path
    stdin = io.TextIOWrapper(io.BytesIO(json.dumps(TWO).encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    assert asked("-") == 0
    assert "can run" in capsys.readouterr().out


# -- Which queue -------------------------------------------------------------------------


def two_stacks(folder: Path) -> str:
    """Returns a cdk.out folder with a queue of the same logical id in two stacks."""
    artifacts = {
        name: {"type": "aws:cloudformation:stack", "properties": {"templateFile": f"{name}.json"}}
        for name in ("East", "West")
    }
    written(folder, {"version": "48.0.0", "artifacts": artifacts}, "manifest.json")
    for name, own in (("East", 4), ("West", 8)):
        shares = {"research": ({GPU: own}, "LEND", None)}
        written(folder, template({GPU: 16}, shares, name=f"queue-{name}"), f"{name}.json")
    return str(folder)


@pytest.mark.parametrize(
    ("queue", "code"), [("queue-East", 1), ("queue-West", 0), ("East/Queue", 1), ("West/Queue", 0)]
)
def test_a_queue_is_named_in_three_ways(tmp_path: Path, queue: str, code: int) -> None:
    assert asked(two_stacks(tmp_path), "research", 8, "--queue", queue) == code


def test_a_logical_id_names_a_queue(tmp_path: Path) -> None:
    assert asked(written(tmp_path, TWO), "research", 8, "--queue", "Queue") == 0


@pytest.mark.parametrize("more", [[], ["--queue", "Queue"]])
def test_two_queues_with_such_a_share(tmp_path: Path, capsys: Captured, more: list[str]) -> None:
    assert asked(two_stacks(tmp_path), "research", 8, *more) == 2
    assert capsys.readouterr() == (
        "",
        "qm-constructs explain: several queues have a share 'research'"
        " -> --queue East/Queue or --queue West/Queue\n",
    )


@pytest.mark.cdk
def test_a_queue_in_a_nested_stack_of_two_stages(tmp_path: Path, capsys: Captured) -> None:
    # As `cdk synth` does.
    context = {"aws:cdk:enable-asset-metadata": True}
    app = App(outdir=str(tmp_path / "cdk.out"), context=context)
    for name, own in (("Dev", 4), ("Prod", 8)):
        nested = NestedStack(Stack(Stage(app, name), "T"), "Nest")
        queue = QuotaManagedTrainingQueue(nested, "Queue", capacity_limits={GPU: 16})
        queue.add_quota_share("research", capacity_limits={GPU: own})
    folder = app.synth().directory
    assert asked(folder, "research", 8) == 2
    err = capsys.readouterr().err
    names = re.findall(r"--queue (\S+)", err)
    assert [name.split("/")[0] for name in names] == ["Dev-T", "Prod-T"]
    assert [asked(folder, "research", 8, "--queue", name) for name in names] == [1, 0]
    capsys.readouterr()
    assert main(["plan", "--format", "json", folder]) == 0
    queues = json.loads(capsys.readouterr().out)["queues"]
    assert [f"{queue['stack']}/{queue['queue']}" for queue in queues] == names


# -- Wrong questions ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--share", "reserch"], "there is no share 'reserch' -> did you mean research?"),
        (["--share", "x"], "there is no share 'x' -> the shares are research, product"),
        (
            ["--instance-type", "ml.p5.48xlrge"],
            "no such instance type. -> Did you mean 'ml.p5.48xlarge'?",
        ),
        (["--instance-type", "gpu"], "Write a type such as 'ml.p5.48xlarge'."),
        (["--queue", "trainin"], "there is no queue 'trainin' -> did you mean training?"),
        (["--queue", "x"], "there is no queue 'x' -> the queues are training, Queue"),
        (["--count", "0"], "--count 0: Must be a whole number from 1 to 2147483647."),
        (["--count", "-1"], "--count -1: Must be a whole number from 1 to 2147483647."),
        (
            ["--count", "9" * 30],
            f"--count {'9' * 30}: Must be a whole number from 1 to 2147483647.",
        ),
        (["--count", "2147483648"], "Must be a whole number from 1 to 2147483647."),
        (["--count", "1.5"], "--count 1.5: Must be a whole number from 1 to 2147483647."),
        (["--count", "\u0661"], "Must be a whole number from 1 to 2147483647."),
        (["--count", "9" * 5000], "Must be a whole number from 1 to 2147483647."),
        (["--format", "text,"], "there is no format 'text,'"),
    ],
)
def test_a_wrong_question(
    tmp_path: Path, capsys: Captured, arguments: list[str], says: str
) -> None:
    assert asked(written(tmp_path, TWO), "research", 4, *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err
    assert len(err.splitlines()) == 1


def test_a_missing_option_is_named(tmp_path: Path, capsys: Captured) -> None:
    assert main(["explain", written(tmp_path, TWO), "--share", "a"]) == 2
    err = capsys.readouterr().err
    assert "--instance-type and --count are missing -> " in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("option", ["--share", "--instance-type", "--count", "--queue", "--format"])
def test_an_option_that_is_given_twice_is_no_choice(
    tmp_path: Path, capsys: Captured, option: str
) -> None:
    arguments = ["--share", "research", "--instance-type", GPU, "--count", "1", "--format", "text"]
    arguments += ["--queue", "training"]
    assert main(["explain", written(tmp_path, TWO), *arguments]) == 0
    capsys.readouterr()
    assert main(["explain", written(tmp_path, TWO), *arguments, f"{option}=1"]) == 2
    assert capsys.readouterr() == (
        "",
        f"qm-constructs explain: {option} is given twice -> see qm-constructs explain --help\n",
    )


def test_no_queue(tmp_path: Path, capsys: Captured) -> None:
    assert asked(written(tmp_path, {"Resources": {}})) == 2
    assert "no queue of AWS Batch quota management was found" in capsys.readouterr().err


def test_what_cannot_be_read_is_one_line(tmp_path: Path, capsys: Captured) -> None:
    assert asked(str(tmp_path / "none.json")) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_no_name_does_anything(tmp_path: Path, capsys: Captured, name: str) -> None:
    path = written(tmp_path, template({GPU: 8}, {name: ({GPU: 4}, "LEND", None)}, name=name))
    for count, code in ((4, 0), (5, 1)):
        for more in ([], ["--queue", name], ["--format", "json"]):
            assert asked(path, name, count, *more) == code
    assert asked(path, "x", 1) == 2
    assert asked(path, name, 1, "--queue", "x") == 2
    out, err = capsys.readouterr()
    assert all(character.isprintable() or character == "\n" for character in out + err)
