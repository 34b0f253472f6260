"""States: what each forbids, how it is ended, and when it ends by itself."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade, number
from referee.engine.wording import counted, listed, name_of, names_of
from referee.standard.attackers import move_of
from referee.standard.bans import verbs_for
from referee.standard.facts import (
    allowed,
    clauses_of,
    eased,
    fits,
    has_done,
    on_map,
    points_of,
    puts_right,
    rules_of,
    set_state,
    worth,
)
from referee.standard.notes import BECOMES, FATAL, IN_ERROR, ROLLED, TRAIL, Trail
from referee.standard.results import given_states
from referee.standard.states_by_moving import may_be_due
from referee.standard.track import number_of, side_of_phase
from referee.standard.zones import in_zone
from vassalgen.game.counters import TURN_ENDS
from vassalgen.game.families import Bar, Families, PhaseId, StateRule
from vassalgen.game.game import Game


def section(game: Game, rules: Families) -> Section:
    """Return the rules of states."""
    found = Section("States", rules.provenance)
    _over_by_itself(found, game)
    for state in game.states:
        _put_right(found, state)
    for name, rule in rules.states.items():
        if rule.begins and name not in given_states(rules):
            _beginning(found, game, name, rule)
        if rule.ends_by:
            _ended(found, rules, name, rule)
        if rule.recovers:
            _recovering(found, game, rules, name, rule)
        elif rule.given_up:
            _giving_up(found, game, name, rule)
        elif not rules.supply or rules.supply.state != name:
            _clearing(found, name)
            is_over_with_the_next = rules.activations is not None and rules.activations.state == name
            if not game.states[name].ends and not rule.ends_by and not is_over_with_the_next:
                _never_ending(found, game, name, rule)
    judged = {*given_states(rules), *([rules.supply.state] if rules.supply else [])}
    judged |= {name for name, rule in rules.states.items() if rule.begins}
    for state in game.states:
        if state not in rules.states and state not in judged:
            _clearing(found, state)
        if state not in judged:
            _marking(found, state)
    for dice in dict.fromkeys(rule.dice for rule in rules.states.values() if rule.dice):
        _rolling(found, rules, dice)
    return found


def _put_right(found: Section, state: str) -> None:
    """Register that a state set or removed against the rules is reported once, and may be corrected."""

    @found.follows(f"mark {state}", f"clear {state}")
    def what_was_wrong_is_noted(before: Position, after: Position, action: Action) -> Position:
        unit, about = action.piece, f"{state} {action.piece}"
        if before.pieces[unit].is_(state) == after.pieces[unit].is_(state):
            return after
        if puts_right(before, unit, state) or not before.judge(action).breaches:
            return after.without_note(IN_ERROR, about)
        return after.with_note(IN_ERROR, about, after.pieces[unit].is_(state))


def _marking(found: Section, state: str) -> None:
    """Register a state that no rule causes: players mark it as they like."""

    @found.does(f"mark {state}")
    def mark(position: Position, action: Action) -> Position:
        return set_state(position, action.piece, state)


def _clearing(found: Section, state: str) -> None:
    @found.does(f"clear {state}")
    def clear(position: Position, action: Action) -> Position:
        return position.with_state(action.piece, state, None)


def _never_ending(found: Section, game: Game, state: str, rule: StateRule) -> None:
    @found.on(f"clear {state}", clause=rule.clause)
    def no_rule_ends_it(position: Position, action: Action) -> Breach | None:
        if not position.pieces[action.piece].is_(state) or puts_right(position, action.piece, state):
            return None
        title = game.states[state].title.lower()
        says = f"{name_of(position, action.piece)} is no longer {title}; no rule ends that."
        return Breach(says, {"unit": action.piece, "state": state}, Grade.unproven)


def _beginning(found: Section, game: Game, state: str, rule: StateRule) -> None:
    """Register a state that players may put their units into."""
    title, clause = game.states[state].title.lower(), rule.begins_clause or rule.clause

    @found.on(f"mark {state}", clause=clause)
    def the_state_begins_when_it_may(position: Position, action: Action) -> Iterator[Breach]:
        unit, does = action.piece, f"becomes {title}"
        if puts_right(position, unit, state) or may_be_due(position, unit, state):
            return
        if position.phase in rule.reacts and position.side not in ("", position.pieces[unit].side):
            if not fits(position, position.pieces[unit], rule.reacts_who):
                says = f"{name_of(position, unit)} {does} in the enemy player turn; only"
                yield Breach(
                    f"{says} {allowed(position, rule.reacts_who)} may.", {"unit": unit}, clause=clause
                )
            return
        yield from _not_when_it_may(position, unit, state, rule, rule.begins, does, clause)

    @found.does(f"mark {state}")
    def mark(position: Position, action: Action) -> Position:
        marked = set_state(position, action.piece, state)
        own = position.side in ("", position.pieces[action.piece].side)
        return paid_for(marked, action.piece, rule) if own else marked

    @found.proposes
    def beginnings(position: Position, piece: Piece) -> Iterator[Action]:
        able = piece.counter.kind in game.states[state].kinds and piece.where in position.game.map.grid
        own = position.side in ("", piece.side)
        if able and position.phase in (rule.begins if own else rule.reacts) and not piece.is_(state):
            yield Action(f"mark {state}", (piece.id,))


def _giving_up(found: Section, game: Game, state: str, rule: StateRule) -> None:
    """Register a state that players may take their units out of."""
    title, clause = game.states[state].title.lower(), rule.begins_clause or rule.clause

    @found.on(f"clear {state}", clause=clause)
    def the_state_is_given_up_when_it_may(position: Position, action: Action) -> Iterator[Breach]:
        unit = action.piece
        done = _is_over(position, unit, rule) or puts_right(position, unit, state)
        if position.pieces[unit].is_(state) and not done:
            does = f"is no longer {title}"
            yield from _not_when_it_may(position, unit, state, rule, rule.given_up, does, clause)

    @found.does(f"clear {state}")
    def clear(position: Position, action: Action) -> Position:
        if not position.pieces[action.piece].is_(state):
            return position
        return paid_for(position.with_state(action.piece, state, None), action.piece, rule)

    @found.proposes
    def endings(position: Position, piece: Piece) -> Iterator[Action]:
        if position.phase in rule.given_up and piece.is_(state) and piece.where in position.game.map.grid:
            yield Action(f"clear {state}", (piece.id,))


def _is_over(position: Position, unit: str, rule: StateRule) -> bool:
    """Return whether a unit has done what ends a state, though its marker may still be there."""
    return bool(has_done(position, unit, rule.ends_by))


def _not_when_it_may(
    position: Position,
    unit: str,
    state: str,
    rule: StateRule,
    phases: tuple[PhaseId, ...],
    does: str,
    clause: str,
) -> Iterator[Breach]:
    """Find why a unit may not enter or leave a state by its owner's choice."""
    piece, who, facts = position.pieces[unit], name_of(position, unit), {"unit": unit}
    mine = on_map(position, piece.side) if rule.most else ()
    already = [one.id for _, one in mine if one.is_(state) and one.id != unit]
    if position.phase not in phases:
        says = f"{who} {does} in the {position.phase} phase; only the {listed(phases, 'or')} phase allows it."
        yield Breach(says, facts, clause=clause)
    elif position.side not in ("", piece.side):
        says = f"{who} {does} in the enemy player turn; it may do so only in its own."
        yield Breach(says, facts, clause=clause)
    elif phases is rule.begins and not fits(position, piece, rule.who):
        yield Breach(f"{who} {does}; only {allowed(position, rule.who)} may.", facts, clause=clause)
    elif phases is rule.begins and rule.most and len(already) >= number_of(position, rule.most, piece.side):
        says = f"{who} {does} after {names_of(position, already)}"
        most = counted(number_of(position, rule.most, piece.side), "unit")
        yield Breach(f"{says}; {most} of a side may be so at a time.", facts, clause=clause)
    elif rule.points and (move := move_of(position, unit)) is not None:
        if rule.points == "all":
            if move.spent:
                says = f"{who} {does} after it has moved; that takes its whole move."
                yield Breach(says, facts, clause=clause)
        elif move.spent + int(rule.points) * move.setting.scale > move.budget:
            left = number(Fraction(max(move.budget - move.spent, 0), move.setting.scale))
            costs = counted(int(rule.points), move.movement.unit)
            yield Breach(f"{who} {does}; that costs {costs}, and it has {left} left.", facts, clause=clause)


