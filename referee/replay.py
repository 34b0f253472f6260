"""``referee replay``: what happened in a log, step by step."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

import click

from referee.table import EMPTY_MODULE, Log, ModulePlan, Replay, read_log, read_module
from referee.table.continuity import Joint, difference_lines, differences
from referee.table.events import Event, Step
from referee.table.step_text import layout, lines_of, said
from referee.table.viewer_filter import ViewerFilter
from vassalgen.commandline import UNREADABLE, Visible, limit_option, show_failure, visible
from vassalgen.problems import BadInput, Problem
from vassalgen.vassal.limits import Limits

FILE = click.Path(path_type=Path)  # what is not a file is reported in one line when it is read
Rename: TypeAlias = Callable[[Step], Step]
LONG = 200
"""The number of steps from which a progress bar is shown at a terminal."""


@click.command()
@click.argument("logs", nargs=-1, required=True, type=FILE, metavar="LOG...")
@click.option("--module", type=FILE, metavar="FILE", help="The module, for the names of places and turns.")
@click.option(
    "--map",
    "module_map",
    type=click.Path(exists=True, path_type=Path),
    metavar="FILE|DIR",
    help="Show names of the game, by the map of a module made elsewhere; see referee map.",
)
@click.option(
    "--step", type=click.IntRange(min=0), metavar="N", help="Show only this step, and the position after it."
)
@click.option("--as", "viewer", metavar="PLAYER", help="Show the hidden pieces of this player's side.")
@click.option("--reveal", is_flag=True, help="Show all hidden and face-down pieces.")
@click.option(
    "--jsonl", is_flag=True, help="Print JSON Lines: a line for the opening position and one for each step."
)
@click.option(
    "--all", "everything", is_flag=True, help="Also show the internal values of modules and VASSAL."
)
@click.option("--delta", is_flag=True, help="With --jsonl: list only the pieces that changed.")
@limit_option
@click.pass_context
def replay(
    ctx: click.Context,
    logs: Sequence[Path],
    module: Path | None,
    module_map: Path | None,
    step: int | None,
    viewer: str | None,
    reveal: bool,
    jsonl: bool,
    everything: bool,
    delta: bool,
    limit: Limits,
) -> None:
    """Show what happened in LOG, step by step: moves, rolls, chat, undo.

    Module properties, moved marks and changes without effect are left out, unless nothing else happened in
    the step; --all shows them. Several logs, in order, are one game; changes between the end of one and the
    start of the next are listed. For a saved game, and with --step 0, the position is shown.

    Exit code 0: all steps were replayed; 2: a log cannot be read, or some steps could not be replayed.
    """
    if delta and not jsonl:
        raise click.UsageError("--delta needs --jsonl")
    whole = read_module(module, limit) if module else EMPTY_MODULE
    before: Replay | None = None
    lengths: dict[str, int] = {}
    failed = False
    for path in logs:
        log = read_log(path, limit)
        mapped = _mapped(log, module, module_map, limit) if module_map else None
        plan = mapped[0] if mapped else _fitting(log, whole, module)
        game = Replay(log, plan, viewer)
        rename = mapped[1](game) if mapped else _as_is
        _warn(path, game, viewer)
        lengths[str(path)] = log.length
        viewer_filter = ViewerFilter(game.table, reveal=reveal)
        joint = _joint(before, game, viewer_filter)
        if jsonl:
            lines = _json_lines(game, viewer_filter, step, joint, delta=delta)
        else:
            lines = _words(game, viewer_filter, step, joint, rename, everything=everything)
        for line in lines:
            click.echo(line)
        for number, failure in game.failures:
            failed = True
            show_failure(ctx, failure, f"{path}, step {number}")
        before = game
    if step is not None and all(step > length for length in lengths.values()):
        wrong = f"there is no step {step}"
        raise BadInput(
            Problem(path, "", wrong, f"the log has {length} steps") for path, length in lengths.items()
        )
    ctx.exit(UNREADABLE if failed else 0)


def _as_is(step: Step) -> Step:
    return step


def _mapped(
    log: Log, module: Path | None, module_map: Path, limit: Limits
) -> tuple[ModulePlan, Callable[[Replay], Rename]] | None:
    """The module of a log, and the conversion of its names to those of the game; None if a folder has no map
    of it.
    """
    from referee.mapping.renaming import open_renaming  # noqa: PLC0415 - a replay without a map is quicker for it

    found = open_renaming(log, module, module_map, limit)
    if found is None:
        return None
    for remark in found.remarks:
        click.echo(remark, err=True)
    return found.module, found.of


def _fitting(log: Log, whole: ModulePlan, module: Path | None) -> ModulePlan:
    """The parts of a module that fit a log; the others are reported on stderr."""
    if module is None:
        return whole
    from referee.module_fit import fit_module  # noqa: PLC0415 - a replay without a module does without it

    fitted = fit_module((log,), whole, str(module))
    for remark in fitted.remarks:
        click.echo(remark, err=True)
    return fitted.module


def _warn(path: Path, game: Replay, viewer: str | None) -> None:
    """Warn on stderr of a player who is not in the log."""
    log = game.log
    if viewer is not None and viewer not in log.players():
        players = ", ".join(sorted(log.players())) or "none"
        click.echo(f"{path}: no player {viewer!r} in this log; its players: {players}", err=True)


def _joint(before: Replay | None, game: Replay, viewer_filter: ViewerFilter) -> Joint | None:
    if before is None:
        return None
    differing = viewer_filter.open_differences(differences(before.table, game.table))
    return Joint(before.log.name, game.log.name, tuple(differing))


def _words(
    game: Replay,
    viewer_filter: ViewerFilter,
    only: int | None,
    joint: Joint | None,
    rename: Rename,
    *,
    everything: bool,
) -> Iterator[str]:
    yield from _heading(game, viewer_filter)
    if joint is not None:
        if not joint.differences:
            yield f"It begins as {joint.earlier} ended."
        else:
            yield f"It does not begin as {joint.earlier} ended; between the two changed:"
            yield from (f"  {line}" for line in difference_lines(joint.differences))
    yield from (f"  {event}" for event in game.opening.events)
    if only == 0 or not game.log.length:
        yield from layout(game.table)
    for played in _steps(game, only):
        step = rename(viewer_filter.shown(played))
        if only is None or step.number == only:
            yield from lines_of(step, everything=everything or step.number == only)
        if step.number == only:
            yield from layout(game.table)


def _heading(game: Replay, viewer_filter: ViewerFilter) -> Iterator[str]:
    players = ", ".join(f"{player.name} ({player.side})" for player in game.table.players)
    count = sum(viewer_filter.hides(piece) != "hidden" for piece in game.table.pieces())
    steps = f"{game.log.length} steps" if game.log.length else "a position, no steps"
    yield f"{game.log.name}: {steps}, {count} pieces; {players or 'no players'}"
    if game.log.comments:
        yield f"  “{game.log.comments}”"


def _steps(game: Replay, last: int | None) -> Iterator[Step]:
    """The steps, up to one if only that is requested; with a progress bar if nothing else is printed."""
    count = game.log.length if last is None else min(last, game.log.length)
    steps = game.steps()
    if count < LONG or not sys.stderr.isatty() or (last is None and sys.stdout.isatty()):
        yield from (next(steps) for _ in range(count))
        return
    plain = sys.stderr.plain if isinstance(sys.stderr, Visible) else sys.stderr
    with click.progressbar(length=count, label=visible(game.log.name), file=plain) as bar:
        for _ in range(count):
            yield next(steps)
            bar.update(1)


def _json_lines(
    game: Replay, viewer_filter: ViewerFilter, only: int | None, joint: Joint | None, *, delta: bool
) -> Iterator[str]:
    from referee.table.snapshot import Watch, globals_of, turns_of  # noqa: PLC0415 - words do without it

    watch = Watch(game.table, viewer_filter)
    for played in chain([game.opening], _steps(game, only)):
        step = viewer_filter.shown(played)
        if only is not None and step.number != only:
            continue
        head: dict[str, Any] = {"event": "step" if step.number else "load", "step": step.number}
        if not step.number:
            head["log"] = game.log.name
            head["steps"] = game.log.length
            if joint is not None:
                head["joint"] = [str(difference) for difference in joint.differences]
        head["player"], head["side"] = step.player, step.side
        head["events"] = [_event(event) for event in step.events]
        head["chat"] = list(step.chat)
        changed, gone = watch.look()
        if delta:
            head["pieceCount"] = len(watch.texts)
            head["removed"] = gone
        tail = {
            "turns": turns_of(game.table),
            "globals": globals_of(game.table),
            "players": [{"name": one.name, "side": one.side} for one in game.table.players],
        }
        pieces = [watch.texts[thing_id] for thing_id in changed] if delta else watch.in_order()
        name = "changed" if delta else "pieces"
        yield f'{_json(head)[:-1]}, "{name}": [{", ".join(pieces)}], {_json(tail)[1:]}'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _event(event: Event) -> dict[str, Any]:
    import attrs  # noqa: PLC0415 - words do without it

    return {"type": type(event).__name__, "text": said(event), **attrs.asdict(event)}
