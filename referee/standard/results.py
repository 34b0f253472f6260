"""Results of combat: losses, states and retreats that a result requires, and what was done instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.outcomes import grade_of_outcome
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import name_of
from referee.standard.battle import (
    Fight,
    as_proven,
    combat_of,
    doubted,
    fight_after,
    fight_of_a_loss,
    fights,
    settling,
    table_of,
    title_of,
    with_right_result,
)
from referee.standard.captures import captors_of
from referee.standard.facts import clauses_of, fits, losing, puts_right, rules_of, set_state, units_at
from referee.standard.notes import (
    BECOMES,
    CUT_OFF,
    EXPOSED,
    FATAL,
    HUNGRY,
    MARGIN,
    PASSED,
    ROLLED,
    STEPS_LOST,
)
from referee.standard.odds import term_clauses
from referee.standard.outcomes import affected, consequences, failure, key_of, makes
from referee.standard.own_words import ALWAYS
from referee.standard.states_by_choice import against_choice, paid_for
from referee.standard.states_by_moving import may_be_due
from referee.standard.supplies import steps_due
from referee.standard.undone import SIDES, can_retreat, checks_due, first_to_lose, retreat_length, undone
from referee.standard.verbs import combats_in
from vassalgen.game.families import CombatId, Consequence, Families, Outcome, StateId
from vassalgen.game.provenance import weakest


def section(rules: Families) -> Section:
    """Return the rules of results."""
    found = Section("Results", rules.provenance)
    if not rules.combat:
        return found
    _effects(found, rules)
    _losses_without_cause(found, rules)
    clauses: list[str] = [outcome.clause for codes in rules.results.values() for outcome in codes.values()]
    clauses += [what.clause for _, what in _all_consequences(rules)]
    if rules.retreat:
        clauses += [rules.retreat.clause, rules.retreat.blocked, rules.retreat.state_clause]
    if rules.advance:
        clauses += [rules.advance.clause, rules.advance.state_clause]
    clauses += [combat.clause for combat in rules.combat.values()]
    clauses += term_clauses(rules).split()
    clauses += [check.clause for check in rules.checks.values()]
    clauses += [one.clause for combat in rules.combat.values() for one in combat.natural.values()]
    all_of_them = clauses_of(*clauses)

    @settling(rules).rule(found, clause=all_of_them)
    def the_result_is_carried_out(position: Position, fight: Fight) -> Iterator[Breach]:
        if fight.automatic and not _has_begun(position, fight):
            return  # it may not have been fought
        played = tuple(as_proven(position, fight, _unless_of_another(position, fight)))
        if fight.right == fight.result:
            yield from played
            return
        if not tuple(undone(position, with_right_result(fight))):
            return  # the right result was carried out, whatever was announced
        yield from played
        if not played:
            yield from as_proven(position, fight, (_another_result(position, fight),))

    return found


def _unless_of_another(position: Position, fight: Fight) -> Iterator[Breach]:
    """Find what a battle leaves undone: unproven if steps lost in it may belong to another battle. A unit
    that fought twice may lose the steps of both at once, and nothing shows which are which.
    """
    others = [one for one in fights(position) if one.rolled and one.number != fight.number]
    for breach in undone(position, fight):
        units = set(_units(breach))
        if "steps missing" in breach.facts:
            shared = any(_has_lost_more(position, one, units) for one in others)
        else:
            shared = "lost" in breach.facts and any(_has_lost_nothing(position, one, units) for one in others)
        yield evolve(breach, grade=min(breach.grade, Grade.unproven)) if shared else breach


def _has_lost_more(position: Position, fight: Fight, units: set[str]) -> bool:
    """Whether some units lost steps in a battle that its result does not require."""
    if any("lost" in one.facts and units & set(_units(one)) for one in undone(position, fight)):
        return True
    sides = _sides_with(fight, units)
    return any(
        not _costs(position, fight, side) and units & set(fight.lost) & set(mine) for side, mine in sides
    )


def _has_lost_nothing(position: Position, fight: Fight, units: set[str]) -> bool:
    """Whether the side of one of these units has lost nothing although the result costs it steps."""
    return any(
        _costs(position, fight, side) and not any(fight.lost.get(name) for name in mine)
        for side, mine in _sides_with(fight, units)
    )


def _sides_with(fight: Fight, units: set[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the sides on which any of these units fought in a battle, each with all its units."""
    for side, mine in zip(SIDES, (fight.attackers, fight.defenders), strict=True):
        if units & set(mine):
            yield side, mine


