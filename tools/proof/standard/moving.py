"""Breaches in movement: for each limit, a unit moves to where only that limit forbids it to go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.engine.clock import Clock
from referee.engine.position import Piece, Position
from referee.standard.notes import ACTIVE, DONE, TRAIL
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.standard.reading import Reading
from vassalgen.game.counters import StackingLimit
from vassalgen.game.families import ANYBODY, Families, Movement, StackLimit
from vassalgen.game.game import Game
from vassalgen.game.words import likeness

Limits: TypeAlias = "tuple[StackingLimit, ...]"
MOST_UNITS, MOST_ENDS = 6, 3
"""How many units are examined, and how many hexes for each."""
ON = Action(NEXT.name)
SPARE = 2
"""How many points too many are spent."""


def moving(game: Game, rules: Families, breaker: Breaker) -> None:
    """Register the mutators of movement, stacking and the order of play."""
    for name in rules.movement:
        for clause in dict.fromkeys(_clauses(game, rules, name)):
            _register(
                breaker, clause, f"{name}_as_if_without_{clause}", _without(game, rules, name, clause), name
            )
    _stacking(game, rules, breaker)
    _own_stacking(rules, breaker)
    _out_of_turn(rules, breaker)
    for label, store in rules.stores.items():
        for name in rules.movement:
            if name in store.costs:
                _unpaid(rules, label, name, breaker)
    _forbidden(rules, breaker)
    for name, movement in rules.movement.items():
        if movement.road_bonus and movement.road_bonus_clause:
            _too_far_by_road(rules, name, breaker)
        if movement.minimum and movement.minimum_who.text:
            _one_hex(rules, name, breaker)
        if movement.end.text:
            _ends_elsewhere(rules, name, breaker)


def _register(
    breaker: Breaker, clause: str, name: str, mutate: Callable[[Moment], Broken], *verbs: str
) -> None:
    mutate.__name__ = name
    breaker.breaks(clause, *verbs, NEXT.name)(mutate)


def _clauses(game: Game, rules: Families, name: str) -> Iterator[str]:
    """The clauses that limit a kind of movement; a literal reading can leave out each of them."""
    movement, zoc = rules.movement[name], rules.zoc
    yield movement.clause
    if movement.enemies:
        yield movement.enemies
    if movement.only_roads:
        yield movement.only_roads
    for clause in (movement.distance_clause, movement.not_through_clause, movement.season_clause):
        if clause:
            yield clause
    for bar in rules.bars.values():
        if not bar.to or {"move", name} & set(bar.to):
            yield bar.clause
    for limit in zoc.limits.values() if zoc else ():
        if not limit.movements or name in limit.movements:
            yield limit.clause or zoc.clause  # type: ignore[union-attr]
    for marker in rules.markers.values():
        if marker.does and (not marker.movements or name in marker.movements):
            yield marker.clause
    yield from (one.clause for one in movement.allowances.values())
    for state, rule in rules.states.items():
        if movement.points in game.states[state].counts:
            yield rule.clause_of(str(movement.points))


def _phase_has(rules: Families, position: Position, activity: str) -> bool:
    rule = rules.sequence.get(position.phase)  # type: ignore[call-overload]
    return rule is not None and activity in rule.does and rule.by == "active"


def _is_set_up(rules: Families, position: Position) -> bool:
    """Whether units may still be set up: a drag may be part of that."""
    return rules.setup is not None and position.clock == Clock(position.world.calendar.first_turn)


def fresh(position: Position, side: str) -> list[Piece]:
    """The units of a side on the map that have not moved in this phase, and neither attacked nor were
    attacked.

    In a phase of neither side, the units of both; while a leader is active, those of his formation.
    """
    leader = position.pieces.get(position.note(ACTIVE) or "")
    fighting = {name for battle in position.battles for name in battle.attackers}
    grid = position.game.map.grid
    return [
        piece
        for piece in position.pieces.values()
        if (piece.side == side or not side)
        and (leader is None or piece.counter.formation == leader.counter.formation)
        and piece.where in grid
        and position.note(TRAIL, piece.id) is None
        and not position.note(DONE, piece.id)
        and piece.id not in fighting
    ]


def may_do(rules: Families, piece: Piece, *activities: str) -> bool:
    """Whether no state of a unit forbids any of this."""
    return not any(
        state in piece.states
        and set(rule.forbids) & set(activities)
        and not any(is_for(rules, name, state) for name in activities)
        for state, rule in rules.states.items()
    )


def is_for(rules: Families, name: str, state: str) -> bool:
    """Whether a kind of movement is for units in a state: others do not have it."""
    who = rules.movement[name].who if name in rules.movement else ANYBODY
    return who.holds({*who.words}) and not who.holds({*who.words} - {state})


def _without(game: Game, rules: Families, name: str, clause: str) -> Callable[[Moment], Broken]:
    """Moves to hexes that a unit can reach only without one clause, whatever path it takes."""
    others = [one for one in dict.fromkeys(_clauses(game, rules, name)) if one != clause]

    def mutate(moment: Moment) -> Broken:
        position = moment.position
        if not _phase_has(rules, position, name) or _is_set_up(rules, position):
            return
        units = [one for one in fresh(position, position.side) if may_do(rules, one, "move", name)]
        reading, found = Reading(position, rules), 0
        for piece in moment.rng.sample(units, min(len(units), MOST_UNITS)):
            if found >= MOST_ENDS or not reading.fits(rules.movement[name].who, piece):
                continue
            free = reading.as_if(clause).reach(piece, name, SPARE)
            legal = _within_reach(reading, piece) if free else set()
            ends = {end: path for end, path in free.items() if end not in legal}
            for other in others if ends else ():
                for end in reading.as_if(other).reach(piece, name, SPARE) if ends else ():
                    ends.pop(end, None)
            found += len(ends)
            for end in moment.rng.sample(sorted(ends), min(len(ends), MOST_ENDS)):
                yield (Action(name, (piece.id,), ends[end]),)

    return mutate


def _within_reach(reading: Reading, piece: Piece) -> set[str]:
    """The hexes to which a unit may move in this phase or the next."""
    rules, position = reading.rules, reading.position
    soon = reading.soon(piece.side)
    kinds = [name for name in rules.movement if _phase_has(rules, position, name) or name in soon]
    return {end for name in kinds for end in reading.reach(piece, name)}


def _stacking(game: Game, rules: Families, breaker: Breaker) -> None:
    """One unit too many by one limit, and by no other."""
    if rules.stacking is None:
        return
    clauses = rules.stacking.clauses or (rules.stacking.clause,) * len(game.stacking)
    for number, (limit, clause) in enumerate(zip(game.stacking, clauses, strict=False)):
        others = [one for place, one in enumerate(game.stacking) if place != number]

        def too_many(moment: Moment, limit: StackingLimit = limit, others: Limits = tuple(others)) -> Broken:
            position = moment.position
            name = next((one for one in rules.movement if _phase_has(rules, position, one)), "")
            if not name:
                return
            reading = Reading(position, rules)
            units = [one for one in fresh(position, position.side) if may_do(rules, one, "move", name)]
            for piece in moment.rng.sample(units, min(len(units), MOST_UNITS)):
                for end, path in reading.reach(piece, name).items():
                    if is_over(reading, limit, piece, end) and not any(
                        is_over(reading, other, piece, end) for other in others
                    ):
                        step = Action(name, (piece.id,), path)
                        at_end = rules.stacking is not None and rules.stacking.when == "phase"
                        yield (step, NEXT_PHASE) if at_end else (step,)
                        break

        _register(breaker, clause, f"too_many_by_limit_{number + 1}", too_many, *rules.movement)


def _own_stacking(rules: Families, breaker: Breaker) -> None:
    """One unit too many by a limit in rules.toml itself, and by none of the game's stacking limits."""
    for label, limit in rules.stacking.limits.items() if rules.stacking else ():

        def too_many(moment: Moment, limit: StackLimit = limit) -> Broken:
            position = moment.position
            name = next((one for one in rules.movement if _phase_has(rules, position, one)), "")
            if not name:
                return
            reading = Reading(position, rules)
            units = [one for one in fresh(position, position.side) if may_do(rules, one, "move", name)]
            for piece in moment.rng.sample(units, min(len(units), MOST_UNITS)):
                if not reading.fits(rules.movement[name].who, piece):
                    continue
                for end, path in reading.reach(piece, name).items():
                    if _is_over_own(reading, limit, piece, end) and not any(
                        is_over(reading, other, piece, end) for other in position.game.stacking
                    ):
                        step = Action(name, (piece.id,), path)
                        at_end = rules.stacking is not None and rules.stacking.when == "phase"
                        yield (step, NEXT_PHASE) if at_end else (step,)
                        break

        _register(breaker, limit.clause, f"too_many_by_{label}", too_many, *rules.movement)