def paid_for(position: Position, unit: str, rule: StateRule) -> Position:
    """Subtract the movement points that a state costs from a unit."""
    move = move_of(position, unit) if rule.points else None
    if move is None:
        return position
    trail = move.trail or Trail(move.start, movement=move.name)
    whole = rule.points == "all"
    spent = move.budget if whole else move.spent + int(rule.points) * move.setting.scale
    return position.with_note(TRAIL, unit, evolve(trail, spent=spent, stopped=trail.stopped or whole))


def _ended(found: Section, rules: Families, state: str, rule: StateRule) -> None:
    """Register a state that ends when its unit does something."""

    @found.follows(*verbs_for(rules, rule.ends_by))
    def the_state_is_over(before: Position, after: Position, action: Action) -> Position:
        for name in action.pieces:
            if before.pieces[name].is_(state) and after.pieces[name].is_(state):
                after = after.with_state(name, state, None)
        return after


def _over_by_itself(found: Section, game: Game) -> None:
    """Register the states that end with a phase or with the turn."""
    ending = {name: state.ends for name, state in game.states.items() if state.ends}
    if not ending:
        return
    phases = tuple(phase.id for phase in game.sequence.phases)

    @found.following(*phases)
    def states_end(position: Position) -> Position:
        calendar, stop = position.world.calendar, position.clock.stop
        before = calendar.stops[stop - 1].phase.id
        over = {name for name, end in ending.items() if end == before or (end == TURN_ENDS and stop == 0)}
        if not over:
            return position
        pieces = {
            name: evolve(piece, states={key: mark for key, mark in piece.states.items() if key not in over})
            if over & set(piece.states)
            else piece
            for name, piece in position.pieces.items()
        }
        return evolve(position, pieces=pieces)


