"""A record read from text and written as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

from attrs import evolve

from referee.engine.position import World
from referee.games import find_rules
from referee.record.statements import Case, Record, Statement
from referee.record.vocabulary import Vocabulary
from vassalgen.game.finding import open_game, shipped_games
from vassalgen.game.game import unknown
from vassalgen.game.reading.documents import read_text
from vassalgen.problems import BadInput, FormatError, Problem


def parse(
    text: str,
    file: str = "",
    data: Sequence[str | Path] = (),
    known: Sequence[World] = (),
    *,
    anywhere: bool = False,
    in_part: bool = False,
) -> Record:
    """Read a record; BadInput with all mistakes, line by line.

    ``data`` are folders of corrections to the game. Games that are already open are taken from ``known``. The
    game is an installed one, or a folder beside the record's file; for a trusted record, a folder
    ``anywhere``. ``in_part``: mistakes do not prevent the record from being read, but only the cases in which
    they are; each keeps its own.
    """
    lines = list(_lines(text.removeprefix("\ufeff")))
    if not lines:
        raise BadInput(Problem(file, "line 1", "the record is empty", "a line such as 'game NAME'"))
    while not lines[0][1] and len(lines) > 1:  # comments may come before the header
        lines = lines[1:]
    number, first, _ = lines[0]
    header = re.fullmatch(r"game (\S+)(?: scenario (\S+))?", first)
    if not header:
        right = "it must begin with 'game NAME' or 'game NAME scenario NAME'"
        raise BadInput(Problem(file, f"line {number}", f"the record begins with {first!r}", right))
    try:
        named = _game(header[1], file, anywhere)
        trusted = anywhere or named == header[1]  # the name of an installed game, not a folder of the record
        world = _world(named, header[2] or "", data, known, trusted)
    except BadInput as error:
        raise BadInput(_in_the_header(one, file, number) for one in error.problems) from error
    record = _Reader(file, world).read(header[1], lines[1:])
    if record.problems and not in_part:
        raise BadInput(record.problems)
    return record


def _in_the_header(problem: Problem, file: str, line: int) -> Problem:
    """A problem of the game that a record names: in the record's header if it has no place of its own."""
    if problem.place:
        return problem
    named = f"{problem.file}: " if problem.file not in ("", file) else ""
    return Problem(file, f"line {line}", f"{named}{problem.wrong}", problem.right)


def _game(game: str, file: str, anywhere: bool) -> str:
    """The game that a record names: a name, or a folder relative to the record.

    BadInput if that folder is not beside the record, and may not be opened anywhere.
    """
    try:
        is_folder = bool({"/", "\\"} & set(game)) or (Path(file).parent / game).is_dir()
    except OSError:  # it cannot be the name of a folder
        is_folder = False
    if game in shipped_games() or not is_folder:
        return game
    here = Path(file).resolve().parent
    folder = (here / game).resolve()
    if not (anywhere or folder.is_relative_to(here)):
        wrong = f"the game {game!r} is a folder that is not beside the record"
        raise BadInput(Problem(file, "", wrong, "--any-folder opens it, if you trust the record"))
    return str(folder)


def _world(
    name: str, scenario: str, data: Sequence[str | Path], known: Sequence[World], trusted: bool
) -> World:
    for world in known:
        if world.game.id == name and scenario in ("", world.scenario.id):
            return world
    game = open_game(name, data)
    if scenario and scenario not in game.scenarios:
        raise BadInput(Problem(scenario, "", "there is no such scenario", unknown(scenario, game.scenarios)))
    return find_rules(game, trusted=trusted).world(game, scenario)


def read(
    path: Path,
    data: Sequence[str | Path] = (),
    known: Sequence[World] = (),
    *,
    anywhere: bool = False,
    in_part: bool = False,
) -> Record:
    """Read a record from a file; BadInput as for ``parse``."""
    return parse(read_text(path), str(path), data, known, anywhere=anywhere, in_part=in_part)


def _lines(text: str) -> Iterator[tuple[int, str, str]]:
    """The number, the statements and the comment of each line that is not empty."""
    for number, line in enumerate(StringIO(text, newline=None), 1):
        body, sign, comment = line.partition("#")
        if body.strip() or sign:
            yield number, " ".join(body.split()), comment.strip()


class _Reader:
    """Reads the lines of one record, collecting the problems of each case."""

    def __init__(self, file: str, world: World) -> None:
        self.file = file
        self.words = Vocabulary(world)
        self.world = world
        self.problems: list[Problem] = []

    def read(self, game: str, lines: Sequence[tuple[int, str, str]]) -> Record:
        cases: list[Case] = []
        line, clauses, title, said = 0, (), "", []  # type: int, tuple[str, ...], str, list[Statement]
        for number, body, comment in lines:
            if body.split(" ")[0].lower() == "case":
                cases.append(self._ended(Case(clauses, title, tuple(said), line)))
                self.words.begin()
                line, (clauses, title), said = number, self._case(number, body), []
                if comment:
                    said.append(Statement(comment=comment, line=number))
            else:
                said.extend(self._statements(number, body, comment))
        cases.append(self._ended(Case(clauses, title, tuple(said), line)))
        return Record(
            game=game,
            scenario=self.world.scenario.id,
            main=cases[0].statements,
            unread=cases[0].unread,
            cases=tuple(cases[1:]),
            world=self.world,
            file=self.file,
        )

    def _ended(self, case: Case) -> Case:
        """A case with the problems found in it."""
        problems, self.problems = self.problems, []
        return evolve(case, unread=tuple(problems))

    def _case(self, number: int, body: str) -> tuple[tuple[str, ...], str]:
        words = body.split()[1:]
        clauses: list[str] = []
        while words and words[0] in self.words.game.clauses:
            clauses.append(words.pop(0))
        is_section = bool(words) and any(name.startswith(words[0]) for name in self.words.game.clauses)
        if words and not clauses and not is_section and re.fullmatch(r"\w+\.\w+", words[0]):
            right = unknown(words[0], self.words.game.clauses)
            self.problems.append(Problem(self.file, f"line {number}", f"no clause {words[0]!r}", right))
        return tuple(clauses), " ".join(words)

    def _statements(self, number: int, body: str, comment: str) -> list[Statement]:
        found: list[Statement] = []
        for text in filter(None, (part.strip() for part in body.split(";"))):
            try:
                found.extend(self.words.statements(text, number))
            except FormatError as error:
                self.problems += error.within(f"line {number}", file=self.file).problems
        if comment:
            found = (
                [*found[:-1], evolve(found[-1], comment=comment)]
                if found
                else [Statement(None, None, comment, number)]
            )
        return found


def write(record: Record) -> str:
    """Write a record in its canonical form: one statement to a line, an empty line before each case."""
    if record.world is None:
        raise ValueError("a record is written in the words of its game: it needs its world")
    vocabulary = Vocabulary(record.world)
    lines = [f"game {record.game} scenario {record.scenario}"]
    lines += [vocabulary.say_statement(statement) for statement in record.main]
    for case in record.cases:
        lines += ["", " ".join(filter(None, ("case", *case.clauses, case.title)))]
        lines += [vocabulary.say_statement(statement) for statement in case.statements]
    return "\n".join(lines) + "\n"
