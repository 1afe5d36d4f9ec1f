"""Why a file is not read, word by word, and the line: each reason there is."""

from __future__ import annotations

import errno
import io
import os
import socket
import stat
from pathlib import Path
from typing import Any

import pytest
import yaml

from qm_constructs.plan import Path as Path_
from qm_constructs.template import _json, _yaml
from qm_constructs.template._files import reason_of
from qm_constructs.template.loading import load
from qm_constructs.template.source import CannotRead, parse

NO_TEMPLATE = "is not a CloudFormation template: "
NO_JSON, NO_YAML = "is no valid JSON: ", "is no valid YAML: "

YAML: list[tuple[str, str, int | None]] = [
    ("# nothing", "is empty", None),
    ("", "is empty", None),
    ("A: 1\n---\nB: 2", "holds more than one YAML document; a template or a quotas file is one", 2),
    ("A: 1\n? [x]\n: 2", "has a key that is no plain text", 2),
    ("A: 1\nA: 2", "has the key 'A' twice in one mapping, first in line 1", 2),
    ("A: *b", "has the alias *b, but no anchor of that name", 1),
    ("A: &a [*a]", "has the alias *a inside of its own anchor", 1),
    ("A:\n  <<: 1", "merges with '<<' what is no mapping", 2),
    ("A: !!set {}", "has the tag '!!set', which CloudFormation does not take", 1),
    ("A: !!int x", "has 'x' tagged as !!int, which it is not", 1),
    ("A: '\0'", "holds a NUL character", 1),
    ("A: 1\nB: '\0'\nC: '\0'", "holds a NUL character", 2),
    ("\x07", r"holds the control character '\x07'", 1),
    ("A: b\n\x07\n", r"holds the control character '\x07'", 2),
    ("\n\x07\n", r"holds the control character '\x07'", 2),
    ("A: b: c", f"{NO_YAML}mapping values are not allowed in this context (column 5)", 1),
    ("A:\n\tB: 1", f"{NO_YAML}a tab stands where only spaces may stand (column 1)", 2),
    (
        "A: [1,\n  2\nB: 3",
        f"{NO_YAML}did not find expected ',' or ']' (column 2), while parsing a flow sequence that "
        "begins in line 1",
        3,
    ),
    ("A: 'b", f"{NO_YAML}found unexpected end of stream (column 6)", 1),
    (
        "A: [1\n",
        f"{NO_YAML}did not find expected ',' or ']' (column 1), while parsing a flow sequence that "
        "begins in line 1",
        2,
    ),
    ("text", f"{NO_TEMPLATE}a text is at its top, where a mapping belongs", 1),
    ("A: 1", f"{NO_TEMPLATE}it has no Resources", None),
    (
        "Resources:",
        f"{NO_TEMPLATE}its Resources are null, where a mapping of logical ids belongs",
        1,
    ),
]

JSON: list[tuple[str, str, int | None]] = [
    (" ", "is empty", None),
    ("[1,", f"{NO_JSON}a value is missing (column 4)", 1),
    ("[1 2]", f"{NO_JSON}a ',' or a closing bracket is missing (column 4)", 1),
    ("{1: 2}", f"{NO_JSON}a key in double quotes is missing (column 2)", 1),
    ('{"a" 2}', f"{NO_JSON}a ':' is missing (column 6)", 1),
    ("{}\n{}", f"{NO_JSON}there is more text after the end (column 1)", 2),
    ('{"a": "b}', f"{NO_JSON}the text that starts here has no closing quote (column 7)", 1),
    (r'["\x"]', f"{NO_JSON}a backslash starts no escape (column 3)", 1),
    (r'["\u12"]', f"{NO_JSON}a '\\u' needs four hexadecimal digits (column 4)", 1),
    (
        '["a\tb"]',
        f"{NO_JSON}a line break, a tab or a control character is inside a text (column 4)",
        1,
    ),
    ('{"a":\n NaN}', f"{NO_JSON}NaN is no number there", 2),
    ('{"a":\n Infinity}', f"{NO_JSON}Infinity is no number there", 2),
    ('{"a": 1,\n"b": -Infinity}', f"{NO_JSON}-Infinity is no number there", 2),
    (r'{"a": "\ud800"}', r"has an escape from \ud800 to \udfff that is no character", None),
    (
        "Resources: {}",
        f"{NO_JSON}a value is missing (column 1); a YAML template needs a name that ends in .yaml",
        1,
    ),
    ("{}", f"{NO_TEMPLATE}it has no Resources", None),
    ("[]", f"{NO_TEMPLATE}a list is at its top, where a mapping belongs", 1),
]


HERE = yaml.Mark("a.yaml", 0, 6, 4, None, 0)


def failure(data: bytes, name: str) -> tuple[str, int | None]:
    with pytest.raises(CannotRead) as raised:
        parse(data, name)
    assert str(raised.value) == str((raised.value.reason, raised.value.line))
    return raised.value.reason, raised.value.line


@pytest.mark.parametrize(("text", "reason", "line"), YAML)
def test_yaml(text: str, reason: str, line: int | None) -> None:
    assert failure(text.encode(), "a.yaml") == (reason, line)