def _costs(position: Position, fight: Fight, side: str) -> bool:
    """Whether a result costs a side steps."""
    return any(what.lose for _, _, what, _ in consequences(position, fight, side))


def _has_begun(position: Position, fight: Fight) -> bool:
    """Return whether something has been done after a battle without dice."""
    moved = any(position.pieces[name].where != where for name, where in fight.stood.items())
    return moved or bool(fight.lost or fight.states)


def _another_result(position: Position, fight: Fight) -> Breach:
    table = table_of(position, fight)
    fought = [position.pieces[name].counter.provenance for name in fight.units]
    data = weakest(table.provenance, position.game.map.hexes[fight.target].provenance, *fought)
    grade = grade_of_outcome(fight.result, fight.right, data)
    says = (
        f"{fight.result} was carried out for {title_of(position.game, fight)}; the right result is"
        f" {fight.right}{fight.why}."
    )
    facts: Facts = {"played": fight.result, "right": fight.right}
    return Breach(says, facts, grade, fight.mistake or combat_of(position, fight).clause, data)


def _effects(found: Section, rules: Families) -> None:
    @found.does("lose")
    def lose(position: Position, action: Action) -> Position:
        return lost(position, action, 1)

    @found.does("eliminate")
    def eliminate(position: Position, action: Action) -> Position:
        return lost(position, action, position.pieces[action.piece].steps)

    if not rules.replacements:

        @found.does("regain")
        def regain(position: Position, action: Action) -> Position:
            piece = position.pieces[action.piece]
            if (fight := fight_of_a_loss(position, piece.id)) is not None:
                left = {**fight.lost, piece.id: fight.lost[piece.id] - 1}
                position = position.with_battle(evolve(fight, lost=left))
                count = position.note(STEPS_LOST, piece.side) or 0
                position = position.with_note(STEPS_LOST, piece.side, count - 1)
            return position.with_piece(piece.id, steps=min(piece.steps + 1, piece.counter.steps))

    for state in given_states(rules):
        _marking(found, rules, state)


def given_states(rules: Families) -> tuple[StateId, ...]:
    """Return the states that results give."""
    all_of_them = [what for _, what in _all_consequences(rules)]
    found = [state for what in all_of_them for state in (what.state, what.or_state) if state]
    found += [one.state for one in (rules.retreat, rules.advance) if one and one.state]
    again = [rule.again for name, rule in rules.states.items() if name in found]
    found += [StateId(str(one)) for one in again if StateId(str(one)) in rules.states]
    return tuple(dict.fromkeys(found))


def _all_consequences(rules: Families) -> Iterator[tuple[Outcome, Consequence]]:
    for codes in rules.results.values():
        for outcome in codes.values():
            yield from ((outcome, what) for what in (*outcome.attacker, *outcome.defender))
    for combat in rules.combat.values():
        for outcome in combat.natural.values():
            yield from ((outcome, what) for what in (*outcome.attacker, *outcome.defender))
    for check in rules.checks.values():
        found = (check.failed, *check.failed_by.values())
        yield from ((Outcome(clause=check.clause), what) for what in found if what)


def fight_that_asks(
    position: Position, action: Action, asks: Callable[[Position, Fight, str], bool]
) -> Fight | None:
    """Return the battle to which an action belongs: the last that requires it, otherwise the last. A battle
    that is named but does not require the action gives way to one that does.
    """
    mine = [fight for fight in fights(position) if fight.rolled and action.piece in fight.units]
    asking = [fight for fight in mine if not fight.settled and asks(position, fight, action.piece)]
    named = [fight for fight in asking if fight.number == action.battle]
    found = named or asking
    return found[-1] if found else fight_after(position, action)


def asks_for_state(state: str) -> Callable[[Position, Fight, str], bool]:
    """Return a function that says whether a result of a battle still requires a state of a unit."""

    def asks(position: Position, fight: Fight, unit: str) -> bool:
        rules = rules_of(position)
        for check, name in checks_due(position, fight):
            rule = rules.checks[check]  # type: ignore[index]
            states = {what.state for what in (rule.failed, *rule.failed_by.values()) if what}
            if name == unit and state in states:
                return True  # taken without its roll, which may have been failed
        return state not in fight.states.get(unit, ()) and any(
            state in (what.state, _again(rules, what.state), what.or_state)
            and unit in affected(position, fight, side, what)
            for each in (fight, with_right_result(fight))
            for side in SIDES
            for _, _, what, _ in consequences(position, each, side)
        )

    return asks