def _is_over_own(reading: Reading, limit: StackLimit, piece: Piece, where: str) -> bool:
    """Whether a unit that enters a hex breaks a limit in rules.toml itself."""
    there = [one for one in (*reading.units(piece.side), piece) if one.where == where or one is piece]
    there = list({one.id: one for one in there}.values())
    if limit.side not in ("", piece.side) or (limit.hexes and not reading.hex_fits(limit.hexes, where)):
        return False
    if any(limit.unless.text != "-" and reading.fits(limit.unless, one) for one in there):
        return False
    mine = [one for one in there if reading.fits(limit.who, one)]
    if limit.alike:
        return len({likeness(one.counter, limit.alike) for one in mine} - {""}) > 1
    return sum(_weight(one, limit.by) for one in mine) > limit.limit


def _weight(piece: Piece, by: str) -> int:
    """How much a unit counts towards a limit."""
    if by in ("weight", "units"):
        return piece.counter.stack if by == "weight" else 1
    printed = piece.steps if by == "steps" else piece.counter.printed(by, piece.steps)
    return printed if isinstance(printed, int) else 0


def is_over(reading: Reading, limit: StackingLimit, piece: Piece, where: str) -> bool:
    """Whether a unit that enters a hex is one too many by a limit."""
    if piece.counter.kind not in limit.kinds or limit.side not in ("", piece.side):
        return False
    if limit.hexes.text.strip() and not reading.hex_fits(limit.hexes, where):
        return False
    if limit.turns and reading.position.turn not in limit.turns:
        return False
    there = [one for one in reading.units(piece.side) if one.where == where]
    counted = [one for one in (*there, piece) if one.counter.kind in limit.kinds]
    return sum(one.counter.stack for one in counted) > limit.limit


