"""Where in a YAML file each part is, and how plain values are written as YAML."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.template._reading import MAX_DIGITS
from qm_constructs.template._yaml import parse_yaml
from qm_constructs.template._yaml_text import as_yaml

TEXT = """\
plain: text
list: [one,  two]
tagged: [!!str a, !!int 1]
called: [!Ref A, !Sub b, !Join [x, [y]], !GetAtt  A.Arn]
named: [&a one, *a, &b {c: 1}, *b]
"""


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        (("plain",), 1, 1),
        (("list", 1), 2, 14),
        (("tagged", 0), 3, 10),
        (("tagged", 1), 3, 19),
        (("called", 0), 4, 10),
        (("called", 0, "Ref"), 4, 10),
        (("called", 1), 4, 18),
        (("called", 2, "Fn::Join", 1, 0), 4, 37),
        (("called", 3, "Fn::GetAtt", 1), 4, 42),
        (("named", 0), 5, 9),
        (("named", 1), 5, 17),
        (("named", 2), 5, 21),
        (("named", 2, "c"), 5, 25),
        (("named", 3), 5, 32),
    ],
)
def test_each_part_has_a_line_and_a_column(path: Any, line: int, column: int) -> None:
    _, place_of = parse_yaml(TEXT)
    assert place_of(path) == (line, column)


@pytest.mark.parametrize("mark", ["", "&a "])
def test_of_very_many_digits_no_number_is_made(mark: str) -> None:
    longest = "1." + "0" * (MAX_DIGITS - 2)
    assert parse_yaml(f"a: {mark}{longest}")[0] == {"a": 1.0}
    assert parse_yaml(f"a: {mark}{longest}0")[0] == {"a": f"{longest}0"}


def test_yaml_is_written_in_the_order_of_the_keys_and_as_people_write_it() -> None:
    assert as_yaml({"b": "groß", "a": 1}) == "b: groß\na: 1\n"
    # At 96 columns a text goes on in the next line.
    long = "x" * 89
    assert as_yaml({"b": f"{long} y z w"}) == f"b: {long} y z w\n"
    assert as_yaml({"b": f"{long}x y z w"}) == f"b: {long}x y z\n  w\n"
