"""An attack in progress, and its odds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from attrs import evolve, field, frozen

from referee.engine.actions import Action
from referee.engine.announced import Explanation
from referee.engine.battles import Battles
from referee.engine.combat import Odds, Shift, Strength, odds
from referee.engine.position import Battle, Mark, Piece, Position
from referee.engine.settling import Settling
from referee.engine.supply import Supply
from referee.engine.wording import name_of
from referee.games.postcard1943.facts import (
    halved,
    is_disrupted,
    is_sound,
    other,
    supply,
    the_field,
    threatened,
    threats,
    units_at,
)
from referee.games.postcard1943.notes import (
    DISRUPTED_BEFORE,
    DISRUPTION_DUE,
    FREED_IN_ERROR,
    LATE_ATTACKS,
    MARKED_IN_ERROR,
)
from vassalgen.game.values import fraction

AFRIKA_KORPS = "dak"
ATTACKERS_SUFFER = ("AE", "AD", "BD")
BY_FORCE = ("Dr", "DR", "DE")
ARMOUR_AS_INFANTRY = ("armour in hills", "armour in the line")
"""Mistakes by which armour earns a bonus of infantry."""


@frozen
class Attack(Battle):
    """An attack, from its declaration on.

    ``stood`` are the attackers' hexes, ``defenders`` the units in the target, both at the time of the die
    roll. ``sound`` are the enemies that were not Disrupted when it was declared, ``bombing_rolls`` the units
    for which a bombing roll was made. ``column`` is the announced column, ``result`` the result of the die
    after a No Retreat, ``printed`` before. ``as_infantry`` are defenders that were declared to defend so. The
    last fields are what has been carried out. ``roll_number`` counts the combat dice of the player turn;
    ``cornered`` are, by result, the defenders that had no path of retreat when the die was rolled. ``right``
    is the result of the correct odds, ``mistake`` the error if another result is carried out.
    ``disrupted_before`` are its units that were Disrupted before its die, marked or not. ``repressed``: an
    attack on the same units was pressed in this phase and called off.
    """

    side: str = ""
    stood: Mapping[str, str] = field(factory=dict, hash=False)
    defenders: tuple[str, ...] = ()
    sound: tuple[str, ...] = ()
    bombers: tuple[str, ...] = ()
    interceptors: tuple[str, ...] = ()
    through: tuple[str, ...] = ()
    beaten: tuple[str, ...] = ()
    bombing_rolls: tuple[str, ...] = ()
    no_retreat: bool = False
    as_infantry: tuple[str, ...] = ()
    pressed: int = 0
    repressed: bool = False
    column: int | None = None
    die: int = 0
    roll_number: int = 0
    cornered: Mapping[str, tuple[str, ...]] = field(factory=dict, hash=False)
    printed: str = ""
    result: str = ""
    right: str = ""
    mistake: Explanation | None = None
    was_threatened: bool = False
    disrupted_before: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    disrupted: tuple[str, ...] = ()
    retreated: Mapping[str, tuple[str, ...]] = field(factory=dict, hash=False)
    advanced: tuple[str, ...] = ()

    @property
    def rolled(self) -> bool:
        """Return whether it is decided: by the combat die, or without one [church.3]."""
        return bool(self.result)

    @property
    def over(self) -> tuple[str, ...]:
        """The bombers over the target that are not beaten off."""
        return tuple(name for name in self.bombers if name not in self.beaten)


SETTLING = Settling(Attack, "settle", ("combat",))
"""Results are carried out before the next die, or at the end of the phase."""
ATTACKS = Battles(Attack, lambda position, attack: (*attack.attackers, *attack.defenders))
attacks, attack_of = ATTACKS.all, ATTACKS.of


def attack_for(position: Position, action: Action) -> Attack | None:
    """Return the attack whose result an action carries out, also after the combat phase."""
    found = ATTACKS.after(position, action)
    if found and action.piece in (*found.attackers, *found.defenders):
        return found
    late: tuple[Attack, ...] = position.note(LATE_ATTACKS) or ()
    mine = [each for each in late if action.piece in (*each.attackers, *each.defenders)]
    return mine[-1] if mine else found


def attack_on(position: Position, where: str) -> Attack | None:
    """Return the last attack declared on a hex; if there are several, one that is not decided yet."""
    found = [attack for attack in attacks(position) if attack.target == where]
    return next((attack for attack in reversed(found) if not attack.rolled), found[-1] if found else None)


def bombed_on(position: Position, where: str) -> Attack | None:
    """Return the attack on a hex that bombers are over; if there is none, the last one declared on it.

    If several attacks on a hex are declared, players send bombers to the hex without saying for which one.
    """
    bombed = [one for one in attacks(position) if one.target == where and one.bombers and not one.rolled]
    return bombed[-1] if bombed else attack_on(position, where)


def defenders(position: Position, attack: Attack) -> tuple[Piece, ...]:
    """Return the units that defend: those in the target, at the time of the combat die if it was rolled."""
    if attack.rolled:
        return tuple(position.pieces[name] for name in attack.defenders)
    return units_at(position, attack.target, other(position, attack.side))


def is_churchill(position: Position, unit: str) -> bool:
    """Return whether a unit is the Churchills."""
    return the_field(position).is_(unit, "churchill")


def attacked_alone(position: Position, unit: str) -> Attack | None:
    """Return the attack not yet rolled for by which Churchills that are alone in their hex are lost."""
    attack = attack_on(position, position.pieces[unit].where)
    if attack is None or attack.rolled or not is_churchill(position, unit):
        return None
    return attack if lone_churchills(position, attack) else None


def lone_churchills(position: Position, attack: Attack) -> bool:
    """Return whether the Churchills are attacked alone [church.3]."""
    found = defenders(position, attack)
    return bool(found) and all(is_churchill(position, piece.id) for piece in found)


def calculate_odds(position: Position, attack: Attack, mistake: str = "") -> Odds:
    """Calculate the present odds of an attack.

    ``mistake`` is the name of a mistake in them [odds.MISTAKES]; with it the odds are those of players who
    make it.
    """
    game = position.game
    strengths = attack_strengths(position, attack, mistake)
    defence = [_printed(position, piece, "defence", "combat.3") for piece in defenders(position, attack)]
    defence += bonuses(position, attack, strengths, mistake)
    shifts = _shifts(position, attack, strengths, mistake)
    return odds(
        game.tables["crt"],
        strengths,
        defence,
        shifts,
        "nearest" if game.adopted("odds-rounding") == "nearest" else "defender",
        "one-by-one" if game.adopted("column-shifts") == "one-by-one" else "sum",
    )


def attack_strengths(position: Position, attack: Attack, mistake: str = "") -> list[Strength]:
    """The attackers' factors, halved without supply [combat.3, supply.5]."""
    found = []
    for name in attack.attackers:
        piece = position.pieces[name]
        strength = _printed(position, piece, "attack", "combat.3")
        if mistake != "full factors" and supply(position, name) is not Supply.supplied:
            half = halved(position, strength.amount)
            strength = Strength(f"{strength.what}, halved out of supply", half, "supply.5")
        found.append(strength)
    return found


