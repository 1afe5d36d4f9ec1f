"""Bytes become a template as CloudFormation would read it, or one line that says why not."""

from __future__ import annotations

import io
import json
import os
import socket
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from qm_constructs.template import _yaml
from qm_constructs.template.loading import load
from qm_constructs.template.source import CannotRead, Document, parse

MIB = 2**20
TEMPLATE = b'{"Resources": {"Q": {"Type": "AWS::Batch::JobQueue"}}}'

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=30,
)


def yaml_value(text: str) -> Any:
    """Returns what a YAML value stands for as a property."""
    return parse(f"Resources:\n  A: {text}\n".encode(), "a.yaml").template["Resources"]["A"]


def failure(data: bytes, name: str = "a.yaml") -> tuple[str, int | None]:
    """Returns why a file cannot be read, and the line."""
    with pytest.raises(CannotRead) as raised:
        parse(data, name)
    reason = raised.value.reason
    assert "\n" not in reason
    assert len(reason) < 200
    return reason, raised.value.line


def lines(document: Document, *paths: tuple[str | int, ...]) -> list[int | None]:
    return [document.line_of(path) for path in paths]


# What a template says.


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("16", 16),
        ('"16"', "16"),
        ("!!str 16", "16"),
        ('!!int "16"', 16),
        ("1.5", 1.5),
        ("0x1F", 31),
        ("010", 8),
        ("1_000", 1000),
        ("yes", True),
        ("off", False),
        ("~", None),
        ("", None),
        ("2010-09-09", "2010-09-09"),
        ("2010-09-09T00:00:00Z", "2010-09-09T00:00:00Z"),
        ("012345678901", "012345678901"),
        ("0x_", "0x_"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("=", "="),
        ("9" * 101, "9" * 101),
        ("|\n    two\n    lines", "two\nlines\n"),
        ("[a, {b: c}]", ["a", {"b": "c"}]),
        ("{1: a, 0123: b, yes: c, ~: d}", {"1": "a", "0123": "b", "yes": "c", "~": "d"}),
        ("!!map {a: !!seq [b]}", {"a": ["b"]}),
    ],
)
def test_a_yaml_value(text: str, value: Any) -> None:
    read = yaml_value(text)
    assert read == value
    assert isinstance(read, type(value))
    assert isinstance(read, bool) is isinstance(value, bool)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("!Ref Q", {"Ref": "Q"}),
        ("!Ref 123", {"Ref": "123"}),
        ("!Condition C", {"Condition": "C"}),
        ("!GetAtt Q.Arn", {"Fn::GetAtt": ["Q", "Arn"]}),
        ("!GetAtt N.Outputs.Arn", {"Fn::GetAtt": ["N", "Outputs.Arn"]}),
        ("!GetAtt [Q, Arn]", {"Fn::GetAtt": ["Q", "Arn"]}),
        ("!GetAtt Q", {"Fn::GetAtt": "Q"}),
        ("!Sub 'a${B}'", {"Fn::Sub": "a${B}"}),
        ("!Sub [a, {B: !Ref C}]", {"Fn::Sub": ["a", {"B": {"Ref": "C"}}]}),
        ("!If [C, 1, !Ref AWS::NoValue]", {"Fn::If": ["C", 1, {"Ref": "AWS::NoValue"}]}),
        ("!Transform {Name: M}", {"Fn::Transform": {"Name": "M"}}),
        ("!NotInventedYet x", {"Fn::NotInventedYet": "x"}),
    ],
)
def test_a_short_function_becomes_the_long_one(text: str, value: Any) -> None:
    assert yaml_value(text) == value


ANCHORS = b"""\
Base: &base
  X: 1
  Y: 2
Resources:
  A:
    <<: *base
    Y: 3
  B: {<<: [*base, {X: 5, Z: 6}]}
  C:
    - *base
    - !If [D, {E: 1},
        {E: 2}]
"""


def test_aliases_and_merges() -> None:
    resources = parse(ANCHORS, "a.yaml").template["Resources"]
    assert resources["A"] == {"X": 1, "Y": 3}
    assert resources["B"] == {"X": 1, "Y": 2, "Z": 6}
    assert resources["C"][0] == {"X": 1, "Y": 2}


