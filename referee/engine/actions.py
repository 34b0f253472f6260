"""Actions, and the verbs that a game declares for them.

A verb has a form, such as ``move PIECES PATH``, from which the text of its actions is both read and written.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Literal

from attrs import frozen

from referee.engine.clock import Clock


@frozen
class Action:
    """Something done: a verb, and what its form calls for.

    ``path`` is a path from hex to hex (or box). If ``dragged`` only its points are known and not the road
    between them; else each is a step from the one before. ``target`` is a hex that something is done to,
    ``words`` are labels such as a column of odds, ``clock`` is a phase, ``battle`` the number of a battle,
    0 for the current one. ``company`` are the others who do the same by the same words, while what several
    do is judged piece by piece.
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
        """Where the path ends."""
        return self.path[-1]


class AskedWhere(Exception):  # noqa: N818 - reads as what it says: raise AskedWhere
    """A rule asked for the hex of an action that may be in any."""


class Anywhere(Action):
    """An action in whatever hex: AskedWhere is raised where its target is asked for."""

    @property
    def target(self) -> str:
        """Its hex is left open."""
        raise AskedWhere

    @target.setter
    def target(self, hex_: str) -> None: ...


SLOTS = ("PIECES", "PIECE", "PATH", "HEX", "BOX", "DICE", "DIE", "WORD", "PHASE", "NUMBER")
Kind = Literal["slot", "literal", "optional"]


@frozen
class Part:
    """A part of a form: a slot, a word that stands for itself, or an optional group of parts."""

    kind: Kind
    text: str = ""
    parts: tuple[Part, ...] = ()


@frozen
class Verb:
    """A verb with its form. The verb's own words come first, then slots, words and optional groups.

    ``move PIECES PATH``, ``attack HEX with PIECES [battle NUMBER]``, ``roll combat DIE``. ``each``: with
    several pieces it is done, and judged, piece by piece. ``about`` says in words what it is. ``kinds`` of
    counters do it, all if none is named. ``choices`` are, for each WORD, what may stand for it: ``SIDE``,
    ``COLUMN``, ``RESULT`` and other words, with blanks between, a side if none are named; ``words`` are an
    example. Players do it by a declaration of the module that is ``declared``, or by a button for ``dice``.
    Counters of other kinds that are named with it do what ``others`` says: a general who attacks leads.
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
        """What the form calls for: HEX, PIECES, DIE and so on."""
        return self.needs.union(*(_slots_of(part.parts) for part in self.parts))

    @cached_property
    def needs(self) -> frozenset[str]:
        """What the form calls for without fail."""
        return _slots_of(self.parts)


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
    """Return the verb of a form: its name is what stands before the first slot or group.

    ``declared`` and ``dice`` are names with blanks between.
    """
    name = re.split(r" (?=[A-Z]{2}|\[)", form, maxsplit=1)[0]
    by_players = tuple(declared.split()), tuple(dice.split())
    return Verb(name, form, about, each, kinds, words, choices, *by_players, others)


def _slots_of(parts: tuple[Part, ...]) -> frozenset[str]:
    return frozenset(part.text for part in parts if part.kind == "slot")


def _parts(form: str) -> tuple[Part, ...]:
    found: list[Part] = []
    for token in re.findall(r"\[[^\]]*\]|\S+", form):
        if token.startswith("["):
            found.append(Part("optional", parts=_parts(token[1:-1])))
        else:
            found.append(Part("slot" if token in SLOTS else "literal", token))
    return tuple(found)


NEXT = Verb("next", "next [PHASE]", "begin the next phase, or the one named, passing over those between")
