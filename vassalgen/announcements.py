"""The wording in which a module announces what players do, and how it is read back.

This is the one contract between the modules that are built and the referee that reads their logs. Each
announcement is a class with a template: ``say`` writes the line, ``read`` is its exact inverse, and
``expression`` makes VASSAL's own report out of the same template, so that the three cannot drift apart.

    >>> line = Moved(Named("blade", "Blade Force"), "B1", "B2", "Allies").say()
    >>> line
    'Move: Blade Force [blade] (B1) to B2 (Allies)'
    >>> parse_line("* UNDO: * " + line)
    ParsedLine(announcement=Moved(counter=Named(id='blade', name='Blade Force'), origin='B1', to='B2', side='Allies'), undone=True)

A counter appears with its name and, in brackets, its id: ``Blade Force [blade]``; the id never changes. Its
place follows in parentheses; the side of the player who acted is at the end. Places are the location names of
the module's maps: hexes, boxes by their title, ``TITLE T4`` for counters that wait in a box for turn 4.

The properties of the pieces that carry the same facts are named at the end of this file: if a log contains
both, the state of the piece counts.
"""  # noqa: E501 - what a doctest prints is one line

from __future__ import annotations

import re
from functools import lru_cache
from typing import ClassVar

from attrs import frozen

from vassalgen.templates import Announcement, Located, Named, of, optional


@frozen
class PhaseTurned(Announcement):
    """The turn track shows another phase. ``stop`` is the phase with its side: ``Allied Movement``."""

    SHOWN: ClassVar[str] = "Turn {turn}, {stop}"
    TEMPLATE: ClassVar[str] = f"Phase: {SHOWN} ({{side}})"
    turn: int = of("integer")
    stop: str = of("place")
    side: str = of("place")

    @classmethod
    def track_formats(cls) -> tuple[str, str]:
        """The formats of a turn track of two levels: for its display, and for its report."""
        shown = cls.SHOWN.replace("{turn}", "$level1$").replace("{stop}", "$level2$")
        report = cls.TEMPLATE.replace(cls.SHOWN, "$newTurn$").replace("{side}", "$PlayerSide$")
        return shown, report


@frozen
class Moved(Announcement):
    """A counter was moved by mouse or by key. ``origin`` is empty for a counter that is new on the map."""

    TEMPLATE: ClassVar[str] = "Move: {counter} ({origin}) to {to} ({side})"
    counter: Named = of("named")
    origin: str = of("place")
    to: str = of("place")
    side: str = of("place")


@frozen
class BattleDeclared(Announcement):
    """A battle as declared so far: attackers and defenders, with the sums of their factors.

    It is announced again whenever a unit joins; the last announcement before the roll counts.
    """

    TEMPLATE: ClassVar[str] = "Battle {battle}: attack on {defenders}{attackers}, {attack}:{defence} ({side})"
    EARLIER: ClassVar[tuple[str, ...]] = (
        "Battle {battle}: {attackers:earlier_list} attack {defenders:earlier_list}, "
        "{attack}:{defence} ({side})",
    )
    MARK: ClassVar[str] = "!"
    battle: int = of("integer")
    attackers: tuple[Located, ...] = of("attackers")
    defenders: tuple[Located, ...] = of("located_list")
    attack: float = of("halves")
    defence: float = of("halves")
    side: str = of("place")


@frozen
class BattleLeft(Announcement):
    """A counter leaves a declared battle."""

    TEMPLATE: ClassVar[str] = "Battle {battle}: {counter} leaves ({side})"
    MARK: ClassVar[str] = "~"
    battle: int = of("integer")
    counter: Located = of("located")
    side: str = of("place")


@frozen
class BattleAdjusted(Announcement):
    """Column shifts, added factors and die roll modifiers: the totals for the battle."""

    TEMPLATE: ClassVar[str] = (
        "Battle {battle}: shift {shift}, attack {attack}, defence {defence}<, modifier {modifier}> ({side})"
    )
    MARK: ClassVar[str] = "!"
    battle: int = of("integer")
    shift: int = of("signed")
    attack: int = of("signed")
    defence: int = of("signed")
    side: str = of("place")
    modifier: int | None = optional("signed")


