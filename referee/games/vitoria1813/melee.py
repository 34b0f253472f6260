"""Melee: which units may attack which enemies, and which must."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.engine.actions import Action
from referee.engine.position import Note, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import name_of, names_of
from referee.games.vitoria1813.battle import (
    FIGHTS,
    SETTLING,
    Fight,
    attacked_before,
    defending,
    fight_of,
    fights,
    is_pursuit,
    place_of,
    waiting,
)
from referee.games.vitoria1813.facts import (
    HAS_FIRED,
    ROUTED,
    SHAKEN_NOW,
    SIDES,
    bodies_at,
    combat_at,
    covers,
    has_zone,
    in_ezoc,
    is_body,
    is_combat,
    is_on_map,
    is_ordered,
    is_train,
    other,
    phase_of,
    threats,
)
from referee.games.vitoria1813.notes import (
    CONTACT_IN,
    CONTACT_WITH,
    DECLARED,
    FIRE_CALLED_OFF,
    FIRED,
    IN_CONTACT,
    MARKED_FIRED,
    WILD_IN,
)
from referee.games.vitoria1813.outcomes import is_left_undone
from vassalgen.game.provenance import Provenance

rules = Section("Melee", Provenance("rulebook", "7.1"))


@rules.on("attack", clause="2i")
def melee_is_against_the_next_hex(position: Position, action: Action) -> Iterator[Breach]:
    grid = position.game.map.grid
    if position.phase != "combat":
        says = (
            f"{names_of(position, action.pieces)} attack{'s' if len(action.pieces) == 1 else ''} in the "
            f"{phase_of(position)}; units attack only in the combat phase."
        )
        yield Breach(says, {"units": action.pieces, "phase": position.phase})
    for name in action.pieces:
        where = position.pieces[name].where
        if where not in grid or not grid.are_neighbours(where, action.target):
            says = (
                f"{name_of(position, name)} attacks {action.target}, but is in {where or 'no hex'}, which "
                "is not adjacent; units attack only adjacent hexes."
            )
            yield Breach(says, {"unit": name, "target": action.target})


@rules.on("attack", "also", clause="2i")
def nobody_attacks_an_empty_hex(position: Position, action: Action) -> Breach | None:
    fight = fight_of(position, action) if action.verb == "also" else None
    side = fight.side if fight else position.pieces[action.piece].side if action.pieces else position.side
    if bodies_at(position, action.target, other(side)):
        return None
    says = f"{action.target} is attacked; an enemy unit must be there, and none is."
    return Breach(says, {"target": action.target})


@rules.on("attack", clause="6.0b")
def batteries_that_fired_do_not_fight(position: Position, action: Action) -> Iterator[Breach]:
    for name in action.pieces:
        if position.note(FIRED, name):
            says = (
                f"{name_of(position, name)} attacks, but has already fired in this player turn;"
                " it may not do both."
            )
            yield Breach(says, {"unit": name})
        elif _may_have_fired(position, position.pieces[name]):
            says = f"{name_of(position, name)} attacks, but is marked as having fired; it may not do both."
            yield Breach(says, {"unit": name}, Grade.unproven)


def _may_have_fired(position: Position, piece: Piece) -> bool:
    """Return whether the marker of a battery may be from fire before the record begins."""
    here = ((kind, piece.id) in position.notes for kind in (FIRE_CALLED_OFF, MARKED_FIRED))
    return piece.is_(HAS_FIRED) and not any(here)


def _is_said_to_have_fired(position: Position, name: str) -> bool:
    """Return whether only the marker of a battery, set in this player turn, shows that it fired."""
    return position.pieces[name].is_(HAS_FIRED) and position.note(MARKED_FIRED, name) is not None


@rules.on("attack", clause="7.7a 7.8e")
def the_shaken_do_not_attack(position: Position, action: Action) -> Iterator[Breach]:
    for name in action.pieces:
        piece = position.pieces[name]
        if piece.is_(ROUTED):
            says = f"{name_of(position, name)} attacks, but is routed; a routed unit may not."
            yield Breach(says, {"unit": name}, clause="7.8e")
        elif not is_ordered(piece) or (WILD_IN, name) in position.notes:  # 11h: disordered for good
            says = f"{name_of(position, name)} attacks, but is disordered; a disordered unit may not."
            yield Breach(says, {"unit": name}, clause="7.7a")


@rules.on("attack", clause="7.1c 7.1e")
def a_unit_attacks_once(position: Position, action: Action) -> Iterator[Breach]:
    """Before the first die a second attack divides its value [7.1c]; after it, it is a second
    attack [7.1e].
    """
    for name in action.pieces:
        if any(name in fight.pursued for fight in fights(position)):
            continue
        for fight in fights(position):
            if name not in fight.attackers or fight.is_fire:
                continue
            clause = "7.1e" if fight.rolled else "7.1c"
            before = ", ".join(fight.targets)
            says = (
                f"{name_of(position, name)} attacks a second time in this phase, after {before};"
                " a unit attacks only once."
            )
            yield Breach(says, {"unit": name, "before": before}, clause=clause)
            break


@rules.on("attack", "also", clause="7.1f")
def a_unit_is_attacked_once(position: Position, action: Action) -> Iterator[Breach]:
    if action.pieces and is_pursuit(position, action):
        return
    """Of the park, which is no combat unit, it is unproven."""
    this = fight_of(position, action) if action.verb == "also" else None
    before = attacked_before(position, action.target, this.number if this else 0)
    fresh = [piece for piece in position.at(action.target) if is_body(piece) and piece.id not in before]
    units = [name for name in before if is_combat(position.pieces[name])]
    for name in () if fresh else units or before:
        says = f"{name_of(position, name)} is attacked a second time in this phase; a unit is attacked once."
        grade = Grade.illegal if units else Grade.unproven
        yield Breach(says, {"unit": name, "hex": action.target}, grade)


@rules.on("attack", "also", clause="7.1g")
def the_attacked_are_in_the_zone_of_each(position: Position, action: Action) -> Iterator[Breach]:
    fight = fight_of(position, action) if action.verb == "also" else None
    names = fight.attackers if fight else action.pieces
    for name in names:
        piece = position.pieces[name]
        if is_combat(piece) and has_zone(position, piece) and not covers(position, piece, action.target):
            grid = position.game.map.grid
            if piece.where in grid and grid.are_neighbours(piece.where, action.target):
                says = (
                    f"{name_of(position, name)} attacks {action.target} across water from {piece.where}, "
                    "where its zone of control does not reach; units attack only into it."
                )
            elif action.verb == "attack":
                continue  # reported by 2i
            else:
                says = (
                    f"{name_of(position, name)} attacks {action.target} too;"
                    " all attacked hexes must be in its zone "
                    "of control."
                )
            yield Breach(says, {"unit": name, "target": action.target})


@FIGHTS.on(rules, "roll combat", clause="7.1f", stage="waiting")
def no_unit_has_two_dice(position: Position, action: Action, this: Fight) -> Iterator[Breach]:
    """Both combats against it may be declared before the first die."""
    if this.is_fire or this.pursuit:
        return
    defenders = {piece.id for piece in defending(position, this) if is_combat(piece)}
    before = {name for where in this.targets for name in attacked_before(position, where, this.number)}
    for name in sorted(before) if defenders and defenders <= before else ():
        says = f"{name_of(position, name)} is attacked a second time in this phase; a unit is attacked once."
        yield Breach(says, {"unit": name, "hex": position.pieces[name].where})


@rules.on("attack", clause="7.1d")
def a_stack_attacks_together(position: Position, action: Action) -> Breach | None:
    """If two units of a hex attack, they attack the same hex; a barred one does not attack."""
    if is_pursuit(position, action):
        return None
    for name in action.pieces:
        where = position.pieces[name].where
        for fight in fights(position):
            if fight.is_fire or fight.pursuit or action.target in fight.targets or name in fight.attackers:
                continue
            mates = [mate for mate in fight.attackers if place_of(position, fight, mate) == where]
            if mates:
                says = (
                    f"{name_of(position, name)} and {name_of(position, mates[0])} are stacked in {where}, "
                    "but attack different targets; they must attack the same."
                )
                return Breach(says, {"units": (name, mates[0]), "hex": where})
    return None


def bystanders(position: Position, fight: Fight) -> tuple[str, ...]:
    """Return the units stacked with the attackers of a melee that are not barred from
    attacking, and do not.
    """
    if fight.is_fire or fight.pursuit:
        return ()
    places = {position.pieces[name].where for name in fight.attackers}
    mates = [mate for where in sorted(places) for mate in combat_at(position, where, fight.side)]
    busy = {name for one in fights(position) if not one.is_fire for name in one.attackers}
    return tuple(mate.id for mate in mates if mate.id not in busy and _must_fight(position, mate))


@rules.leaving("combat", clause="7.1d")
def no_unit_of_a_stack_is_left_out(position: Position) -> Iterator[Breach]:
    """A unit bound to fight by 7.1a is reported there."""
    fought = {name for fight in fights(position) if not fight.is_fire for name in fight.attackers}
    bound = {breach.facts["unit"] for breach in left_to_fight(position)}
    for fight in fights(position):
        for name in fight.idle:
            if name not in fought | bound and is_on_map(position, position.pieces[name]):
                says = (
                    f"{name_of(position, name)} takes no part in the attack on {fight.target} by the unit "
                    "stacked with it; stacked units attack together."
                )
                yield Breach(says, {"unit": name, "attackers": fight.attackers}, _grade(position))


def _grade(position: Position) -> Grade:
    """How certain a breach of the duty to fight is: only unproven if melee is voluntary [3.2b]."""
    return Grade.unproven if position.game.adopted("melee") == "voluntary" else Grade.illegal


@rules.leaving("combat", clause="7.1a 7.1b")
def units_in_contact_fight(position: Position) -> Iterator[Breach]:
    yield from left_to_fight(position)


def left_to_fight(position: Position) -> Iterator[Breach]:
    """The units that were in contact when the phase began and could fight.

    Attacks must be distributed so that as few enemies as possible are left out [7.1g]: each unit alone can
    attack everything in its zone. Whether units that attack together should have attacked separately is
    another question. Units driven from their hexes since then neither fight nor are attacked.
    """
    grade = _grade(position)
    rolled_fights = [fight for fight in fights(position) if fight.rolled and not fight.is_fire]
    fought = {name for fight in rolled_fights for name in fight.attackers}
    attacked = {name for fight in rolled_fights for name in fight.defenders}
    for name in position.note(IN_CONTACT, position.side) or ():
        if name in fought or _is_freed(position, name):
            continue
        covering = position.note(CONTACT_WITH, name) or ()
        left = tuple(enemy for enemy in covering if enemy not in attacked and _stands_still(position, enemy))
        facts: Facts = {"unit": name, "zone of": covering}
        if left:
            engineers = all(position.pieces[enemy].counter.kind == "engineer" for enemy in left)
            says = (
                f"{name_of(position, name)} is in the zone of control of {names_of(position, left)} and "
                "must fight; it does not."
            )
            unproven = engineers or _is_said_to_have_fired(position, name)
            yield Breach(says, facts, Grade.unproven if unproven else grade, "7.1a")
        elif joint := _could_have_joined(position, name, rolled_fights):
            says = (
                f"{name_of(position, name)} is in an enemy zone of control and must join the attack "
                f"on {joint}; it does not."
            )
            unproven = _is_said_to_have_fired(position, name)
            yield Breach(says, facts, Grade.unproven if unproven else grade, "7.1a")
    for name in position.note(IN_CONTACT, other(position.side)) or ():
        covering = position.note(CONTACT_WITH, name) or ()
        able = tuple(each for each in covering if _could_attack(position, each, rolled_fights))
        if name not in attacked and able and _stands_still(position, name):
            is_bound = fought.issuperset(able)
            apart = is_bound and not _could_be_included(able, covering, rolled_fights)
            if apart and position.game.adopted("attacking-apart") == "together":
                continue
            unproven = apart and position.game.adopted("attacking-apart") == "unproven"
            hindered = is_bound and any(_was_hindered(position, each, fought) for each in covering)
            says = (
                f"{name_of(position, name)} is in the zone of control of {names_of(position, able)} and "
                "must be attacked; it is not."
            )
            facts = {"unit": name, "zone of": able}
            unproven = unproven or all(_is_said_to_have_fired(position, each) for each in able)
            yield Breach(says, facts, Grade.unproven if hindered or unproven else grade, "7.1b")


def _could_be_included(able: Sequence[str], covering: Sequence[str], rolled_fights: Sequence[Fight]) -> bool:
    """Return whether an enemy was in the zones of all participants of one of the attacks [7.1g]."""
    return any(
        set(fight.attackers) & set(able) and set(covering).issuperset(fight.attackers)
        for fight in rolled_fights
    )


def _could_have_joined(position: Position, name: str, rolled_fights: Sequence[Fight]) -> str:
    """The hex of a combat with only enemies in a unit's zone, which in one interpretation it had to join."""
    if position.game.adopted("attacked-by-others") == "freed":
        return ""
    for fight in rolled_fights:
        enemies = [enemy for enemy in fight.defenders if is_combat(position.pieces[enemy])]
        if (
            enemies
            and not fight.pursuit
            and all(name in (position.note(CONTACT_WITH, enemy) or ()) for enemy in enemies)
        ):
            return fight.target
    return ""


