"""What a result of combat requires and was not done, and losses that it does not require."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from referee.engine.position import Position
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, listed, name_of, names_of
from referee.standard.battle import (
    Fight,
    combat_of,
    each_as_target_hit,
    fights,
    harmed,
    title_of,
    with_right_result,
)
from referee.standard.facts import rules_of
from referee.standard.outcomes import (
    affected,
    checked_before,
    checking,
    consequences,
    failure,
    fits_as_fought,
    key_of,
    outcomes,
    part_of,
)
from referee.standard.retreat_paths import Fallback
from referee.standard.setting import the_setting
from vassalgen.game.families import NOBODY, Check, Consequence, Outcome, StateId

SIDES = ("attacker", "defender")
EVERYTHING = 10**6
"""More steps than any unit has."""


def undone(position: Position, fight: Fight) -> Iterator[Breach]:
    """Find what a result requires and was not done, and losses that it does not require.

    Of several units that may be the single target it is the one for which least is amiss.
    """
    yield from min((tuple(_undone(position, one)) for one in each_as_target_hit(fight)), key=len)
    if len(names := harmed(fight)) > 1:
        at = title_of(position.game, fight)
        says = f"{names_of(position, names)} suffered by {at}; it is made on a single unit."
        yield Breach(says, {"units": names}, clause=combat_of(position, fight).clause)


def _undone(position: Position, fight: Fight) -> Iterator[Breach]:
    yield from _checks(position, fight)
    for side in SIDES:
        yield from _losses(position, fight, side)
        for code, outcome, what, digits in consequences(position, fight, side):
            units = affected(position, fight, side, what)
            if what.retreat:
                yield from _retreats(position, fight, units, what, amount(what.retreat, digits), code)
            if what.state:
                yield from _states(position, fight, units, what, outcome, code)


def checks_due(position: Position, fight: Fight) -> Iterator[tuple[str, str]]:
    """Yield the checks that a battle requires and that have not been made: the check and the unit."""
    for early, unit in checked_before(position, fight):
        on_map = position.pieces[unit].where in position.game.map.grid
        if on_map and key_of(early, unit) not in fight.checks:
            yield early, unit
    if not fight.rolled:
        return
    for side in SIDES:
        for _, _, what, _ in consequences(position, fight, side):
            units = checking(position, fight, side, what)
            if what.one and any(key_of(what.check, name) in fight.checks for name in units):
                continue
            for name in units:
                if left(position, fight, name) and key_of(what.check, name) not in fight.checks:
                    yield what.check, name
    for key in fight.endangered:
        check, _, name = key.partition(" ")
        if key not in fight.checks and position.pieces[name].where in position.game.map.grid:
            yield check, name


def _checks(position: Position, fight: Fight) -> Iterator[Breach]:
    """Find checks that were not made, and who is in danger and was lost by one but is still there."""
    rules, at = rules_of(position), title_of(position.game, fight)
    single = _checked_by_one(position, fight)
    for name, unit in checks_due(position, fight):
        if unit in single:
            continue
        check = rules.checks[name]  # type: ignore[index]
        states = {what.state for what in (check.failed, *check.failed_by.values()) if what and what.state}
        taken = set(position.pieces[unit].states) - set(fight.had.get(unit, ()))
        if not states & taken:
            when = "for" if fight.kind in check.before else "after"
            says = (
                f"{name_of(position, unit)} must roll {title_of_dice(position, check)} {when} {at}; it did"
                " not."
            )
            yield Breach(says, {"unit": unit, "check": name}, clause=check.clause)
    for key in fight.endangered:
        name, _, unit = key.partition(" ")
        check = rules.checks[name]  # type: ignore[index]
        what, piece = failure(check, fight.checks.get(key, 0)), position.pieces[unit]
        if what is not None and what.lose == "all" and piece.where in position.game.map.grid:
            says = f"{name_of(position, unit)} failed its roll after {at} and is eliminated; it is still in"
            facts: Facts = {"units": (unit,), "check": name, "steps missing": piece.steps}
            yield Breach(f"{says} {piece.where}.", facts, clause=check.clause)


def _checked_by_one(position: Position, fight: Fight) -> frozenset[str]:
    """The units that need not check because another of their side does."""
    found: set[str] = set()
    for side in SIDES:
        for _, _, what, _ in consequences(position, fight, side):
            if what.one:
                found |= {*checking(position, fight, side, what)[1:]}
    return frozenset(found)


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
    clauses: dict[str, str] = {}
    together, clause, code, equal = 0, "", fight.result, None
    for code_, outcome, what, digits in asked:
        clause, code = clause or outcome.clause, code_
        units = affected(position, fight, side, what)
        if what.lose == "all" or (what.lose == "exchange" and _is_weaker(position, fight, side, what)):
            least.update({name: fight.strong[name] for name in units})
            clauses.update(dict.fromkeys(units, outcome.clause))
            continue
        units = bearing(position, units)
        strong = {name: fight.strong[name] for name in units}
        if what.lose in ("equal", "exchange"):
            equal = (outcome, what, units)
        elif what.each:
            for name in units:
                clauses.setdefault(name, outcome.clause)
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
            yield Breach(says, facts, clause=clauses.get(name, clause))
    total, due = sum(done.values()), max(together, sum(least.values()))
    if together and total < due and any(left(position, fight, name) for name in names):
        says = f"The {side}s lost {_steps(total)} in {at}; {code} costs them {counted(due, 'step')} in all."
        yield Breach(
            says, {"units": names, "result": fight.result, "steps missing": due - total}, clause=clause
        )
    yield from _first_losses(position, fight, side, total >= due)
    yield from _losses_in_zones(position, fight, least, done)
    if equal:
        yield from _exchange(position, fight, side, *equal)
    elif any(done.values()):
        cell = part_of(position, fight, side, fight.result)
        clause = clause or next((outcome.clause for _, _, outcome in outcomes(position, fight, cell)), "")
        yield from _too_many(position, fight, side, done, together + sum(least.values()), clause)


def bearing(position: Position, units: tuple[str, ...]) -> tuple[str, ...]:
    """Return the units among which a result counts losses: leaders who go along with others lose nothing
    as long as there are others. Only a result that eliminates all concerns them.
    """
    kinds = position.game.kinds
    found = tuple(name for name in units if not kinds[position.pieces[name].counter.kind].along)
    return found or units


def first_to_lose(position: Position, fight: Fight, side: str, what: Consequence) -> tuple[str, ...]:
    """Return the units of a side one of which must take the first step loss of a result."""
    costs = what.lose or what.or_lose or what.or_lose_each
    if (what.first == NOBODY and not what.first_by) or not costs:
        return ()
    names = bearing(position, affected(position, fight, side, what))
    if what.first != NOBODY:
        names = tuple(name for name in names if fits_as_fought(position, fight, name, what.first))
    if not what.first_by:
        return tuple(names)
    strength = {name: _printed(position, fight, name, what.first_by) for name in names}
    return tuple(name for name in names if strength[name] == max(strength.values()))


def _printed(position: Position, fight: Fight, unit: str, factor: str) -> int:
    """A factor of a unit as printed, with the steps that it had when the dice were rolled."""
    value = position.pieces[unit].counter.printed(factor, fight.strong.get(unit, 0))
    return value if isinstance(value, int) else 0


def _first_losses(position: Position, fight: Fight, side: str, enough: bool) -> Iterator[Breach]:
    """Find losses taken by other units than those that must take the first ones."""
    for code, outcome, what, _ in consequences(position, fight, side):
        leading = first_to_lose(position, fight, side, what)
        others = [name for name in affected(position, fight, side, what) if name not in leading]
        lost = what.lose or any(_lost_by_choice(position, fight, name) for name in others)
        if enough and leading and lost and not any(fight.lost.get(name) for name in leading):
            names = listed([name_of(position, name) for name in leading], "or")
            says = f"The first step that {code} costs the {side}s must be lost by {names}; others lost it."
            facts: Facts = {"units": leading, "result": fight.result}
            yield Breach(says, facts, clause=what.first_clause or outcome.clause)


def _lost_by_choice(position: Position, fight: Fight, unit: str) -> bool:
    """Return whether a unit lost a step only instead of retreating."""
    rule = rules_of(position).retreat
    in_zones = fight.in_zones.get(unit, (0, 0))[1] * (rule.zoc_loses if rule else 0)
    return unit not in fight.cornered and fight.lost.get(unit, 0) > in_zones


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
    """Return whether a side has no more printed factors, or steps, than the other: it loses everything."""
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
    """Losses beyond what the result, a choice of it, or a blocked retreat requires."""
    spare = 0
    for name in done:
        spare += _may_lose_besides(position, fight, side, name)
    total = sum(done.values())
    if total > due + spare:
        units = tuple(name for name, steps in done.items() if steps)
        asks = f"{fight.result} costs the {side}s {counted(due, 'step') if due else 'no step'}"
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
            left_there = position.pieces[unit].where != fight.stood[unit]
            gone = len(fight.retreated.get(unit, ())) if left_there else 0
            most = max(most, *in_place_of_hexes(position, fight, unit, what, length - gone), 0)
            if rules.retreat and rules.retreat.blocked and unit in fight.cornered:
                loses = rules.retreat.blocked_loses
                most = max(most, EVERYTHING if loses == "all" else int(loses) * length)
        for state in {what.state, what.or_state} - {""}:
            known = state in fight.had.get(unit, ())
            if known or _gets_by_another(position, fight, unit, state):
                rule = rules.states.get(StateId(state))
                most = max(most, EVERYTHING if rule and rule.again else 0)
    return most + perhaps


def _gets_by_another(position: Position, fight: Fight, unit: str, state: str) -> bool:
    """Return whether another battle puts a unit into a state, so that the marker may be a late one."""
    others = (one for one in fights(position) if one.rolled and one.number != fight.number)
    return any(
        what.state == state and unit in affected(position, one, side, what)
        for one in others
        for side in SIDES
        for _, _, what, _ in consequences(position, one, side)
    )


def in_place_of_hexes(
    position: Position, fight: Fight, unit: str, what: Consequence, missing: int
) -> tuple[int, ...]:
    """Return how many steps a unit may lose instead of retreating so many hexes more, one number for each
    choice that it has.
    """
    index, stood = position.game.map.grid.index, fight.stood[unit]
    inside = not what.or_lose_in or stood not in index
    inside = inside or the_setting(position).hexes(what.or_lose_in) >> index[stood] & 1 == 1
    choices = [what.or_lose] if inside and missing > 0 else []
    choices += [what.or_lose_each * max(missing, 0)] if inside or what.or_lose else []
    return tuple(steps for steps in choices if steps)


def retreat_length(position: Position, fight: Fight, unit: str) -> int:
    """Return how many hexes a unit must retreat by the result of a battle, announced or right; 0 if it need
    not.
    """
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


def can_retreat(position: Position, fight: Fight, unit: str) -> bool:
    """Return whether a unit has a legal retreat from where it fought."""
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
        if what.together:
            lost_steps = sum(fight.lost.get(one, 0) for one in units)
        if not left(position, fight, name) or steps >= length:
            continue
        missing = length - steps
        if what.or_state and _has_state(position, fight, name, what.or_state):
            continue
        choices = in_place_of_hexes(position, fight, name, what, missing)
        if any(lost_steps >= steps for steps in choices):
            continue
        unit = name_of(position, name)
        facts: Facts = {"units": (name,), "result": fight.result}
        if steps == 0 and not can_retreat(position, fight, name):
            if rule.blocked and not _has_paid(fight, name, rule.blocked_loses, length):
                asks = "is eliminated" if rule.blocked_loses == "all" else "loses steps instead"
                says = f"{unit} cannot retreat from {fight.stood[name]} and {asks}; it is still there."
                yield Breach(says, {**facts, "steps missing": 1}, clause=rule.blocked)
            continue
        if choices:
            facts = {**facts, "steps missing": min(choices)}
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
    missing = [name for name in able if not _has_state(position, fight, name, what.state)]
    if what.one and not what.check and len(marked := _newly(position, fight, able, what.state)) > 1:
        at, title = title_of(position.game, fight), state.title.lower()
        says = f"{names_of(position, marked)} are marked as {title} after {code} in {at}; one unit is."
        yield Breach(says, {"units": marked, "result": fight.result}, clause=outcome.clause)
    if not missing or (what.one and len(missing) < len(able)):
        return
    title = state.title.lower()
    if rule and rule.again and all(what.state in fight.had.get(name, ()) for name in missing):
        worse = "must lose a step" if rule.again in ("lose", "eliminated") else f"must be {rule.again}"
        who, at = names_of(position, missing), title_of(position.game, fight)
        says = f"{who}, already {title}, {worse} after {code} in {at}."
        yield Breach(
            says,
            {"units": tuple(missing), "result": fight.result, "steps missing": 1},
            clause=rule.again_clause or rule.clause,
        )
        return
    says = (
        f"{names_of(position, missing)} must be marked as {title} after {code} in"
        f" {title_of(position.game, fight)}; no marker was placed."
    )
    yield Breach(says, {"units": tuple(missing), "result": fight.result}, Grade.illegal, outcome.clause)


def _newly(position: Position, fight: Fight, units: Sequence[str], state: StateId) -> tuple[str, ...]:
    """Return the units that are in a state because of this battle and no other."""
    return tuple(
        name
        for name in units
        if position.pieces[name].is_(state)
        and state in fight.states.get(name, ())
        and state not in fight.had.get(name, ())
        and not _gets_by_another(position, fight, name, state)
    )


def _has_state(position: Position, fight: Fight, unit: str, state: StateId) -> bool:
    """Return whether a battle put a unit into a state, or into the next one because it was in that state
    already.
    """
    rule = rules_of(position).states.get(state)
    if state not in fight.had.get(unit, ()):
        worse = rule is not None and position.pieces[unit].is_(str(rule.again))
        return worse or state in fight.states.get(unit, ()) or position.pieces[unit].is_(state)
    if rule is None or not rule.again:
        return True
    worse = rule.again in fight.states.get(unit, ()) or position.pieces[unit].is_(str(rule.again))
    return worse or fight.lost.get(unit, 0) > 0