@frozen
class StrengthSet(Announcement):
    """A counter's factors are halved, or count fully again."""

    TEMPLATE: ClassVar[str] = "{counter} at {half} strength ({side})"
    counter: Located = of("located")
    half: bool = of("half")
    side: str = of("place")


@frozen
class BattleCancelled(Announcement):
    """A battle is cancelled."""

    TEMPLATE: ClassVar[str] = "Battle {battle}: called off ({side})"
    EARLIER: ClassVar[tuple[str, ...]] = ("Battle {battle}: cancelled ({side})",)
    MARK: ClassVar[str] = "~"
    battle: int = of("integer")
    side: str = of("place")


@frozen
class BattleResolved(Announcement):
    """The die roll of a battle and the result from the table. ``column`` and ``result`` are ``none`` off the
    table.
    """

    TEMPLATE: ClassVar[str] = (
        "Battle {battle}: {attack}:{defence}, shift {shift}, column {column}, "
        "die {faces}<, modifier {modifier}>, result {result} ({side})"
    )
    MARK: ClassVar[str] = "!"
    battle: int = of("integer")
    attack: float = of("halves")
    defence: float = of("halves")
    shift: int = of("signed")
    column: str = of("words")
    faces: tuple[int, ...] = of("faces")
    result: str = of("words")
    side: str = of("place")
    modifier: int | None = optional("signed")


@frozen
class BattleModifiers(Announcement):
    """The modifiers that the module calculated from the board: ``Terrain: die -2, City: defence x2``."""

    TEMPLATE: ClassVar[str] = "Battle {battle}, calculated: {modifiers} ({side})"
    EARLIER: ClassVar[tuple[str, ...]] = ("Battle {battle} reckons {modifiers} ({side})",)
    MARK: ClassVar[str] = "!"
    battle: int = of("integer")
    modifiers: str = of("place")
    side: str = of("place")


@frozen
class DiceRolled(Announcement):
    """Dice rolled for a purpose. ``yes`` is for yes/no rolls; ``battle`` is the current battle, if there is
    one.
    """

    TEMPLATE: ClassVar[str] = "{dice}: {faces}<, {yes}><, battle {battle}> ({side})"
    dice: Named = of("named")
    faces: tuple[int, ...] = of("faces")
    side: str = of("place")
    yes: bool | None = optional("yes")
    battle: int | None = optional("integer")


@frozen
class Declared(Announcement):
    """A declaration by a counter, such as bombing, no retreat or artillery, possibly with its battle and its
    roll. ``points`` are the points spent on it, ``towards`` is the direction of the neighbouring hex that it
    names.
    """

    TEMPLATE: ClassVar[str] = (
        "{counter}: {declaration}< {points}>< towards {towards}><, battle {battle}><, die {faces}><, {yes}> "
        "({side})"
    )
    MARK: ClassVar[str] = "?"
    counter: Located = of("located")
    declaration: Named = of("named")
    side: str = of("place")
    battle: int | None = optional("integer")
    faces: tuple[int, ...] | None = optional("faces")
    yes: bool | None = optional("yes")
    points: int | None = optional("integer")
    towards: str | None = optional("words")


@frozen
class CheckMade(Announcement):
    """A declaration whose roll is checked: what is added to it, the total, and whether that is a hit.

    ``modifier`` comes from the board, ``support`` from supporting counters; ``factor`` is the number that the
    total is compared with.
    """

    TEMPLATE: ClassVar[str] = (
        "{counter}: {declaration}, battle {battle}, die {faces}<, modifier {modifier}><, support {support}>, "
        "total {total}< against {factor}: {result}> ({side})"
    )
    EARLIER: ClassVar[tuple[str, ...]] = (TEMPLATE.replace("total {total}", "makes {total}"),)
    MARK: ClassVar[str] = "!"
    counter: Located = of("located")
    declaration: Named = of("named")
    battle: int = of("integer")
    faces: tuple[int, ...] = of("faces")
    total: int = of("integer")
    side: str = of("place")
    modifier: int | None = optional("signed")
    support: int | None = optional("signed")
    factor: int | None = optional("integer")
    result: str | None = optional("words")


