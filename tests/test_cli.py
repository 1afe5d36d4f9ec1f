"""The command line: what it prints, in which format, and how it ends."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from qm_constructs.cli.check import FORMATS
from qm_constructs.cli.main import COMMANDS, main
from qm_constructs.rules import NAMESPACE, RULES
from qm_constructs.template.report import Located, Note, Report, Unreadable

HERE = Path(__file__).parent
CASES = HERE / "cases"
EXPECTED: dict[str, dict[str, Any]] = json.loads((CASES / "expected.json").read_text())
CORRECT = str(CASES / "correct.template.json")
FAULTY = str(CASES / "borrow-limit-on-lend.template.json")
WARNED = str(CASES / "sum-above-environment.template.json")

ERROR = Located(
    rule=RULES["QS-08"],
    file="infra/queue.json",
    stack="Training",
    construct="Training/Queue/TeamA",
    line=24,
    resource="TrainingQueueTeamA1B2C3D4",
    path=("Properties", "ResourceSharingConfiguration", "BorrowLimit"),
    message="A borrow limit is for LEND_AND_BORROW, and this share has LEND.",
    fix="Leave the borrow limit out, or choose LEND_AND_BORROW.",
)
WARNING = Located(
    rule=RULES["XR-02"],
    file="infra/queue.json",
    stack=None,
    construct=None,
    line=None,
    resource="SE",
    path=("Properties", "CapacityLimits", 0, "MaxCapacity"),
    message="The quota shares hold 12 ml.p5.48xlarge together. AWS has not confirmed whether it "
    "takes this.",
    fix="Lower the shares' limits by 2 together, or raise the environment's.",
)
BROKEN = Unreadable("broken.json", "',' is missing (column 5)", 3)
REPORT = Report([ERROR, WARNING], [BROKEN], 2, 12, acknowledged=1, ignored=3)

HOSTILE = "\x1b[31m[bold]a\r\n::error::b\x07\u202e%\udcff,:"


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Callable[[Report], list[Any]]:
    """Makes ``check`` say what a test wants; returns the arguments that it was given."""

    def answers(report: Report) -> list[Any]:
        calls: list[Any] = []

        def check(*arguments: Any) -> Report:
            calls.extend(arguments)
            return report

        monkeypatch.setattr("qm_constructs.cli.check.check", check)
        return calls

    return answers


Engine = Callable[[Report], list[Any]]
Captured = pytest.CaptureFixture[str]


def shown(capsys: Captured, *arguments: str) -> str:
    """Returns what a command prints to standard output."""
    main(arguments)
    return capsys.readouterr().out


def sarif(capsys: Captured) -> Any:
    """Returns the only run of a SARIF log."""
    return json.loads(shown(capsys, "check", "--format", "sarif", "x"))["runs"][0]


# -- Exit codes --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("report", "plain", "strict"),
    [
        (Report(), 0, 0),
        (Report([WARNING]), 0, 1),
        (Report([ERROR]), 1, 1),
        (Report([WARNING, ERROR]), 1, 1),
        (Report([], [BROKEN]), 2, 2),
        (Report([ERROR], [BROKEN]), 2, 2),
    ],
)
@pytest.mark.parametrize("form", FORMATS)
def test_exit_code(engine: Engine, report: Report, plain: int, strict: int, form: str) -> None:
    engine(report)
    assert main(["check", "--format", form, "x"]) == plain
    assert main(["check", "--format", form, "--strict", "x"]) == strict


def test_an_interrupt_ends_quietly(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    def interrupted(*_: Any) -> Report:
        raise KeyboardInterrupt

    monkeypatch.setattr("qm_constructs.cli.check.check", interrupted)
    assert main(["check", "x"]) == 130
    assert capsys.readouterr() == ("", "")


# -- Text --------------------------------------------------------------------------------


def test_text(engine: Engine, capsys: Captured) -> None:
    engine(REPORT)
    main(["check", "x"])
    out, err = capsys.readouterr()
    assert (
        out
        == """\