def _forbidding(rules: Families) -> tuple[Bar | StateRule, ...]:
    """The bars and states that keep units from recovery."""
    bars = (bar for bar in rules.bars.values() if "recover" in bar.to)
    return (*bars, *(rule for rule in rules.states.values() if "recover" in rule.forbids))


def _recovering(found: Section, game: Game, rules: Families, state: str, rule: StateRule) -> None:
    clause = rule.recovery or rule.clause
    title = game.states[state].title.lower()
    all_of_them = clauses_of(clause, rule.not_in_zoc, *(one.clause for one in _forbidding(rules)))

    @found.on(f"clear {state}", clause=all_of_them)
    def recovery_has_its_conditions(position: Position, action: Action) -> Iterator[Breach]:
        piece, unit = position.pieces[action.piece], name_of(position, action.piece)
        facts: Facts = {"unit": action.piece, "state": state}
        if not piece.is_(state) and rule.automatic:
            return  # the marker of a unit that recovered by itself is removed
        if not piece.is_(state):
            says = f"{unit} is no longer {title}; it was not marked so."
            yield Breach(says, facts, Grade.slip, clause)
            return
        if _is_over(position, action.piece, rule) or puts_right(position, action.piece, state):
            return
        if position.phase not in rule.recovers:
            says = (
                f"{unit} is no longer {title} in the {position.phase} phase; units recover in the"
                f" {listed(rule.recovers, 'or')} phase."
            )
            yield Breach(says, facts, clause=clause)
            return
        rolled = position.note(ROLLED, f"{state} {piece.id}")
        for breach in _not_able(position, piece, state, rule):
            if rolled is None or breach.clause != rule.not_in_zoc:  # otherwise it was reported at the roll
                yield breach
        if rule.dice and not rolled:
            says = f"{unit} is no longer {title} without a roll that allows it; it must roll first."
            yield Breach(says, facts, clause=clause)

    @found.does(f"clear {state}")
    def clear(position: Position, action: Action) -> Position:
        rolled = not rule.dice or position.note(ROLLED, f"{state} {action.piece}")
        piece = position.pieces[action.piece]
        if rule.becomes and rolled and piece.is_(state) and not piece.is_(rule.becomes):
            position = position.with_note(BECOMES, action.piece, rule.becomes)
        return position.with_state(action.piece, state, None)

    if rule.becomes:
        _becoming(found, game, state, rule)

    @found.proposes
    def recoveries(position: Position, piece: Piece) -> Iterator[Action]:
        on_map = piece.where in position.game.map.grid
        if position.phase in rule.recovers and piece.is_(state) and on_map:
            if rule.dice:
                dice = game.dice[rule.dice]
                for face in range(1, dice.sides + 1):
                    yield Action(f"roll {rule.dice}", (piece.id,), dice=(face,) * dice.count)
            yield Action(f"clear {state}", (piece.id,))

    if rule.automatic:
        phases = tuple(phase.id for phase in game.sequence.phases)

        @found.following(*phases)
        def units_recover(position: Position) -> Position:
            calendar, stop = position.world.calendar, position.clock.stop
            before = calendar.stops[stop - 1]
            if before.phase.id not in rule.recovers:
                return position
            turn = position.turn - (stop == 0)
            side = before.side or side_of_phase(position, before.phase.id, turn)
            for piece in position.pieces.values():
                if piece.is_(state) and not tuple(_not_able(position, piece, state, rule, side)):
                    position = position.with_state(piece.id, state, None)
                    position = set_state(position, piece.id, rule.becomes) if rule.becomes else position
            return position


