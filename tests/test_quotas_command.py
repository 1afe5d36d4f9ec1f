"""The commands with a quotas file in the place of a template."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from qm_constructs import QuotaManagementError, QuotaPlan
from qm_constructs.cli.main import main

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "quotas.yaml"
SNAPSHOT = ROOT / "tests" / "__snapshots__" / "test_snapshots" / "test_sample_template.json"

WRONG = """\
capacity_limits: {ml.p5.48xlarge: 16}
priority: 1001
tags: {'aws:team': x}
quota_shares:
  research:
    capacity_limits: {ml.p5.48xlrge: 8}
    resource_sharing: {strategy: RESERVE, borrow_limit: 50}
"""
BROKEN = WRONG + "    enabled: 'on'\n  product: {capacity_limit: {ml.p5.48xlarge: 4}}\n"


def run(*arguments: str, stdin: str = "", cwd: Path | None = None) -> tuple[int, str, str]:
    """Runs the command as a user does."""
    done = subprocess.run(
        [sys.executable, "-m", "qm_constructs", *arguments],
        input=stdin,
        cwd=cwd,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    (tmp_path / "quotas.yaml").write_text(WRONG)
    return tmp_path


# -- check -----------------------------------------------------------------------------------


def test_check_names_the_share_the_key_and_the_line(wrong: Path) -> None:
    code, out, err = run("check", "quotas.yaml", cwd=wrong)
    assert (code, err) == (1, "")
    heads = [line for line in out.splitlines() if line.startswith(("quotas.yaml", "  error"))]
    assert heads == [
        "quotas.yaml:2",
        "  error JQ-01  job queue  priority = 1001",
        "quotas.yaml:3",
        "  error SJ-09  job queue  tags.aws:team = 'x'",
        "quotas.yaml:6",
        "  error XR-01  research  capacity_limits['ml.p5.48xlrge'] = 8",
        "quotas.yaml:7",
        "  error QS-08  research  resource_sharing.borrow_limit = 50",
    ]
    assert out.endswith("4 errors in 1 quotas file (4 resources of AWS Batch)\n")


def test_check_for_programs(wrong: Path) -> None:
    _, out, _ = run("check", "--format", "json", "quotas.yaml", cwd=wrong)
    document = json.loads(out)
    assert document["checked"] == {"templates": 0, "quotas_files": 1, "resources": 4}
    found = [(f["rule"], f["resource"], f["path"], f["line"]) for f in document["findings"]]
    assert found == [
        ("JQ-01", "job queue", ["priority"], 2),
        ("SJ-09", "job queue", ["tags", "aws:team"], 3),
        ("XR-01", "research", ["capacity_limits", "ml.p5.48xlrge"], 6),
        ("QS-08", "research", ["resource_sharing", "borrow_limit"], 7),
    ]
    _, out, _ = run("check", "--format", "sarif", "quotas.yaml", cwd=wrong)
    results = json.loads(out)["runs"][0]["results"]
    assert [r["locations"][0]["physicalLocation"]["region"]["startLine"] for r in results] == [
        2,
        3,
        6,
        7,
    ]


def test_a_name_at_fault_is_the_resource_alone(tmp_path: Path) -> None:
    (tmp_path / "quotas.yaml").write_text(WRONG.replace("research", "my team"))
    _, out, _ = run("check", "--format", "github", "quotas.yaml", cwd=tmp_path)
    assert "::error file=quotas.yaml,line=5,title=QS-02 my team::A name has 1 to 128" in out


def test_a_sound_file_is_counted_beside_templates() -> None:
    correct = str(ROOT / "tests" / "cases" / "correct.template.json")
    code, out, err = run("check", str(EXAMPLE), correct)
    assert (code, err) == (0, "")
    assert out.endswith("in 1 template and 1 quotas file (11 resources of AWS Batch)\n")


def test_a_rule_can_be_left_out(wrong: Path) -> None:
    code, out, _ = run("check", "--ignore", "JQ-01,SJ-09,XR-01,QS-08", "quotas.yaml", cwd=wrong)
    assert code == 0
    assert out.startswith("No errors or warnings")


def test_what_is_no_key_or_no_such_value_is_said_in_a_line_each(tmp_path: Path) -> None:
    (tmp_path / "quotas.yaml").write_text(BROKEN)
    code, out, err = run("check", "quotas.yaml", cwd=tmp_path)
    assert code == 2
    assert err.splitlines() == [
        "qm-constructs: quotas.yaml:8: quota_shares.research.enabled = 'on': Must be true or "
        "false; this is text. Write true or false. (column 5)",
        "qm-constructs: quotas.yaml:9: quota_shares.product.capacity_limit = {'ml.p5.48xlarge': "
        "4}: There is no such key here; a quota share has capacity_limits, resource_sharing, "
        "in_share_preemption, enabled, tags. Did you mean capacity_limits? (column 13)",
    ]
    # What is right so far is judged all the same.
    assert out.endswith(
        "2 wrong keys or values, 4 errors in 1 quotas file (5 resources of AWS Batch)\n"
    )


@pytest.mark.parametrize(
    "command",
    [["plan"], ["explain", "--share", "a", "--instance-type", "ml.p5.48xlarge", "--count", "1"]],
)
def test_no_answer_is_made_up_from_a_broken_file(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "quotas.yaml").write_text(BROKEN)
    code, out, err = run(*command, "quotas.yaml", cwd=tmp_path)
    assert (code, out, len(err.splitlines())) == (2, "", 2)


@pytest.mark.parametrize(
    ("command", "rest"),
    [
        (["plan"], {"queues": [], "notes": []}),
        (
            ["explain", "--share", "a", "--instance-type", "ml.p5.48xlarge", "--count", "1"],
            dict.fromkeys(
                (
                    "runnable",
                    "largest_job",
                    "reason",
                    "status_text",
                    "smallest_change",
                    "explanation",
                )
            ),
        ),
    ],
)
def test_programs_are_told_what_could_not_be_read(
    tmp_path: Path, command: list[str], rest: dict[str, Any]
) -> None:
    (tmp_path / "quotas.yaml").write_text(BROKEN)
    code, out, _ = run(*command, "--format", "json", "quotas.yaml", "gone.json", cwd=tmp_path)
    assert code == 2
    document = json.loads(out)
    told = document.pop("unreadable")
    assert document == rest
    assert [(problem["file"], problem["line"]) for problem in told] == [
        ("quotas.yaml", 8),
        ("quotas.yaml", 9),
        ("gone.json", None),
    ]
    assert told[2]["reason"] == "does not exist"
    _, of_check, _ = run("check", "--format", "json", "quotas.yaml", "gone.json", cwd=tmp_path)
    assert json.loads(of_check)["unreadable"] == told


def test_a_plan_for_programs_always_says_what_could_not_be_read() -> None:
    _, out, _ = run("plan", "--format", "json", str(EXAMPLE))
    assert json.loads(out)["unreadable"] == []


HOSTILE = "\x1b[31m</script>\u202e"


@pytest.mark.parametrize("command", [["check"], ["check", "--format", "github"], ["plan"]])
def test_names_are_text(tmp_path: Path, command: list[str]) -> None:
    share = {"capacity_limits": {"ml.p5.48xlarge": 4, HOSTILE: 1}, HOSTILE: HOSTILE}
    document = {"capacity_limits": {"ml.p5.48xlarge": 8}, "quota_shares": {HOSTILE: share}}
    (tmp_path / "q.json").write_text(json.dumps(document))
    code, out, err = run(*command, "q.json", cwd=tmp_path)
    assert code == 2
    assert "\x1b" not in out + err
    assert "\u202e" not in out + err


# -- plan and explain ------------------------------------------------------------------------


def test_plan_and_explain_say_of_a_file_what_they_say_of_its_template(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (template,) = json.loads(SNAPSHOT.read_text()).values()
    (tmp_path / "t.json").write_text(json.dumps(template))

    def answers(*arguments: str) -> tuple[int, Any]:
        code = main(arguments)
        return code, json.loads(capsys.readouterr().out)

    _, of_file = answers("plan", "--format", "json", str(EXAMPLE))
    _, of_template = answers("plan", "--format", "json", str(tmp_path / "t.json"))
    (queue,) = of_file["queues"]
    assert queue["units"] == of_template["queues"][0]["units"]
    assert (queue["file"], queue["queue"], queue["name"]) == (str(EXAMPLE), "job queue", None)
    for count in ("12", "13"):
        question = ("--share", "research", "--instance-type", "ml.p5.48xlarge", "--count", count)
        said = answers("explain", str(EXAMPLE), *question, "--format", "json")
        assert said == answers("explain", str(tmp_path / "t.json"), *question, "--format", "json")
        assert said[0] == int(count) - 12


def test_quotas_files_and_templates_are_counted_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(EXAMPLE.read_text())
    correct = str(ROOT / "tests" / "cases" / "correct.template.json")
    assert main(["check", str(tmp_path / "a.yaml"), str(tmp_path / "b.yaml"), correct]) == 0
    assert " in 1 template and 2 quotas files (" in capsys.readouterr().out


# -- What is a quotas file -------------------------------------------------------------------


@pytest.mark.parametrize("name", ["quotas.yaml", "quotas.json", "q.template", "Quotas", "-"])
def test_a_quotas_file_is_known_by_what_is_in_it(tmp_path: Path, name: str) -> None:
    text = json.dumps({"quota_shares": {}, "capacity_limits": {"ml.p5.48xlarge": 1}})
    if name != "-":
        (tmp_path / name).write_text(text)
    _, out, _ = run("check", name, stdin=text, cwd=tmp_path)
    assert "in 1 quotas file" in out


def test_a_template_called_quotas_is_a_template(tmp_path: Path) -> None:
    (tmp_path / "quotas.yaml").write_text("Resources: {}\ncapacity_limits: {}\n")
    _, out, _ = run("check", "quotas.yaml", cwd=tmp_path)
    assert "1 template without" in out


def test_the_spelling_of_a_template_is_told(tmp_path: Path) -> None:
    (tmp_path / "quotas.yaml").write_text("CapacityLimits: {}\n")
    code, _, err = run("check", "quotas.yaml", cwd=tmp_path)
    assert code == 2
    assert "a quotas file has capacity_limits and quota_shares, spelt so" in err


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("capacity_limit", "capacity_limits"),
        ("capacty_limits", "capacity_limits"),
        ("capacity-limits", "capacity_limits"),
        ("capacityLimits", "capacity_limits"),
        ("quotaShares", "quota_shares"),
        ("quota_share", "quota_shares"),
    ],
)
@pytest.mark.parametrize("command", ["check", "plan"])
def test_a_slip_in_the_keys_is_told_as_in_python(
    tmp_path: Path, key: str, meant: str, command: str
) -> None:
    (tmp_path / "quotas.yaml").write_text(f"priority: 1\n{key}: {{ml.p5.48xlarge: 4}}\n")
    code, _, err = run(command, "quotas.yaml", cwd=tmp_path)
    assert code == 2
    assert f"Did you mean {meant}?" in err
    assert "CloudFormation template" not in err
    with pytest.raises(QuotaManagementError) as raised:
        QuotaPlan.from_file(tmp_path / "quotas.yaml")
    assert f"Did you mean {meant}?" in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        "limits: {a: 1}",
        "capacity: 3",
        "quota: {a: 1}",
        "shares: {a: 1}",
        "AWSTemplateFormatVersion: x\ncapacity_limit: {}",
    ],
)
def test_what_is_no_slip_is_no_quotas_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "quotas.yaml").write_text(text)
    _, _, err = run("check", "quotas.yaml", cwd=tmp_path)
    assert "is not a CloudFormation template" in err


def test_the_lines_stand_in_the_order_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "quotas.yaml").write_text(
        "quota_shares:\n  a: {}\n  b: {enabled: 1, capacity_limits: 3}\nx: 1\n"
    )
    _, _, err = run("check", "quotas.yaml", cwd=tmp_path)
    lines = [int(line.split(":")[2]) for line in err.splitlines()]
    assert lines == sorted(lines)
    assert len(lines) == 5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("capacity_limits: {ml.p5.48xlarge: 4}\nx: 1\n", "1 wrong key or value in 1 quotas file"),
        (
            "capacity_limits: {ml.p5.48xlarge: 4}\nx: 1\npriority: high\n",
            "2 wrong keys or values in 1 quotas file",
        ),
    ],
)
@pytest.mark.parametrize("form", ["text", "github"])
def test_the_summary_of_a_broken_file_is_no_pass(
    tmp_path: Path, text: str, says: str, form: str
) -> None:
    (tmp_path / "quotas.yaml").write_text(text)
    code, out, err = run("check", "--format", form, "quotas.yaml", cwd=tmp_path)
    assert code == 2
    assert says in out
    assert "No errors" not in out
    assert "could not be read" not in out
    assert len(err.splitlines()) == int(says[0])


# -- schema ----------------------------------------------------------------------------------


def test_schema_prints_the_json_schema() -> None:
    code, out, err = run("schema")
    assert (code, err) == (0, "")
    assert json.loads(out)["properties"]["capacity_limits"]
    code, out, err = run("schema", "quotas.yaml")
    assert (code, out) == (2, "")
    assert "takes no argument" in err
