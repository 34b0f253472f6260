"""How the text of an action is read and written by the form of its verb."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise

from attrs import evolve

from referee.engine.actions import Action, Part, Verb
from referee.engine.clock import Calendar, Clock
from referee.engine.position import World
from referee.record.called import LONG_NUMBER, CounterNames, plain, take_box
from referee.record.words import chosen_word, whole_word
from vassalgen.game.game import Game, unknown
from vassalgen.problems import FormatError

_NAMED = 3
"""The fewest letters of a name that several counters may have."""
_NUMBERED = 2
"""The fewest digits of a counter's number where a form has room for counters only."""


class Names:
    """The names that actions of a game use: hexes, counters, phases.

    ``now`` is the phase that the record has come to, if it is known: a phase without its turn comes after it.
    ``attacked`` are the hexes that have been attacked in it, ``attackers`` and ``defenders`` the counters
    in the last attack, ``rolled`` is the last roll since, with its battle. ``placed`` are the counters that
    were set up one by one, with their hexes; ``all_set_up``: others are on the map, too;
    ``placing``: a statement places counters; ``begun``: there has been an action. ``kinds``: only these are
    meant by a name that several counters have.
    """

    def __init__(self, world: World) -> None:
        self.game: Game = world.game
        self.of_steps = world.rulebook.idiom.steps
        self.can = world.rulebook.can
        self.calendar: Calendar = world.calendar
        self.counters = CounterNames(world.game, tuple(world.rulebook.verbs.values()))
        self.now: Clock | None = None
        self.attacked: tuple[str, ...] = ()
        self.attackers: tuple[str, ...] = ()
        self.defenders: tuple[str, ...] = ()
        self.all_set_up = self.placing = self.begun = False
        self.kinds: tuple[str, ...] = ()
        self.placed: dict[str, str] = {}
        self.rolled: tuple[str, int] = ("", 0)

    def hex(self, name: str) -> str:
        """Read a hex, given by its number or by a place in it."""
        return find_hex(self.game, name)

    def take_hex(self, words: list[str]) -> str:
        """Read the hex at the beginning of the words, and remove it: its number, or a place in it."""
        if words[1:] and words[0] == "hex":
            words.pop(0)
        places = {plain(place.name): place.hex for place in self.game.map.places.values()}
        for length in range(min(len(words), max(map(len, places), default=1)), 1, -1):
            if found := places.get(plain(" ".join(words[:length]))):
                del words[:length]
                return found
        return self.hex(words.pop(0) if words else "")

    def target(self, words: list[str]) -> str:
        """Read the hex at the beginning of the words, and remove it: its name, or that of a counter in it."""
        left = list(words)
        try:
            found = self.take_hex(left)
        except FormatError:
            if known := self.first(words):
                return known
            raise
        words[:] = left
        return found

    def pieces(self, words: list[str]) -> tuple[str, ...]:
        """Read the counters at the beginning of the words, and remove them."""
        found = []
        self.drop_kind(words)
        while words and (known := self.first(words, digits=_NUMBERED)):
            found.append(known)
            if words[:1] in (["and"], ["&"], ["+"]) and self.first(words[1:], digits=_NUMBERED):
                words.pop(0)
        if not found:
            self.one_counter_at_most(words)
            name = words[0] if words else ""
            quoted = _in_quotes(name, (one.name for one in self.game.counters.values()))
            raise FormatError(f"no counter {name!r}", quoted or unknown(name, self.game.counters))
        return tuple(found)

    def one_counter_at_most(self, words: Sequence[str]) -> None:
        """FormatError if words begin with a name that several counters may have."""
        words = words[1:] if words and words[0].lower() == "the" else words
        several, length = self.counters.several(words)
        if several and not self.names_a_counter([*words]):
            name = " ".join(words[:length])
            raise FormatError(f"several counters may be meant by {name!r}", _one_of(several))

    def drop_kind(self, words: list[str]) -> None:
        """Remove words before the name of a counter: ``the``, or the title of its kind."""
        kinds = {"the", "general", *(kind.title.lower() for kind in self.game.kinds.values())}
        if words and words[0].lower() in kinds and self.names_a_counter(words[1:]):
            words.pop(0)

    def names_a_counter(self, words: list[str]) -> bool:
        """Return whether words begin with the name of a counter."""
        return bool(words and self.first(list(words)))

    def first(self, words: list[str], digits: int = LONG_NUMBER) -> str:
        """Take the name of a counter off the words, the longest possible, or a number of at least so many
        digits that only one counter has; empty if none is named.
        """
        name, length = self.counters.first(words, self.placed)
        if not name and words and (name := self.counters.numbered(words[0], digits)):
            length = 1
        if not name and words:
            name, length = self._only_one(words)
        del words[:length]
        return name

    def _only_one(self, words: Sequence[str]) -> tuple[str, int]:
        """The only counter of several with a name that is of the side named before it, ``French sappers``, or
        that has been placed; and the number of words.
        """
        sides = self.game.sides.items()
        called = {text.lower(): name for name, side in sides for text in (side.title, side.adjective)}
        side = called.get(words[0].lower(), "")
        several, length = self.counters.several(words[1:] if side else words)
        if side and not several:
            known, length = self.counters.first(words[1:], self.placed)
            several = (known,) if known else ()
        is_open = self.placing or self.all_set_up or len(words[0]) < _NAMED
        if not several and not is_open and re.fullmatch(r"\d+(?:st|nd|rd|th),?", words[0]):
            label, length = words[0].rstrip(","), 1
            several = tuple(one for one in self.placed if self.game.counters[one].label == label)
        if side:
            found = [one for one in several if self.game.counters[one].side == side]
        else:
            found = [] if is_open else [one for one in several if self.placed.get(one)]
        if len(found) != 1 and self.kinds:
            found = [one for one in several if self.game.counters[one].kind in self.kinds]
        return (found[0], length + bool(side)) if len(found) == 1 else ("", 0)

    @contextmanager
    def only(self, kinds: tuple[str, ...]) -> Iterator[None]:
        """Let a name that several counters have mean the only one of some kinds."""
        before, self.kinds = self.kinds, kinds
        try:
            yield
        finally:
            self.kinds = before

    def clock(self, words: Sequence[str], now: Clock | None) -> Clock:
        """Read a phase, with or without its turn; FormatError if it is none."""
        try:
            return self.calendar.read(" ".join(words), now)
        except ValueError as error:
            wrong, _, right = str(error).partition(": ")
            phase = re.sub(r"^turn\s+\d+\s*,?\s*", "", " ".join(words))
            meant = unknown(phase, self.calendar.stop_names)
            is_misspelt = "not a phase" in wrong and meant.startswith("did you")
            raise FormatError(wrong, meant if is_misspelt else right) from None


