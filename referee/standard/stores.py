"""Points that a side spends on what it does: supply points, ammunition, fuel."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts
from referee.engine.wording import counted, names_of
from referee.standard.attackers import kind_for
from referee.standard.battle import Fight, fight_of, fights
from referee.standard.facts import fits, rules_of
from referee.standard.notes import LAPSED, LAPSED_NOW, SPENT, SPENT_NOW, TRAIL
from referee.standard.track import number_in, number_of
from referee.standard.verbs import ATTACK
from vassalgen.game.families import EntryAmount, Families, SideId, Spending, Store


def section(rules: Families) -> Section:
    """Return the rules of points that are spent."""
    found = Section("Points that are spent", rules.provenance)
    for name, store in rules.stores.items():
        _attacks(found, rules, name, store)
        _moves(found, rules, name, store)
        if store.saves and store.keeps:
            _lapsing(found, rules, name, store)
    return found


def _lapsing(found: Section, rules: Families, name: str, store: Store) -> None:
    @found.entering(*rules.sequence)
    def points_lapse(position: Position) -> Position:
        for side in position.game.sides:
            key, start = f"{name} {side}", store.start.get(SideId(side), 0)
            used = (position.note(SPENT, key) or 0) - start
            amount = store.points.get(SideId(side), 0)
            position = with_lapsed(position, key, amount, side, used, store.keeps)
        return position


def _attacks(found: Section, rules: Families, name: str, store: Store) -> None:
    kinds = [kind for kind, one in rules.combat.items() if {kind, *one.by_hand} & {*store.costs}]
    if not kinds:
        return

    @found.on(ATTACK, *rules.combat, clause=store.clause)
    def attacks_are_paid_for(position: Position, action: Action) -> Breach | None:
        kind = kind_for(position, action)
        due = sum(
            price(position, store, one.kind, one.attackers)
            for one in fights(position)
            if not one.rolled and one.number != action.battle and one.side == _side(position, action)
        )
        return _missing(position, name, store, action, price(position, store, kind, action.pieces), due)

    dice = tuple(dict.fromkeys(f"roll {rules.combat[kind].dice}" for kind in kinds))

    @found.follows(*dice)
    def pay(before: Position, after: Position, action: Action) -> Position:
        fight, known = fight_of(after, action), fight_of(before, action)
        if not isinstance(fight, Fight) or not fight.rolled or (known and known.rolled):
            return after
        cost = price(before, store, fight.kind, fight.attackers)
        cost += sum(store.costs.get(Spending(term), 0) * times for term, times in fight.entered.items())
        return spent(after, name, fight.side, cost) if cost else after


def _moves(found: Section, rules: Families, name: str, store: Store) -> None:
    verbs = tuple(verb for verb in (*rules.movement, *rules.transfers) if verb in store.costs)
    if not verbs:
        return

    @found.on(*verbs, clause=store.clause)
    def moves_are_paid_for(position: Position, action: Action) -> Breach | None:
        if position.note(TRAIL, action.piece) is not None:
            return None
        cost = price(position, store, action.verb, action.pieces)
        return _missing(position, name, store, action, cost, 0)

    @found.follows(*verbs)
    def pay(before: Position, after: Position, action: Action) -> Position:
        if before.note(TRAIL, action.piece) is not None:
            return after
        side = before.pieces[action.piece].side
        return spent(after, name, side, price(before, store, action.verb, action.pieces))


def _side(position: Position, action: Action) -> str:
    return position.pieces[action.piece].side if action.pieces else position.side


def _missing(
    position: Position, name: str, store: Store, action: Action, cost: int, due: int
) -> Breach | None:
    """Find actions that a side cannot pay for."""
    left = left_in(position, name, store, _side(position, action)) - due
    if not cost or cost <= left:
        return None
    what = name.replace("-", " ").replace("_", " ")
    who, does = names_of(position, action.pieces), "costs"
    says = f"{who}: this {does} {counted(cost, 'point')} of {what}; the side has {max(left, 0)} left."
    facts: Facts = {"units": action.pieces, "cost": cost, "left": max(left, 0)}
    return Breach(says, facts)


def price(position: Position, store: Store, activity: str, units: tuple[str, ...]) -> int:
    """Return the points that an action costs some units."""
    paying = [name for name in units if fits(position, position.pieces[name], store.who)]
    cost = store.costs.get(Spending(activity), 0)
    alone = not store.each and activity in rules_of(position).combat
    return cost * (bool(paying) if alone else len(paying))


def left_in(position: Position, name: str, store: Store, side: str) -> int:
    """Return the points that a side has left."""
    key, amount = f"{name} {side}", store.points.get(SideId(side), 0)
    start = store.start.get(SideId(side), 0)
    if not store.saves:
        first = position.turn == position.world.calendar.first_turn
        return number_of(position, amount, side) + start * first - (position.note(SPENT_NOW, key) or 0)
    used = (position.note(SPENT, key) or 0) + (position.note(LAPSED, key) or 0)
    return start + points_so_far(position, amount, side) - used


def points_so_far(position: Position, amount: EntryAmount, side: str, *, before: bool = False) -> int:
    """Return the points that a side has received since the game began, with or without those of this turn."""
    turns = range(position.world.calendar.first_turn, position.turn + (not before))
    return sum(number_in(position, amount, turn, side) for turn in turns)


def with_lapsed(
    position: Position, key: str, amount: EntryAmount, side: str, used: int, keeps: int
) -> Position:
    """Return the position without the points that a side has left from earlier turns and may not keep.

    They are counted once a turn, when its first phase begins.
    """
    first = position.world.calendar.first_turn
    if position.turn == first or position.note(LAPSED_NOW, key) is not None:
        return position
    lapsed = position.note(LAPSED, key) or 0
    left = points_so_far(position, amount, side, before=True) - used - lapsed
    position = position.with_note(LAPSED_NOW, key, max(left - keeps, 0))
    return position.with_note(LAPSED, key, lapsed + max(left - keeps, 0))


def spent(position: Position, name: str, side: str, points: int) -> Position:
    """Return the position in which a side has spent points."""
    key = f"{name} {side}"
    for note in (SPENT, SPENT_NOW):
        position = position.with_note(note, key, (position.note(note, key) or 0) + points)
    return position
