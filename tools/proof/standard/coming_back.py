"""Breaches in replacements, rebuilt units and entries."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece, Position
from tools.proof.breaking import Breaker, Broken, Moment, Mutate
from tools.proof.standard.reading import NEVER, Reading
from vassalgen.game.families import NOBODY_NEAR, Families, Reinforcements, Replacements, Withdrawal

MOST = 4


def coming_back(rules: Families, breaker: Breaker) -> None:
    """Register the mutators of replacements and entries."""
    if rules.replacements:
        family = rules.replacements
        if not family.pools and not family.places:
            _register(breaker, family.clause, "regains_beyond_its_points", _beyond(rules, family))
        if family.rebuild and (family.hexes.text or family.beside != NOBODY_NEAR):
            _register(breaker, family.rebuild, "a_lost_unit_returns_elsewhere", _elsewhere(rules, family))
        if family.rebuild_who.text:
            _register(breaker, family.rebuild, "another_unit_returns", _of_others(rules, family))
        if family.unit_once:
            _register(breaker, family.unit_once, "regains_twice", _twice(rules, family))
        if family.in_supply and rules.supply:
            _register(breaker, family.in_supply, "regains_out_of_supply", _cut_off(rules, family))
    if rules.reinforcements:
        entering = rules.reinforcements
        verbs = ("enter", *rules.movement, NEXT.name)
        if entering.not_in_zoc:
            breaker.breaks(entering.not_in_zoc, *verbs, boxed=True)(_into_a_zone(rules))
        if entering.hex_most:
            clause = entering.hex_most_clause or entering.clause
            breaker.breaks(clause, *verbs, boxed=True)(_too_many_enter(rules, entering.hex_most))
        if entering.pays:
            breaker.breaks(entering.pays, *verbs, boxed=True)(_unpaid(rules, entering))
    for label, withdrawal in rules.withdrawals.items():
        if withdrawal.not_in_zoc:
            leaves = _leaves_a_zone(rules, withdrawal)
            leaves.__name__ = f"{label}_leaves_a_zone"
            breaker.breaks(withdrawal.not_in_zoc, NEXT.name, "put away", *rules.movement)(leaves)


def _register(breaker: Breaker, clause: str, name: str, mutate: Mutate) -> None:
    mutate.__name__ = name
    breaker.breaks(clause, NEXT.name, "regain", "enter")(mutate)


def _does(rules: Families, position: Position, activity: str) -> bool:
    rule = rules.sequence.get(position.phase)  # type: ignore[call-overload]
    return rule is not None and activity in rule.does


def _hurt(rules: Families, family: Replacements, moment: Moment) -> Iterator[tuple[Piece, Reading]]:
    """Units on the map that may regain a step, apart from the points that it costs."""
    position, reading = moment.position, Reading(moment.position, rules)
    for piece in reading.units(position.side) if _does(rules, position, "replace") else ():
        spared = family.not_in_zoc and reading.zones(piece.side, piece.where, purpose="")
        cut_off = family.in_supply and rules.supply and rules.supply.state in piece.states
        lost = piece.steps < piece.counter.steps and reading.fits(family.who, piece)
        if lost and not spared and not cut_off:
            yield piece, reading


def _cost(family: Replacements, reading: Reading, piece: Piece) -> int:
    cost = next((cost for who, cost in family.costs.items() if reading.fits(who, piece)), 1)
    printed = cost if isinstance(cost, int) else piece.counter.printed(cost, piece.steps)
    return printed if isinstance(printed, int) else 0


def _left(rules: Families, family: Replacements, moment: Moment, side: str) -> int | None:
    """The points that a side has left after the actions of the game so far; None if that is not known."""
    spent: dict[int, int] = {}
    for step in moment.game[: moment.place]:
        for name in step.action.pieces if step.action.verb == "regain" else ():
            piece, reading = step.before.pieces[name], Reading(step.before, rules)
            if piece.side == side and piece.where not in step.before.game.map.grid:
                return None
            if piece.side == side:
                turn = step.before.turn
                spent[turn] = spent.get(turn, 0) + _cost(family, reading, piece)
    position, left = moment.position, 0
    entry = family.points.get(side, 0)  # type: ignore[call-overload]
    first = position.world.calendar.first_turn
    for turn in range(first, position.turn + 1):
        kept = min(left, family.keeps) if family.keeps else left
        known = entry if isinstance(entry, int) else Reading(position, rules).entry(entry, side, turn)
        left = (kept if family.saves else 0) + int(known or 0) - spent.get(turn, 0)
    return left


def _beyond(rules: Families, family: Replacements) -> Mutate:
    """So many steps are regained that the last one is too many."""

    def mutate(moment: Moment) -> Broken:
        if moment.game[0].before.turn != moment.position.world.calendar.first_turn:
            return
        for side in moment.position.game.sides:
            left = _left(rules, family, moment, side)
            done: list[Action] = []
            for piece, reading in _hurt(rules, family, moment) if left is not None else ():
                if piece.side == side:
                    done.append(Action("regain", (piece.id,)))
                    left -= _cost(family, reading, piece)  # type: ignore[operator]
                    if left < 0:
                        yield tuple(done)
                        break

    return mutate


def _twice(rules: Families, family: Replacements) -> Mutate:
    def mutate(moment: Moment) -> Broken:
        for piece, _ in _hurt(rules, family, moment):
            left = _left(rules, family, moment, piece.side)
            cost = _cost(family, Reading(moment.position, rules), piece)
            if piece.steps + 1 < piece.counter.steps and left is not None and left >= 2 * cost:
                yield (Action("regain", (piece.id,)),) * 2

    return mutate


def _cut_off(rules: Families, family: Replacements) -> Mutate:
    def mutate(moment: Moment) -> Broken:
        position, reading = moment.position, Reading(moment.position, rules)
        for piece in reading.units(position.side) if _does(rules, position, "replace") else ():
            lost = piece.steps < piece.counter.steps and reading.fits(family.who, piece)
            if lost and rules.supply and rules.supply.state in piece.states:
                yield (Action("regain", (piece.id,)),)

    return mutate


def _elsewhere(rules: Families, family: Replacements) -> Mutate:
    """A lost unit returns in a wrong hex, or far from the units beside which it must return."""

    def mutate(moment: Moment) -> Broken:
        position, reading = moment.position, Reading(moment.position, rules)
        game = position.game
        lost = [box.id for box in game.map.boxes.values() if box.losses]
        mine = [one for one in position.pieces.values() if position.side in ("", one.side)]
        for piece in mine if _does(rules, position, "replace") else ():
            if piece.where not in lost or not reading.fits(family.who, piece):
                continue
            left = _left(rules, family, moment, piece.side)
            friends = [one.where for one in reading.units(piece.side)]
            for where in moment.rng.sample(game.map.grid.names, min(len(game.map.grid.names), 4 * MOST)):
                far = all(game.map.grid.distance(where, one) > family.beside_hexes for one in friends)
                closed = game.terrain[game.map.hexes[where].terrain].closed
                wrong = bool(family.hexes.text) and not reading.hex_fits(family.hexes, where)
                wrong = wrong or (family.beside != NOBODY_NEAR and far)
                free = not position.at(where) and not reading.zones(piece.side, where, purpose="")
                if wrong and free and not closed and left is not None:
                    yield (Action("regain", (piece.id,), target=where),)

    return mutate


def _of_others(rules: Families, family: Replacements) -> Mutate:
    """A lost unit returns that never does."""

    def mutate(moment: Moment) -> Broken:
        position, reading = moment.position, Reading(moment.position, rules)
        lost = [box.id for box in position.game.map.boxes.values() if box.losses]
        mine = [one for one in position.pieces.values() if position.side in ("", one.side)]
        for piece in mine if _does(rules, position, "replace") else ():
            left = _left(rules, family, moment, piece.side) if piece.where in lost else None
            others = left is not None and left > 0 and not reading.fits(family.rebuild_who, piece)
            for where in position.game.map.grid.names if others else ():
                if reading.hex_fits(family.hexes, where) and not position.at(where):
                    yield (Action("regain", (piece.id,), target=where),)
                    break

    return mutate


def _waiting(rules: Families, moment: Moment) -> Iterator[tuple[Piece, str]]:
    """Units that may enter now, with the hexes in which they may."""
    position = moment.position
    for arrival in position.scenario.arrivals if _does(rules, position, "enter") else ():
        if arrival.turn > position.turn or arrival.during not in ("", position.side):
            continue
        for name in arrival.counters[:MOST]:
            piece = position.pieces[name]
            if piece.where == arrival.waiting and piece.side == position.side:
                yield from ((piece, one) for one in arrival.entry if one in position.game.map.grid)


def _into_a_zone(rules: Families) -> Mutate:
    def comes_on_in_a_zone(moment: Moment) -> Broken:
        position, reading = moment.position, Reading(moment.position, rules)
        for piece, entry in _waiting(rules, moment):
            if reading.zones(piece.side, entry, purpose="") and not position.at(entry):
                yield (Action("enter", (piece.id,), target=entry),)

    return comes_on_in_a_zone


def _too_many_enter(rules: Families, most: int) -> Mutate:
    def too_many_enter_in_a_hex(moment: Moment) -> Broken:
        by_hex: dict[str, list[Action]] = {}
        for piece, entry in _waiting(rules, moment):
            by_hex.setdefault(entry, []).append(Action("enter", (piece.id,), target=entry))
        yield from (tuple(enters[: most + 1]) for enters in by_hex.values() if len(enters) > most)

    return too_many_enter_in_a_hex


def _unpaid(rules: Families, family: Reinforcements) -> Mutate:
    """Units that enter and move as far as if they had begun the phase there."""

    def moves_without_paying_for_its_entry(moment: Moment) -> Broken:
        position, movement = moment.position, rules.movement[family.movement]
        for piece, entry in _waiting(rules, moment):
            placed = position.with_piece(piece.id, where=entry)
            reading, one = Reading(placed, rules), placed.pieces[piece.id]
            if position.at(entry) or not reading.fits(movement.who, one) or movement.road_bonus:
                continue
            points = reading.allowance(one, movement)
            costs = (
                reading.cost(one, movement, by, entry) for by in position.game.map.grid.neighbours(entry)
            )
            least = min(costs, default=NEVER)
            if least >= NEVER or least <= 0:
                continue
            whole = reading.search(one, family.movement, points)
            paid = reading.search(one, family.movement, points - least)
            for end in sorted(whole.keys() - paid.keys())[:MOST]:
                enters = Action("enter", (piece.id,), target=entry)
                yield enters, Action(family.movement, (piece.id,), whole[end])

    return moves_without_paying_for_its_entry


def _leaves_a_zone(rules: Families, withdrawal: Withdrawal) -> Mutate:
    def mutate(moment: Moment) -> Broken:
        position, reading = moment.position, Reading(moment.position, rules)
        due = position.turn == withdrawal.turn and position.phase == withdrawal.phase
        for piece in reading.units(position.side) if due else ():
            if reading.fits(withdrawal.who, piece) and reading.zones(piece.side, piece.where, purpose=""):
                yield (Action("put away", (piece.id,)),)

    return mutate
