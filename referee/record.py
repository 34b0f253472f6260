"""The record of a game: actions as text that a person can read and write.

``parse`` and ``write`` are inverse to each other. The grammar is told in docs/record.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from attrs import evolve, field, frozen

from referee.engine.actions import Action, Verb
from referee.engine.clock import Calendar, Clock, Date
from referee.engine.position import Face, Mark, World
from referee.engine.rules import Rulebook
from referee.engine.rulings import Grade
from referee.forms import Names, read_action, write_action
from referee.games import find_rules
from vassalgen.game.finding import open_game
from vassalgen.game.game import Game, unknown
from vassalgen.problems import BadInput, FormatError, Problem

Verdict: TypeAlias = "frozenset[tuple[Grade, str]]"


@frozen
class At:
    """Set the clock; nothing is judged."""

    moment: Clock


@frozen
class SetUp:
    """Set up the scenario."""


@frozen
class Adopt:
    """Read a question that the rules leave open in a certain way, from here on."""

    ruling: str
    reading: str


@frozen
class Place:
    """Put pieces somewhere, in any states; nothing is judged. ``where`` is None to leave them in place."""

    pieces: tuple[str, ...]
    where: str | None = None
    steps: int | None = None
    states: Mapping[str, Mark] = field(factory=dict, hash=False)
    face: Face = ""


Deed: TypeAlias = "At | SetUp | Adopt | Place | Action"


@frozen
class Statement:
    """One statement: what is done, what ruling is expected of it if any is, and a comment.

    Without a deed it is a comment of its own. ``line`` is where it was read.
    """

    deed: Deed | None = None
    expected: Verdict | None = None
    comment: str = ""
    line: int = field(default=0, eq=False)


@frozen
class Case:
    """Statements that begin with an empty table. ``clauses`` are those it is about."""

    clauses: tuple[str, ...] = ()
    title: str = ""
    statements: tuple[Statement, ...] = ()
    line: int = field(default=0, eq=False)


@frozen
class Record:
    """A record: the game and scenario, what was done (all before the first case), and cases."""

    game: str
    scenario: str
    main: tuple[Statement, ...] = ()
    cases: tuple[Case, ...] = ()
    world: World | None = field(default=None, eq=False, repr=False)


def parse(text: str, file: str = "", data: Sequence[str | Path] = (), known: Sequence[World] = ()) -> Record:
    """Read a record; BadInput with all that is wrong with it, line by line.

    ``data`` are folders of corrections to the game. Games that are open already need not be read again: they
    are taken from ``known``.
    """
    lines = list(_lines(text))
    if not lines:
        raise BadInput(Problem(file, "line 1", "the record is empty", "a line such as 'game NAME'"))
    number, first, _ = lines[0]
    header = re.fullmatch(r"game (\S+)(?: scenario (\S+))?", first)
    while not header and not first and len(lines) > 1:  # comments may come before the header
        lines = lines[1:]
        number, first, _ = lines[0]
        header = re.fullmatch(r"game (\S+)(?: scenario (\S+))?", first)
    if not header:
        right = "'game NAME' or 'game NAME scenario NAME'"
        raise BadInput(Problem(file, f"line {number}", f"the record begins with {first!r}", right))
    try:
        world = _world(header[1], header[2] or "", data, known)
    except BadInput as error:
        problems = [evolve(problem, place=problem.place or f"line {number}") for problem in error.problems]
        raise BadInput(problems) from error
    return _Reader(file, world).read(header[1], lines[1:])


def _world(name: str, scenario: str, data: Sequence[str | Path], known: Sequence[World]) -> World:
    for world in known:
        if world.game.id == name and scenario in ("", world.scenario.id):
            return world
    game = open_game(name, data)
    return find_rules(game.id).world(game, scenario)


def read(path: Path, data: Sequence[str | Path] = ()) -> Record:
    """Read a record from a file; BadInput as for ``parse``."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(Problem(str(path), "", f"is no text in UTF-8 ({error.reason})")) from error
    return parse(text, str(path), data)


