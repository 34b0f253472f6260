"""Tactical advances after combat."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts
from referee.engine.wording import is_or_are, listed, name_of, names_of
from referee.games.postcard1943.battle import (
    BY_FORCE,
    Attack,
    attack_for,
    attacks,
    lone_churchills,
    threatening,
)
from referee.games.postcard1943.facts import (
    is_sound,
    limit,
    other,
    put,
    the_field,
    units_at,
    weight,
)
from referee.games.postcard1943.outcomes import duty
from referee.games.postcard1943.retreat_paths import closed_hexside
from referee.games.postcard1943.retreats import into_swamp
from vassalgen.game.provenance import RECONSTRUCTION, Provenance

rules = Section("Tactical advances", Provenance("rulebook", "Tactical Advances"))


@rules.on("advance", clause="advance.1 advance.3")
def attackers_advance_into_the_vacated_hex(position: Position, action: Action) -> Iterator[Breach]:
    attack, unit = attack_for(position, action), action.piece
    facts: Facts = {"unit": unit, "path": action.path}
    name = name_of(position, unit)
    if attack is None or not attack.rolled:
        says = f"{name} advances before any attack has been resolved; an advance follows an attack."
        yield Breach(says, facts)
        return
    target = attack.target
    if unit not in attack.attackers:
        says = f"{name} advances, but it did not attack {target}; only units that did may advance."
        yield Breach(says, facts)
    if enemies := units_at(position, target, other(position, attack.side)):
        names = names_of(position, (piece.id for piece in enemies))
        says = f"{name} may not advance into {target}: {names} {is_or_are(enemies)} still there."
        yield Breach(says, facts)
    elif unit not in attack.advanced and target not in _first(position, action):
        says = f"{name} advances to {action.end}; an advance must first enter the vacated hex, {target}."
        yield Breach(says, facts)
    elif unit in attack.advanced and target != action.path[0]:
        says = f"{name} advances a third hex, to {action.end}; an advance is at most 2 hexes."
        yield Breach(says, facts, clause="advance.3")
    others = tuple(each for each in attack.advanced if each != unit)
    if others and position.game.adopted("advance-number") == "one":
        says = f"{name} advances after {names_of(position, others)}; only 1 unit may advance."
        yield Breach(says, {"advanced": others})


def _first(position: Position, action: Action) -> tuple[str, ...]:
    """The hexes that may be the first of an advance: the next one, or those between the ends of a drag.

    A drag to a neighbour may have gone through the vacated hex adjacent to both.
    """
    grid = position.game.map.grid
    here, there = action.path[0], action.path[1]
    if not action.dragged:
        return (there,)
    between = tuple(name for name in grid.neighbours(here) if grid.are_neighbours(name, there))
    return (there, *between) if grid.are_neighbours(here, there) else between


@rules.on("advance", clause="move.4 move.5 move.15 terrain.8")
def no_advance_over_a_closed_hexside(position: Position, action: Action) -> Iterator[Breach]:
    """Into the vacated hex; a hexside between the attacker's hex and that one is checked at the attack."""
    attack, unit, index = attack_for(position, action), action.piece, position.game.map.grid.index
    if attack is None or attack.target != action.path[1] or attack.stood.get(unit) == action.path[0]:
        return
    here, there = index[action.path[0]], index[action.path[1]]
    prepared, grid = the_field(position), position.game.map.grid
    if action.dragged or prepared.zone(prepared.kind(unit))[here] >> there & 1 or grid.gap(here, there) > 1:
        return
    for bar in closed_hexside(position, unit, here, there):
        facts: Facts = {"unit": unit, "path": action.path}
        yield Breach(bar.says, facts, clause=bar.clause, provenance=RECONSTRUCTION)


@rules.on("advance", clause="stack.1 stack.2")
def an_advance_stays_within_the_limit(position: Position, action: Action) -> Breach | None:
    piece, where = position.pieces[action.piece], action.end
    total = weight(position, where, piece.side) + piece.counter.stack
    if total <= limit(position) or piece.counter.stack == 0 or piece.where == where:
        return None
    units = [each for each in units_at(position, where, piece.side) if each.counter.stack]
    clause = "stack.1" if len(units) + 1 > limit(position) else "stack.2"
    facts: Facts = {"hex": where, "weight": total, "limit": limit(position)}
    says = f"{name_of(position, piece.id)} advances into {where}, where the stack would then count {total};"
    return Breach(f"{says} the stacking limit is {limit(position)}.", facts, clause=clause)