def _stands_still(position: Position, name: str) -> bool:
    """Return whether a counter is where it was when the phase began."""
    return position.pieces[name].where == position.note(CONTACT_IN, name)


def _could_attack(position: Position, name: str, rolled_fights: Sequence[Fight]) -> bool:
    """Return whether a unit could have attacked an enemy in its zone.

    A unit that attacked others with friends could have done so separately, and they without it.
    """
    return any(name in fight.attackers for fight in rolled_fights) or not _is_freed(position, name)


def _was_hindered(position: Position, name: str, fought: set[str]) -> bool:
    """Return whether a unit that might still have attacked was driven off or disordered in this phase."""
    barred = _is_barred(position, position.pieces[name])
    return name not in fought and not barred and _is_freed(position, name)


def _is_freed(position: Position, name: str) -> bool:
    """Return whether a unit that was in contact need not attack: it is barred, or has left its hex."""
    return not _must_fight(position, position.pieces[name]) or not _stands_still(position, name)


def _must_fight(position: Position, piece: Piece) -> bool:
    """Units that are not excused: disordered and routed units are excused, and barred ones [7.7a]."""
    shaken = not is_ordered(piece) or any((kind, piece.id) in position.notes for kind in SHAKEN_NOW)
    return not shaken and not _is_barred(position, piece)


