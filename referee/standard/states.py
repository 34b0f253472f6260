"""States: what each forbids, how it is ended, and when it ends by itself."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import listed, name_of
from referee.standard.bans import verbs_for
from referee.standard.facts import (
    allowed,
    clauses_of,
    eased,
    fits,
    on_map,
    points_of,
    puts_right,
    rules_of,
    set_state,
    worth,
)
from referee.standard.notes import BECOMES, FATAL, IN_ERROR, ROLLED
from referee.standard.results import given_states
from referee.standard.states_by_choice import beginning, giving_up, is_over, propose_beginnings
from referee.standard.track import side_of_phase
from referee.standard.zones import in_zone
from vassalgen.game.counters import TURN_ENDS
from vassalgen.game.families import ClauseId, Families, StateRule
from vassalgen.game.game import Game


def section(game: Game, rules: Families) -> Section:
    """Return the rules of states."""
    found = Section("States", rules.provenance)
    _over_by_itself(found, game)
    for state in game.states:
        _put_right(found, state)
    for name, rule in rules.states.items():
        if rule.begins and name in given_states(rules):
            propose_beginnings(found, game, name, rule)
        elif rule.begins:
            beginning(found, game, name, rule)
        if rule.ends_by:
            _ended(found, rules, name, rule)
        if rule.recovers:
            _recovering(found, game, rules, name, rule)
        elif rule.given_up:
            giving_up(found, game, name, rule)
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


def _ended(found: Section, rules: Families, state: str, rule: StateRule) -> None:
    """Register a state that ends when its unit does something."""

    @found.follows(*verbs_for(rules, rule.ends_by))
    def the_stateis_over(before: Position, after: Position, action: Action) -> Position:
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


def _forbidding(rules: Families) -> Iterator[ClauseId]:
    """Yield the clauses of the bars and states that keep units from recovery."""
    yield from (bar.clause for bar in rules.bars.values() if "recover" in bar.to)
    yield from (one.forbidding("recover") for one in rules.states.values() if "recover" in one.forbids)


def _recovering(found: Section, game: Game, rules: Families, state: str, rule: StateRule) -> None:
    clause = rule.recovery or rule.clause
    title = game.states[state].title.lower()
    all_of_them = clauses_of(clause, rule.not_in_zoc, *_forbidding(rules))

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
        if is_over(position, action.piece, rule) or puts_right(position, action.piece, state):
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
        if rule.dice and not rolled and not fits(position, piece, rule.unrolled):
            says = f"{unit} is no longer {title} without a roll that allows it; it must roll first."
            yield Breach(says, facts, clause=clause)

    @found.does(f"clear {state}")
    def clear(position: Position, action: Action) -> Position:
        piece = position.pieces[action.piece]
        able = not rule.dice or position.note(ROLLED, f"{state} {piece.id}")
        able = able or fits(position, piece, rule.unrolled)
        if rule.becomes and able and piece.is_(state) and not piece.is_(rule.becomes):
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
    if not fits(position, piece, rule.recoverers):
        says = f"{unit} recovers; only {allowed(position, rule.recoverers)} may."
        yield Breach(says, facts, clause=rule.recovery or rule.clause)
    for bar in rules_of(position).bars.values():
        if "recover" in bar.to and fits(position, piece, bar.who):
            says = f"{unit} recovers; {allowed(position, bar.who) or 'no unit'} may not."
            yield Breach(says, facts, clause=bar.clause)
    for name, other in rules_of(position).states.items():
        if "recover" in other.forbids and piece.is_(name):
            says = f"{unit} recovers, but is {position.game.states[name].title.lower()} and may not."
            yield Breach(says, facts, clause=other.forbidding("recover"))
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

        @found.leaving(*phases, clause=fatal[0].fatal_clause or fatal[0].recovery or fatal[0].clause)
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