@frozen
class ContestDecided(Announcement):
    """Both sides have rolled in a contest; ``winner`` is the title of a side or ``neither side``."""

    TEMPLATE: ClassVar[str] = (
        "Battle {battle}: {declaration}, {owner} {points}, {other} {others}, won by {winner} ({side})"
    )
    MARK: ClassVar[str] = "!"
    battle: int = of("integer")
    declaration: Named = of("named")
    owner: str = of("words")
    points: int = of("integer")
    other: str = of("words")
    others: int = of("integer")
    winner: str = of("words")
    side: str = of("place")


@frozen
class SideDeclared(Announcement):
    """A declaration that is not made by a counter."""

    TEMPLATE: ClassVar[str] = "Declared: {declaration}<, battle {battle}> ({side})"
    MARK: ClassVar[str] = "?"
    declaration: Named = of("named")
    side: str = of("place")
    battle: int | None = optional("integer")


@frozen
class PointsChosen(Announcement):
    """A side, ``owner``, has secretly chosen its points for a battle."""

    TEMPLATE: ClassVar[str] = "Battle {battle}: {owner} chose {declaration} ({side})"
    MARK: ClassVar[str] = "?"
    battle: int = of("integer")
    owner: str = of("words")
    declaration: Named = of("named")
    side: str = of("place")


@frozen
class PointsShown(Announcement):
    """The secretly chosen points of both sides for a battle, and their sum."""

    TEMPLATE: ClassVar[str] = (
        "Battle {battle}: {declaration} of {owner} {points}, of {other} {others}<, shift {shift}>"
        "<, die {die}> ({side})"
    )
    MARK: ClassVar[str] = "!"
    battle: int = of("integer")
    declaration: Named = of("named")
    owner: str = of("words")
    points: int = of("integer")
    other: str = of("words")
    others: int = of("integer")
    side: str = of("place")
    shift: int | None = optional("signed")
    die: int | None = optional("signed")


@frozen
class StateChanged(Announcement):
    """A state of a counter changes: between 0 and 1, or by points. Dated states include the turn and player
    turn.
    """

    TEMPLATE: ClassVar[str] = "{counter}: {state} {old} to {new}< in turn {turn}, {stop}> ({side})"
    counter: Located = of("located")
    state: Named = of("named")
    old: int = of("integer")
    new: int = of("integer")
    side: str = of("place")
    turn: int | None = optional("integer")
    stop: str | None = optional("place")


@frozen
class StepsChanged(Announcement):
    """A counter loses or regains steps."""

    TEMPLATE: ClassVar[str] = "{counter}: steps {old} to {new} ({side})"
    counter: Located = of("located")
    old: int = of("integer")
    new: int = of("integer")
    side: str = of("place")


@frozen
class StepReported(Announcement):
    """A face-down counter loses or regains a step; the opponent does not see how many it has left."""

    TEMPLATE: ClassVar[str] = "{counter} {lost} a step ({side})"
    counter: Located = of("located")
    lost: bool = of("loses")
    side: str = of("place")


@frozen
class Turned(Announcement):
    """A counter is turned face up or face down, in the given place."""

    TEMPLATE: ClassVar[str] = "{counter} turned face {up} ({side})"
    counter: Located = of("located")
    up: bool = of("up")
    side: str = of("place")


@frozen
class Eliminated(Announcement):
    """A counter is eliminated; the place is where it was."""

    TEMPLATE: ClassVar[str] = "{counter} eliminated ({side})"
    MARK: ClassVar[str] = "~"
    counter: Located = of("located")
    side: str = of("place")


@frozen
class Restored(Announcement):
    """A counter comes back from the eliminated units; the place is where it is placed."""

    TEMPLATE: ClassVar[str] = "{counter} restored ({side})"
    counter: Located = of("located")
    side: str = of("place")


@frozen
class Removed(Announcement):
    """A marker is removed."""

    TEMPLATE: ClassVar[str] = "{counter} removed ({side})"
    counter: Located = of("located")
    side: str = of("place")


