"""The conditions of a template: of what they are made, and what is wrong with one that is not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from qm_constructs.plan import Miswritten, Path
from qm_constructs.rules._functions import OF_SECTIONS, mended
from qm_constructs.rules.shape import kind_of

_CONDITION: Final = "Condition"
_MOST: Final = 10


class _Form(NamedTuple):
    """What a function of conditions takes.

    Args:
        takes: It in words.
        example: The function as it can be written.
        least: How many entries its list has at least.
        most: How many it has at most.
    """

    takes: str
    example: str
    least: int
    most: int


_EQUALS: Final = "Fn::Equals"
_FORMS: Final[Mapping[str, _Form]] = {
    "Fn::And": _Form(
        f"a list of 2 to {_MOST} conditions", "!And [!Condition A, !Condition B]", 2, _MOST
    ),
    _EQUALS: _Form("a list of two texts to compare", "!Equals [!Ref AWS::Region, us-east-1]", 2, 2),
    "Fn::Not": _Form("a list of one condition", "!Not [!Condition A]", 1, 1),
    "Fn::Or": _Form(
        f"a list of 2 to {_MOST} conditions", "!Or [!Condition A, !Condition B]", 2, _MOST
    ),
}
_COMPARE: Final = "Compare something, as in !Equals [!Ref AWS::Region, us-east-1]."
# Of these alone CloudFormation says that no condition has them.
_NOT_COMPARED: Final = ("Fn::GetAtt", "Fn::If", "Fn::ImportValue")

Wrong = tuple[Path, str, str]
"""Where something is wrong in a condition, what is, and how to mend it, as sentences."""


def wrong_in(node: Any, path: Path = ()) -> Iterator[Wrong]:
    """Yields what is wrong with a condition, other than with the functions in what it compares.

    Args:
        node: The condition.
        path: Where it stands.
    """
    if isinstance(node, Mapping) and len(node) == 1:
        ((function, argument),) = node.items()
        yield from _wrong_function(str(function), argument, path)
    elif isinstance(node, Mapping):
        of_conditions = [key for key in node if key in (_CONDITION, *_FORMS)]
        if of_conditions:
            first = of_conditions[0]
            beside = next(str(key) for key in node if key != first)
            yield (path, *mended(Miswritten(path, first, beside=beside)))
    # Whether one may be a plain true or false, nothing tells.
    elif str(node).lower() not in ("true", "false"):
        yield path, f"{_is_one_of()}; this is {kind_of(node)}.", _COMPARE


def _wrong_function(function: str, argument: Any, path: Path) -> Iterator[Wrong]:
    form = _FORMS.get(function)
    if OF_SECTIONS.get(function) == "Rules":
        yield path, *_of_rules(function)
    elif function == _CONDITION:
        if not isinstance(argument, str):
            problem = f"Condition takes the name of a condition; this is {kind_of(argument)}."
            yield path, problem, "Write its name as text."
    elif form is None:
        yield path, f"{_is_one_of()}; this is {function}.", _COMPARE
    elif not isinstance(argument, list) or not form.least <= len(argument) <= form.most:
        yield path, f"{function} takes {form.takes}.", f"Write {form.example}, say."
    elif function == _EQUALS:
        if any(part is None or isinstance(part, list) for part in argument):
            yield path, f"{function} takes {form.takes}.", f"Write {form.example}, say."
        for place, part in enumerate(argument):
            yield from _wrong_compared(part, (*path, function, place))
    else:
        for place, part in enumerate(argument):
            yield from wrong_in(part, (*path, function, place))


def _wrong_compared(node: Any, path: Path) -> Iterator[Wrong]:
    parts = node.items() if isinstance(node, Mapping) else ()
    for key, part in parts or (enumerate(node) if isinstance(node, list) else ()):
        if key in _NOT_COMPARED:
            yield path, f"No condition has {key}.", "Compare a parameter instead."
        elif OF_SECTIONS.get(str(key)) == "Rules":
            yield path, *_of_rules(str(key))
        else:
            yield from _wrong_compared(part, (*path, key))


def of_a_resource(id: str) -> tuple[str, str]:
    """Returns that a condition refers to a resource, and how to mend it, as sentences.

    Args:
        id: The logical id of the resource.
    """
    return (
        f"No condition refers to a resource, as this does to {id}.",
        "Compare a parameter instead.",
    )


def _of_rules(function: str) -> tuple[str, str]:
    problem = f"{function} stands in the Rules of a template, and in no condition."
    return problem, "Write it there, or compare by Fn::Equals."


def _is_one_of() -> str:
    return f"A condition is one of {_CONDITION}, {', '.join(_FORMS)}"
