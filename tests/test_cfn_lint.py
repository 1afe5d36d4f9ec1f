"""The rules in cfn-lint: the real command finds each fault once, in its place."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from qm_constructs.rules import RULES

pytestmark = pytest.mark.lint

CASES = Path(__file__).parent / "cases"
EXPECTED = json.loads((CASES / "expected.json").read_text())
OURS = re.compile("[EW]9[1-9][0-9]{2}")

ENVIRONMENT = """\
Resources:
  Environment:
    Type: AWS::Batch::ServiceEnvironment
    {metadata}
    Properties:
      ServiceEnvironmentType: SAGEMAKER_TRAINING
      CapacityLimits:
        - CapacityUnit: ml.g5.xlarge
          MaxCapacity: 0
"""


def lint(*arguments: str | Path) -> list[dict[str, Any]]:
    """Returns what the command says by our rules, or of a rule that failed."""
    command = [
        str(Path(sys.executable).with_name("cfn-lint")),
        *("--append-rules", "qm_constructs.cfn_lint", "--format", "json"),
        *map(str, arguments),
    ]
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    assert run.stderr == ""
    return [
        match
        for match in json.loads(run.stdout or "[]")
        if OURS.fullmatch(match["Rule"]["Id"]) or match["Rule"]["Id"].startswith("E0")
    ]


def found(path: Path, *arguments: str) -> list[tuple[str, int]]:
    """Returns the rule and the line of what the command says of one template."""
    return [
        (match["Rule"]["Id"], match["Location"]["Start"]["LineNumber"])
        for match in lint(*arguments, "--template", path)
    ]


@pytest.fixture
def template(tmp_path: Path) -> Path:
    return tmp_path / "template.yaml"


@pytest.fixture(scope="module")
def of_cases() -> dict[str, list[dict[str, Any]]]:
    files = sorted(CASES.glob("*.template.json"))
    matches = lint(*[argument for file in files for argument in ("--template", file)])
    return {
        file.name: [match for match in matches if Path(match["Filename"]).name == file.name]
        for file in files
    }


def test_the_correct_case_is_not_flagged(of_cases: dict[str, list[dict[str, Any]]]) -> None:
    assert of_cases["correct.template.json"] == []


@pytest.mark.parametrize("case", EXPECTED)
def test_a_faulty_case_is_flagged_where_the_fault_is(
    case: str, of_cases: dict[str, list[dict[str, Any]]]
) -> None:
    expected = EXPECTED[case]
    lines = (CASES / case).read_text().splitlines()
    assert of_cases[case]
    for match in of_cases[case]:
        path = match["Location"]["Path"]
        assert path[0] == "Resources"
        assert path[1] in expected["any_of"]
        assert match["Level"].lower() == expected["severity"]
        named = next(step for step in reversed(path) if isinstance(step, str))
        assert f'"{named}"' in lines[match["Location"]["Start"]["LineNumber"] - 1]


def test_a_match_names_the_value_the_mending_and_the_rule(
    of_cases: dict[str, list[dict[str, Any]]],
) -> None:
    (match,) = of_cases["sum-above-environment.template.json"]
    assert match["Message"] == (
        "CapacityLimits[0].MaxCapacity = 10: The quota shares hold 12 ml.p5.48xlarge together, the "
        "service environment has 10: they cannot all have what they are promised at once. AWS has "
        "not confirmed whether it takes this. Lower the shares' limits by 2 together, or raise the "
        "environment's. [XR-02]"
    )
    assert match["Rule"] == {
        "Id": "W9602",
        "Description": RULES["XR-02"].why,
        "ShortDescription": RULES["XR-02"].title,
        "Source": RULES["XR-02"].source,
    }


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        ("SP-04", "E9104"),
        ("SE-08", "E9208"),
        ("JQ-03", "E9303"),
        ("JT-03", "E9403"),
        ("QS-02", "E9502"),
        ("QS-03", "E9503"),
        ("QS-03-CASE", "W9503"),
        ("XR-02", "W9602"),
        ("SJ-09", "E9709"),
        ("CF-01", "E9801"),
        ("LA-03", "W9903"),
    ],
)
def test_an_id_in_the_form_of_cfn_lint(id: str, expected: str) -> None:
    from qm_constructs.cli._rule_ids import lint_id

    assert lint_id(RULES[id]) == expected


def test_every_rule_is_there_once_and_beside_those_of_cfn_lint() -> None:
    from cfnlint.core import get_rules

    rules = get_rules(["qm_constructs.cfn_lint"], [], ["E", "W", "I"])
    ours = {rule.rule.id for rule in rules if hasattr(rule, "rule")}
    assert ours == set(RULES)
    assert all(OURS.fullmatch(rule.id) for rule in rules if hasattr(rule, "rule"))


def test_a_resource_waives_a_rule(tmp_path: Path) -> None:
    waivers = [
        "Metadata: {cfn-lint: {config: {ignore_checks: [E9208]}}}",
        "Metadata: {qm-constructs: {ignore: [SE-08]}}",
        "Metadata: {qm-constructs: {ignore: ['qm-constructs::SE-08']}}",
    ]
    for number, metadata in enumerate(waivers):
        of_another = metadata.replace("08", "09")
        (tmp_path / f"{number}-waived.yaml").write_text(ENVIRONMENT.format(metadata=metadata))
        (tmp_path / f"{number}-of-another.yaml").write_text(ENVIRONMENT.format(metadata=of_another))
    matches = lint("--template", *sorted(tmp_path.iterdir()))
    assert [Path(match["Filename"]).name for match in matches] == [
        f"{number}-of-another.yaml" for number in range(len(waivers))
    ]


def test_a_template_or_a_command_line_waives_a_rule(template: Path) -> None:
    template.write_text(ENVIRONMENT.format(metadata=""))
    assert found(template) == [("E9208", 9)]
    assert found(template, "--ignore-checks", "E9208") == []
    waiver = "Metadata: {cfn-lint: {config: {ignore_checks: [E9208]}}}\n"
    template.write_text(waiver + template.read_text())
    assert found(template) == []


def test_a_serverless_template_that_cfn_lint_transforms(template: Path) -> None:
    function = (
        "  Function:\n    Type: AWS::Serverless::Function\n    Properties:\n"
        "      {Handler: a.b, Runtime: python3.13, InlineCode: x}\n"
    )
    text = ENVIRONMENT.format(metadata="") + function
    template.write_text(f"Transform: AWS::Serverless-2016-10-31\n{text}")
    assert found(template) == [("E9208", 10)]


@pytest.mark.parametrize(
    ("arguments", "rules"),
    [
        ((), []),  # where cfn-lint takes us-east-1
        (("--regions", "eu-west-1"), []),
        (("--regions", "eu-west-2", "eu-west-3"), []),
        (("--regions", "eu-west-2"), [("E9609", 8)]),
    ],
)
def test_the_one_region_that_cfn_lint_is_given_is_that_of_the_stack(
    arguments: tuple[str, ...], rules: list[tuple[str, int]], template: Path
) -> None:
    template.write_text(
        "Resources:\n  Queue:\n    Type: AWS::Batch::JobQueue\n    Properties:\n"
        "      JobQueueType: SAGEMAKER_TRAINING\n      Priority: 1\n"
        "      ServiceEnvironmentOrder: [{Order: 1, ServiceEnvironment: a}]\n"
        "      SchedulingPolicyArn:"
        " arn:aws:batch:eu-west-1:111122223333:scheduling-policy/a\n"
    )
    assert found(template, *arguments) == rules


def test_wrong_shapes_are_no_failure_of_a_rule(tmp_path: Path) -> None:
    shapes = ["{A: null}", "{A: {Type: 1}}", "{A: {Type: AWS::Batch::JobQueue, Properties: []}}"]
    for number, shape in enumerate([*shapes, "[]"]):
        (tmp_path / f"{number}.yaml").write_text(f"Resources: {shape}\n")
    failures = [match["Message"] for match in lint("--template", *tmp_path.iterdir())]
    assert not [text for text in failures if re.search(f"processing rule {OURS.pattern}", text)]


class TestInProcess:
    def matches(self, path: Path) -> list[Any]:
        from cfnlint.core import get_rules
        from cfnlint.decode import decode
        from cfnlint.template import Template

        parsed, _ = decode(str(path))
        rules = get_rules(["qm_constructs.cfn_lint"], [], ["E", "W"])
        return [
            match
            for match in rules.run(str(path), Template(str(path), parsed, ["eu-west-1"]))
            if OURS.fullmatch(match.rule.id) or match.rule.id == "E0002"
        ]

    def test_a_template_is_judged_once_and_as_plain_values(
        self, monkeypatch: pytest.MonkeyPatch, template: Path
    ) -> None:
        from qm_constructs import cfn_lint

        judged: list[Any] = []

        def judge_stacks(stacks: list[Any]) -> list[Any]:
            judged.extend(stacks)
            return []

        monkeypatch.setattr(cfn_lint, "judge_stacks", judge_stacks)
        template.write_text(ENVIRONMENT.format(metadata="DependsOn: !Sub '${A}'"))
        assert self.matches(template) == []
        (stack,) = judged
        assert (stack.file, stack.region) == (str(template), "eu-west-1")

        def types_in(node: Any) -> set[type]:
            below = [*node, *node.values()] if isinstance(node, dict) else node
            inner = [types_in(n) for n in below] if isinstance(node, dict | list) else []
            return {type(node)}.union(*inner)

        assert types_in(stack.template) == {dict, list, str, int}

    def test_a_judgement_that_fails_is_told_once(
        self, monkeypatch: pytest.MonkeyPatch, template: Path
    ) -> None:
        from qm_constructs import cfn_lint

        def fail(stacks: object) -> None:
            del stacks
            raise KeyError("no such thing")

        monkeypatch.setattr(cfn_lint, "judge_stacks", fail)
        template.write_text(ENVIRONMENT.format(metadata=""))
        (match,) = self.matches(template)
        assert match.rule.id == "E0002"
        assert "no such thing" in match.message


def test_it_starts_no_node() -> None:
    code = (
        "import sys, qm_constructs.cfn_lint; sys.exit(bool({'aws_cdk', 'jsii'} & {*sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