infra/queue.json:24
  error QS-08  TrainingQueueTeamA1B2C3D4
    ResourceSharingConfiguration.BorrowLimit
    construct Training/Queue/TeamA
    A borrow limit is for LEND_AND_BORROW, and this share has LEND.
    -> Leave the borrow limit out, or choose LEND_AND_BORROW.

infra/queue.json
  warning XR-02  SE  CapacityLimits[0].MaxCapacity
    The quota shares hold 12 ml.p5.48xlarge together. AWS has not confirmed
    whether it takes this.
    -> Lower the shares' limits by 2 together, or raise the environment's.

1 error, 1 warning in 2 templates (12 resources of AWS Batch); 1 acknowledged, \
3 ignored; 1 file could not be read
"""
    )
    assert err == "qm-constructs: broken.json:3: ',' is missing (column 5)\n"


def test_findings_of_one_line_stand_together(engine: Engine, capsys: Captured) -> None:
    engine(Report([ERROR, ERROR._replace(rule=RULES["QS-09"])], [], 1, 1))
    assert shown(capsys, "check", "x").count("infra/queue.json:24") == 1


def test_text_keeps_to_a_terminal_of_80_columns(engine: Engine, capsys: Captured) -> None:
    long = ERROR._replace(
        resource="R" * 50,
        construct=f"{'C' * 40}/{'D' * 20} {'E' * 30}",
        message="word " * 60,
        fix="word " * 60,
    )
    engine(Report([long], [], 1, 1))
    findings = shown(capsys, "check", "x").splitlines()[:-1]
    assert max(map(len, findings)) < 80


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("Properties", "CapacityLimits", 0, "CapacityUnit"), "CapacityLimits[0].CapacityUnit"),
        (("Properties", "Tags", "cost center"), "Tags['cost center']"),
        (("Properties", "Priority", "Fn::If", 1), "Priority.Fn::If[1]"),
        (("Properties",), "Properties"),
        (("Type",), "Type"),
        ((), ""),
    ],
)
def test_paths_are_shown_as_people_write_them(
    engine: Engine, capsys: Captured, path: tuple[str | int, ...], expected: str
) -> None:
    engine(Report([WARNING._replace(path=path)], [], 1, 1))
    assert (
        shown(capsys, "check", "x").splitlines()[1] == f"  warning XR-02  SE  {expected}".rstrip()
    )


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        (Report(), "Nothing was checked"),
        (
            Report(templates=1, resources=0),
            "Nothing to check: 1 template without a resource of AWS Batch quota management",
        ),
        (
            Report(templates=2, resources=0, unreadable=[BROKEN]),
            "Nothing to check: 2 templates without a resource of AWS Batch quota management; "
            "1 file could not be read",
        ),
        (
            Report(unreadable=[BROKEN, BROKEN, BROKEN._replace(file="b.json")]),
            "Nothing was checked; 2 files could not be read",
        ),
        (
            Report(templates=1, resources=1),
            "No errors or warnings in 1 template (1 resource of AWS Batch)",
        ),
        (
            Report([ERROR] * 2, templates=3, resources=12, ignored=1),
            "2 errors in 3 templates (12 resources of AWS Batch); 1 ignored",
        ),
        (
            Report([WARNING], templates=1, resources=2, acknowledged=2),
            "1 warning in 1 template (2 resources of AWS Batch); 2 acknowledged",
        ),
    ],
)
@pytest.mark.parametrize("form", ["text", "github"])
def test_summary_says_what_was_checked(
    engine: Engine, capsys: Captured, report: Report, expected: str, form: str
) -> None:
    engine(report)
    assert shown(capsys, "check", "--format", form, "x").splitlines()[-1] == expected


@pytest.mark.parametrize(
    ("form", "said"), [("text", True), ("github", True), ("json", False), ("sarif", False)]
)
def test_what_could_not_be_read_is_said_where_people_look(
    engine: Engine, capsys: Captured, form: str, said: bool
) -> None:
    engine(Report([], [BROKEN, Unreadable("-", "it is empty")]))
    main(["check", "--format", form, "x"])
    assert capsys.readouterr().err.splitlines() == (
        [
            "qm-constructs: broken.json:3: ',' is missing (column 5)",
            "qm-constructs: standard input: it is empty",
        ]
        if said
        else []
    )


# -- Colour ------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "coloured"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(
    engine: Engine,
    monkeypatch: pytest.MonkeyPatch,
    stream: io.StringIO,
    environment: dict[str, str],
    coloured: bool,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", stream)
    engine(REPORT)
    for command in (["check", "x"], ["rules"], ["rules", "XR-02"]):
        stream.seek(0)
        stream.truncate()
        main(command)
        assert ("\x1b[" in stream.getvalue()) is coloured


# -- JSON --------------------------------------------------------------------------------


def test_json(engine: Engine, capsys: Captured) -> None:
    note = Note("infra/queue.json", "Queue", "Not all of it.")
    engine(Report([ERROR, WARNING], [BROKEN], 2, 12, acknowledged=1, ignored=3, notes=[note]))
    document = json.loads(shown(capsys, "check", "--format", "json", "x"))
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", document.pop("version"))
    error, warning = document.pop("findings")
    assert document == {
        "checked": {"templates": 2, "quotas_files": 0, "resources": 12},
        "acknowledged": 1,
        "ignored": 3,
        "notes": [{"file": "infra/queue.json", "resource": "Queue", "message": "Not all of it."}],
        "unreadable": [{"file": "broken.json", "line": 3, "reason": "',' is missing (column 5)"}],
    }
    assert error == {
        "rule": "QS-08",
        "severity": "error",
        "file": "infra/queue.json",
        "stack": "Training",
        "construct": "Training/Queue/TeamA",
        "line": 24,
        "resource": "TrainingQueueTeamA1B2C3D4",
        "path": ["Properties", "ResourceSharingConfiguration", "BorrowLimit"],
        "message": "A borrow limit is for LEND_AND_BORROW, and this share has LEND.",
        "fix": "Leave the borrow limit out, or choose LEND_AND_BORROW.",
        "source": RULES["QS-08"].source,
        "value": None,
    }
    assert (warning["stack"], warning["construct"], warning["line"]) == (None, None, None)
    assert warning["path"] == ["Properties", "CapacityLimits", 0, "MaxCapacity"]
    assert warning["message"].endswith("together. AWS has not confirmed whether it takes this.")


# -- GitHub ------------------------------------------------------------------------------


def test_github(engine: Engine, capsys: Captured) -> None:
    engine(REPORT)
    error, warning, _ = shown(capsys, "check", "--format", "github", "x").splitlines()
    assert error == (
        "::error file=infra/queue.json,line=24,title=QS-08 TrainingQueueTeamA1B2C3D4 "
        "ResourceSharingConfiguration.BorrowLimit::A borrow limit is for LEND_AND_BORROW, and "
        "this share has LEND.%0A-> Leave the borrow limit out, or choose LEND_AND_BORROW."
    )
    assert warning.startswith("::warning file=infra/queue.json,title=XR-02 SE CapacityLimits[0]")


def test_github_escapes_what_it_would_read(engine: Engine, capsys: Captured) -> None:
    odd = ERROR._replace(file="a:b,c%d\n.json", resource="x::y,z", message="100%\r\n::error::z")
    engine(Report([odd], [], 1, 1))
    line = shown(capsys, "check", "--format", "github", "x").splitlines()[0]
    assert "file=a%3Ab%2Cc%25d\\n.json,line=24,title=QS-08 x%3A%3Ay%2Cz " in line
    assert "::100%25\\r\\n::error::z%0A-> " in line


def test_github_names_no_property_of_a_whole_resource(engine: Engine, capsys: Captured) -> None:
    engine(Report([ERROR._replace(path=(), value="{}")], [], 1, 1))
    assert "::A borrow limit is" in shown(capsys, "check", "--format", "github", "x")


def test_github_names_no_file_for_standard_input(engine: Engine, capsys: Captured) -> None:
    engine(Report([ERROR._replace(file="-")], [], 1, 1))
    assert shown(capsys, "check", "--format", "github", "-").startswith("::error line=24,title=")


# -- SARIF -------------------------------------------------------------------------------


@pytest.mark.lint
@pytest.mark.parametrize(
    "report",
    [
        Report(),
        REPORT,
        Report([ERROR._replace(file="-")], [Unreadable("-", "it is empty")]),
        Report(
            [ERROR._replace(file=HOSTILE, stack=HOSTILE, construct=HOSTILE, resource=HOSTILE)],
            [Unreadable(HOSTILE, HOSTILE, 1)],
        ),
    ],
)
def test_sarif_keeps_to_its_schema(engine: Engine, capsys: Captured, report: Report) -> None:
    from jsonschema import Draft4Validator

    engine(report)
    schema = json.loads((HERE / "data" / "sarif-schema-2.1.0.json").read_text())
    validator = Draft4Validator(schema, format_checker=Draft4Validator.FORMAT_CHECKER)
    log = json.loads(shown(capsys, "check", "--format", "sarif", "x"))
    assert [error.message for error in validator.iter_errors(log)] == []
    log["runs"][0]["results"] = [{"no": "message"}]
    assert not validator.is_valid(log)


def test_sarif(engine: Engine, capsys: Captured) -> None:
    engine(REPORT)
    run = sarif(capsys)
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(RULES)
    for result, found in zip(run["results"], REPORT.findings, strict=True):
        rule = rules[result["ruleIndex"]]
        assert (result["ruleId"], rule["id"]) == (found.rule.id, found.rule.id)
        assert result["level"] == rule["defaultConfiguration"]["level"] == found.rule.severity.value
        assert rule["shortDescription"]["text"] == found.rule.title
        assert rule["helpUri"] == found.rule.source
        assert found.rule.why in rule["fullDescription"]["text"]
        assert found.message in result["message"]["text"]
        assert found.fix in result["message"]["text"]
    (error,), (warning,) = (result["locations"] for result in run["results"])
    assert error["physicalLocation"] == {
        "artifactLocation": {"uri": "infra/queue.json"},
        "region": {"startLine": 24},
    }
    assert "region" not in warning["physicalLocation"]
    assert error["logicalLocations"][0]["name"] == "TrainingQueueTeamA1B2C3D4"
    assert error["logicalLocations"][0]["fullyQualifiedName"] == "Training/Queue/TeamA"
    assert warning["logicalLocations"][0]["fullyQualifiedName"] == "SE"


def test_sarif_names_no_file_for_standard_input(engine: Engine, capsys: Captured) -> None:
    engine(Report([ERROR._replace(file="-")], [Unreadable("-", "is empty")]))
    run = sarif(capsys)
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    for said in (*run["results"], notification):
        assert "physicalLocation" not in said["locations"][0]


def test_sarif_notifies_of_what_could_not_be_read(engine: Engine, capsys: Captured) -> None:
    engine(Report())
    assert sarif(capsys)["invocations"][0]["executionSuccessful"] is True
    engine(REPORT)
    (invocation,) = sarif(capsys)["invocations"]
    assert invocation["executionSuccessful"] is False
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["level"] == "error"
    assert "',' is missing (column 5)" in notification["message"]["text"]
    assert notification["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}


def fingerprints(capsys: Captured) -> list[str]:
    return [result["partialFingerprints"]["qmConstructs/v1"] for result in sarif(capsys)["results"]]


def test_sarif_fingerprints_outlive_other_changes_of_the_file(
    engine: Engine, capsys: Captured
) -> None:
    engine(Report([ERROR, WARNING]))
    before = fingerprints(capsys)
    engine(Report([ERROR._replace(line=99, message="In other words."), WARNING]))
    assert fingerprints(capsys) == before


@pytest.mark.parametrize(
    "other",
    [
        ERROR._replace(rule=RULES["QS-09"]),
        ERROR._replace(file="infra/other.json"),
        ERROR._replace(resource="Other"),
        ERROR._replace(path=("Properties", "ResourceSharingConfiguration")),
    ],
)
def test_sarif_fingerprints_tell_findings_apart(
    engine: Engine, capsys: Captured, other: Located
) -> None:
    engine(Report([ERROR, other, ERROR]))
    first, second, again = fingerprints(capsys)
    assert first.partition(":")[0] != second.partition(":")[0]
    assert first != again


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("./a/../b.json", "b.json"),
        ("a b#c?.json", "a%20b%23c%3F.json"),
        ("a:b.json", "a%3Ab.json"),
        ("ü.json", "%C3%BC.json"),
        ("../up.json", "../up.json"),
        ("{here}/in.json", "in.json"),
        ("/elsewhere/a b.json", "file:///elsewhere/a%20b.json"),
    ],
)
def test_sarif_names_files_from_the_repository_on(
    engine: Engine, capsys: Captured, file: str, uri: str
) -> None:
    engine(Report([ERROR._replace(file=file.format(here=Path.cwd()))]))
    (result,) = sarif(capsys)["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


# -- Names that are not what they seem -----------------------------------------------------


@pytest.mark.parametrize("form", FORMATS)
def test_names_in_templates_are_shown_and_never_obeyed(
    engine: Engine, capsys: Captured, form: str
) -> None:
    odd = Located(
        RULES["XR-02"], HOSTILE, HOSTILE, HOSTILE, 1, HOSTILE, (HOSTILE,), HOSTILE, HOSTILE
    )
    engine(Report([odd], [Unreadable(HOSTILE, HOSTILE)], 1, 1))
    main(["check", "--format", form, HOSTILE])
    out, err = capsys.readouterr()
    assert (out + err).replace("\n", "").isprintable()
    assert [line for line in (out + err).splitlines() if line.startswith("::error")] == []
    assert "[bold]" in out


def test_names_that_the_encoding_lacks_are_escaped(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    engine(Report([ERROR._replace(resource="Größe")], [], 1, 1))
    assert main(["check", "x"]) == 1
    assert b"Gr\\xf6\\xdfe" in raw.getvalue()


# -- Arguments ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], ["no command was given", "qm-constructs check cdk.out"]),
        (["chek", "x"], ["there is no command 'chek'", "did you mean check or schema?"]),
        ([str(CASES)], ["there is no command", f"qm-constructs check {CASES}"]),
        (["\x1b[31m"], [r"there is no command '\x1b[31m'", "--help"]),
        (["x" * 5000], ["there is no command", "--help"]),
        (["--verson"], ["there is no option '--verson'", "did you mean --version?"]),
        (["check"], ["no template was given", "qm-constructs check cdk.out"]),
        (["check", "--strict"], ["no template was given"]),
        (["check", "-", "-"], ["'-' is given twice"]),
        (["check", "--strct", "x"], ["there is no option '--strct'", "did you mean --strict?"]),
        (["check", "--\x1b[31m", "x"], [r"there is no option '--\x1b[31m'"]),
        (["check", "--stri", "x"], ["there is no option '--stri'"]),
        (["check", "--strict=yes", "x"], ["--strict", "qm-constructs check --help"]),
        (["check", "--format"], ["--format", "expected one argument"]),
        (["check", "--format", "jsn", "x"], ["there is no format 'jsn'", "did you mean json?"]),
        (["check", "--format", "zz", "x"], ["'zz'", "one of text, json, sarif, github"]),
        (["check", "--ignore", "XR-99", "x"], ["there is no rule 'XR-99'", "did you mean XR-"]),
        (["check", "--ignore", "XR-02,", "x"], ["there is no rule ''", "qm-constructs rules"]),
        (["check", "--ignore", "nag::XR-02", "x"], ["there is no rule 'nag::XR-02'", "XR-02"]),
        (["rules", "QS-99"], ["there is no rule 'QS-99'", "did you mean QS-09"]),
        (["rules", "--all"], ["there is no option '--all'", "qm-constructs rules --help"]),
    ],
)
def test_wrong_arguments_are_said_in_one_line(
    engine: Engine, capsys: Captured, arguments: list[str], said: list[str]
) -> None:
    calls = engine(Report())
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, calls) == ("", [])
    for words in said:
        assert words in err
    assert re.fullmatch(r"qm-constructs.*: .+ -> .+\n", err)


@pytest.mark.parametrize(
    ("given", "ignored"),
    [
        ([], set()),
        (["--ignore", "XR-02"], {"XR-02"}),
        (["--ignore", "xr-02"], {"XR-02"}),
        (["--ignore=qm-constructs::XR-02"], {"XR-02"}),
        (
            ["--ignore", "XR-02, QS-08", "--ignore", "QM-Constructs::jq-01"],
            {"XR-02", "QS-08", "JQ-01"},
        ),
    ],
)
def test_rules_are_ignored_by_their_ids(
    engine: Engine, given: list[str], ignored: set[str]
) -> None:
    calls = engine(Report())
    main(["check", *given, "x"])
    assert calls[2] == ignored


@pytest.mark.parametrize(
    ("arguments", "paths"),
    [
        (["a", "--strict", "b", "--format", "json", "c"], ["a", "b", "c"]),
        (["--strict", "--", "--strict", "-"], ["--strict", "-"]),
        (["a", "-"], ["a", "-"]),
    ],
)
def test_options_stand_anywhere(
    engine: Engine, arguments: Sequence[str], paths: Sequence[str]
) -> None:
    calls = engine(Report())
    main(["check", *arguments])
    assert calls[0] == paths


@pytest.mark.parametrize("arguments", [["--help"], *([command, "--help"] for command in COMMANDS)])
def test_help_fits_a_terminal(capsys: Captured, arguments: list[str]) -> None:
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert "usage: qm-constructs" in out
    assert max(map(len, out.splitlines())) <= 80
    assert err == ""


def test_version(capsys: Captured) -> None:
    assert main(["--version"]) == 0
    assert re.fullmatch(r"qm-constructs \d+\.\d+\.\d+.*\n", capsys.readouterr().out)


# -- Rules -------------------------------------------------------------------------------


def test_rules_are_listed(capsys: Captured) -> None:
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) < 80
    text = " ".join(" ".join(lines).split())
    for rule in RULES.values():
        assert f"{rule.id} {rule.severity.value} {rule.title}" in text


@pytest.mark.parametrize("id", RULES)
def test_a_rule_in_full(capsys: Captured, id: str) -> None:
    rule = RULES[id]
    assert main(["rules", id.lower()]) == 0
    out = capsys.readouterr().out
    text = " ".join(out.split())
    for said in (
        f"{id} {rule.severity.value}",
        rule.title,
        rule.why,
        rule.unconfirmed,
        f"Evidence: {rule.evidence.value} ({rule.date})",
        rule.source,
        f'Acknowledgment(id="{NAMESPACE}::{id}", reason="...")',
        f"Metadata: {NAMESPACE}: ignore: [{id}]",
        f"--ignore {id}",
    ):
        assert said in text


@pytest.mark.parametrize("id", RULES)
def test_a_rule_is_shown_with_its_templates(capsys: Captured, id: str) -> None:
    rule = RULES[id]
    shown_pair = shown(capsys, "rules", id).partition("  Faulty:\n")[2]
    faulty, _, rest = shown_pair.partition("\n  Correct:\n")
    correct = rest.partition("\n  Acknowledge it")[0]
    for text, template in ((faulty, rule.faulty), (correct, rule.correct)):
        assert yaml.safe_load(text) == rule.pair.excerpt(template)


def test_several_rules_in_full(capsys: Captured) -> None:
    out = shown(capsys, "rules", "JQ-01", f"{NAMESPACE}::XR-02")
    assert out.index("JQ-01  error") < out.index("\n\nXR-02  warning")


# -- From end to end ---------------------------------------------------------------------


@pytest.mark.parametrize("case", EXPECTED)
def test_faulty_cases_are_flagged(capsys: Captured, case: str) -> None:
    expected = EXPECTED[case]
    fatal = expected["severity"] == "error"
    assert main(["check", "--format", "json", str(CASES / case)]) == (1 if fatal else 0)
    document = json.loads(capsys.readouterr().out)
    flagged = {(found["resource"], found["severity"]) for found in document["findings"]}
    assert flagged & {(resource, expected["severity"]) for resource in expected["any_of"]}
    lines = (CASES / case).read_text().splitlines()
    for found in document["findings"]:
        assert 1 <= found["line"] <= len(lines)


def test_the_correct_case_is_not_flagged(capsys: Captured) -> None:
    assert main(["check", "--strict", CORRECT]) == 0
    out = capsys.readouterr().out
    assert out == "No errors or warnings in 1 template (5 resources of AWS Batch)\n"


def test_what_an_option_ignores_is_left_out(capsys: Captured) -> None:
    assert main(["check", "--strict", WARNED]) == 1
    capsys.readouterr()
    assert main(["check", "--strict", "--ignore", "XR-02", WARNED]) == 0
    assert capsys.readouterr().out.startswith("No errors or warnings in 1 template")


def test_the_page_about_the_command_shows_what_it_prints(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(HERE.parent)
    page = Path("docs", "check.md").read_text()
    (example,) = re.findall(r"```console\n\$ qm-constructs (.+)\n([^`]*)```", page)
    assert shown(capsys, *example[0].split()) == example[1]


COMMAND = (sys.executable, "-m", "qm_constructs")


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Runs the command in a process of its own."""
    environment = {**os.environ, **options.pop("env", {})}
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output="stdout" not in options,
        check=False,
        env=environment,
        timeout=60,
        **options,
    )


