"""Odds calculated literally, with any one clause left out, and announced so."""

from __future__ import annotations

from fractions import Fraction

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rulings import number
from referee.games.postcard1943.battle import Attack
from referee.games.postcard1943.notes import DISRUPTION_DUE
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.postcard1943.fighting import battle_of, factor
from tools.proof.games.postcard1943.plain import enemy, stack
from tools.proof.games.postcard1943.walking import reading

breaker = Breaker()
LONGSTOP, MARETH = "B4", "G5"
CHURCHILLS, NEW_ZEALANDERS = "nih", "nz"
SUPPORT = ("lw-afrika", "desert-af")
SHIFTS = ("terrain.4", "disrupt.3", "air.5", "pressed.2")
GROUND = ("terrain.1", "terrain.2", "terrain.3", "terrain.9", "church.1")


@frozen
class Sums:
    """The strengths of both sides, and the shifts added up."""

    attack: Fraction
    defence: Fraction
    shift: int

    def is_off_the_table(self, position: Position) -> bool:
        """Return whether the ratio is less than that of the first column."""
        least, *_ = (Fraction(left, right) for left, right in position.game.tables["crt"].ratios)
        return self.attack < least * self.defence

    def words(self, position: Position) -> tuple[str, ...]:
        """How they are announced: the column first."""
        table = position.game.tables["crt"]
        least = [Fraction(left, right) for left, right in table.ratios]
        ratio = self.attack / self.defence if self.defence else least[-1]
        natural = sum(one <= ratio for one in least) - 1
        column = min(max(max(natural, 0) + self.shift, 0), len(least) - 1)
        return table.columns[column], f"attack {number(self.attack)}", f"defence {number(self.defence)}"


def sums(position: Position, attack: Attack, without: str = "") -> Sums:
    """The odds of an attack before its die, as if one clause were not written."""
    slow, map_ = reading(position), position.game.map
    shares: dict[str, Fraction] = {}
    for name in attack.attackers:
        full = Fraction(factor(position.pieces[name], "attack"))
        shares[name] = full if slow.in_supply(name) or without == "supply.5" else full / 2
    total = sum(shares.values(), Fraction(0))

    def most_across(feature: str) -> bool:
        stood = {name: position.pieces[name].where for name in shares}
        near = [name for name in shares if stood[name] in map_.grid.neighbours(attack.target)]
        sides = {name: map_.hexside(stood[name], attack.target) for name in near}
        across = sum((shares[name] for name in near if feature in sides[name].features), Fraction(0))
        return bool(total) and across / total > Fraction(1, 2)

    units = stack(position, attack.target, enemy(attack.side))
    defence = sum((Fraction(factor(piece, "defence")) for piece in units), Fraction(0))
    defence += _ground(position, attack, units, without, in_line=most_across("mareth-line"))
    shift = 0
    if most_across("river") and without != "terrain.4":
        shift -= 1
    if any(_is_disrupted(position, piece) for piece in units) and without != "disrupt.3":
        shift += 1
    if set(attack.over) & set(SUPPORT) and without != "air.5":
        shift += 1
    if without != "pressed.2":
        shift += attack.pressed
    return Sums(total, defence, shift)


def _is_disrupted(position: Position, piece: Piece) -> bool:
    """Return whether a unit is still Disrupted: by its marker, or by what is yet to be marked."""
    return piece.is_("disrupted") or position.note(DISRUPTION_DUE, piece.id) is not None


