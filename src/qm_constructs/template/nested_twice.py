"""What is wrong in a template that is nested several times: told once, with where it is so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from qm_constructs.errors import shown
from qm_constructs.template.report import Located
from qm_constructs.template.stack import Stack
from qm_constructs.template.universe import Universe

_MOST_SHOWN: Final = 3
_SO: Final = " This is so"


def told_once(universe: Universe, found: list[tuple[int, Located]]) -> list[tuple[int, Located]]:
    """Returns findings, each once however often its template is nested.

    Args:
        universe: The stacks.
        found: The findings, each with the number of its resource; a higher one where it is of none.
    """
    # What nests one template twice holds it once.
    times = Counter(id(stack.template) for stack in universe.stacks)
    if len(times) == len(universe.stacks):
        return found
    stacks = [universe.stacks[member.stack] for member in universe.members]
    places: dict[tuple[Located, int], list[int]] = {}
    for place, one in found:
        template = id(stacks[place].template) if place < len(stacks) else 0
        places.setdefault((one, template), []).append(place)
    told = []
    for (one, template), numbers in places.items():
        its = list(dict.fromkeys(stacks[number] for number in numbers if template))
        where = _where(its) if len(its) < times[template] else ""
        told.append((numbers[0], _with(one, where)))
    return told


def _with(one: Located, where: str) -> Located:
    # What AWS has not confirmed stands last.
    unconfirmed = f" {one.rule.unconfirmed}" if one.rule.unconfirmed else ""
    message = one.message.removesuffix(unconfirmed)
    if where:
        # When it is so is one sentence with where.
        message = f"{message.removesuffix('.')}," if _SO in message else f"{message}{_SO}"
        message += where
    return one._replace(message=f"{message}{unconfirmed}")


def _where(stacks: Sequence[Stack]) -> str:
    names = [shown(stack.path or stack.parent_resource) for stack in stacks]
    more = " and so on" if len(names) > _MOST_SHOWN else ""
    return f" where the template is nested as {' or '.join(names[:_MOST_SHOWN])}{more}."
