"""The commands that read logs and saves by the rules: audit, record, moves, odds."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from itertools import zip_longest
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from referee.audit import Report, audit
from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.record import write
from referee.report.veil import Onlooker
from referee.report.withheld import withheld_from, without
from referee.scenarios import told_scenario
from referee.scribe.idiom import Idiom, find_idiom
from referee.table import EMPTY_MODULE, Log, ModulePlan, read_log, read_module
from vassalgen.commandline import FINDINGS, UNREADABLE, limit_option, show_failure
from vassalgen.game.finding import MARK, open_game, shipped_games
from vassalgen.game.game import Game, unknown
from vassalgen.problems import BadInput, Failure, Problem
from vassalgen.vassal.archives import replace_file
from vassalgen.vassal.limits import Limits

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
NEW = click.Path(dir_okay=False, path_type=Path)


@frozen
class Sources:
    """What a command reads: logs, the game with its corrections and rulings, its scenario, and the module.

    ``scenario`` is empty if nobody named one.
    """

    logs: tuple[Log, ...]
    game: Game
    module: ModulePlan
    scenario: str = ""


@frozen
class Choice:
    """By which game, scenario and module logs are read, as the options of a command say."""

    module: Path | None
    game: str | None
    scenario: str
    data: Sequence[Path]
    rulings: Sequence[str]
    limit: Limits

    def open(self, *paths: Path) -> Sources:
        """Read logs and what is needed to judge them, by the game of the first; BadInput if it cannot be."""
        logs = tuple(read_log(path, self.limit) for path in paths)
        found = open_game(self.game or _game_of(paths[0], logs[0]), self.data)
        if self.scenario and self.scenario not in found.scenarios:
            wrong = f"there is no scenario {self.scenario!r}"
            raise BadInput(Problem(found.id, "", wrong, unknown(self.scenario, tuple(found.scenarios))))
        told = told_scenario(logs, found)
        if self.scenario and told and told != self.scenario:
            raise BadInput(Problem(str(paths[0]), "", f"is of the scenario {told}", "leave out --scenario"))
        module = read_module(self.module, self.limit) if self.module else EMPTY_MODULE
        return Sources(logs, found.with_rulings(_choices(self.rulings)), module, self.scenario)

    def inputs(self, *paths: Path) -> tuple[Path, ...]:
        """The files that are read for some logs."""
        return (*paths, *([self.module] if self.module else []))

    def audit(self, *paths: Path) -> Report:
        """Audit logs that follow each other; BadInput if they cannot be read."""
        sources = self.open(*paths)
        return audit(sources.logs, sources.game, sources.module, sources.scenario)


def source_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say how its logs are read; it takes them together as its ``choice``."""

    @wraps(command)
    def chosen(
        *args: Any,
        module: Path | None,
        game: str | None,
        scenario: str,
        data: Sequence[Path],
        rulings: Sequence[str],
        limit: Limits,
        **others: Any,
    ) -> Any:
        return command(*args, choice=Choice(module, game, scenario, data, rulings, limit), **others)

    options = (
        click.option(
            "--module", type=FILE, help="The module that was played, for the names of places and turns."
        ),
        click.option("--game", metavar="GAME|DIR", help="The game, if the log does not tell."),
        click.option("--scenario", default="", metavar="ID", help="The scenario, if the log does not tell."),
        click.option(
            "--data", multiple=True, type=click.Path(path_type=Path), help="A folder of corrections."
        ),
        click.option(
            "--ruling", "rulings", multiple=True, metavar="ID=READING", help="Read a ruling otherwise."
        ),
        limit_option,
    )
    for option in reversed(options):
        chosen = option(chosen)
    return chosen


