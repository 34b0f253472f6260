"""Breaches of what must be so, or must be done, when a phase ends; and of limits on a whole phase."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil

from referee.engine.actions import NEXT, Action
from referee.engine.idiom import ADD
from referee.engine.position import LAID
from referee.standard.notes import PLACERS
from tools.proof.breaking import Breaker, Broken, Moment, Mutate
from tools.proof.standard.markers import movers
from tools.proof.standard.reading import Reading
from vassalgen.game.families import (
    NOBODY,
    NOWHERE,
    Bar,
    ByMoving,
    Exit,
    Families,
    Garrison,
    Marker,
    Movement,
    SupplyRule,
)

ON = Action(NEXT.name)
MOST = 4


def left_undone(rules: Families, breaker: Breaker) -> None:
    """Register the mutators of phases that end wrongly, of limits on a phase, and of exits."""
    moves = (NEXT.name, *rules.movement)
    for label, bar in rules.bars.items():
        if bar.ends:
            _register(breaker, bar.clause, f"{label}_at_the_end", _ends_so(rules, bar), *moves)
    for name, movement in rules.movement.items():
        if movement.most:
            clause = movement.most_clause or movement.clause
            _register(breaker, clause, f"{name}_by_too_many", _by_too_many(rules, name, movement), name)
    for label, marker in rules.markers.items():
        laid, taken_off = marker.laid_clause or marker.clause, marker.removed_clause or marker.clause
        if marker.laid_by.text and marker.points:
            _register(breaker, laid, f"{label}_is_laid_after_a_move", _after_a_move(rules, marker), *moves)
        left = marker.kept_clause or taken_off
        if marker.kept_by != NOBODY or marker.placer_stays:
            _register(breaker, left, f"{label}_stays_alone", _stays_alone(rules, marker), *moves, ADD)
    if rules.supply and rules.supply.lasting:
        lasting = rules.supply.lasting_clause or rules.supply.clause
        _register(breaker, lasting, "nothing_is_lost", _nothing_is_lost(rules.supply), "lose", "eliminate")
    for label, garrison in rules.garrisons.items():
        gone = _leaves_its_post(rules, garrison)
        _register(breaker, garrison.clause, f"{label}_is_left", gone, *moves)
    for state, rule in rules.states.items():
        for label, moving in rule.by_moving.items():
            unmarked = _moves_unmarked(rules, state, moving)
            _register(breaker, moving.clause, f"{state}_by_moving_{label}_unmarked", unmarked, *moves)
    for label, leaving in rules.exits.items():
        away = _leaves_elsewhere(rules, leaving)
        _register(breaker, leaving.clause, f"{label}_is_left_elsewhere", away, *moves, "exit")


def _register(breaker: Breaker, clause: str, name: str, mutate: Mutate, *verbs: str) -> None:
    mutate.__name__ = name
    breaker.breaks(clause, *dict.fromkeys(verbs))(mutate)


def _ends_so(rules: Families, bar: Bar) -> Mutate:
    """The phase ends with a unit that is as none may be: now, or after a move."""

    def mutate(moment: Moment) -> Broken:
        position = moment.position
        if position.phase not in bar.ends:
            return

        def is_wrong(reading: Reading, unit: str) -> bool:
            piece = reading.position.pieces[unit]
            here = not bar.into.text or reading.hex_fits(bar.into, piece.where)
            return here and reading.fits(bar.who, piece)

        now = Reading(position, rules)
        if any(is_wrong(now, piece.id) for piece in now.units(position.side)):
            yield (ON,)
        for piece, name, reading in movers(rules, moment):
            for end, path in reading.reach(piece, name).items():
                there = position.with_piece(piece.id, where=end)
                if is_wrong(Reading(there, rules), piece.id):
                    yield Action(name, (piece.id,), path), ON
                    break

    return mutate


def _by_too_many(rules: Families, name: str, movement: Movement) -> Mutate:
    """Units move in this way until one is too many."""

    def mutate(moment: Moment) -> Broken:
        position, counts = moment.position, movement.most_of
        if position.phase not in rules.sequence:
            return
        reading, most, moved = Reading(position, rules), movement.most, set[str]()
        allowed = most if isinstance(most, int) else int(reading.entry(most, position.side) or 0)
        for step in reversed(moment.game[: moment.place]):
            if step.action.verb == NEXT.name:
                break
            moved |= {*step.action.pieces} if step.action.verb == name else set()

        def count(unit: str) -> int:
            piece = position.pieces[unit]
            found = next((amount for who, amount in counts.items() if reading.fits(who, piece)), 1)
            printed = found if isinstance(found, int) else piece.counter.printed(found, piece.steps)
            return printed if isinstance(printed, int) else 0

        left, done = allowed - sum(count(unit) for unit in moved), list[Action]()
        soon = {*reading.soon(position.side), *rules.sequence[position.phase].does}  # type: ignore[index]
        others = [kind for kind in rules.movement if kind != name and kind in soon]
        for piece, kind, _ in movers(rules, moment, name):
            ends = dict(reading.reach(piece, kind)) if kind == name and count(piece.id) else {}
            for other in others if ends else ():
                ends = {end: path for end, path in ends.items() if end not in reading.reach(piece, other)}
            for end in moment.rng.sample(sorted(ends), min(len(ends), 1)):
                done.append(Action(name, (piece.id,), ends[end]))
                left -= count(piece.id)
            if left < 0 and done:
                yield tuple(done)
                return

    return mutate


def _after_a_move(rules: Families, rule: Marker) -> Mutate:
    """A unit moves, and places the marker with fewer points than that costs."""

    def mutate(moment: Moment) -> Broken:
        for piece, name, reading in movers(rules, moment):
            if rule.laid and moment.position.phase not in rule.laid:
                return
            movement = rules.movement[name]
            points = reading.allowance(piece, movement)
            known = {"all": int(points), "half": ceil(points / 2)}
            cost = known.get(str(rule.points)) or int(rule.points)
            for end, path in reading.reach(piece, name).items() if reading.fits(rule.laid_by, piece) else ():
                spent = sum((reading.cost(piece, movement, *step) for step in pairwise(path)), Fraction(0))
                others = [one for one in reading.units(piece.side) if one.where == end]
                if spent + cost > points and not any(reading.fits(rule.laid_by, one) for one in others):
                    laying = Action(ADD, target=end, words=(rule.marker,))
                    yield Action(name, (piece.id,), path), laying
                    break

    return mutate


def _stays_alone(rules: Families, rule: Marker) -> Mutate:
    """The only unit that keeps a marker, or the unit that placed it, leaves its hex, and the marker stays."""

    def mutate(moment: Moment) -> Broken:
        laid = moment.position.noted(LAID)
        for piece, name, reading in movers(rules, moment):
            here = [one for one in reading.units(piece.side) if one.where == piece.where]
            keepers = [one for one in here if reading.fits(rule.kept_by, one)]
            placed = moment.position.note(PLACERS, f"{rule.marker} {piece.where}") == ((piece.id,),)
            kept = placed if rule.placer_stays else keepers == [piece]
            if kept and rule.marker in laid.get(piece.where, ()):
                for path in list(reading.reach(piece, name).values())[:1]:
                    yield Action(name, (piece.id,), path), ON

    return mutate


def _nothing_is_lost(family: SupplyRule) -> Mutate:
    """A unit that has been out of supply too long loses nothing."""

    def mutate(moment: Moment) -> Broken:
        piece = moment.position.pieces[moment.action.piece]
        in_phase = moment.position.phase in family.when
        if in_phase and family.state in piece.states and not moment.position.battles:
            yield (ON,)

    return mutate


def _leaves_its_post(rules: Families, rule: Garrison) -> Mutate:
    """The last unit of a garrison moves away."""

    def mutate(moment: Moment) -> Broken:
        if moment.position.phase not in rule.when or (rule.turns and moment.position.turn not in rule.turns):
            return
        for piece, name, reading in movers(rules, moment):
            units = [one for one in reading.units() if reading.fits(rule.who, one)]
            post = [one for one in units if reading.hex_fits(rule.hexes, one.where)]
            for end, path in reading.reach(piece, name).items():
                if piece in post and len(post) == rule.at_least and not reading.hex_fits(rule.hexes, end):
                    yield Action(name, (piece.id,), path), ON
                    break

    return mutate


def _moves_unmarked(rules: Families, state: str, rule: ByMoving) -> Mutate:
    """A unit ends its move in ground that puts it into a state, and is not marked."""

    def mutate(moment: Moment) -> Broken:
        kinds = moment.position.game.states[state].kinds
        for piece, name, reading in movers(rules, moment):
            may = reading.fits(rule.who, piece) and piece.counter.kind in kinds and not piece.states
            if not may or (rule.movements and name not in rule.movements) or rule.into == NOWHERE:
                continue
            for end, path in reading.reach(piece, name).items():
                if end != piece.where and reading.hex_fits(rule.into, end):
                    yield Action(name, (piece.id,), path), ON
                    break

    return mutate


def _leaves_elsewhere(rules: Families, rule: Exit) -> Mutate:
    """A unit leaves the map where it may not."""

    def mutate(moment: Moment) -> Broken:
        does = rules.sequence.get(moment.position.phase)  # type: ignore[call-overload]
        if does is None or "exit" not in does.does:
            return
        reading = Reading(moment.position, rules)
        others = [one for one in rules.exits.values() if one.to == rule.to]
        for piece in reading.units(moment.position.side):
            able = [one for one in others if reading.fits(one.who, piece)]
            if able and not any(reading.hex_fits(one.hexes, piece.where) for one in able):
                yield (Action("exit", (piece.id,), words=(rule.to,)),)

    return mutate
