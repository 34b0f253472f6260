"""``referee replay``: what happened in a log, step by step."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from referee.table import EMPTY_MODULE, Replay, read_log, read_module
from referee.table import snapshot as snapshots
from referee.table.continuity import Joint, differences
from referee.table.events import Event, Step, Undone
from referee.table.speech import spoken
from vassalgen.commandline import limit_option
from vassalgen.vassal.limits import Limits

FILE = click.Path(path_type=Path)  # what is no file, reading it tells in one line


@click.command()
@click.argument("logs", nargs=-1, required=True, type=FILE, metavar="LOG...")
@click.option("--module", type=FILE, help="The module, for the names of places, turns and properties.")
@click.option("--step", type=click.IntRange(min=0), help="Tell this step only, and what then lies where.")
@click.option("--as", "viewer", metavar="PLAYER", help="See concealed pieces as this player does.")
@click.option("--jsonl", is_flag=True, help="One line of JSON for the load and for each step.")
@click.option("--delta", is_flag=True, help="With --jsonl: only the pieces that changed.")
@limit_option
def replay(
    logs: Sequence[Path],
    module: Path | None,
    step: int | None,
    viewer: str | None,
    jsonl: bool,
    delta: bool,
    limit: Limits,
) -> None:
    """Tell what happened in LOG, step by step; several logs, in order, are one game.

    Where one log does not begin as the one before it ended, everything that changed between them is named.
    """
    if delta and not jsonl:
        raise click.UsageError("--delta goes with --jsonl")
    plan = read_module(module, limit) if module else EMPTY_MODULE
    before: Replay | None = None
    for path in logs:
        game = Replay(read_log(path, limit), plan, viewer)
        joint = _joint(before, game)
        lines = _json_lines(game, step, joint, delta=delta) if jsonl else _words(game, step, joint)
        for line in lines:
            click.echo(line)
        before = game


def _joint(before: Replay | None, game: Replay) -> Joint | None:
    if before is None:
        return None
    return Joint(before.log.name, game.log.name, differences(before.table, game.table))


def _words(game: Replay, only: int | None, joint: Joint | None) -> Iterator[str]:
    yield _heading(game)
    if joint is not None:
        if not joint.differences:
            yield f"It begins as {joint.earlier} ended."
        else:
            yield f"It does not begin as {joint.earlier} ended; between the two changed:"
            yield from (f"  {difference}" for difference in joint.differences)
    yield from (f"  {event}" for event in game.opening.events)
    if only == 0:
        yield from _lying(game)
    for step in game.steps():
        if only is None or step.number == only:
            yield from _told(step)
        if step.number == only:
            yield from _lying(game)


def _heading(game: Replay) -> str:
    players = ", ".join(f"{player.name} ({player.side})" for player in game.table.players) or "no players"
    pieces = sum(1 for _ in game.table.pieces())
    comments = f" \N{EN DASH} {game.log.comments}" if game.log.comments else ""
    return f"{game.log.name}{comments}: {players}; {pieces} pieces, {game.log.length} steps"


def _told(step: Step) -> Iterator[str]:
    who = f" {step.player}" if step.player else ""
    told = [line for event in step.events for line in _lines(event)] or ["nothing that shows"]
    yield f"{step.number}{who}: {told[0]}"
    yield from (f"    {line}" for line in told[1:])


def _lines(event: Event) -> Iterator[str]:
    yield spoken(event)
    if isinstance(event, Undone):
        yield from (f"  {spoken(inner)}" for inner in event.events)


def _lying(game: Replay) -> Iterator[str]:
    yield "Now lie there, from the bottom of each stack:"
    table = game.table
    for stack in table.stacks():
        names = ", ".join(table.sight.name(member) or "?" for member in stack.members)
        yield f"  {table.spot(stack)}: {names or 'nothing'}"
    for piece in table.pieces():
        if piece.parent is None:
            yield f"  {table.spot(piece)}: {table.sight.name(piece) or '?'}"


def _json_lines(game: Replay, only: int | None, joint: Joint | None, *, delta: bool) -> Iterator[str]:
    shown: dict[str, dict[str, Any]] = {}
    for step in (game.opening, *([] if only == 0 else game.steps())):
        if only is not None and step.number != only:
            continue
        line: dict[str, Any] = {"event": "step" if step.number else "load", "step": step.number}
        if not step.number:
            line["log"] = game.log.name
            line["steps"] = game.log.length
            if joint is not None:
                line["joint"] = [str(difference) for difference in joint.differences]
        line["player"], line["side"] = step.player, step.side
        line["events"] = [_event(event) for event in step.events]
        line["chat"] = list(step.chat)
        pieces = list(snapshots.things(game.table))
        if delta:
            now = {piece["id"]: piece for piece in pieces}
            line["pieceCount"] = len(pieces)
            line["changed"] = [piece for piece in pieces if shown.get(piece["id"]) != piece]
            line["removed"] = [piece_id for piece_id in shown if piece_id not in now]
            shown = now
        else:
            line["pieces"] = pieces
        line["turns"] = snapshots.turns_of(game.table)
        line["globals"] = snapshots.globals_of(game.table)
        line["players"] = [{"name": one.name, "side": one.side} for one in game.table.players]
        yield json.dumps(line, ensure_ascii=False)


def _event(event: Event) -> dict[str, Any]:
    import attrs  # noqa: PLC0415 - words alone do without it

    return {"type": type(event).__name__, "text": spoken(event), **attrs.asdict(event)}