def _printed(position: Position, piece: Piece, factor: str, clause: str) -> Strength:
    amount = fraction(piece.counter.factor(factor, piece.steps))
    return Strength(name_of(position, piece.id), amount, clause)


def is_infantry_in_defence(position: Position, attack: Attack, unit: str, mistake: str = "") -> bool:
    """Return whether a unit gets the infantry's bonuses [terrain.1, terrain.9, move.9]."""
    prepared, game = the_field(position), position.game
    if unit == AFRIKA_KORPS and game.adopted("afrika-korps-hills") == "movement-only":
        return False
    if unit not in prepared.armour or mistake in ARMOUR_AS_INFANTRY:
        return True
    if not prepared.is_(unit, "infantry-in-defence"):
        return False
    if mistake in ("new zealanders as armour", "new zealanders unasked"):
        return mistake == "new zealanders unasked"
    return game.adopted("nz-defence") == "better" or unit in attack.as_infantry


def bonuses(
    position: Position, attack: Attack, strengths: list[Strength], mistake: str = ""
) -> list[Strength]:
    """What the terrain adds to the defence [terrain.1 to 3, church.1]."""
    game = position.game
    units = defenders(position, attack)
    infantry = [piece for piece in units if is_infantry_in_defence(position, attack, piece.id, mistake)]
    if game.adopted("hill-bonus") == "all-infantry" and len(infantry) < len(units):
        infantry = []
    if not infantry:
        return []
    hill = mareth = None
    if mistake != "armour in the line":
        hill = _hill(position, attack, infantry, strengths, mistake)
    if mistake != "armour in hills":
        mareth = _mareth(position, attack, infantry, strengths, mistake)
    if mareth and hill and game.adopted("mareth-and-hills") == "instead":
        hill = None
    found = [part for part in (hill, mareth) if part and part.amount]
    taking = _churchills_take_part(position, attack)
    cancel = Fraction(0 if mistake == "no churchills" else 1)
    for part in tuple(found):
        if taking and (part is hill or game.adopted("mareth-churchills") == "also"):
            amount = part.amount if mistake == "churchills cancel all" else min(cancel, part.amount)
            found.append(Strength("Churchills", -amount, "church.1"))
    return found