def onlooker_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say who looks on; it takes them together as its ``onlooker``."""

    @wraps(command)
    def chosen(*args: Any, reveal: bool, viewer: str, **others: Any) -> Any:
        return command(*args, onlooker=Onlooker(viewer, reveal), **others)

    options = (
        click.option("--reveal", is_flag=True, help="Show hidden units even though the game is unfinished."),
        click.option(
            "--as",
            "viewer",
            default="",
            metavar="PLAYER",
            help="Show the hidden units of this player's side.",
        ),
    )
    for option in reversed(options):
        chosen = option(chosen)
    return chosen


def _choices(rulings: Sequence[str]) -> dict[str, str]:
    choices = {}
    for text in rulings:
        ruling, sign, reading = text.partition("=")
        if not sign:
            raise click.UsageError(f"--ruling {text}: a ruling and a reading of it, as in halving=down")
        choices[ruling.strip()] = reading.strip()
    return choices


def _game_of(path: Path, log: Log) -> str:
    """The shipped game of the module that a log was made with."""
    name = log.module
    titles = {}
    for game, folder in shipped_games().items():
        with (folder / MARK).open("rb") as file:
            titles[tomllib.load(file).get("title", game)] = game
    if name in titles:
        return titles[name]
    wrong = f"was made with the module {name!r}" if name else "does not say with which module it was made"
    raise BadInput(Problem(str(path), "", wrong, f"--game GAME; {unknown(name, tuple(titles))}"))


@click.command(name="audit")
@click.argument("logs", nargs=-1, required=True, type=FILE, metavar="LOG...")
@source_options
@click.option("--json", "json_file", type=NEW, metavar="FILE", help="Write the findings as JSON as well.")
@click.option(
    "--page", "page_file", type=NEW, metavar="FILE", help="Show the game and the findings on a page."
)
@onlooker_options
@click.option("--record", "record_file", type=NEW, metavar="FILE", help="Write the game as a record as well.")
@click.pass_context
def audit_logs(
    ctx: click.Context,
    logs: Sequence[Path],
    choice: Choice,
    json_file: Path | None,
    page_file: Path | None,
    onlooker: Onlooker,
    record_file: Path | None,
) -> None:
    """Say which moves in LOG broke which rule; several logs, in order, are one game.

    Exit code 0: nothing illegal was found; 1: something was; 2: a log cannot be read, or something in it
    could not be judged.
    """
    outputs = [path for path in (json_file, page_file, record_file) if path]
    keep_apart(outputs, choice.inputs(*logs))
    report = choice.audit(*logs)
    from referee.report import text  # noqa: PLC0415 - the record does without it
    from referee.report.plain import report_json  # noqa: PLC0415

    told = report_json(report, onlooker, whole=bool(json_file or page_file))
    if json_file:
        write_file(json_file, json.dumps(told, ensure_ascii=False, indent=1) + "\n")
    if page_file:
        from referee.report.page import page  # noqa: PLC0415 - only where it is asked for

        write_file(page_file, page(told, report.world.game))
    if record_file:
        write_file(record_file, write(withheld_from(onlooker, report).record))
    for line in text.tell(told):
        click.echo(line)
    ctx.exit(exit_code(ctx, report, told))


def exit_code(ctx: click.Context, report: Report, told: Mapping[str, Any]) -> int:
    """The exit code of an audit; what the referee failed at is reported on stderr."""
    if show_failures(ctx, told, [one.failure for one in report.unjudged]):
        return UNREADABLE
    return FINDINGS if report.count(Grade.illegal) else 0


def show_failures(ctx: click.Context, told: Mapping[str, Any], failures: Sequence[Failure]) -> bool:
    """Report on stderr what the referee failed at, as far as it tells nothing that is hidden."""
    for words, failure in zip_longest(told["unjudged"], failures):
        shown = failure or Failure(words["error"], "") if words["error"] else Failure("withheld", "")
        show_failure(ctx, shown, f"{words['log']}, step {words['step']}")
    return bool(told["unjudged"])


@click.command(name="record")
@click.argument("logs", nargs=-1, required=True, type=FILE, metavar="LOG...")
@source_options
@onlooker_options
@click.option("-o", "--output", type=NEW, metavar="FILE", help="Write the record to a file.")
def record_logs(
    logs: Sequence[Path],
    choice: Choice,
    onlooker: Onlooker,
    output: Path | None,
) -> None:
    """Write the game in LOG as a record, which people can read and ``referee judge`` rules on."""
    keep_apart([output] if output else [], choice.inputs(*logs))
    told = write(withheld_from(onlooker, choice.audit(*logs)).record)
    if output:
        write_file(output, told)
    else:
        click.echo(told, nl=False)


def keep_apart(outputs: Sequence[Path], inputs: Sequence[Path]) -> None:
    """Raise BadInput if a file that is to be written is one that is read, or two of them are one."""
    for place, path in enumerate(outputs):
        if any(_is_same(path, other) for other in inputs):
            raise BadInput(Problem(str(path), "", "would overwrite what is read", "another name for it"))
        if any(_is_same(path, other) for other in outputs[:place]):
            raise BadInput(Problem(str(path), "", "is to be written twice", "a name for each"))


def _is_same(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, be it there or not; what keeps nothing may be named twice."""
    if one.exists() and other.exists():
        return one.is_file() and one.samefile(other)
    return one.resolve() == other.resolve()


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; BadInput if it cannot be written."""
    replace_file(path, content if isinstance(content, bytes) else content.encode("utf-8", "replace"))


@click.command()
@click.argument("save", type=FILE)
@source_options
@onlooker_options
@click.option(
    "--unit", metavar="UNIT,UNIT|HEX", help="Counters by id or name, or a hex for its stack; all if none."
)
def moves(
    save: Path,
    choice: Choice,
    onlooker: Onlooker,
    unit: str | None,
) -> None:
    """Say where units may go in the position of SAVE, at what cost, and what stops them elsewhere.

    Without a unit: everything that can be done in the phase at hand. Hidden units are left out.
    """
    from referee import companion  # noqa: PLC0415 - an audit does without it

    position, idiom = _position(choice, onlooker, save)
    names = companion.counters(position, unit) if unit is not None else companion.everybody(position)
    for name in names:
        for line in companion.tell_choices(position, idiom, name, refusals=unit is not None):
            click.echo(line)
    if not names:
        click.echo(f"Nobody can do anything; {position.world.calendar.say(position.clock)}")


@click.command()
@click.argument("save", type=FILE)
@source_options
@onlooker_options
@click.option(
    "--attack", "target", required=True, metavar="HEX", help="The hex that is attacked, or a place in it."
)
@click.option("--with", "units", required=True, metavar="UNIT,UNIT", help="The attackers, by id or name.")
def odds(
    save: Path,
    choice: Choice,
    onlooker: Onlooker,
    target: str,
    units: str,
) -> None:
    """Say what odds units would have against a hex in the position of SAVE, and how they come about.

    Hidden units are left out.
    """
    from referee import companion  # noqa: PLC0415 - an audit does without it

    position, idiom = _position(choice, onlooker, save)
    for line in companion.tell_odds(position, idiom, target, companion.counters(position, units)):
        click.echo(line)


def _position(choice: Choice, onlooker: Onlooker, save: Path) -> tuple[Position, Idiom]:
    """The position of a save, or that at the end of a log, as far as the onlooker may know it."""
    report = choice.audit(save)
    withheld = withheld_from(onlooker, report)
    hidden = withheld.hidden_at_the_end
    if hidden:
        words = "hidden units are left out until the game is over; --reveal shows them, --as PLAYER his own"
        click.echo(words, err=True)
    return without(report.position, hidden), find_idiom(report.world.game.id)
