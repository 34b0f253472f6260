"""A battle in progress: its participants, the modifiers of the dice, and the results."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, field, frozen

from referee.engine.actions import Action
from referee.engine.battles import Battles
from referee.engine.combat import Duel, Modifier, Roll
from referee.engine.outcomes import grade_of_outcome
from referee.engine.position import Battle, Piece, Position
from referee.engine.rulings import Grade
from referee.engine.settling import Settling
from referee.engine.wording import name_of
from referee.games.patton1943.facts import (
    FLYING,
    LEFT_OUT,
    air_at,
    assets_at,
    box,
    is_air,
    is_general,
    is_on_map,
    is_unit,
    of_side,
    other,
    stays_reduced,
    units_at,
)
from referee.games.patton1943.notes import ATTACKED, BROKE_THROUGH, FLOWN
from vassalgen.game.provenance import Provenance

HIT, MISS = "hit", "miss"
CHART = Provenance("reconstruction", remark="terrain chart and counters")
NATURAL = Provenance("rulebook", "11, 12")


@frozen
class Fight(Battle):
    """A battle, from its declaration on.

    ``stood`` is the attacker's hex. ``flown`` are its air assets by side, ``waived`` the sides that do
    without, ``beaten`` those that lost in air combat; ``winner`` is the side announced as its winner, or
    none, ``results`` are the announced results of its dice. ``defenders`` are the pieces in the target when
    the attack die was rolled, ``factor`` and ``defending`` the combat factors then. ``attack_hit`` and
    ``defence_hit`` are the results of the dice. By the side that suffers, ``said`` is the announced result of
    each die, ``mistakes`` the clause by which the announcement is wrong (empty if that was illegal),
    ``reasons`` the explanation, ``again`` further dice with another result, and ``confirmed`` the sides that
    suffer from a die whose result was announced correctly before that. ``suffered`` counts the losses by
    side. ``second``: it is the attack of a breakthrough. ``order`` counts the attack dice of the player turn,
    ``since`` those rolled when it was declared. ``early`` is a defence die that was rolled before the attack
    die. ``called_off``: there was no attack after the air combat.
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
    said: Mapping[str, bool] = field(factory=dict, hash=False)
    mistakes: Mapping[str, str] = field(factory=dict, hash=False)
    reasons: Mapping[str, str] = field(factory=dict, hash=False)
    again: Mapping[str, int] = field(factory=dict, hash=False)
    confirmed: tuple[str, ...] = ()
    winner: str = ""
    results: Mapping[str, int] = field(factory=dict, hash=False)
    suffered: Mapping[str, tuple[str, ...]] = field(factory=dict, hash=False)
    replaced: tuple[str, ...] = ()
    retreated: tuple[str, ...] = ()
    advanced: tuple[str, ...] = ()
    second: bool = False
    order: int = 0
    since: int = 0
    early: int = 0
    called_off: bool = False

    @property
    def rolled(self) -> bool:
        """Return whether the attack has been rolled."""
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
        """Return whether air assets of both sides are in the battle."""
        return bool(self.flown.get(self.side)) and bool(self.flown.get(self.enemy))

    def air(self, side: str) -> tuple[str, ...]:
        """The air assets of a side that are still in the battle [10d, 10e]."""
        return tuple(name for name in self.flown.get(side, ()) if name not in self.beaten)

    def right(self, side: str) -> bool:
        """Return whether the die against a side hit."""
        return bool(self.attack_hit if side == self.enemy else self.defence_hit)

    def is_disputed(self, side: str) -> bool:
        """Return whether an announced result of that die was not its result."""
        return self.said.get(side, self.right(side)) is not self.right(side)

    def hit(self, side: str) -> bool:
        """Return whether a side suffers a hit: in a dispute the result that was carried out counts."""
        return bool(self.suffered.get(side)) if self.is_disputed(side) else self.right(side)

    def may_be_hit(self, side: str) -> bool:
        """Return whether a side suffers a hit by its die or by the announcement."""
        return self.right(side) or self.is_disputed(side)

    def die(self, side: str) -> int:
        """The die against a side."""
        return self.attack_die if side == self.enemy else self.defence_die

    def added(self, side: str) -> int:
        """The modifier of the die against a side."""
        return self.attack_added if side == self.enemy else self.defence_added

    def compared_with(self, side: str) -> int:
        """The combat factor with which the die against a side is compared."""
        return self.factor if side == self.enemy else self.defending


SETTLING = Settling(Fight, "settle", ("battles",))
"""A battle is settled when players say so, or at the end of the phase."""


