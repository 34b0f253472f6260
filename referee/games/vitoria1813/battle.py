"""A combat in progress, fire or melee: its participants, their values, and the result of the die."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import ceil, floor

from attrs import evolve, field, frozen

from referee.engine.actions import Action
from referee.engine.battles import Battles
from referee.engine.combat import Modifier, Odds, Shift, Strength, odds
from referee.engine.position import Battle, Piece, Position
from referee.engine.settling import Settling
from referee.games.vitoria1813.facts import (
    CHARGING,
    DISORDERED,
    ROUTED,
    UNCONTROLLED,
    bodies_at,
    destroyed,
    is_artillery,
    is_body,
    is_combat,
    is_engineer,
    is_on_map,
    is_ordered,
    other,
)
from referee.games.vitoria1813.notes import FIRED_IN_TURN, SPENT
from vassalgen.game.game import Game

CHARGES = ("charge all the same", "full charge")
"""Mistakes by which a charge counts in difficult ground, with its terrain or without."""
OTHERWISE_HALVED = "halved otherwise"
"""The mistake by which a value that terrain halves twice is a quarter, or a half if the interpretation says a
quarter.
"""
RETREATS = {"R1": 1, "R2": 2, "R3": 3}


@frozen
class Share:
    """What a result requires of a side: steps, hexes of retreat, rout, or the loss of everything."""

    steps: int = 0
    retreat: int = 0
    rout: bool = False
    eliminated: bool = False

    @property
    def goes(self) -> bool:
        """Return whether the side leaves its hexes."""
        return self.rout or self.retreat > 0


NOTHING = Share()


@frozen
class Fight(Battle):
    """A combat, from its declaration on.

    ``targets`` are the attacked hexes, ``spared`` units in them that are not attacked. ``defenders``,
    ``stood`` and ``generals`` (those in its hexes) are as they were when the die was rolled, ``steps`` all
    steps of the participants then; ``idle`` were stacked with the attackers and took no part. ``lost`` counts
    the steps lost since, ``perhaps`` those that may have been due for a path instead, ``gone`` the path of
    each unit. ``pursuit``: it belongs to a pursuit. ``given`` is the result by the announcements, ``rights``
    are the correct ones, ``said`` the announced ones; ``added`` is the correct modifier of the die; ``wrong``
    are the clauses broken by announced odds, modifiers and results. ``order`` numbers the combats in the
    order of their dice, ``after`` is the last of them before this one was declared.
    """

    side: str = ""
    is_fire: bool = False
    targets: tuple[str, ...] = ()
    spared: tuple[str, ...] = ()
    leaders: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()
    stood: Mapping[str, str] = field(factory=dict, hash=False)
    generals: Mapping[str, str] = field(factory=dict, hash=False)
    defenders: tuple[str, ...] = ()
    steps: Mapping[str, int] = field(factory=dict, hash=False)
    die: int = 0
    column: int | None = None
    modifier: int | None = None
    given: str = ""
    rights: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    added: int = 0
    wrong: Mapping[str, tuple[str, str]] = field(factory=dict, hash=False)
    lost: Mapping[str, int] = field(factory=dict, hash=False)
    perhaps: Mapping[str, int] = field(factory=dict, hash=False)
    gone: Mapping[str, tuple[str, ...]] = field(factory=dict, hash=False)
    idle: tuple[str, ...] = ()
    advanced: tuple[str, ...] = ()
    pursued: Mapping[str, tuple[str, ...]] = field(factory=dict, hash=False)
    checked: tuple[str, ...] = ()
    charging: tuple[str, ...] = ()
    pursuit: bool = False
    order: int = 0
    after: int = 0

    @property
    def rolled(self) -> bool:
        """Return whether the combat die has been rolled."""
        return self.die > 0

    @property
    def right(self) -> str:
        """The correct result; if the rules leave it open, the first."""
        return self.rights[0] if self.rights else self.given

    @property
    def disputed(self) -> bool:
        """Return whether the announced result is wrong."""
        return bool(self.rights) and self.given not in self.rights

    @property
    def enemy(self) -> str:
        """The attacked side."""
        return other(self.side)

    @property
    def everybody(self) -> tuple[str, ...]:
        """All participants, including generals."""
        return (*self.attackers, *self.defenders, *self.leaders)


SETTLING = Settling(Fight, "settle", ("fire", "combat"))
"""A combat is settled when players say so, or at the end of the phase."""
FIGHTS = Battles(Fight, lambda position, fight: fight.everybody, strangers=False)
fights, fight_of, fight_for = FIGHTS.all, FIGHTS.of, FIGHTS.after


def waiting(position: Position) -> tuple[Fight, ...]:
    """Return the combats that were declared and have not been rolled for."""
    return tuple(fight for fight in fights(position) if not fight.rolled)


def defending(position: Position, fight: Fight) -> tuple[Piece, ...]:
    """Return the attacked units, at the time of the die if it was rolled."""
    if fight.rolled:
        return tuple(position.pieces[name] for name in fight.defenders)
    found = [piece for where in fight.targets for piece in bodies_at(position, where, fight.enemy)]
    return tuple(piece for piece in found if piece.id not in fight.spared)


def place_of(position: Position, fight: Fight, name: str) -> str:
    """Return the hex in which a unit fights."""
    return fight.stood.get(name, position.pieces[name].where)


def share(position: Position, fight: Fight, side: str) -> Share:
    """Return what the result requires of a side; of firing batteries nothing [6.1f]."""
    if not fight.given or (fight.is_fire and side == fight.side):
        return NOTHING
    left, _, right = fight.given.partition("|")
    codes = position.game.tables["crt"].codes(left if side == fight.side else right)
    found = NOTHING
    for code in codes:
        if code.isdigit():
            found = Share(int(code), found.retreat, found.rout, found.eliminated)
        elif code in RETREATS:
            found = Share(found.steps, RETREATS[code], found.rout, found.eliminated)
        elif code == "D":
            found = Share(found.steps, found.retreat, True, found.eliminated)
        elif code == "E":
            found = Share(found.steps, found.retreat, found.rout, True)
    return found


def undone(position: Position, fight: Fight) -> tuple[str, ...]:
    """Return the counters that must leave their hexes by the result of a combat, and have not."""
    return tuple(
        name
        for side in (fight.side, fight.enemy)
        if share(position, fight, side).goes
        for name in party(fight, side)
        if is_on_map(position, position.pieces[name])
        and (SPENT, name) not in position.notes
        and position.pieces[name].where == fight.stood.get(name)
        and name not in fight.gone
    )


def is_driven(position: Position, piece: Piece) -> bool:
    """Return whether a result of this phase makes a counter retreat, or the side in whose hex a
    general is.
    """
    return any(
        share(position, fight, piece.side).goes
        and (piece.id in party(fight, piece.side) or piece.id in fight.generals)
        for fight in fights(position)
    )


def party(fight: Fight, side: str) -> tuple[str, ...]:
    """Return the units of a side that take part."""
    return fight.attackers if side == fight.side else fight.defenders


def lost_by(fight: Fight, side: str) -> int:
    """Return how many steps a side has certainly lost in a combat."""
    return sum(amount for name, amount in fight.lost.items() if name in party(fight, side))


def value(position: Position, fight: Fight, piece: Piece, mistake: str = "") -> Fraction:
    """Return how much a unit counts in a combat, after all reductions [5.3, 6.2c, 7.3b, 7.7c, 8d]."""
    attacks = piece.id in fight.attackers
    worth = fight.steps.get(piece.id, piece.steps)
    game = position.game
    if piece.counter.kind == "convoy" or (not fight.is_fire and not attacks and _has_fired(position, piece)):
        return Fraction(0)
    if game.adopted("tactical-modifier") == "value":
        worth += _tactical(piece, "attack_modifier" if attacks else "defence_modifier")
    shaken = piece.is_(DISORDERED) or piece.is_(ROUTED) or piece.is_(UNCONTROLLED)
    halvings = _halvings(position, fight, piece, attacks)
    halved = halvings > 0 and mistake not in ("no terrain", "full charge")
    if halved and shaken and game.adopted("rounding") == "terrain-first":
        worth, halved = ceil(Fraction(worth, 2)), False
    if shaken and not attacks and mistake != "no disorder":
        worth = ceil(Fraction(worth, 2)) if mistake == "disorder up" else max(worth // 2, 1)
    factor = Fraction(1, 2) if halved else Fraction(1)
    quarters = (mistake == OTHERWISE_HALVED) != (game.adopted("halved-twice") == "quarter")
    if halved and halvings > 1 and quarters:
        factor /= 2
    if is_artillery(piece) and _is_doubled(position, fight, attacks, mistake):
        if mistake == "rounded first":
            worth, factor = ceil(worth * factor), Fraction(1)
        factor *= 2
    charges = attacks and piece.id in fight.charging and not fight.is_fire
    if mistake not in CHARGES and (is_spent(position, fight) or barred_by(position, fight, piece.id)):
        charges = False
    if charges and mistake != "no charge":
        factor *= position.game.values["charge"].values.integer("factor")
    total = worth * factor
    return Fraction(floor(total) if mistake == "rounding down" else ceil(total))


def _has_fired(position: Position, piece: Piece) -> bool:
    """Return whether a battery that fired in this game turn does not defend either, in one interpretation
    [6.0b].
    """
    whole = position.game.adopted("fired-turn") == "game-turn"
    return whole and (FIRED_IN_TURN, piece.id) in position.notes


def _tactical(piece: Piece, factor: str) -> int:
    """The tactical modifier of a unit, 0 for one that has none."""
    return piece.factor(factor) if factor in piece.counter.faces[0].factors else 0


def is_spent(position: Position, fight: Fight) -> bool:
    """Return whether a charge does not count because it leads into difficult ground [8b], also in a pursuit
    [8e].

    Nor does it if all charging units cross a slope, a stream or a bridge [5.3c].
    """
    if fight.pursuit and position.game.adopted("pursuit-charge") == "always":
        return False
    game = position.game
    rows = [game.terrain[game.map.hexes[where].terrain] for where in fight.targets]
    if any(not row.effects.flag("charge", True) for row in rows):
        return True
    return bool(fight.charging) and all(barred_by(position, fight, name) for name in fight.charging)


def barred_by(position: Position, fight: Fight, name: str) -> str:
    """Return the obstacle over which a charging unit may not attack; empty if there is none [5.3c]."""
    here, grid = place_of(position, fight, name), position.game.map.grid
    if fight.pursuit and position.game.adopted("pursuit-charge") == "always":
        return ""
    found = (
        forbids_charge(position.game, here, there)
        for there in fight.targets
        if here in grid and grid.are_neighbours(here, there)
    )
    return next(filter(None, found), "")


def forbids_charge(game: Game, here: str, there: str) -> str:
    """Return the title of a feature between two hexes that forbids a charge, if there is one [5.3c]."""
    level = game.map.hexes[here].level != game.map.hexes[there].level
    for name in sorted(game.map.hexside(here, there).features):
        effects = game.features[name].effects
        if not effects.flag("charge", True) and (level or not effects.flag("uphill", False)):
            return game.features[name].title
    return ""


def _halvings(position: Position, fight: Fight, piece: Piece, attacks: bool) -> int:
    """Return how often terrain halves a unit: out of its hex, and attacking into others [5.3b]."""
    game, here = position.game, place_of(position, fight, piece.id)

    def halves(where: str) -> bool:
        if where not in game.map.grid:
            return False
        half = game.terrain[game.map.hexes[where].terrain].effects.words("half", ())
        return piece.counter.kind in half

    into = attacks and game.adopted("wood-attack") == "both" and any(map(halves, fight.targets))
    return into + halves(here)


def _is_doubled(position: Position, fight: Fight, attacks: bool, mistake: str) -> bool:
    """Return whether artillery counts double: in attack against two units; by mistake against one, or in
    defence [6.2c].
    """
    if not attacks:
        places = [place_of(position, fight, name) for name in fight.attackers]
        stacked = not fight.is_fire and len(set(places)) < len(places)
        return stacked and mistake == "doubled in defence"
    enemies = [piece for piece in defending(position, fight) if is_combat(piece)]
    there = [place_of(position, fight, piece.id) for piece in enemies]
    against_two = any(there.count(where) > 1 for where in fight.targets)
    return mistake == "doubled against one" or (against_two and mistake != "no doubling")


def is_adjacent_fire(position: Position, fight: Fight) -> bool:
    """Return whether fire at an adjacent hex is by all batteries, or by any, depending on the interpretation
    [6.1g].
    """
    return fires_from_next_hex(position, fight, all if position.game.adopted("point-blank") == "all" else any)


def fires_from_next_hex(position: Position, fight: Fight, which: Callable[[Iterable[bool]], bool]) -> bool:
    """Return whether all, or any, of the firing batteries are next to their target."""
    if not fight.is_fire:
        return False
    gaps = [
        position.game.map.grid.distance(place_of(position, fight, name), where)
        for name in fight.attackers
        for where in fight.targets
        if place_of(position, fight, name) in position.game.map.grid
    ]
    return bool(gaps) and which(gap == 1 for gap in gaps)


def calculated_odds(position: Position, fight: Fight, mistake: str = "") -> Odds:
    """Calculate the present ratio of a combat; ``mistake`` is a mistake in it."""
    attack = [
        Strength(name, value(position, fight, position.pieces[name], mistake), "7.1i")
        for name in fight.attackers
    ]
    defence = [
        Strength(piece.id, value(position, fight, piece, mistake), "7.1h")
        for piece in defending(position, fight)
    ]
    if mistake == "one defender":
        defence = defence[:1]
    shifts: list[Shift] = []
    if is_adjacent_fire(position, fight) and mistake != "no shift":
        by = position.game.values["artillery"].values.integer("adjacent_shift")
        shifts.append(Shift("fire at the next hex", by, "6.1g"))
    return odds(position.game.tables["crt"], attack, defence, shifts)


def odds_allowed(position: Position, fight: Fight) -> tuple[Odds, ...]:
    """Return the correct ratios: several if units are halved twice and the interpretation is open [5.3e]."""
    found = calculated_odds(position, fight)
    if position.game.adopted("halved-twice") != "open":
        return (found,)
    other = calculated_odds(position, fight, OTHERWISE_HALVED)
    return (found,) if other.attacking == found.attacking else (found, other)


def modifiers(position: Position, fight: Fight, mistake: str = "") -> tuple[Modifier, ...]:
    """Return the modifiers of the die [7.3d, 9.1, 10g]."""
    game = position.game
    found: list[Modifier] = []
    if game.adopted("tactical-modifier") == "die":
        attack = [_tactical(position.pieces[name], "attack_modifier") for name in fight.attackers]
        defence = [_tactical(piece, "defence_modifier") for piece in defending(position, fight)]
        found.append(Modifier("attackers' tactical modifier", max(attack, default=0), "7.3d"))
        found.append(Modifier("defenders' tactical modifier", -max(defence, default=0), "7.3d"))
    for name in (*fight.leaders, *fight.helpers):
        general = position.pieces[name]
        bonus = general.counter.extra.integer("bonus", 0)
        clause = "9.1g" if name in fight.leaders else "9.1a"
        found.append(Modifier(name, bonus if general.side == fight.side else -bonus, clause))
    found += _terrain(position, fight, mistake)
    sappers = [piece for piece in defending(position, fight) if is_engineer(piece) and is_ordered(piece)]
    if any(_is_built_up(position, piece.where) for piece in sappers):
        by = game.values["engineers"].values.integer("built_up")
        found.append(Modifier("engineers in a built-up hex", by, "10g"))
    return tuple(part for part in found if part.amount)


def _is_built_up(position: Position, where: str) -> bool:
    """Return whether a hex is a village or a town [10g]."""
    game = position.game
    return game.terrain[game.map.hexes[where].terrain].effects.flag("built_up", False)


def added_by_each_hex(position: Position, fight: Fight) -> tuple[int, ...]:
    """Return the modifier of the die with each attacked hex as the first, whose terrain counts.

    The rules do not say which one is.
    """
    found = []
    for where in fight.targets:
        others = tuple(other for other in fight.targets if other != where)
        found.append(total(modifiers(position, evolve(fight, targets=(where, *others)))))
    return tuple(found)


def _terrain(position: Position, fight: Fight, mistake: str) -> list[Modifier]:
    """Terrain of the attacked hex, and of the hexsides that all attackers cross [5.3e]."""
    game = position.game
    if not fight.targets:
        return []
    where = fight.targets[0]
    row = game.terrain[game.map.hexes[where].terrain]
    roads = any(game.map.roads_across(where, near) for near in game.map.grid.neighbours(where))
    amount = 0 if mistake == "road shelters" and roads else row.effects.integer("modifier", 0)
    found = [Modifier(row.title, amount, "5.3e")]
    sides = [_side_modifiers(position, place_of(position, fight, name), where) for name in fight.attackers]
    if sides and all(sides) and not fight.is_fire:
        found.append(max((one for one in sides if one is not None), key=lambda part: part.amount))
    if mistake == "one terrain" and len(found) > 1:
        return [min(found, key=lambda part: part.amount)]
    return found


def _side_modifiers(position: Position, here: str, there: str) -> Modifier | None:
    game = position.game
    if here not in game.map.grid or not game.map.grid.are_neighbours(here, there):
        return None
    names = set(game.map.hexside(here, there).features)
    if "bridge" in names and game.map.grid.side(here, there) in destroyed(position):
        names.discard("bridge")
    opened = {each for name in names for each in game.features[name].opens}
    total, titles = 0, []
    for name in sorted(names - opened):
        feature = game.features[name]
        uphill = feature.effects.flag("uphill", False)
        if uphill and game.map.hexes[there].level <= game.map.hexes[here].level:
            continue
        if feature.effects.integer("modifier", 0):
            total += feature.effects.integer("modifier")
            titles.append(feature.title)
    return Modifier(", ".join(titles), total, "5.3e") if total else None


def total(parts: tuple[Modifier, ...]) -> int:
    """Return the sum of modifiers."""
    return sum(part.amount for part in parts)


def result_of(position: Position, fight: Fight, column: int, die: int) -> str:
    """Return the cell for a die that already includes its modifier."""
    if position.game.adopted("modified-die") == "cut":
        die = min(max(die, 1), 6)
    table = position.game.tables["crt"]
    lows, highs = zip(*table.row_ranges, strict=True)
    return table.at(column, int(min(max(die, min(highs)), max(lows))))


def is_charging(piece: Piece) -> bool:
    """Return whether a unit is marked as charging."""
    return piece.is_(CHARGING)


def services(fight: Fight, side: str) -> tuple[str, str]:
    """Return what the note on a general's services contains about help in a combat and about taking part in
    it.
    """
    return f"help in combat {fight.number},{side}", f"part in combat {fight.number},{side}"


def rallying(side: str) -> str:
    """Return what that note contains about rallies in a side's player turn."""
    return f"rally,{side}"


def attacked_before(position: Position, where: str, this: int = 0) -> tuple[str, ...]:
    """Return the units in a hex that another melee of the phase attacked: they are left out [7.1f]."""
    rolled_fights = [
        fight
        for fight in fights(position)
        if fight.rolled and not fight.is_fire and not fight.pursuit and fight.number != this
    ]
    return tuple(
        piece.id
        for piece in position.at(where)
        if is_body(piece) and any(piece.id in fight.defenders for fight in rolled_fights)
    )


def is_pursuit(position: Position, action: Action) -> bool:
    """Return whether an attack is by cavalry that has pursued [7.5o]."""
    return all(any(name in fight.pursued for fight in fights(position)) for name in action.pieces) and bool(
        action.pieces
    )