@duty(rules, clause="advance.2")
def one_attacker_must_advance(position: Position, attack: Attack) -> Iterator[Breach]:
    game = position.game
    if units_at(position, attack.target, other(position, attack.side)) or attack.advanced:
        return
    gone = [name for name in attack.defenders if name in attack.lost]
    if not (attack.result in BY_FORCE or lone_churchills(position, attack)):
        return
    if len(gone) == len(attack.defenders) and game.adopted("advance-after-elimination") == "may":
        return
    extra = any(len(path) > 1 for path in attack.retreated.values())
    if attack.result == "Dr" and extra and game.adopted("extra-hex") == "free":
        return
    able = tuple(name for name in attack.attackers if _is_able(position, attack, name))
    if able:
        names = listed([name_of(position, name) for name in able], "or")
        says = f"{names} must advance into {attack.target}, which was vacated by force; no unit did."
        yield Breach(says, {"hex": attack.target, "able": able})


def _is_able(position: Position, attack: Attack, name: str) -> bool:
    piece, grid, prepared = position.pieces[name], position.game.map.grid, the_field(position)
    if name in attack.lost or piece.where not in grid or not is_sound(piece) or piece.is_("stuck"):
        return False
    at, to = grid.index[piece.where], grid.index[attack.target]
    full = weight(position, attack.target, piece.side) + piece.counter.stack > limit(position)
    return not full and bool(prepared.zone(prepared.kind(name))[at] >> to & 1)


def _second(position: Position, action: Action) -> tuple[str, str] | None:
    """The second step of an advance, from the vacated hex, if there is one."""
    attack = attack_for(position, action)
    if attack is None or not attack.rolled or action.end == attack.target:
        return None
    if attack.target in action.path and action.path.index(attack.target) < len(action.path) - 1:
        return attack.target, action.path[action.path.index(attack.target) + 1]
    if action.dragged and attack.target in _first(position, action):
        return attack.target, action.end
    return None


@rules.on("advance", clause="advance.3")
def only_armour_advances_a_second_hex(position: Position, action: Action) -> Iterator[Breach]:
    step = _second(position, action)
    if step is None:
        return
    grid, game, prepared = position.game.map.grid, position.game, the_field(position)
    unit, (here, there) = action.piece, step
    facts: Facts = {"unit": unit, "path": action.path}
    name = name_of(position, unit)
    if action.end != there or not grid.are_neighbours(here, there):
        says = f"{name} advances beyond {here} to {action.end}; an advance is at most 2 hexes."
        yield Breach(says, facts)
        return
    if prepared.kind(unit) != "armour":
        yield Breach(f"{name} is not armour and may not advance a second hex, to {there}.", facts)
        return
    at, to = grid.index[here], grid.index[there]
    enemies = units_at(position, there, other(position, position.pieces[unit].side))
    if enemies:
        names = names_of(position, (piece.id for piece in enemies))
        yield Breach(f"{name} may not advance into {there}: {names} {is_or_are(enemies)} there.", facts)
    elif not prepared.zone("armour")[at] >> to & 1:
        says = f"{name} may not advance from {here} to {there}: armour cannot cross the hexside between them."
        yield Breach(says, facts, provenance=RECONSTRUCTION)
    elif game.adopted("second-hex") == "open-or-road":
        is_open = game.terrain[game.map.hexes[there].terrain].effects.flag("open", False)
        if not is_open and not game.map.roads_across(here, there):
            says = (
                f"{name} advances a second hex, to {there};"
                " that must be open terrain or be reached by road from"
                f" {here}."
            )
            yield Breach(says, facts, provenance=RECONSTRUCTION)


@rules.on("advance", clause="advance.4")
def no_second_hex_next_to_the_enemy(position: Position, action: Action) -> Breach | None:
    attack = attack_for(position, action)
    if attack is None or _second(position, action) is None:
        return None
    who = threatening(position, attack)
    near = bool(who)
    if position.game.adopted("second-hex-moment") == "before-retreat":
        near = attack.was_threatened
    if not near:
        return None
    name = name_of(position, action.piece)
    threat = f"is threatened by {names_of(position, who)}" if near and who else "was threatened"
    says = f"{name} must stop in {attack.target}, which {threat}; it advances a second hex."
    return Breach(says, {"unit": action.piece, "threatened by": who})


@rules.does("advance")
def advance(position: Position, action: Action) -> Position:
    """Put the unit where it went; in a swamp a roll is due."""
    attack = attack_for(position, action)
    position = put(position, action.piece, action.end)
    if attack:
        position = position.with_battle(evolve(attack, advanced=(*attack.advanced, action.piece)))
    return into_swamp(position, action.piece, action.end)


@rules.proposes
def possible_advances(position: Position, piece: Piece) -> Iterator[Action]:
    """Into the vacated hex, and a second one."""
    grid = position.game.map.grid
    for attack in attacks(position):
        if not attack.rolled or attack.settled or piece.id not in attack.attackers:
            continue
        if piece.id in attack.advanced or piece.where not in grid:
            continue
        yield Action("advance", (piece.id,), (piece.where, attack.target), battle=attack.number)
        for beyond in grid.neighbours(attack.target):
            if beyond != piece.where:
                path = (piece.where, attack.target, beyond)
                yield Action("advance", (piece.id,), path, battle=attack.number)