def test_an_alias_of_a_key_stands_for_what_the_key_would_be_as_a_value() -> None:
    text = b"Resources:\n  &a 7: &b 8\n  B: [*a, *b, !Ref &c d, *c]\n"
    resources = parse(text, "a.yaml").template["Resources"]
    assert resources == {"7": 8, "B": [7, 8, {"Ref": "d"}, {"Ref": "d"}]}


def test_lines_of_yaml_are_where_it_is_written() -> None:
    document = parse(ANCHORS, "a.yaml")
    resources = ("Resources",)
    assert lines(
        document,
        (),
        resources,
        (*resources, "A"),
        (*resources, "A", "Y"),
        (*resources, "A", "X"),
        (*resources, "B", "Z"),
        (*resources, "C", 0),
        (*resources, "C", 1),
        (*resources, "C", 1, "Fn::If", 1, "E"),
        (*resources, "C", 1, "Fn::If", 2, "E"),
    ) == [1, 4, 5, 7, 2, 8, 10, 11, 11, 12]


JSON_LINES = b"""\
{
  "Resources": {
    "A": {"X": [1, "[{",
      {"Y": "\\"}",
       "\\u005a": null}], "W": [[],
      true]},
    "B":
      "text"
  }
}
"""


def test_lines_of_json() -> None:
    document = parse(JSON_LINES, "a.json")
    a = ("Resources", "A")
    assert lines(
        document,
        (),
        ("Resources",),
        a,
        (*a, "X", 1),
        (*a, "X", 2),
        (*a, "X", 2, "Y"),
        (*a, "X", 2, "Z"),
        (*a, "W"),
        (*a, "W", 0),
        (*a, "W", 1),
        ("Resources", "B"),
    ) == [1, 2, 3, 3, 4, 4, 5, 5, 5, 6, 7]


@pytest.mark.parametrize(("data", "name"), [(JSON_LINES, "a.json"), (JSON_LINES, "a.yaml")])
def test_the_line_of_what_is_not_there_is_its_parents(data: bytes, name: str) -> None:
    document = parse(data, name)
    a = ("Resources", "A")
    assert lines(document, (*a, "X", 2, "no", 0), (*a, "X", 9), (*a, "no"), ("no",)) == [4, 3, 3, 1]
    assert lines(document, ("Resources", "B", "deeper"), ("Resources", 0)) == [7, 2]


@given(VALUES)
def test_each_value_of_json_is_found_where_it_stands(value: Any) -> None:
    text = json.dumps({"Resources": {"A": value}}, indent=1)
    document = parse(text.encode(), "a.json")
    assert document.template == {"Resources": {"A": value}}
    rows = text.splitlines()

    def check(value: Any, path: tuple[str | int, ...]) -> None:
        row = rows[(document.line_of(path) or 0) - 1]
        if isinstance(path[-1], str):
            assert row.strip().startswith(json.dumps(path[-1]) + ":")
        assert row.rstrip(",").endswith(("{", "[", json.dumps(value)))
        pairs = value.items() if isinstance(value, dict) else ()
        for key, child in pairs if not isinstance(value, list) else enumerate(value):
            check(child, (*path, key))

    check(value, ("Resources", "A"))


@given(VALUES)
def test_yaml_of_any_value_is_read_back(value: Any) -> None:
    template = {"Resources": {"A": value}}
    text = yaml.safe_dump(template)
    assert parse(text.encode(), "a.yaml").template == template


@pytest.mark.parametrize("name", ["a.yaml", "a.yml", "a.json", "a.template", "A.JSON", "-"])
def test_json_is_read_under_any_name(name: str) -> None:
    assert "Q" in parse(TEMPLATE, name).template["Resources"]


@pytest.mark.parametrize("name", ["a.yaml", "a.template", "-"])
@pytest.mark.parametrize(
    "text", ["Resources: {}", "\ufeffResources: {}", "%YAML 1.1\n---\nResources: {}"]
)
def test_yaml_is_read_under_any_name_but_json(name: str, text: str) -> None:
    assert parse(text.encode(), name).template == {"Resources": {}}


