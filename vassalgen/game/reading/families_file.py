"""Reading rules.toml: each table becomes the value whose fields are its keys."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from attrs import NOTHING, fields, has

from vassalgen.game.conditions import Condition
from vassalgen.game.families import ClauseId, Families, Times, Where, Who
from vassalgen.game.provenance import Provenance
from vassalgen.game.reading.nodes import Node

Value = TypeVar("Value")
OTHERS = "others"
"""As a key that chooses counters: all counters that no earlier key chooses."""


def read_families(root: Node) -> Families:
    """Return the rules in the file."""
    root.used.add("provenance")
    return read_as(Families, root, "rules")


def read_as(kind: type[Value], node: Node, thing: str) -> Value:
    """Return a table as a value, noting everything wrong with it; ``thing`` is its name in problems."""
    node.remember(thing)
    hints = get_type_hints(kind)
    found: dict[str, Any] = {}
    for each in fields(kind):  # type: ignore[arg-type]
        if each.name in node or each.default is NOTHING:
            found[each.name] = _value(node, each.name, hints[each.name], f"{thing}/{each.name}")
        else:
            node.used.add(each.name)
            if each.name == "provenance" and node.document.provenance:
                found["provenance"] = node.document.provenance
    node.finish()
    return kind(**found)


def _value(node: Node, key: str, hint: Any, thing: str, name: str = "") -> Any:
    """Read the value of a key; ``name`` is that of its mapping, if it is in one."""
    found, name = _any_value(node, key, hint, thing), name or key
    if isinstance(found, int) and found < 0 and name in _COUNTS:
        node.wrong(key, f"is {found}", "expected 0 or more")
        return 0
    return found


def _any_value(node: Node, key: str, hint: Any, thing: str) -> Any:
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType) and NoneType in parts:
        hint = next(part for part in parts if part is not NoneType)
        origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _amount(node, key)
    if origin is Literal:
        return node.choice(key, parts)
    if hint is Provenance:
        return node.provenance()
    if isinstance(hint, type) and has(hint):
        return read_as(hint, node.node(key), thing)
    plain = _plain(hint)
    if origin is tuple and has(parts[0]):
        several = isinstance(node.entries.get(key), list)
        return tuple(
            read_as(parts[0], one, thing) for one in (node.nodes(key) if several else [node.node(key)])
        )
    if origin is tuple:
        return node.integers(key) if parts[0] is int else _words(node, key, parts[0])
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(node.node(key), parts, thing)
    if plain is Condition:
        what = "hexes" if hint is Where else "counters"
        right = f'a condition on {what}, such as "a or b" (leave the key out for all of them)'
        return Condition(node.text(key, right=right))
    if hint is ClauseId:
        return node.text(key, right="the clause that it belongs to, by its id in clauses.toml")
    if plain is Fraction:
        return _fraction(node, key, zero=hint is Times)
    return {bool: node.flag, int: node.integer}.get(plain, node.text)(key)


def _words(node: Node, key: str, hint: Any) -> tuple[str, ...]:
    words = tuple(word for word in node.words(key) if word != "or")
    known = get_args(hint)
    for word in words:
        if get_origin(hint) is Literal and word not in known:
            node.wrong(
                key, f"{word!r} is not one of its words", f"expected one or more of {', '.join(known)}"
            )
    return words


def _mapping(node: Node, parts: tuple[Any, ...], thing: str) -> dict[Any, Any]:
    make, hint = parts
    node.remember(thing)
    found = {}
    for key in node:
        chosen = Condition("" if key == OTHERS else key) if make in (Who, Where) else key
        found[chosen] = _value(node, key, hint, f"{thing}/{key}", thing.rsplit("/", 1)[-1])
    return found


def _amount(node: Node, key: str) -> int | str:
    value = node.entries.get(key)
    return node.integer(key) if isinstance(value, int) and not isinstance(value, bool) else node.text(key)


def _fraction(node: Node, key: str, *, zero: bool) -> Fraction:
    value = str(node.entries.get(key, ""))
    node.used.add(key)
    try:
        found = Fraction(value if _FRACTION.fullmatch(value) else -1)
    except ZeroDivisionError:
        found = Fraction(-1)
    if found < 0 or (found == 0 and not zero):
        least = "0 or more" if zero else "above 0"
        node.wrong(key, f"is {value!r}", f'expected a number {least}, such as 2 or "1/2"')
        return Fraction(1)
    return found


_COUNT_KEYS = """
    also_count before_hexes beside_hexes blocked_within carries cost costs count distance does
    far_after from_hexes from_most hexes keeps lasting length limit lose lost observer_hexes or_lose
    or_lose_each out_of_supply range_most rebuild_costs retreat state_from turn unharmed_from units
    zoc_loses
"""
"""Keys whose numbers count hexes, units, steps or points."""
_COUNTS = frozenset(_COUNT_KEYS.split())
_FRACTION = re.compile(r"\d{1,9}(\.\d{1,9}|/\d{1,9})?")


def _plain(hint: Any) -> Any:
    """The underlying type of a named type."""
    while hasattr(hint, "__supertype__"):
        hint = hint.__supertype__
    return hint
