"""The JSON Schema of a quotas file takes what the reader takes, and nothing else."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from qm_constructs import QuotaManagementError, QuotaPlan
from qm_constructs.quotas.json_schema import json_schema
from qm_constructs.quotas.keys import FILE, AnyKind, Entries, Flag, Number, Section, Text
from qm_constructs.quotas.schema_file import SCHEMA_FILE
from tests.strategies import examples
from tests.test_quotas_file import EXAMPLE, FULL

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[1]

UNSAYABLE = {"XR-01"}
"""The rules between one part of a file and another, which a JSON Schema cannot say."""

_NAMES = ("research", "product", "a", "B-2", "x" * 128)
_BAD_NAMES = ("", "two words", "x" * 129, "ä", "a/b", "{{resolve:ssm:/a}}", "${Token[A.1]}")
_UNITS = ("ml.p5.48xlarge", "ml.g6.12xlarge", "ml.m5.large", "ml.new.large")
_BAD_UNITS = ("p5.48xlarge", "NUM_INSTANCES", "", "ml", "ml.{{resolve:ssm:/a}}")
_TAGS = ("team", "cost center", "a:b", "ü", "x" * 128, "Reference")
_BAD_TAGS = ("", "aws:x", "AWS:x", "a!", "a\\b", "a\tb", "[", "x" * 129, "Ref", "Fn::If", "a^b")
_ODD: tuple[Any, ...] = (None, True, 0, -5, 1.5, 7.0, 10**12, "1", "", [], {}, ["a"], {"a": 1})


def sound(kind: AnyKind) -> st.SearchStrategy[Any]:
    """Draws what the reader takes for a kind of value."""
    if isinstance(kind, Number):
        numbers = st.integers(kind.least, min(kind.most, kind.least + 2000))
        edges = st.sampled_from([kind.least, kind.most])
        return numbers | edges | (st.none() if kind.or_null else st.nothing())
    if isinstance(kind, Flag):
        return st.booleans()
    if isinstance(kind, Text):
        return st.sampled_from(kind.options or (_TAGS if kind.longest else _NAMES))
    if isinstance(kind, Section):
        needed = {key: sound(kind.members[key].kind) for key in kind.required}
        others = {k: sound(m.kind) for k, m in kind.members.items() if k not in needed}
        return st.fixed_dictionaries(needed, optional=others)
    keys = _UNITS if kind.known else _TAGS if kind.keys.longest else _NAMES
    return st.dictionaries(
        st.sampled_from(keys), sound(kind.values), min_size=kind.least, max_size=3
    )


def places(value: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Returns the path of every value in a document."""
    found = [path]
    for key, part in value.items() if isinstance(value, dict) else ():
        found += places(part, (*path, key))
    return found


def put(document: Any, path: tuple[str, ...], key: str | None, value: Any) -> Any:
    """Returns a document with another value at a path, or under another key."""
    changed = copy.deepcopy(document)
    owner = changed
    for step in path[:-1]:
        owner = owner[step]
    if key is None:
        owner[path[-1]] = value
    else:
        owner[key] = owner.pop(path[-1])
    return changed


@st.composite
def documents(draw: st.DrawFn) -> Any:
    """Draws a quotas file with some damage, or none."""
    document = draw(sound(FILE))
    for _ in range(draw(st.integers(0, 2))):
        inside = [path for path in places(document) if path]
        if not inside:
            break
        path = draw(st.sampled_from(inside))
        how = draw(st.sampled_from(["value", "key", "leave out", "text", "number", "more"]))
        if how == "value":
            document = put(document, path, None, copy.deepcopy(draw(st.sampled_from(_ODD))))
        elif how == "key":
            name = draw(st.sampled_from(_BAD_NAMES + _BAD_UNITS + _BAD_TAGS + ("ml.p5.48xlarge",)))
            document = put(document, path, name, None)
        elif how == "leave out":
            document = put(document, path, "\0gone", None)
            owner = document
            for step in path[:-1]:
                owner = owner[step]
            del owner["\0gone"]
        elif how == "text":
            document = put(document, path, None, draw(st.sampled_from(_BAD_NAMES + _BAD_TAGS)))
        elif how == "number":
            edges = (-2, -1, 0, 1, 599, 600, 1000, 1001, 86400, 86401, 2**31 - 1, 2**31)
            document = put(document, path, None, draw(st.sampled_from(edges)))
        else:
            many = {f"k{i}": "v" for i in range(draw(st.sampled_from([5, 6, 20, 21, 50, 51])))}
            document = put(document, path, None, many)
    return document


def refused(document: Any, folder: Path) -> list[str]:
    """Returns why the reader does not take a document, but for what no schema can say."""
    path = folder / "quotas.json"
    path.write_text(json.dumps(document))
    try:
        QuotaPlan.from_file(path)
    except QuotaManagementError as error:
        # Too many tags are so by themselves, or with those of the queue.
        own = [fault for fault in error.faults if fault.rule not in UNSAYABLE]
        return [str(fault) for fault in own]
    return []


@examples(300)
@given(document=documents())
def test_the_schema_and_the_reader_agree(document: Any, tmp_path_factory: Any) -> None:
    import jsonschema

    shares = document.get("quota_shares")
    for share in shares.values() if isinstance(shares, dict) else ():
        both = [document.get("tags"), share.get("tags") if isinstance(share, dict) else None]
        # The sum of two lists of tags is what no schema can say.
        assume(sum(len(tags) for tags in both if isinstance(tags, dict)) <= 50 or None in both)
    validator = jsonschema.Draft7Validator(json_schema())
    wrong = [error.message for error in validator.iter_errors(document)]
    why = refused(document, tmp_path_factory.getbasetemp())
    event("refused" if why else "taken")
    assert bool(wrong) == bool(why), (document, wrong, why)


def test_the_schema_is_one() -> None:
    import jsonschema

    jsonschema.Draft7Validator.check_schema(json_schema())


@pytest.mark.parametrize("text", [FULL, EXAMPLE.read_text()])
def test_the_examples_are_taken(text: str) -> None:
    import jsonschema
    import yaml

    jsonschema.validate(yaml.safe_load(text), json_schema())


def test_every_key_says_what_it_means() -> None:
    def check(kind: AnyKind) -> None:
        if isinstance(kind, Section):
            for key in kind.members.values():
                assert key.says.endswith(".")
                check(key.kind)
        elif isinstance(kind, Entries):
            check(kind.values)

    check(FILE)


def test_the_shipped_schema_is_what_the_table_says() -> None:
    script = ROOT / "scripts" / "generate_quotas_schema.py"
    done = subprocess.run(
        [sys.executable, script, "--check"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(SCHEMA_FILE.read_text()) == json_schema()