def _hill(
    position: Position, attack: Attack, infantry: list[Piece], strengths: list[Strength], mistake: str
) -> Strength | None:
    game = position.game
    row = game.terrain[game.map.hexes[attack.target].terrain]
    bonus = fraction(row.effects.number("defence_infantry", 0))
    if not bonus or mistake == "no hill":
        return None
    longstop = game.values["longstop"].values
    if longstop.text("zone") in game.map.zones_of(attack.target) and mistake != "longstop as a hill":
        most = fraction(longstop.number("defence_infantry"))
        matched = most if mistake == "unmatched" else _matched(position, attack, most, infantry, strengths)
        return Strength(f"hills of {attack.target}, matched", matched, "terrain.2")
    if mistake == "hill for each unit":
        bonus *= len(infantry)
    return Strength("hills", bonus, "terrain.1")


def _matched(
    position: Position, attack: Attack, most: Fraction, infantry: list[Piece], strengths: list[Strength]
) -> Fraction:
    """A bonus, limited by the factors that must match it [terrain.2, terrain.3]."""
    reading = position.game.adopted("matched")
    if reading == "attackers":
        return min(most, sum((part.amount for part in strengths), Fraction(0)))
    units = infantry if reading == "infantry" else defenders(position, attack)
    return min(most, sum((_printed(position, piece, "defence", "").amount for piece in units), Fraction(0)))


def _mareth(
    position: Position, attack: Attack, infantry: list[Piece], strengths: list[Strength], mistake: str
) -> Strength | None:
    game = position.game
    values = game.values["mareth"].values
    if attack.target not in values.words("behind"):
        return None
    in_force = position.turn >= values.integer("first_turn")
    if game.adopted("mareth-start") == "turn-4-axis" and position.turn == values.integer("first_turn") - 1:
        in_force = position.side == "axis" or position.phase == "recovery"
    across = share_across(position, attack, strengths, values.text("feature"))
    reading = game.adopted("mareth-outflanked")
    held = across > Fraction(1, 2)
    if reading == "more-than-half":
        held = across >= Fraction(1, 2)
    elif reading == "any":
        held = across == 1
    if mistake == "mareth":  # claimed if it does not count, left out if it does
        in_force, held = True, not (in_force and held)
    if not (in_force and held):
        return None
    most = fraction(values.number("defence_infantry"))
    return Strength("Mareth Line", _matched(position, attack, most, infantry, strengths), "terrain.3")


def share_across(position: Position, attack: Attack, strengths: list[Strength], feature: str) -> Fraction:
    """Return the share of the attacking factors that comes across a feature [terrain.3, terrain.4]."""
    total = sum((part.amount for part in strengths), Fraction(0))
    across, map_ = Fraction(0), position.game.map
    for name, part in zip(attack.attackers, strengths, strict=True):
        where = attack.stood[name]
        if where not in map_.grid or not map_.grid.are_neighbours(where, attack.target):
            continue
        bridged = feature == "river" and position.game.adopted("river-bridge") == "cancels"
        if bridged and map_.roads_across(where, attack.target):
            continue
        if feature in map_.hexside(where, attack.target).features:
            across += part.amount
    return across / total if total else Fraction(0)