def involved(position: Position, fight: Fight) -> tuple[str, ...]:
    """Return the pieces of both hexes, at the time of the attack roll, and the aircraft."""
    flown = tuple(name for names in fight.flown.values() for name in names)
    return (*fight.attackers, *fight.mates, *fight.defenders, *flown, *fight.replaced)


FIGHTS = Battles(Fight, involved)
fights, fight_of = FIGHTS.all, FIGHTS.of


def fight_for(position: Position, action: Action) -> Fight | None:
    """Return the battle to which an action belongs; a loss belongs to the last one with an unpaid hit.

    A loss in the Supply Phase is a loss for supply.
    """
    if position.phase == "supply" and not action.battle:
        return None
    this = FIGHTS.after(position, action)
    if this is None or action.battle or action.verb not in ("lose", "eliminate"):
        return this
    waiting = [each for each in fights(position) if _takes_loss(position, each, action.piece)]
    return max(waiting, key=lambda each: each.order, default=this)


def _takes_loss(position: Position, fight: Fight, name: str) -> bool:
    """Return whether a piece can take a loss that is still due for a hit in a battle."""
    side = _side(position, name)
    return fight.right(side) and not fight.suffered.get(side) and name in involved(position, fight)


def attacked(position: Position, name: str) -> str:
    """Return the hex that a unit or asset has attacked in this player turn; empty if none [7.4c, 11a]."""
    declared = (
        each.target
        for each in reversed(fights(position))
        if name in force(position, each) and name not in each.left_out
    )
    return next(declared, "") or position.note(ATTACKED, name) or ""


def flown(position: Position, name: str) -> str:
    """Return the hex to which an air asset has flown in this player turn; empty if none [7.3j].

    A flight to a battle that was called off before any die does not count.
    """
    battles = (
        each for each in reversed(fights(position)) if name in each.flown.get(_side(position, name), ())
    )
    return next((each.target for each in battles), "") or position.note(FLOWN, name) or ""


def may_be_put_back(position: Position, piece: Piece) -> bool:
    """Return whether an air asset has flown in this player turn and is dead although no battle
    eliminated it.
    """
    paid = any(piece.id in names for fight in fights(position) for names in fight.suffered.values())
    return piece.where == box(piece.side, "dead") and bool(flown(position, piece.id)) and not paid


def without_flight(position: Position, name: str) -> Position:
    """Return the position with the flight of an air asset taken back, if its battle has not
    been rolled for.
    """
    side = _side(position, name)
    for fight in fights(position):
        there = fight.flown.get(side, ())
        if name in there and not fight.rolled and not fight.air_dice:
            left = tuple(other for other in there if other != name)
            position = position.with_battle(evolve(fight, flown={**fight.flown, side: left}))
    return position


def _side(position: Position, name: str) -> str:
    return position.pieces[name].side


def force(position: Position, fight: Fight) -> tuple[str, ...]:
    """Return the attacking unit, its assets, and a battlegroup that replaced it."""
    groups = (name for name in fight.replaced if _side(position, name) == fight.side)
    return (*fight.attackers, *fight.mates, *groups)


def defenders(position: Position, fight: Fight) -> tuple[str, ...]:
    """Return the pieces of the attacked hex at the attack roll, and a battlegroup that replaced one."""
    groups = (name for name in fight.replaced if _side(position, name) == fight.enemy)
    return (*fight.defenders, *groups)


def has_broken_through(position: Position, name: str) -> bool:
    """Return whether a piece has made its breakthrough move, or is in a breakthrough attack [15b]."""
    return position.note(BROKE_THROUGH, name) is not None or is_done(position, name)


def is_done(position: Position, name: str) -> bool:
    """Return whether a piece is in a breakthrough attack, after which it may not move or attack [15g]."""
    return any(each.second and name in force(position, each) for each in fights(position))


def defending_unit(position: Position, fight: Fight) -> Piece | None:
    """Return the unit in the attacked hex, as at the attack roll if it was made."""
    pieces = (
        [position.pieces[name] for name in fight.defenders]
        if fight.rolled
        else list(units_at(position, fight.target, fight.enemy))
    )
    return next((piece for piece in pieces if is_unit(piece)), None)


def targets(position: Position, fight: Fight) -> tuple[Piece, ...]:
    """Return the pieces of the attacked hex that are not flying."""
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


