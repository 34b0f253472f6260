"""Generals in danger: an enemy comes next to them, or they are in a combat."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import UNDERWAY, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of, names_of
from referee.games.vitoria1813.battle import SETTLING, Fight, fight_of, fights, party
from referee.games.vitoria1813.facts import (
    DISORDERED,
    NEUTRALISED,
    ROUTED,
    SIDES,
    combat_at,
    destroyed,
    is_combat,
    is_general,
    is_on_map,
    occupied,
    other,
    the_field,
)
from referee.games.vitoria1813.notes import (
    APPROACH_DIE,
    APPROACHED,
    APPROACHED_IN,
    CASUALTY_DIE,
    DRIVEN_OFF,
    FELL_IN,
    FELL_NOW,
    NEVER_ROLLED_FOR,
    ROLLED_FOR,
    ROUT_UNSEEN,
    TRAIL,
    WENT_UNSEEN,
    WITHDRAWN,
)
from vassalgen.game.provenance import Provenance

rules = Section("Casualties among generals", Provenance("rulebook", "9.2"))
FATES = {
    "eliminate": "is killed",
    "neutralise": "is neutralised",
    "withdraw": "moves off",
    "nothing": "is unharmed",
}
"""What happens to a general, by its verb."""
FACES, NOTHING_HAPPENS = range(1, 7), 4


@rules.on("roll approach", clause="9.2a 9.2e")
def a_die_is_rolled_for_a_lone_general_when_cavalry_comes(
    position: Position, action: Action
) -> Breach | None:
    by = position.note(APPROACHED, action.piece)
    facts: Facts = {"general": action.piece, "by": by or "none"}
    if by is None:
        passed = any(trail.dragged for trail in position.noted(TRAIL).values())
        says = (
            f"A die is rolled for {name_of(position, action.piece)}, but no enemy has moved next to this "
            "general."
        )
        return None if passed else Breach(says, facts, Grade.unproven, "9.2a")
    if _is_rolled_again(position, action.piece):
        first = position.note(APPROACH_DIE, action.piece) or 0
        return Breach(_again(position, action, first), {**facts, "first": first}, Grade.unproven, "9.2b")
    if position.pieces[by].counter.kind == "cavalry" or _have_ridden(position, by):
        return None
    says = (
        f"{name_of(position, by)} is not cavalry: {name_of(position, action.piece)} moves off without a "
        "die roll."
    )
    return Breach(says, facts, clause="9.2e")


def _is_rolled_again(position: Position, general: str) -> bool:
    """Return whether a die was rolled for a lone general, and no other cavalry has come next to him since."""
    by = position.note(ROLLED_FOR, general)
    return by is not None and by == position.note(APPROACHED, general)


def _again(position: Position, action: Action, first: int) -> str:
    return f"A second die is rolled for {name_of(position, action.piece)}; the first, {first}, counts."


def _have_ridden(position: Position, by: str) -> bool:
    """Return whether cavalry of a side has moved in this phase: it may have passed."""
    side = position.pieces[by].side
    moved = [position.pieces[name] for name in position.noted(TRAIL)]
    return any(piece.side == side and piece.counter.kind == "cavalry" for piece in moved)


@rules.does("roll approach")
def roll_approach(position: Position, action: Action) -> Position:
    """Remember the die; the first counts."""
    if _is_rolled_again(position, action.piece):
        return position
    by = position.note(APPROACHED, action.piece)
    position = position.with_note(ROLLED_FOR, action.piece, by) if by else position
    return position.with_note(APPROACH_DIE, action.piece, action.dice[0])


@rules.on("eliminate", "neutralise", "withdraw", clause="9.2b 9.2d 9.2g")
def what_the_die_says_is_done(position: Position, action: Action) -> Breach | None:
    """6 kills, 5 neutralises, a lower roll makes him move off."""
    general = position.pieces[action.piece]
    if not is_general(general):
        return None
    values = position.game.values["generals"].values
    die = position.note(APPROACH_DIE, general.id)
    clause = "9.2b"
    if die is None:
        die, clause = position.note(CASUALTY_DIE, general.id), "9.2g"
    if die is None:
        return None
    if clause == "9.2g" and action.verb != "withdraw" and not _was_endangered(position, general.id):
        says = f"{name_of(position, general.id)} {FATES[action.verb]} by a casualty die that was not due."
        return Breach(says, {"general": general.id, "die": die}, clause=clause)
    right = "withdraw" if clause == "9.2b" else "nothing"
    if die >= values.integer("killed"):
        right = "eliminate"
    elif die == values.integer("neutralised"):
        right = "neutralise"
    if action.verb == right or (right == "nothing" and action.verb == "withdraw"):
        return None
    alone = not combat_at(position, general.where, general.side)
    if action.verb == "eliminate" and is_surrounded(position, general.where, general.side) and alone:
        return None  # he has nowhere to go [9.2j]
    if (action.verb, right) == ("withdraw", "neutralise") and clause == "9.2g" and alone:
        return None  # the enemy may come into his hex [9.2h]
    says = f"On a {die}, {name_of(position, general.id)} {FATES[right]}; he {FATES[action.verb]} instead."
    return Breach(says, {"general": general.id, "die": die}, clause=clause)


def _was_endangered(position: Position, general: str) -> bool:
    """Return whether a general was in danger in a combat of the phase, perhaps one missing in the log."""
    unseen = position.note(UNDERWAY) is not None or not position.battles
    return unseen or any(general in endangered(position, fight) for fight in fights(position))


@rules.on("withdraw", clause="9.2d")
def he_moves_off_two_hexes(position: Position, action: Action) -> Breach | None:
    length = position.game.values["generals"].values.integer("moves_off")
    distance = position.game.map.grid.distance(action.path[0], action.end)
    if distance == length or not _has_refuge(position, action.path[0], action.piece, length):
        return None
    says = (
        f"{name_of(position, action.piece)} moves off {counted(distance, 'hex')}; he must move off exactly "
        f"{counted(length, 'hex')}."
    )
    return Breach(says, {"general": action.piece, "distance": distance})


def _has_refuge(position: Position, where: str, name: str, length: int) -> bool:
    """Return whether any hex at a distance is free of enemies."""
    grid, side = position.game.map.grid, position.pieces[name].side
    return any(
        grid.distance(where, far) == length and not combat_at(position, far, other(side))
        for far in grid.within(where, length)
    )


@rules.on("withdraw", clause="9.2d")
def a_general_moves_off_for_a_reason(position: Position, action: Action) -> Breach | None:
    """An enemy came next to him, or may have on a path whose hexes are not known."""
    general, grid = position.pieces[action.piece], position.game.map.grid
    called = (APPROACHED, general.id) in position.notes or (CASUALTY_DIE, general.id) in position.notes
    if called or general.where not in grid or _may_have_been_approached(position, general):
        return None
    alone = not combat_at(position, general.where, general.side)
    near = (combat_at(position, where, other(general.side)) for where in grid.neighbours(general.where))
    beset = alone and any(near)  # perhaps since an earlier phase, or one that is not known
    if beset and position.note(UNDERWAY):
        return None
    says = f"{name_of(position, general.id)} moves off, but no enemy has moved next to him in this phase."
    return Breach(says, {"general": general.id}, Grade.unproven if beset else Grade.illegal)


def _may_have_been_approached(position: Position, general: Piece) -> bool:
    """Return whether an enemy was dragged in this phase, so that it is not known which units it passed.

    This includes retreats, pursuits and advances; after one without a cause no hex between is known.
    """
    grid = position.game.map.grid
    for fight in fights(position):
        for name, path in (*fight.gone.items(), *fight.pursued.items()):
            far = any(here in grid and not grid.are_neighbours(here, there) for here, there in pairwise(path))
            if far and position.pieces[name].side != general.side:
                return True
    unseen = {*position.noted(ROUT_UNSEEN), *position.noted(WENT_UNSEEN)}
    unseen.update(name for name, trail in position.noted(TRAIL).items() if trail.dragged)
    return any(position.pieces[name].side != general.side for name in unseen)


@rules.on("withdraw", clause="9.2d")
def he_moves_off_into_no_enemy(position: Position, action: Action) -> Breach | None:
    side = position.pieces[action.piece].side
    enemies = tuple(piece.id for piece in combat_at(position, action.end, other(side)))
    if not enemies:
        return None
    says = (
        f"{name_of(position, action.piece)} moves off into {action.end}, onto {names_of(position, enemies)};"
        " he may not enter a hex with enemies."
    )
    return Breach(says, {"general": action.piece, "hex": action.end, "enemies": enemies})


@rules.on("withdraw", clause="9.2j")
def the_surrounded_are_lost(position: Position, action: Action) -> Breach | None:
    general = position.pieces[action.piece]
    if not is_surrounded(position, general.where, general.side):
        return None
    says = f"{name_of(position, general.id)} moves off although enemies surround him; he must be eliminated."
    return Breach(says, {"general": general.id})


def is_surrounded(position: Position, where: str, side: str) -> bool:
    """Return whether a hex is surrounded by enemies, or by closed ground [9.2j]."""
    grid, links = position.game.map.grid, the_field(position).links(destroyed(position))
    if where not in grid:
        return False
    return all(
        not links[grid.index[where]] >> grid.index[near] & 1 or combat_at(position, near, other(side))
        for near in grid.neighbours(where)
    )


@rules.leaving("leaders", "movement", "fire", "combat", clause="9.2a 9.2b 9.2d")
def a_general_approached_by_cavalry_is_rolled_for(position: Position) -> Iterator[Breach]:
    """A die is rolled for him, and he is killed, neutralised or moved off."""
    values = position.game.values["generals"].values
    for name, by in position.noted(APPROACHED).items():
        general = position.pieces[name]
        if position.pieces[by].counter.kind != "cavalry" or not is_on_map(position, general):
            continue
        die = _die_for(position, name, by)
        facts: Facts = {"general": name, "by": by}
        on_foot = (DRIVEN_OFF, name) in position.notes  # then he may have moved off before cavalry came
        if _is_gone(position, name) and (die is not None or on_foot):
            continue
        if die is None and (NEVER_ROLLED_FOR, name) in position.notes:
            continue
        if die is None:
            trail = position.note(TRAIL, by)
            says = f"{_came_near(position, by, name)}; a die must be rolled for this general, and none was."
            # of a drag it is not known when the roll was due
            dragged = trail is not None and trail.dragged
            grade = Grade.unproven if dragged or _shares_his_hex(position, by, name) else Grade.illegal
            yield Breach(says, facts, grade, "9.2a")
        elif general.where != position.note(APPROACHED_IN, name) or general.is_(NEUTRALISED):
            continue
        elif die >= values.integer("neutralised"):
            yield from _without_his_fate(position, general, die, {**facts, "die": die}, "9.2b")
        else:
            says = (
                f"On a {die}, {name_of(position, name)} moves off 2 hexes; he has stayed in {general.where}."
            )
            yield Breach(says, facts, clause="9.2d")


def _die_for(position: Position, general: str, by: str) -> int | None:
    """The die for a lone general since the last cavalry came; a neutralised general stays, and is in danger
    again.

    For others it is enough: they should have been gone when more cavalry came.
    """
    die = position.note(APPROACH_DIE, general)
    stays = die == position.game.values["generals"].values.integer("neutralised")
    return None if stays and position.note(ROLLED_FOR, general) not in (None, by) else die


def _without_his_fate(
    position: Position, general: Piece, die: int, facts: Facts, clause: str
) -> Iterator[Breach]:
    """Find a general who was killed or neutralised by a die but is still on the map or not marked."""
    killed = die >= position.game.values["generals"].values.integer("killed")
    fate = "killed and must be removed; he is still on the map"
    if not killed:
        fate = "neutralised and must be marked; he is not"
    if killed or not general.is_(NEUTRALISED):
        yield Breach(f"On a {die}, {name_of(position, general.id)} is {fate}.", facts, clause=clause)


@rules.leaving("leaders", "movement", "fire", "combat", clause="9.2e")
def a_general_approached_on_foot_moves_off(position: Position) -> Iterator[Breach]:
    """For a unit that comes next to him afterwards."""
    for name, noted in position.noted(DRIVEN_OFF).items():
        general = position.pieces[name]
        by, where = noted
        if not _is_gone(position, name) and general.where == where and not general.is_(NEUTRALISED):
            says = f"{_came_near(position, by, name)}, who must move off 2 hexes; he has stayed in {where}."
            grade = Grade.unproven if _shares_his_hex(position, by, name) else Grade.illegal
            yield Breach(says, {"general": name, "by": by}, grade)


def _came_near(position: Position, by: str, general: str) -> str:
    """Return a text saying that an enemy has come next to a general, or into his hex."""
    where = "into the hex of" if _shares_his_hex(position, by, general) else "next to"
    return f"{name_of(position, by)} has moved {where} {name_of(position, general)}"


def _shares_his_hex(position: Position, by: str, general: str) -> bool:
    """Return whether an enemy has come into the hex of a general: the rules only mention those next to it."""
    return position.pieces[by].where == position.pieces[general].where


def _is_gone(position: Position, name: str) -> bool:
    return not is_on_map(position, position.pieces[name]) or (WITHDRAWN, name) in position.notes


@rules.does("withdraw")
def withdraw(position: Position, action: Action) -> Position:
    """Put him there."""
    after = position.with_piece(action.piece, where=action.end)
    return after.with_note(WITHDRAWN, action.piece, True)


rules.marks("neutralise", state=NEUTRALISED, dated=True)


@rules.entering("leaders")
def the_neutralised_come_round(position: Position) -> Position:
    """At the end of the game turn."""
    for name, piece in position.pieces.items():
        mark = piece.states.get(NEUTRALISED)
        if mark is not None and mark.since is not None and mark.since.turn < position.turn:
            position = position.with_state(name, NEUTRALISED, None)
    return position


@rules.on("roll casualty", clause="9.2f")
def a_casualty_die_is_rolled_on_a_natural_one_or_six(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action)
    if fight is None or not fight.rolled or action.piece not in endangered(position, fight):
        says = (
            f"A casualty die is rolled for {name_of(position, action.piece)};"
            " that takes a combat die of 1 or 6 in his hex, or the loss of all his units."
        )
        return Breach(says, {"general": action.piece}, Grade.unproven)
    if _is_checked(position, fight, action.piece):
        first = position.note(CASUALTY_DIE, action.piece) or 0
        facts: Facts = {"general": action.piece, "first": first}
        return Breach(_again(position, action, first), facts, Grade.unproven)
    return None


def _is_checked(position: Position, fight: Fight, general: str) -> bool:
    """Return whether a die was rolled for a general in a combat that requires no other one.

    A natural 1 or 6 and the loss of all his units may require one each.
    """
    by_loss = endangered(position, evolve(fight, die=NOTHING_HAPPENS))
    return general in fight.checked and general not in by_loss


def endangered(position: Position, fight: Fight) -> tuple[str, ...]:
    """Return the generals in the hexes of a combat after a natural 1 or 6, or that lost all their units."""
    on = position.game.values["generals"].values.entries.get("check_on", ())
    natural = isinstance(on, (list, tuple)) and fight.die in on
    found: list[str] = []
    for side in SIDES:
        if fight.is_fire and side == fight.side:
            continue
        names = fight.attackers if side == fight.side else fight.defenders
        places = {fight.stood[name] for name in names if name in fight.stood}
        if side == fight.enemy:
            places |= set(fight.targets)
        for where in sorted(places):
            if natural or _are_destroyed(position, fight, where, side):
                found += _generals_then(position, fight, where, side)
    return tuple(found)


def _are_destroyed(position: Position, fight: Fight, where: str, side: str) -> bool:
    """Return whether all units that fought in a hex are destroyed, and no other unit is in it [9.2h]."""
    names = [name for name in party(fight, side) if fight.stood.get(name) == where]
    gone = all(not is_on_map(position, position.pieces[name]) for name in names)
    return bool(names) and gone and not combat_at(position, where, side)


def _generals_then(position: Position, fight: Fight, where: str, side: str) -> tuple[str, ...]:
    return tuple(
        name for name, here in fight.generals.items() if here == where and position.pieces[name].side == side
    )


@rules.does("roll casualty")
def roll_casualty(position: Position, action: Action) -> Position:
    """Remember the die; the first counts."""
    fight = fight_of(position, action)
    if fight is not None and _is_checked(position, fight, action.piece):
        return position
    position = position.with_note(CASUALTY_DIE, action.piece, action.dice[0])
    if fight is None:
        return position
    return position.with_battle(evolve(fight, checked=(*fight.checked, action.piece)))


@SETTLING.rule(rules, clause="9.2f 9.2h 9.2i")
def a_casualty_die_is_rolled_for_generals_in_danger(position: Position, fight: Fight) -> Iterator[Breach]:
    """After a natural 1 or 6 in melee [9.2f] or fire [9.2i]; or if all their units are destroyed [9.2h]."""
    on = position.game.values["generals"].values.entries.get("check_on", ())
    natural = isinstance(on, (list, tuple)) and fight.die in on
    for name in endangered(position, fight):
        settled = name in fight.checked or (NEVER_ROLLED_FOR, name) in position.notes
        if settled or not is_on_map(position, position.pieces[name]):
            continue
        clause = "9.2h" if not natural else "9.2i" if fight.is_fire else "9.2f"
        where = fight.generals.get(name, position.pieces[name].where)
        danger = f"was in the combat, in {where}, on a die of {fight.die}"
        if not natural:
            danger = f"lost all his units in {where}"
        says = f"{name_of(position, name)} {danger}; a casualty die must be rolled for him, and none was."
        yield Breach(says, {"general": name, "die": fight.die}, clause=clause)


@rules.leaving("fire", "combat", clause="9.2g 9.2h")
def what_the_casualty_die_says_is_done(position: Position) -> Iterator[Breach]:
    """6 eliminates him, 5 neutralises him; a lower roll makes him move off if all his units were destroyed.

    A die that was not due has no effect.
    """
    values = position.game.values["generals"].values
    for name, die in position.noted(CASUALTY_DIE).items():
        general = position.pieces[name]
        due = any(name in endangered(position, fight) for fight in fights(position))
        if not due or (APPROACH_DIE, name) in position.notes or _is_gone(position, name):
            continue
        facts: Facts = {"general": name, "die": die}
        if die >= values.integer("neutralised"):
            yield from _without_his_fate(position, general, die, facts, "9.2g")
        elif _has_lost_his_units(position, general):
            says = (
                f"On a {die}, {name_of(position, name)}, whose units were destroyed, moves off "
                f"{counted(values.integer('moves_off'), 'hex')}; he has stayed in {general.where}."
            )
            yield Breach(says, facts, clause="9.2h")


def _has_lost_his_units(position: Position, general: Piece) -> bool:
    """Return whether all units were destroyed in the hex in which a general was in combat and still is."""
    return any(
        fight.generals.get(general.id) == general.where
        and _are_destroyed(position, fight, general.where, general.side)
        for fight in fights(position)
    )


@rules.leaving("movement", "fire", "combat", clause="9.2k")
def his_fall_shakes_his_troops(position: Position) -> Iterator[Breach]:
    for name, general in _shaken_by_a_fall(position):
        if (FELL_NOW, general) not in position.notes:
            continue
        fell, reach = position.note(FELL_IN, general) or "", position.pieces[general].factor("range")
        gap = position.game.map.grid.distance(fell, position.pieces[name].where)
        says = (
            f"{name_of(position, name)} is {counted(gap, 'hex')} from where {name_of(position, general)} "
            f"fell, whose command range was {reach}, and must be marked Disordered; it is not."
        )
        yield Breach(says, {"unit": name, "general": general})


def _shaken_by_a_fall(position: Position) -> Iterator[tuple[str, str]]:
    """The units, not disordered, within the range of generals that were eliminated, and those generals."""
    for name in position.noted(FELL_IN):
        for piece in position.pieces.values():
            shaken = piece.is_(DISORDERED) or piece.is_(ROUTED)
            if is_combat(piece) and not shaken and _is_near(position, piece, name):
                yield piece.id, name


def fallen(position: Position, side: str) -> tuple[str, ...]:
    """Return the generals of a side that were eliminated in this player turn."""
    return tuple(name for name in position.noted(FELL_IN) if position.pieces[name].side == side)


def is_near_a_fall(position: Position, piece: Piece) -> bool:
    """Return whether a counter is within the range of an eliminated general of its side [9.2k]."""
    return any(_is_near(position, piece, name) for name in position.noted(FELL_IN))


def _is_near(position: Position, piece: Piece, name: str) -> bool:
    grid, general, fell = position.game.map.grid, position.pieces[name], position.note(FELL_IN, name)
    there = fell is not None and fell in grid and is_on_map(position, piece)
    if not there or piece.side != general.side:
        return False
    return grid.distance(fell or "", piece.where) <= general.factor("range")


@rules.proposes
def checks(position: Position, piece: Piece) -> Iterator[Action]:
    """Rules for generals in danger, next to an enemy or in combat."""
    if not is_general(piece) or not is_on_map(position, piece):
        return
    by, die = position.note(APPROACHED, piece.id), position.note(APPROACH_DIE, piece.id)
    cavalry = by is not None and position.pieces[by].counter.kind == "cavalry"
    if by is not None and not piece.is_(NEUTRALISED) and not position.note(WITHDRAWN, piece.id):
        if cavalry and die is None:
            yield from (Action("roll approach", (piece.id,), dice=(face,)) for face in FACES)
        else:
            yield from _fates(position, piece, die)
    for fight in SETTLING.open(position):
        if piece.id in endangered(position, fight) and piece.id not in fight.checked:
            for face in FACES:
                yield Action("roll casualty", (piece.id,), dice=(face,), battle=fight.number)
    if (die := position.note(CASUALTY_DIE, piece.id)) and die > NOTHING_HAPPENS:
        yield from _fates(position, piece, die)


def _fates(position: Position, piece: Piece, die: int | None) -> Iterator[Action]:
    values = position.game.values["generals"].values
    if die is not None and die >= values.integer("killed"):
        yield Action("eliminate", (piece.id,))
    elif die is not None and die == values.integer("neutralised"):
        yield Action("neutralise", (piece.id,))
    elif is_surrounded(position, piece.where, piece.side):
        yield Action("eliminate", (piece.id,))
    else:
        index = position.game.map.grid.index
        for where in position.game.map.grid.within(piece.where, values.integer("moves_off")):
            if not occupied(position, other(piece.side)) >> index[where] & 1:
                yield Action("withdraw", (piece.id,), (piece.where, where), dragged=True)


@rules.proposes
def troops_of_the_fallen(position: Position, piece: Piece) -> Iterator[Action]:
    """The troops that become disordered when their general is eliminated."""
    if is_combat(piece) and piece.id in {name for name, _ in _shaken_by_a_fall(position)}:
        yield Action("disorder", (piece.id,))