@frozen
class Due(Announcement):
    """A counter that is due to arrive in the turn that begins."""

    TEMPLATE: ClassVar[str] = "Due: {counter}"
    MARK: ClassVar[str] = "?"
    counter: Located = of("located")


ANNOUNCEMENTS: tuple[type[Announcement], ...] = (
    PhaseTurned, Moved, BattleDeclared, BattleLeft, BattleAdjusted, BattleCancelled, BattleResolved,
    BattleModifiers, PointsChosen, PointsShown, CheckMade, ContestDecided, SideDeclared, Due, StrengthSet,
    Eliminated, Restored, Removed, StepsChanged, StepReported, Turned, StateChanged, Declared, DiceRolled,
)  # fmt: skip


@frozen
class ParsedLine:
    """An announcement in a log; ``undone`` if VASSAL repeats it because it was undone."""

    announcement: Announcement
    undone: bool = False


_BEFORE = re.compile(r"\*+ ?|UNDO: |[|!?~`]")


LONGEST = 10_000
"""Maximum number of characters in a line; no announcement of a module is nearly as long."""


@lru_cache(maxsize=2**14)
def parse_line(line: str) -> ParsedLine | None:
    """Read a line of the chat, including VASSAL's prefixes; None if it is not an announcement."""
    undone = False
    if len(line) > LONGEST:
        return None
    while (before := _BEFORE.match(line)) is not None:
        undone = undone or before[0] == "UNDO: "
        line = line[before.end() :]
    for cls in ANNOUNCEMENTS:
        announcement = cls.read(line)
        if announcement is not None:
            return ParsedLine(announcement, undone)
    return None


# The properties in which the pieces carry what is announced.

CID = "CID"
"""The id of a counter in the game's data: a marker trait on every counter."""
STEPS = "Steps"
"""Steps left."""
SCENARIO = "Scenario"
"""A property of the module: the id of the scenario being played."""
BEGUN_WITH = "BegunWith"
"""A property of the module: the version with which the game was started; empty for versions that did not
record it.
"""
BATTLE = "Battle"
"""The number of the battle that a counter takes part in, 0 for none."""
ROLE = "BattleRole"
"""``A``: attacker, ``D``: defender, ``-``: neither; supporting counters keep ``-``."""
HALF = "Half"
"""1 while the counter's factors are halved."""


def state_property(state: str) -> str:
    """The property that holds a state, by the state's id: ``beaten-off`` is in ``state_beaten_off``."""
    return "state_" + identifier(state)


def date_property(state: str) -> str:
    """The property with the date of a dated state, such as ``2 Allied Combat``; empty if it is off."""
    return "date_" + identifier(state)


def declaration_property(declaration: str) -> str:
    """The property with the number of the battle for which a counter declared something, 0 for none.

    Only counters whose own commands need it later have this property.
    """
    return "said_" + identifier(declaration)


CLERKS_NOTES = ("Note", "Notes", "NoteOf", "NoteSays", "Asked", "Shown", "Sought", "Was1", "Was2", "Was3")
"""Properties of the module through which counters and the clerk exchange data; players do not see them."""
SAID = "Said"
"""How many declarations a counter that may be face down has made, so that the log shows which counter made
them.
"""


def choice_property(declaration: str, side: str) -> str:
    """The property of the module that contains a side's secret choice; -1 until it is made."""
    return f"choice_{identifier(declaration)}_{identifier(side)}"


def dice_property(dice: str) -> str:
    """The name of a dice button; VASSAL publishes its roll as ``NAME_result``."""
    return "dice_" + identifier(dice)


def identifier(id_: str) -> str:
    """An id in a form that VASSAL's expressions can use as a name."""
    return re.sub(r"\W", "_", id_)


def waiting(title: str, turn: int) -> str:
    """The place in a box where counters wait for a turn."""
    return f"{title} T{turn}"


def read_waiting(place: str) -> tuple[str, int | None]:
    """The title of the box and the turn; None for a place that is not for a turn."""
    match = re.fullmatch(r"(.+) T(\d{1,9})", place)
    return (match[1], int(match[2])) if match else (place, None)
