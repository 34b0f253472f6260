"""A battle while it lasts: who fights, what is added to the dice, what came of it."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from referee.engine.battles import Battles
from referee.engine.combat import Duel, Modifier, Throw
from referee.engine.position import Battle, Piece, Position
from referee.engine.settling import Settling
from referee.games.patton1943.facts import (
    FLYING,
    LEFT_OUT,
    air_at,
    assets_at,
    is_air,
    is_general,
    is_on_map,
    is_unit,
    of_side,
    other,
    stays_reduced,
    units_at,
)

HIT, MISS = "hit", "miss"
FLOWN, CALLED_OFF = "flown", "called off"
"""The note of whom an asset flew against in the player turn; and what it says once that was called off."""
BROKEN, MOVED, DONE = "breakthrough", "moved", "done"


@frozen
class Fight(Battle):
    """A battle, from its declaration on.

    ``stood`` is the attacker's hex. ``flown`` are the air assets in it by side, ``waived`` the sides that do
    without, ``beaten`` those that lost in air combat. ``defenders`` are the pieces in the target when the
    attack die was thrown, ``factor`` and ``defending`` the combat factors then. ``attack_hit`` and
    ``defence_hit`` are what the dice gave, or the players announced. ``suffered`` counts the losses by side.
    ``second``: it is the attack of a breakthrough. ``order`` counts the attack dice of the player turn.
    ``early`` is a defence die that was thrown before the attack die.
    """

    side: str = ""
    stood: str = ""
    flown: Mapping[str, tuple[str, ...]] = field(factory=dict, hash=False)
    waived: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    air_dice: Mapping[str, int] = field(factory=dict, hash=False)
    beaten: tuple[str, ...] = ()
    defenders: tuple[str, ...] = ()
    mates: tuple[str, ...] = ()
    factor: int = 0
    defending: int = 0
    attack_die: int = 0
    defence_die: int = 0
    attack_added: int = 0
    defence_added: int = 0
    attack_hit: bool | None = None
    defence_hit: bool | None = None
    suffered: Mapping[str, tuple[str, ...]] = field(factory=dict, hash=False)
    replaced: tuple[str, ...] = ()
    retreated: tuple[str, ...] = ()
    advanced: tuple[str, ...] = ()
    second: bool = False
    order: int = 0
    early: int = 0

    @property
    def rolled(self) -> bool:
        """Tell whether the attack die has been thrown."""
        return self.attack_die > 0

    @property
    def unit(self) -> str:
        """The attacking unit, empty if none attacks."""
        return self.attackers[0] if self.attackers else ""

    @property
    def enemy(self) -> str:
        """The defending side."""
        return other(self.side)

    @property
    def both_fly(self) -> bool:
        """Tell whether air assets of both sides are in the battle."""
        return bool(self.flown.get(self.side)) and bool(self.flown.get(self.enemy))

    def air(self, side: str) -> tuple[str, ...]:
        """The air assets of a side that are still in the battle [10d, 10e]."""
        return tuple(name for name in self.flown.get(side, ()) if name not in self.beaten)


SETTLING = Settling(Fight, "settle", ("battles",))
"""A battle is settled when players say so, or at the end of the phase."""


def involved(position: Position, fight: Fight) -> tuple[str, ...]:
    """Return the pieces of both hexes, as when the attack die was thrown, and those in the air."""
    flown = tuple(name for names in fight.flown.values() for name in names)
    return (*fight.attackers, *fight.mates, *fight.defenders, *flown, *fight.replaced)


FIGHTS = Battles(Fight, involved)
fights, fight_of, fight_for = FIGHTS.all, FIGHTS.of, FIGHTS.after


def defending_unit(position: Position, fight: Fight) -> Piece | None:
    """Return the unit in the attacked hex, as when the die was thrown if it was."""
    pieces = (
        [position.pieces[name] for name in fight.defenders]
        if fight.rolled
        else list(units_at(position, fight.target, fight.enemy))
    )
    return next((piece for piece in pieces if is_unit(piece)), None)


def targets(position: Position, fight: Fight) -> tuple[Piece, ...]:
    """Return the pieces of the attacked hex that are not in the air."""
    if fight.rolled:
        return tuple(position.pieces[name] for name in fight.defenders)
    return of_side(position, fight.target, fight.enemy)


def counted_assets(position: Position, fight: Fight, side: str) -> tuple[Piece, ...]:
    """Return the ground assets of a side that are involved [11i, 11j, 12c, 12d]."""
    where = fight.stood if side == fight.side else fight.target
    there = [
        piece
        for piece in assets_at(position, where, side)
        if piece.id not in fight.left_out and not piece.is_(LEFT_OUT)
    ]
    most = position.game.values["limits"].values.integer("ground_support")
    best = sorted(there, key=lambda piece: piece.factor("support"))
    return tuple(best[:most])


def support(position: Position, fight: Fight, side: str, clause: str) -> tuple[Modifier, ...]:
    """Return what the assets of a side take off its die, the air asset included [10f, 11i, 12c]."""
    found = [
        Modifier(piece.id, piece.factor("support"), clause) for piece in counted_assets(position, fight, side)
    ]
    for name in fight.air(side)[:1]:
        found.append(Modifier(f"{name}, in the air", position.pieces[name].factor("support"), "10f"))
    return tuple(found)


def terrain(position: Position, target: str, stood: str) -> tuple[Modifier, ...]:
    """Return all modifiers of terrain for an attack on a hex, the highest first [11e, 11f]."""
    game = position.game
    row = game.terrain[game.map.hexes[target].terrain]
    found = [Modifier(row.title, row.effects.integer("modifier", 0), "11e")]
    towns = game.modifiers["terrain"].places
    found += [
        Modifier(place.name, towns[place.kind], "11e")
        for place in game.map.places_of(target)
        if place.kind in towns
    ]
    if game.map.grid.are_neighbours(stood, target):
        for name in sorted(game.map.hexside(stood, target).features):
            feature = game.features[name]
            found.append(Modifier(feature.title, feature.effects.integer("modifier", 0), "11e"))
    return tuple(sorted(found, key=lambda part: -part.amount))


def attack_modifiers(position: Position, fight: Fight) -> tuple[Modifier, ...]:
    """Return what is added to the attack die: the highest modifier of terrain, less support [11e to 11j]."""
    highest = terrain(position, fight.target, fight.stood)[:1]
    parts = (*highest, *support(position, fight, fight.side, "11i"))
    return tuple(part for part in parts if part.amount)


def defence_modifiers(position: Position, fight: Fight) -> tuple[Modifier, ...]:
    """Return what is added to the defence die: support alone [12b, 12c]."""
    return tuple(part for part in support(position, fight, fight.enemy, "12c") if part.amount)


def is_hit(position: Position, die: int, added: int, factor: int) -> bool:
    """Tell whether a die hits: 1 always, 12 never, else up to the combat factor [11k, 11m, 12e, 12g]."""
    values = position.game.values["dice"].values
    if die == values.integer("always"):
        return True
    return die != values.integer("never") and die + added <= factor


def is_natural(position: Position, die: int, added: int, factor: int) -> bool:
    """Tell whether a die of 1 or 12 gives another result than its sum would [11m, 12g]."""
    return is_hit(position, die, added, factor) is not (die + added <= factor)


def total(parts: tuple[Modifier, ...]) -> int:
    """Return what modifiers come to."""
    return sum(part.amount for part in parts)


def is_flying(piece: Piece) -> bool:
    """Tell an air asset that has been flown to a battle."""
    return is_air(piece) and piece.is_(FLYING)


def based(position: Position, fight: Fight) -> tuple[Piece, ...]:
    """Return the air assets that lay on the attacked hex."""
    if fight.rolled:
        return tuple(position.pieces[name] for name in fight.defenders if is_air(position.pieces[name]))
    return air_at(position, fight.target, fight.enemy)


def must_retreat(position: Position, fight: Fight) -> bool:
    """Tell whether the defenders must leave: hit without hitting back, or assets alone [12j, 14a]."""
    if not fight.rolled:
        return False
    if defending_unit(position, fight) is None:
        always = position.game.adopted("lone-assets") == "always"
        return always or bool(fight.attack_hit)
    return bool(fight.attack_hit) and not fight.defence_hit


def is_spared(position: Position, fight: Fight, side: str) -> bool:
    """Tell whether a hit on a side may cost nothing: a unit stays reduced for want of a battlegroup."""
    names = fight.defenders if side == fight.enemy else fight.attackers
    return any(stays_reduced(position, position.pieces[name]) for name in names)


def earned(position: Position, name: str) -> Fight | None:
    """Return the battle by which a piece may break through: it was in the stack of a general [15a]."""
    for fight in reversed(fights(position)):
        if name in (*fight.attackers, *fight.mates, *fight.replaced) and fight.rolled and not fight.second:
            return fight if clears(position, fight) and leader(position, fight) else None
    return None


def clears(position: Position, fight: Fight) -> bool:
    """Tell whether the attack hit and the enemies of the hex were all eliminated or retreated."""
    if not fight.attack_hit or not fight.defenders:
        return False
    left = [piece for piece in of_side(position, fight.target) if piece.side == fight.enemy]
    return not left


def leader(position: Position, fight: Fight) -> Piece | None:
    """Return a general of the stack who is still there."""
    for name in fight.mates:
        piece = position.pieces[name]
        if is_general(position, piece) and is_on_map(position, piece):
            return piece
    return None


def reckon(position: Position, fight: Fight) -> Duel:
    """Return the throws of a battle as they would be made now [11, 12]."""
    unit, defender = position.pieces.get(fight.unit), defending_unit(position, fight)
    throws = []
    if unit is not None:
        throws.append(_throw(position, unit, attack_modifiers(position, fight), "attack"))
    if defender is not None:
        throws.append(_throw(position, defender, defence_modifiers(position, fight), "defence"))
    return Duel(tuple(throws))


def _throw(position: Position, piece: Piece, parts: tuple[Modifier, ...], die: str) -> Throw:
    factor, faces = piece.factor("combat"), position.game.dice[die].sides
    hits = sum(is_hit(position, face, total(parts), factor) for face in range(1, faces + 1))
    return Throw(f"{die} of {piece.id}", factor, parts, hits, faces)


def odds_of(position: Position, target: str, names: tuple[str, ...]) -> Duel:
    """Return the throws of an attack that has not been declared; its assets go with the unit."""
    unit = next((name for name in names if is_unit(position.pieces[name])), names[0])
    piece = position.pieces[unit]
    return reckon(position, Fight(0, target, (unit,), side=piece.side, stood=piece.where))


def recount(position: Position, number: int) -> Duel | None:
    """Return the throws of a battle at hand, None if its die has been thrown."""
    fight = position.battle(number)
    return reckon(position, fight) if isinstance(fight, Fight) and not fight.rolled else None