def lost(position: Position, action: Action, steps: int) -> Position:
    """Take steps off a unit, and note them in its battle."""
    unit, fight = action.piece, fight_that_asks(position, action, needed)
    if fight is not None and unit in fight.units:
        cornered = fight.cornered
        if (
            unit not in cornered
            and retreat_length(position, fight, unit)
            and not can_retreat(position, fight, unit)
        ):
            cornered = (*cornered, unit)
        count = fight.lost.get(unit, 0) + steps
        endangered = (*fight.endangered, *_endangered(position, unit, fight.kind))
        fight = evolve(fight, lost={**fight.lost, unit: count}, cornered=cornered, endangered=endangered)
        position = position.with_battle(fight)
    elif position.note(CUT_OFF, unit) is not None:
        position = position.with_note(HUNGRY, unit, (position.note(HUNGRY, unit) or 0) + steps)
    side = position.pieces[unit].side
    position = position.with_note(STEPS_LOST, side, (position.note(STEPS_LOST, side) or 0) + steps)
    return losing(position, unit, steps)


def _endangered(position: Position, unit: str, kind: str) -> Iterator[str]:
    """Yield the checks that others in the hex of a unit have to make as it loses steps in combat."""
    piece = position.pieces[unit]
    for name, check in rules_of(position).checks.items():
        here = not check.after_losses_in or kind in check.after_losses_in
        for other in units_at(position, piece.where, piece.side) if check.after_losses and here else ():
            if other.id != unit and makes(position, other, check):
                yield key_of(name, other.id)


def _marking(found: Section, rules: Families, state: StateId) -> None:
    rule = rules.states.get(state)
    clauses = [
        what.clause or outcome.clause
        for outcome, what in _all_consequences(rules)
        if state in (what.state, what.or_state)
    ]
    clauses += [rules.retreat.state_clause or rules.retreat.clause] if rules.retreat else []
    clause = rule.clause if rule else clauses[0]
    chosen = (rule.begins_clause, rule.begins_who_clause) if rule else ()

    @found.on(f"mark {state}", clause=clauses_of(clause, *chosen))
    def a_result_calls_for_the_state(position: Position, action: Action) -> Iterator[Breach]:
        if _is_called_for(position, action, rules, state):
            return
        unit, title = action.piece, position.game.states[state].title.lower()
        if rule and position.phase in (*rule.begins, *rule.reacts):
            for breach in against_choice(position, unit, state, rule):
                yield evolve(breach, grade=min(breach.grade, doubted(position)))
            return
        says = f"{name_of(position, unit)} is marked as {title}; only a result or a failed roll marks"
        yield Breach(f"{says} a unit so, and none did.", {"unit": unit}, doubted(position), clause)

    @found.does(f"mark {state}")
    def mark(position: Position, action: Action) -> Position:
        is_chosen = rule and rule.points and not _is_called_for(position, action, rules, state)
        fight = fight_that_asks(position, action, asks_for_state(state))
        if fight is not None and action.piece in fight.units:
            known = fight.states.get(action.piece, ())
            states = {**fight.states, action.piece: (*known, state)}
            position = position.with_battle(evolve(fight, states=states))
        marked = set_state(position, action.piece, state)
        return paid_for(marked, action.piece, rule) if rule and is_chosen else marked

    @found.proposes
    def markings(position: Position, piece: Piece) -> Iterator[Action]:
        on_map = piece.where in position.game.map.grid
        if not on_map or piece.counter.kind not in position.game.states[state].kinds:
            return
        if position.note(BECOMES, piece.id) == state and not piece.is_(state):
            yield Action(f"mark {state}", (piece.id,))
        for fight in fights(position):
            current = fight.rolled and not fight.settled and piece.id in fight.units
            if current and state not in fight.states.get(piece.id, ()):
                yield Action(f"mark {state}", (piece.id,), battle=fight.number)