def _churchills_take_part(position: Position, attack: Attack) -> bool:
    if position.game.adopted("churchills-taking-part") == "attacking":
        return any(is_churchill(position, name) for name in attack.attackers)
    near = position.game.map.grid.neighbours(attack.target)
    return any(
        is_churchill(position, piece.id) for where in near for piece in units_at(position, where, attack.side)
    )


def _shifts(position: Position, attack: Attack, strengths: list[Strength], mistake: str) -> list[Shift]:
    """The shifts of columns [terrain.4, disrupt.3, air.5, pressed.2]."""
    game, values = position.game, position.game.values["combat"].values
    found = []
    used = strengths
    if game.adopted("river-share") == "printed":
        used = [_printed(position, position.pieces[name], "attack", "") for name in attack.attackers]
    river = share_across(position, attack, used, "river") > Fraction(1, 2)
    if river != (mistake == "river"):
        found.append(Shift("more than half across the river", values.integer("river"), "terrain.4"))
    units = defenders(position, attack)
    marked = [is_disrupted(position, piece) for piece in units]
    disrupted = all(marked) if game.adopted("mixed-stack") == "all" else any(marked)
    if disrupted != (mistake == "disrupted"):
        found.append(Shift("Disrupted defenders", values.integer("disrupted"), "disrupt.3"))
    flown = attack if attack.bombers or attack.rolled else bombed_on(position, attack.target) or attack
    support = any(the_field(position).is_(name, "close-support") for name in flown.over)
    if mistake == "support":
        support = not support
    alone = game.adopted("support-besides-disruption") == "one" and disrupted
    if support and not alone:
        found.append(Shift("close support", values.integer("close_support"), "air.5"))
    pressed = attack.pressed
    if mistake == "press":
        pressed = -pressed
    if pressed and mistake != "no press":
        up = "up" if pressed > 0 else "down"
        found.append(Shift(f"pressed attack, {up}", pressed * values.integer("pressed"), "pressed.2"))
    return found


def threatening(position: Position, attack: Attack) -> tuple[str, ...]:
    """Return the enemies that threaten the target of an attack [advance.4]."""
    if not threatened(position, attack.side) >> position.game.map.grid.index[attack.target] & 1:
        return ()
    return threats(position, attack.side, attack.target)


def suffers_disruption(attack: Attack, unit: str) -> bool:
    """Return whether a result Disrupts a unit."""
    if unit in attack.attackers and attack.result in ("AD", "BD"):
        return True
    return unit in attack.defenders and attack.result in ("BD", "D", "Dr", "DR")


def after_no_retreat(attack: Attack, printed: str) -> str:
    """Return the result after a No Retreat for a result of the table [retreat.5]."""
    return {"Dr": "D", "DR": "DE"}.get(printed, printed) if attack.no_retreat else printed


def disrupted_by(position: Position, attack: Attack) -> Position:
    """Note the units that the result of an attack Disrupts; a marker that the correct result requires counts
    as well.
    """
    fought = (*attack.attackers, *attack.defenders)
    right = evolve(attack, result=attack.right)
    position = disrupted_now(position, [name for name in fought if suffers_disruption(attack, name)])
    sound = [name for name in fought if is_sound(position.pieces[name])]
    return disrupted_now(position, [name for name in sound if suffers_disruption(right, name)])


def disrupted_now(position: Position, units: Iterable[str]) -> Position:
    """Note that units are Disrupted now; units with a marker are also Disrupted from now on [disrupt.7]."""
    for name in units:
        mark = position.pieces[name].states.get("disrupted")
        if mark is None and not the_field(position).is_(name, "undisruptable"):
            position = position.with_note(DISRUPTION_DUE, name, position.date)
        if mark is not None:
            if mark.since is not None and mark.since != position.date:
                position = position.with_note(DISRUPTED_BEFORE, name, mark.since)
            position = position.with_state(name, "disrupted", Mark(since=position.date))
        position = position.without_note(MARKED_IN_ERROR, name).without_note(FREED_IN_ERROR, name)
    return position
