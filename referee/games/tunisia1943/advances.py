"""Advances after combat."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, is_or_are, name_of, names_of
from referee.games.tunisia1943.account import demand
from referee.games.tunisia1943.battle import Attack, attack_for, attacks, fought_since, late_attack
from referee.games.tunisia1943.facts import (
    campaign,
    garrison_at,
    is_em,
    is_on_map,
    is_tiger,
    is_unit,
    other,
    stacking_limit,
    the_field,
    units_at,
)
from referee.games.tunisia1943.losses import with_spared
from vassalgen.game.provenance import RECONSTRUCTION, Provenance

rules = Section("Advances", Provenance("rulebook", "7.6"))


@rules.on("advance", clause="7.6a 7.1i")
def attackers_advance_into_the_emptied_hex(position: Position, action: Action) -> Iterator[Breach]:
    attack, piece = attack_for(position, action), position.pieces[action.piece]
    facts: Facts = {"unit": piece.id, "path": action.path}
    if attack is None or not attack.rolled:
        late = late_attack(position, piece.id)
        if late is None or piece.id not in late.attackers or action.end != late.target:
            says = (
                f"{name_of(position, piece.id)} advances, but there was no attack;"
                " an advance follows an attack."
            )
            yield Breach(says, facts)
        elif not units_at(position, late.target, other(late.side)):
            says = (
                f"{name_of(position, piece.id)} advances into {late.target} after the combat step;"
                " an advance is made at once after its combat."
            )
            yield Breach(says, facts, Grade.unproven, "7.1i")
        return
    if piece.side != attack.side:
        return  # reported as an action of the inactive side [1b]
    if is_em(piece):
        with_units = attack.advanced and position.game.adopted("ems-advance") == "yes"
        if not with_units:
            yield Breach(
                f"{name_of(position, piece.id)} advances; EMs take no part in combat and cannot advance.",
                facts,
            )
    elif piece.id not in attack.attackers:
        says = (
            f"{name_of(position, piece.id)} advances but took no part in the combat;"
            " only units that attacked may."
        )
        yield Breach(says, facts)
    left = units_at(position, attack.target, other(attack.side))
    if left:
        there = names_of(position, [each.id for each in left])
        says = (
            f"{name_of(position, action.piece)} advances into {attack.target}, where {there}"
            f" still {is_or_are(left)}; no enemy unit may be left there."
        )
        yield Breach(says, facts)
    elif attack.target not in action.path[:2] and piece.id not in attack.advanced:
        if _beyond(position, attack, action):
            return  # reported as an advance of more than one hex [7.6d]
        yield Breach(
            f"{name_of(position, action.piece)} advances to another hex;"
            f" an advance enters the attacked hex, {attack.target}.",
            facts,
        )


@rules.on("advance", clause="G.5")
def a_garrison_still_holds_its_harbour(position: Position, action: Action) -> Breach | None:
    attack = attack_for(position, action)
    garrison = garrison_at(position, action.end)
    if attack is None or garrison is None or garrison.side == attack.side:
        return None
    says = (
        f"{name_of(position, action.piece)} advances into {action.end}, which the garrison still holds;"
        " no enemy may be left there."
    )
    return Breach(says, {"unit": action.piece, "garrison": garrison.id})


@rules.on("advance", clause="7.6b C1.5")
def two_units_advance_at_most(position: Position, action: Action) -> Breach | None:
    """A Tiger counts as one of the two; a Tiger in addition is only unproven."""
    attack, piece = attack_for(position, action), position.pieces[action.piece]
    if attack is None or not is_unit(position, piece) or piece.id in attack.advanced:
        return None
    units = [position.pieces[name] for name in (*attack.advanced, piece.id)]
    units = [each for each in units if is_unit(position, each)]
    most = position.game.values["combat"].values.integer("advance")
    limit = stacking_limit(position, piece.side)
    facts: Facts = {"units": tuple(each.id for each in units), "limit": min(most, limit)}
    tigers = sum(is_tiger(position, each) for each in units)
    reading = position.game.adopted("tiger-in-advance")
    if len(units) > most:
        free = min(tigers, 1) if reading != "counts" else 0
        if len(units) - free > most:
            return Breach(
                f"{name_of(position, action.piece)} advances as well; the limit is {counted(most, 'unit')}.",
                facts,
                clause="7.6b",
            )
        if reading == "free":
            return None
        says = f"{counted(most, 'unit')} and a Tiger advance; whether the Tiger counts is an open question."
        return Breach(says, facts, Grade.unproven, "7.6b")
    if len(units) > limit and campaign(position) == "C1":
        return Breach(
            f"{name_of(position, action.piece)} advances as well; the Allied limit is 1 unit this turn.",
            facts,
            clause="C1.5",
        )
    return None


@rules.on("advance", clause="7.6d")
def an_advance_is_one_hex(position: Position, action: Action) -> Breach | None:
    attack = attack_for(position, action)
    if attack is None or not attack.rolled or action.end == attack.target:
        return None
    if position.pieces[action.piece].side != attack.side:
        return None
    through = attack.target in action.path or _beyond(position, attack, action)
    if not through and action.piece not in attack.advanced:
        return None
    says = (
        f"{name_of(position, action.piece)} advances beyond the"
        f" attacked hex, {attack.target}, where an advance ends."
    )
    return Breach(says, {"unit": action.piece, "path": action.path})


def _beyond(position: Position, attack: Attack, action: Action) -> bool:
    """Return whether only the ends of a path are known, and they are on opposite sides of the
    attacked hex.
    """
    grid, (start, end) = position.game.map.grid, (action.path[0], action.end)
    beside = grid.are_neighbours(attack.target, start) and grid.are_neighbours(attack.target, end)
    return action.dragged and beside and not grid.are_neighbours(start, end)


@rules.on("advance", clause="4.1g")
def nothing_impassable_is_crossed(position: Position, action: Action) -> Breach | None:
    """Terrain costs and zones of control do not limit an advance [7.6c]."""
    grid = position.game.map.grid
    here, there = action.path[0], action.path[1]
    if not grid.are_neighbours(here, there):
        return None
    if the_field(position).links[grid.index[here]] >> grid.index[there] & 1:
        return None
    facts: Facts = {"unit": action.piece, "hex": there}
    return Breach(
        f"{name_of(position, action.piece)} advances from {here}"
        f" to {there}, which cannot be entered from there.",
        facts,
        provenance=RECONSTRUCTION,
    )


@rules.on("advance", clause="7.1i")
def an_advance_comes_before_the_next_combat(position: Position, action: Action) -> Breach | None:
    """A late advance is only unproven if nothing in between depended on it."""
    attack = attack_for(position, action)
    if attack is None or not attack.rolled or action.piece not in attack.attackers:
        return None
    later = fought_since(position, attack)
    if not later:
        return None
    strict = position.game.adopted("late-advance") == "no"
    hung = strict or any(_hangs_on(position, attack, each) for each in later)
    says = (
        f"{name_of(position, action.piece)} advances into {attack.target}"
        f" too late, after the attack on {later[0].target} had begun."
    )
    facts: Facts = {"unit": action.piece, "attacked since": tuple(each.target for each in later)}
    return Breach(says, facts, Grade.illegal if hung else Grade.unproven)


def _hangs_on(position: Position, attack: Attack, later: Attack) -> bool:
    """Whether a unit has since retreated past the emptied hex: a unit in it might have blocked the path."""
    grid = position.game.map.grid
    if not demand(later).retreat:
        return False
    hexes = {later.target, *(where for path in later.retreated.values() for where in path)}
    return any(grid.distance(where, attack.target) <= 1 for where in hexes)


@rules.does("advance")
def advance(position: Position, action: Action) -> Position:
    """Put the unit where it went."""
    position = with_spared(position, action.piece)
    attack = attack_for(position, action)
    position = position.with_piece(action.piece, where=action.end)
    if attack is None or action.piece in attack.advanced:
        return position
    return position.with_battle(evolve(attack, advanced=(*attack.advanced, action.piece)))


@rules.proposes
def possible_advances(position: Position, piece: Piece) -> Iterator[Action]:
    """Into the emptied hex."""
    for attack in attacks(position):
        if not attack.rolled or attack.settled or piece.id not in attack.attackers:
            continue
        if piece.id not in attack.advanced and is_on_map(position, piece):
            yield Action("advance", (piece.id,), (piece.where, attack.target), battle=attack.number)