def find_hex(game: Game, name: str) -> str:
    """Return the hex with a number, or with a place of that name; FormatError with a suggestion."""
    if name in game.map.grid or name.upper() in game.map.grid:
        return name if name in game.map.grid else name.upper()
    said = plain(name)
    called = {plain(place.name): place.hex for place in game.map.places.values()}
    begun = {where for words, where in called.items() if said and said == words[: len(said)]}
    if said in called or len(begun) == 1:
        return called.get(said) or begun.pop()
    if name in game.counters:
        raise FormatError(f"{name!r} is a counter, not a hex", "the hex that it is in")
    right = _in_quotes(name, game.map.places) or unknown(name, (*game.map.places, *game.map.grid.names))
    raise FormatError(f"no hex {name!r}", right)


def unquoted(names: Names, text: str) -> str:
    """Return a text with ids of counters and numbers of hexes in place of names in quotes.

    Titles of boxes, states and results lose their quotes. FormatError for a name that is not known, or that
    several counters have.
    """
    game = names.game
    titles = {plain(one.title) for one in game.map.boxes.values()}
    titles |= {plain(one.title) for one in game.states.values()}
    titles |= {plain(one.title) for table in game.tables.values() for one in table.results.values()}

    def known(match: re.Match[str]) -> str:
        name = match[1].strip()
        counters = [one.id for one in game.counters.values() if one.name.lower() == name.lower()]
        if len(counters) > 1:
            raise FormatError(f"several counters are called {name!r}", _one_of(counters))
        if counters or name in game.counters:
            return counters[0] if counters else name
        try:
            return find_hex(game, name)
        except FormatError:
            words = name.split()
            counter, length = names.counters.first(words) if words else ("", 0)
            if counter and length == len(words):
                return counter
            if labelled := names.counters.labelled(name):
                return labelled
            if plain(name) in titles:
                return name
            known_names = (*(one.name for one in game.counters.values()), *game.map.places)
            raise FormatError(f"no counter or place {name!r}", unknown(name, known_names)) from None

    return re.sub(r'"([^"]*)"', known, text)


def _one_of(counters: Sequence[str]) -> str:
    return f"one of {', '.join(counters)}"


def _in_quotes(word: str, names: Iterable[str]) -> str:
    """A suggestion for a name, or the first word of one, without its quotes; empty if it is none."""
    begun = (name for name in names if word and f"{name.lower()} ".startswith(f"{word.lower()} "))
    return next((f'names in quotes, such as "{name}"' for name in begun), "")


