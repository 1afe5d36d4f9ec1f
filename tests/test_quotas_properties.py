"""Whatever a quotas file holds: it is told in lines, and what is sound comes back as it was."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from qm_constructs import Fault, QuotaManagementError, QuotaPlan
from qm_constructs.cli.main import main
from qm_constructs.quotas.keys import FILE
from qm_constructs.quotas.recognising import is_quotas_file
from qm_constructs.template.loading import load
from qm_constructs.template.quota_plans import plans_of
from qm_constructs.template.source import parse_value
from tests.strategies import as_yaml, examples
from tests.test_quotas_schema import documents, sound

_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def run(*arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    return code, out.getvalue(), err.getvalue()


def faults_in(file: str) -> tuple[Fault, ...]:
    try:
        QuotaPlan.from_file(file)
    except QuotaManagementError as error:
        return error.faults
    return ()


def saved(tmp_path_factory: Any, name: str, document: Any) -> str:
    path = Path(tmp_path_factory.getbasetemp(), name)
    path.write_text(json.dumps(document) if name.endswith("json") else as_yaml(document))
    return str(path)


@examples(60)
@given(document=documents(), name=st.sampled_from(["q.json", "q.yaml"]))
def test_the_commands_and_the_call_refuse_the_same(
    document: Any, name: str, tmp_path_factory: Any
) -> None:
    file = saved(tmp_path_factory, name, document)
    code, out, err = run("check", "--format", "json", file)
    faults = faults_in(file)
    shapes = sum(fault.rule is None for fault in faults)
    assert all(fault.place or fault.argument == "path" for fault in faults)
    assert code == (2 if shapes else 1 if faults else 0)
    if is_quotas_file(document):
        told = json.loads(out)
        errors = [found for found in told["findings"] if found["severity"] == "error"]
        assert (len(told["unreadable"]), len(errors)) == (shapes, len(faults) - shapes)
        assert err == ""
    assert run("plan", file)[0] in (0, 2)


@examples(60)
@given(value=st.dictionaries(st.sampled_from([*FILE.members]) | st.text(), _VALUES, max_size=6))
def test_anything_is_told_in_lines(value: Any, tmp_path_factory: Any) -> None:
    file = saved(tmp_path_factory, "q.json", {"quota_shares": {}, **value})
    for command in ("check", "plan"):
        code, _, err = run(command, file)
        assert code in (0, 1, 2)
        assert all(line.startswith("qm-constructs: ") for line in err.splitlines())


@examples(60)
@given(document=sound(FILE), name=st.sampled_from(["out.json", "out.yaml"]))
def test_what_is_read_is_what_is_written(document: Any, name: str, tmp_path_factory: Any) -> None:
    file = saved(tmp_path_factory, "q.json", document)
    if faults_in(file):
        return  # a share's type that the queue does not have, say
    plan = QuotaPlan.from_file(file)
    out = Path(tmp_path_factory.getbasetemp(), name)
    plan.to_file(out)
    assert parse_value(out.read_bytes(), name)[0] == document
    assert yaml.safe_load(out.read_text()) == document
    first = out.read_bytes()
    QuotaPlan.from_file(out).to_file(out)
    assert out.read_bytes() == first


@examples(60)
@given(document=sound(FILE))
def test_a_template_s_plan_is_written_as_the_file_would_be(
    document: Any, tmp_path_factory: Any
) -> None:
    file = saved(tmp_path_factory, "q.json", document)
    ((stack,),), _ = load([file], io.BytesIO())
    (plan,) = plans_of([stack])
    out = Path(tmp_path_factory.getbasetemp(), "moved.json")
    plan.to_file(out)
    ((again,),), _ = load([str(out)], io.BytesIO())
    assert again.template == stack.template
