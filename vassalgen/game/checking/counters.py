"""Checks of counters.csv."""

from __future__ import annotations

from collections.abc import Iterator

from vassalgen.game.checking.play import known
from vassalgen.game.counters import Counter, Kind
from vassalgen.game.game import Game
from vassalgen.problems import Problem


def counter_problems(game: Game) -> Iterator[Problem]:
    """Find inconsistent counters, and counters that no scenario uses."""
    used = {name for scenario in game.scenarios.values() for name in scenario.counters}
    for counter in game.counters.values():
        yield from known(game, f"counter/{counter.id}/kind", counter.kind, "kind of counter", game.kinds)
        yield from _belonging(game, counter)
        yield from _numbers(game, counter)
        yield from _references(game, counter)
        kind = game.kinds.get(counter.kind)
        if kind:
            yield from _of_kind(game, counter, kind)
            if not kind.marker and game.scenarios and counter.id not in used:
                wrong = "exists nowhere: no scenario sets it up or lets it arrive"
                yield game.problem(
                    f"counter/{counter.id}", wrong, "set it up in a hex or box, or let it arrive"
                )


def _belonging(game: Game, counter: Counter) -> Iterator[Problem]:
    thing = f"counter/{counter.id}"
    if counter.side:
        yield from known(game, f"{thing}/side", counter.side, "side", game.sides)
    for key, name, among in (
        ("nation", counter.nation, game.nations),
        ("formation", counter.formation, game.formations),
    ):
        if name:
            yield from known(game, f"{thing}/{key}", name, key, among)
        if name in among and among[name].side in game.sides and among[name].side != counter.side:
            right = f"{among[name].title} is of {among[name].side}"
            yield game.problem(f"{thing}/{key}", f"{name} is not of the side {counter.side!r}", right)


def _numbers(game: Game, counter: Counter) -> Iterator[Problem]:
    for key, number, least in (
        ("stack", counter.stack, 0),
        ("count", counter.count, 1),
        ("pieces", counter.pieces, 1),
    ):
        if number < least:
            yield game.problem(f"counter/{counter.id}/{key}", f"is {number}", f"expected {least} or more")


def _of_kind(game: Game, counter: Counter, kind: Kind) -> Iterator[Problem]:
    thing = f"counter/{counter.id}"
    if not counter.side and not kind.marker:
        yield game.problem(f"{thing}/side", "'side' is missing", f"expected one of {', '.join(game.sides)}")
    if counter.count > 1 and not kind.marker:
        yield game.problem(f"{thing}/count", f"is {counter.count}", "expected 1; only markers have a count")
    for factor in kind.factors:
        if factor not in game.factors:
            continue
        missing = [step for step, face in enumerate(counter.faces, 1) if factor not in face.factors]
        if missing:
            steps = f" on step {', '.join(map(str, missing))}" if counter.steps > 1 else ""
            right = f"give its {game.factors[factor].title}"
            yield game.problem(f"{thing}/{factor}", f"'{factor}' is missing{steps}", right)


def _references(game: Game, counter: Counter) -> Iterator[Problem]:
    for column in game.columns.values():
        name = counter.extra.get(column.id)
        among = {"counter": game.counters, "zone": game.map.zones}.get(column.type)
        if among is not None and isinstance(name, str):
            yield from known(game, f"counter/{counter.id}/{column.id}", name, column.type, among)