def _is_barred(position: Position, piece: Piece) -> bool:
    """Return whether a unit need not attack even if it is in order: engineers, batteries that fired."""
    fired = (FIRED, piece.id) in position.notes or _may_have_fired(position, piece)
    return piece.counter.kind == "engineer" or fired  # 10b, 6.0b


@rules.entering("combat")
def contacts_are_listed(position: Position) -> Position:
    """They decide which units must fight [7.2a]."""
    found: dict[str, list[str]] = {side: [] for side in SIDES}
    noted: list[tuple[Note[Any], str, Any]] = []
    for piece in position.pieces.values():
        if not is_combat(piece) or not in_ezoc(position, piece.where, piece.side):
            continue
        by = threats(position, piece.where, piece.side)
        found[piece.side].append(piece.id)
        noted.append((CONTACT_WITH, piece.id, by))
        noted += ((CONTACT_IN, name, position.pieces[name].where) for name in (piece.id, *by))
    noted += ((IN_CONTACT, side, tuple(names)) for side, names in found.items())
    return position.with_noted(*noted)


@rules.proposes
def melees(position: Position, piece: Piece) -> Iterator[Action]:
    """Every hex in the unit's zone with enemies: by its stack alone, with another stack, or with all."""
    if position.phase != "combat" or piece.side != position.side or not _may_fight(position, piece):
        return
    if waiting(position) or any(is_left_undone(position, fight) for fight in SETTLING.open(position)):
        return
    battle = (position.note(DECLARED) or 0) + 1
    for where in position.game.map.grid.neighbours(piece.where):
        enemies = bodies_at(position, where, other(piece.side))
        if all(is_train(enemy) for enemy in enemies) or not covers(position, piece, where):
            continue
        stacks: dict[str, list[str]] = {}
        for near in position.game.map.grid.neighbours(where):
            mates = [each for each in combat_at(position, near, piece.side) if _may_fight(position, each)]
            names = [each.id for each in mates if covers(position, each, where)]
            if names:
                stacks[near] = names
        mine = stacks.pop(piece.where, [piece.id])
        yield Action("attack", tuple(mine), target=where, battle=battle)
        for names in stacks.values():
            yield Action("attack", (*mine, *names), target=where, battle=battle)
        if len(stacks) > 1:
            everybody = [name for names in stacks.values() for name in names]
            yield Action("attack", (*mine, *everybody), target=where, battle=battle)


