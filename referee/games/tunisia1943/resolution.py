"""Resolution: ratio, aviation, artillery, cohesion test and combat die, in this order."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.announced import facts_of
from referee.engine.combat import Modifier, Odds
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade, number
from referee.engine.wording import listed
from referee.games.tunisia1943.account import struck, with_hemmed_in
from referee.games.tunisia1943.attacks import fought, opened
from referee.games.tunisia1943.battle import (
    ATTACKS,
    SETTLING,
    Attack,
    attack_of,
    attacks,
    calculate_odds,
    defenders,
    ems_beside,
    has_armour,
    kept,
)
from referee.games.tunisia1943.facts import ems_at, is_tiger, other, points_said
from referee.games.tunisia1943.notes import DEFENDED, WAS_ATTACKED
from referee.games.tunisia1943.odds import Said, explain
from referee.games.tunisia1943.outcomes import wrong_outcome
from vassalgen.game.provenance import RECONSTRUCTION, Provenance

rules = Section("Resolution", Provenance("rulebook", "7.2"))

OUTCOME = (
    "2.1a 2.1b 7.2b 7.2c 7.2g 9.2b 9.2c 0.1f 7.1g 7.3a 7.3b 7.3c 7.3f 7.3h 9.2d C1.4 6.2g 6.2i 11d 11e"
    " 12d 12e 12f G.2 G.3"
)
"""The clauses about which mistakes in odds and results are made."""

_LATE = {
    "aviation": "Aviation is committed to",
    "artillery": "Artillery is placed in",
    "roll cohesion": "The cohesion test is rolled for",
}


@ATTACKS.on(rules, "odds", "modifier", clause=f"{OUTCOME} 7.2d", stage="waiting")
def announced_odds_are_right(position: Position, action: Action, attack: Attack) -> Breach | None:
    """A difference breaks the clause of the mistake that explains it."""
    said = Said.of(action)
    found = explain(position, attack, said)
    if found is None:
        return None
    right = calculate_odds(position, attack)
    facts: Facts = {**facts_of(action, right), "die": f"{right.modifier:+d}"}
    sums = f"{number(right.attacking)} to {number(right.defending)}, column {right.label}"
    says = (
        f"{said.in_words} announced for the attack on {attack.target}; the right odds are {sums},"
        f" DRM {right.modifier:+d}: {found.right}."
    )
    return Breach(says, facts, found.grade, found.clause, RECONSTRUCTION)


@ATTACKS.on(rules, "aviation", "artillery", "roll cohesion", clause="7.2a 7.2d 7.2e")
def nothing_is_taken_up_again(position: Position, action: Action, attack: Attack) -> Breach | None:
    """Aviation, then artillery, then the test, then the die; what changes nothing is not late."""
    if action.verb != "roll cohesion" and points_said(action.words[-1]) == 0:
        return None
    facts: Facts = {"target": attack.target}
    if attack.die is not None:
        clause = "7.2e" if action.verb == "artillery" else "7.2a"
        says = f"{_LATE[action.verb]} the attack on {attack.target} after its combat die, which comes last."
        return Breach(says, facts, clause=clause)
    if attack.tests and action.verb != "roll cohesion":
        what = "aviation is committed" if action.verb == "aviation" else "artillery is placed"
        return Breach(
            f"In the attack on {attack.target} the cohesion test was rolled too early; {what} before it.",
            facts,
            clause="7.2a",
        )
    if attack.answered and action.verb == "aviation" and not attack.late_air:
        return Breach(
            f"In the attack on {attack.target} aviation is committed after artillery; it comes first.",
            facts,
            clause="7.2d",
        )
    return None


@ATTACKS.on(rules, "artillery", clause="7.2e")
def the_attacker_places_artillery_first(position: Position, action: Action, attack: Attack) -> Breach | None:
    """A defender who places his first, without having to, harms only himself."""
    if attack.die is not None or position.pieces[action.piece].side != attack.side:
        return None
    if attack.answered and attack.answered[0] != attack.side and attack.side not in attack.answered:
        unproven = position.game.adopted("defender-artillery-first") == "unproven"
        grade = Grade.unproven if unproven else Grade.illegal
        return Breach(
            f"The defender of {attack.target} places artillery before the attacker, who places first.",
            {"target": attack.target},
            grade,
        )
    return None


@ATTACKS.on(rules, "roll combat", clause="7.2f", stage="waiting")
def armour_calls_for_a_test(position: Position, action: Action, attack: Attack) -> Breach | None:
    if attack.tests or not has_armour(position, attack):
        return None
    if any(is_tiger(position, piece) for piece in defenders(position, attack)):
        return None
    conceded = position.game.adopted("conceding-the-test") == "yes"
    if conceded and attack.column == calculate_odds(position, attack, "conceded").column:
        return None
    says = (
        f"Armour attacks {attack.target}; a cohesion test must be rolled before the combat die, and none was."
    )
    return Breach(says, {"target": attack.target, "attackers": attack.attackers}, Grade.unproven)


@rules.on("roll combat", clause="7.2g")
def one_die_for_an_attack(position: Position, action: Action) -> Iterator[Breach]:
    attack, rolled = attack_of(position, action), action.dice[0]
    if attack is None:
        says = "A combat die was rolled; an attack must be declared first."
        yield Breach(says, {"die": rolled}, Grade.unproven)
        return
    sides = position.game.dice["combat"].sides
    if len(action.dice) > 1 or not 1 <= rolled <= sides:
        yield Breach(
            f"The combat roll is {listed([str(die) for die in action.dice])}; a die has {sides} sides.",
            {"rolled": tuple(map(str, action.dice))},
            Grade.slip,
        )
    if attack.die is not None:
        says = f"The combat die for {attack.target} is rolled again; the first roll, {attack.die}, counts."
        yield Breach(says, {"first": attack.die, "second": rolled}, Grade.unproven, "", RECONSTRUCTION)


@rules.on("result", clause="7.2g")
def the_result_is_that_of_the_table(position: Position, action: Action) -> Breach | None:
    attack, said = attack_of(position, action), action.words[0]
    if attack is None or attack.die is None:
        return Breach(
            "A result is announced; the combat die must be rolled first.", {"result": said}, Grade.unproven
        )
    if said == attack.result:
        return None
    odds = played(position, attack)
    says = (
        f"{said} was announced; a roll of {attack.die} with DRM {odds.modifier:+d} in"
        f" column {odds.label} gives {attack.result or 'no result'}."
    )
    facts: Facts = {"announced": said, "die": attack.die, "column": odds.label, "odds": odds.lines()}
    return Breach(says, facts, Grade.slip, "", position.game.tables["crt"].provenance)


def played(position: Position, attack: Attack) -> Odds:
    """Return the odds that count: the last announced, if nothing has changed them since."""
    odds = attack.odds or calculate_odds(position, attack)
    if attack.column is not None:
        odds = evolve(odds, column=attack.column)
    if attack.modifier is not None:
        odds = evolve(odds, modifiers=(Modifier("as announced", attack.modifier, "7.2g"),))
    return odds


def result_of(position: Position, odds: Odds, die: int) -> str:
    """Return the result of the table; in another interpretation there is none beyond its last rows."""
    ends = [end for ends in odds.table.row_ranges for end in ends if isfinite(end)]
    beyond = not min(ends) <= die + odds.modifier <= max(ends)
    if beyond and position.game.adopted("ends-of-the-table") == "no-effect":
        return ""
    return odds.result(die)


@ATTACKS.does(rules, "odds", stage="waiting")
def announce_column(position: Position, action: Action, attack: Attack) -> Position:
    """The announced column is the one that is played."""
    columns = position.game.tables["crt"].columns
    if action.words[0] not in columns:
        return position
    claims = _claims(position, attack, action, "column")
    return position.with_battle(evolve(attack, column=columns.index(action.words[0]), claims=claims))


@ATTACKS.does(rules, "modifier", stage="waiting")
def announce_modifier(position: Position, action: Action, attack: Attack) -> Position:
    """The announced modifier is the one that is played."""
    said = Said.of(action).modifier
    if said is None or said.denominator > 1:
        return position
    claims = _claims(position, attack, action, "modifier")
    return position.with_battle(evolve(attack, modifier=int(said), claims=claims))


def _claims(position: Position, attack: Attack, action: Action, part: str) -> dict[str, str]:
    """The clauses of the mistakes in an announcement, if it is only bookkeeping so far."""
    found = explain(position, attack, Said.of(action))
    clause = found.clause if found is not None and found.grade is Grade.slip else ""
    return {**attack.claims, part: clause}


@ATTACKS.does(rules, "result")
def announce_result(position: Position, action: Action, attack: Attack) -> Position:
    """The announced result is the one that is played."""
    code = action.words[0]
    if attack.die is None:
        return position
    table = position.game.tables["crt"]
    known = code.removesuffix("*") in table.results
    if not known or code == attack.result:
        return position
    said = evolve(attack, result=code, as_said=True)
    changed = _compared(position, said, attack.right or attack.result)
    changed = evolve(changed, wrong=changed.wrong or ("7.2g" if changed.right else ""))
    return struck(kept(position, changed), changed)


@ATTACKS.does(rules, "roll combat", stage="waiting")
def roll(position: Position, action: Action, attack: Attack) -> Position:
    """Fix the participants, the odds and the result; attackers have attacked, defenders were attacked."""
    rolled = after_roll(position, attack, action.dice[0])
    for name in (*rolled.defenders, *rolled.ems):
        position = position.with_note(WAS_ATTACKED, name, True)
        position = position.with_note(DEFENDED, name, True)
    position = struck(kept(position, rolled), rolled)
    if rolled.code == "FA" and position.game.adopted("failed-assault") == "no":
        return position
    return fought(position, rolled)


def after_roll(position: Position, attack: Attack, die: int) -> Attack:
    """Return an attack after its combat die: the participants, the odds and the result."""
    units = tuple(piece.id for piece in defenders(position, attack))
    odds, right_odds = played(position, attack), calculate_odds(position, attack)
    hexes = dict.fromkeys(position.pieces[name].where for name in attack.attackers)
    everybody = (*attack.attackers, *units, *ems_beside(position, attack))
    rolled = evolve(
        attack,
        stood={name: position.pieces[name].where for name in attack.attackers},
        defenders=units,
        ems=ems_beside(position, attack),
        die=die,
        odds=odds,
        result=result_of(position, odds, die),
        own_ems={em.id: at for at in hexes for em in ems_at(position, at, attack.side)},
        right_odds=right_odds,
        steps={name: position.pieces[name].steps for name in everybody},
    )
    rolled = _compared(position, rolled, result_of(position, right_odds, die))
    return evolve(rolled, wrong=_got_wrong(position, rolled))


def _compared(position: Position, attack: Attack, right: str) -> Attack:
    """An attack with a result, and the units that cannot retreat by it, and by the correct one if that
    differs.
    """
    attack = with_hemmed_in(position, attack)
    if right == attack.result:
        return evolve(attack, right="", right_hemmed_in={}, wrong="")
    return evolve(
        attack, right=right, right_hemmed_in=with_hemmed_in(position, evolve(attack, result=right)).hemmed_in
    )


def _got_wrong(position: Position, attack: Attack) -> str:
    """The clause by which the result is wrong: that of the column if it alone explains it."""
    right, die = attack.right_odds, attack.die
    if not attack.right or right is None or die is None:
        return ""
    column = right if attack.column is None else evolve(right, column=attack.column)
    by_column = result_of(position, column, die) != attack.right
    return attack.claims.get("column" if by_column else "modifier", "")


@SETTLING.rule(rules, OUTCOME)
def the_outcome_carried_out_is_the_right_one(position: Position, attack: Attack) -> Iterator[Breach]:
    yield from wrong_outcome(position, attack)


def odds_of(position: Position, target: str, units: tuple[str, ...]) -> Odds:
    """Return the odds that units would have against a hex now."""
    return calculate_odds(position, opened(position, target, units))


def odds_of_battle(position: Position, number_: int) -> Odds | None:
    """Return the odds of a current battle, with all that was declared in it."""
    attack = position.battle(number_)
    return (attack.odds or calculate_odds(position, attack)) if isinstance(attack, Attack) else None


@rules.proposes
def dice_and_calls(position: Position, piece: Piece) -> Iterator[Action]:
    """The rolls and declarations that a current attack allows, proposed by its first attacker."""
    for attack in attacks(position):
        if attack.rolled or not attack.attackers or attack.attackers[0] != piece.id:
            continue
        battle = attack.number
        yield Action("call off", battle=battle)
        most = position.game.values["air"].values.integer("per_combat")
        for side in (attack.side, other(attack.side)):
            if side not in attack.air and not attack.answered:
                for count in range(most + 1):
                    yield Action("aviation", words=(side, str(count)), battle=battle)
            if side not in attack.answered:
                yield Action("no artillery", words=(side,), battle=battle)
        right = calculate_odds(position, attack)
        sums = (f"attack {number(right.attacking)}", f"defence {number(right.defending)}")
        yield Action("odds", words=(right.label,), battle=battle)
        yield Action("odds", words=(right.label, *sums), battle=battle)
        yield Action("modifier", words=(str(right.modifier),), battle=battle)
        if has_armour(position, attack) and not attack.tests:
            dice = range(1, position.game.dice["cohesion"].sides + 1)
            yield from (Action("roll cohesion", dice=(a, b), battle=battle) for a in dice for b in dice)
        faces = range(1, position.game.dice["combat"].sides + 1)
        yield from (Action("roll combat", dice=(face,), battle=battle) for face in faces)