def test_yaml_may_begin_with_a_brace() -> None:
    assert parse(b"{Resources: {A: !Ref B}}", "a.yml").template["Resources"] == {"A": {"Ref": "B"}}
    assert "JSON" in failure(b"{Resources: {A: !Ref B}}", "a.template")[0]


def test_json_with_a_byte_order_mark() -> None:
    assert parse(b"\xef\xbb\xbf" + TEMPLATE, "a.json").template["Resources"]


@pytest.mark.parametrize("digits", ["9" * 101, "1e999", "0." + "1" * 101])
def test_a_json_number_that_nothing_can_hold_stays_text(digits: str) -> None:
    document = parse(f'{{"Resources": {{"A": {digits}, "B": 2.5, "C": 7}}}}'.encode(), "a.json")
    assert document.template["Resources"] == {"A": digits, "B": 2.5, "C": 7}


def test_without_libyaml_it_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = parse(ANCHORS, "a.yaml").template
    monkeypatch.setattr(_yaml, "_LOADER", yaml.SafeLoader)
    assert parse(ANCHORS, "a.yaml").template == expected
    assert failure(b"Resources:\n  a: b: c")[1] == 2


# What is refused.


@pytest.mark.parametrize(
    ("data", "reason", "line"),
    [
        (b"", "is empty", None),
        (b" \n\t\n", "is empty", None),
        (b"# a comment\n", "is empty", None),
        (b"---\n", "is empty", None),
        (b"\xef\xbb\xbf", "is empty", None),
        (b"A:\n  B: caf\xe9", "is not UTF-8: the byte 0xe9", 2),
        ("A: b".encode("utf-16"), "is UTF-16", None),
        ("A: b".encode("utf-16-le"), "is UTF-16", None),
        ("A: b".encode("utf-16-be"), "is UTF-16", None),
        (b"A:\n  B: \0", "holds a NUL character", 2),
        (b"A:\n  B: \x07", r"holds the control character '\x07'", 2),
        (b"A: 1\nB: 2\nA: 3", "has the key 'A' twice in one mapping, first in line 1", 3),
        (b"A:\n  B: {C: 1,\n   C: 2}", "has the key 'C' twice in one mapping, first in line 2", 3),
        (
            b"A: 1\n---\nA: 1",
            "holds more than one YAML document; a template or a quotas file is one",
            2,
        ),
        (b"A: 1\n? [a]\n: 1", "has a key that is no plain text", 2),
        (b"A: 1\n? {a: b}\n: 1", "has a key that is no plain text", 2),
        (b"A: 1\n!Ref B: 1", "has a key that is no plain text", 2),
        (b"A:\n  - *b", "has the alias *b, but no anchor of that name", 2),
        (b"A: &a\n  - b\n  - [*a]", "has the alias *a inside of its own anchor", 3),
        (b"A:\n  <<: 1", "merges with '<<' what is no mapping", 2),
        (b"A:\n  <<: [{B: 1}, 2]", "merges with '<<' what is no mapping", 2),
        (b"A: 1\nB: !!python/object:os.system x", "has the tag '!!python/object:os.system'", 2),
        (b"A: !!python/object/apply:os.system [x]", "has the tag '!!python/object/apply", 1),
        (b"A: !!binary aaaa", "has the tag '!!binary', which CloudFormation does not take", 1),
        (b"A: !!timestamp 2010-09-09", "has the tag '!!timestamp'", 1),
        (b"A: !!set {a}", "has the tag '!!set'", 1),
        (b"A: !!seq {a: b}", "has the tag '!!seq'", 1),
        (b"A: !<tag:example.com,2000:x> b", "has the tag 'tag:example.com,2000:x'", 1),
        (b"A: !!int x", "has 'x' tagged as !!int, which it is not", 1),
        (b"A: !!bool maybe", "has 'maybe' tagged as !!bool, which it is not", 1),
        (b"A:\n\tB: 1", "is no valid YAML: a tab stands where only spaces may stand (column 1)", 2),
        (b"A:\n  b: c: d", "is no valid YAML: mapping values are not allowed", 2),
        (
            b"A:\n - a\n b: c",
            "(column 2), while parsing a block collection that begins in line 2",
            3,
        ),
        (b"A: @b", "is no valid YAML: found character that cannot start any token (column 4)", 1),
    ],
)
def test_broken_yaml(data: bytes, reason: str, line: int | None) -> None:
    said, where = failure(data)
    assert reason in said
    assert where == line


