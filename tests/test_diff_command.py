"""``qm-constructs diff`` as a user runs it: what it takes, what it prints, and how it ends."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt

from qm_constructs.cli.diff import FORMATS
from qm_constructs.cli.main import main
from tests.test_diff import BORROW, MOST, base, changed, share, time_limit

Template = dict[str, Any]
Captured = pytest.CaptureFixture[str]

ROOT = Path(__file__).parents[1]

# Old and new, by the worst effect of what lies between them.
WORST: dict[str, Template] = {
    "terminates-jobs": changed(("Reserver", None)),
    "preempts-jobs": changed((f"Reserver.{MOST}", 1)),
    "cannot-deploy": changed(("Queue.SchedulingPolicyArn", None)),
    "blocks-submissions": changed(("Queue.State", "DISABLED")),
    "slows-jobs": changed((f"Borrower.{BORROW}", 50)),
    "safe": changed(("Queue.Tags", {"team": "a"})),
}


def written(path: Path, template: Any) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(template if isinstance(template, str) else json.dumps(template, indent=1))
    return str(path)


def pair(folder: Path, new: Template, old: Template | None = None) -> list[str]:
    return [
        written(folder / "old.json", base() if old is None else old),
        written(folder / "new.json", new),
    ]


def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "qm_constructs", "diff", *arguments],
        capture_output=True,
        text=True,
        input=given,
        timeout=60,
        check=False,
        cwd=ROOT,
    )


def shown(capsys: Captured, *arguments: str) -> tuple[int, str, str]:
    code = main(["diff", *arguments])
    return (code, *capsys.readouterr())


def in_json(capsys: Captured, *paths: str) -> list[dict[str, Any]]:
    _, out, err = shown(capsys, "--format", "json", *paths)
    assert err == ""
    found: list[dict[str, Any]] = json.loads(out)["changes"]
    return found


def told(changes: Sequence[dict[str, Any]]) -> list[tuple[str, str | None, str]]:
    return [(change["effect"], change["stack"], change["resource"]) for change in changes]


# -- exit codes


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("effect", WORST)
def test_exit_code(tmp_path: Path, capsys: Captured, effect: str, form: str) -> None:
    paths = pair(tmp_path, WORST[effect])
    assert shown(capsys, "--format", form, *paths)[0] == (effect != "safe")


@pytest.mark.parametrize("effect", WORST)
@pytest.mark.parametrize("threshold", WORST)
def test_a_raised_threshold(tmp_path: Path, capsys: Captured, effect: str, threshold: str) -> None:
    order = list(WORST)
    code, *_ = shown(capsys, "--fail-on", threshold, *pair(tmp_path, WORST[effect]))
    assert code == (order.index(effect) <= order.index(threshold))


def test_a_template_is_no_change_to_itself(tmp_path: Path) -> None:
    path = written(tmp_path / "t.json", base())
    done = run(path, path)
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "No changes in 6 resources of AWS Batch\n",
        "",
    )


def test_quotas_files_are_compared_as_templates_are(tmp_path: Path, capsys: Captured) -> None:
    text = (ROOT / "examples" / "quotas.yaml").read_text()
    lower = text.replace("ml.p5.48xlarge: 8", "ml.p5.48xlarge: 6")
    old, new = written(tmp_path / "old.yaml", text), written(tmp_path / "new.yaml", lower)
    assert shown(capsys, old, old)[0] == 0
    assert told(in_json(capsys, old, new)) == [("preempts-jobs", None, "research")]
    gone = written(tmp_path / "gone.yaml", text[: text.index("  research:")])
    assert ("terminates-jobs", None, "research") in told(in_json(capsys, old, gone))
    broken = written(tmp_path / "broken.yaml", text.replace("strategy", "strtegy"))
    code, _, said = shown(capsys, old, broken)
    assert code == 2
    assert "broken.yaml" in said


def test_a_template_of_something_else(tmp_path: Path, capsys: Captured) -> None:
    path = written(tmp_path / "t.json", {"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}})
    assert shown(capsys, path, path) == (
        0,
        "Nothing to compare: no resource of AWS Batch quota management\n",
        "",
    )


def test_a_faulty_template_is_compared_all_the_same(tmp_path: Path, capsys: Captured) -> None:
    faulty = changed(("Lender.ResourceSharingConfiguration.Strategy", "LendAndBorrow"))
    assert shown(capsys, *pair(tmp_path, changed(("Lender", None)), faulty))[0] == 1


# -- bad input


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("place", [0, 1])
def test_what_cannot_be_read(tmp_path: Path, capsys: Captured, place: int, form: str) -> None:
    paths = pair(tmp_path, WORST["terminates-jobs"])
    paths[place] = written(tmp_path / "broken.json", '{"Resources": {')
    code, out, err = shown(capsys, "--format", form, *paths)
    assert code == 2
    if form == "json":
        document = json.loads(out)
        assert document["changes"] == []
        assert [problem["file"] for problem in document["unreadable"]] == [paths[place]]
    else:
        assert out == ""
        assert err.startswith(f"qm-constructs: {paths[place]}:1: ")
        assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "no template was given -> qm-constructs diff OLD NEW"),
        (["a"], "1 path was given"),
        (["a", "b", "c"], "3 paths were given"),
        (["-", "-"], "'-' is given twice"),
        (["--format", "jsn", "a", "b"], "there is no format 'jsn' -> did you mean json?"),
        (["--fail-on", "slow-jobs", "a", "b"], "did you mean slows-jobs?"),
        (["--fail-on", "x\x1b", "a", "b"], "there is no effect 'x\\x1b'"),
        (["--fail", "a", "b"], "there is no option '--fail'"),
    ],
)
def test_wrong_arguments(capsys: Captured, arguments: list[str], said: str) -> None:
    code, out, err = shown(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_the_help_names_every_effect_in_order(capsys: Captured) -> None:
    code, out, _ = shown(capsys, "--help")
    assert code == 0
    assert re.findall(r"^  ([a-z-]+)  +\S", out, re.MULTILINE)[: len(WORST)] == list(WORST)


# -- what is taken as OLD and NEW


def test_yaml_and_standard_input(tmp_path: Path) -> None:
    new = written(tmp_path / "new.json", WORST["preempts-jobs"])
    done = run("--format", "json", "-", new, given=yaml.safe_dump(base()))
    assert [change["resource"] for change in json.loads(done.stdout)["changes"]] == ["Reserver"]


@pytest.mark.parametrize(
    "body", [base(), json.dumps(base()), yaml.safe_dump(base())], ids=["object", "JSON", "YAML"]
)
def test_what_get_template_prints(tmp_path: Path, capsys: Captured, body: Any) -> None:
    answer = {"TemplateBody": body, "StagesAvailable": ["Original", "Processed"]}
    old = written(tmp_path / "answer.json", answer)
    (found,) = in_json(capsys, old, written(tmp_path / "new.json", WORST["preempts-jobs"]))
    assert (found["effect"], found["before"], found["after"]) == ("preempts-jobs", 4, 1)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("{", "has a TemplateBody that"),
        ({"AWSTemplateFormatVersion": "x"}, "has a TemplateBody that is not a CloudFormation"),
        (["x"], "has a TemplateBody that is not a CloudFormation template: a list"),
        (7, "has a TemplateBody that is not a CloudFormation template: a number"),
    ],
)
def test_an_answer_without_a_template(
    tmp_path: Path, capsys: Captured, body: Any, said: str
) -> None:
    old = written(tmp_path / "answer.json", {"TemplateBody": body})
    code, _, err = shown(capsys, old, written(tmp_path / "new.json", base()))
    assert code == 2
    assert said in err
    assert err.count("\n") == 1


# -- apps


def app(folder: Path, stacks: dict[str, Template], place: str = "111122223333/us-east-1") -> str:
    """Writes a cdk.out of some stacks."""
    artifacts = {
        name: {
            "type": "aws:cloudformation:stack",
            "environment": f"aws://{place}",
            "properties": {"templateFile": f"{name}.template.json", "stackName": name},
        }
        for name in stacks
    }
    for name, template in stacks.items():
        written(folder / f"{name}.template.json", template)
    written(folder / "manifest.json", {"version": "48.0.0", "artifacts": artifacts})
    return str(folder)


def test_a_stack_that_is_gone_is_not_deleted_by_a_deploy(tmp_path: Path, capsys: Captured) -> None:
    old = app(tmp_path / "old", {"One": base(), "Two": base()})
    new = app(tmp_path / "new", {"One": base()})
    found = in_json(capsys, old, new)
    assert [one for one in told(found) if one[0] == "terminates-jobs"] == [
        ("terminates-jobs", "Two", id) for id in ("Queue", "Borrower", "Lender", "Reserver")
    ]
    assert all("a deploy alone does not delete a stack" in change["message"] for change in found)
    assert all(change["file"] is None for change in found)


def test_what_is_retained_of_a_stack_that_is_gone(tmp_path: Path, capsys: Captured) -> None:
    kept = changed(*((f"{id}.DeletionPolicy", "Retain") for id in base()["Resources"]))
    old = app(tmp_path / "old", {"One": base(), "Two": kept})
    assert shown(capsys, old, app(tmp_path / "new", {"One": base()}))[0] == 0


def test_a_new_stack_is_safe(tmp_path: Path, capsys: Captured) -> None:
    old = app(tmp_path / "old", {"One": base()})
    new = app(tmp_path / "new", {"One": base(), "Two": base()})
    assert {one[:2] for one in told(in_json(capsys, old, new))} == {("safe", "Two")}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("111122223333/us-east-1", "111122223333/us-east-1", set()),
        ("unknown-account/unknown-region", "111122223333/us-east-1", set()),
        ("111122223333/us-east-1", "111122223333/eu-west-1", {"terminates-jobs", "safe"}),
    ],
)
def test_a_stack_is_the_same_in_one_place(
    tmp_path: Path, capsys: Captured, before: str, after: str, expected: set[str]
) -> None:
    old = app(tmp_path / "old", {"One": base()}, before)
    new = app(tmp_path / "new", {"One": base()}, after)
    assert {one[0] for one in told(in_json(capsys, old, new))} == expected


def test_a_share_moved_to_another_stack(tmp_path: Path, capsys: Captured) -> None:
    arn = "arn:aws:batch:us-east-1:111122223333:job-queue/gpus"
    one = {"Resources": {"Share": share("vision", 2, "LEND", arn)}}
    none: Template = {"Resources": {}}
    old = app(tmp_path / "old", {"One": one, "Two": none})
    new = app(tmp_path / "new", {"One": none, "Two": one})
    assert told(in_json(capsys, old, new)) == [
        ("terminates-jobs", "One", "Share"),
        ("cannot-deploy", "Two", "Share"),
    ]


def test_a_deployed_template_beside_the_app(tmp_path: Path, capsys: Captured) -> None:
    old = written(tmp_path / "answer.json", {"TemplateBody": base()})
    other: Template = {"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}}
    new = app(tmp_path / "new", {"One": WORST["preempts-jobs"], "Two": other})
    assert told(in_json(capsys, old, new)) == [("preempts-jobs", "One", "Reserver")]


def test_a_template_that_may_be_any_of_the_stacks(tmp_path: Path, capsys: Captured) -> None:
    old = written(tmp_path / "old.json", base())
    new = app(tmp_path / "new", {"One": base(), "Two": base()})
    code, out, err = shown(capsys, old, new)
    assert (code, out) == (2, "")
    assert f"give one of {new}/One.template.json, {new}/Two.template.json" in err


def nested(folder: Path, inner: Template | None, **outer: Any) -> str:
    """Writes a cdk.out of one stack with a nested one."""
    resource = {
        "Type": "AWS::CloudFormation::Stack",
        "Metadata": {"aws:asset:path": "One.nested.template.json"},
        "Properties": outer.pop("Properties", {}),
        **outer,
    }
    top: Template = {"Resources": {"Nested": resource} if inner is not None else {}}
    path = app(folder, {"One": top})
    manifest = json.loads((folder / "manifest.json").read_text())
    metadata = {
        "/One/Inner": [{"type": "aws:cdk:templateFile", "data": "One.nested.template.json"}],
        "/One": [{"type": "aws:cdk:templateFile", "data": "One.template.json"}],
        "/One/Inner.NestedStack/Inner.NestedStackResource": [
            {"type": "aws:cdk:logicalId", "data": "Nested"}
        ],
    }
    if inner is not None:
        manifest["artifacts"]["One"]["metadata"] = metadata
        written(folder / "One.nested.template.json", inner)
        written(folder / "manifest.json", manifest)
    return path


def test_a_nested_stack_is_compared(tmp_path: Path, capsys: Captured) -> None:
    old = nested(tmp_path / "old", base())
    new = nested(tmp_path / "new", WORST["preempts-jobs"])
    assert told(in_json(capsys, old, new)) == [("preempts-jobs", "One", "Reserver")]


def test_what_a_nested_stack_is_given_counts(tmp_path: Path, capsys: Captured) -> None:
    inner = changed((f"Reserver.{MOST}", {"Ref": "Size"}))
    inner["Parameters"] = {"Size": {"Type": "Number", "Default": 9}}
    paths = [
        nested(tmp_path / name, inner, Properties={"Parameters": {"Size": size}})
        for name, size in (("old", "4"), ("new", "3"))
    ]
    (found,) = in_json(capsys, *paths)
    assert (found["before"], found["after"]) == (4, 3)


@pytest.mark.parametrize(("kept", "worst"), [({}, 1), ({"DeletionPolicy": "Retain"}, 0)])
def test_a_nested_stack_that_is_gone(
    tmp_path: Path, capsys: Captured, kept: dict[str, str], worst: int
) -> None:
    old = nested(tmp_path / "old", base(), **kept)
    code, out, _ = shown(capsys, old, nested(tmp_path / "new", None))
    assert code == worst
    assert "a deploy alone" not in out


def test_a_stack_of_a_stage(tmp_path: Path, capsys: Captured) -> None:
    paths = []
    for name, template in (("old", base()), ("new", WORST["preempts-jobs"])):
        app(tmp_path / name / "assembly-Prod", {"Prod-One": template})
        artifact = {
            "type": "cdk:cloud-assembly",
            "properties": {"directoryName": "assembly-Prod"},
        }
        manifest = {"version": "48.0.0", "artifacts": {"assembly-Prod": artifact}}
        written(tmp_path / name / "manifest.json", manifest)
        paths.append(str(tmp_path / name))
    assert told(in_json(capsys, *paths)) == [("preempts-jobs", "Prod-One", "Reserver")]


# -- formats


def test_text(tmp_path: Path) -> None:
    done = run(*pair(tmp_path, changed((f"Reserver.{MOST}", 1), ("Queue.Tags", {"a": "b"}))))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == (
        """\
