"""The commands that read logs and saves by the rules: audit, record, moves, odds."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import evolve, frozen

from referee.audit import Report, audit
from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.record import Vocabulary, write
from referee.scribe.idiom import Idiom, find_idiom
from referee.table import EMPTY_MODULE, ModulePlan, read_log, read_module
from vassalgen.commandline import FINDINGS, limit_option
from vassalgen.game.finding import MARK, open_game, shipped_games
from vassalgen.game.game import Game, unknown
from vassalgen.problems import BadInput, FormatError, Problem
from vassalgen.vassal.limits import Limits
from vassalgen.vassal.savedgame import read_saved_game

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
NEW = click.Path(dir_okay=False, path_type=Path)


@frozen
class Sources:
    """What a command reads besides its logs: the game with its corrections and rulings, and the module."""

    game: Game
    module: ModulePlan


def source_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say by which game and module its logs are read."""
    options = (
        click.option(
            "--module", type=FILE, help="The module that was played, for the names of places and turns."
        ),
        click.option("--game", metavar="GAME|DIR", help="The game, if the log does not tell."),
        click.option(
            "--data", multiple=True, type=click.Path(path_type=Path), help="A folder of corrections."
        ),
        click.option(
            "--ruling", "rulings", multiple=True, metavar="ID=READING", help="Read a ruling otherwise."
        ),
        limit_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


reveal_option = click.option(
    "--reveal", is_flag=True, help="Tell what is concealed, although the game is not over."
)


def open_sources(
    path: Path,
    module: Path | None,
    game: str | None,
    data: Sequence[Path],
    rulings: Sequence[str],
    limit: Limits,
) -> Sources:
    """Open what is needed to read a log; BadInput if it cannot be."""
    found = open_game(game or _game_of(path, limit), data).with_rulings(_choices(rulings))
    return Sources(found, read_module(module, limit) if module else EMPTY_MODULE)


def _choices(rulings: Sequence[str]) -> dict[str, str]:
    choices = {}
    for text in rulings:
        ruling, sign, reading = text.partition("=")
        if not sign:
            raise click.UsageError(f"--ruling {text}: a ruling and a reading of it, as in halving=down")
        choices[ruling.strip()] = reading.strip()
    return choices


def _game_of(path: Path, limit: Limits) -> str:
    """The shipped game of the module that a log was made with."""
    try:
        saved = read_saved_game(path, limit)
        name = saved.moduledata.name if saved.moduledata else None
    except FormatError as error:
        raise error.within(file=str(path)) from None
    titles = {}
    for game, folder in shipped_games().items():
        with (folder / MARK).open("rb") as file:
            titles[tomllib.load(file).get("title", game)] = game
    if name in titles:
        return titles[name]
    wrong = f"was made with the module {name!r}" if name else "does not say with which module it was made"
    raise BadInput(Problem(str(path), "", wrong, f"--game GAME; {unknown(name or '', tuple(titles))}"))


@click.command(name="audit")
@click.argument("logs", nargs=-1, required=True, type=FILE, metavar="LOG...")
@source_options
@click.option("--json", "json_file", type=NEW, metavar="FILE", help="Write the findings as JSON as well.")
@click.option(
    "--page", "page_file", type=NEW, metavar="FILE", help="Show the game and the findings on a page."
)
@reveal_option
@click.option("--record", "record_file", type=NEW, metavar="FILE", help="Write the game as a record as well.")
@click.pass_context
def audit_logs(
    ctx: click.Context,
    logs: Sequence[Path],
    module: Path | None,
    game: str | None,
    data: Sequence[Path],
    rulings: Sequence[str],
    limit: Limits,
    json_file: Path | None,
    page_file: Path | None,
    reveal: bool,
    record_file: Path | None,
) -> None:
    """Say which moves in LOG broke which rule; several logs, in order, are one game.

    Exit code 0: nothing illegal was found; 1: something was; 2: a log cannot be read.
    """
    report = _report(logs, module, game, data, rulings, limit)
    from referee.report import text  # noqa: PLC0415 - the record does without it
    from referee.report.plain import report_json  # noqa: PLC0415

    told = report_json(report, reveal=reveal, legal=bool(json_file or page_file))
    for line in text.tell(told):
        click.echo(line)
    if json_file:
        write_file(json_file, json.dumps(told, ensure_ascii=False, indent=1) + "\n")
    if page_file:
        from referee.report.page import page  # noqa: PLC0415 - only where it is asked for

        write_file(page_file, page(told, report.world.game))
    if record_file:
        write_file(record_file, write(report.record))
    ctx.exit(FINDINGS if report.count(Grade.illegal) else 0)


@click.command(name="record")
@click.argument("logs", nargs=-1, required=True, type=FILE, metavar="LOG...")
@source_options
@click.option("-o", "--output", type=NEW, metavar="FILE", help="Write the record to a file.")
def record_logs(
    logs: Sequence[Path],
    module: Path | None,
    game: str | None,
    data: Sequence[Path],
    rulings: Sequence[str],
    limit: Limits,
    output: Path | None,
) -> None:
    """Write the game in LOG as a record, which people can read and ``referee judge`` rules on."""
    told = write(_report(logs, module, game, data, rulings, limit).record)
    if output:
        write_file(output, told)
    else:
        click.echo(told, nl=False)


def _report(
    logs: Sequence[Path],
    module: Path | None,
    game: str | None,
    data: Sequence[Path],
    rulings: Sequence[str],
    limit: Limits,
) -> Report:
    sources = open_sources(logs[0], module, game, data, rulings, limit)
    return audit([read_log(path, limit) for path in logs], sources.game, sources.module)


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all."""
    beside = path.with_name(f"{path.name}.new")
    beside.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))
    os.replace(beside, path)  # noqa: PTH105 - replaces on every system


@click.command()
@click.argument("save", type=FILE)
@source_options
@click.option("--unit", required=True, help="The counter, by its id or name.")
def moves(
    save: Path,
    module: Path | None,
    game: str | None,
    data: Sequence[Path],
    rulings: Sequence[str],
    limit: Limits,
    unit: str,
) -> None:
    """Say where a unit may go in the position of SAVE, at what cost, and what stops it elsewhere."""
    position, idiom = _position(save, module, game, data, rulings, limit)
    name = _counter(position.game, unit)
    for line in tell_moves(position, idiom, name):
        click.echo(line)


def tell_moves(position: Position, idiom: Idiom, name: str) -> list[str]:
    """Tell what a unit may do: now, or else in the next phase in which it may do anything."""
    calendar, words = position.world.calendar, Vocabulary(position.world)
    asked = position
    options = position.options(name)
    for _ in calendar.stops:
        if options:
            break
        asked = evolve(asked, clock=calendar.after(asked.clock))
        options = asked.options(name)
    counter = position.pieces[name].counter
    where = position.pieces[name].where or "off the map"
    told = [f"{counter.name} [{name}] in {where}; {calendar.say(position.clock)}"]
    if not options:
        return [*told, "It can do nothing."]
    if asked.clock != position.clock:
        told.append(f"Nothing now; as things stand, in {calendar.say(asked.clock)}:")
    for played in options:
        price = idiom.price(asked, played.ruling.action) if idiom.price else ""
        told.append(f"  {words.say(played.ruling.action)}{f': {price}' if price else ''}")
    told += _refusals(asked, name, {played.position.pieces[name].where for played in options})
    return told


def _refusals(position: Position, name: str, reached: set[str]) -> list[str]:
    """Why the hexes that border on those within reach are not."""
    grid, where = position.game.map.grid, position.pieces[name].where
    verb = next((verb for verb in ("move",) if verb in position.world.rulebook.verbs), "")
    if not verb or where not in grid:
        return []
    border = {near for place in {*reached, where} if place in grid for near in grid.neighbours(place)}
    told = []
    closed = {name for name in border if position.game.terrain[position.game.map.hexes[name].terrain].closed}
    for end in sorted(border - reached - closed - {where}):
        ruling = position.judge(Action(verb, (name,), (where, end), dragged=True))
        if ruling.breaches:
            breach = ruling.breaches[0]
            told.append(f"  not {end}: {breach.says} [{breach.clause}]")
    return told


@click.command()
@click.argument("save", type=FILE)
@source_options
@click.option("--attack", "target", required=True, metavar="HEX", help="The hex that is attacked.")
@click.option("--with", "units", required=True, metavar="UNIT,UNIT", help="The attackers, by id or name.")
def odds(
    save: Path,
    module: Path | None,
    game: str | None,
    data: Sequence[Path],
    rulings: Sequence[str],
    limit: Limits,
    target: str,
    units: str,
) -> None:
    """Say what odds units would have against a hex in the position of SAVE, and how they come about."""
    position, idiom = _position(save, module, game, data, rulings, limit)
    if target not in position.game.map.grid:
        raise BadInput(
            Problem("--attack", target, "no such hex", unknown(target, position.game.map.grid.names))
        )
    names = tuple(_counter(position.game, name.strip()) for name in units.split(","))
    for name in names:
        if position.pieces[name].where not in position.game.map.grid:
            raise BadInput(Problem("--with", name, "is not on the map"))
    if idiom.reckon is None:
        raise BadInput(Problem(position.game.id, "", "its rules reckon no odds"))
    for line in idiom.reckon(position, target, names).lines():
        click.echo(line)
    fighting = evolve(position, clock=_combat(position, names[0], idiom))
    for breach in fighting.judge(Action(idiom.attack, names, target=target)).breaches:
        click.echo(f"{breach.grade.name} {breach.clause}: {breach.says}")


def _combat(position: Position, name: str, idiom: Idiom) -> Any:
    """The next phase in which this unit's side may attack."""
    calendar, clock = position.world.calendar, position.clock
    for _ in calendar.stops:
        asked = evolve(position, clock=clock)
        attacks = [played for played in asked.options(name) if played.ruling.action.verb == idiom.attack]
        if attacks:
            return clock
        clock = calendar.after(clock)
    return position.clock


def _position(
    save: Path,
    module: Path | None,
    game: str | None,
    data: Sequence[Path],
    rulings: Sequence[str],
    limit: Limits,
) -> tuple[Position, Idiom]:
    """The position of a save, or that at the end of a log."""
    report = _report((save,), module, game, data, rulings, limit)
    return report.position, find_idiom(report.world.game.id)


def _counter(game: Game, name: str) -> str:
    """A counter by its id, or by a name that only one has."""
    if name in game.counters:
        return name
    called = [
        counter.id
        for counter in game.counters.values()
        if name.lower() in (counter.name.lower(), counter.label.lower())
    ]
    if len(called) == 1:
        return called[0]
    if called:
        raise BadInput(
            Problem(game.id, name, "several counters are called so", f"one of {', '.join(called)}")
        )
    raise BadInput(Problem(game.id, name, "no such counter", unknown(name, game.counters)))