@pytest.mark.parametrize(("text", "reason", "line"), JSON)
def test_json(text: str, reason: str, line: int | None) -> None:
    assert failure(text.encode(), "a.json") == (reason, line)


def test_bytes_that_are_no_text() -> None:
    utf_16 = "is UTF-16 or no text at all: save it as UTF-8"
    assert failure("Resources: {}".encode("utf-16"), "a.yaml") == (utf_16, None)
    latin = "is not UTF-8: the byte 0xe9 does not belong there; save it as UTF-8"
    assert failure(b"\nA: b\nC: \xe9\n", "a.yaml") == (latin, 3)
    assert failure(b"\xe9\n", "a.yaml") == (latin, 1)
    assert failure(b"\n\xe9\n", "a.yaml") == (latin, 2)


@pytest.mark.parametrize("name", ["a.b.yaml", "a.yml", "a.YAML", "-"])
def test_the_last_ending_says_which_syntax_is_meant(name: str) -> None:
    assert parse(b"Resources: {}", name).template == {"Resources": {}}


def test_json_that_is_json_is_not_told_of_yaml() -> None:
    assert failure(b'[1, "]', "a.json")[0].endswith("(column 5)")
    assert failure(b"{", "a.json")[0].endswith("(column 2)")
    assert failure(b"X", "a.b.json")[0].endswith("ends in .yaml")


@pytest.mark.parametrize(
    "text", ["{Resources: {A: b}}", "\n {Resources: {A: b}} ", "Resources: {A: b}\n}"]
)
def test_yaml_is_told_by_how_it_begins(text: str) -> None:
    if text.strip().startswith("{"):
        assert parse(text.encode(), "a.yaml").template == {"Resources": {"A": "b"}}
        assert parse(text.encode(), "a.yml").template == {"Resources": {"A": "b"}}
        assert NO_JSON in failure(text.encode(), "a.template")[0]
    else:
        assert NO_YAML in failure(text.encode(), "a.template")[0]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (yaml.MarkedYAMLError(problem="so"), f"{NO_YAML}so"),
        (yaml.MarkedYAMLError(context="while"), f"{NO_YAML}while"),
        (yaml.MarkedYAMLError(), f"{NO_YAML}it cannot be read"),
        (
            yaml.MarkedYAMLError(problem="nesting depth", problem_mark=HERE),
            "is nested more than 200 levels deep",
        ),
        (yaml.MarkedYAMLError(problem="so", problem_mark=HERE), f"{NO_YAML}so (column 5)"),
        (yaml.MarkedYAMLError(problem="so", context_mark=HERE), f"{NO_YAML}so (column 5)"),
    ],
)
def test_yaml_errors_with_and_without_a_place(
    error: yaml.MarkedYAMLError, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(_yaml, "_LOADER", fail)
    line = HERE.line + 1 if error.problem_mark or error.context_mark else None
    assert failure(b"A: 1", "a.yaml") == (said, line)


def test_a_character_that_only_yaml_objects_to(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise yaml.reader.ReaderError("", 0, 0, "", "")

    monkeypatch.setattr(_yaml, "_LOADER", fail)
    said = f"{NO_YAML}it holds a character that YAML does not take"
    assert failure(b"A: 1", "a.yaml") == (said, None)


def test_both_parsers_of_pyyaml_are_told_apart_by_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_yaml, "_LOADER", yaml.SafeLoader)
    tab = f"{NO_YAML}a tab stands where only spaces may stand (column 1)"
    assert failure(b"A:\n\tB: 1", "a.yaml") == (tab, 2)
    assert failure(b"A: b\n\x07\n", "a.yaml") == (r"holds the control character '\x07'", 2)
    nested, line = failure(b"A: [1,\n  2\nB: 3", "a.yaml")
    assert "while parsing a flow sequence that begins in line 1" in nested
    assert line == 3


def test_json_errors_that_python_words_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_json, "_WORDS", {})
    assert failure(b'{"a": }', "a.json") == (f"{NO_JSON}expecting value (column 7)", 1)


def test_a_fault_of_json_that_is_not_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_json._Scan, "run", lambda _: (1, None))
    assert failure(b'{"a": 1, "a": 2}', "a.json") == ("is no valid JSON", None)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOENT, "x"), "does not exist"),
        (OSError(errno.EACCES, "x"), "may not be read: permission denied"),
        (OSError(errno.EPERM, "x"), "may not be read: permission denied"),
        (OSError(errno.EIO, "x"), "cannot be read: input/output error"),
        (OSError("no number"), "cannot be read: no number"),
        (OSError("é\n"), r"cannot be read: é\n"),
        (ValueError("embedded null byte"), "cannot be read: embedded null byte"),
        (ValueError(), "cannot be read: no reason given"),
    ],
)
def test_what_the_system_says(error: OSError | ValueError, said: str) -> None:
    assert reason_of(error) == said


def refused(path: str, data: bytes = b"") -> list[tuple[str, str]]:
    return [(one.file, one.reason) for one in load([path], io.BytesIO(data))[1]]


