"""How much a template may hold, to the value: each bound is met once and passed once."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from qm_constructs.template import _files, _json, _reading, _yaml, source
from qm_constructs.template.loading import load
from qm_constructs.template.source import CannotRead, parse

Small = Callable[[str, int], None]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Small:
    """Makes a limit small, so that it is met at once."""

    def make(limit: str, value: int) -> None:
        for module in (_files, _json, _reading, _yaml, source):
            if hasattr(module, limit):
                monkeypatch.setattr(module, limit, value)

    return make


def failure(text: str, name: str = "a.yaml") -> tuple[str, int | None]:
    with pytest.raises(CannotRead) as raised:
        parse(text.encode(), name)
    return raised.value.reason, raised.value.line


@pytest.mark.parametrize(
    "text",
    [
        '{"Resources": {"A":\n [1, 2]}}',
        '{"Resources": {"A":\n [3, "x"]},\n "B": {}}',
        '{"Resources": {"A": 1,\n "B": {"C": 1}}}',
    ],
)
@pytest.mark.parametrize("name", ["a.json", "a.yaml"])
def test_mappings_and_lists_within_one_another(small: Small, text: str, name: str) -> None:
    small("MAX_DEPTH", 3)
    assert parse(text.encode(), name).line_of(("Resources", "A", 1)) in (1, 2)
    small("MAX_DEPTH", 2)
    assert failure(text, name) == ("is nested more than 2 levels deep", 2)


@pytest.mark.parametrize(
    ("text", "depth", "line"),
    [
        ("Resources:\n  A:\n    B: !Sub [x]\n", 5, 3),  # a function counts as a mapping
        ("Resources:\n  A:\n    B: !Transform {C: d}\n", 5, 3),
        ("X: &x [[1]]\nResources:\n  A: *x", 4, 3),
        ("X: &x [[1], 2]\nResources:\n  A: [*x]", 5, 3),
        ("X: &x {a: {b: 1}, c: 1}\nResources:\n  A: *x", 4, 3),
        ("X: &x !Sub [x]\nResources:\n  A:\n    B: *x", 5, 4),
        ("X: &x !Ref x\nResources:\n  A:\n    B: *x", 4, 4),
        ("X: &x !Ref x\nY: &y [*x]\nResources:\n  A: *y", 4, 4),
    ],
)
def test_functions_and_aliases_within_one_another(
    small: Small, text: str, depth: int, line: int
) -> None:
    small("MAX_DEPTH", depth)
    parse(text.encode(), "a.yaml")
    small("MAX_DEPTH", depth - 1)
    assert failure(text) == (f"is nested more than {depth - 1} levels deep", line)


def test_an_alias_at_the_top_is_no_deeper(small: Small) -> None:
    small("MAX_DEPTH", 2)
    assert "alias *x" in failure("*x")[0]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"Resources": {"A": 1,\n "B": 2}}', 4),
        ('{"Resources": {"A": [1,\n 2]}}', 5),
        ('{"Resources": {"A": [],\n "B": {}}}', 4),
        ('{"Resources": {"A": "[,{",\n "B": true}}', 4),
    ],
)
def test_values_of_json(small: Small, text: str, values: int) -> None:
    small("MAX_VALUES", values)
    # The line is sought in a second walk, which must not find fault with the text either.
    assert parse(text.encode(), "a.json").line_of(("Resources", "B")) in (1, 2)
    small("MAX_VALUES", values - 1)
    assert failure(text, "a.json") == (f"holds more than {values - 1} values", 2)


@pytest.mark.parametrize(
    ("text", "values", "line"),
    [
        ("Resources:\n  A: 1\n  B: 2", 7, 3),  # keys count too
        ("Resources:\n  A: []", 5, 2),
        ("Resources:\n  A: {B: [1]}", 8, 2),
        (f"Resources:\n  A: {'x' * 99}", 5, 2),
        (f"Resources:\n  A: {'x' * 100}", 6, 2),  # a long text counts as several
        (f"Resources:\n  A: '{'x' * 250}'", 7, 2),
        (f"Resources:\n  A: !Ref {'x' * 250}", 7, 2),
    ],
)
def test_values_of_yaml(small: Small, text: str, values: int, line: int) -> None:
    small("MAX_VALUES", values)
    parse(text.encode(), "a.yaml")
    small("MAX_VALUES", values - 1)
    assert failure(text) == (f"holds more than {values - 1} values", line)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("X: &x 1\nResources:\n  A: *x", 7),
        ("X: &x [1, 2]\nResources:\n  A: *x", 11),
        ("X: &x [1, [2, 3]]\nResources:\n  A: *x", 15),
        (f"X: &x {'x' * 250}\nResources:\n  A: *x", 11),
        (f"X: &x '{'x' * 250}'\nResources:\n  A: *x", 11),
        (f"X: &x !Ref {'x' * 250}\nResources:\n  A: *x", 11),
        ("X: &x !Sub [1]\nResources:\n  A: *x", 9),
        ("X: &x [1]\nY: &y [*x]\nResources:\n  A: *y", 14),
    ],
)
def test_values_count_as_often_as_an_alias_repeats_them(
    small: Small, text: str, values: int
) -> None:
    small("MAX_VALUES", values)
    parse(text.encode(), "a.yaml")
    small("MAX_VALUES", values - 1)
    reason = f"holds more than {values - 1} values once its aliases are expanded"
    assert failure(text) == (reason, text.count("\n") + 1)


def test_digits(small: Small) -> None:
    small("MAX_DIGITS", 3)
    members = '"A": 123, "B": 1234, "C": 0.5, "D": 0.25'
    for text in (f'{{"Resources": {{{members}}}}}', f"Resources: {{{members}}}"):
        assert parse(text.encode(), "a.yaml").template["Resources"] == {
            "A": 123,
            "B": "1234",
            "C": 0.5,
            "D": "0.25",
        }
    tagged = parse(b"Resources: {A: !!int '123', B: !!int '1234'}", "a.yaml").template["Resources"]
    assert tagged == {"A": 123, "B": "1234"}


TEMPLATE = b'{"Resources": {}}'


def test_bytes(small: Small, tmp_path: Path) -> None:
    too_large = "is larger than 16 MiB; CloudFormation takes templates of up to 1 MB"
    file = tmp_path / "a.json"
    file.write_bytes(TEMPLATE)
    small("MAX_BYTES", len(TEMPLATE))
    parse(TEMPLATE, "a.json")
    assert load([str(file), "-"], io.BytesIO(TEMPLATE))[1] == []
    small("MAX_BYTES", len(TEMPLATE) - 1)
    assert failure(TEMPLATE.decode(), "a.json") == (too_large, None)
    said = load([str(file), "-"], io.BytesIO(TEMPLATE))[1]
    assert [one.reason for one in said] == [too_large, too_large]
