"""The wording in which a module announces what players do, and how it is read back.

This is the one contract between the modules that are built and the referee that reads their logs. Each
announcement is a class with a template: ``say`` writes the line, ``read`` is its exact inverse, and
``expression`` makes VASSAL's own report out of the same template, so that the three cannot drift apart.

    >>> line = Moved(Named("blade", "Blade Force"), "B1", "B2", "Allies").say()
    >>> line
    'Move: Blade Force [blade] (B1) to B2 (Allies)'
    >>> hear("* UNDO: * " + line)
    Heard(announcement=Moved(counter=Named(id='blade', name='Blade Force'), origin='B1', to='B2', side='Allies'), undone=True)

A counter is spoken of by name, with its id in brackets: ``Blade Force [blade]``; the id never changes. In
parentheses stands where it is, at the end the side of the player who acted. Places are the location names of
the module's maps: hexes, boxes by their title, ``TITLE T4`` for what waits in a box for turn 4.

The properties of the pieces that carry the same facts are named at the end of this file: where a log holds
both, the state of the piece is the truth.
"""  # noqa: E501 - what a doctest prints is one line

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, ClassVar, Self

import attrs
from attrs import frozen

_BRACKETED = r"[^\[\]\n]+ \[[^\[\]\s]+\]"
_LOCATED = rf"{_BRACKETED} \([^()\n]*\)"
_PLUS = " + "
NOBODY = "nobody"


@frozen
class Named:
    """Something with an id that never changes and the name that people see."""

    id: str
    name: str

    def __str__(self) -> str:
        return f"{self.name} [{self.id}]"


FACE_DOWN = Named("face-down", "A counter face down")
"""What a counter is called that not all may see."""


@frozen
class Located:
    """A counter and the place where it stands."""

    counter: Named
    place: str

    def __str__(self) -> str:
        return f"{self.counter} ({self.place})"


@frozen
class Kind:
    """A kind of field: what its text looks like, and how it is read and written."""

    pattern: str
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str


def _read_named(text: str) -> Named:
    name, _, id_ = text.rpartition(" [")
    return Named(id_[:-1], name)


def _read_located(text: str) -> Located:
    counter, _, place = text.rpartition(" (")
    return Located(_read_named(counter), place[:-1])


def _located_list(text: str) -> tuple[Located, ...]:
    found, rest = [], "" if text == NOBODY else text
    while rest:
        match = re.match(_LOCATED, rest)
        if match is None:
            raise ValueError(text)
        found.append(_read_located(match[0]))
        rest = rest[match.end() :].removeprefix(_PLUS)
    return tuple(found)


def _halves(number: float) -> str:
    """A number of whole or half factors: ``3``, ``3.5``."""
    return f"{number:.1f}".removesuffix(".0")


_KINDS = {
    "named": Kind(_BRACKETED, _read_named),
    "located": Kind(_LOCATED, _read_located),
    "located_list": Kind(
        rf"(?:{NOBODY}|{_LOCATED}(?: \+ {_LOCATED})*)",
        _located_list,
        lambda items: _PLUS.join(map(str, items)) or NOBODY,
    ),
    "place": Kind(r"[^()\[\]\n]*", str),
    "words": Kind(r"[^()\[\],\n]+", str),
    "integer": Kind(r"-?\d+", int),
    "signed": Kind(r"[+-]\d+", int, lambda number: f"{number:+d}"),
    "halves": Kind(r"-?\d+(?:\.5)?", float, _halves),
    "faces": Kind(
        r"\d+(?:\+\d+)*",
        lambda text: tuple(map(int, text.split("+"))),
        lambda faces: "+".join(map(str, faces)),
    ),
    "yes": Kind("yes|no", lambda text: text == "yes", lambda yes: "yes" if yes else "no"),
    "half": Kind("half|full", lambda text: text == "half", lambda half: "half" if half else "full"),
    "up": Kind("up|down", lambda text: text == "up", lambda up: "up" if up else "down"),
    "loses": Kind("loses|regains", lambda text: text == "loses", lambda lost: "loses" if lost else "regains"),
}


def _of(kind: str) -> Any:
    return attrs.field(metadata={"kind": kind})


def _optional(kind: str) -> Any:
    return attrs.field(default=None, metadata={"kind": kind})


_TOKEN = re.compile(r"\{(\w+)\}|([<>])|([^{}<>]+)")


