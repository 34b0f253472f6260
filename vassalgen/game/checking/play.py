"""Checks of game.toml: sides, kinds, states, stacking, sequence of play, dice, declarations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vassalgen.game.counters import TURN_ENDS, WORTH, StackingLimit
from vassalgen.game.game import Game, unknown
from vassalgen.problems import Problem


def play_problems(game: Game) -> Iterator[Problem]:
    """Find inconsistencies in game.toml."""
    if not game.sides:
        yield game.problem("game", "names no sides", "add a table [sides] with both")
    yield from _belonging(game)
    yield from _kinds(game)
    yield from _states(game)
    yield from stacking_problems(game, game.stacking, "stacking")
    yield from _sequence(game)
    yield from turn_problems(game, [turn.number for turn in game.turns], "turn")
    yield from _dice(game)
    yield from _declarations(game)


def _belonging(game: Game) -> Iterator[Problem]:
    for nation in game.nations.values():
        if nation.side:
            yield from known(game, f"nation/{nation.id}/side", nation.side, "side", game.sides)
        yield from known(game, f"nation/{nation.id}/counts_as", nation.counts_as, "nation", game.nations)
    for formation in game.formations.values():
        yield from known(game, f"formation/{formation.id}/side", formation.side, "side", game.sides)
        if formation.part_of:
            thing = f"formation/{formation.id}/part_of"
            yield from known(game, thing, formation.part_of, "formation", game.formations)


def _kinds(game: Game) -> Iterator[Problem]:
    for kind in game.kinds.values():
        for factor in (*kind.factors, *([kind.roster] if kind.roster else [])):
            key = "roster" if factor == kind.roster else "factors"
            yield from known(game, f"kind/{kind.id}/{key}", factor, "factor", game.factors)
        if kind.counts_in:
            yield from known(game, f"kind/{kind.id}/counts_in", kind.counts_in, "state", game.states)
    for name in game.factors:
        if name in game.columns:
            yield game.problem(f"column/{name}", f"{name!r} is a factor too", "rename one of them")


def _states(game: Game) -> Iterator[Problem]:
    for state in game.states.values():
        for kind in state.kinds:
            yield from known(game, f"state/{state.id}/kinds", kind, "kind of counter", game.kinds)
        if isinstance(state.levels, str):
            numbers = {**game.factors, **game.columns}
            yield from known(game, f"state/{state.id}/levels", state.levels, "factor or column", numbers)
        elif state.levels < 1:
            yield game.problem(f"state/{state.id}/levels", f"is {state.levels}", "expected 1 or more")
        if state.ends and state.ends != TURN_ENDS:
            phases = {phase.id: phase for phase in game.sequence.phases}
            yield from known(game, f"state/{state.id}/ends", state.ends, "phase", phases)
        if state.unless:
            others = (one for one in game.states.values() if one.id != state.id and not one.is_count)
            flags = {one.id: one for one in others if set(one.kinds) >= set(state.kinds)}
            what = f"other state of {' and '.join(state.kinds)}"
            yield from known(game, f"state/{state.id}/unless", state.unless, what, flags)
        for factor, value in state.counts.items():
            thing = f"state/{state.id}/counts"
            yield from known(game, thing, factor, "factor", game.factors)
            if value not in WORTH and not value.isdecimal():
                yield game.problem(
                    f"{thing}/{factor}", f"is {value!r}", f"expected a number, {', '.join(WORTH)}"
                )
        if state.marker:
            markers = {name: c for name, c in game.counters.items() if _is_marker(game, c.kind)}
            yield from known(game, f"state/{state.id}/marker", state.marker, "marker", markers)


def _is_marker(game: Game, kind: str) -> bool:
    return kind in game.kinds and game.kinds[kind].marker


def stacking_problems(game: Game, limits: tuple[StackingLimit, ...], thing: str) -> Iterator[Problem]:
    """Find inconsistencies in the stacking limits of the game or of a scenario."""
    for number, limit in enumerate(limits):
        for key, kinds in (("kinds", limit.kinds), ("not_with", limit.not_with)):
            for kind in kinds:
                yield from known(game, f"{thing}/{number}/{key}", kind, "kind of counter", game.kinds)
        if limit.side:
            yield from known(game, f"{thing}/{number}/side", limit.side, "side", game.sides)
        if limit.one_free:
            flags = {name: column for name, column in game.columns.items() if column.type == "flag"}
            yield from known(game, f"{thing}/{number}/one_free", limit.one_free, "flag among columns", flags)
        counted = [one for one in game.counters.values() if one.kind in limit.kinds]
        if counted and not limit.not_with and not any(one.stack for one in counted):
            wrong = f"counts {' and '.join(limit.kinds)}, whose weight (stack in counters.csv) is 0"
            right = (
                "leave the limit out, give them a weight, or count units in [stacking.limits] of rules.toml"
            )
            yield game.problem(f"{thing}/{number}/kinds", wrong, right)
        if limit.limit < 1:
            yield game.problem(f"{thing}/{number}/limit", f"is {limit.limit}", "expected 1 or more")


def _sequence(game: Game) -> Iterator[Problem]:
    sequence = game.sequence
    for side in sequence.order:
        yield from known(game, "sequence/order", side, "side", game.sides)
    for side in game.sides:
        times = sequence.order.count(side)
        if times != 1:
            yield game.problem("sequence/order", f"names {side} {times} times", "name each side once")
    if not sequence.phases:
        yield game.problem("sequence", "has no phases", "add [[sequence.player_turn]] and others")
    seen = set()
    for phase in sequence.phases:
        if phase.id in seen:
            part = next(
                part
                for part in ("closing", "player_turn", "opening")
                if f"phase/{part}/{phase.id}" in game.origins
            )
            yield game.problem(
                f"phase/{part}/{phase.id}/id", f"{phase.id!r} appears twice", "give it an id of its own"
            )
        seen.add(phase.id)


def turn_problems(game: Game, numbers: list[int], thing: str) -> Iterator[Problem]:
    """Find gaps in a turn track."""
    for place, number in enumerate(numbers, 1):
        if number != place:
            yield game.problem(
                f"{thing}/{number}",
                f"turn {number} is where {place} should be",
                "number them 1, 2, 3 and so on",
            )
            return


def _dice(game: Game) -> Iterator[Problem]:
    for dice in game.dice.values():
        for key, number in (("count", dice.count), ("sides", dice.sides)):
            if number < 1:
                yield game.problem(f"dice/{dice.id}/{key}", f"is {number}", "expected 1 or more")
        for face in dice.yes:
            if not dice.count <= face <= dice.count * dice.sides:
                right = f"expected {dice.count} to {dice.count * dice.sides}"
                yield game.problem(f"dice/{dice.id}/yes", f"{face} cannot be rolled", right)
        for key, factor in (("against", dice.against), ("adds", dice.adds)):
            if factor:
                yield from known(game, f"dice/{dice.id}/{key}", factor, "factor", game.factors)


def _declarations(game: Game) -> Iterator[Problem]:
    for said in game.declarations.values():
        thing = f"declaration/{said.id}"
        for kind in said.kinds:
            yield from known(game, f"{thing}/kinds", kind, "kind of counter", game.kinds)
        if said.dice:
            yield from known(game, f"{thing}/dice", said.dice, "dice", game.dice)
        for key, state in (("state", said.state), ("clears", said.clears)):
            if state:
                yield from known(game, f"{thing}/{key}", state, "state", game.states)
        for key, boxes in (("to", said.to), ("out_of", said.out_of)):
            for box in boxes:
                yield from known(game, f"{thing}/{key}", box, "box", game.map.boxes)
        for phase in said.phases:
            phases = {one.id: one for one in game.sequence.phases}
            yield from known(game, f"{thing}/phases", phase, "phase", phases)
        tracks = (game.turns, *(scenario.turns for scenario in game.scenarios.values()))
        turns = {str(turn.number): turn for track in tracks for turn in track}
        for number in said.turns:
            yield from known(game, f"{thing}/turns", str(number), "turn", turns)
        for side in said.sides:
            yield from known(game, f"{thing}/sides", side, "side", game.sides)
        for name in said.counters:
            yield from known(game, f"{thing}/counters", name, "counter", game.counters)
        if said.fetches:
            columns = {name: one for name, one in game.columns.items() if one.type == "counter"}
            fetched = {**game.kinds, **columns}
            yield from known(game, f"{thing}/fetches", said.fetches, "kind or column of counters", fetched)
        if said.secret and (said.kinds or said.about != "battle" or not said.points):
            wrong = "is secret, but not each side's own choice of points for a battle"
            yield game.problem(thing, wrong, 'give it about = "battle", points, and no kinds')


def known(
    game: Game, thing: str, name: str, what: str, among: Mapping[str, object] | tuple[str, ...]
) -> Iterator[Problem]:
    """Find a name that is not one of the valid ones. A missing name has been reported already."""
    if name and name not in among:
        yield game.problem(thing, f"there is no {what} {name!r}", unknown(name, among))