def _becoming(found: Section, game: Game, state: str, rule: StateRule) -> None:
    """Register that a unit that has recovered is in another state then, of which it may recover in turn."""

    @found.follows(f"mark {rule.becomes}")
    def it_has_been_marked(before: Position, after: Position, action: Action) -> Position:
        return after.without_note(BECOMES, action.piece)

    @found.leaving(*rule.recovers, clause=rule.recovery or rule.clause)
    def it_is_in_another_state(position: Position) -> Iterator[Breach]:
        was, becomes = game.states[state].title.lower(), game.states[rule.becomes].title.lower()
        for unit, after in position.noted(BECOMES).items():
            piece = position.pieces[unit]
            marked = {state, rule.becomes} & set(piece.states)
            if after == rule.becomes and not marked and piece.where in position.game.map.grid:
                says = f"{name_of(position, unit)} is no longer {was} and must be marked as {becomes}"
                yield Breach(f"{says}; no marker was placed.", {"unit": unit, "state": rule.becomes})


def _not_able(
    position: Position, piece: Piece, state: str, rule: StateRule, side: str | None = None
) -> Iterator[Breach]:
    """Find what keeps a unit from recovery, now or in a phase of a side that is just over."""
    side = position.side if side is None else side
    unit, facts = name_of(position, piece.id), {"unit": piece.id, "state": state}
    own, by = piece.side == side, rule.recovers_by
    if side and by != "both" and own != (by == "active"):
        turns = ("its own player turn", "the enemy's") if own else ("the enemy player turn", "their own")
        says = f"{unit} recovers in {turns[0]}; units recover in {turns[1]}."
        yield Breach(says, facts, clause=rule.recovery or rule.clause)
    if not rule.begins and not fits(position, piece, rule.who):
        says = f"{unit} recovers; only {rule.who.text} may."
        yield Breach(says, facts, clause=rule.recovery or rule.clause)
    for bar in rules_of(position).bars.values():
        if "recover" in bar.to and fits(position, piece, bar.who):
            says = f"{unit} recovers; {allowed(position, bar.who) or 'no unit'} may not."
            yield Breach(says, facts, clause=bar.clause)
    for name, other in rules_of(position).states.items():
        if "recover" in other.forbids and piece.is_(name):
            says = f"{unit} recovers, but is {position.game.states[name].title.lower()} and may not."
            yield Breach(says, facts, clause=other.clause)
    if rule.not_in_zoc and in_zone(position, piece.id):
        says = f"{unit} recovers in an enemy zone of control; it may not."
        yield Breach(says, facts, clause=rule.not_in_zoc)