@frozen
class Announcement:
    """Base of all announcements.

    ``TEMPLATE`` holds fields as ``{name}``; a part in ``<…>`` is said only if its fields are not None.
    ``MARK`` is the sign in front by which VASSAL's chat window colours the line, and which it does not show.
    """

    TEMPLATE: ClassVar[str] = ""
    MARK: ClassVar[str] = ""
    KINDS: ClassVar[Mapping[str, Kind]] = {}
    """What each field is."""

    @classmethod
    def __attrs_init_subclass__(cls) -> None:
        cls.KINDS = {one.name: _KINDS[one.metadata["kind"]] for one in attrs.fields(cls)}

    def say(self) -> str:
        """The line as it stands in the chat, without VASSAL's star in front.

        ValueError if a text in it would not be read back, as a place with parentheses.
        """
        texts = {name: self._text(name, kind) for name, kind in self.KINDS.items()}
        return "".join(
            text
            for optional, parts in _parts(self.TEMPLATE)
            if not optional or all(texts[name] is not None for name, _ in parts if name)
            for text in (literal if not name else str(texts[name]) for name, literal in parts)
        )

    def _text(self, name: str, kind: Kind) -> str | None:
        value = getattr(self, name)
        if value is None:
            return None
        text = kind.write(value)
        if not re.fullmatch(kind.pattern, text):
            raise ValueError(f"{type(self).__name__}: {text!r} cannot be said as {name}")
        return text

    @classmethod
    def read(cls, line: str) -> Self | None:
        """Read what :meth:`say` wrote; None for any other line."""
        match = _pattern(cls).fullmatch(line)
        if match is None:
            return None
        texts = match.groupdict().items()
        return cls(**{name: cls.KINDS[name].read(text) for name, text in texts if text is not None})

    @classmethod
    def expression(cls, **parts: str) -> str:
        """The announcement as an expression of VASSAL, for a report or a property.

        ``parts`` gives for each field an expression for its text; a field that is left out, with the part it
        stands in, is not said. The mark comes in front.
        """
        pieces = [quoted(cls.MARK)] if cls.MARK else []
        for optional, tokens in _parts(cls.TEMPLATE):
            if optional and any(name not in parts for name, _ in tokens if name):
                continue
            pieces += [f"({parts[name]})" if name else quoted(literal) for name, literal in tokens]
        return "{" + "+".join(_joined(pieces)) + "}"


def _parts(template: str) -> list[tuple[bool, list[tuple[str, str]]]]:
    """The parts of a template: whether each is optional, and its fields and literal texts."""
    parts: list[tuple[bool, list[tuple[str, str]]]] = [(False, [])]
    for name, bracket, literal in _TOKEN.findall(template):
        if bracket:
            parts.append((bracket == "<", []))
        else:
            parts[-1][1].append((name, literal))
    return [part for part in parts if part[1]]


def _pattern(cls: type[Announcement]) -> re.Pattern[str]:
    if cls not in _PATTERNS:
        text = ""
        for optional, tokens in _parts(cls.TEMPLATE):
            part = "".join(
                f"(?P<{name}>{cls.KINDS[name].pattern})" if name else re.escape(literal)
                for name, literal in tokens
            )
            text += f"(?:{part})?" if optional else part
        _PATTERNS[cls] = re.compile(text)
    return _PATTERNS[cls]


_PATTERNS: dict[type[Announcement], re.Pattern[str]] = {}


def _joined(pieces: list[str]) -> list[str]:
    """Literals that follow each other as one."""
    found: list[str] = []
    for piece in pieces:
        if found and found[-1].startswith('"') and piece.startswith('"'):
            found[-1] = found[-1][:-1] + piece[1:]
        else:
            found.append(piece)
    return found


