"""The commands that apply the rules to logs and saves: audit, record, moves, odds."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from itertools import zip_longest
from pathlib import Path
from typing import Any

import click
from attrs import evolve, frozen

from referee.audit import Report, audit
from referee.completion import complete_choices, complete_counters, complete_hexes, complete_scenarios
from referee.disputes import audit_with_notes
from referee.engine.idiom import Idiom
from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.games import find_idiom
from referee.mapping.finding import files_beside, find_map, open_mapped
from referee.mapping.modulemap import game_of_map
from referee.module_fit import Fitted, fit_module, mixed_versions
from referee.notes import NO_NOTES, Notes, file_of_notes, read_notes
from referee.record import write
from referee.report.visibility import Viewer
from referee.report.withheld import withheld_from, without
from referee.scenarios import game_of, named_scenario
from referee.scribe.reading import Unread
from referee.table import EMPTY_MODULE, Log, ModulePlan, read_log, read_module
from vassalgen.commandline import (
    FINDINGS,
    OUTPUT,
    STDOUT,
    UNREADABLE,
    complete_games,
    data_option,
    json_option,
    keep_apart,
    limit_option,
    show_failure,
    write_file,
)
from vassalgen.game.finding import named_in_a_file, open_game
from vassalgen.game.game import Game, unknown
from vassalgen.problems import BadInput, Failure, Problem
from vassalgen.vassal.limits import Limits

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@frozen
class Sources:
    """The input of a command: logs, the game with its corrections and rulings, its scenario, and the module.

    ``scenario`` is empty if none was named; ``remarks`` say which parts of the module do not fit the logs.
    """

    logs: tuple[Log, ...]
    game: Game
    module: ModulePlan
    scenario: str = ""
    remarks: tuple[str, ...] = ()


@frozen
class Choice:
    """The game, scenario, module and notes with which logs are read, from the options of a command."""

    module: Path | None
    game: str | None
    scenario: str
    data: Sequence[Path]
    rulings: Sequence[str]
    limit: Limits
    map: Path | None = None
    notes: Path | None = None

    def open(self, *paths: Path) -> Sources:
        """Read logs and what is needed to judge them, by the game of the first; BadInput if it cannot be."""
        logs = tuple(read_log(path, self.limit) for path in paths)
        mapped = find_map(self.map, logs) if self.map else None
        named = game_of_map(mapped.names) if mapped and not self.game else ""
        known = self.game or named_in_a_file(named or game_of(paths[0], logs[0]))
        found = open_game(known, self.data)
        if self.scenario and self.scenario not in found.scenarios:
            wrong = f"there is no scenario {self.scenario!r}"
            raise BadInput(Problem(found.id, "", wrong, unknown(self.scenario, tuple(found.scenarios))))
        values = named_scenario(logs, found)
        if self.scenario and values and values != self.scenario:
            raise BadInput(
                Problem(str(paths[0]), "", f"the log is of the scenario {values}", "leave out --scenario")
            )
        if mapped:
            plan = open_mapped(mapped.names, self.module, found, logs, self.limit)
            fitted = Fitted(plan, mapped.remarks)
        else:
            fitted = open_module(self.module, logs, self.limit, found.title)
        game = found.with_rulings(_choices(self.rulings))
        remarks = (*mixed_versions(logs), *fitted.remarks)
        return Sources(logs, game, fitted.module, self.scenario, remarks)

    def inputs(self, *paths: Path) -> tuple[Path, ...]:
        """The files that are read for some logs."""
        known = [self.module, self.map, file_of_notes(self.notes, paths)]
        if self.map is not None:
            known += files_beside(self.map)
        folders = [*self.data, *([Path(self.game)] if self.game and Path(self.game).is_dir() else [])]
        known += [path for folder in folders for path in folder.rglob("*")]
        return (*paths, *(one for one in known if one is not None and one.is_file()))

    def notes_on(self, *paths: Path) -> Notes:
        """Read the notes about some logs; BadInput with every line that is not a note."""
        file = file_of_notes(self.notes, paths)
        return read_notes(file) if file is not None else NO_NOTES

    def audit(self, *paths: Path) -> Report:
        """Audit logs that follow each other; BadInput if they cannot be read or contradict a note."""
        notes, sources = self.notes_on(*paths), self.open(*paths)
        if notes.notes:
            report = audit_with_notes(sources.logs, sources.game, notes, sources.module, sources.scenario)
        else:
            report = audit(sources.logs, sources.game, sources.module, sources.scenario)
        remarks = tuple(Unread(0, text) for text in sources.remarks)
        return evolve(report, unread=(*remarks, *report.unread))


def open_module(path: Path | None, logs: Sequence[Log], limit: Limits, title: str = "") -> Fitted:
    """Read the parts of a module that fit some logs, of the game with a title; WrongModule if it is not
    theirs.
    """
    if path is None:
        return Fitted(EMPTY_MODULE)
    return fit_module(logs, read_module(path, limit), str(path), title)


def source_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how logs are read; the command gets them together as its ``choice``."""

    @wraps(command)
    def chosen(
        *args: Any,
        module: Path | None,
        game: str | None,
        scenario: str,
        data: Sequence[Path],
        rulings: Sequence[str],
        limit: Limits,
        module_map: Path | None,
        **others: Any,
    ) -> Any:
        return command(
            *args,
            choice=Choice(
                module=module,
                game=game,
                scenario=scenario,
                data=data,
                rulings=rulings,
                limit=limit,
                map=module_map,
            ),
            **others,
        )

    options = (
        click.option(
            "--module",
            type=FILE,
            metavar="FILE",
            help="The module the log was made with, for the names of boxes and turns.",
        ),
        click.option(
            "--map",
            "module_map",
            type=click.Path(exists=True, path_type=Path),
            metavar="FILE|DIR",
            help="The map of a module made elsewhere (referee map); in a folder, the one for the module.",
        ),
        click.option(
            "--game",
            metavar="GAME|DIR",
            shell_complete=complete_games,
            help="The game by id, title or folder, if the log does not say which.",
        ),
        click.option(
            "--scenario",
            default="",
            metavar="ID",
            shell_complete=complete_scenarios,
            help="The scenario, if the log does not say which.",
        ),
        data_option,
        click.option(
            "--ruling",
            "rulings",
            multiple=True,
            metavar="QUESTION=CHOICE",
            shell_complete=complete_choices,
            help="Choose an interpretation of an open rules question; see referee rulings.",
        ),
        limit_option,
    )
    for option in reversed(options):
        chosen = option(chosen)
    return chosen