def spent_assets(position: Position, fight: Fight) -> tuple[tuple[Piece, Fight], ...]:
    """Return the assets that count for an attack and took part in that of another unit, each with that unit.

    Assets of a stack that breaks through attack with it again [11a, 15b].
    """
    others = [each for each in fights(position) if each.rolled and fight.unit not in force(position, each)]
    return tuple(
        (piece, max(before, key=lambda each: each.order))
        for piece in counted_assets(position, fight, fight.side)
        if (before := [each for each in others if piece.id in each.mates and piece.id not in each.left_out])
    )


def support(position: Position, fight: Fight, side: str, clause: str) -> tuple[Modifier, ...]:
    """Return what a side's assets subtract from its die, including the air asset [10f, 11i, 12c]."""
    found = [
        Modifier(name_of(position, piece.id), piece.factor("support"), clause)
        for piece in counted_assets(position, fight, side)
    ]
    for name in fight.air(side)[:1]:
        flying = f"{name_of(position, name)} in the air"
        found.append(Modifier(flying, position.pieces[name].factor("support"), "10f"))
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
    grid = game.map.grid
    if stood in grid and grid.are_neighbours(stood, target):
        for name in sorted(game.map.hexside(stood, target).features):
            feature = game.features[name]
            found.append(Modifier(feature.title, feature.effects.integer("modifier", 0), "11e"))
    return tuple(sorted(found, key=lambda part: -part.amount))


def attack_modifiers(position: Position, fight: Fight) -> tuple[Modifier, ...]:
    """Return the modifier of the attack die: the highest of the terrain, less support [11e to 11j]."""
    highest = terrain(position, fight.target, fight.stood)[:1]
    parts = (*highest, *support(position, fight, fight.side, "11i"))
    return tuple(part for part in parts if part.amount)


def defence_modifiers(position: Position, fight: Fight) -> tuple[Modifier, ...]:
    """Return the modifier of the defence die: support only [12b, 12c]."""
    return tuple(part for part in support(position, fight, fight.enemy, "12c") if part.amount)


def is_hit(position: Position, die: int, added: int, factor: int) -> bool:
    """Return whether a die hits: 1 always, 12 never, otherwise up to the combat factor [11k,
    11m, 12e, 12g].
    """
    values = position.game.values["dice"].values
    if die == values.integer("always"):
        return True
    return die != values.integer("never") and die + added <= factor


def is_natural(position: Position, die: int) -> bool:
    """Return whether a die hits or misses regardless of its modifier [11m, 12g]."""
    values = position.game.values["dice"].values
    return die in (values.integer("always"), values.integer("never"))


def decides(position: Position, fight: Fight, side: str) -> bool:
    """Return whether a natural 1 or 12 gives another result than its sum would [11m, 12g]."""
    by_sum = fight.die(side) + fight.added(side) <= fight.compared_with(side)
    return is_natural(position, fight.die(side)) and fight.right(side) is not by_sum


def grade_of_hit(position: Position, fight: Fight, side: str) -> Grade:
    """Return how certain it is that a side is hit, or not, if the other outcome was carried out."""
    right = HIT if fight.right(side) else MISS
    sure = side in fight.confirmed or (side in fight.said and not fight.is_disputed(side))
    announced = right if sure else ""
    played = MISS if fight.right(side) else HIT
    return grade_of_outcome(played, right, table_of(position, fight, side), announced=announced)


def table_of(position: Position, fight: Fight, side: str) -> Provenance:
    """Return the source of a die's result: the rulebook alone for a natural 1 or 12 [11m, 12g]."""
    return NATURAL if is_natural(position, fight.die(side)) else CHART


def winner_of(position: Position, fight: Fight) -> str:
    """Return the side that wins air combat by its dice, or none [10c, 10e]."""
    left = [position.pieces[name].side for name in fight.air_dice if name not in fight.beaten]
    return left[0] if left else "none"


def grade_of_winner(position: Position, fight: Fight) -> Grade:
    """Return how certain the winner of air combat is, if another loss was carried out."""
    right, announced = winner_of(position, fight), fight.winner
    if not announced and len(fight.results) == len(fight.air_dice):
        beaten = losers(fight.results)
        announced = next((_side(position, name) for name in fight.results if name not in beaten), "none")
    return grade_of_outcome("another", right, CHART, announced=announced)


def losers(results: Mapping[str, int]) -> tuple[str, ...]:
    """Return the losers of air combat: the higher result; both if equal, or if both are zero or less
    [10c, 10e].
    """
    most = max(results.values())
    if len(set(results.values())) == 1 or most <= 0:
        return tuple(results)
    return tuple(name for name, result in results.items() if result == most)


