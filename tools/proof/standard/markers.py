"""Breaches with markers in hexes, captures and compulsory moves."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import NEXT, Action
from referee.engine.idiom import ADD, REMOVE
from referee.engine.position import LAID, Piece, Position
from referee.standard.notes import LAID_BY
from tools.proof.breaking import Breaker, Broken, Moment, Mutate
from tools.proof.standard.moving import fresh, may_do
from tools.proof.standard.reading import Reading
from vassalgen.game.families import NOBODY_NEAR, Families, Marker, Movement
from vassalgen.game.families.combat import Captured

ON = Action(NEXT.name)
MOST = 4


def hex_markers(rules: Families, breaker: Breaker) -> None:
    """Register the mutators of markers, captures and compulsory moves."""
    verbs = (NEXT.name, ADD, *rules.movement)
    for label, rule in rules.markers.items():
        laid = rule.laid_clause or rule.clause
        taken_off = rule.removed_clause or rule.clause
        if rule.laid:
            _register(
                breaker, laid, f"{label}_is_laid_in_another_phase", _in_another_phase(rules, rule), *verbs
            )
        if rule.laid_by or rule.into:
            _register(breaker, laid, f"{label}_is_laid_elsewhere", _elsewhere(rules, rule), *verbs)
        if most := rule.most or rule.most_side:
            often = _too_often(rules, rule, most)
            _register(breaker, rule.most_clause or laid, f"{label}_is_laid_too_often", often, *verbs)
        if rule.lifted_by.text:
            lifted, verbs_ = _lifted(rules, rule), (REMOVE, NEXT.name)
            _register(breaker, rule.lifted_clause or rule.clause, f"{label}_is_taken_off", lifted, *verbs_)
        if rule.gone:
            gone = rule.gone_clause or taken_off
            _register(breaker, gone, f"{label}_is_left_on", _left_on(rule), REMOVE, NEXT.name)
        if rule.removed_by != NOBODY_NEAR:
            _register(breaker, taken_off, f"{label}_stays_under_the_enemy", _entered(rules, rule), *verbs)
    for number, one in enumerate(rules.captured.all if rules.captured else ()):
        title = f"the_captured_stay_{number + 1}" if number else "the_captured_stay"
        _register(breaker, one.clause, title, _captured(rules, one), *rules.movement, NEXT.name)
    for name, movement in rules.movement.items():
        if movement.must:
            stays, strays = _stays(rules, name, movement), _strays(rules, name, movement)
            _register(breaker, movement.must, f"{name}_is_not_made", stays, NEXT.name)
            if movement.homeward:
                _register(breaker, movement.must, f"{name}_leads_elsewhere", strays, NEXT.name, name)


def _register(breaker: Breaker, clause: str, name: str, mutate: Mutate, *verbs: str) -> None:
    mutate.__name__ = name
    breaker.breaks(clause, *verbs)(mutate)


def _may_be_laid_soon(moment: Moment, rule: Marker) -> bool:
    """Whether the marker may be placed later in the turn: the track may have been advanced late."""
    calendar = moment.position.world.calendar
    clock = moment.position.clock
    for _ in range(MOST):
        clock = calendar.after(clock)
        if clock.turn > moment.position.turn:
            return False
        if calendar.phase(clock) in rule.laid and rule.side in ("", calendar.side(clock)):
            return True
    return False


def _in_another_phase(rules: Families, rule: Marker) -> Mutate:
    def mutate(moment: Moment) -> Broken:
        position = moment.position
        if position.phase in rule.laid or _may_be_laid_soon(moment, rule):
            return
        side = rule.side or position.side
        for piece in _able(rules, rule, position, side)[:MOST]:
            yield (_laying(rule, piece.where),)

    return mutate


def _elsewhere(rules: Families, rule: Marker) -> Mutate:
    def mutate(moment: Moment) -> Broken:
        position = moment.position
        if not _is_time(rule, position) or _count(rule, position) >= (rule.most or MOST):
            return
        reading, game = Reading(position, rules), position.game
        if rule.laid_seen:
            return  # who sees what is not asked here
        grid, able = position.game.map.grid, _able(rules, rule, position, "")
        reach = {piece.where: _reach(rule, piece) for piece in able}
        right = {name for where, far in reach.items() for name in (where, *grid.within(where, far))}
        for where in moment.rng.sample(grid.names, min(len(grid.names), 4 * MOST)):
            into = not rule.into.text or reading.hex_fits(rule.into, where)
            is_right = into and (not rule.laid_by.text or where in right)
            if not is_right and not game.terrain[game.map.hexes[where].terrain].closed:
                yield (_laying(rule, where),)

    return mutate


def _too_often(rules: Families, rule: Marker, most: int) -> Mutate:
    def mutate(moment: Moment) -> Broken:
        position = moment.position
        if not _is_time(rule, position):
            return
        laid = {where for where, there in position.noted(LAID).items() if rule.marker in there}
        side = rule.side or position.side
        places = [one.where for one in _able(rules, rule, position, side)]
        free = [where for where in dict.fromkeys(places) if where not in laid]
        mine = [where for where in laid if position.note(LAID_BY, f"{rule.marker} {where}") == side]
        room = most - (_count(rule, position) if rule.most else len(mine))
        if rule.most_each or rule.laid_within:
            return  # of which unit a marker is, is another limit
        if 0 <= room < len(free):
            yield tuple(_laying(rule, where) for where in free[: room + 1])

    return mutate


def _left_on(rule: Marker) -> Mutate:
    def mutate(moment: Moment) -> Broken:
        position = moment.position
        mine = position.side in ("", rule.side or position.side)
        there = [where for where, laid in position.noted(LAID).items() if rule.marker in laid]
        sides = [position.note(LAID_BY, f"{rule.marker} {where}") for where in there]
        own = [side for side in sides if side and (side == position.side) is (rule.gone_of == "own")]
        if position.phase == rule.gone and mine and (own if rule.gone_of else _count(rule, position)):
            yield (ON,)

    return mutate


def _lifted(rules: Families, rule: Marker) -> Mutate:
    """A marker is taken off although no unit that may do so is there."""

    def mutate(moment: Moment) -> Broken:
        position, reading = moment.position, Reading(moment.position, rules)
        able = {piece.where for piece in reading.units() if reading.fits(rule.lifted_by, piece)}
        for where, laid in position.noted(LAID).items():
            if rule.marker in laid and where not in able:
                yield Action(REMOVE, target=where, words=(rule.marker,)), ON

    return mutate


def _entered(rules: Families, rule: Marker) -> Mutate:
    """A unit that removes the marker moves into its hex, and the marker stays."""

    def mutate(moment: Moment) -> Broken:
        position = moment.position
        laid = {where for where, there in position.noted(LAID).items() if rule.marker in there}
        for piece, name, reading in movers(rules, moment) if laid else ():
            for end, path in reading.reach(piece, name).items():
                side = position.note(LAID_BY, f"{rule.marker} {end}")
                relation = "friend" if side == piece.side else "enemy" if side else ""
                if end in laid and rule.removed_by.holds({*reading.words(piece, ()), relation}):
                    yield Action(name, (piece.id,), path), ON

    return mutate


def _captured(rules: Families, family: Captured) -> Mutate:
    """A unit enters the hex of units that it captures, and they stay."""

    def mutate(moment: Moment) -> Broken:
        for piece, name, reading in movers(rules, moment):
            if reading.fits(family.who, piece) or not reading.fits(family.by, piece):
                continue
            for end, path in reading.reach(piece, name).items():
                if any(reading.fits(family.who, one) for one in reading.enemies(piece.side, end)):
                    yield Action(name, (piece.id,), path), ON

    return mutate


def movers(rules: Families, moment: Moment, wanted: str = "") -> Iterator[tuple[Piece, str, Reading]]:
    """Yield the units that may move now, with the kind of movement ``wanted`` or the first of the phase."""
    position = moment.position
    rule = rules.sequence.get(position.phase)  # type: ignore[call-overload]
    kinds = [name for name in rules.movement if rule is not None and name in rule.does]
    reading = Reading(position, rules)
    for piece in fresh(position, position.side) if kinds else ():
        name = wanted if wanted in kinds else kinds[0]
        if reading.fits(rules.movement[name].who, piece) and may_do(rules, piece, "move", name):
            yield piece, name, reading


def _stays(rules: Families, name: str, movement: Movement) -> Mutate:
    """A unit that must move stays, although it could move."""

    def mutate(moment: Moment) -> Broken:
        if any(ends for _, ends, _ in _obliged(rules, moment, name, movement)):
            yield (ON,)

    return mutate


def _strays(rules: Families, name: str, movement: Movement) -> Mutate:
    """A unit that must move towards its home moves, and ends no nearer to it."""

    def mutate(moment: Moment) -> Broken:
        for piece, right, wrong in _obliged(rules, moment, name, movement):
            for end, path in wrong.items() if right else ():
                if end != piece.where:
                    yield Action(name, (piece.id,), path), ON

    return mutate


def _obliged(
    rules: Families, moment: Moment, name: str, movement: Movement
) -> Iterator[tuple[Piece, dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]]:
    """Units that must move and have not: where they may end, and where they may pass but not end."""
    begun = moment.begun
    first = Reading(begun, rules)
    for piece, kind, reading in movers(rules, moment, name):
        if kind != name or not first.fits(movement.must_who, begun.pieces[piece.id]):
            continue
        ends = reading.reach(piece, name)
        home = movement.homeward.get(piece.side)  # type: ignore[call-overload]
        if home is None:
            yield piece, ends, {}
            continue
        near = reading.gap_to(home, piece.where)
        right = {end: path for end, path in ends.items() if reading.gap_to(home, end) < near}
        yield piece, right, {end: path for end, path in ends.items() if end not in right}


def _able(rules: Families, rule: Marker, position: Position, side: str) -> list[Piece]:
    """The units in whose hexes the marker may be placed."""
    reading = Reading(position, rules)
    return [
        piece
        for piece in reading.units(side)
        if (not rule.laid_by.text or reading.fits(rule.laid_by, piece))
        and (not rule.into.text or reading.hex_fits(rule.into, piece.where))
    ]


def _reach(rule: Marker, piece: Piece) -> int:
    """How far from a unit the marker may be placed."""
    far = rule.laid_within
    return far if isinstance(far, int) else int(piece.counter.printed(far, piece.steps) or 0)


def _is_time(rule: Marker, position: Position) -> bool:
    in_phase = not rule.laid or position.phase in rule.laid
    return in_phase and (not rule.side or not rule.laid or position.side in ("", rule.side))


def _count(rule: Marker, position: Position) -> int:
    return sum(laid.count(rule.marker) for laid in position.noted(LAID).values())


def _laying(rule: Marker, where: str) -> Action:
    return Action(ADD, target=where, words=(rule.marker,))
