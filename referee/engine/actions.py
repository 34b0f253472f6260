"""Actions, and the verbs that a game declares for them.

A verb has a form, such as ``move PIECES PATH``, which is used both to parse and to write the text of its
actions.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Literal

from attrs import frozen

from referee.engine.clock import Clock


@frozen
class Action:
    """Something that a player does: a verb, and the values required by its form.

    ``path`` is a path from hex to hex (or box). If ``dragged``, only its points are known and not the hexes
    between them; otherwise each is adjacent to the previous one. ``target`` is the hex affected by the
    action, ``words`` are labels such as an odds column, ``clock`` is a phase, ``battle`` the number of a
    battle, 0 for the current one. ``company`` are the other pieces in the same statement, when an action of
    several pieces is judged piece by piece.
    """

    verb: str
    pieces: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    dragged: bool = False
    target: str = ""
    dice: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    clock: Clock | None = None
    battle: int = 0
    company: tuple[str, ...] = ()

    @property
    def piece(self) -> str:
        """The first or only piece."""
        return self.pieces[0]

    @property
    def end(self) -> str:
        """The last hex or box of the path."""
        return self.path[-1]


class AskedWhere(Exception):  # noqa: N818 - reads as what it says: raise AskedWhere
    """A rule needs the hex of an action that may be in any hex."""


class Anywhere(Action):
    """An action in an unspecified hex: accessing its target raises AskedWhere."""

    @property
    def target(self) -> str:
        """Not specified."""
        raise AskedWhere

    @target.setter
    def target(self, hex_: str) -> None: ...


SLOTS = ("PIECES", "PIECE", "PATH", "HEX", "BOX", "DICE", "DIE", "WORD", "PHASE", "NUMBER")
Kind = Literal["slot", "literal", "optional"]


@frozen
class Part:
    """A part of a form: a slot, a literal word, or an optional group of parts."""

    kind: Kind
    text: str = ""
    parts: tuple[Part, ...] = ()


@frozen
class Verb:
    """A verb with its form. The verb's own words come first, then slots, words and optional groups.

    ``move PIECES PATH``, ``attack HEX with PIECES [battle NUMBER]``, ``roll combat DIE``. ``each``: with
    several pieces it is carried out, and judged, piece by piece. ``about`` describes it in words. Counters of
    the ``kinds`` can do it, all if none is named. ``choices`` are the valid words for each WORD: ``SIDE``,
    ``COLUMN``, ``RESULT`` and other words, separated by spaces; sides if none are named; ``words`` are an
    example. Players make a declaration of the module that is ``declared``, or press a button for ``dice``.
    Counters of other kinds that are named with it carry out the verb ``others``: a general who attacks leads.
    """

    name: str
    form: str
    about: str
    each: bool = False
    kinds: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()
    others: str = ""

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The form after the verb's own words."""
        return _parts(self.form.removeprefix(self.name).strip())

    @cached_property
    def slots(self) -> frozenset[str]:
        """The values in the form: HEX, PIECES, DIE and so on."""
        optional = (inner.text for part in self.parts for inner in part.parts if inner.kind == "slot")
        return self.needs.union(optional)

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The values that the form requires, in their order, each as often as it is required."""
        return tuple(part.text for part in self.parts if part.kind == "slot")

    @cached_property
    def needs(self) -> frozenset[str]:
        """The values that the form requires."""
        return frozenset(self.required)


def verb(
    form: str,
    about: str,
    kinds: tuple[str, ...] = (),
    *,
    each: bool = False,
    words: tuple[str, ...] = (),
    choices: tuple[str, ...] = (),
    declared: str = "",
    dice: str = "",
    others: str = "",
) -> Verb:
    """Return the verb of a form: its name is the text before the first slot or group.

    ``declared`` and ``dice`` are names separated by spaces.
    """
    name = re.split(r" (?=[A-Z]{2}|\[)", form, maxsplit=1)[0]
    by_players = tuple(declared.split()), tuple(dice.split())
    return Verb(name, form, about, each, kinds, words, choices, *by_players, others)


def _parts(form: str) -> tuple[Part, ...]:
    found: list[Part] = []
    for token in re.findall(r"\[[^\]]*\]|\S+", form):
        if token.startswith("["):
            found.append(Part("optional", parts=_parts(token[1:-1])))
        else:
            found.append(Part("slot" if token in SLOTS else "literal", token))
    return tuple(found)


GOING_BACK = frozenset(("retreat", "rout", "withdraw", "displace", "pursue"))
"""Moves of as many hexes as a result demands."""
NEXT = Verb("next", "next [PHASE]", "begin the next phase, or the one named, passing over those between")
ROLL = Verb("roll", "roll DIE for PIECE", "roll for a counter; the position shows for what")
"""A roll of which only the counter is said, in games with rolls for counters."""
