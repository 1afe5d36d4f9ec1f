"""The bytes of one file, read as a CloudFormation template in JSON or in YAML."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from qm_constructs.plan import Path
from qm_constructs.template._json import parse_json
from qm_constructs.template._reading import MAX_BYTES, CannotRead, too_large
from qm_constructs.template.stack import no_line

__all__ = [
    "CannotRead",
    "Document",
    "answer_in",
    "parse",
    "parse_mapping",
    "parse_value",
    "template_in",
]

PlaceOf = Callable[[Path], tuple[int, int]]
"""Returns line and column, each from 1, of a place in a file, as deep as it is there."""

_Parsed = tuple[Any, PlaceOf]

_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff", b"\0")

_BODY: Final = "TemplateBody"
_FOLDER: Final = "it belongs to a cdk.out folder: give the folder itself"
_QUOTAS: Final = "a quotas file has capacity_limits and quota_shares, spelt so"
_LOOKALIKES: Final = (
    ({"apiVersion", "kind"}, "it looks like a Kubernetes manifest"),
    ({_BODY}, "it looks like the answer of get-template: save its TemplateBody"),
    ({"version", "artifacts"}, _FOLDER),
    ({"version", "files"}, _FOLDER),
    ({"version", "tree"}, _FOLDER),
    ({"version", "pluginReports"}, _FOLDER),
    ({"app"}, "it looks like a cdk.json: run `cdk synth` and give the cdk.out folder"),
    ({"name", "dependencies"}, "it looks like a package.json"),
    ({"name", "devDependencies"}, "it looks like a package.json"),
    ({"name", "version"}, "it looks like a package.json"),
    ({"service", "provider"}, "it looks like a Serverless Framework file: give its package"),
    ({"services"}, "it looks like a Compose file"),
    ({"CapacityLimits"}, _QUOTAS),
    ({"resources"}, "write Resources with a capital R"),
    ({"AWSTemplateFormatVersion"}, "it has no Resources"),
)


class Document(NamedTuple):
    """A CloudFormation template.

    Args:
        template: The template; intrinsic functions in their long form.
        line_of: Returns the line, from 1, of a place in the template, as deep as it is there.
    """

    template: dict[str, Any]
    line_of: Callable[[Path], int | None]


def parse(data: bytes, name: str, *, may_be_empty: bool = False) -> Document:
    """Returns the template that a file holds.

    Args:
        data: What is in the file.
        name: The file's name; its ending says which syntax is meant.
        may_be_empty: Whether it is surely a template, so that it may have no ``Resources``.

    Raises:
        CannotRead: If it is no CloudFormation template.
    """
    value, place_of = parse_value(data, name)
    if may_be_empty and isinstance(value, dict):
        value.setdefault("Resources", {})
    return template_in(value, place_of)


def template_in(value: Any, place_of: PlaceOf) -> Document:
    """Returns the template that the value of a whole file is.

    Args:
        value: The value.
        place_of: Where each part of it stands.

    Raises:
        CannotRead: If it is no CloudFormation template.
    """

    def line_of(path: Path) -> int:
        return place_of(path)[0]

    _check_template(value, line_of)
    return Document(value, line_of)


def answer_in(value: Any, place_of: PlaceOf) -> Document:
    """Returns the template that a whole file is, by itself or as ``get-template`` prints it.

    Args:
        value: The value of the file.
        place_of: Where each part of it stands.

    Raises:
        CannotRead: If it is neither.
    """
    if not isinstance(value, dict) or _BODY not in value or "Resources" in value:
        return template_in(value, place_of)
    body = value[_BODY]
    try:
        if isinstance(body, str):  # a YAML template, or one whose JSON was not read
            return parse(body.encode(errors="surrogatepass"), "")._replace(line_of=no_line)
        return template_in(body, lambda path: place_of((_BODY, *path)))
    except CannotRead as error:
        raise CannotRead(f"has a {_BODY} that {error.reason}", place_of((_BODY,))[0]) from None


def parse_mapping(data: bytes) -> dict[str, Any]:
    """Returns the mapping that a JSON file of a cdk.out folder holds.

    Args:
        data: What is in the file.

    Raises:
        CannotRead: If it is no JSON, or no mapping.
    """
    value, _ = parse_json(_text(data))
    if not isinstance(value, dict):
        raise CannotRead(f"is no file of a cdk.out folder: {_kind(value)} is at its top")
    return value


def parse_value(data: bytes, name: str) -> _Parsed:
    """Returns the value that a file in JSON or YAML holds, and where each part of it stands.

    Args:
        data: What is in the file.
        name: The file's name; its ending says which syntax is meant.

    Raises:
        CannotRead: If it is neither JSON nor YAML.
    """
    text = _text(data)
    ending = name.lower().rpartition(".")[2]
    first = text.lstrip()[0]
    if ending == "json":
        return parse_json(text) if first in "{[" else _json_by_name_only(text)
    if first != "{":
        return _yaml(text)
    try:
        return parse_json(text)
    except CannotRead:
        # YAML has braces too.
        if ending in {"yaml", "yml"}:
            return _yaml(text)
        raise


def _json_by_name_only(text: str) -> _Parsed:
    try:
        return parse_json(text)
    except CannotRead as error:
        hint = "; a YAML template needs a name that ends in .yaml"
        raise CannotRead(error.reason + hint, error.line) from None


def _yaml(text: str) -> _Parsed:
    # PyYAML takes longer to import than most templates to read.
    from qm_constructs.template._yaml import parse_yaml  # noqa: PLC0415

    return parse_yaml(text)


def _text(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise too_large()
    if data.startswith(_UTF_16) or data[1:2] == b"\0":
        raise CannotRead("is UTF-16 or no text at all: save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = f"0x{data[error.start]:02x}"
        reason = f"is not UTF-8: the byte {byte} does not belong there; save it as UTF-8"
        raise CannotRead(reason, _line_at(data, error.start)) from None
    if "\0" in text:
        raise CannotRead("holds a NUL character", _line_at(data, data.index(b"\0")))
    if not text.strip():
        raise CannotRead("is empty")
    return text


def _line_at(data: bytes, position: int) -> int:
    return data[:position].count(b"\n") + 1


def _check_template(value: Any, line_of: Callable[[Path], int | None]) -> None:
    if not isinstance(value, dict):
        raise _no_template(f"{_kind(value)} is at its top, where a mapping belongs", line_of(()))
    if "Resources" not in value:
        raise _no_template(_looks_like(value), None)
    if not isinstance(value["Resources"], dict):
        found = _kind(value["Resources"])
        reason = f"its Resources are {found}, where a mapping of logical ids belongs"
        raise _no_template(reason, line_of(("Resources",)))


def _no_template(why: str, line: int | None) -> CannotRead:
    return CannotRead(f"is not a CloudFormation template: {why}", line)


def _looks_like(value: dict[str, Any]) -> str:
    hints = (hint for keys, hint in _LOOKALIKES if keys <= value.keys())
    return next(hints, "it has no Resources")


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    return {list: "a list", str: "a text", bool: "a true or false"}.get(type(value), "a number")