@pytest.mark.parametrize(
    ("data", "reason", "line"),
    [
        (b'{\n "A" 1}', "is no valid JSON: a ':' is missing (column 6)", 2),
        (b'{"A": 1 "B"}', "is no valid JSON: a ',' or a closing bracket is missing (column 9)", 1),
        (b"{'A': 1}", "is no valid JSON: a key in double quotes is missing (column 2)", 1),
        (b'{"A":\n tru}', "is no valid JSON: a value is missing (column 2)", 2),
        (b"{} x", "is no valid JSON: there is more text after the end (column 4)", 1),
        (b'{"A": "b', "has no closing quote (column 7)", 1),
        (b'{"A": "b\nc"}', "a control character is inside a text (column 9)", 1),
        (b'{"A": "\\q"}', "a backslash starts no escape", 1),
        (b'{"A": "\\ud800"}', "that is no character", None),
        (b'{"A":\n NaN}', "is no valid JSON: NaN is no number there", 2),
        (b'{"A":\n\n [-Infinity]}', "is no valid JSON: -Infinity is no number there", 3),
        (b'{"A": 1,\n "A": 2}', "has the key 'A' twice in one mapping, first in line 1", 2),
        (b'{"A": {"B": 1,\n "\\u0042": 2}} x', "has the key 'B' twice", 2),
        (b"Resources: {}", "a YAML template needs a name that ends in .yaml", 1),
        (b"", "is empty", None),
        (b'{"A": "\xff"}', "is not UTF-8: the byte 0xff", 1),
        (b'{"A": "\0"}', "holds a NUL character", 1),
    ],
)
def test_broken_json(data: bytes, reason: str, line: int | None) -> None:
    said, where = failure(data, "a.json")
    assert reason in said
    assert where == line


@pytest.mark.parametrize(
    ("data", "why", "line"),
    [
        (b"just text", "a text is at its top", 1),
        (b"[]", "a list is at its top", 1),
        (b"\n42", "a number is at its top", 2),
        (b"yes", "a true or false is at its top", 1),
        (b"A: 1", "it has no Resources", None),
        (b"A: 1\nResources:", "its Resources are null", 2),
        (b"A: 1\nResources: [a]", "its Resources are a list", 2),
        (b"Resources: 3", "its Resources are a number", 1),
        (b"resources: {}", "capital R", None),
        (b"apiVersion: v1\nkind: Pod", "Kubernetes", None),
        (b"services: {}", "Compose", None),
        (b"service: a\nprovider: {}\nresources: {}", "Serverless", None),
        (b'{"name": "a", "version": "1.0.0"}', "package.json", None),
        (b'{"app": "python3 app.py"}', "run `cdk synth`", None),
        (b'{"version": "1", "artifacts": {}}', "give the folder itself", None),
        (b'{"version": "1", "files": {}}', "give the folder itself", None),
        (b'{"version": "1", "tree": {}}', "give the folder itself", None),
        (b'{"TemplateBody": {}}', "save its TemplateBody", None),
    ],
)
def test_what_is_no_template(data: bytes, why: str, line: int | None) -> None:
    said, where = failure(data)
    assert said.startswith("is not a CloudFormation template: ")
    assert why in said
    assert where == line