def need_of(position: Position, piece: Piece, rule: StateRule) -> int:
    """Return the number with which a unit's roll to recover is compared."""
    need, grid = rule.need, position.game.map.grid
    if rule.near and piece.where in grid:
        close = [
            other
            for _, other in on_map(position, piece.side)
            if other.id != piece.id and fits(position, other, rule.near.who)
        ]
        if any(
            grid.distance(piece.where, other.where) <= points_of(position, other, rule.near.hexes)
            for other in close
        ):
            need = rule.near.need
    return need if isinstance(need, int) else worth(position, piece, need)


def _rolling(found: Section, rules: Families, dice: str) -> None:
    with_it = {name: rule for name, rule in rules.states.items() if rule.dice == dice}
    clauses = clauses_of(*(rule.recovery or rule.clause for rule in with_it.values()))
    zocs = clauses_of(*(rule.not_in_zoc for rule in with_it.values()))
    fatal = [rule for rule in with_it.values() if rule.fatal]

    if fatal:
        phases = dict.fromkeys(phase for rule in fatal for phase in rule.recovers)

        @found.leaving(*phases, clause=fatal[0].recovery or fatal[0].clause)
        def units_are_lost_by_a_fatal_roll(position: Position) -> Iterator[Breach]:
            for name, roll in position.noted(FATAL).items():
                if position.pieces[name].where in position.game.map.grid:
                    says = f"{name_of(position, name)} rolled {roll} and is lost; it is still on the map."
                    yield Breach(says, {"unit": name, "roll": roll})

        @found.proposes
        def losses_by_a_fatal_roll(position: Position, piece: Piece) -> Iterator[Action]:
            if position.note(FATAL, piece.id) and piece.where in position.game.map.grid:
                yield Action("eliminate", (piece.id,))

    @found.on(f"roll {dice}", clause=clauses)
    def a_roll_to_recover_has_its_time(position: Position, action: Action) -> Iterator[Breach]:
        piece, unit = position.pieces[action.piece], name_of(position, action.piece)
        mine = {name: rule for name, rule in with_it.items() if piece.is_(name)}
        first = next(iter(with_it.values()))
        facts: Facts = {"unit": piece.id}
        if not mine:
            says = f"{unit} rolls to recover, but there is nothing to recover from."
            yield Breach(says, facts, Grade.slip, first.recovery or first.clause)
        for name, rule in mine.items():
            clause = rule.recovery or rule.clause
            if position.phase not in rule.recovers:
                says = (
                    f"{unit} rolls to recover in the {position.phase} phase; units recover in the"
                    f" {listed(rule.recovers, 'or')} phase."
                )
                yield Breach(says, facts, clause=clause)
            elif position.note(ROLLED, f"{name} {piece.id}") is not None:
                yield Breach(f"{unit} rolls to recover a second time in this phase.", facts, clause=clause)

    if zocs:

        @found.on(f"roll {dice}", clause=zocs)
        def not_in_a_zone_of_control(position: Position, action: Action) -> Iterator[Breach]:
            piece = position.pieces[action.piece]
            for name, rule in with_it.items():
                if rule.not_in_zoc and piece.is_(name):
                    yield from (
                        each
                        for each in _not_able(position, piece, name, rule)
                        if each.clause == rule.not_in_zoc
                    )

    @found.does(f"roll {dice}")
    def roll(position: Position, action: Action) -> Position:
        piece, total = position.pieces[action.piece], sum(action.dice)
        for name, rule in with_it.items():
            if piece.is_(name):
                easier = eased(position, piece, rule.adds, rule.adds_within, rule.changes)
                need = need_of(position, piece, rule)
                passed = total + easier >= need if rule.at_least else total <= need + easier
                if total in rule.fatal and not fits(position, piece, rule.fatal_not):
                    passed, position = False, position.with_note(FATAL, piece.id, total)
                position = position.with_note(ROLLED, f"{name} {piece.id}", passed)
        return position