def with_names(game: Game, text: str) -> str:
    """Return a text with the names of counters in place of their ids."""
    counters = game.counters
    return re.sub(
        r"[\w-]+", lambda match: counters[match[0]].name if match[0] in counters else match[0], text
    )


def read_action(names: Names, verb: Verb, words: list[str]) -> Action:
    """Read the words after those of the verb; FormatError says what is wrong and shows the form."""
    return _Reading(names, verb, words).action()


def missing(verb: Verb, action: Action) -> str:
    """Return what the form of a verb requires and an action lacks; empty if nothing is missing."""
    free = _unlabelled(verb.parts, action) if action.words else []
    return next((slot for slot in verb.required if not _has(slot, action, free)), "")


def _has(slot: str, action: Action, free: list[str]) -> bool:
    match slot:
        case "PIECE" | "PIECES":
            return bool(action.pieces)
        case "PATH":
            return len(action.path) > 1
        case "HEX":
            return bool(action.target)
        case "DIE" | "DICE":
            return bool(action.dice)
        case "PHASE":
            return action.clock is not None
        case "NUMBER":
            return bool(free) and re.fullmatch(_WHOLE, free.pop(0)) is not None
    return bool(free and free.pop(0))


def write_action(names: Names, verb: Verb, action: Action) -> str:
    """Write an action as it is read."""
    return " ".join(filter(None, (verb.name, _written(names, verb.parts, action))))


_WHOLE = r"-?\d{1,9}"
_NUMBER = r"-?\d{1,9}(\.\d{1,9})?"
"""The number after a word, such as a strength; a number that stands alone is whole."""


class _Reading:
    """Reads the words of one action by the form of its verb."""

    def __init__(self, names: Names, verb: Verb, words: list[str]) -> None:
        self.names, self.verb, self.rest = names, verb, words
        self.found = Action(verb.name)
        self.choices = iter(verb.choices)

    def action(self) -> Action:
        self._parts(self.verb.parts)
        if self.rest:
            raise FormatError(f"{' '.join(self.rest)!r} is not understood", self.verb.form)
        return self.found

    def _parts(self, parts: Sequence[Part]) -> None:
        for part in parts:
            if part.kind == "optional":
                if self.rest and self._fits(part.parts):
                    self._group(part.parts)
            elif part.kind == "literal":
                if self.rest[:1] != [part.text]:
                    raise FormatError(f"{part.text!r} is missing", self.verb.form)
                self.rest.pop(0)
            else:
                self._slot(part.text)

    def _fits(self, parts: Sequence[Part]) -> bool:
        first = parts[0]
        if first.kind == "literal":
            return self.rest[0] == first.text
        return first.text not in ("PIECE", "PIECES") or self.names.names_a_counter(self.rest)

    def _group(self, parts: Sequence[Part]) -> None:
        """A group in brackets: words alone, or words and a number, become a label."""
        literals = [part.text for part in parts if part.kind == "literal"]
        slots = [part.text for part in parts if part.kind == "slot"]
        if slots not in ([], ["NUMBER"]):
            self._parts(parts)
            return
        for text in literals:
            if self.rest[:1] != [text]:
                raise FormatError(f"{text!r} is missing", self.verb.form)
            self.rest.pop(0)
        label = " ".join(literals)
        if slots:
            if not self.rest or not re.fullmatch(_NUMBER, self.rest[0]):
                raise FormatError(f"a number is missing after {label!r}", self.verb.form)
            amount = self.rest.pop(0)
            if label == "battle":
                self.found = evolve(self.found, battle=int(float(amount)))
                return
            label = f"{label} {amount}"
        self.found = evolve(self.found, words=(*self.found.words, label))

    def _slot(self, slot: str) -> None:
        if not self.rest and slot != "PHASE":
            raise FormatError(f"{slot.lower()} is missing", self.verb.form)
        if slot in ("PIECE", "PIECES"):
            with self.names.only(self.verb.kinds):
                pieces = self.names.pieces(self.rest)
            if slot == "PIECE" and len(pieces) > 1:
                raise FormatError("only one piece can do this at a time", self.verb.form)
            for name in pieces:
                if pieces.count(name) > 1 and not self.verb.each:
                    raise FormatError(f"{name} is named twice", "each counter once")
                kind = self.names.game.counters[name].kind
                if not self.names.can(kind, self.verb):
                    raise FormatError(
                        f"{name} cannot {self.verb.name}", f"{' or '.join(self.verb.kinds)} only"
                    )
            self.found = evolve(self.found, pieces=pieces)
        elif slot == "PATH":
            self._path(self.rest.pop(0))
        elif slot == "HEX":
            self.found = evolve(self.found, target=self.names.target(self.rest))
        elif slot == "PHASE":
            clock = self.names.clock(self.rest, self.names.now)
            self.found, self.rest = evolve(self.found, clock=clock), []
        elif slot in ("DIE", "DICE"):
            dice: list[int] = []
            while self.rest and re.fullmatch(r"\d{1,9}", self.rest[0]) and (slot == "DICE" or not dice):
                dice.append(int(self.rest.pop(0)))
            if not dice:
                raise FormatError(f"{self.rest[0]!r} is not a die roll", self.verb.form)
            self.found = evolve(self.found, dice=tuple(dice))
        else:
            if slot == "NUMBER" and not re.fullmatch(_WHOLE, self.rest[0]):
                raise FormatError(f"{self.rest[0]!r} is not a whole number", self.verb.form)
            if slot == "NUMBER" and self.verb.name in self.names.of_steps and int(self.rest[0]) < 1:
                raise FormatError(f"{self.rest[0]} is not a number of steps", "1 or more")
            if slot == "WORD":
                choice = next(self.choices, "SIDE")
                word = chosen_word(self.names.game, choice, whole_word(self.names.game, choice, self.rest))
            elif slot == "BOX":
                word = take_box(self.names.game, self.rest, self.found.pieces)
            else:
                word = self.rest.pop(0)
            self.found = evolve(self.found, words=(*self.found.words, word))

    def _path(self, text: str) -> None:
        dragged = ".." in text
        names = [part for part in text.split("..") if part] if dragged else text.split("-")
        if dragged and any("-" in name and name not in self.names.game.map.grid for name in names):
            raise FormatError(
                f"{text!r} mixes a drag and a path",
                "either B1..B3 (a drag, its path unknown) or B1-B2-B3 (hex by hex)",
            )
        if names and text.startswith(".."):
            path = ("", *(self.names.hex(name) for name in names))
            self.found = evolve(self.found, path=path, dragged=True)
            return
        if len(names) < 2:
            raise FormatError(f"{text!r} is not a path", "at least two hexes, as in B1-B2")
        path = tuple(self.names.hex(name) for name in names)
        if not dragged:
            for here, there in pairwise(path):
                if not self.names.game.map.grid.are_neighbours(here, there):
                    raise FormatError(f"{here} and {there} are not adjacent", f"{here}..{there} for a drag")
        self.found = evolve(self.found, path=path, dragged=dragged)


