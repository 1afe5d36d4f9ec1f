"""Templates that nobody wrote: sound ones, and ones that are damaged in one place."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

from qm_constructs.plan import Path
from qm_constructs.schema import NAME_PROPERTY, TYPES, AnyKind, ListOf, Struct
from tests.opinions.written import Case, Json
from tests.strategies import JUNK, VALUES, Author, at, properties, put


def _draw_nothing(strategy: object) -> Any:
    raise AssertionError(f"{strategy} is not drawn from a seed")


class Seeded(Author):
    """Writes templates that a seed decides.

    Args:
        seed: The seed.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(_draw_nothing, 12)
        self._random = random.Random(seed)

    def number(self, most: int) -> int:
        return self._random.randint(0, most)


def of_seeds(seeds: range) -> Iterator[Case]:
    """Yields two templates for each seed: a sound one, and the same with one damage."""
    for seed in seeds:
        author = Seeded(seed)
        sound = copy.deepcopy(author.write())
        del sound["Conditions"]
        for id, body in sound["Resources"].items():
            _add(author, body["Properties"], TYPES[body["Type"]], id)
        yield Case(f"seed {seed}", sound)
        damaged = copy.deepcopy(sound)
        told = _damage(author, damaged)
        yield Case(f"seed {seed}: {told}", damaged)


def _add(author: Seeded, given: Json, kind: Struct, id: str) -> None:
    """Adds some of what may be left out."""
    for name, member in kind.members.items():
        if name in given:
            for item in given[name] if isinstance(member, ListOf) else ():
                assert isinstance(member, ListOf)
                assert isinstance(member.item, Struct)
                _add(author, item, member.item, id)
            if isinstance(member, Struct):
                _add(author, given[name], member, id)
        elif author.number(3) == 0:
            value = _value(author, name, member, id)
            if value is not None:
                given[name] = value
    if given.get("Strategy") != "LEND_AND_BORROW":
        given.pop("BorrowLimit", None)


def _value(author: Seeded, name: str, kind: AnyKind, id: str) -> Any:
    if name == "Tags":
        return {"team": "research", "cost-center": "42"}
    if name in NAME_PROPERTY.values():
        return f"{id}-name"
    if name == "JobStateTimeLimitActions":
        reasons = VALUES["Reason"][0][: 1 + author.number(2)]
        fixed = {"State": "RUNNABLE", "Action": "TERMINATE", "MaxTimeSeconds": 600}
        return [{"Reason": reason, **fixed} for reason in reasons]
    if name not in VALUES or isinstance(kind, ListOf | Struct):
        return None
    return author.chosen(VALUES[name][0])


def _damage(author: Seeded, template: Json) -> str:
    """Damages one property; returns how."""
    path = author.chosen([path for path in properties(template) if len(path) > 3])
    ways = (_odd, _odd, _odd, _odd, _junk, _removed, _renamed, _wrapped, _doubled, _referring)
    way = author.chosen(ways)
    way(author, template, path)
    where = ".".join(map(str, (path[1], *path[3:])))
    return f"{where} {way.__name__[1:]}"


def _odd(author: Seeded, template: Json, path: Path) -> None:
    named = [path for path in properties(template) if path[-1] in VALUES]
    path = path if path in named else author.chosen(named)
    values = [value for some in VALUES[str(path[-1])] for value in some]
    put(template, path, author.chosen([value for value in values if "{{" not in str(value)]))


def _junk(author: Seeded, template: Json, path: Path) -> None:
    put(template, path, copy.deepcopy(author.chosen(JUNK)))


def _removed(_: Seeded, template: Json, path: Path) -> None:
    del at(template, path[:-1])[path[-1]]


def _renamed(author: Seeded, template: Json, path: Path) -> None:
    parent, key = at(template, path[:-1]), str(path[-1])
    if isinstance(parent, dict):
        new = (key[:1].lower() + key[1:], f"{key}s", key.upper(), "")
        parent[author.chosen(new)] = parent.pop(key)


def _wrapped(author: Seeded, template: Json, path: Path) -> None:
    value = at(template, path)
    put(template, path, author.chosen(([value], {"x": value}, json.dumps(value))))


def _doubled(author: Seeded, template: Json, path: Path) -> None:
    lists = [path for path in properties(template) if isinstance(at(template, path), list)]
    path = path if path in lists else author.chosen(lists)
    put(template, path, at(template, path) * author.chosen((2, 6)))


def _referring(_: Seeded, template: Json, path: Path) -> None:
    # Neither waits for anything, so that nothing waits in a circle.
    put(template, path, {"Ref": "Environment0" if path[1] == "Policy0" else "Policy0"})