def _lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Number, statements and comment of each line that holds anything."""
    for number, line in enumerate(text.splitlines(), 1):
        body, sign, comment = line.partition("#")
        if body.strip() or sign:
            yield number, " ".join(body.split()), comment.strip()


class _Reader:
    """Reads the lines of one record, collecting problems."""

    def __init__(self, file: str, world: World) -> None:
        self.file = file
        self.words = Vocabulary(world)
        self.world = world
        self.problems: list[Problem] = []

    def read(self, game: str, lines: Sequence[tuple[int, str, str]]) -> Record:
        blocks: list[tuple[int, tuple[str, ...], str, list[Statement]]] = [(0, (), "", [])]
        for number, body, comment in lines:
            if body == "case" or body.startswith("case "):
                clauses, title = self._case(number, body)
                blocks.append((number, clauses, title, []))
                if comment:
                    blocks[-1][3].append(Statement(comment=comment, line=number))
            else:
                blocks[-1][3].extend(self._statements(number, body, comment))
        if self.problems:
            raise BadInput(self.problems)
        cases = tuple(Case(clauses, title, tuple(said), line) for line, clauses, title, said in blocks[1:])
        return Record(game, self.world.scenario.id, tuple(blocks[0][3]), cases, self.world)

    def _case(self, number: int, body: str) -> tuple[tuple[str, ...], str]:
        words = body.split()[1:]
        clauses: list[str] = []
        while words and words[0] in self.words.game.clauses:
            clauses.append(words.pop(0))
        if words and not clauses and re.fullmatch(r"\w+\.\w+", words[0]):
            right = unknown(words[0], self.words.game.clauses)
            self.problems.append(Problem(self.file, f"line {number}", f"no clause {words[0]!r}", right))
        return tuple(clauses), " ".join(words)

    def _statements(self, number: int, body: str, comment: str) -> list[Statement]:
        found = []
        for text in filter(None, (part.strip() for part in body.split(";"))):
            try:
                found.append(self.words.statement(text, number))
            except FormatError as error:
                self.problems += error.within(f"line {number}", file=self.file).problems
        if comment:
            found = (
                [*found[:-1], evolve(found[-1], comment=comment)]
                if found
                else [Statement(None, None, comment, number)]
            )
        return found


class Vocabulary:
    """The words of records of one game: how statements are read and written."""

    def __init__(self, world: World) -> None:
        self.game: Game = world.game
        self.calendar: Calendar = world.calendar
        self.rulebook: Rulebook = world.rulebook
        self.verbs: Mapping[str, Verb] = world.rulebook.verbs
        self.names = Names(world)

    def statement(self, text: str, line: int = 0) -> Statement:
        """Read one statement; FormatError says what is wrong and what would be right."""
        deed, *expectations = (part.strip() for part in text.split("!"))
        expected = self._expected(expectations) if expectations else None
        return Statement(self.deed(deed), expected, line=line)

    def _expected(self, texts: Sequence[str]) -> Verdict:
        found = set()
        for text in texts:
            grade, *clauses = text.replace(",", " ").split() or [""]
            if grade not in Grade.__members__:
                raise FormatError(f"no grade {grade!r}", f"one of {', '.join(Grade.__members__)}")
            if grade == Grade.legal.name and (clauses or len(texts) > 1):
                raise FormatError("what is legal breaks no clause", "'! legal' alone")
            if grade != Grade.legal.name and not clauses:
                raise FormatError(
                    f"'! {grade}' names no clause", f"as in '! {grade} {next(iter(self.game.clauses))}'"
                )
            for clause in clauses:
                if clause not in self.game.clauses:
                    raise FormatError(f"no clause {clause!r}", unknown(clause, self.game.clauses))
                found.add((Grade[grade], clause))
        return frozenset(found)

    def deed(self, text: str) -> Deed:
        """Read what is done."""
        words = text.split()
        first = words[0] if words else ""
        if first == "at":
            return At(self.names.moment(words[1:], None))
        if text == "set up":
            return SetUp()
        if first == "adopt":
            return self._adopt(words[1:])
        if first == "place":
            return self._place(words[1:])
        fitting = [verb for verb in self.verbs.values() if f"{text} ".startswith(f"{verb.name} ")]
        if not fitting:
            known = (*self.verbs, "at", "set up", "adopt", "place")
            two = " ".join(words[:2])
            raise FormatError(f"nothing is done by {text!r}", unknown(two if two in known else first, known))
        verb = max(fitting, key=lambda verb: len(verb.name))
        return read_action(self.names, verb, text.removeprefix(verb.name).split())

    def _adopt(self, words: list[str]) -> Adopt:
        if len(words) != 2:
            raise FormatError("a reading is adopted by two words", "adopt RULING READING")
        ruling, reading = words
        if ruling not in self.game.rulings:
            raise FormatError(f"no ruling {ruling!r}", unknown(ruling, self.game.rulings))
        if reading not in self.game.rulings[ruling].readings:
            raise FormatError(
                f"{ruling} has no reading {reading!r}",
                unknown(reading, tuple(self.game.rulings[ruling].readings)),
            )
        judged = self.rulebook.judged_readings(self.game, ruling)
        if reading not in judged:
            why = self.rulebook.why_unjudged(ruling, reading)
            wrong = f"the reading {reading!r} of {ruling} is not judged yet{why}"
            raise FormatError(wrong, f"judged are {', '.join(judged)}")
        return Adopt(ruling, reading)

    def _place(self, words: list[str]) -> Place:
        pieces = self.names.pieces(words)
        where, steps, states = None, None, {}
        face: Face = ""
        while words:
            word = words.pop(0)
            if word == "on":
                where = self.names.hex(words.pop(0) if words else "")
            elif word == "in":
                where = self._known("box", words.pop(0) if words else "", self.game.map.boxes)
            elif word == "off":
                where = ""
            elif word == "steps":
                steps = self._whole(words)
            elif word == "face":
                face = self._face(words.pop(0) if words else "")
            else:
                states[self._known("state", word, self.game.states)] = self._mark(words)
        return Place(pieces, where, steps, states, face)

    def _face(self, word: str) -> Face:
        if word == "up":
            return "up"
        if word == "down":
            return "down"
        raise FormatError(f"a counter lies face {word or 'nothing'}", "'face up' or 'face down'")

    def _mark(self, words: list[str]) -> Mark:
        level, since = 1, None
        if words[:1] == ["level"]:
            level = self._whole(words)
        if words[:1] == ["turn"]:
            turn = self._whole(words)
            sides = {
                adjective.lower(): side
                for side, adjective in zip(self.calendar.order, self.calendar.adjectives, strict=True)
            }
            side = sides[words.pop(0).lower()] if words and words[0].lower() in sides else ""
            since = Date(turn, side)
        return Mark(level, since)

    def _whole(self, words: list[str]) -> int:
        """The number after the next word, taken off the list; that word may have been taken already."""
        if words and not words[0].isdigit():
            words.pop(0)
        if not words or not words[0].isdigit():
            raise FormatError("a number is missing", "as in 'turn 2'")
        return int(words.pop(0))

    def _known(self, what: str, name: str, names: Mapping[str, object]) -> str:
        if name not in names:
            raise FormatError(f"no {what} {name!r}", unknown(name, names))
        return name

    def say(self, deed: Deed) -> str:
        """Write what is done."""
        if isinstance(deed, At):
            return f"at {self.calendar.say(deed.moment)}"
        if isinstance(deed, SetUp):
            return "set up"
        if isinstance(deed, Adopt):
            return f"adopt {deed.ruling} {deed.reading}"
        if isinstance(deed, Place):
            return self._say_place(deed)
        return write_action(self.names, self.verbs[deed.verb], deed)

    def _say_place(self, place: Place) -> str:
        words = ["place", *place.pieces]
        if place.where is not None:
            at_hex = place.where in self.game.map.grid
            words += ["on" if at_hex else "in", place.where] if place.where else ["off"]
        if place.steps is not None:
            words += ["steps", str(place.steps)]
        for state, mark in place.states.items():
            words.append(state)
            words += ["level", str(mark.level)] if mark.level != 1 else []
            words += [self.calendar.say_date(mark.since)] if mark.since else []
        words += ["face", place.face] if place.face else []
        return " ".join(words)

    def say_statement(self, statement: Statement) -> str:
        """Write one statement with its expectation and comment."""
        words = [self.say(statement.deed)] if statement.deed is not None else []
        words += say_verdict(statement.expected, "! ") if statement.expected is not None else []
        words += [f"# {statement.comment}"] if statement.comment or not words else []
        return " ".join(words).rstrip()


def say_verdict(verdict: Verdict, sign: str = "") -> list[str]:
    """Write a verdict: ``legal``, or for each grade from the worst the clauses."""
    if not verdict:
        return [f"{sign}{Grade.legal.name}"]
    grades = sorted({grade for grade, _ in verdict}, reverse=True)
    return [
        f"{sign}{grade.name} {' '.join(sorted(clause for found, clause in verdict if found == grade))}"
        for grade in grades
    ]


def write(record: Record) -> str:
    """Write a record in its canonical form: a statement a line, an empty line before each case."""
    if record.world is None:
        raise ValueError("a record is written in the words of its game: it needs its world")
    vocabulary = Vocabulary(record.world)
    lines = [f"game {record.game} scenario {record.scenario}"]
    lines += [vocabulary.say_statement(statement) for statement in record.main]
    for case in record.cases:
        lines += ["", " ".join(filter(None, ("case", *case.clauses, case.title)))]
        lines += [vocabulary.say_statement(statement) for statement in case.statements]
    return "\n".join(lines) + "\n"
