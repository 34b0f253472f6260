"""Replacements, and units that leave the map."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.supply import Supply
from referee.engine.wording import counted, listed, name_of
from referee.engine.zones import bits, indices
from referee.standard.facts import (
    allowed,
    box_of_losses,
    clauses_of,
    did,
    fits,
    has_done,
    holder,
    may_do,
    on_map,
    put,
    rules_of,
    worth,
)
from referee.standard.move import Move
from referee.standard.notes import LAPSED, PERHAPS_HELD, REBUILT, REGAINED, RESERVE, TRAIL, WITHDRAWN
from referee.standard.own_words import relations_of, true_of
from referee.standard.setting import the_setting
from referee.standard.stores import points_so_far, with_lapsed
from referee.standard.supplies import steps_due, supply_of
from referee.standard.track import number_of
from referee.standard.zones import in_zone, zone_at
from vassalgen.game.families import (
    NOBODY_NEAR,
    Exit,
    Families,
    Replacements,
    SideId,
    SupplyRule,
    Where,
    Withdrawal,
)

RESERVED = "replacements "
"""Before the pool or side whose points have lapsed."""

MANY = 6
"""The most hexes that a finding names one by one."""


def section(rules: Families) -> Section:
    """Return the rules of replacements and exits."""
    found = Section("Replacements and exits", rules.provenance)
    if rules.replacements:
        _replacements(found, rules, rules.replacements)
    if rules.exits:
        _exits(found, rules)
    for rule in rules.withdrawals.values():
        _withdrawal(found, rule)
        if rules.combat and rules.supply:
            _perhaps_withdrawn(found, rules.supply, rule)
    clauses = [rule.clause for rule in (*rules.withdrawals.values(), *rules.combat.values())]
    if clauses:
        _put_away(found, rules, clauses[0])
    return found


def meant(position: Position, action: Action) -> Action:
    """Return the withdrawal that is meant by an exit: any box serves for a unit that leaves on its date."""
    if action.verb != "exit" or len(action.pieces) != 1:
        return action
    piece, rules = position.pieces[action.piece], rules_of(position)
    hexes = [one.hexes for one in rules.exits.values() if fits(position, piece, one.who)]
    exits = may_do(position, piece, "exit") and any(_is_in(position, piece, one) for one in hexes)
    if exits or piece.where not in position.game.map.grid or not _is_to_be_withdrawn(position, piece):
        return action
    return Action("put away", action.pieces)


def _is_in(position: Position, piece: Piece, hexes: Where) -> bool:
    at = position.game.map.grid.index.get(piece.where)
    return at is not None and bool(the_setting(position).hexes(hexes) >> at & 1)


def _is_to_be_withdrawn(position: Position, piece: Piece) -> bool:
    """Return whether a unit is to leave the map in this turn."""
    return any(
        rule.turn == position.turn and fits(position, piece, rule.who) and _still_due(position, piece, rule)
        for rule in rules_of(position).withdrawals.values()
    )


def _put_away(found: Section, rules: Families, clause: str) -> None:
    """Units that are taken off the map, which may have been meant as a loss, or for a moment only."""

    @found.on("put away", clause=clause)
    def units_are_put_away_on_their_date(position: Position, action: Action) -> Breach | None:
        piece = position.pieces[action.piece]
        if _is_to_be_withdrawn(position, piece) or piece.where not in position.game.map.grid:
            return None
        says = f"{name_of(position, piece.id)} is taken off the map from {piece.where}; no rule calls for it."
        return Breach(says, {"unit": piece.id, "hex": piece.where}, Grade.unproven)


def _withdrawal(found: Section, rule: Withdrawal) -> None:
    if rule.not_in_zoc:

        @found.on("put away", clause=rule.not_in_zoc)
        def not_from_a_zone_of_control(position: Position, action: Action) -> Breach | None:
            piece = position.pieces[action.piece]
            due = rule.turn == position.turn and fits(position, piece, rule.who)
            if not due or not _still_due(position, piece, rule) or not in_zone(position, piece.id):
                return None
            says = f"{name_of(position, piece.id)} is withdrawn from {piece.where}, in an enemy zone of"
            return Breach(f"{says} control; it may not.", {"unit": piece.id, "hex": piece.where})

    @found.leaving(rule.phase, clause=rule.clause)
    def units_are_withdrawn(position: Position) -> Iterator[Breach]:
        if position.turn != rule.turn or (rule.scenarios and position.scenario.id not in rule.scenarios):
            return
        for side in [position.side] if position.side else list(position.game.sides):
            for piece in _who_are_left(position, side, rule):
                due = _still_due(position, piece, rule)
                if due and rule.count:
                    says = f"{counted(rule.count, 'unit')} must be withdrawn in turn {rule.turn}; {due} more"
                    says = f"{says} must be, such as {name_of(position, piece.id)} in {piece.where}."
                    yield Breach(says, {"unit": piece.id, "hex": piece.where, "due": due})
                    break
                if due:
                    says = (
                        f"{name_of(position, piece.id)} must be withdrawn in turn {rule.turn}; it is still in"
                    )
                    yield Breach(f"{says} {piece.where}.", {"unit": piece.id, "hex": piece.where})

    @found.proposes
    def withdrawals(position: Position, piece: Piece) -> Iterator[Action]:
        due = position.phase == rule.phase and position.turn == rule.turn
        due = due and (not rule.scenarios or position.scenario.id in rule.scenarios)
        own = position.side in ("", piece.side) and piece.where in position.game.map.grid
        if due and own and fits(position, piece, rule.who) and _still_due(position, piece, rule):
            yield Action("put away", (piece.id,))


def _perhaps_withdrawn(found: Section, supply: SupplyRule, rule: Withdrawal) -> None:
    @found.follows("lose", "eliminate")
    def a_unit_that_starves_may_be_withdrawn(before: Position, after: Position, action: Action) -> Position:
        piece, gone = before.pieces[action.piece], after.pieces[action.piece].where not in after.game.map.grid
        its_time = before.phase == rule.phase and before.turn == rule.turn
        if gone and its_time and steps_due(before, piece, supply) and fits(before, piece, rule.who):
            return after.with_note(WITHDRAWN, piece.id, before.turn)
        return after


def _who_are_left(position: Position, side: str, rule: Withdrawal) -> list[Piece]:
    """The units of a side on the map that a withdrawal concerns."""
    return [piece for _, piece in on_map(position, side) if fits(position, piece, rule.who)]


def _still_due(position: Position, piece: Piece, rule: Withdrawal) -> int:
    """How many units of a side must still be withdrawn, this one among them."""
    side = piece.side
    if not rule.count:
        return len(_who_are_left(position, side, rule))
    pieces = [position.pieces[name] for name in position.noted(WITHDRAWN)]
    return max(rule.count - sum(one.side == side and fits(position, one, rule.who) for one in pieces), 0)


def pool_of(position: Position, rule: Replacements, piece: Piece) -> tuple[str, int, int]:
    """Return the pool that a unit's replacements come from, what is in it and what has been used of it.

    Points that are saved are those of all turns so far, less what has been used in them.
    """
    pools = ((name, pool) for name, pool in rule.pools.items() if fits(position, piece, pool.who))
    name, pool = next(pools, ("", None))
    points = pool.points if pool else rule.points
    key, amount = f"{name} {piece.side}".strip(), points.get(SideId(piece.side), 0)
    if not rule.saves:
        places = rule.places.get(SideId(piece.side), {}) if pool is None else {}
        more = sum(worth for place, worth in places.items() if holder(position, place) == piece.side)
        return key, number_of(position, amount, piece.side) + more, position.note(REGAINED, key) or 0
    saved = points_so_far(position, amount, piece.side)
    return key, saved, (position.note(RESERVE, key) or 0) + (position.note(LAPSED, RESERVED + key) or 0)


def _grade_of_points(position: Position, piece: Piece, rule: Replacements, left: int, cost: int) -> Grade:
    """Return the grade of missing points: places may have been entered on the path of a drag."""
    places = rule.places.get(SideId(piece.side), {})
    perhaps = sum(
        worth
        for place, worth in places.items()
        if holder(position, place) != piece.side and piece.side in (position.note(PERHAPS_HELD, place) or ())
    )
    return Grade.unproven if left + perhaps >= cost else Grade.illegal


def _hexes_beside(position: Position, piece: Piece, rule: Replacements) -> int:
    """Return the hexes near friends beside which a lost unit may come back; all hexes if it needs none."""
    if rule.beside == NOBODY_NEAR:
        return -1
    grid = position.game.map.grid
    friends = [
        friend.where
        for _, friend in on_map(position, piece.side)
        if rule.beside.holds({*true_of(position, friend), *relations_of(position, piece, friend)})
    ]
    near = ((where, *grid.within(where, rule.beside_hexes)) for where in friends)
    return bits(grid.index[name] for names in near for name in names)


def cost_of(position: Position, rule: Replacements, piece: Piece) -> int:
    """Return the points that a step of a unit costs."""
    costs, usual = rule.costs, 1
    if piece.where not in position.game.map.grid and (rule.rebuild_costs or rule.rebuild_costs_of):
        costs, usual = rule.rebuild_costs_of, rule.rebuild_costs or 1
    found = next((cost for who, cost in costs.items() if fits(position, piece, who)), usual)
    return found if isinstance(found, int) else worth(position, piece, found)


def _replacements(found: Section, rules: Families, rule: Replacements) -> None:
    if rule.saves and rule.keeps:

        @found.entering(*rules.sequence)
        def points_lapse(position: Position) -> Position:
            for side in position.game.sides:
                for name, points in (("", rule.points), *((n, one.points) for n, one in rule.pools.items())):
                    key, amount = f"{name} {side}".strip(), points.get(SideId(side), 0)
                    used = position.note(RESERVE, key) or 0
                    position = with_lapsed(position, RESERVED + key, amount, side, used, rule.keeps)
            return position

    @found.on("regain", clause=rule.clause)
    def no_more_steps_than_points(position: Position, action: Action) -> Iterator[Breach]:
        piece = position.pieces[action.piece]
        (_, most, used), cost = pool_of(position, rule, piece), cost_of(position, rule, piece)
        unit = name_of(position, piece.id)
        facts: Facts = {"unit": piece.id, "points": most, "used": used}
        if not fits(position, piece, rule.who):
            yield Breach(f"{unit} regains a step; only {allowed(position, rule.who)} may.", facts)
        elif used + cost > most and (rule.costs or rule.rebuild_costs or rule.rebuild_costs_of):
            needs, left = counted(cost, "replacement point"), max(most - used, 0)
            says = f"{unit} regains a step for {needs}; its side has {left} left."
            yield Breach(says, facts, _grade_of_points(position, piece, rule, most - used, cost))
        elif used + cost > most:
            when = "" if rule.saves else " this turn"
            all_used = f"its side has {counted(most, 'replacement step')}{when}, and all are used"
            says = (
                f"{unit} regains a step;"
                f" {all_used if most else 'its side has no replacement steps this turn'}."
            )
            yield Breach(says, facts, _grade_of_points(position, piece, rule, most - used, cost))
        if piece.where in position.game.map.grid and piece.steps >= piece.counter.steps:
            says = f"{unit} regains a step, but it has lost none; only a lost step is regained."
            yield Breach(says, {"unit": piece.id})

    @found.on("regain", clause=rule.rebuild or rule.clause)
    def a_lost_unit_comes_back_where_it_may(position: Position, action: Action) -> Breach | None:
        piece, unit = position.pieces[action.piece], name_of(position, action.piece)
        if piece.where in position.game.map.grid:
            return None
        if not rule.rebuild or not fits(position, piece, rule.rebuild_who):
            return Breach(f"{unit} was eliminated and may not come back.", {"unit": piece.id})
        index = position.game.map.grid.index
        where = action.target
        if where and rule.hexes and not the_setting(position).hexes(rule.hexes) >> index[where] & 1:
            says = f"{unit} comes back in {where}; units come back in {rule.hexes.text}."
            return Breach(says, {"unit": piece.id, "hex": where})
        if where and not _hexes_beside(position, piece, rule) >> index[where] & 1:
            far = f"within {counted(rule.beside_hexes, 'hex')} of" if rule.beside_hexes else "in a hex with"
            says = f"{unit} comes back in {where}; units come back {far} {allowed(position, rule.beside)}."
            return Breach(says, {"unit": piece.id, "hex": where})
        return None

    if rule.rebuild_most:

        @found.on("regain", clause=rule.rebuild_most_clause or rule.rebuild)
        def no_more_come_back(position: Position, action: Action) -> Breach | None:
            piece = position.pieces[action.piece]
            back = position.note(REBUILT, piece.side) or 0
            if piece.where in position.game.map.grid or back < rule.rebuild_most:
                return None
            says = f"{name_of(position, piece.id)} comes back after {counted(back, 'other unit')};"
            return Breach(f"{says} {rule.rebuild_most} may in the game.", {"unit": piece.id, "back": back})

    if rule.not_in_zoc:

        @found.on("regain", clause=rule.not_in_zoc)
        def not_in_a_zone_of_control(position: Position, action: Action) -> Breach | None:
            comes, side = action.target, position.pieces[action.piece].side
            back = bool(comes) and position.pieces[action.piece].where not in position.game.map.grid
            if not in_zone(position, action.piece) and not (back and zone_at(position, comes, side)):
                return None
            does = f"comes back in {comes}," if back else "regains a step"
            says = f"{name_of(position, action.piece)} {does} in an enemy zone of control; it may not."
            return Breach(says, {"unit": action.piece})

    if rule.unit_once:

        @found.on("regain", clause=rule.unit_once)
        def one_step_a_turn(position: Position, action: Action) -> Breach | None:
            if not has_done(position, action.piece, ("replace",)):
                return None
            says = (
                f"{name_of(position, action.piece)} regains a second step this player turn; the limit is 1."
            )
            return Breach(says, {"unit": action.piece})

    if rule.in_supply:

        @found.on("regain", clause=rule.in_supply)
        def only_in_supply(position: Position, action: Action) -> Breach | None:
            if supply_of(position, action.piece) in (Supply.supplied, None):
                return None
            says = (
                f"{name_of(position, action.piece)} regains a step, but it is out of supply;"
                " it must be in supply."
            )
            return Breach(says, {"unit": action.piece})

    @found.does("regain")
    def regain(position: Position, action: Action) -> Position:
        piece = position.pieces[action.piece]
        cost = cost_of(position, rule, piece)
        for note in (REGAINED, RESERVE):
            key = pool_of(position, rule, piece)[0]
            position = position.with_note(note, key, (position.note(note, key) or 0) + cost)
        position = did(position, piece.id, "replace")
        if piece.where not in position.game.map.grid:
            position = position.with_note(REBUILT, piece.side, (position.note(REBUILT, piece.side) or 0) + 1)
        if piece.where in position.game.map.grid:
            return position.with_piece(piece.id, steps=min(piece.steps + 1, piece.counter.steps))
        position = position.with_piece(piece.id, steps=1)
        return put(position, piece.id, action.target) if action.target else position

    @found.proposes
    def replacements(position: Position, piece: Piece) -> Iterator[Action]:
        on_map = piece.where in position.game.map.grid
        if (
            on_map
            and piece.steps < piece.counter.steps
            and (not position.side or piece.side == position.side)
        ):
            yield Action("regain", (piece.id,))
        may = rule.rebuild and fits(position, piece, rule.rebuild_who)
        if may and not on_map and piece.where == box_of_losses(position, piece.side) != "":
            names, setting = position.game.map.grid.names, the_setting(position)
            free = setting.hexes(rule.hexes) & setting.land if rule.hexes or rule.beside != NOBODY_NEAR else 0
            for at in indices(free & _hexes_beside(position, piece, rule)):
                yield Action("regain", (piece.id,), target=names[at])


def _exits(found: Section, rules: Families) -> None:
    clauses = clauses_of(*(rule.clause for rule in rules.exits.values()))

    def fitting(position: Position, piece: Piece, box: str = "") -> list[Exit]:
        return [
            rule for rule in rules.exits.values() if fits(position, piece, rule.who) and box in ("", rule.to)
        ]

    @found.on("exit", clause=clauses)
    def units_leave_where_they_may(position: Position, action: Action) -> Breach | None:
        piece, setting = position.pieces[action.piece], the_setting(position)
        unit, index = name_of(position, piece.id), position.game.map.grid.index
        facts: Facts = {"unit": piece.id, "hex": piece.where or "none"}
        mine, first = fitting(position, piece, action.words[0]), next(iter(rules.exits.values()))
        if piece.where not in index:
            says = f"{unit} leaves the map, but it is not on it; only a unit on the map may."
            return Breach(says, facts, clause=first.clause)
        if not mine:
            return Breach(f"{unit} leaves the map; no rule lets it do so.", facts, clause=first.clause)
        here = [rule for rule in mine if setting.hexes(rule.hexes) >> index[piece.where] & 1]
        if not here:
            names = position.game.map.grid.names
            edges = [names[at] for rule in mine for at in indices(setting.hexes(rule.hexes))]
            places = listed(edges if len(edges) <= MANY else [rule.hexes.text for rule in mine], "or")
            return Breach(
                f"{unit} leaves the map from {piece.where}; it may leave from {places}.",
                facts,
                clause=mine[0].clause,
            )
        trail = position.note(TRAIL, piece.id)
        movement = trail.movement if trail else next(iter(rules.movement))
        move = Move.of(position, Action(movement, (piece.id,), (piece.where, piece.where), dragged=True))
        spent = move.spent
        if trail and trail.dragged:  # an earlier drag may have been a trial
            direct = move.at_once(trail.start).cost()
            spent = spent if direct is None else min(spent, direct)
        if spent + here[0].cost * setting.scale > move.budget:
            cost = counted(here[0].cost, rules.movement[movement].unit)
            return Breach(
                f"{unit} leaves the map; that costs {cost}, and it has less left.",
                facts,
                clause=here[0].clause,
            )
        return None

    @found.does("exit")
    def leave(position: Position, action: Action) -> Position:
        box = action.words[0]
        piece = evolve(position.pieces[action.piece], where=box if box in position.game.map.boxes else "")
        return did(evolve(position, pieces={**position.pieces, piece.id: piece}), piece.id, "exit")

    @found.proposes
    def exits(position: Position, piece: Piece) -> Iterator[Action]:
        if may_do(position, piece, "exit"):
            here = (rule for rule in fitting(position, piece) if _is_in(position, piece, rule.hexes))
            for box in dict.fromkeys(rule.to for rule in here):
                yield Action("exit", (piece.id,), words=(box,))
