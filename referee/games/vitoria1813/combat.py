"""A combat, fire or melee: declared, calculated, rolled for and settled."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.combat import Odds
from referee.engine.position import Mark, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade, number
from referee.engine.wording import is_or_are, names_of
from referee.games.vitoria1813.battle import (
    CHARGES,
    FIGHTS,
    SETTLING,
    Fight,
    added_by_each_hex,
    attacked_before,
    calculated_odds,
    defending,
    fight_of,
    fights,
    is_charging,
    is_pursuit,
    is_spent,
    modifiers,
    odds_allowed,
    result_of,
    services,
    total,
    undone,
    waiting,
)
from referee.games.vitoria1813.charges import charging_cavalry_pursues
from referee.games.vitoria1813.facts import HAS_FIRED, generals_at, is_artillery, is_body, is_combat
from referee.games.vitoria1813.fire import CHART
from referee.games.vitoria1813.melee import bystanders, left_out
from referee.games.vitoria1813.notes import (
    DECLARED,
    FIRE_CALLED_OFF,
    FIRED,
    FIRED_IN_TURN,
    FIRED_ON,
    FOUGHT_ON,
    SERVICES,
)
from referee.games.vitoria1813.outcomes import is_done, is_left_undone
from referee.games.vitoria1813.stacking import crowded_by_retreats
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
        after=_last_rolled(position),
    )
    for name in action.pieces if fire else ():
        if is_artillery(position.pieces[name]):  # the module marks it as soon as its fire is declared
            position = position.with_state(name, HAS_FIRED, Mark())
    return position.with_battle(fight).with_note(DECLARED, "", max(battle, last))


def _last_rolled(position: Position) -> int:
    """Return the number of the last combat of the phase that was rolled for."""
    return max((each.order for each in fights(position)), default=0)


@FIGHTS.does(rules, "also", stage="waiting")
def add_hex(position: Position, action: Action, fight: Fight) -> Position:
    """Attack one more hex."""
    spared = (*fight.spared, *attacked_before(position, action.target, fight.number))
    return position.with_battle(evolve(fight, targets=(*fight.targets, action.target), spared=spared))


@FIGHTS.on(rules, "spare", clause="6.1e 7.1h", stage="waiting")
def all_units_of_a_hex_are_attacked(position: Position, action: Action, fight: Fight) -> Breach | None:
    """The rules do not say that one may be left out, except one attacked before [7.1f] and in a pursuit
    [7.5o].
    """
    before = attacked_before(position, fight.target, fight.number)
    fresh = tuple(name for name in action.pieces if name not in before and is_combat(position.pieces[name]))
    if fight.pursuit or not fresh:
        return None
    says = (
        f"{names_of(position, fresh)} {is_or_are(fresh)} left out of the attack on {fight.target}; all units"
        " there defend."
    )
    facts: Facts = {"units": fresh, "hex": fight.target}
    return Breach(says, facts, Grade.unproven, "6.1e" if fight.is_fire else "7.1h")


@FIGHTS.does(rules, "spare", stage="waiting")
def spare(position: Position, action: Action, fight: Fight) -> Position:
    """Leave units of the hex out."""
    return position.with_battle(evolve(fight, spared=(*fight.spared, *action.pieces)))


@FIGHTS.does(rules, "call off", stage="waiting")
def cancel(position: Position, action: Action, fight: Fight) -> Position:
    """Drop a combat that has not been rolled for; generals that would have helped in it have not served."""
    for general in (*fight.leaders, *fight.helpers):
        done = position.note(SERVICES, general) or ()
        still = tuple(one for one in done if one not in services(fight, position.side))
        position = position.with_note(SERVICES, general, still)
    for name in fight.attackers if fight.is_fire else ():
        position = position.with_note(FIRE_CALLED_OFF, name, True)
    return position.without_battle(fight.number)


@rules.on("roll combat", clause="7.2e")
def one_die_for_a_combat(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    if fight is None:
        says = "A combat die was rolled; a combat must be declared first."
        return Breach(says, {"die": action.dice[0]}, Grade.unproven)
    if not fight.rolled:
        return None
    says = f"The combat die for {fight.target} is rolled again; the first roll, {fight.die}, counts."
    facts: Facts = {"first": fight.die, "second": action.dice[0]}
    return Breach(says, facts, Grade.illegal if action.battle else Grade.unproven)


@FIGHTS.on(rules, "roll combat", clause="7.2d", stage="waiting")
def no_attack_is_worse_than_the_table(position: Position, action: Action, fight: Fight) -> Breach | None:
    """In one interpretation."""
    if position.game.adopted("ends-of-table") == "last":
        return None
    right = calculated_odds(position, fight)
    if not right.below:
        return None
    says = (
        f"Odds of {number(right.attacking)} to {number(right.defending)} are below the combat table; no "
        "attack is possible."
    )
    facts: Facts = {"attack": right.attacking, "defence": right.defending}
    return Breach(says, facts, provenance=CHART)


@FIGHTS.on(rules, "roll combat", clause="7.2f", stage="waiting")
def one_combat_is_done_before_the_next(position: Position, action: Action, this: Fight) -> Breach | None:
    """Missing steps and markers may only be noted late: that is unproven."""
    for fight in SETTLING.open(position):
        still = undone(position, fight)
        riders = tuple(str(breach.facts["unit"]) for breach in charging_cavalry_pursues(position, fight))
        facts: Facts = {"unsettled": fight.target, "units": still or riders}
        if still:
            says = (
                f"The next combat die is rolled before {names_of(position, still)} "
                f"retreated from the combat in {fight.target}; that comes first."
            )
            return Breach(says, facts)
        if riders:
            says = (
                f"The next combat die is rolled before {names_of(position, riders)} pursued;"
                " that comes first."
            )
            return Breach(says, facts)
        if is_left_undone(position, fight) and not (fight.disputed and is_done(position, fight, fight.right)):
            says = (
                f"The next combat die is rolled before the result in {fight.target} has been carried"
                " out; that comes first."
            )
            return Breach(says, {"unsettled": fight.target, "result": fight.given}, Grade.unproven)
    for where in crowded_by_retreats(position):
        says = (
            f"The next combat die is rolled before a unit has been displaced from {where}, which is"
            " overstacked; that comes first."
        )
        return Breach(says, {"hex": where}, Grade.unproven)
    return None


@FIGHTS.does(rules, "roll combat", stage="waiting")
def roll(position: Position, action: Action, fight: Fight) -> Position:
    """Fix the participants and the result of the die."""
    there = tuple(piece.id for piece in defending(position, fight))
    known = (*fight.attackers, *there, *fight.leaders)
    columns = [one.column for one in odds_allowed(position, fight)]
    column = columns[0] if fight.column is None else fight.column
    usual = total(modifiers(position, fight))
    added = usual if fight.modifier is None else fight.modifier
    given = result_of(position, fight, column, action.dice[0] + added)
    each_hex = added_by_each_hex(position, fight)
    rights = tuple(
        result_of(position, fight, right, action.dice[0] + one) for right in columns for one in each_hex
    )
    claims = (calculated_odds(position, fight, mistake).column for mistake in CHARGES)
    claimed = bool(fight.charging) and is_spent(position, fight) and column in claims
    rolled = evolve(
        fight,
        defenders=there,
        stood={name: position.pieces[name].where for name in known},
        generals=_generals_in(position, fight),
        steps={name: position.pieces[name].steps for name in known if is_body(position.pieces[name])},
        die=action.dice[0],
        column=column,
        modifier=added,
        given=given,
        added=usual,
        rights=(given,) if claimed else rights,  # a charge into difficult ground: 8b and 8e say so
        idle=bystanders(position, fight),
        order=_last_rolled(position) + 1,
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


SETTLING.settles(rules)


@rules.proposes
def combat_dice(position: Position, piece: Piece) -> Iterator[Action]:
    """The die of the current combat."""
    for fight in waiting(position):
        if piece.id in fight.attackers and (fight.is_fire or not left_out(position, fight)):
            yield from (Action("roll combat", dice=(face,), battle=fight.number) for face in range(1, 7))


def current_odds(position: Position, number_: int) -> Odds | None:
    """Return the odds of a current combat, with all that was declared in it."""
    fight = position.battle(number_)
    if not isinstance(fight, Fight):
        return None
    return evolve(calculated_odds(position, fight), modifiers=modifiers(position, fight))


def odds_of(position: Position, target: str, units: tuple[str, ...]) -> Odds:
    """Return the odds of units against a hex: in melee, or for fire in its phase or from afar."""
    grid, side = position.game.map.grid, position.pieces[units[0]].side
    places = [position.pieces[name].where for name in units]
    near = all(where in grid and grid.are_neighbours(where, target) for where in places)
    fire = position.phase == "fire" or not near
    charging = tuple(name for name in units if is_charging(position.pieces[name]))
    fight = Fight(0, target, units, side, fire, (target,), charging=charging)
    return evolve(calculated_odds(position, fight), modifiers=modifiers(position, fight))