NEXT_PHASE = Action(NEXT.name)


def _out_of_turn(rules: Families, breaker: Breaker) -> None:
    for phase, rule in rules.sequence.items():
        if rule.by != "active":
            continue

        def the_other_side_moves(moment: Moment, phase: str = phase) -> Broken:
            position = moment.position
            name = next((one for one in rules.movement if _phase_has(rules, position, one)), "")
            if position.phase != phase or not name or _is_set_up(rules, position):
                return
            calendar = position.world.calendar
            next_side = calendar.side(calendar.after(position.clock))
            if not moment.later() and next_side not in ("", position.side):
                return  # its player turn may have begun, with the track advanced late
            reading = Reading(position, rules)
            units = [one for one in reading.units() if one.side != position.side and not one.states]
            for piece in moment.rng.sample(units, min(len(units), 3)):
                ends = reading.reach(piece, name)
                for end in moment.rng.sample(sorted(ends), min(len(ends), 1)):
                    yield (Action(name, (piece.id,), ends[end]),)

        _register(
            breaker, rule.clause, f"the_other_side_moves_in_{phase}", the_other_side_moves, *rules.movement
        )

        def moves_in_another_phase(moment: Moment, phase: str = phase) -> Broken:
            """In a phase without movement and combat."""
            position = moment.position
            does = set(rules.sequence[phase].does)  # type: ignore[index]
            if position.phase != phase or does & {*rules.movement, *rules.combat, "enter"}:
                return
            name, reading = next(iter(rules.movement)), Reading(position, rules)
            units = [one for one in reading.units(position.side) if not one.states]
            for piece in moment.rng.sample(units, min(len(units), 3)):
                if {*rules.movement} & {*reading.soon(piece.side)}:
                    continue
                ends = reading.reach(piece, name)
                for end in moment.rng.sample(sorted(ends), min(len(ends), 1)):
                    yield (Action(name, (piece.id,), ends[end]),)

        if not set(rule.does) & {*rules.movement, *rules.combat}:
            _register(breaker, rule.clause, f"moves_in_{phase}", moves_in_another_phase, *rules.movement)