def quoted(text: str) -> str:
    """A text as a literal of VASSAL's expressions."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def named(name: str, id_: str) -> str:
    """The expression for the text of something named, from those of its name and id."""
    return f'{name}+" ["+{id_}+"]"'


def located(counter: str, place: str) -> str:
    """The expression for the text of a counter at a place, from those of both."""
    return f'{counter}+" ("+{place}+")"'


@frozen
class PhaseTurned(Announcement):
    """The turn track shows another phase. ``stop`` is the phase with its side: ``Allied Movement``."""

    SHOWN: ClassVar[str] = "Turn {turn}, {stop}"
    TEMPLATE: ClassVar[str] = f"Phase: {SHOWN} ({{side}})"
    MARK: ClassVar[str] = "|"
    turn: int = _of("integer")
    stop: str = _of("place")
    side: str = _of("place")

    @classmethod
    def track_formats(cls) -> tuple[str, str]:
        """The formats of a turn track of two levels: of what it shows, and of what it reports."""
        shown = cls.SHOWN.replace("{turn}", "$level1$").replace("{stop}", "$level2$")
        report = cls.TEMPLATE.replace(cls.SHOWN, "$newTurn$").replace("{side}", "$PlayerSide$")
        return shown, cls.MARK + report


@frozen
class Moved(Announcement):
    """A counter was moved by hand or key. ``origin`` is empty for one that was new on the map."""

    TEMPLATE: ClassVar[str] = "Move: {counter} ({origin}) to {to} ({side})"
    counter: Named = _of("named")
    origin: str = _of("place")
    to: str = _of("place")
    side: str = _of("place")


@frozen
class BattleDeclared(Announcement):
    """A battle as declared so far: who attacks whom, with the sums of their factors.

    It is said anew whenever somebody joins; what is said last before the die counts.
    """

    TEMPLATE: ClassVar[str] = "Battle {battle}: {attackers} attack {defenders}, {attack}:{defence} ({side})"
    MARK: ClassVar[str] = "!"
    battle: int = _of("integer")
    attackers: tuple[Located, ...] = _of("located_list")
    defenders: tuple[Located, ...] = _of("located_list")
    attack: float = _of("halves")
    defence: float = _of("halves")
    side: str = _of("place")


@frozen
class BattleLeft(Announcement):
    """A counter leaves a battle that was declared."""

    TEMPLATE: ClassVar[str] = "Battle {battle}: {counter} leaves ({side})"
    MARK: ClassVar[str] = "~"
    battle: int = _of("integer")
    counter: Located = _of("located")
    side: str = _of("place")


@frozen
class BattleAdjusted(Announcement):
    """Columns shifted, factors added and the die modified: the totals for the battle."""

    TEMPLATE: ClassVar[str] = (
        "Battle {battle}: shift {shift}, attack {attack}, defence {defence}<, modifier {modifier}> ({side})"
    )
    MARK: ClassVar[str] = "!"
    battle: int = _of("integer")
    shift: int = _of("signed")
    attack: int = _of("signed")
    defence: int = _of("signed")
    side: str = _of("place")
    modifier: int | None = _optional("signed")


@frozen
class StrengthSet(Announcement):
    """A counter counts with half of its factors, or with all of them again."""

    TEMPLATE: ClassVar[str] = "{counter} at {half} strength ({side})"
    counter: Located = _of("located")
    half: bool = _of("half")
    side: str = _of("place")


@frozen
class BattleCancelled(Announcement):
    """A battle is called off."""

    TEMPLATE: ClassVar[str] = "Battle {battle}: cancelled ({side})"
    MARK: ClassVar[str] = "~"
    battle: int = _of("integer")
    side: str = _of("place")


@frozen
class BattleResolved(Announcement):
    """The die of a battle and what the table gave. ``column`` and ``result`` are ``none`` off the table."""

    TEMPLATE: ClassVar[str] = (
        "Battle {battle}: {attack}:{defence}, shift {shift}, column {column}, "
        "die {faces}<, modifier {modifier}>, result {result} ({side})"
    )
    MARK: ClassVar[str] = "!"
    battle: int = _of("integer")
    attack: float = _of("halves")
    defence: float = _of("halves")
    shift: int = _of("signed")
    column: str = _of("words")
    faces: tuple[int, ...] = _of("faces")
    result: str = _of("words")
    side: str = _of("place")
    modifier: int | None = _optional("signed")


@frozen
class BattleReckoned(Announcement):
    """What the module reckons of a battle from the board, in words: ``Terrain: die -2, City: defence x2``."""

    TEMPLATE: ClassVar[str] = "Battle {battle} reckons {modifiers} ({side})"
    MARK: ClassVar[str] = "!"
    battle: int = _of("integer")
    modifiers: str = _of("place")
    side: str = _of("place")


@frozen
class DiceThrown(Announcement):
    """Dice thrown for a purpose. ``yes`` is said of throws of yes or no, ``battle`` while one is at hand."""

    TEMPLATE: ClassVar[str] = "{dice}: {faces}<, {yes}><, battle {battle}> ({side})"
    dice: Named = _of("named")
    faces: tuple[int, ...] = _of("faces")
    side: str = _of("place")
    yes: bool | None = _optional("yes")
    battle: int | None = _optional("integer")


@frozen
class Declared(Announcement):
    """A declaration by a counter: bombing, no retreat, artillery. With it perhaps its battle and its throw.

    ``points`` are what it is made with, ``towards`` the direction of the neighbouring hex that it names.
    """

    TEMPLATE: ClassVar[str] = (
        "{counter}: {declaration}< {points}>< towards {towards}><, battle {battle}><, die {faces}><, {yes}> "
        "({side})"
    )
    MARK: ClassVar[str] = "?"
    counter: Located = _of("located")
    declaration: Named = _of("named")
    side: str = _of("place")
    battle: int | None = _optional("integer")
    faces: tuple[int, ...] | None = _optional("faces")
    yes: bool | None = _optional("yes")
    points: int | None = _optional("integer")
    towards: str | None = _optional("words")


@frozen
class CheckMade(Announcement):
    """A declaration whose throw is checked: what is added to it, what it makes, and whether that is a hit.

    ``modifier`` is what the board adds, ``support`` what counters do; ``factor`` is what the total is
    compared with.
    """

    TEMPLATE: ClassVar[str] = (
        "{counter}: {declaration}, battle {battle}, die {faces}<, modifier {modifier}><, support {support}>, "
        "makes {total}< against {factor}: {result}> ({side})"
    )
    MARK: ClassVar[str] = "!"
    counter: Located = _of("located")
    declaration: Named = _of("named")
    battle: int = _of("integer")
    faces: tuple[int, ...] = _of("faces")
    total: int = _of("integer")
    side: str = _of("place")
    modifier: int | None = _optional("signed")
    support: int | None = _optional("signed")
    factor: int | None = _optional("integer")
    result: str | None = _optional("words")


@frozen
class ContestDecided(Announcement):
    """Both sides have thrown in a contest; ``winner`` is the title of the side that won, or ``nobody``."""

    TEMPLATE: ClassVar[str] = (
        "Battle {battle}: {declaration}, {owner} {points}, {other} {others}, won by {winner} ({side})"
    )
    MARK: ClassVar[str] = "!"
    battle: int = _of("integer")
    declaration: Named = _of("named")
    owner: str = _of("words")
    points: int = _of("integer")
    other: str = _of("words")
    others: int = _of("integer")
    winner: str = _of("words")
    side: str = _of("place")


@frozen
class SideDeclared(Announcement):
    """A declaration that belongs to no counter."""

    TEMPLATE: ClassVar[str] = "Declared: {declaration}<, battle {battle}> ({side})"
    MARK: ClassVar[str] = "?"
    declaration: Named = _of("named")
    side: str = _of("place")
    battle: int | None = _optional("integer")


@frozen
class PointsChosen(Announcement):
    """A side, ``owner``, has chosen its points for a battle, and nobody else knows how many."""

    TEMPLATE: ClassVar[str] = "Battle {battle}: {owner} chose {declaration} ({side})"
    MARK: ClassVar[str] = "?"
    battle: int = _of("integer")
    owner: str = _of("words")
    declaration: Named = _of("named")
    side: str = _of("place")


@frozen
class PointsShown(Announcement):
    """The points that both sides have chosen in secret for a battle, and what they are together."""

    TEMPLATE: ClassVar[str] = (
        "Battle {battle}: {declaration} of {owner} {points}, of {other} {others}<, shift {shift}>"
        "<, die {die}> ({side})"
    )
    MARK: ClassVar[str] = "!"
    battle: int = _of("integer")
    declaration: Named = _of("named")
    owner: str = _of("words")
    points: int = _of("integer")
    other: str = _of("words")
    others: int = _of("integer")
    side: str = _of("place")
    shift: int | None = _optional("signed")
    die: int | None = _optional("signed")


@frozen
class StateChanged(Announcement):
    """A state of a counter changes: 0 and 1, or points left. Dated states say when they came."""

    TEMPLATE: ClassVar[str] = "{counter}: {state} {old} to {new}< in turn {turn}, {stop}> ({side})"
    counter: Located = _of("located")
    state: Named = _of("named")
    old: int = _of("integer")
    new: int = _of("integer")
    side: str = _of("place")
    turn: int | None = _optional("integer")
    stop: str | None = _optional("place")


@frozen
class StepsChanged(Announcement):
    """A counter loses or regains steps."""

    TEMPLATE: ClassVar[str] = "{counter}: steps {old} to {new} ({side})"
    counter: Located = _of("located")
    old: int = _of("integer")
    new: int = _of("integer")
    side: str = _of("place")


@frozen
class StepTold(Announcement):
    """A counter that lies face down loses or regains a step; how many it has is nobody else's business."""

    TEMPLATE: ClassVar[str] = "{counter} {lost} a step ({side})"
    counter: Located = _of("located")
    lost: bool = _of("loses")
    side: str = _of("place")