preempts-jobs  Reserver  CapacityLimits  ml.p5.48xlarge  4 -> 1
  The limit of the share 'reserver' for ml.p5.48xlarge falls from 4 to 1. Its
  jobs that run above 1 can be preempted, also under RESERVE and LEND. A
  waiting job that fits no longer never runs: it waits in RUNNABLE until
  somebody terminates it, and blocks its share meanwhile.
  -> Disable the share and let its jobs finish, then lower the limit and enable
     it again: two deploys.

safe  Queue  Tags
  Tags say nothing to the scheduler.

2 changes in 6 resources of AWS Batch: 1 preempts-jobs, 1 safe
"""
    )


def test_json(tmp_path: Path, capsys: Captured) -> None:
    paths = pair(tmp_path, WORST["preempts-jobs"])
    (found,) = in_json(capsys, *paths)
    assert found.pop("message").startswith("The limit of the share 'reserver'")
    assert found.pop("advice").startswith("Disable the share")
    assert found == {
        "resource": "Reserver",
        "type": "AWS::Batch::QuotaShare",
        "effect": "preempts-jobs",
        "share": "reserver",
        "capacity_unit": "ml.p5.48xlarge",
        "before": 4,
        "after": 1,
        "stack": None,
        "nested_stack": None,
        "property": "CapacityLimits",
        "file": paths[1],
        "line": 88,
        "source": "https://docs.aws.amazon.com/batch/latest/userguide/preemption.html",
    }


def test_what_is_not_known_is_null(tmp_path: Path, capsys: Captured) -> None:
    new = changed((f"Reserver.{MOST}", {"Ref": "Size"}))
    new["Parameters"] = {"Size": {"Type": "Number"}}
    (found,) = in_json(capsys, *pair(tmp_path, new))
    assert (found["before"], found["after"]) == (4, None)
    assert "4 -> unknown" in shown(capsys, *pair(tmp_path, new))[1]


@pytest.mark.parametrize(
    ("effect", "options", "level"),
    [
        ("terminates-jobs", [], "error"),
        ("slows-jobs", [], "error"),
        ("slows-jobs", ["--fail-on", "terminates-jobs"], "warning"),
        ("safe", [], "notice"),
    ],
)
def test_github(
    tmp_path: Path, capsys: Captured, effect: str, options: list[str], level: str
) -> None:
    paths = pair(tmp_path, WORST[effect])
    out = shown(capsys, "--format", "github", *options, *paths)[1].splitlines()
    assert out[0].startswith(f"::{level} file={paths[1]},")
    assert f",title={effect} " in out[0]
    assert len(out) == 2


def test_markdown_is_a_table_and_what_to_do(tmp_path: Path, capsys: Captured) -> None:
    _, out, _ = shown(capsys, "--format", "markdown", *pair(tmp_path, WORST["preempts-jobs"]))
    html = MarkdownIt("commonmark").enable("table").render(out)
    cells = re.findall(r"<td>(.*?)</td>", html)
    assert cells == [
        "<strong>Preempts jobs</strong>",
        "Reserver",
        "reserver",
        "ml.p5.48xlarge",
        "CapacityLimits 4 -&gt; 1",
    ]
    assert "<li><strong>Preempts jobs</strong>: The limit of" in html
    assert '<a href="https://docs.aws.amazon.com/' in html


# -- names are text


HOSTILE = (
    "</script><script>alert(1)</script>",
    "a|b`c`|d",
    "*a* _b_ ~~c~~ **d** <b>e</b> &lt;f&gt;",
    "[a](https://example.com) ![b](x) <https://example.com>",
    "a\r\n::error::b%0A",
    "a\n\n# heading\n- item\n```\ncode",
    "\x1b[31mred\x1b]8;;https://example.com\x07\u202e",
    "@someone #1 org/repo#2 GH-3 :tada: $x$ www.example.com",
    "|---|\\|\\`\\",
    "x" * 128,
)


def hostile(name: str) -> tuple[Template, Template]:
    old = changed(("Lender.QuotaShareName", name), ("Lender.State", "ENABLED"))
    new = changed(("Lender.State", "DISABLED"), (f"Lender.{MOST}", 1), of=old)
    for template in (old, new):
        template["Resources"][f"Id {name}"] = template["Resources"].pop("Lender")
    new["Resources"]["Queue"]["Properties"]["State"] = name
    new["Resources"]["Queue"]["Properties"]["JobStateTimeLimitActions"] = [time_limit(name)]
    return old, new


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("form", ["text", "github", "markdown"])
def test_a_name_is_never_obeyed_by_a_terminal_or_a_log(
    tmp_path: Path, capsys: Captured, name: str, form: str
) -> None:
    old, new = hostile(name)
    code, out, err = shown(capsys, "--format", form, *pair(tmp_path, new, old))
    assert (code, err) == (1, "")
    assert all(line.isprintable() for line in out.split("\n"))
    if form == "github":
        commands = [line for line in out.splitlines() if line.startswith("::")]
        assert len(commands) == out.count("\n") - 1
        assert not any(command.startswith("::error::b") for command in commands)


def plain(name: str) -> str:
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_shown_as_it_is_in_markdown(tmp_path: Path, capsys: Captured, name: str) -> None:
    old, new = hostile(name)
    _, out, _ = shown(capsys, "--format", "markdown", *pair(tmp_path, new, old))
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(out)
    tags = set(re.findall(r"</?([a-z0-9]+)", html))
    expected = {"h3", "p", "table", "thead", "tbody", "tr", "th", "td", "strong", "em", "ul", "li"}
    assert tags <= expected | {"a"}
    links = re.findall(r'href="([^"]*)"', html)
    assert all(link.startswith("https://docs.aws.amazon.com/") for link in links)
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    assert all(row.count("<td>") == 5 for row in rows[1:])
    text = re.sub(r"<[^>]*>", "", html).replace("\u200b", "")
    for code, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        text = text.replace(code, character)
    assert f"The share '{plain(name)}' is disabled." in text


@pytest.mark.parametrize("mark", ["@", "#"])
def test_nobody_is_mentioned_in_markdown(tmp_path: Path, capsys: Captured, mark: str) -> None:
    old, new = hostile(f"{mark}1someone")
    _, out, _ = shown(capsys, "--format", "markdown", *pair(tmp_path, new, old))
    body = out.removeprefix("###")
    assert body.count(mark) == body.count(f"{mark}&#8203;") + body.count(f"&{mark}8203;")


def test_json_is_ascii_and_keeps_the_name(tmp_path: Path, capsys: Captured) -> None:
    for name in HOSTILE:
        old, new = hostile(name)
        _, out, _ = shown(capsys, "--format", "json", *pair(tmp_path, new, old))
        assert out.isascii()
        assert name in {change["share"] for change in json.loads(out)["changes"]}


def test_the_documentation_shows_what_is_printed() -> None:
    text = (ROOT / "docs" / "diff.md").read_text()
    (block,) = re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    command, _, expected = block.removeprefix("$ qm-constructs diff ").partition("\n")
    assert run(*command.split()).stdout == expected


# -- quotas files


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("way", [1, -1])
def test_a_quotas_file_is_no_counterpart_of_a_template(
    tmp_path: Path, capsys: Captured, way: int, form: str
) -> None:
    quotas = str(ROOT / "examples" / "quotas.yaml")
    for other in (
        written(tmp_path / "t.json", base()),
        app(tmp_path / "cdk.out", {"One": base(), "Two": base()}),
    ):
        code, out, err = shown(capsys, "--format", form, *[quotas, other][::way])
        assert code == 2
        said = json.loads(out)["unreadable"][0]["reason"] if form == "json" else err
        assert "compare a quotas file with a quotas file, or cdk.out with cdk.out" in said
        assert err.count("\n") == (form != "json")


def test_a_change_of_a_quotas_file_is_told_in_its_own_terms(
    tmp_path: Path, capsys: Captured
) -> None:
    text = (ROOT / "examples" / "quotas.yaml").read_text()
    old = written(tmp_path / "old.yaml", text)
    lower = text.replace("ml.p5.48xlarge: 8", "ml.p5.48xlarge: 6").replace("16, ml.g6", "15, ml.g6")
    found = in_json(capsys, old, written(tmp_path / "lower.yaml", lower))
    assert [change["property"] for change in found] == ["capacity_limits", "capacity_limits"]
    renamed = written(tmp_path / "renamed.yaml", text.replace("  research:", "  other:"))
    named = written(tmp_path / "named.yaml", text + "\njob_queue_name: gpus\n")
    for new in (renamed, named):
        said = json.dumps(in_json(capsys, old, new))
        assert not re.search("DeletionPolicy|logical id", said)
    assert "job_queue_name" in {change["property"] for change in in_json(capsys, old, named)}


def test_nested_stacks_are_told_apart(tmp_path: Path, capsys: Captured) -> None:
    old = nested(tmp_path / "old", base())
    new = nested(tmp_path / "new", WORST["preempts-jobs"])
    (found,) = in_json(capsys, old, new)
    assert (found["stack"], found["nested_stack"], found["resource"]) == (
        "One",
        "Nested",
        "Reserver",
    )
    for form in ("text", "markdown", "github"):
        assert "One/Nested/Reserver" in shown(capsys, "--format", form, old, new)[1]


def test_an_app_without_stacks_has_nothing_to_compare(tmp_path: Path, capsys: Captured) -> None:
    none = app(tmp_path / "none", {})
    some = app(tmp_path / "some", {"One": base()})
    assert shown(capsys, none, none)[0] == 0
    assert shown(capsys, none, some)[0] == 0
    assert shown(capsys, some, none)[0] == 1


def test_the_help_names_quotas_files_with_the_arguments(capsys: Captured) -> None:
    said = " ".join(shown(capsys, "--help")[1].split())
    assert "or two quotas files" in said