def _unpaid(rules: Families, label: str, name: str, breaker: Breaker) -> None:
    def moves_without_points(moment: Moment) -> Broken:
        """A unit moves although its side cannot pay for it."""
        position, reading = moment.position, Reading(moment.position, rules)
        store = rules.stores[label]
        units = fresh(position, position.side) if _phase_has(rules, position, name) else []
        for piece in moment.rng.sample(units, min(len(units), MOST_UNITS)):
            poor = reading.left_in(label, piece.side) < store.costs[name]  # type: ignore[index]
            if poor and reading.fits(store.who, piece) and may_do(rules, piece, "move", name):
                ends = reading.reach(piece, name) if reading.fits(rules.movement[name].who, piece) else {}
                for end in moment.rng.sample(sorted(ends), min(len(ends), 1)):
                    yield (Action(name, (piece.id,), ends[end]),)

    clause = rules.stores[label].clause
    _register(breaker, clause, f"{name}_without_{label}", moves_without_points, name)


def _one_hex(rules: Families, name: str, breaker: Breaker) -> None:
    movement = rules.movement[name]
    for_all = evolve(movement, minimum_who=ANYBODY)
    mutate = _as_if(rules, name, for_all)
    _register(breaker, movement.clause, f"{name}_a_hex_beyond_its_points", mutate, name)


def _ends_elsewhere(rules: Families, name: str, breaker: Breaker) -> None:
    movement = rules.movement[name]

    def ends_elsewhere(moment: Moment) -> Broken:
        """A unit makes a legal move, but ends it where it may not."""
        position, reading = moment.position, Reading(moment.position, rules)
        units = fresh(position, position.side) if _phase_has(rules, position, name) else []
        for piece in moment.rng.sample(units, min(len(units), MOST_UNITS)):
            starts = reading.hex_fits(movement.start, piece.where) or not movement.start.text
            if starts and reading.fits(movement.who, piece) and may_do(rules, piece, "move", name):
                usual = _within_reach(Reading(position, rules), piece) if len(rules.movement) == 1 else set()
                for end, path in reading.reach(piece, name).items():
                    if not reading.hex_fits(movement.end, end) and end not in usual:
                        yield (Action(name, (piece.id,), path), ON)

    clause = movement.ends_clause or movement.clause
    _register(breaker, clause, f"{name}_ends_elsewhere", ends_elsewhere, name)


def _too_far_by_road(rules: Families, name: str, breaker: Breaker) -> None:
    movement = rules.movement[name]
    mutate = _as_if(rules, name, evolve(movement, road_bonus=movement.road_bonus + SPARE))
    _register(breaker, movement.road_bonus_clause, f"{name}_too_far_by_road", mutate, name)


def _as_if(rules: Families, name: str, other: Movement) -> Callable[[Moment], Broken]:
    """Moves to hexes that units could reach only by the rules of others."""
    believed = evolve(rules, movement={**rules.movement, name: other})

    def moves_as_others_may(moment: Moment) -> Broken:
        position = moment.position
        if not _phase_has(rules, position, name) or _is_set_up(rules, position):
            return
        for piece in fresh(position, position.side):
            fits = Reading(position, rules).fits(rules.movement[name].who, piece)
            if fits and may_do(rules, piece, "move", name):
                legal = _within_reach(Reading(position, rules), piece)
                for end, path in Reading(position, believed).reach(piece, name).items():
                    if end not in legal:
                        yield (Action(name, (piece.id,), path),)

    return moves_as_others_may


def _forbidden(rules: Families, breaker: Breaker) -> None:
    for state, rule in rules.states.items():
        forbidden = [
            name
            for name in rules.movement
            if {"move", name} & set(rule.forbids) and not is_for(rules, name, state)
        ]
        if not forbidden:
            continue

        def moves_though_it_may_not(
            moment: Moment, state: str = state, forbidden: list[str] = forbidden
        ) -> Broken:
            position = moment.position
            name = next((one for one in forbidden if _phase_has(rules, position, one)), "")
            if not name:
                return
            reading = Reading(position, rules)
            units = [one for one in fresh(position, position.side) if state in one.states]
            for piece in units[:MOST_UNITS]:
                ends = reading.reach(piece, name)
                for end in moment.rng.sample(sorted(ends), min(len(ends), 1)):
                    yield (Action(name, (piece.id,), ends[end]),)

        clause = rule.forbidding(forbidden[0], "move")
        _register(breaker, clause, f"moves_while_{state}", moves_though_it_may_not, *forbidden)
