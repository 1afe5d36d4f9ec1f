"""Which stack of an old app or template is which of a new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from qm_constructs.template.stack import Stack
from qm_constructs.template.universe import Universe

_Chain = tuple[str, ...]


class PairingError(Exception):
    """It is not known which stacks are the same; the text says what to give instead."""


@dataclass(frozen=True)
class Paired:
    """The stacks of two sides, those that are the same at the same place in both lists.

    Args:
        old: The stacks before; a stack without resources where there was none.
        new: The stacks after, likewise.
        in_old: Which of them there were before.
        in_new: Which of them there are after.
    """

    old: list[Stack]
    new: list[Stack]
    in_old: frozenset[int]
    in_new: frozenset[int]


def pair_stacks(old: Sequence[Stack], new: Sequence[Stack]) -> Paired:
    """Returns which stacks are the same: those of one name, place and way of nesting.

    Args:
        old: The stacks before, of one template or one cdk.out.
        new: The stacks after, likewise.

    Raises:
        PairingError: If one side is a template and the other has several stacks that it may be.
    """
    if _is_template(old) and not _is_template(new):
        new = [_only_match(old[0], new)]
    elif _is_template(new) and not _is_template(old):
        old = [_only_match(new[0], old)]
    if len(old) == 1 and len(new) == 1 and (_is_template(old) or _is_template(new)):
        pairs: list[tuple[Stack | None, Stack | None]] = [(old[0], new[0])]
    else:
        pairs = _by_name(old, new)
    return _aligned(pairs)


def _is_template(stacks: Sequence[Stack]) -> bool:
    return len(stacks) == 1 and stacks[0].name is None


def _only_match(template: Stack, stacks: Sequence[Stack]) -> Stack:
    """Returns the stack that a template is of: the one that has most of its logical ids."""
    whole = [stack for stack in stacks if stack.parent is None and stack.name is not None]
    if len(whole) == 1:
        return whole[0]
    ids = _ids(template)
    shared = [len(ids & _ids(stack)) for stack in whole]
    if whole and shared.count(max(shared)) == 1:
        return whole[shared.index(max(shared))]
    files = ", ".join(stack.file for stack in whole[:5])
    more = ", ..." if len(whole) > 5 else ""
    raise PairingError(f"it is not known which stack {template.file} is: give one of {files}{more}")


def _ids(stack: Stack) -> set[str]:
    return {member.id for member in Universe([stack]).members}


def _by_name(old: Sequence[Stack], new: Sequence[Stack]) -> list[tuple[Stack | None, Stack | None]]:
    pairs: list[tuple[Stack | None, Stack | None]] = []
    left = _named(new)
    unpaired: list[tuple[Hashable, Stack]] = []
    for name, stack in _named(old).items():
        other = left.pop(name, None)
        if other is None:
            unpaired.append((name, stack))
        else:
            pairs.append((stack, other))
    # A stack that may be anywhere is the one of its name, where there is one only.
    for _, stack in unpaired:
        may_be = [name for name, other in left.items() if _may_be(stack, other)]
        twice = sum(_may_be(stack, one) for _, one in unpaired) > 1
        pairs.append((stack, left.pop(may_be[0]) if len(may_be) == 1 and not twice else None))
    pairs.extend((None, stack) for stack in left.values())
    return pairs


def _named(stacks: Sequence[Stack]) -> dict[Hashable, Stack]:
    found: dict[Hashable, Stack] = {}
    seen: Counter[Hashable] = Counter()
    for stack in stacks:
        root, chain = _nesting(stack)
        name = (root.name or _file_name(stack), root.account, root.region, chain)
        seen[name] += 1
        found[name, seen[name]] = stack
    return found


def _nesting(stack: Stack) -> tuple[Stack, _Chain]:
    chain: _Chain = ()
    while stack.parent is not None and len(chain) < 100:
        chain = (stack.parent_resource, *chain)
        stack = stack.parent
    return stack, chain


def _file_name(stack: Stack) -> str:
    return stack.file.rpartition("/")[2]


def _may_be(one: Stack, other: Stack) -> bool:
    (root, chain), (other_root, other_chain) = _nesting(one), _nesting(other)
    if root.name is None or root.name != other_root.name or chain != other_chain:
        return False
    places = ((root.account, other_root.account), (root.region, other_root.region))
    return all(None in pair or pair[0] == pair[1] for pair in places)


def _aligned(pairs: Sequence[tuple[Stack | None, Stack | None]]) -> Paired:
    sides: tuple[list[Stack], list[Stack]] = ([], [])
    for pair in pairs:
        some = pair[0] or pair[1]
        assert some is not None
        for side, stack, other in zip(sides, pair, pair[::-1], strict=True):
            side.append(_placed_like(stack, other) if stack else _empty(some))
    for side, number in ((sides[0], 0), (sides[1], 1)):
        copy_of = {
            id(pair[number]): copy
            for pair, copy in zip(pairs, side, strict=True)
            if pair[number] is not None
        }
        for stack in side:
            stack.parent = copy_of.get(id(stack.parent))
    present = [
        frozenset(place for place, pair in enumerate(pairs) if pair[side] is not None)
        for side in (0, 1)
    ]
    return Paired(*sides, *present)


def _placed_like(stack: Stack, other: Stack | None) -> Stack:
    """Returns a stack with what only its counterpart says of its name and its place."""
    if other is None:
        return stack.but()
    return stack.but(
        name=stack.name or other.name,
        account=stack.account or other.account,
        region=stack.region or other.region,
    )


def _empty(like: Stack) -> Stack:
    return like.but(template={"Resources": {}})
