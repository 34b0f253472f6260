"""The attacks that armour must make after a breakthrough that failed."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach
from referee.engine.wording import listed, name_of
from referee.games.tunisia1943.battle import attacks
from referee.games.tunisia1943.facts import ALLIES, division_of, this_turn
from referee.games.tunisia1943.notes import ATTACKED, BOUND, WAS_ATTACKED
from vassalgen.game.provenance import Provenance

rules = Section("Compulsory attacks", Provenance("rulebook", "4.3"))


@rules.on("attack", clause="4.3j")
def bound_armour_attacks_the_unit_that_stopped_it(position: Position, action: Action) -> Iterator[Breach]:
    for name in action.pieces:
        bound = position.note(BOUND, name)
        hexes = _to_attack(position, name)
        if bound and hexes and action.target not in hexes:
            targets = listed([name_of(position, one) for one in bound.targets], "or")
            says = (
                f"{name_of(position, name)} must attack {targets} in {listed(hexes, 'or')}"
                " after its failed breakthrough."
            )
            yield Breach(says, {"unit": name, "bound to": bound.targets})
    for name in left_out(position, action):
        says = (
            f"{name_of(position, name)} must attack {action.target}"
            f" after its failed breakthrough but takes no part."
        )
        yield Breach(says, {"unit": name, "hex": action.target})


def left_out(position: Position, action: Action) -> tuple[str, ...]:
    """Return the units that must attack this target and no other, and could, but take no part.

    Only other units that must attack it too can leave no room for them [8a, 8b].
    """
    together = [name for name in action.pieces if action.target in _to_attack(position, name)]
    found: list[str] = []
    for name in position.noted(BOUND):
        if name in action.pieces or position.note(ATTACKED, name) is not None:
            continue
        if _to_attack(position, name) == (action.target,) and may_join(position, name, (*together, *found)):
            found.append(name)
    return tuple(found)


def is_compulsory(position: Position, target: str, units: tuple[str, ...]) -> bool:
    """Return whether one of some units must attack a hex after a failed breakthrough [4.3j]."""
    return any(target in _to_attack(position, name) for name in units)


def may_join(position: Position, name: str, attackers: tuple[str, ...]) -> bool:
    """Return whether divisions and nations let a unit join an attack [8a, 8b]."""
    if position.game.adopted("impossible-duty") == "strict":
        return True
    pieces = [position.pieces[each] for each in (*attackers, name)]
    divisions = {division_of(position, piece.id) for piece in pieces} - {""}
    nations = {position.game.nations[piece.counter.nation].counts_as for piece in pieces}
    apart = pieces[0].side == ALLIES and not this_turn(position).flag("interallied", True)
    most = position.game.values["combat"].values.integer("divisions")
    return len(divisions) <= most and (len(nations) == 1 or not apart)


def _to_attack(position: Position, name: str) -> tuple[str, ...]:
    """The hexes next to a bound unit with one of those it must attack; none if the duty has ended."""
    bound, grid = position.note(BOUND, name), position.game.map.grid
    where = position.pieces[name].where
    if bound is None or where not in grid:
        return ()
    hexes = (position.pieces[target].where for target in bound.targets)
    return tuple(dict.fromkeys(at for at in hexes if at in grid and grid.are_neighbours(where, at)))


@rules.on("call off", clause="4.3j")
def a_compulsory_attack_is_not_called_off(position: Position, action: Action) -> Iterator[Breach]:
    battle = position.battle(action.battle)
    for name in battle.attackers if battle else ():
        if battle and battle.target in _to_attack(position, name):
            yield Breach(
                f"{name_of(position, name)} must make this attack after"
                f" its failed breakthrough; it cannot be called off.",
                {"unit": name, "hex": battle.target},
            )


@rules.leaving("combat", clause="4.3j")
def all_bound_armour_has_attacked(position: Position) -> Iterator[Breach]:
    reported = {name for attack in attacks(position) for name in attack.left_out}
    for name in position.noted(BOUND):
        if position.note(ATTACKED, name) is not None or not _to_attack(position, name):
            continue
        if name in reported or _is_excused(position, name):
            continue
        says = (
            f"{name_of(position, name)} had to attack {listed(_to_attack(position, name), 'or')}"
            f" after its failed breakthrough and did not."
        )
        yield Breach(says, {"unit": name, "hexes": _to_attack(position, name)})


def _is_excused(position: Position, name: str) -> bool:
    """Whether others have attacked the target, as was seen then: no attack on it is left [7.1c]."""
    if position.game.adopted("impossible-duty") == "strict":
        return False
    return all(
        any(
            position.note(WAS_ATTACKED, piece.id) is not None
            for piece in position.at(where)
            if piece.side != position.pieces[name].side
        )
        for where in _to_attack(position, name)
    )