def _is_called_for(position: Position, action: Action, rules: Families, state: StateId) -> bool:
    """Return whether something other than its owner's choice may have put a unit into a state."""
    if rules.supply and rules.supply.state == state:
        return True
    if puts_right(position, action.piece, state):
        return True
    if any(combat.state_after == state for combat in rules.combat.values()):
        return True
    if rules.retreat and rules.retreat.disorders == state:
        passed = position.note(PASSED, action.piece) is not None
        side = position.pieces[action.piece].side
        gone = (name for one in fights(position) for name in one.retreated)
        if passed or any(position.pieces[name].side == side for name in gone):
            return True  # where a drag went is not known
    asks = asks_for_state(state)
    fight = fight_that_asks(position, action, asks)
    if rules.retreat and rules.retreat.state == state and _retreats_far(position, action.piece):
        return True
    if fight is not None and fight.rolled and action.piece in fight.units:
        unmarked = evolve(fight, states={})
        if asks(position, unmarked, action.piece):
            return True
    if failed_now(position, action.piece, lambda what: state in (what.state, _again(rules, what.state))):
        return True
    if position.note(BECOMES, action.piece) == state or may_be_due(position, action.piece, state):
        return True
    for name, recovered in rules.states.items():
        if recovered.becomes == state and position.note(ROLLED, f"{name} {action.piece}"):
            return True
    return False


def _retreats_far(position: Position, unit: str) -> bool:
    """Return whether a unit has retreated, or must retreat, far enough to enter a state."""
    rule = rules_of(position).retreat
    if rule is None or not fits(position, position.pieces[unit], rule.state_who):
        return False
    return any(
        max(retreat_length(position, fight, unit), len(fight.retreated.get(unit, ()))) >= rule.state_from
        for fight in fights(position)
        if fight.rolled and unit in fight.units
    )


def _again(rules: Families, state: StateId) -> str:
    rule = rules.states.get(state)
    return str(rule.again) if rule else ""


def _losses_without_cause(found: Section, rules: Families) -> None:
    first = next(iter(rules.combat))
    lasting = rules.supply.lasting_clause if rules.supply else ""

    @found.on("lose", "eliminate", clause=clauses_of(*(one.clause for one in rules.combat.values())))
    def a_loss_has_a_cause(position: Position, action: Action) -> Breach | None:
        fight = fight_after(position, action)
        piece, supply = position.pieces[action.piece], rules.supply
        if fight is not None and fight.rolled and piece.id in fight.units:
            return None
        starving = lasting and supply is not None and piece.is_(supply.state)
        if starving and supply is not None and (ALWAYS in supply.when or steps_due(position, piece, supply)):
            return None
        if failed_now(position, piece.id, lambda what: bool(what.lose)):
            return None
        if position.note(FATAL, piece.id) or position.note(EXPOSED, piece.id):
            return None
        if rules.captured and any(captors_of(position, piece, one) for one in rules.captured.all):
            return None
        says = (
            f"{name_of(position, piece.id)} takes a loss; units lose steps only to a result, and none"
            " costs it one."
        )
        # how long it has been out of supply is not always known
        grade = min(doubted(position), Grade.unproven) if starving else doubted(position)
        here = next(iter(combats_in(rules, position.phase)), first)
        return Breach(says, {"unit": piece.id}, grade, rules.combat[CombatId(here)].clause)

    @found.proposes
    def losses(position: Position, piece: Piece) -> Iterator[Action]:
        for fight in fights(position):
            current = fight.rolled and not fight.settled and piece.id in fight.units
            if not current or piece.where not in position.game.map.grid:
                continue
            if needed(position, fight, piece.id) and not waits_for_others(position, fight, piece.id):
                verb = "lose" if piece.steps > 1 else "eliminate"
                yield Action(verb, (piece.id,), battle=fight.number)


def failed_now(position: Position, unit: str, asks: Callable[[Consequence], bool]) -> bool:
    """Return whether a unit has failed a check in this phase that has consequences."""
    for name, check in rules_of(position).checks.items():
        what = failure(check, position.note(MARGIN, key_of(name, unit)) or 0)
        if what is not None and asks(what):
            return True
    return False


def needed(position: Position, fight: Fight, unit: str) -> bool:
    """Return whether a result still requires a loss that this unit may take."""
    return any(
        "steps missing" in breach.facts and unit in _units(breach)
        for each in (fight, with_right_result(fight))
        for breach in undone(position, each)
    )


def waits_for_others(position: Position, fight: Fight, unit: str) -> bool:
    """Return whether other units of its side must take the first loss of a result, and have not."""
    side = "attacker" if unit in fight.attackers else "defender"
    for _, _, what, _ in consequences(position, fight, side):
        leading = first_to_lose(position, fight, side, what)
        if leading and unit not in leading and not any(fight.lost.get(name) for name in leading):
            return True
    return False


def _units(breach: Breach) -> tuple[str, ...]:
    found = breach.facts.get("units")
    return found if isinstance(found, tuple) else ()