@frozen
class Turned(Announcement):
    """A counter is turned face up or face down. The place is where it lies."""

    TEMPLATE: ClassVar[str] = "{counter} turned face {up} ({side})"
    counter: Located = _of("located")
    up: bool = _of("up")
    side: str = _of("place")


@frozen
class Eliminated(Announcement):
    """A counter goes to the losses; the place is where it stood."""

    TEMPLATE: ClassVar[str] = "{counter} eliminated ({side})"
    MARK: ClassVar[str] = "~"
    counter: Located = _of("located")
    side: str = _of("place")


@frozen
class Restored(Announcement):
    """A counter comes back from the losses; the place is where it stands now."""

    TEMPLATE: ClassVar[str] = "{counter} restored ({side})"
    counter: Located = _of("located")
    side: str = _of("place")


@frozen
class Removed(Announcement):
    """A marker is taken away."""

    TEMPLATE: ClassVar[str] = "{counter} removed ({side})"
    counter: Located = _of("located")
    side: str = _of("place")


@frozen
class Due(Announcement):
    """A counter that waits for the turn which begins."""

    TEMPLATE: ClassVar[str] = "Due: {counter}"
    MARK: ClassVar[str] = "?"
    counter: Located = _of("located")


ANNOUNCEMENTS: tuple[type[Announcement], ...] = (
    PhaseTurned, Moved, BattleDeclared, BattleLeft, BattleAdjusted, BattleCancelled, BattleResolved,
    BattleReckoned, PointsChosen, PointsShown, CheckMade, ContestDecided, SideDeclared, Due, StrengthSet,
    Eliminated, Restored, Removed, StepsChanged, StepTold, Turned, StateChanged, Declared, DiceThrown,
)  # fmt: skip


