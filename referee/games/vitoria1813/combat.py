"""A combat, fire or melee: declared, reckoned, thrown for, and done with."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.combat import Odds
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade, number
from referee.engine.settling import settled
from referee.games.vitoria1813.battle import (
    SETTLING,
    Fight,
    attacked_before,
    defending,
    fight_of,
    fights,
    is_charging,
    is_pursuit,
    modifiers,
    reckon,
    result_of,
    services,
    total,
    undone,
    waiting,
)
from referee.games.vitoria1813.facts import generals_at, is_combat
from referee.games.vitoria1813.fire import CHART
from referee.games.vitoria1813.melee import left_out, lookers_on
from referee.games.vitoria1813.notes import (
    DECLARED,
    FIRED,
    FIRED_IN_TURN,
    FIRED_ON,
    FOUGHT_ON,
    SERVICES,
)
from vassalgen.game.provenance import Provenance

rules = Section("Combat", Provenance("rulebook", "7.2, 7.3"))


@rules.does("attack", "fire")
def declare(position: Position, action: Action) -> Position:
    """Open the combat under its number, or the next one."""
    side = position.pieces[action.piece].side
    last = position.note(DECLARED) or 0
    battle = action.battle or last + 1
    fire = action.verb == "fire"
    charging = tuple(name for name in action.pieces if is_charging(position.pieces[name]))
    pursuit = not fire and is_pursuit(position, action)
    spared = () if fire or pursuit else attacked_before(position, action.target)
    fight = Fight(
        battle,
        action.target,
        action.pieces,
        side,
        fire,
        (action.target,),
        spared=spared,
        charging=charging,
        pursuit=pursuit,
    )
    return position.with_battle(fight).with_note(DECLARED, "", max(battle, last))


@rules.does("also")
def add_hex(position: Position, action: Action) -> Position:
    """Attack one more hex."""
    fight = fight_of(position, action)
    if fight is None or fight.rolled:
        return position
    spared = (*fight.spared, *attacked_before(position, action.target, fight.number))
    return position.with_battle(evolve(fight, targets=(*fight.targets, action.target), spared=spared))


@rules.does("spare")
def spare(position: Position, action: Action) -> Position:
    """Leave units of the hex out."""
    fight = fight_of(position, action)
    if fight is None or fight.rolled:
        return position
    return position.with_battle(evolve(fight, spared=(*fight.spared, *action.pieces)))


@rules.does("call off")
def cancel(position: Position, action: Action) -> Position:
    """Drop a combat that has had no die; the generals who would have helped in it have not served."""
    fight = fight_of(position, action)
    if fight is None or fight.rolled:
        return position
    for general in (*fight.leaders, *fight.helpers):
        done = position.note(SERVICES, general) or ()
        still = tuple(one for one in done if one not in services(fight, position.side))
        position = position.with_note(SERVICES, general, still)
    return position.without_battle(fight.number)


MISTAKES = (
    ("8e", "charge all the same", "a pursuit into difficult ground may not be a charge any more"),
    ("5.3b", "no terrain", "cavalry and artillery fight at half value in woods and built-up hexes"),
    ("6.2c", "no doubling", "artillery is doubled against two units in a hex"),
    ("7.7c", "no disorder", "the disordered defend at half value"),
    ("7.7c", "disorder up", "disorder rounds down"),
    ("8d", "no charge", "charging cavalry is doubled"),
    ("7.3b", "rounding down", "values are rounded up"),
    ("7.1h", "one defender", "all who are attacked defend together"),
)


@rules.on(
    "odds",
    clause="5.3b 6.1e 6.1g 6.2c 7.1h 7.1i 7.2d 7.3b 7.3c 7.7c 8d 8e",
)
def the_ratio_is_announced_rightly(position: Position, action: Action) -> Breach | None:
    """A wrong sum is laid to the clause whose neglect makes it; a wrong column from right sums to 7.2d."""
    fight = fight_of(position, action)
    if fight is None:
        return None
    right = reckon(position, fight)
    said_attack, said_defence = _said(action, "attack"), _said(action, "defence")
    table = position.game.tables["crt"]
    word = action.words[0]
    facts: Facts = {
        "announced": " ".join(action.words),
        "attack": right.attacking,
        "defence": right.defending,
        "column": right.label,
    }
    wrong_attack = said_attack is not None and said_attack != right.attacking
    wrong_defence = said_defence is not None and said_defence != right.defending
    if wrong_attack or wrong_defence:
        for clause, mistake, rule in MISTAKES:
            if clause == "8e" and not fight.pursuit:
                continue
            other_ = reckon(position, fight, mistake)
            fits = (said_attack in (None, other_.attacking)) and (said_defence in (None, other_.defending))
            if fits and (other_.attacking, other_.defending) != (right.attacking, right.defending):
                named = "8e" if clause == "8d" and fight.pursuit else clause
                grade = Grade.unproven if mistake == "charge all the same" else Grade.slip
                return Breach(rule, facts, grade, named, CHART)
        clause = "7.1i" if wrong_attack else "7.1h"
        amount = number(right.attacking if wrong_attack else right.defending)
        return Breach(f"it is {amount} by the counters", facts, Grade.slip, clause, CHART)
    if word == right.label or word not in table.columns:
        return None
    unshifted = table.columns[min(max(right.natural, 0), len(table.columns) - 1)]
    if right.shifts and word == unshifted:
        clause = "6.1g" if said_attack is None else "7.3c"
        return Breach("fire at the next hex shifts the column", facts, Grade.slip, clause, CHART)
    clause = "6.1e" if fight.is_fire else "7.2d"
    says = f"{number(right.attacking)} to {number(right.defending)} is {right.label}"
    return Breach(says, facts, Grade.slip, clause, CHART)


def _said(action: Action, label: str) -> Fraction | None:
    for word in action.words:
        if word.startswith(f"{label} "):
            return Fraction(word.split()[1])
    return None


@rules.does("odds")
def announce_odds(position: Position, action: Action) -> Position:
    """What the players announce is what they play by."""
    fight, columns = fight_of(position, action), position.game.tables["crt"].columns
    if fight is None or fight.rolled or action.words[0] not in columns:
        return position
    return position.with_battle(evolve(fight, column=columns.index(action.words[0])))


@rules.on("modifier", clause="5.3d 5.3e 7.3d 10g")
def the_die_is_modified_rightly(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    if fight is None:
        return None
    right, said = modifiers(position, fight), int(action.words[0])
    if said in {total(modifiers(position, one)) for one in _by_each_hex(fight)}:
        return None
    clause = "7.3d"
    for name, mistake in (("5.3e", "one terrain"), ("5.3d", "road shelters")):
        if said == total(modifiers(position, fight, mistake)):
            clause = name
            break
    engineers = sum(part.amount for part in right if part.clause == "10g")
    by = position.game.values["engineers"].values.integer("built_up")
    if said in (
        total(right) - engineers if engineers else None,
        total(right) + by if not engineers else None,
    ):
        near = any(
            piece.counter.kind == "engineer" and piece.side == fight.enemy
            for where in fight.targets
            for hex_ in position.game.map.grid.within(where, 1)
            for piece in position.at(hex_)
        )
        clause = "10g" if near else clause
    told = tuple(f"{part.amount:+d} {part.what}" for part in right)
    facts: Facts = {"announced": said, "right": total(right), "made of": told}
    return Breach(f"{total(right):+d} is added to the die, not {said:+d}", facts, Grade.slip, clause, CHART)


def _by_each_hex(fight: Fight) -> Iterator[Fight]:
    """The combat as if each attacked hex were the first, whose terrain counts: the rules do not say which."""
    for where in fight.targets:
        others = tuple(other for other in fight.targets if other != where)
        yield evolve(fight, targets=(where, *others))


@rules.does("modifier")
def announce_modifier(position: Position, action: Action) -> Position:
    """What the players announce is what they play by."""
    fight = fight_of(position, action)
    if fight is None or fight.rolled:
        return position
    return position.with_battle(evolve(fight, modifier=int(action.words[0])))


@rules.on("roll combat", clause="7.2e")
def one_die_for_a_combat(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    if fight is None:
        return Breach("no combat was declared", {"die": action.dice[0]}, Grade.unproven)
    if not fight.rolled:
        return None
    says = f"the combat at {fight.target} has had its die, {fight.die}"
    facts: Facts = {"first": fight.die, "second": action.dice[0]}
    return Breach(says, facts, Grade.illegal if action.battle else Grade.unproven)


@rules.on("roll combat", clause="7.2d")
def no_attack_is_worse_than_the_table(position: Position, action: Action) -> Breach | None:
    """By one reading."""
    fight = fight_of(position, action)
    if fight is None or fight.rolled or position.game.adopted("ends-of-table") == "last":
        return None
    right = reckon(position, fight)
    if not right.below:
        return None
    says = f"{number(right.attacking)} to {number(right.defending)} is below the table: there is no attack"
    facts: Facts = {"attack": right.attacking, "defence": right.defending}
    return Breach(says, facts, provenance=CHART)


@rules.on("roll combat", clause="7.2f")
def one_combat_is_done_before_the_next(position: Position, action: Action) -> Iterator[Breach]:
    this = fight_of(position, action)
    if this is None or this.rolled:
        return
    for fight in SETTLING.open(position):
        still = undone(position, fight) if fight.number != this.number else ()
        if still:
            says = f"the die is thrown before {', '.join(still)} has left {fight.target}"
            yield Breach(says, {"unsettled": fight.target, "units": still})
            return


@rules.does("roll combat")
def throw(position: Position, action: Action) -> Position:
    """Fix who fights and what the die gives."""
    fight = fight_of(position, action)
    if fight is None or fight.rolled:
        return position
    there = tuple(piece.id for piece in defending(position, fight))
    known = (*fight.attackers, *there, *fight.leaders)
    column = fight.column if fight.column is not None else reckon(position, fight).column
    added = fight.modifier if fight.modifier is not None else total(modifiers(position, fight))
    order = max((each.order for each in fights(position)), default=0) + 1
    rolled = evolve(
        fight,
        defenders=there,
        stood={name: position.pieces[name].where for name in known},
        generals=_generals_in(position, fight),
        steps={name: position.pieces[name].steps for name in known if is_body(position.pieces[name])},
        die=action.dice[0],
        column=column,
        modifier=added,
        given=result_of(position, fight, column, action.dice[0] + added),
        idle=lookers_on(position, fight),
        order=order,
    )
    position = position.with_battle(rolled)
    for name in fight.attackers:
        if fight.is_fire:
            position = position.with_note(FIRED, name, True).with_note(FIRED_IN_TURN, name, True)
    for name in (*fight.attackers, *there):
        position = position.with_note(FOUGHT_ON, name, position.date)
    if fight.is_fire:
        position = position.with_note(FIRED_ON, fight.target, True)
    return position


def _generals_in(position: Position, fight: Fight) -> dict[str, str]:
    """The generals in the hexes of a combat."""
    places = {*fight.targets, *(position.pieces[name].where for name in fight.attackers)}
    return {piece.id: where for where in sorted(places) for piece in generals_at(position, where)}


def is_body(piece: Piece) -> bool:
    """Tell what has steps."""
    return is_combat(piece) or piece.counter.kind == "park"


@rules.on("result", clause="7.2e 6.1f")
def the_result_is_that_of_the_table(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    if fight is None or not fight.rolled:
        return Breach("no combat die was thrown", {"announced": action.words[0]}, Grade.unproven)
    said = action.words[0].replace("+", " ")
    if said == fight.given:
        return None
    table = position.game.tables["crt"]
    label = table.columns[fight.column or 0]
    says = f"{fight.die}{fight.modifier or 0:+d} in the column {label} gives {fight.given}"
    return Breach(says, {"announced": said, "right": fight.given, "column": label}, Grade.slip, "7.2e", CHART)


@rules.does("result")
def announce_result(position: Position, action: Action) -> Position:
    """What the players announce is what they play by."""
    fight = fight_of(position, action)
    said = action.words[0].replace("+", " ")
    if fight is None or not fight.rolled or "|" not in said:
        return position
    try:
        position.game.tables["crt"].codes(said)
    except ValueError:
        return position
    disputed = fight.disputed or said != fight.given
    return position.with_battle(evolve(fight, given=said, disputed=disputed))


@rules.does("settle")
def settle(position: Position, action: Action) -> Position:
    """Be done with the combat."""
    fight = fight_of(position, action)
    return settled(position, fight) if fight and fight.rolled else position


@rules.proposes
def throws(position: Position, piece: Piece) -> Iterator[Action]:
    """The die of the combat at hand."""
    for fight in waiting(position):
        if piece.id in fight.attackers and (fight.is_fire or not left_out(position, fight)):
            yield from (Action("roll combat", dice=(face,), battle=fight.number) for face in range(1, 7))


def odds_at_hand(position: Position, number_: int) -> Odds | None:
    """Return the odds of a combat at hand, with all that was declared in it."""
    fight = position.battle(number_)
    if not isinstance(fight, Fight):
        return None
    return evolve(reckon(position, fight), modifiers=modifiers(position, fight))


def odds_of(position: Position, target: str, units: tuple[str, ...]) -> Odds:
    """Return the odds of units against a hex: in melee, or for fire in its phase or from afar."""
    grid, side = position.game.map.grid, position.pieces[units[0]].side
    places = [position.pieces[name].where for name in units]
    near = all(where in grid and grid.are_neighbours(where, target) for where in places)
    fire = position.phase == "fire" or not near
    charging = tuple(name for name in units if is_charging(position.pieces[name]))
    fight = Fight(0, target, units, side, fire, (target,), charging=charging)
    return evolve(reckon(position, fight), modifiers=modifiers(position, fight))
