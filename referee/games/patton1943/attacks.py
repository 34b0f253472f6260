"""Phase 2, attack: who may attack what, one battle at a time."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, is_or_are, name_of, names_of
from referee.games.patton1943.battle import (
    FIGHTS,
    SETTLING,
    Fight,
    attacked,
    earned,
    fight_of,
    fights,
    force,
    has_broken_through,
    may_stay_unhurt,
    must_retreat,
    spent_assets,
    targets,
)
from referee.games.patton1943.facts import (
    assets_at,
    in_phase,
    is_air,
    is_asset,
    is_unit,
    of_side,
    other,
    the_field,
)
from referee.games.patton1943.notes import ATTACKED, DECLARED
from vassalgen.game.provenance import Provenance

rules = Section("Attack", Provenance("rulebook", "7.2, 11"))


@rules.on("attack", clause="7.2a")
def attacks_come_after_movement(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    own = not position.side or piece.side == position.side
    if position.phase == "battles" or not own:
        return None
    facts: Facts = {"unit": piece.id, "phase": position.phase}
    if position.phase == "movement":
        says = (
            f"{name_of(position, piece.id)} attacks while the turn track still shows the Movement Phase;"
            " attacks come after all movement."
        )
        return Breach(says, facts, Grade.slip)
    says = (
        f"{name_of(position, piece.id)} attacks {action.target} {in_phase(position)};"
        " attacks are made before the Return to Base Phase."
    )
    return Breach(says, facts)


@rules.on("attack", clause="7.2b")
def a_hex_with_enemies_next_to_the_unit(position: Position, action: Action) -> Iterator[Breach]:
    grid, side = position.game.map.grid, position.pieces[action.piece].side
    if not of_side(position, action.target, other(side)):
        says = (
            f"{names_of(position, action.pieces)} attacks {action.target};"
            " only a hex with an enemy may be attacked."
        )
        yield Breach(says, {"target": action.target})
    for name in action.pieces:
        where = position.pieces[name].where
        if is_unit(position.pieces[name]) and (
            where not in grid or not grid.are_neighbours(where, action.target)
        ):
            says = (
                f"{name_of(position, name)} attacks {action.target} {_from(position, where, action.target)};"
                " a unit attacks an adjacent hex."
            )
            yield Breach(says, {"unit": name, "hex": where or "none", "target": action.target})


def _from(position: Position, where: str, target: str) -> str:
    """The distance at which a target is attacked: ``from 2 hexes away``."""
    grid = position.game.map.grid
    return (
        f"from {counted(grid.distance(where, target), 'hex')} away" if where in grid else "from off the map"
    )


@rules.on("attack", clause="7.2c")
def only_units_attack(position: Position, action: Action) -> Breach | None:
    if any(is_unit(position.pieces[name]) for name in action.pieces):
        return None
    says = f"{names_of(position, action.pieces)} attack {action.target} without a unit; assets may not."
    return Breach(says, {"pieces": action.pieces, "target": action.target})


@FIGHTS.on(rules, "roll attack", clause="7.2d", stage="waiting")
def no_attack_is_rolled_before_the_last_battle_is_settled(
    position: Position, action: Action, this: Fight
) -> Breach | None:
    """What a battle requires must be done before the next die roll; an early declaration has no effect."""
    if position.game.adopted("battle-cycle") == "all-together":
        return None
    open_ = [
        fight
        for fight in SETTLING.open(position)
        if fight.number != this.number and _is_unfinished(position, fight)
    ]
    if not open_:
        return None
    says = (
        f"The attack on {this.target} is rolled before the battle for {open_[-1].target} has ended;"
        " each battle ends before the next."
    )
    return Breach(says, {"target": this.target, "unsettled": open_[-1].target})


def _is_unfinished(position: Position, fight: Fight) -> bool:
    """Return whether losses or retreats of a battle are still to come."""
    for side in (fight.enemy, fight.side):
        hit = fight.hit(side) and (side == fight.side or targets(position, fight))
        if hit and not fight.suffered.get(side) and not may_stay_unhurt(position, fight, side):
            return True
    return must_retreat(position, fight) and any(
        piece.where == fight.target and not is_air(piece) for piece in targets(position, fight)
    )


@rules.on("attack", clause="7.4c 11a")
def one_attack_for_each_unit(position: Position, action: Action) -> Iterator[Breach]:
    """A second attack breaks 7.4c once the first has been rolled for; before that players may change it
    [11a].

    Assets may still be left out: they are checked when the die is rolled.
    """
    if _is_breakthrough(position, action):
        return
    for name in action.pieces:
        before, rolled = attacked(position, name), position.note(ATTACKED, name)
        if not before or (not rolled and before == action.target):
            continue
        facts: Facts = {"unit": name, "target": action.target, "before": rolled or before}
        says = f"{name_of(position, name)} attacks {action.target};"
        if rolled:
            says += f" it has already attacked {rolled} in this phase."
            yield Breach(says, facts, clause="7.4c" if is_unit(position.pieces[name]) else "11a")
        else:
            says += f" its attack on {before} is declared and not called off, and a unit makes 1 attack."
            yield Breach(says, facts, Grade.unproven, "11a")


@FIGHTS.on(rules, "roll attack", clause="7.4c", stage="waiting")
def one_attack_die_for_each_unit(position: Position, action: Action, fight: Fight) -> Breach | None:
    """Only one of two attacks that were both declared before either die is rolled for."""
    since = [each for each in fights(position) if each.rolled and each.order > fight.since]
    before = [each for each in since if fight.unit and fight.unit in force(position, each)]
    if not before or fight.second or earned(position, fight.unit):
        return None
    says = (
        f"{name_of(position, fight.unit)} attacks {fight.target};"
        f" it has already attacked {before[-1].target} in this phase."
    )
    return Breach(says, {"unit": fight.unit, "target": fight.target, "before": before[-1].target})


def _participants(position: Position, action: Action) -> tuple[str, ...]:
    """The attacking units and the assets stacked with them."""
    found = list(action.pieces)
    for name in action.pieces:
        piece = position.pieces[name]
        if is_unit(piece) and piece.where in position.game.map.grid:
            found += [each.id for each in assets_at(position, piece.where, piece.side)]
    return tuple(dict.fromkeys(found))


def _is_breakthrough(position: Position, action: Action) -> bool:
    """Return whether an attack is the second one of a breakthrough, or is declared as such [15a, 15b]."""
    return any(
        has_broken_through(position, name) or earned(position, name) is not None for name in action.pieces
    )


@FIGHTS.on(rules, "roll attack", clause="11a 15g", stage="waiting")
def no_asset_supports_two_attacks(position: Position, action: Action, fight: Fight) -> Breach | None:
    """An asset whose hex a breakthrough has reached, or that has come to the hex of another unit in one.

    An asset that was in a breakthrough attack may not act again [15g].
    """
    for piece, before in spent_assets(position, fight):
        says = (
            f"{name_of(position, piece.id)} supports the attack on {fight.target};"
            f" it has already taken part in the attack on {before.target}."
        )
        facts: Facts = {"unit": piece.id, "target": fight.target, "before": before.target}
        return Breach(says, facts, clause="15g" if before.second else "11a")
    return None


@rules.on("attack", clause="11b")
def across_a_passable_hexside(position: Position, action: Action) -> Iterator[Breach]:
    grid, prepared = position.game.map.grid, the_field(position)
    for name in action.pieces:
        where = position.pieces[name].where
        if where not in grid or not grid.are_neighbours(where, action.target):
            continue
        at, to = grid.index[where], grid.index[action.target]
        if not prepared.links[at] >> to & 1:
            says = (
                f"{name_of(position, name)} attacks {action.target} from"
                f" {where} across an impassable hexside; no attack may cross one."
            )
            provenance = Provenance("reconstruction", remark="the map")
            yield Breach(says, {"unit": name, "hex": where}, provenance=provenance)


@rules.on("attack", clause="11c")
def units_do_not_attack_together(position: Position, action: Action) -> Breach | None:
    units = tuple(name for name in action.pieces if is_unit(position.pieces[name]))
    if len(units) < 2:
        return None
    says = f"{names_of(position, units)} attack {action.target} together; an attack is made by only 1 unit."
    return Breach(says, {"units": units})


@rules.on("attack", clause="11i")
def only_assets_of_the_stack_go_along(position: Position, action: Action) -> Breach | None:
    units = [position.pieces[name] for name in action.pieces if is_unit(position.pieces[name])]
    strange = [
        name
        for name in action.pieces
        if units and position.pieces[name] not in units and position.pieces[name].where != units[0].where
    ]
    if not strange:
        return None
    says = (
        f"{names_of(position, strange)} {is_or_are(strange)} named for the attack of"
        f" {name_of(position, units[0].id)}; only assets stacked with it count."
    )
    return Breach(says, {"pieces": tuple(strange), "target": action.target}, Grade.slip)


@rules.does("attack")
def declare(position: Position, action: Action) -> Position:
    """Open the battle under its number, or the next one."""
    units = [name for name in action.pieces if is_unit(position.pieces[name])]
    leader = position.pieces[units[0] if units else action.piece]
    last = position.note(DECLARED) or 0
    number = action.battle or last + 1
    second = _is_breakthrough(position, action)
    mates = tuple(
        name
        for name in _participants(position, action)
        if name not in units and position.pieces[name].where == leader.where
    )
    fight = Fight(
        number,
        action.target,
        (leader.id, *(name for name in units if name != leader.id)) if units else (),
        leader.side,
        leader.where,
        mates=mates,
        second=second,
        since=max((each.order for each in fights(position)), default=0),
    )
    return position.with_battle(fight).with_note(DECLARED, "", max(number, last))


@rules.on("leave out", clause="11i")
def an_asset_left_out_is_in_the_battle(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    if fight and not fight.rolled and position.pieces[action.piece].where in (fight.stood, fight.target):
        return None
    says = (
        f"{name_of(position, action.piece)} is marked as left out; only an asset in a current battle can be."
    )
    return Breach(says, {"unit": action.piece}, Grade.slip)


@FIGHTS.does(rules, "leave out", stage="waiting")
def leave_out(position: Position, action: Action, fight: Fight) -> Position:
    """The asset is not counted."""
    return position.with_battle(evolve(fight, left_out=(*fight.left_out, action.piece)))


@FIGHTS.does(rules, "take part", stage="waiting")
def take_part(position: Position, action: Action, fight: Fight) -> Position:
    """The asset is counted after all; once the die is rolled this changes nothing."""
    return position.with_battle(
        evolve(fight, left_out=tuple(name for name in fight.left_out if name != action.piece))
    )


@FIGHTS.does(rules, "call off", stage="waiting")
def cancel(position: Position, action: Action, fight: Fight) -> Position:
    """Drop an attack that has not been rolled for: its units may attack again, its aircraft may fly again.

    After air combat, its losses stay due and its aircraft have flown.
    """
    if fight.air_dice:
        return position.with_battle(evolve(fight, called_off=True, attackers=(), mates=(), second=False))
    return position.without_battle(fight.number)


SETTLING.settles(rules)


@rules.proposes
def calls(position: Position, piece: Piece) -> Iterator[Action]:
    """Assets left out of the battles that have not been rolled for, and battles called off by their unit."""
    for fight in fights(position):
        if fight.rolled or fight.called_off:
            continue
        if fight.unit == piece.id:
            yield Action("call off", battle=fight.number)
        involved = is_asset(piece) and piece.where in (fight.stood, fight.target)
        if involved and piece.id not in fight.left_out:
            yield Action("leave out", (piece.id,), battle=fight.number)


@rules.proposes
def attacks(position: Position, piece: Piece) -> Iterator[Action]:
    """Every adjacent hex with enemies, once the battle before is settled."""
    if position.phase != "battles" or piece.side != position.side or not is_unit(piece):
        return
    open_ = (fight for fight in fights(position) if not fight.called_off)
    if any(not fight.rolled or _is_unfinished(position, fight) for fight in open_):
        return
    if piece.where in position.game.map.grid:
        for where in position.game.map.grid.neighbours(piece.where):
            if of_side(position, where, other(piece.side)):
                yield Action("attack", (piece.id,), target=where)
