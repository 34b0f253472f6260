"""Phase 5: advance after combat."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.paths import begins_where_it_stands
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts
from referee.engine.wording import is_or_are, name_of, names_of
from referee.games.patton1943.battle import SETTLING, Fight, fight_for, fight_of, fights, force, goes_along
from referee.games.patton1943.facts import is_air, is_unit, occupied, of_side
from vassalgen.game.provenance import Provenance

rules = Section("Advance after combat", Provenance("rulebook", "7.5, 14"))
rules.on("advance", clause="7.5c")(begins_where_it_stands)


@rules.on("advance", clause="7.5a")
def only_the_unit_that_cleared_the_hex_advances(position: Position, action: Action) -> Breach | None:
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    facts: Facts = {"unit": piece.id, "to": action.end}
    name = name_of(position, piece.id)
    if fight is None or not fight.rolled:
        return Breach(f"{name} advances to {action.end}; only a unit that has attacked may.", facts)
    if piece.side != fight.side:
        return Breach(f"{name} advances to {action.end}; only the attacker may advance.", facts)
    if cleared := _cleared_later(position, action):
        says = (
            f"{name} advances to {action.end}; the later attack of {name_of(position, cleared.unit)} cleared"
            " it, and only that unit may."
        )
        return Breach(says, {**facts, "attacker": cleared.unit})
    if piece.id in force(position, fight) or _own_attacks(position, action):
        return None
    if is_unit(piece):
        says = f"{name} advances to {action.end}; only the unit that attacked that hex may."
        return Breach(says, {**facts, "attacker": fight.unit})
    return None


def _own_attacks(position: Position, action: Action) -> list[Fight]:
    """The attacks on the hex in which the piece took part."""
    attacks = (each for each in fights(position) if each.target == action.end)
    return [each for each in attacks if action.piece in force(position, each)]


def _cleared_later(position: Position, action: Action) -> Fight | None:
    """The attack by another unit that cleared the hex, after that of the piece had failed to."""
    own = [each.order for each in _own_attacks(position, action) if each.rolled]
    rolled = [each for each in fights(position) if each.rolled and each.target == action.end]
    last = max(rolled, key=lambda each: each.order, default=None)
    return last if last is not None and own and last.order > max(own) else None


@rules.on("advance", clause="7.5b 14k")
def an_advance_is_made_at_once(position: Position, action: Action) -> Breach | None:
    """Before the next attack is declared [7.5b], at the latest before its die [14k].

    An attack that was declared before the die of this one begins only with its own die.
    """
    fight = fight_for(position, action)
    if fight is None or not fight.rolled or _cleared_later(position, action) is not None:
        return None
    later = [
        each for each in fights(position) if (each.order if each.rolled else each.since + 1) > fight.order
    ]
    if not later:
        return None
    rolled = any(each.rolled for each in later)
    says = (
        f"{name_of(position, action.piece)} advances to {action.end} after the attack on {later[0].target}"
        " has begun; an advance comes before the next attack."
    )
    facts: Facts = {"unit": action.piece, "since": tuple(each.target for each in later)}
    return Breach(says, facts, clause="14k" if rolled else "7.5b")


@rules.on("advance", clause="7.5c")
def an_advance_is_of_the_stack_into_the_hex(position: Position, action: Action) -> Iterator[Breach]:
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    if fight is None or not fight.rolled:
        return
    facts: Facts = {"unit": piece.id, "to": action.end, "vacated": fight.target}
    name = name_of(position, piece.id)
    if piece.id not in force(position, fight):
        if not is_unit(piece):
            yield Breach(f"{name} advances; only pieces stacked with the attacking unit may.", facts)
    elif action.end != fight.target:
        says = f"{name} advances to {action.end}; it may only enter the vacated hex, {fight.target}."
        yield Breach(says, facts)
    elif fight.stood in position.game.map.grid and piece.where not in (fight.stood, fight.target):
        says = f"{name} has left {fight.stood}, where it attacked from, and may no longer advance."
        yield Breach(says, facts)


@rules.on("move", clause="7.5c")
def aircraft_do_not_go_along(position: Position, action: Action) -> Breach | None:
    """From the attacker's hex into the vacated one."""
    piece = position.pieces[action.piece]
    if not goes_along(position, action):
        return None
    says = f"{name_of(position, piece.id)} is an air asset and may not advance to {action.end}."
    return Breach(says, {"unit": piece.id, "from": piece.where, "to": action.end})


@SETTLING.rule(rules, clause="7.5c")
def assets_advance_only_with_their_unit(position: Position, fight: Fight) -> Iterator[Breach]:
    """The pieces of a stack are dragged in any order: whether an asset went alone is known only
    at the end.
    """
    if any(is_unit(position.pieces[name]) for name in fight.advanced):
        return
    for name in fight.advanced:
        piece = position.pieces[name]
        if not is_unit(piece) and piece.where == fight.target:
            facts: Facts = {"unit": name, "vacated": fight.target}
            says = (
                f"{name_of(position, name)} advances to {fight.target} without the attacking unit;"
                " assets advance only with a unit."
            )
            yield Breach(says, facts)


@rules.on("advance", clause="14j")
def the_hex_is_empty_of_enemies(position: Position, action: Action) -> Breach | None:
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    there = tuple(each.id for each in of_side(position, action.end) if each.side != piece.side)
    if there:
        says = (
            f"{name_of(position, piece.id)} may not advance into {action.end}: "
            f"{names_of(position, there)} {is_or_are(there)} still there."
        )
        return Breach(says, {"unit": piece.id, "hex": action.end, "there": there})
    if fight is None or not fight.rolled or action.end != fight.target:
        return None
    if not fight.defenders:
        says = (
            f"{name_of(position, piece.id)} advances into {action.end}; "
            "no enemy was on the ground there when the attack was rolled."
        )
        return Breach(says, {"unit": piece.id, "hex": action.end})
    by_flight = fight.defenders and all(is_air(position.pieces[name]) for name in fight.defenders)
    if (
        by_flight
        and not fight.may_be_hit(fight.enemy)
        and position.game.adopted("advance-after-flight") == "shut"
    ):
        says = (
            f"{name_of(position, piece.id)} advances into {action.end}; "
            "an enemy must have been eliminated there or have retreated from it."
        )
        return Breach(says, {"unit": piece.id, "hex": action.end})
    return None


@rules.does("advance")
def advance(position: Position, action: Action) -> Position:
    """Put the piece into the hex."""
    piece, fight = position.pieces[action.piece], fight_for(position, action)
    after = position.with_piece(piece.id, where=action.end)
    if fight is not None:
        after = after.with_battle(evolve(fight, advanced=(*fight.advanced, piece.id)))
    return occupied(after, piece, action.end)


@rules.proposes
def advances(position: Position, piece: Piece) -> Iterator[Action]:
    """Into the hex of the current battle, once it is empty."""
    fight = fight_of(position, Action("advance"))
    if (
        fight is None
        or not fight.rolled
        or piece.id not in force(position, fight)
        or piece.where != fight.stood
    ):
        return
    if not of_side(position, fight.target):
        yield Action("advance", (piece.id,), (piece.where, fight.target), battle=fight.number)