def _ground(
    position: Position, attack: Attack, units: list[Piece], without: str, *, in_line: bool
) -> Fraction:
    """What hills and the Mareth Line add for infantry."""
    infantry = [
        piece
        for piece in units
        if not piece.counter.extra.flag("armour", False)
        or (piece.id == NEW_ZEALANDERS and without != "terrain.9")
        or piece.id == "dak"
    ]
    if not infantry:
        return Fraction(0)
    own = sum((Fraction(factor(piece, "defence")) for piece in infantry), Fraction(0))
    if attack.target == MARETH and position.turn > 4 and in_line and without != "terrain.3":
        return min(Fraction(2), own)
    if position.game.map.hexes[attack.target].terrain != "hill":
        return Fraction(0)
    if without == "terrain.1":
        return Fraction(0)
    longstop = attack.target == LONGSTOP and without != "terrain.2"
    bonus = min(Fraction(2), own) if longstop else Fraction(1)
    cancels = CHURCHILLS in attack.attackers and without != "church.1"
    return max(bonus - 1, Fraction(0)) if cancels else bonus


def _shifts_in_play(position: Position, attack: Attack) -> list[str]:
    """The clauses by which a column may rightly or wrongly be gained or lost."""
    map_, units = position.game.map, stack(position, attack.target, enemy(attack.side))
    sides = [map_.hexside(position.pieces[name].where, attack.target) for name in attack.attackers]
    found = {
        "terrain.4": any("river" in side.features for side in sides),
        "disrupt.3": any(_is_disrupted(position, piece) for piece in units),
        "air.5": bool(attack.bombers),
        "pressed.2": bool(attack.pressed),
    }
    return [clause for clause, there in found.items() if there]


def _announced_without(moment: Moment, clause: str) -> Broken:
    """The odds as those get them who forget a clause, where that makes a difference."""
    declared = moment.action.verb == "attack"
    position = moment.step.after if declared else moment.position
    attack = battle_of(position, Action("odds") if declared else moment.action)
    if not isinstance(attack, Attack) or attack.rolled:
        return
    grid = position.game.map.grid
    if not all(grid.are_neighbours(position.pieces[name].where, attack.target) for name in attack.attackers):
        return
    if clause in SHIFTS and len(_shifts_in_play(position, attack)) > 1:
        return  # what is one column off may be so for several reasons
    right, wrong = sums(position, attack), sums(position, attack, clause)
    if right.is_off_the_table(position) or wrong.is_off_the_table(position):
        return
    others = (one for one in (*SHIFTS, *GROUND, "supply.5") if one != clause)
    alike = any(sums(position, attack, one).words(position) == wrong.words(position) for one in others)
    if right.words(position) != wrong.words(position) and not alike:
        said = Action("odds", words=wrong.words(position), battle=attack.number)
        yield (moment.action, said) if declared else (said,)


breaker.alike(
    _announced_without,
    ("attack", "roll combat"),
    hills_forgotten=("terrain.1", "terrain.1"),
    longstop_forgotten=("terrain.2", "terrain.2"),
    mareth_line_forgotten=("terrain.3", "terrain.3"),
    river_forgotten=("terrain.4", "terrain.4"),
    new_zealanders_defend_as_armour=("terrain.9", "terrain.9"),
    churchills_forgotten=("church.1", "church.1"),
    disrupted_defenders_forgotten=("disrupt.3", "disrupt.3"),
    close_support_forgotten=("air.5", "air.5"),
    press_forgotten=("pressed.2", "pressed.2"),
)


def _had_supply(moment: Moment) -> bool:
    """Return whether somebody attacks who was in supply when it moved in the same player turn."""
    position, attack = moment.position, battle_of(moment.step.after, moment.action)
    if attack is None:
        return False
    short = {name for name in attack.attackers if not reading(position).in_supply(name)}
    return any(
        reading(step.before).in_supply(name)
        for step in moment.game[: moment.place]
        if step.action.verb == "move" and step.before.turn == position.turn
        for name in short.intersection(step.action.pieces)
    )


@breaker.breaks("supply.5", "attack", "roll combat")
def full_factors_without_supply(moment: Moment) -> Broken:
    return () if _had_supply(moment) else _announced_without(moment, "supply.5")


@breaker.breaks("supply.6", "attack", "roll combat")
def full_factors_of_those_who_had_supply(moment: Moment) -> Broken:
    return _announced_without(moment, "supply.5") if _had_supply(moment) else ()