def notes_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option for the notes of players and umpire, as part of the command's ``choice``."""

    @wraps(command)
    def chosen(*args: Any, choice: Choice, notes: Path | None, **others: Any) -> Any:
        return command(*args, choice=evolve(choice, notes=notes), **others)

    return click.option(
        "--notes",
        type=click.Path(exists=True, path_type=Path),
        metavar="FILE|DIR",
        help="What players and umpire say about steps, taken as fact; in a folder, NAME.notes for NAME.vlog.",
    )(chosen)


def viewer_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say who will see the output; the command gets them as its ``viewer``."""

    @wraps(command)
    def chosen(*args: Any, reveal: bool, player: str, **others: Any) -> Any:
        return command(*args, viewer=Viewer(player, reveal), **others)

    options = (
        click.option("--reveal", is_flag=True, help="Show hidden units even though the game is unfinished."),
        click.option(
            "--as",
            "player",
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
            raise click.UsageError(
                f"--ruling {text}: expected QUESTION=CHOICE, as in halving=down; see referee rulings"
            )
        choices[ruling.strip()] = reading.strip()
    return choices


@click.command(name="audit")
@click.argument("logs", nargs=-1, required=True, type=FILE, metavar="LOG...")
@source_options
@notes_option
@json_option("the findings")
@click.option(
    "--page",
    "page_file",
    type=OUTPUT,
    metavar="FILE",
    help="Also write a web page with the board, the steps and the findings.",
)
@click.option(
    "--questions",
    "questions_file",
    type=OUTPUT,
    metavar="FILE",
    help="Also write a file of notes with questions about the unproven findings.",
)
@viewer_options
@click.option("--record", "record_file", type=OUTPUT, metavar="FILE", help="Also write the game as a record.")
@click.pass_context
def audit_logs(
    ctx: click.Context,
    logs: Sequence[Path],
    choice: Choice,
    json_file: Path | None,
    page_file: Path | None,
    questions_file: Path | None,
    viewer: Viewer,
    record_file: Path | None,
) -> None:
    """Report which moves in LOG broke which rule.

    Several logs, in order, are one game. A finding is illegal (the log proves it), unproven (the log does not
    settle it) or a slip (bookkeeping only). FILE may be - for standard output, instead of the text report.

    --questions asks what would settle the unproven findings: write the answers into the file, and use it as
    --notes. Findings that the players agreed on are reported as agreed. docs/audit.md explains notes.

    Exit code 0: nothing illegal; 1: something illegal; 2: a log cannot be read or contradicts a note, or an
    action could not be judged.
    """
    outputs = [path for path in (json_file, page_file, questions_file, record_file) if path]
    keep_apart(outputs, choice.inputs(*logs))
    report = choice.audit(*logs)
    from referee.report import text  # noqa: PLC0415 - the record does without it
    from referee.report.as_json import report_json  # noqa: PLC0415

    values = report_json(report, viewer, whole=bool(json_file or page_file))
    if json_file:
        write_file(json_file, json.dumps(values, ensure_ascii=False, indent=1) + "\n")
    if page_file:
        from referee.mapping.art import artwork_of  # noqa: PLC0415 - only where it is asked for
        from referee.report.page import page  # noqa: PLC0415

        artwork = artwork_of(report.module, report.world.game, choice.limit)
        write_file(page_file, page(values, report.world.game, artwork=artwork))
    if questions_file:
        from referee.questions import questions  # noqa: PLC0415 - only where it is asked for

        write_file(questions_file, questions(report, values, choice.notes_on(*logs)))
    if record_file:
        write_file(record_file, write(withheld_from(viewer, report).record))
    if STDOUT not in outputs:
        for line in text.text_report(values):
            click.echo(line)
    ctx.exit(exit_code(ctx, report, values))


def exit_code(ctx: click.Context, report: Report, values: Mapping[str, Any]) -> int:
    """The exit code of an audit; internal errors are reported on stderr."""
    if show_failures(ctx, values, [one.failure for one in report.unjudged]):
        return UNREADABLE
    return FINDINGS if report.count(Grade.illegal) else 0


def show_failures(ctx: click.Context, values: Mapping[str, Any], failures: Sequence[Failure]) -> bool:
    """Report internal errors on stderr, without anything that is hidden."""
    for words, failure in zip_longest(values["unjudged"], failures):
        shown = (failure or Failure(words["error"], "")) if words["error"] else Failure("withheld", "")
        show_failure(ctx, shown, f"{words['log']}, step {words['step']}")
    return bool(values["unjudged"])


@click.command(name="record")
@click.argument("logs", nargs=-1, required=True, type=FILE, metavar="LOG...")
@source_options
@notes_option
@viewer_options
@click.option(
    "-o",
    "--output",
    type=OUTPUT,
    default="-",
    metavar="FILE",
    help="Where to write it. [default: standard output]",
)
def record_logs(
    logs: Sequence[Path],
    choice: Choice,
    viewer: Viewer,
    output: Path,
) -> None:
    """Write the game in LOG as a record: a text that can be read, edited and judged again.

    Several logs, in order, are one game. docs/record.md explains records.

    Exit code 0: the record was written; 2: a log cannot be read.
    """
    keep_apart([output], choice.inputs(*logs))
    write_file(output, write(withheld_from(viewer, choice.audit(*logs)).record))


@click.command()
@click.argument("save", type=FILE)
@source_options
@viewer_options
@click.option(
    "--unit",
    metavar="UNIT,...|HEX",
    shell_complete=complete_counters,
    help="Units by name or id, or a hex for the stack in it. [default: all units]",
)
def moves(
    save: Path,
    choice: Choice,
    viewer: Viewer,
    unit: str | None,
) -> None:
    """List where units may move in the saved game SAVE, at what cost, and what stops them elsewhere.

    Without --unit: everything that can be done in the current phase. For a log, the position at its end is
    used. Hidden units are left out.

    Exit code 0: the list was printed; 2: the save cannot be read, or there is no such unit.
    """
    from referee import moves_and_odds  # noqa: PLC0415 - an audit does without it

    position, _ = _position(choice, viewer, save)
    names = moves_and_odds.counters(position, unit) if unit is not None else moves_and_odds.able(position)
    for name in names:
        for line in moves_and_odds.list_choices(position, name, refusals=unit is not None):
            click.echo(line)
    if not names:
        click.echo(f"No unit can do anything in {position.world.calendar.say(position.clock)}.")


@click.command()
@click.argument("save", type=FILE)
@source_options
@viewer_options
@click.option(
    "--attack",
    "target",
    required=True,
    metavar="HEX",
    shell_complete=complete_hexes,
    help="The hex to attack, by number or by a place in it.",
)
@click.option(
    "--with",
    "units",
    required=True,
    metavar="UNIT,...",
    shell_complete=complete_counters,
    help="The attacking units, by name or id.",
)
def odds(
    save: Path,
    choice: Choice,
    viewer: Viewer,
    target: str,
    units: str,
) -> None:
    """Calculate the odds of an attack in the saved game SAVE, with every modifier and its source.

    For a log, the position at its end is used. Hidden units are left out.

    Exit code 0: the odds were printed; 2: the save cannot be read, or the attack is impossible.
    """
    from referee import moves_and_odds  # noqa: PLC0415 - an audit does without it

    position, idiom = _position(choice, viewer, save)
    for line in moves_and_odds.list_odds(position, idiom, target, moves_and_odds.counters(position, units)):
        click.echo(line)


def _position(choice: Choice, viewer: Viewer, save: Path) -> tuple[Position, Idiom]:
    """The position of a saved game, or at the end of a log, as far as the viewer may know it."""
    sources = choice.open(save)
    for remark in sources.remarks:
        click.echo(remark, err=True)
    report = audit(sources.logs, sources.game, sources.module, sources.scenario)
    withheld = withheld_from(viewer, report)
    hidden = withheld.hidden_at_the_end
    if hidden:
        words = (
            "Hidden units are left out until the game is over; --reveal shows them, --as PLAYER one side's."
        )
        click.echo(words, err=True)
    return without(report.position, hidden), find_idiom(report.world.game)
