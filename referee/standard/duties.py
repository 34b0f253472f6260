"""Duties to attack: units in contact attack, and enemies in contact are attacked."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach
from referee.engine.wording import name_of, names_of
from referee.standard.attackers import kind_for
from referee.standard.battle import Fight, fights
from referee.standard.combat import odds_of
from referee.standard.facts import fits, on_map, others, rules_of
from referee.standard.notes import ATTACKED, CONTACT, TARGETS, TO_BE_ATTACKED
from referee.standard.setting import the_setting
from referee.standard.verbs import ATTACK
from referee.standard.zones import zone_of
from vassalgen.game.families import ANYBODY, Combat, Families, Who


def section(rules: Families) -> Section:
    """Return the rules on which units must attack, and which must be attacked."""
    found = Section("Duties to attack", rules.provenance)
    for kind, combat in rules.combat.items():
        phases = tuple(name for name, rule in rules.sequence.items() if kind in rule.does)
        if combat.must_attack and phases:
            _must_attack(found, combat, phases)
        if combat.must_be_attacked and phases:
            _must_be_attacked(found, combat, phases)
    return found


def _must_attack(found: Section, combat: Combat, phases: tuple[str, ...]) -> None:
    @found.entering(*phases)
    def who_is_in_contact(position: Position) -> Position:
        """Later contacts in the phase create no duty."""
        for at, piece in on_map(position, position.side):
            must = fits(position, piece, combat.who) and fits(position, piece, combat.must_attack_who)
            must = must and not the_setting(position).hexes(combat.must_attack_not_in) >> at & 1
            enemies = contacts(position, at, piece, combat.against) if must else ()
            whom = [one for one in enemies if fits(position, position.pieces[one], combat.must_attack_whom)]
            if whom:
                position = position.with_note(CONTACT, piece.id, tuple(whom))
        return position

    @found.leaving(*phases, clause=combat.must_attack)
    def units_in_contact_attack(position: Position) -> Iterator[Breach]:
        for name, enemies in position.noted(CONTACT).items():
            piece, able = position.pieces[name], []
            if piece.side == position.side and not position.note(ATTACKED, name):
                able = [enemy for enemy in enemies if can_attack(position, name, enemy)]
            if able:
                says = (
                    f"{name_of(position, name)} in {piece.where} is in contact with"
                    f" {names_of(position, able)} and did not attack; it must."
                )
                yield Breach(says, {"unit": name, "enemies": tuple(able)})


def can_attack(position: Position, unit: str, enemy: str) -> bool:
    """Return whether a unit may still attack an enemy, alone; attacks without a roll do not count."""
    position = evolve(position, battles=tuple(one for one in position.battles if one.rolled))
    grid, target = position.game.map.grid, position.pieces[enemy].where
    if position.pieces[unit].where not in grid or target not in grid:
        return False
    action = Action(ATTACK, (unit,), target=target)
    if not position.world.rulebook.allows(position, action):
        return False
    kind = kind_for(position, action)
    return not (rules_of(position).combat[kind].below and odds_of(position, target, (unit,)).below)


def _could_be_spared(position: Position, enemy: str) -> bool:
    """Return whether an attacker of another hex could have attacked an enemy alone, and the rest that hex."""
    for fight in fights(position):
        units = [name for name in fight.attackers if fight.rolled and not fight.further]
        then = _before_the_dice(position, fight)
        for unit in units if len(units) > 1 else ():
            rest = tuple(name for name in units if name != unit)
            apart = Action(ATTACK, rest, target=fight.target)
            if not can_attack(then, unit, enemy) or not then.world.rulebook.allows(then, apart):
                continue
            below = rules_of(then).combat[fight.kind].below
            if not (below and odds_of(then, fight.target, rest).below):
                return True
    return False


def _before_the_dice(position: Position, fight: Fight) -> Position:
    """Return the position with the units of a battle as they were when it was rolled, and no battle."""
    for name, where in fight.stood.items():
        states = {
            state: mark
            for state, mark in position.pieces[name].states.items()
            if state in fight.had.get(name, ())
        }
        position = position.with_piece(
            name, where=where, steps=fight.strong.get(name, position.pieces[name].steps), states=states
        )
        position = position.without_note(ATTACKED, name)
    return evolve(position.without_note(TARGETS, fight.target), battles=())


def contacts(position: Position, at: int, piece: Piece, against: Who = ANYBODY) -> tuple[str, ...]:
    """Return the enemies that may be attacked whose zone of control a unit is in, or that are in its own."""
    index, own = position.game.map.grid.index, zone_of(position, at, piece)
    return tuple(
        enemy.id
        for side in others(position, piece.side)
        for there, enemy in on_map(position, side)
        if fits(position, enemy, against)
        and (own >> there & 1 or zone_of(position, there, enemy) >> index[piece.where] & 1)
    )


def _must_be_attacked(found: Section, combat: Combat, phases: tuple[str, ...]) -> None:
    def must(position: Position, piece: Piece) -> bool:
        return fits(position, piece, combat.must_be_attacked_whom)

    @found.entering(*phases)
    def who_is_in_contact(position: Position) -> Position:
        zone = 0
        for at, piece in on_map(position, position.side):
            if fits(position, piece, combat.who):
                zone |= zone_of(position, at, piece)
        for side in others(position, position.side):
            for at, piece in on_map(position, side):
                if zone >> at & 1 and fits(position, piece, combat.against) and must(position, piece):
                    position = position.with_note(TO_BE_ATTACKED, piece.id, piece.where)
        return position

    @found.leaving(*phases, clause=combat.must_be_attacked)
    def enemies_in_contact_are_attacked(position: Position) -> Iterator[Breach]:
        own = [piece.id for _, piece in on_map(position, position.side)]
        for name, where in position.noted(TO_BE_ATTACKED).items():
            gone = position.pieces[name].where != where
            attacked = position.note(TARGETS, where) is not None
            if gone or attacked:
                continue
            if any(can_attack(position, unit, name) for unit in own) or _could_be_spared(position, name):
                says = (
                    f"{name_of(position, name)} in {where} must be attacked in this phase; no unit attacked."
                )
                yield Breach(says, {"unit": name, "hex": where})