MERGE_BOMB = (
    b"m: &m {" + b",".join(b"k%d: 1" % i for i in range(1000)) + b"}\nx:\n"
    b"" + b"".join(b"  y%d: {<<: *m}\n" % i for i in range(10_000))
)
LAUGHS = b"a0: &a0 [x]\n" + b"".join(
    b"a%d: &a%d [%s]\n" % (i, i, b",".join([b"*a%d" % (i - 1)] * 10)) for i in range(1, 11)
)
CHAIN = b"a0: &a0 [x]\n" + b"".join(b"a%d: &a%d [*a%d]\n" % (i, i, i - 1) for i in range(1, 3000))
SAME_TEXT = b"a: &a " + b"x" * MIB + b"\nb: [" + b",".join([b"*a"] * 10_000) + b"]\n"


@pytest.mark.parametrize(
    ("name", "data", "reason", "line"),
    [
        ("a.json", b"[" * 16 * MIB, "nested more than 200 levels deep", 1),
        ("a.json", b'{"a":\n' * 2 * MIB, "nested more than 200 levels deep", 201),
        ("a.yaml", b"[" * 16 * MIB, "nested more than 200 levels deep", 1),
        ("a.yaml", b'{"a":' * 3 * MIB, "nested more than 200 levels deep", 1),
        ("a.yaml", b"- " * 8 * MIB, "nested more than 200 levels deep", 1),
        ("a.yaml", b"".join(b" " * i + b"a:\n" for i in range(900)), "200 levels", 201),
        ("a.yaml", CHAIN, "nested more than 200 levels deep", 200),
        ("a.yaml", LAUGHS, "500,000 values once its aliases are expanded", 7),
        ("a.yaml", MERGE_BOMB, "500,000 values once its aliases are expanded", 251),
        ("a.yaml", SAME_TEXT, "500,000 values once its aliases are expanded", 2),
        ("a.yaml", b"".join(b"k%d: 1\n" % i for i in range(10**6)), "500,000 values", 250_000),
        (
            "a.json",
            b'{"Resources": {"A": [' + b"{},\n" * 3 * MIB + b"{}]}}",
            "500,000 values",
            499_998,
        ),
        ("a.json", b"[]]" + b",[]" * 400_000, "there is more text after the end (column 3)", 1),
        ("a.json", b"[" * 190, "is no valid JSON", 1),
        ("a.json", b" " * (16 * MIB + 1), "is larger than 16 MiB", None),
    ],
)
def test_a_bomb_is_refused_in_time(name: str, data: bytes, reason: str, line: int | None) -> None:
    began = time.perf_counter()
    said, where = failure(data, name)
    assert reason in said
    assert where == line
    assert time.perf_counter() - began < 10


@pytest.mark.parametrize("name", ["a.json", "a.yaml"])
@pytest.mark.parametrize("value", [b'"' + b"x," * 7 * MIB + b'"', b"9" * 15 * MIB])
def test_a_long_value_is_no_bomb(name: str, value: bytes) -> None:
    document = parse(b'{"Resources": {"A": ' + value + b"}}", name)
    assert len(document.template["Resources"]["A"]) == len(value.strip(b'"'))


@pytest.mark.parametrize("name", ["a.json", "a.yaml"])
def test_two_hundred_levels_are_no_bomb(name: str) -> None:
    def nested(levels: int) -> bytes:
        return b'{"Resources": ' * levels + b"{}" + b"}" * levels

    assert parse(nested(199), name).template
    assert "200 levels" in failure(nested(200), name)[0]


def test_a_thousand_lines_cost_one_scan() -> None:
    resources = {f"Q{i}": {"Properties": {"P": [i] * 10}} for i in range(5000)}
    document = parse(json.dumps({"Resources": resources}, indent=1).encode(), "a.json")
    assert document.line_of(("Resources", "Q0")) == 3
    began = time.perf_counter()
    for i in range(1000):
        document.line_of(("Resources", f"Q{i}", "Properties", "P", 9))
    assert time.perf_counter() - began < 0.2


# Paths.