def _written(names: Names, parts: Sequence[Part], action: Action) -> str:
    """Write the parts of a form that an action fills."""
    return _filled(names, parts, action, _unlabelled(parts, action))


def _unlabelled(parts: Sequence[Part], action: Action) -> list[str]:
    """The words of an action that no label of an optional group explains."""
    labels = [_label(part.parts) for part in parts if part.kind == "optional"]
    return [word for word in action.words if not any(label and _is_labelled(word, label) for label in labels)]


def _label(parts: Sequence[Part]) -> tuple[str, bool] | None:
    """The label of a group and whether a number goes with it, None for other groups."""
    slots = [part.text for part in parts if part.kind == "slot"]
    if slots not in ([], ["NUMBER"]):
        return None
    return " ".join(part.text for part in parts if part.kind == "literal"), bool(slots)


def _is_labelled(word: str, label: tuple[str, bool]) -> bool:
    text, numbered = label
    return word.startswith(f"{text} ") if numbered else word == text


def _filled(names: Names, parts: Sequence[Part], action: Action, free: list[str]) -> str:
    words: list[str] = []
    for part in parts:
        if part.kind == "literal":
            words.append(part.text)
        elif part.kind == "optional":
            words.append(_group_written(names, part.parts, action, free))
        else:
            words.append(_slot_written(names, part.text, action, free))
    return " ".join(filter(None, words))


def _group_written(names: Names, parts: Sequence[Part], action: Action, free: list[str]) -> str:
    label = _label(parts)
    if label is None:
        slots = [part.text for part in parts if part.kind == "slot"]
        filled = all(_slot_written(names, slot, action, list(free)) for slot in slots)
        return _filled(names, parts, action, free) if filled else ""
    if label == ("battle", True):
        return f"battle {action.battle}" if action.battle else ""
    return next((word for word in action.words if _is_labelled(word, label)), "")


def _slot_written(names: Names, slot: str, action: Action, free: list[str]) -> str:
    if slot in ("PIECE", "PIECES"):
        return " ".join(action.pieces)
    if slot == "PATH":
        return (".." if action.dragged else "-").join(action.path)
    if slot == "HEX":
        return action.target
    if slot in ("DIE", "DICE"):
        return " ".join(map(str, action.dice))
    if slot == "PHASE":
        return names.calendar.say(action.clock) if action.clock else ""
    return free.pop(0) if free else ""