@frozen
class Heard:
    """An announcement in a log; ``undone``: VASSAL repeats it because it is taken back."""

    announcement: Announcement
    undone: bool = False


_BEFORE = re.compile(r"\*+ ?|UNDO: |[|!?~`]")


@lru_cache(maxsize=2**14)
def hear(line: str) -> Heard | None:
    """Read a line of the chat, with all that VASSAL puts in front; None if it is no announcement."""
    undone = False
    while (before := _BEFORE.match(line)) is not None:
        undone = undone or before[0] == "UNDO: "
        line = line[before.end() :]
    for cls in ANNOUNCEMENTS:
        announcement = cls.read(line)
        if announcement is not None:
            return Heard(announcement, undone)
    return None


# The properties in which the pieces carry what is announced.

CID = "CID"
"""The counter's id in the game's data: a marker of every counter."""
STEPS = "Steps"
"""Steps left."""
SCENARIO = "Scenario"
"""A property of the module: the id of the scenario that is played."""
BATTLE = "Battle"
"""The number of the battle a counter takes part in, 0 for none."""
ROLE = "BattleRole"
"""``A`` attacks, ``D`` defends, ``-`` neither; supporters keep ``-``."""
HALF = "Half"
"""1 while a counter counts with half of its factors."""


def state_property(state: str) -> str:
    """The property that holds a state, by the state's id: ``beaten-off`` is in ``state_beaten_off``."""
    return "state_" + identifier(state)


def date_property(state: str) -> str:
    """The property that says when a dated state came: ``2 Allied Combat``, empty while it is not."""
    return "date_" + identifier(state)


def declaration_property(declaration: str) -> str:
    """The property that holds the battle for which a counter declared something, 0 for none."""
    return "said_" + identifier(declaration)


SAID = "Said"
"""How often a counter that may lie face down declared what is about no battle: so the log shows who did."""


def points_property(declaration: str) -> str:
    """The property that holds the points with which a counter last declared something."""
    return "points_" + identifier(declaration)


def towards_property(declaration: str) -> str:
    """The property that holds the direction of the hex that a counter last named in a declaration."""
    return "towards_" + identifier(declaration)


def choice_property(declaration: str, side: str) -> str:
    """The property of the module that holds what a side chose in secret, -1 while it is open."""
    return f"choice_{identifier(declaration)}_{identifier(side)}"


def dice_property(dice: str) -> str:
    """The name of a dice button; VASSAL publishes its throw as ``NAME_result``."""
    return "dice_" + identifier(dice)


def identifier(id_: str) -> str:
    """An id as VASSAL's expressions can name it."""
    return re.sub(r"\W", "_", id_)


def waiting(title: str, turn: int) -> str:
    """The place in a box where counters wait for a turn."""
    return f"{title} T{turn}"


def read_waiting(place: str) -> tuple[str, int | None]:
    """The title of the box and the turn, None for a place that is not of a turn."""
    match = re.fullmatch(r"(.+) T(\d+)", place)
    return (match[1], int(match[2])) if match else (place, None)