def loaded(*paths: str | Path, stdin: bytes = b"") -> tuple[list[str], dict[str, str]]:
    """Returns the files that were read, and of the others why not."""
    groups, unreadable = load([str(path) for path in paths], io.BytesIO(stdin))
    assert all(len(stacks) == 1 for stacks in groups)
    return [stacks[0].file for stacks in groups], {each.file: each.reason for each in unreadable}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_each_file_is_a_group_of_its_own(here: Path) -> None:
    (here / "a.json").write_bytes(TEMPLATE)
    (here / "b.yaml").write_text("Resources:\n  A: {}")
    groups, unreadable = load(["a.json", "./b.yaml"], io.BytesIO())
    assert unreadable == []
    [[first], [second]] = groups
    assert (first.file, first.name, first.account, first.region) == ("a.json", None, None, None)
    assert (second.file, second.line_of(("Resources", "A"))) == ("./b.yaml", 2)


def test_standard_input() -> None:
    assert loaded("-", "-", stdin=TEMPLATE) == (["-"], {})
    assert loaded("-", stdin=b"Resources: {}") == (["-"], {})
    assert loaded("-", stdin=b"") == ([], {"-": "is empty"})
    assert "16 MiB" in loaded("-", stdin=b" " * 17 * MIB)[1]["-"]


def test_standard_input_that_fails() -> None:
    closed = io.BytesIO()
    closed.close()
    assert load(["-"], closed)[1][0].reason.startswith("cannot be read: ")


def test_a_failure_leaves_the_others(here: Path) -> None:
    (here / "a.json").write_bytes(TEMPLATE)
    (here / "b.json").write_text('{"A": 1,\n "A": 2}')
    groups, unreadable = load(["none.json", "b.json", "a.json"], io.BytesIO())
    assert [stack.file for [stack] in groups] == ["a.json"]
    assert [(each.file, each.line) for each in unreadable] == [("none.json", None), ("b.json", 2)]
    assert unreadable[0].reason == "does not exist"


def test_the_same_file_is_read_once(here: Path) -> None:
    (here / "a.json").write_bytes(TEMPLATE)
    (here / "link.json").symlink_to("a.json")
    assert loaded("./a.json", "a.json", here / "a.json", "link.json") == (["./a.json"], {})
    assert loaded("no", "./no", "no")[1] == {"no": "does not exist"}


@pytest.mark.usefixtures("here")
def test_what_is_no_file_is_not_waited_for() -> None:
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        _, said = loaded("pipe", "socket", "/dev/zero")
    assert said["pipe"].startswith("is a pipe")
    assert said["socket"].startswith("is a socket")
    assert said["/dev/zero"].startswith("is a device")


def test_a_large_file_is_not_read(here: Path) -> None:
    with (here / "a.json").open("wb") as file:
        file.truncate(2**40)
    assert "16 MiB" in loaded("a.json")[1]["a.json"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(here: Path) -> None:
    (here / "a.json").write_bytes(TEMPLATE)
    (here / "a.json").chmod(0)
    assert loaded("a.json")[1] == {"a.json": "may not be read: permission denied"}


def test_permission_is_said_in_our_words(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "a.json").write_bytes(TEMPLATE)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert loaded("a.json")[1] == {"a.json": "may not be read: permission denied"}


@pytest.mark.parametrize("path", ["", "a\0b", "x" * 5000])
def test_paths_that_lead_nowhere(path: str) -> None:
    [said] = loaded(path)[1].values()
    assert "\n" not in said


def test_a_link_to_itself(here: Path) -> None:
    (here / "a.json").symlink_to("a.json")
    assert loaded("a.json")[1]["a.json"].startswith("cannot be read: ")


def test_a_file_name_that_is_no_text_prints(here: Path) -> None:
    name = os.fsdecode(b"caf\xe9\n.json")
    (here / name).write_bytes(TEMPLATE)
    [file] = loaded(name)[0]
    assert file == "caf\\udce9\\n.json"
    assert "\\udce9" in next(iter(loaded(os.fsdecode(b"\xe9"))[1]))


def test_a_folder_that_is_no_cdk_out(here: Path) -> None:
    said = loaded(".")[1]["."]
    assert said.startswith("is no cdk.out folder: it has no manifest.json; run `cdk synth`")
    (here / "cdk.out").mkdir()
    (here / "cdk.out" / "manifest.json").write_text("{}")
    assert loaded(here)[1][str(here)].endswith(f"give {here / 'cdk.out'}")
