"""The combat results table: what each result requires, and what was done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.announced import Explanation
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade, number
from referee.engine.wording import counted, name_of
from referee.games.postcard1943.battle import (
    ATTACKS,
    SETTLING,
    Attack,
    after_no_retreat,
    attack_for,
    attack_of,
    attacked_alone,
    attacks,
    disrupted_by,
    is_churchill,
    lone_churchills,
    suffers_disruption,
)
from referee.games.postcard1943.combat import decided
from referee.games.postcard1943.facts import is_sound, is_unit, the_field
from referee.games.postcard1943.notes import (
    ARRIVED,
    DISRUPTION_DUE,
    FREED_IN_ERROR,
    LATE_ATTACKS,
    MARKED_IN_ERROR,
    PUT_AWAY,
    TAKEN_OFF,
)
from referee.games.postcard1943.odds import ODDS_CLAUSES
from referee.games.postcard1943.outcomes import (
    another_result,
    attack_factor,
    duty,
    may_be_lost,
    results_of,
    worth,
)
from referee.games.postcard1943.retreat_paths import retreat_paths, with_cornered
from vassalgen.game.provenance import Provenance

rules = Section("Combat results table", Provenance("rulebook", "Combat Results Table"))


@rules.on("result", clause="crt.1")
def the_result_is_that_of_the_table(position: Position, action: Action) -> Breach | None:
    attack = attack_of(position, action)
    if attack is None or not attack.rolled or attack.column is None:
        says = f"The result {action.words[0]} is announced; the combat die must be rolled first."
        return Breach(says, {"result": action.words[0]}, Grade.unproven)
    if action.words[0] in (attack.result, attack.printed, attack.right):
        return None
    table = position.game.tables["crt"]
    announced = f"{action.words[0]} is announced for the attack on {attack.target}"
    says = f"{announced}; {_of_the_table(position, attack)}."
    facts: Facts = {"die": attack.die, "column": table.columns[attack.column], "announced": action.words[0]}
    return Breach(says, facts, Grade.slip, "", table.provenance)


def _of_the_table(position: Position, attack: Attack) -> str:
    column = position.game.tables["crt"].columns[attack.column or 0]
    return f"a {attack.die} in the {column} column gives {attack.result}"


@ATTACKS.does(rules, "result", stage="rolled")
def announce(position: Position, action: Action, attack: Attack) -> Position:
    """The announced result is the one that is played."""
    if action.words[0] not in position.game.tables["crt"].results:
        return position
    code = after_no_retreat(attack, action.words[0])
    if code == attack.result:
        return position
    mistake = attack.mistake or Explanation("crt.1", _of_the_table(position, attack))
    played = evolve(attack, result=code, printed=action.words[0], mistake=mistake)
    return disrupted_by(position.with_battle(with_cornered(position, played)), played)


SETTLING.rule(rules, clause=f"{ODDS_CLAUSES} crt.1")(another_result)


CARRIED_OUT = {
    "eliminate": {"AE": "crt.2", "DE": "crt.8"},
    "retreat": {"D": "retreat.3", "Dr": "crt.6", "DR": "crt.7"},
    "advance": dict.fromkeys(("D", "Dr", "DR", "DE"), "advance.1"),
}
"""The clauses by which results are carried out."""


@rules.on("eliminate", clause="crt.2 crt.8")
@rules.on("retreat", clause="retreat.3 crt.6 crt.7")
@rules.on("advance", clause="advance.1")
def results_are_carried_out_before_the_next_die(position: Position, action: Action) -> Breach | None:
    """Results belong to the order of an attack; late decisions and late bookkeeping look the same.

    What is done after the phase was reported at its end: whether it was done in time after all is then only
    unproven.
    """
    attack = attack_for(position, action)
    clause = CARRIED_OUT[action.verb].get(attack.result) if attack else None
    if attack is None or clause is None:
        return None
    later = tuple(each.target for each in attacks(position) if each.roll_number > attack.roll_number)
    over = position.phase == "recovery"
    if not (later or over):
        return None
    when, grade = ("the combat phase", Grade.unproven) if over else ("the next combat die", Grade.slip)
    says = (
        f"{name_of(position, action.piece)} carries out the {attack.result} at {attack.target} only after"
        f" {when}; a result is carried out at once."
    )
    return Breach(says, {"unit": action.piece, "rolled for since": later}, grade, clause)


SETTLING.settles(rules)


def only_results_eliminate(position: Position, action: Action) -> Iterator[Breach]:
    unit, attack = action.piece, attack_for(position, action)
    name = name_of(position, unit)
    if attacked_alone(position, unit):
        return
    if attack is None or not attack.rolled:
        says = (
            f"{name} is eliminated, but no combat result eliminates it; units are eliminated only in combat."
        )
        yield Breach(says, {"unit": unit}, clause="crt.1")
        return
    if any(may_be_lost(position, each, unit) for each in results_of(attack)):
        return
    facts: Facts = {"unit": unit, "result": attack.result}
    if attack.result == "AE" and position.pieces[unit].side == attack.side:
        if unit in attack.attackers:
            says = (
                f"{name} is eliminated by AE, but its attack factor, {number(attack_factor(position, unit))},"
                f" is above the defenders' total of {number(worth(position, attack))}."
            )
            yield Breach(says, facts, Grade.unproven, "crt.2")
        else:
            says = (
                f"{name} is eliminated by AE, which eliminates attackers; it did not attack {attack.target}."
            )
            yield Breach(says, facts, clause="crt.2")
    elif attack.result == "DE":
        says = f"{name} is eliminated by DE, which eliminates defenders; it did not defend {attack.target}."
        yield Breach(says, facts, clause="crt.8")
    else:
        says = f"{name} is eliminated; the result of the attack on {attack.target} is only {attack.result}."
        yield Breach(says, facts, clause="crt.1")


rules.on("eliminate", clause="crt.1 crt.2 crt.8 church.2")(only_results_eliminate)


@rules.does("eliminate")
def eliminate(position: Position, action: Action) -> Position:
    """Take the unit off the map, into its side's box of losses.

    Churchills attacked alone need no die: this decides the attack [church.3].
    """
    unit, where = action.piece, position.pieces[action.piece].where
    if where in position.game.map.grid and any(only_results_eliminate(position, action)):
        position = _may_be_put_back(position, unit)
    else:
        position = position.without_note(DISRUPTION_DUE, unit)
    if alone := attacked_alone(position, unit):
        position = decided(position, evolve(alone, printed="DE"), "DE")
    attack = attack_for(position, action)
    if attack and unit not in attack.lost:
        position = position.with_battle(evolve(attack, lost=(*attack.lost, unit)))
    box = f"{position.pieces[unit].side}-lost"
    return position.with_piece(unit, where=box if box in position.game.map.boxes else "", states={})


def _may_be_put_back(position: Position, unit: str) -> Position:
    """Remember the hex of a unit that nothing eliminates, and that it was Disrupted if it was marked."""
    piece = position.pieces[unit]
    mark = piece.states.get("disrupted")
    if mark is not None and mark.since is not None and (MARKED_IN_ERROR, unit) not in position.notes:
        position = position.with_note(FREED_IN_ERROR, unit, mark.since)
    return position.with_note(TAKEN_OFF, unit, piece.where)


@rules.on("put away", clause="crt.1")
def units_stay_on_the_map(position: Position, action: Action) -> Breach | None:
    """One that entered during this phase may be put back; any other was perhaps put aside for a moment."""
    unit = action.piece
    if position.pieces[unit].where in position.game.map.boxes or not is_unit(position, position.pieces[unit]):
        return None
    if position.phase == "reinforcements" and (ARRIVED, unit) in position.notes:
        return None
    says = (
        f"{name_of(position, unit)} is taken off the map, but no combat result eliminates it;"
        " a unit leaves the map only when eliminated."
    )
    return Breach(says, {"unit": unit, "hex": position.pieces[unit].where}, Grade.unproven)


@rules.does("put away")
def put_away(position: Position, action: Action) -> Position:
    """Take the unit off the map; one that entered during this turn has then not entered."""
    unit, where = action.piece, position.pieces[action.piece].where
    if where in position.game.map.boxes or not is_unit(position, position.pieces[unit]):
        return position  # a waiting unit goes on waiting, and a lost one stays lost, wherever it is put
    if (ARRIVED, unit) not in position.notes and where in position.game.map.grid:
        position = position.with_note(PUT_AWAY, unit, (where, position.phase))
    return position.without_note(ARRIVED, unit).with_piece(unit, where="")


@rules.leaving("combat", "recovery", "reinforcements", "end", clause="crt.1")
def units_put_aside_come_back(position: Position) -> Iterator[Breach]:
    """A unit put aside while others move or fight is back before the phase ends, at the latest in the combat
    phase.
    """
    for unit, (where, phase) in position.noted(PUT_AWAY).items():
        due = "combat" if phase == "movement" else phase
        if due == position.phase and position.pieces[unit].where == "":
            says = (
                f"{name_of(position, unit)} was taken off the map from {where} and not put back;"
                " a unit leaves the map only when eliminated."
            )
            yield Breach(says, {"unit": unit, "hex": where})


@duty(rules, clause="crt.2")
def attackers_up_to_the_defenders_strength_are_lost(position: Position, attack: Attack) -> Iterator[Breach]:
    if attack.result != "AE" or lone_churchills(position, attack):
        return
    churchills = [name for name in attack.attackers if is_churchill(position, name)]
    others = [name for name in attack.attackers if name not in churchills]
    counting = others if position.game.adopted("churchills-in-ae") == "besides" else attack.attackers
    most = worth(position, attack)
    lost = sum((attack_factor(position, name) for name in attack.lost if name in counting), Fraction(0))
    gone = sum((attack_factor(position, name) for name in churchills if name in counting), Fraction(0))
    best = gone + _nearest([attack_factor(position, name) for name in others], max(most - gone, Fraction(0)))
    facts: Facts = {"lost": number(lost), "defenders": number(most), "nearest": number(best)}
    says = (
        f"Attackers worth {counted(best, 'factor')} must be eliminated by the AE at {attack.target}, as close"
        f" as possible to the defenders' {number(most)}; the losses are {counted(lost, 'factor')}."
    )
    if best and not lost:
        yield Breach(says, facts)
    elif lost != best and (position.game.adopted("ae-losses") == "nearest" or lost > most):
        yield Breach(says, facts, Grade.unproven)


@duty(rules, clause="crt.3")
def all_attackers_are_disrupted_by_ad(position: Position, attack: Attack) -> Iterator[Breach]:
    if attack.result == "AD" and not lone_churchills(position, attack):
        yield from _unmarked(position, attack, attack.attackers)


@duty(rules, clause="crt.4")
def all_units_are_disrupted_by_bd(position: Position, attack: Attack) -> Iterator[Breach]:
    if attack.result == "BD" and not lone_churchills(position, attack):
        everybody = (*attack.attackers, *attack.defenders)
        yield from _unmarked(position, attack, everybody)


@duty(rules, clause="crt.5")
def all_defenders_are_disrupted_by_d(position: Position, attack: Attack) -> Iterator[Breach]:
    if attack.result == "D":
        yield from _unmarked(position, attack, attack.defenders)


@duty(rules, clause="crt.6")
def all_defenders_retreat_by_dr(position: Position, attack: Attack) -> Iterator[Breach]:
    if attack.result == "Dr":
        yield from _stayed(position, attack, 1)


@duty(rules, clause="crt.6 crt.7")
def retreating_units_are_disrupted(position: Position, attack: Attack) -> Iterator[Breach]:
    if attack.result in ("Dr", "DR"):
        clause = "crt.6" if attack.result == "Dr" else "crt.7"
        went = [name for name in attack.defenders if name in attack.retreated]
        for breach in _unmarked(position, attack, went):
            yield evolve(breach, clause=clause)


@duty(rules, clause="crt.7")
def all_defenders_retreat_two_hexes_by_dr(position: Position, attack: Attack) -> Iterator[Breach]:
    if attack.result == "DR":
        yield from _stayed(position, attack, 2)


@duty(rules, clause="crt.8")
def all_defenders_are_eliminated_by_de(position: Position, attack: Attack) -> Iterator[Breach]:
    if attack.result != "DE" or lone_churchills(position, attack):
        return
    for name in attack.defenders:
        if name not in attack.lost:
            says = f"{name_of(position, name)} must be eliminated by the DE at {attack.target}; it is not."
            yield Breach(says, {"unit": name})


def _stayed(position: Position, attack: Attack, length: int) -> Iterator[Breach]:
    """Defenders that did not retreat as far as they must, and could have: at the die, and still can."""
    for name in attack.defenders:
        went = len(attack.retreated.get(name, ()))
        if name in attack.lost or went >= length or is_churchill_alone(position, attack):
            continue
        facts: Facts = {"unit": name, "result": attack.result, "hexes": went}
        unit = name_of(position, name)
        start = position.with_piece(name, where=attack.target)
        if name not in attack.cornered.get(attack.result, ()) and retreat_paths(start, attack, name, length):
            unproven = went and _is_at_the_end_of_a_rout(position, attack, name)
            far = f"retreated {went}" if went else "did not"
            hexes = counted(length, "hex")
            says = f"{unit} must retreat {hexes} from {attack.target} after {attack.result}; it {far}."
            yield Breach(says, facts, Grade.unproven if unproven else Grade.illegal)
        elif position.game.adopted("no-way-to-retreat") == "eliminated":
            says = f"{unit} has no path of retreat from {attack.target} and must be eliminated; it is not."
            yield Breach(says, facts)
        elif attack.result == "DR" and position.game.adopted("no-way-to-retreat") == "as-no-retreat":
            says = (
                f"{unit} has no path of retreat from {attack.target} and must be eliminated, as if No Retreat"
                " had been declared; it is not."
            )
            yield Breach(says, facts, Grade.unproven)


def _is_at_the_end_of_a_rout(position: Position, attack: Attack, name: str) -> bool:
    """Return whether a unit one hex away may have gone two, because no path of two leads farther away
    [crt.7].
    """
    grid, end = position.game.map.grid, position.pieces[name].where
    paths = retreat_paths(position.with_piece(name, where=attack.target), attack, name, 2)
    return any(grid.names[path[-1]] == end for path in paths)


def is_churchill_alone(position: Position, attack: Attack) -> bool:
    """Lone Churchills are lost with any result; nothing else is required of them [church.3]."""
    return lone_churchills(position, attack)


def _unmarked(position: Position, attack: Attack, units: Iterable[str]) -> Iterator[Breach]:
    for name in units:
        if name in attack.lost or name in attack.disrupted or not is_sound(position.pieces[name]):
            continue
        if position.pieces[name].where not in position.game.map.grid:
            continue  # it was lost in another battle
        if the_field(position).is_(name, "undisruptable"):
            continue
        if is_churchill(position, name) and name in attack.attackers:
            continue  # eliminated instead [church.2]
        if lone_churchills(position, attack) and name in attack.defenders:
            continue
        unit = name_of(position, name)
        says = f"{unit} is Disrupted by the {attack.result} at {attack.target} and must be marked; it is not."
        yield Breach(says, {"unit": name, "result": attack.result})


@rules.entering("recovery")
def what_is_left_undone_may_be_done_late(position: Position) -> Position:
    """What was reported when the phase ended is not reported again if it is done later."""
    return position.with_note(LATE_ATTACKS, "", SETTLING.open(position))


def _nearest(factors: list[Fraction], worth: Fraction) -> Fraction:
    sums = (
        sum(some, Fraction(0)) for count in range(len(factors) + 1) for some in combinations(factors, count)
    )
    return max(total for total in sums if total <= worth)


@rules.proposes
def consequences(position: Position, piece: Piece) -> Iterator[Action]:
    """Losses and Disruption that a current battle demands of a unit; its first attacker has the last word."""
    for attack in attacks(position):
        if not attack.rolled or attack.settled:
            continue
        if piece.id == attack.attackers[0]:
            yield Action("result", words=(attack.result,), battle=attack.number)
            yield Action("settle", battle=attack.number)
        if piece.where not in position.game.map.grid:
            continue
        if may_be_lost(position, attack, piece.id):
            yield Action("eliminate", (piece.id,), battle=attack.number)
        if is_sound(piece) and suffers_disruption(attack, piece.id):
            yield Action("disrupt", (piece.id,), battle=attack.number)
