"""Nine logs of one game, written by VASSAL 2.9, and why they do not always agree with themselves.

That version wrote what players took back, and did again, carelessly: often it left out the rest of the
commands, or all of them. Each cause below is a predicate on the log that proves it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from enum import Enum
from math import inf
from pathlib import Path

from attrs import frozen

from referee.table import Table, read_log
from referee.table.events import Contradicted, Event, Moved, Spot
from referee.table.statements import MEMBERS, PLACE
from referee.table.states import TAB
from referee.table.things import Piece, Stack
from vassalgen.vassal import sequences, traits
from vassalgen.vassal.commands import AddPiece, ChangePiece, Command, MovePiece, RemovePiece
from vassalgen.vassal.secrets import Redactor

NAMES = ("0606-1", "0606-2", "0606-3", "0606-4", "0607-1", "0607-2", "0607-3", "0607-4", "0607-5")
MAP, PRESENT = "map", "present"

Part = tuple[str, str]
"""The id of a piece or stack, and what of it: its place, map, presence, members, or a trait by its code."""
Value = object
"""A place is a pair of co-ordinates, the state of a trait a text."""
Key = tuple[object, ...]


class Cause(Enum):
    """Why a log states what the commands in it have not led to."""

    OLD_WORDS = "a command done again or taken back is written as the first time, with the place of then"
    CUT_OFF = "of a step done again or taken back only the beginning is in the log; the rest would lead there"
    REDONE = "a step led there and was taken back: it was done again, and the log lacks that"
    UNDONE = "the last step that touched it came from there: it was taken back, and the log lacks that"
    UNHEARD = "a stack the log never made took it away from there: whoever replays the log passes over that"
    LEFT_BEHIND = "it lies where a stack was dragged from, and belongs where that went"
    REORDERED = "a piece was moved within the stack, and back: other pieces changed their places for it"
    UNSTACKED = "its stack was taken away from under it, so it lies on no map"
    OPENING = "nothing in the log touched it: the log does not agree with the position it begins with"
    OUTSIDE = "nothing in the log ever led there"


@frozen
class Change:
    """A command: what it makes of things, what it says they were, and how it differs from other commands."""

    step: int
    key: Key
    inverse: Key
    makes: Mapping[Part, Value]
    was: Mapping[Part, Value]


@frozen
class Saying:
    """What a command says something was, and what the table has; ``after`` counts the changes before it."""

    step: float
    after: int
    part: Part
    stated: Value
    found: Value
    key: Key = ()


class Reading:
    """One log replayed: every change in it, and every statement that the table does not share."""

    def __init__(self, path: Path) -> None:
        stream = read_log(path).stream
        redactor = Redactor(stream.root.walk())
        self.table = Table()
        self.statements = 0
        self.unstacked = 0
        self.unheard: list[str] = []
        self.sayings: list[Saying] = []
        self.changes: list[Change] = []
        self._dropped: dict[str, str | None] = {}
        for node in stream.setup:
            self.table.carry_out(redactor.clean(node.command))
        self.opening = values(self.table)
        for number, entry in enumerate(stream.steps, 1):
            for node in entry.walk():
                self._read(number, redactor.clean(node.command))
        self.closing = values(self.table)
        self._makers: dict[Part, list[Change]] = defaultdict(list)
        for change in self.changes:
            for part in change.makes:
                self._makers[part].append(change)
        self._rests = self._cut_off_steps()

    def _read(self, number: int, command: Command) -> None:
        """Carry out a command and note what it does and says."""
        thing = self.table.things.get(getattr(command, "id", None) or "")
        if isinstance(command, RemovePiece) and isinstance(thing, Stack):
            name = thing.map.name if thing.map else None
            self._dropped.update((member.id, name) for member in thing.members)
        if isinstance(command, MovePiece):
            self.statements += 1
            if thing is None:
                self.unheard.append(command.id)
            elif thing.map is None and thing.position == (command.old_x, command.old_y):
                assert self._dropped.get(thing.id) == command.old_map
                self.unstacked += command.old_map is not None
        elif isinstance(command, ChangePiece) and command.old_state is not None:
            self.statements += 1
        happened = self.table.carry_out(command)
        change = _change(number, command, self.table, happened)
        key = change.key if change else ()
        for event in happened:
            if isinstance(event, Contradicted):
                part, stated, found = (event.piece.id, event.part), _value(event.stated), _value(event.found)
                self.sayings.append(Saying(number, len(self.changes), part, stated, found, key))
        if change is not None:
            self.changes.append(change)

    def _cut_off_steps(self) -> list[tuple[int, list[Change]]]:
        """Steps that are the beginning of an earlier one, or of its taking back, with what they lack.

        [command.Command.getUndoCommand]: what is taken back is taken back in reverse order.
        """
        steps: dict[int, list[Change]] = defaultdict(list)
        for change in self.changes:
            steps[change.step].append(change)
        earlier: dict[Key, list[list[Change]]] = defaultdict(list)
        found: list[tuple[int, list[Change]]] = []
        for number, changes in steps.items():
            keys = [change.key for change in changes]
            for whole in earlier[keys[0]]:
                if len(whole) > len(keys) and [change.key for change in whole[: len(keys)]] == keys:
                    found.append((number, whole[len(keys) :]))
            back = [_inverse(change) for change in reversed(changes)]
            earlier[keys[0]].append(changes)
            earlier[back[0].key].append(back)
        return found

    def causes(self) -> Iterator[tuple[Saying, Cause | None]]:
        """Every statement that the table does not share, with its cause."""
        for saying in self.sayings:
            yield saying, self.cause(saying)

    def cause(self, saying: Saying) -> Cause | None:
        """The first cause that this log proves."""
        part, stated, before = saying.part, saying.stated, self.changes[: saying.after]
        made = [change for change in before if part in change.makes]
        if part[1] == MEMBERS:
            return Cause.REORDERED if _reordered(saying, before) else None
        last = made[-1].step if made else 0
        if part[1] == MAP and saying.found is None and self._dropped.get(part[0]) == stated:
            return Cause.UNSTACKED
        for number, rest in self._rests:
            if last <= number <= saying.step and any(change.makes.get(part) == stated for change in rest):
                return Cause.CUT_OFF
        for there in made:
            if there.makes[part] == stated:
                back = [change for change in made if change.key == there.inverse and change.step > there.step]
                if back and back[-1].step >= last:
                    return Cause.REDONE
        if made and made[-1].was[part] == stated:
            return Cause.UNHEARD if made[-1].key[1] in self.unheard else Cause.UNDONE
        if part[1] == PLACE and self._left_behind(saying, last):
            return Cause.LEFT_BEHIND
        if part[1] == PLACE and any(saying.key in (change.key, change.inverse) for change in before):
            return Cause.OLD_WORDS
        if not made and saying.step is not inf:
            return Cause.OPENING
        if self.opening.get(part) != stated and all(change.makes[part] != stated for change in made):
            return Cause.OUTSIDE
        return None

    def _left_behind(self, saying: Saying, last: int) -> bool:
        for change in self.changes[: saying.after]:
            dragged = (str(change.key[1]), PLACE)
            if change.step < last or saying.part in change.makes or dragged not in change.makes:
                continue
            if (change.was[dragged], change.makes[dragged]) == (saying.found, saying.stated):
                return True
        return False


def _reordered(saying: Saying, before: list[Change]) -> bool:
    """Whether the same pieces lie in another order, one of which was moved to the place it was at, twice."""
    ids = set(str(saying.stated).split(", "))
    stirred = [change.key[1] for change in before if change.key[0] == "M" and change.key == change.inverse]
    return ids == set(str(saying.found).split(", ")) and any(stirred.count(one) > 1 for one in ids)


def _value(stated: object) -> Value:
    return (stated.x, stated.y) if isinstance(stated, Spot) else stated


def _change(number: int, command: Command, table: Table, happened: list[Event]) -> Change | None:
    makes: dict[Part, Value] = {}
    was: dict[Part, Value] = {}
    key: Key
    inverse: Key
    match command:
        case MovePiece():
            there, back = (command.map, command.x, command.y), (command.old_map, command.old_x, command.old_y)
            key, inverse = ("M", command.id, there, back), ("M", command.id, back, there)
            makes[command.id, PLACE], was[command.id, PLACE] = there[1:], back[1:]
            for event in happened:
                if isinstance(event, Moved):
                    for spot, lines in ((event.target, makes), (event.origin, was)):
                        lines[event.piece.id, PLACE] = (spot.x, spot.y)
                        lines[event.piece.id, MAP] = spot.map
        case ChangePiece(new_state=new, old_state=str() as old):
            key, inverse = ("D", command.id, new, old), ("D", command.id, old, new)
            thing = table.things.get(command.id)
            if isinstance(thing, Piece):
                pairs = zip(sequences.unnest(new, TAB), sequences.unnest(old, TAB), strict=False)
                for place, (now, then) in enumerate(pairs):
                    if now != then and place < len(thing.states):
                        part = (command.id, _code(thing, place))
                        makes[part], was[part] = now, then
        case AddPiece(id=str() as added):
            key, inverse = ("+", added), ("-", added)
            makes[added, PRESENT], was[added, PRESENT] = True, False
        case RemovePiece():
            key, inverse = ("-", command.id), ("+", command.id)
            makes[command.id, PRESENT], was[command.id, PRESENT] = False, True
        case _:
            return None
    return Change(number, key, inverse, makes, was)


def _inverse(change: Change) -> Change:
    return Change(change.step, change.inverse, change.key, change.was, change.makes)


def _code(piece: Piece, place: int) -> str:
    return traits.code_of(piece.type.parts[place]).rstrip(";")


def values(table: Table) -> dict[Part, Value]:
    """Everything that a log can state of the pieces on a table."""
    found: dict[Part, Value] = {}
    for piece in table.pieces():
        found[piece.id, PRESENT] = True
        found[piece.id, PLACE] = piece.position
        found[piece.id, MAP] = piece.map.name if piece.map else None
        for place, state in enumerate(piece.states):
            found[piece.id, _code(piece, place)] = state
    return found


def differences(earlier: Reading, later: Reading) -> Iterator[Saying]:
    """What the position a log begins with says of the end of the one before."""
    for part in sorted(earlier.closing.keys() | later.opening.keys()):
        found, stated = earlier.closing.get(part), later.opening.get(part)
        both = (part[0], PRESENT) in earlier.closing and (part[0], PRESENT) in later.opening
        if found != stated and (both or part[1] == PRESENT):
            yield Saying(inf, len(earlier.changes), part, stated, found)