def _may_fight(position: Position, piece: Piece) -> bool:
    fired = position.note(FIRED, piece.id) or _may_have_fired(position, piece)
    if not has_zone(position, piece) or fired:
        return False
    mine = [fight for fight in fights(position) if piece.id in fight.attackers]
    return not mine or any(piece.id in fight.pursued for fight in mine)


def left_out(position: Position, fight: Fight) -> tuple[str, ...]:
    """Return the enemies that the attackers of a combat could include and that no other unit can attack."""
    rolled_fights = [each for each in fights(position) if each.rolled]
    attacked = {name for each in rolled_fights for name in each.defenders}
    taken = {*fight.attackers, *(name for each in rolled_fights for name in each.attackers)}
    found = []
    for name in position.note(IN_CONTACT, other(position.side)) or ():
        where, covering = position.pieces[name].where, position.note(CONTACT_WITH, name) or ()
        if name in attacked or where in fight.targets or not _stands_still(position, name):
            continue
        free = [each for each in covering if each not in taken and not _is_freed(position, each)]
        if not free and set(fight.attackers) & set(covering):
            found.append(name)
    return tuple(found)


@rules.proposes
def further_hexes(position: Position, piece: Piece) -> Iterator[Action]:
    """Other hexes that all attackers of the current combat have in their zones; and calling it off."""
    fight = position.battle()
    if not isinstance(fight, Fight) or fight.rolled or piece.id not in fight.attackers:
        return
    yield Action("call off", battle=fight.number)
    if fight.is_fire or not is_on_map(position, piece):
        return
    for where in position.game.map.grid.neighbours(piece.where):
        new = where not in fight.targets and combat_at(position, where, fight.enemy)
        if new and all(covers(position, position.pieces[name], where) for name in fight.attackers):
            yield Action("also", target=where, battle=fight.number)