def total(parts: tuple[Modifier, ...]) -> int:
    """Return the sum of modifiers."""
    return sum(part.amount for part in parts)


def based(position: Position, fight: Fight) -> tuple[Piece, ...]:
    """Return the air assets that were on the attacked hex."""
    if fight.rolled:
        return tuple(position.pieces[name] for name in fight.defenders if is_air(position.pieces[name]))
    return air_at(position, fight.target, fight.enemy)


def is_alone(position: Position, fight: Fight) -> bool:
    """Return whether the attacked hex holds aircraft on the ground and nothing else [13g]."""
    return all(is_air(piece) for piece in targets(position, fight))


def goes_along(position: Position, action: Action) -> bool:
    """Return whether an air asset on the ground moves with the attackers with which it was stacked [7.5c]."""
    piece = position.pieces[action.piece]
    return (
        is_air(piece)
        and not piece.is_(FLYING)
        and any(
            each.rolled and each.side == piece.side and (piece.where, action.end) == (each.stood, each.target)
            for each in fights(position)
        )
    )


def must_retreat(position: Position, fight: Fight) -> bool:
    """Return whether the defenders must leave: hit without a hit in return, or only assets [12j, 14a]."""
    if not fight.rolled:
        return False
    if defending_unit(position, fight) is None:
        return position.game.adopted("lone-assets") == "always" or fight.hit(fight.enemy)
    return fight.hit(fight.enemy) and not fight.hit(fight.side)


def may_stay_unhurt(position: Position, fight: Fight, side: str) -> bool:
    """Whether a hit on a side may have no effect: a unit stays reduced because there is no battlegroup."""
    names = fight.defenders if side == fight.enemy else fight.attackers
    return any(stays_reduced(position, position.pieces[name]) for name in names)


def earned(position: Position, name: str) -> Fight | None:
    """Return the battle that lets a piece break through: it was in a stack with a general [15a]."""
    for fight in reversed(fights(position)):
        if name in force(position, fight) and fight.rolled and not fight.second:
            entitled = clears(position, fight) and generals_of(position, fight) and _has_unit(position, fight)
            return fight if entitled else None
    return None


def _has_unit(position: Position, fight: Fight) -> bool:
    """Return whether the attacking unit is still there, or a battlegroup in its place."""
    pieces = (position.pieces[name] for name in force(position, fight))
    return any(is_unit(piece) and is_on_map(position, piece) for piece in pieces)


def clears(position: Position, fight: Fight) -> bool:
    """Return whether the attack hit and the enemies of the hex were all eliminated or retreated."""
    if not fight.may_be_hit(fight.enemy) or not fight.defenders:
        return False
    left = [piece for piece in of_side(position, fight.target) if piece.side == fight.enemy]
    return not left


def generals_of(position: Position, fight: Fight) -> tuple[Piece, ...]:
    """Return the generals of the attacking stack that are still on the map."""
    pieces = (position.pieces[name] for name in fight.mates)
    return tuple(piece for piece in pieces if is_general(position, piece) and is_on_map(position, piece))


def rolls_of(position: Position, fight: Fight) -> Duel:
    """Return the rolls of a battle as they would be made now [11, 12]."""
    unit, defender = position.pieces.get(fight.unit), defending_unit(position, fight)
    rolls = []
    if unit is not None:
        rolls.append(_roll_of(position, unit, attack_modifiers(position, fight), "attack"))
    if defender is not None:
        rolls.append(_roll_of(position, defender, defence_modifiers(position, fight), "defence"))
    return Duel(tuple(rolls))


def _roll_of(position: Position, piece: Piece, parts: tuple[Modifier, ...], die: str) -> Roll:
    factor, faces = piece.factor("combat"), position.game.dice[die].sides
    hits = sum(is_hit(position, face, total(parts), factor) for face in range(1, faces + 1))
    return Roll(f"{die} of {name_of(position, piece.id)}", factor, parts, hits, faces)


def odds_of(position: Position, target: str, names: tuple[str, ...]) -> Duel:
    """Return the rolls of an attack that has not been declared; its assets go with the unit."""
    unit = next((name for name in names if is_unit(position.pieces[name])), names[0])
    piece = position.pieces[unit]
    return rolls_of(position, Fight(0, target, (unit,), side=piece.side, stood=piece.where))


def recount(position: Position, number: int) -> Duel | None:
    """Return the rolls of the current battle, None if it has been rolled."""
    fight = position.battle(number)
    return rolls_of(position, fight) if isinstance(fight, Fight) and not fight.rolled else None