def test_what_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused("") == [("", "is an empty path")]
    assert refused("nowhere") == [("nowhere", "does not exist")]
    assert refused("a\0b") == [("a\\x00b", "cannot be read: embedded null byte")]
    os.mkfifo("pipe")
    assert refused("pipe") == [("pipe", "is a pipe, no file; to read a pipe, give '-'")]
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        assert refused("socket") == [("socket", "is a socket, no file; to read a pipe, give '-'")]
    device = "is a device, no file; to read a pipe, give '-'"
    assert refused(os.devnull) == [(os.devnull, device)]


def test_a_folder_that_turns_up_in_the_place_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stat, "S_ISREG", lambda _: False)
    monkeypatch.setattr(Path, "is_dir", lambda _: False)
    assert refused(str(tmp_path)) == [(str(tmp_path), "is a folder, no file")]


def test_a_folder_that_is_no_cdk_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("app").mkdir()
    no = "is no cdk.out folder: it has no manifest.json; "
    hint = "run `cdk synth`, or name the template files"
    assert refused("app") == [("app", no + hint)]
    Path("app/cdk.out").mkdir()
    assert refused("app") == [("app", no + hint)]
    Path("app/cdk.out/manifest.json").write_text("{}")
    assert refused("app") == [("app", f"{no}give app/cdk.out")]
    missing = "is no manifest of a cdk.out folder: it has no artifacts"
    assert refused("app/cdk.out") == [("app/cdk.out/manifest.json", missing)]
    Path("app/cdk.out/manifest.json").write_text("[]")
    at_top = "is no file of a cdk.out folder: a list is at its top"
    assert refused("app/cdk.out") == [("app/cdk.out/manifest.json", at_top)]


def test_a_folder_and_a_stream_that_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise OSError(errno.EIO, "x")

    with monkeypatch.context() as broken:
        broken.setattr(Path, "iterdir", fail)
        assert refused(str(tmp_path)) == [(str(tmp_path), "cannot be read: input/output error")]
    with monkeypatch.context() as broken:
        broken.setattr(Path, "is_dir", fail)
        broken.setattr(Path, "stat", fail)
        assert refused("x") == [("x", "cannot be read: input/output error")]
    stream = io.BytesIO()
    stream.close()
    [said] = load(["-"], stream)[1]
    assert said.reason == "cannot be read: I/O operation on closed file."


def test_one_file_given_twice_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.json").write_text('{"Resources": {}}')
    Path("link.json").symlink_to("a.json")
    groups, unreadable = load(["a.json", "./a.json", "link.json", "a.json"], io.BytesIO())
    assert [[stack.file for stack in stacks] for stacks in groups] == [["a.json"]]
    assert groups[0][0].template == {"Resources": {}}
    assert unreadable == []
    # Standard input is no file of that name, and an empty path no folder.
    Path("-").write_text("{")
    groups, unreadable = load(["", "-", "./-", "."], io.BytesIO(b'{"Resources": {}}'))
    assert [[stack.file for stack in stacks] for stacks in groups] == [["-"]]
    assert [one.file for one in unreadable] == ["", "./-", "."]


def test_the_folder_is_named_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("outX").mkdir()
    Path("outX/manifest.json").write_text("{}")
    assert [file for file, _ in refused("outX//")] == ["outX/manifest.json"]


# -- What YAML says in other ways.


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("! [a]", ["a"]),
        ("! {a: b}", {"a": "b"}),
        ("[&x a, {*x : 1}]", ["a", {"a": 1}]),
        ("[&x <<, {*x : {b: 1}}]", ["<<", {"b": 1}]),
        ("[&x '<<', {*x : {b: 1}}]", ["<<", {"<<": {"b": 1}}]),
        ("[&x 12, *x]", [12, 12]),
        ("!GetAtt [a.b, c]", {"Fn::GetAtt": ["a.b", "c"]}),
        ("!Sub a.b", {"Fn::Sub": "a.b"}),
    ],
)
def test_a_value(text: str, value: Any) -> None:
    assert parse(f"Resources: {{A: {text}}}".encode(), "a.yaml").template["Resources"] == {
        "A": value
    }


def test_lines_after_an_empty_first_one() -> None:
    document = parse(b'\n{"Resources":\n{"A": 1}}', "a.json")
    assert [document.line_of(path) for path in ((), ("Resources",), ("Resources", "A"))] == [
        2,
        2,
        3,
    ]


@pytest.mark.parametrize(
    ("text", "path", "place"),
    [
        ('{"A": 1}', ("A",), (1, 2)),
        ('{\n\n  "A": 1}', ("A",), (3, 3)),
        ('\n{"A": [1,\n\n\n 2]}', ("A", 1), (5, 2)),
        ('\n{"A": [1,\n\n\n 2]}', ("A", 0), (2, 8)),
        ('\n\n {"A": 1}', (), (3, 2)),
    ],
)
def test_line_and_column_of_a_value_in_json(text: str, path: Path_, place: tuple[int, int]) -> None:
    _, place_of = _json.parse_json(text)
    assert place_of(path) == place