def test_the_process_ends_with_the_exit_code() -> None:
    assert run("check", CORRECT).returncode == 0
    assert run("check", FAULTY).returncode == 1
    missing = run("check", FAULTY, "no-such-file.json")
    assert missing.returncode == 2
    assert b"QS-08" in missing.stdout
    assert missing.stderr.startswith(b"qm-constructs: no-such-file.json: ")
    assert missing.stderr.count(b"\n") == 1


def test_standard_input() -> None:
    done = run("check", "-", input=Path(FAULTY).read_bytes())
    assert done.returncode == 1
    assert done.stdout.startswith(b"standard input:")


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="this system has no such file")
def test_what_a_shell_has_opened_is_read() -> None:
    done = run("check", "/dev/stdin", input=Path(FAULTY).read_bytes())
    assert done.returncode == 1
    assert done.stdout.startswith(b"/dev/stdin:")
    read, write = os.pipe()
    os.write(write, Path(FAULTY).read_bytes())
    os.close(write)
    done = run("check", f"/dev/fd/{read}", pass_fds=[read])
    os.close(read)
    assert done.returncode == 1
    assert done.stdout.startswith(b"/dev/fd/")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
@pytest.mark.parametrize("form", FORMATS)
def test_any_encoding_will_do(encoding: str, form: str) -> None:
    template = Path(FAULTY).read_text().replace('"QS0"', '"日本"')
    done = run(
        "check", "--format", form, "-", input=template.encode(), env={"PYTHONIOENCODING": encoding}
    )
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("arguments", [["rules"], ["--help"], ["check", FAULTY]])
def test_a_closed_pipe_ends_quietly(arguments: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        done = run(*arguments, stdout=write, stderr=subprocess.PIPE)
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (1 if FAULTY in arguments else 0, b"")


def test_a_closed_output_is_no_crash() -> None:
    script = 'exec "$@" >&-'
    done = subprocess.run(
        ["sh", "-c", script, "sh", *COMMAND, "check", FAULTY], stderr=subprocess.PIPE, check=False
    )
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_said_in_a_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = run("rules", stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert re.fullmatch(rb"qm-constructs: the output was not written: .+\n", done.stderr)


def test_a_check_loads_only_what_it_needs() -> None:
    script = (
        "import sys; from qm_constructs.cli.main import main; main(sys.argv[1:]); "
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "check", CORRECT],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stderr.split())
    assert "qm_constructs.cli.as_text" in loaded
    unwanted = {"aws_cdk", "jsii", "constructs", "rich", "yaml", "importlib.metadata"}
    # Together with the classes that they make they took as long as all the rules.
    unwanted |= {"dataclasses", "inspect"}
    unwanted |= {f"qm_constructs.cli.as_{form}" for form in FORMATS if form != "text"}
    assert loaded & unwanted == set()
