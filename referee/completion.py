"""Shell completion of the arguments of ``referee``: clauses, open questions, hexes, units."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vassalgen.game.finding import open_game
from vassalgen.game.game import Game
from vassalgen.problems import BadInput

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def complete_clauses(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the id of a clause, with its title."""
    game = _game(ctx)
    return _items([(one.id, one.title) for one in game.clauses.values()] if game else [], incomplete)


def complete_rulings(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the id of an open question."""
    game = _game(ctx)
    return _items([(one.id, one.question) for one in game.rulings.values()] if game else [], incomplete)


def complete_choices(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete an open question and an interpretation of it, ``QUESTION=INTERPRETATION``."""
    game = _game(ctx)
    choices = [
        (f"{ruling.id}={reading.id}", reading.text)
        for ruling in (game.rulings.values() if game else ())
        for reading in ruling.readings.values()
    ]
    return _items(choices, incomplete)


def complete_scenarios(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the id of a scenario, with its title."""
    game = _game(ctx)
    return _items([(one.id, one.title) for one in game.scenarios.values()] if game else [], incomplete)


def complete_hexes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete a hex number, or the name of a place."""
    game = _game(ctx)
    if game is None:
        return []
    places = [(place.name, place.hex) for place in game.map.places.values()]
    return _items([*places, *((name, "") for name in game.map.grid.names)], incomplete)


def complete_counters(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the id of a counter, with its name; if several are separated by commas, the last."""
    game = _game(ctx)
    before, comma, last = incomplete.rpartition(",")
    if game is None:
        return []
    units = [one for one in game.counters.values() if not game.kinds[one.kind].marker]
    return _items([(before + comma + one.id, one.name) for one in units], before + comma + last)


def _items(found: Iterable[tuple[str, str]], incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem  # noqa: PLC0415 - for completion only

    begun = incomplete.lower()
    return [CompletionItem(value, help=line) for value, line in found if value.lower().startswith(begun)]


def _game(ctx: click.Context) -> Game | None:
    """The game named by the preceding words, or of a log or saved game among them; None if
    there is neither.
    """
    try:
        spec = ctx.params.get("game") or _played(ctx)
        return open_game(spec, ctx.params.get("data") or ()) if spec else None
    except (BadInput, OSError):
        return None


def _played(ctx: click.Context) -> str:
    """The game of the first log or save that was named."""
    from referee.scenarios import game_of  # noqa: PLC0415 - slow, and for completion only
    from referee.table import read_log  # noqa: PLC0415

    named = ctx.params.get("save") or ctx.params.get("log") or ctx.params.get("logs")
    paths = [named] if isinstance(named, Path) else [*(named or ()), *ctx.args]  # of an unfinished command
    return game_of(Path(paths[0]), read_log(Path(paths[0]))) if paths else ""
