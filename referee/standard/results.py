"""Results of combat: losses, states and retreats that a result asks for, and what was done instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.outcomes import grade_of_outcome
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of, names_of
from referee.standard.battle import (
    Fight,
    affected,
    as_proven,
    combat_of,
    consequences,
    doubted,
    failure,
    fight_after,
    fights,
    key_of,
    settling,
    table_of,
    term_clauses,
    title_of,
    with_right_result,
)
from referee.standard.facts import clauses_of, fits, losing, rules_of, set_state, units_at
from referee.standard.notes import CUT_OFF, HUNGRY, MARGIN, PASSED, ROLLED, STEPS_LOST
from referee.standard.retreat_paths import Fallback
from referee.standard.setting import the_setting
from vassalgen.game.families import Check, Consequence, Families, Outcome, StateId, StateRule
from vassalgen.game.provenance import weakest

SIDES = ("attacker", "defender")
EVERYTHING = 10**6
"""More steps than any unit has."""


def section(rules: Families) -> Section:
    """Return the rules of results."""
    found = Section("Results", rules.provenance)
    if not rules.combat:
        return found
    _effects(found, rules)
    _losses_without_cause(found, rules)
    clauses: list[str] = [outcome.clause for codes in rules.results.values() for outcome in codes.values()]
    clauses += [rules.retreat.clause, rules.retreat.blocked] if rules.retreat else []
    clauses += [combat.clause for combat in rules.combat.values()]
    clauses += term_clauses(rules).split()
    clauses += [check.clause for check in rules.checks.values()]
    clauses += [one.clause for combat in rules.combat.values() for one in combat.natural.values()]
    all_of_them = clauses_of(*clauses)

    @settling(rules).rule(found, clause=all_of_them)
    def the_result_is_carried_out(position: Position, fight: Fight) -> Iterator[Breach]:
        played = tuple(as_proven(fight, undone(position, fight)))
        if fight.right == fight.result:
            yield from played
            return
        if not tuple(undone(position, with_right_result(fight))):
            return  # the right result was carried out, whatever was announced
        yield from played
        if not played:
            yield from as_proven(fight, (_another_result(position, fight),))

    return found


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

    for state in given_states(rules):
        _marking(found, rules, state)


def given_states(rules: Families) -> tuple[StateId, ...]:
    """Return the states that results give."""
    found = [what.state for _, what in _all_consequences(rules) if what.state]
    again = [rule.again for name, rule in rules.states.items() if name in found]
    found += [StateId(str(one)) for one in again if StateId(str(one)) in rules.states]
    return tuple(dict.fromkeys(found))


def _all_consequences(rules: Families) -> Iterator[tuple[Outcome, Consequence]]:
    for codes in rules.results.values():
        for outcome in codes.values():
            yield from ((outcome, what) for what in (outcome.attacker, outcome.defender) if what)
    for combat in rules.combat.values():
        for outcome in combat.natural.values():
            yield from ((outcome, what) for what in (outcome.attacker, outcome.defender) if what)
    for check in rules.checks.values():
        found = (check.failed, *check.failed_by.values())
        yield from ((Outcome(clause=check.clause), what) for what in found if what)


def fight_that_asks(
    position: Position, action: Action, asks: Callable[[Position, Fight, str], bool]
) -> Fight | None:
    """Return the battle that belongs to something done: the last that asks for it, else the last.

    One that is named and does not ask for it gives way to another that does.
    """
    mine = [fight for fight in fights(position) if fight.rolled and action.piece in fight.units]
    asking = [fight for fight in mine if not fight.settled and asks(position, fight, action.piece)]
    named = [fight for fight in asking if fight.number == action.battle]
    found = named or asking
    return found[-1] if found else fight_after(position, action)


def asks_for_state(state: str) -> Callable[[Position, Fight, str], bool]:
    """Return how to ask whether a result of a battle still calls for a state of a unit."""

    def asks(position: Position, fight: Fight, unit: str) -> bool:
        rules = rules_of(position)
        for check, name in checks_due(position, fight):
            rule = rules.checks[check]  # type: ignore[index]
            states = {what.state for what in (rule.failed, *rule.failed_by.values()) if what}
            if name == unit and state in states:
                return True  # taken without its roll, which may have been failed
        return state not in fight.states.get(unit, ()) and any(
            state in (what.state, _again(rules, what.state)) and unit in affected(position, fight, side, what)
            for each in (fight, with_right_result(fight))
            for side in SIDES
            for _, _, what, _ in consequences(position, each, side)
        )

    return asks


def checks_due(position: Position, fight: Fight) -> Iterator[tuple[str, str]]:
    """Yield the checks that a battle asks for and that have not been made: the check and the unit."""
    if not fight.rolled:
        return
    for side in SIDES:
        for _, _, what, _ in consequences(position, fight, side):
            for name in affected(position, fight, side, what) if what.check else ():
                if left(position, fight, name) and key_of(what.check, name) not in fight.checks:
                    yield what.check, name
    for key in fight.endangered:
        check, _, name = key.partition(" ")
        if key not in fight.checks and position.pieces[name].where in position.game.map.grid:
            yield check, name


def lost(position: Position, action: Action, steps: int) -> Position:
    """Take steps off a unit, and note them in its battle."""
    unit, fight = action.piece, fight_that_asks(position, action, needed)
    if fight is not None and unit in fight.units:
        cornered = fight.cornered
        if (
            unit not in cornered
            and retreat_length(position, fight, unit)
            and not _can_retreat(position, fight, unit)
        ):
            cornered = (*cornered, unit)
        count = fight.lost.get(unit, 0) + steps
        endangered = (*fight.endangered, *_endangered(position, unit))
        fight = evolve(fight, lost={**fight.lost, unit: count}, cornered=cornered, endangered=endangered)
        position = position.with_battle(fight)
    elif position.note(CUT_OFF, unit) is not None:
        position = position.with_note(HUNGRY, unit, (position.note(HUNGRY, unit) or 0) + steps)
    side = position.pieces[unit].side
    position = position.with_note(STEPS_LOST, side, (position.note(STEPS_LOST, side) or 0) + steps)
    return losing(position, unit, steps)


def _endangered(position: Position, unit: str) -> Iterator[str]:
    """Yield the checks that others in the hex of a unit have to make as it loses steps."""
    piece = position.pieces[unit]
    for name, check in rules_of(position).checks.items():
        for other in units_at(position, piece.where, piece.side) if check.after_losses else ():
            if other.id != unit and fits(position, other, check.who):
                yield key_of(name, other.id)


def _marking(found: Section, rules: Families, state: StateId) -> None:
    rule = rules.states.get(state)
    clauses = [outcome.clause for outcome, what in _all_consequences(rules) if what.state == state]
    clause = rule.clause if rule else clauses[0]

    @found.on(f"mark {state}", clause=clause)
    def a_result_calls_for_the_state(position: Position, action: Action) -> Breach | None:
        if rules.supply and rules.supply.state == state:
            return None
        if rule and position.phase in rule.begins:
            return None
        if any(combat.state_after == state for combat in rules.combat.values()):
            return None
        if rules.retreat and rules.retreat.disorders == state:
            passed = position.note(PASSED, action.piece) is not None
            if passed or any(one.retreated for one in fights(position)):
                return None  # where a drag went is not known
        asks = asks_for_state(state)
        fight = fight_that_asks(position, action, asks)
        if fight is not None and fight.rolled and action.piece in fight.units:
            unmarked = evolve(fight, states={})
            if asks(position, unmarked, action.piece):
                return None
        if failed_now(position, action.piece, lambda what: state in (what.state, _again(rules, what.state))):
            return None
        for name, recovered in rules.states.items():
            if recovered.becomes == state and position.note(ROLLED, f"{name} {action.piece}"):
                return None
        title = position.game.states[state].title.lower()
        says = (
            f"{name_of(position, action.piece)} is marked as {title}, but no result calls for it, as"
            " one must."
        )
        return Breach(says, {"unit": action.piece}, doubted(position))

    @found.does(f"mark {state}")
    def mark(position: Position, action: Action) -> Position:
        fight = fight_that_asks(position, action, asks_for_state(state))
        if fight is not None and action.piece in fight.units:
            known = fight.states.get(action.piece, ())
            states = {**fight.states, action.piece: (*known, state)}
            position = position.with_battle(evolve(fight, states=states))
        return set_state(position, action.piece, state)

    @found.proposes
    def markings(position: Position, piece: Piece) -> Iterator[Action]:
        on_map = piece.where in position.game.map.grid
        if not on_map or piece.counter.kind not in position.game.states[state].kinds:
            return
        for fight in fights(position):
            current = fight.rolled and not fight.settled and piece.id in fight.units
            if current and state not in fight.states.get(piece.id, ()):
                yield Action(f"mark {state}", (piece.id,), battle=fight.number)


def _again(rules: Families, state: StateId) -> str:
    rule = rules.states.get(state)
    return str(rule.again) if rule else ""


def _losses_without_cause(found: Section, rules: Families) -> None:
    first = next(iter(rules.combat.values())).clause
    lasting = rules.supply.lasting_clause if rules.supply else ""

    @found.on("lose", "eliminate", clause=first)
    def a_loss_has_a_cause(position: Position, action: Action) -> Breach | None:
        fight = fight_after(position, action)
        piece, supply = position.pieces[action.piece], rules.supply
        if fight is not None and fight.rolled and piece.id in fight.units:
            return None
        if lasting and supply and piece.is_(supply.state):
            return None
        if failed_now(position, piece.id, lambda what: bool(what.lose)):
            return None
        for name, rule in rules.states.items():
            if rule.fatal and position.note(ROLLED, f"{name} {piece.id}") is False:
                return None
        says = (
            f"{name_of(position, piece.id)} takes a loss, but no result calls for it; a loss needs a result."
        )
        return Breach(says, {"unit": piece.id}, doubted(position))

    @found.proposes
    def losses(position: Position, piece: Piece) -> Iterator[Action]:
        for fight in fights(position):
            current = fight.rolled and not fight.settled and piece.id in fight.units
            if current and piece.where in position.game.map.grid and needed(position, fight, piece.id):
                verb = "lose" if piece.steps > 1 else "eliminate"
                yield Action(verb, (piece.id,), battle=fight.number)


def failed_now(position: Position, unit: str, asks: Callable[[Consequence], bool]) -> bool:
    """Return whether a unit has failed a check in this phase from which something follows."""
    for name, check in rules_of(position).checks.items():
        what = failure(check, position.note(MARGIN, key_of(name, unit)) or 0)
        if what is not None and asks(what):
            return True
    return False


def needed(position: Position, fight: Fight, unit: str) -> bool:
    """Return whether a result still asks for a loss that this unit may take."""
    return any(
        "steps missing" in breach.facts and unit in _units(breach)
        for each in (fight, with_right_result(fight))
        for breach in undone(position, each)
    )


def _units(breach: Breach) -> tuple[str, ...]:
    found = breach.facts.get("units")
    return found if isinstance(found, tuple) else ()


def undone(position: Position, fight: Fight) -> Iterator[Breach]:
    """Find what a result asks for and was not done, and losses that it does not ask for."""
    yield from _checks(position, fight)
    for side in SIDES:
        yield from _losses(position, fight, side)
        for code, outcome, what, digits in consequences(position, fight, side):
            units = affected(position, fight, side, what)
            if what.retreat:
                yield from _retreats(position, fight, units, what, amount(what.retreat, digits), code)
            if what.state:
                yield from _states(position, fight, units, what, outcome, code)


def _checks(position: Position, fight: Fight) -> Iterator[Breach]:
    """Find checks that were not made, and who is in danger and was lost by one but is still there."""
    rules, at = rules_of(position), title_of(position.game, fight)
    for name, unit in checks_due(position, fight):
        check = rules.checks[name]  # type: ignore[index]
        states = {what.state for what in (check.failed, *check.failed_by.values()) if what and what.state}
        taken = set(position.pieces[unit].states) - set(fight.had.get(unit, ()))
        if not states & taken:
            says = f"{name_of(position, unit)} must roll {title_of_dice(position, check)} after {at}."
            yield Breach(says, {"unit": unit, "check": name}, clause=check.clause)
    for key in fight.endangered:
        name, _, unit = key.partition(" ")
        check = rules.checks[name]  # type: ignore[index]
        what, piece = failure(check, fight.checks.get(key, 0)), position.pieces[unit]
        if what is not None and what.lose == "all" and piece.where in position.game.map.grid:
            says = f"{name_of(position, unit)} failed its roll after {at} and is eliminated; it is still in"
            facts: Facts = {"units": (unit,), "check": name, "steps missing": piece.steps}
            yield Breach(f"{says} {piece.where}.", facts, clause=check.clause)


def title_of_dice(position: Position, check: Check) -> str:
    """Return what the dice of a check are called."""
    dice = position.game.dice.get(check.dice)
    return (dice.title if dice else str(check.dice)).lower()


def amount(value: int | str, digits: str) -> int:
    """Return a number that may stand in the cell itself."""
    return value if isinstance(value, int) else int(digits or 1)


def left(position: Position, fight: Fight, unit: str) -> int:
    """Return the steps that a unit has left after its losses in a battle; 0 if it is off the map."""
    on_map = position.pieces[unit].where in position.game.map.grid
    return max(fight.strong.get(unit, 0) - fight.lost.get(unit, 0), 0) if on_map else 0


def _losses(position: Position, fight: Fight, side: str) -> Iterator[Breach]:
    asked = [one for one in consequences(position, fight, side) if one[2].lose]
    names = fight.attackers if side == "attacker" else fight.defenders
    least: dict[str, int] = dict.fromkeys(names, 0)
    together, clause, code, equal = 0, "", fight.result, None
    for code_, outcome, what, digits in asked:
        clause, code = clause or outcome.clause, code_
        units = affected(position, fight, side, what)
        strong = {name: fight.strong[name] for name in units}
        if what.lose == "all" or (what.lose == "exchange" and _is_weaker(position, fight, side, what)):
            least.update(strong)
        elif what.lose in ("equal", "exchange"):
            equal = (outcome, what, units)
        elif what.each:
            for name in units:
                steps = ceil(strong[name] / 2) if what.lose == "half" else amount(what.lose, digits)
                least[name] = max(least[name], min(steps, strong[name]))
        else:
            steps = ceil(sum(strong.values()) / 2) if what.lose == "half" else amount(what.lose, digits)
            together += min(steps, sum(strong.values()))
    done = {name: min(fight.lost.get(name, 0), fight.strong[name]) for name in names}
    at = title_of(position.game, fight)
    for name in names:
        if done[name] < least[name] and clause and left(position, fight, name):
            says = (
                f"{name_of(position, name)} lost {_steps(done[name])} in {at}; after {code} it"
                f" must lose {least[name]}."
            )
            facts: Facts = {
                "units": (name,),
                "result": fight.result,
                "steps missing": least[name] - done[name],
            }
            yield Breach(says, facts, clause=clause)
    total, due = sum(done.values()), max(together, sum(least.values()))
    if together and total < due and any(left(position, fight, name) for name in names):
        says = f"The {side}s lost {_steps(total)} in {at}; {code} costs them {counted(due, 'step')}."
        yield Breach(
            says, {"units": names, "result": fight.result, "steps missing": due - total}, clause=clause
        )
    yield from _losses_in_zones(position, fight, least, done)
    if equal:
        yield from _exchange(position, fight, side, *equal)
    elif any(done.values()):
        yield from _too_many(position, fight, side, done, due, clause)


def _losses_in_zones(
    position: Position, fight: Fight, least: dict[str, int], done: dict[str, int]
) -> Iterator[Breach]:
    """Steps for the zones of control that units have retreated through."""
    rule = rules_of(position).retreat
    for name, (surely, _) in fight.in_zones.items():
        if rule is None or name not in done or not surely:
            continue
        due = min(least[name] + surely * rule.zoc_loses, fight.strong[name])
        if done[name] < due and left(position, fight, name):
            says = (
                f"{name_of(position, name)} retreated through {counted(surely, 'hex')} in enemy zones of"
                f" control and lost {_steps(done[name])}; it must lose {counted(due, 'step')}."
            )
            facts: Facts = {"units": (name,), "hexes": surely, "steps missing": due - done[name]}
            yield Breach(says, facts, clause=rule.zoc or rule.clause)


def _steps(count: int) -> str:
    return counted(count, "step") if count else "no step"


def _is_weaker(position: Position, fight: Fight, side: str, what: Consequence) -> bool:
    """Return whether a side has no more printed factors, or steps, than the other: it loses all."""
    combat = combat_of(position, fight)
    attack, defence = ("", "") if what.by == "steps" else (combat.attack, combat.defence)

    def total(names: tuple[str, ...], factor: str) -> int:
        if not factor:
            return sum(fight.strong[name] for name in names)
        values = (position.pieces[name].counter.printed(factor, fight.strong[name]) for name in names)
        return sum(value for value in values if isinstance(value, int))

    attacking, defending = total(fight.attackers, attack), total(fight.defenders, defence)
    return attacking <= defending if side == "attacker" else defending <= attacking


def _exchange(
    position: Position, fight: Fight, side: str, outcome: Outcome, what: Consequence, units: tuple[str, ...]
) -> Iterator[Breach]:
    combat = combat_of(position, fight)
    other = fight.defenders if side == "attacker" else fight.attackers
    own_factor, other_factor = combat.attack, combat.defence
    if side == "defender":
        own_factor, other_factor = other_factor, own_factor
    if what.by == "steps":
        own_factor = other_factor = ""  # type: ignore[assignment]
    due = sum(_value_lost(position, fight, name, other_factor) for name in other)
    paid = sum(_value_lost(position, fight, name, own_factor) for name in units)
    if paid >= due or not any(left(position, fight, name) for name in units):
        return
    unit = "step" if what.by == "steps" else "factor"
    says = (
        f"The {side}s lost {counted(paid, unit)} in the exchange at {fight.target}; they must lose at least"
        f" {due}, as many as the other side."
    )
    yield Breach(says, {"units": units, "lost": paid, "steps missing": due - paid}, clause=outcome.clause)


def _value_lost(position: Position, fight: Fight, unit: str, factor: str) -> int:
    """What a unit lost in a battle: printed factors, or steps if no factor is named."""
    steps, counter = fight.lost.get(unit, 0), position.pieces[unit].counter
    strong = fight.strong.get(unit, 0)
    if not factor or not steps:
        return min(steps, strong)

    def printed(count: int) -> int:
        value = counter.printed(factor, count) if count > 0 else 0
        return value if isinstance(value, int) else 0

    return printed(strong) - printed(strong - steps)


def _too_many(
    position: Position, fight: Fight, side: str, done: dict[str, int], due: int, clause: str
) -> Iterator[Breach]:
    """Losses beyond what the result, a choice of it, or a blocked retreat asks for."""
    spare = 0
    for name in done:
        spare += _may_lose_besides(position, fight, side, name)
    total = sum(done.values())
    if total > due + spare:
        units = tuple(name for name, steps in done.items() if steps)
        asks = (
            f"{fight.result} costs them {counted(due, 'step')}" if due else f"{fight.result} costs them none"
        )
        says = (
            f"{names_of(position, units)} lost {counted(total, 'step')} in {title_of(position.game, fight)};"
            f" {asks}."
        )
        yield Breach(
            says,
            {"units": units, "lost": total, "due": due},
            clause=clause or combat_of(position, fight).clause,
        )


def _may_lose_besides(position: Position, fight: Fight, side: str, unit: str) -> int:
    """Steps that a unit may lose besides those that the result costs outright."""
    most, rules = 0, rules_of(position)
    dangers = [key for key in fight.endangered if key.endswith(f" {unit}")]
    most = EVERYTHING if any(fight.checks.get(key, 0) > 0 for key in dangers) else 0
    perhaps = fight.in_zones.get(unit, (0, 0))[1] * (rules.retreat.zoc_loses if rules.retreat else 0)
    for _, _, what, digits in consequences(position, fight, side):
        if unit not in affected(position, fight, side, what):
            continue
        if what.retreat:
            length = amount(what.retreat, digits)
            if may_stand(position, fight, unit, what):
                most = max(most, what.or_lose, what.or_lose_each * length)
            if rules.retreat and rules.retreat.blocked and unit in fight.cornered:
                loses = rules.retreat.blocked_loses
                most = max(most, EVERYTHING if loses == "all" else int(loses) * length)
        if what.state and what.state in fight.had.get(unit, ()):
            rule = rules.states.get(what.state)
            most = max(most, EVERYTHING if rule and rule.again else 0)
    return most + perhaps


def may_stand(position: Position, fight: Fight, unit: str, what: Consequence) -> bool:
    """Return whether a unit may lose steps in place of its retreat, from the hex where it fought."""
    index, stood = position.game.map.grid.index, fight.stood[unit]
    if not what.or_lose_in or stood not in index:
        return True
    return the_setting(position).hexes(what.or_lose_in) >> index[stood] & 1 == 1


def retreat_length(position: Position, fight: Fight, unit: str) -> int:
    """Return how many hexes a unit must retreat by either result of a battle, 0 if it need not."""
    side = "attacker" if unit in fight.attackers else "defender"
    found = [
        amount(what.retreat, digits)
        for each in (fight, with_right_result(fight))
        for _, _, what, digits in consequences(position, each, side)
        if what.retreat and unit in affected(position, fight, side, what)
    ]
    return max(found, default=0)


def fallback(position: Position, fight: Fight, unit: str, length: int) -> Fallback:
    """Return the retreat of a unit from where it fought."""
    index = position.game.map.grid.index
    return Fallback(position, position.pieces[unit], index[fight.stood[unit]], length)


def _can_retreat(position: Position, fight: Fight, unit: str) -> bool:
    if rules_of(position).retreat is None or fight.stood.get(unit) not in position.game.map.grid:
        return False
    length = retreat_length(position, fight, unit)
    return bool(fallback(position, fight, unit, length).paths())


def _retreats(
    position: Position, fight: Fight, units: tuple[str, ...], what: Consequence, length: int, code: str
) -> Iterator[Breach]:
    rule = rules_of(position).retreat
    if rule is None:
        return
    for name in units:
        steps, lost_steps = len(fight.retreated.get(name, ())), fight.lost.get(name, 0)
        if not left(position, fight, name) or steps >= length:
            continue
        missing = length - steps
        if may_stand(position, fight, name, what):
            if what.or_lose and lost_steps >= what.or_lose:
                continue
            if what.or_lose_each and lost_steps >= what.or_lose_each * missing:
                continue
        unit = name_of(position, name)
        facts: Facts = {"units": (name,), "result": fight.result}
        if steps == 0 and not _can_retreat(position, fight, name):
            if rule.blocked and not _has_paid(fight, name, rule.blocked_loses, length):
                asks = "is eliminated" if rule.blocked_loses == "all" else "loses steps instead"
                says = f"{unit} cannot retreat from {fight.stood[name]} and {asks}; it is still there."
                yield Breach(says, {**facts, "steps missing": 1}, clause=rule.blocked)
            continue
        if may_stand(position, fight, name, what) and (what.or_lose or what.or_lose_each):
            facts = {**facts, "steps missing": what.or_lose or what.or_lose_each * missing}
        done = f"retreated only {counted(steps, 'hex')}" if steps else "did not retreat"
        says = (
            f"{unit} {done} from {fight.stood[name]}; after {code} it must retreat {counted(length, 'hex')}."
        )
        yield Breach(says, facts, clause=rule.clause)


def _has_paid(fight: Fight, unit: str, loses: int | str, length: int) -> bool:
    return loses != "all" and fight.lost.get(unit, 0) >= int(loses) * length


def _states(
    position: Position, fight: Fight, units: tuple[str, ...], what: Consequence, outcome: Outcome, code: str
) -> Iterator[Breach]:
    state, rule = position.game.states[what.state], rules_of(position).states.get(what.state)
    able = [
        name
        for name in units
        if left(position, fight, name) and position.pieces[name].counter.kind in state.kinds
    ]
    missing = [name for name in able if not _has_state(position, fight, name, what.state, rule)]
    if not missing or (what.one and len(missing) < len(able)):
        return
    title = state.title.lower()
    if rule and rule.again and all(what.state in fight.had.get(name, ()) for name in missing):
        worse = "must lose a step" if rule.again in ("lose", "eliminated") else f"must be {rule.again}"
        who, at = names_of(position, missing), title_of(position.game, fight)
        says = f"{who}, already {title}, {worse} after {code} in {at}."
        yield Breach(
            says, {"units": tuple(missing), "result": fight.result, "steps missing": 1}, clause=rule.clause
        )
        return
    says = (
        f"{names_of(position, missing)} must be marked as {title} after {code} in"
        f" {title_of(position.game, fight)}."
    )
    yield Breach(says, {"units": tuple(missing), "result": fight.result}, Grade.illegal, outcome.clause)


def _has_state(position: Position, fight: Fight, unit: str, state: StateId, rule: StateRule | None) -> bool:
    """Return whether a unit got a state by a battle, or what it gets in its place as it had it already."""
    if state not in fight.had.get(unit, ()):
        return state in fight.states.get(unit, ()) or position.pieces[unit].is_(state)
    if rule is None or not rule.again:
        return True
    worse = rule.again in fight.states.get(unit, ()) or position.pieces[unit].is_(str(rule.again))
    return worse or fight.lost.get(unit, 0) > 0
