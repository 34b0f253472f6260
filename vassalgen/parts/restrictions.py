"""Hides or disables commands in the menu of a counter: one trait for each condition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations

import attrs

from vassalgen.announcements import BATTLE
from vassalgen.parts.trait_shorthand import FIRST, Part, grey
from vassalgen.vassal.expressions.brackets import without_brackets
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import Trait
from vassalgen.vassal.traits.restrict_commands import RestrictCommands
from vassalgen.vassal.traits.trigger_action import TriggerAction


def restricted_commands(parts: Sequence[Part], short: Callable[[Key], Key]) -> list[RestrictCommands]:
    """Return the traits that restrict the commands of a counter, with keys shortened by ``short``.

    Commands that have no effect at the moment are disabled too; those that need a battle are hidden without
    one.
    """
    found: dict[tuple[str, str], RestrictCommands] = {}
    own = (part for part in parts if isinstance(part, RestrictCommands))
    for part in (*own, *_greyed(parts)):
        restricted = attrs.evolve(part, name="", keys=tuple(map(short, part.keys)))
        same = found.get((part.action, part.match))
        if same:
            restricted = attrs.evolve(same, keys=(*same.keys, *restricted.keys))
        found[part.action, part.match] = restricted
    return _shortly(found.values())


def _greyed(parts: Sequence[Part]) -> Iterator[RestrictCommands]:
    triggers = [part for part in parts if isinstance(part, TriggerAction)]
    needed: dict[str, list[Key]] = {}
    for trait in triggers:
        alone = sum(other.key == trait.key for other in triggers) == 1
        condition = trait.match[1:-1].removeprefix(FIRST).removeprefix("&&")
        if trait.text and trait.key and condition not in ("", f"{BATTLE}>0") and alone:
            for one in _conjuncts(condition):
                needed.setdefault(one, []).append(trait.key)
    for condition, pressed in needed.items():
        yield grey("", f"!({condition})", *pressed)


def _shortly(restricted: Iterable[RestrictCommands]) -> list[RestrictCommands]:
    """The same in fewer words: a trait that restricts all keys of another one leaves them to that one.

    The other then has both conditions, if those are shorter than the keys: these words are in every counter
    of every saved game.
    """
    found = list(restricted)
    for (wide_at, _), (narrow_at, _) in permutations(enumerate(found), 2):
        wide, narrow = found[wide_at], found[narrow_at]
        if wide.action == narrow.action and set(narrow.keys) < set(wide.keys):
            either = without_brackets(f"({wide.match[1:-1]})||({narrow.match[1:-1]})")
            both = attrs.evolve(narrow, match=f"{{{either}}}")
            rest = attrs.evolve(wide, keys=tuple(one for one in wide.keys if one not in narrow.keys))
            if _length(both, rest) < _length(wide, narrow):
                found[wide_at], found[narrow_at] = rest, both
    return found


def _length(*traits: Trait) -> int:
    return sum(len(trait.encode()) for trait in traits)


def _conjuncts(condition: str) -> list[str]:
    """The parts of a condition that must all be true; the whole condition if it contains brackets or
    alternatives.
    """
    parts = condition.split("&&")
    whole = all(part.count("(") == part.count(")") for part in parts) and "||" not in condition
    return parts if whole else [condition]
