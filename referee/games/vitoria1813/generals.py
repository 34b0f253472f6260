"""What generals do in combat: they lead, or help from a distance."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of, names_of
from referee.games.vitoria1813.battle import FIGHTS, Fight, fight_of, rallying, services
from referee.games.vitoria1813.facts import (
    combat_at,
    commands,
    in_ezoc,
    is_general,
    is_neutralised,
    is_on_map,
    threats,
)
from referee.games.vitoria1813.notes import FAILED, SERVICES
from vassalgen.game.provenance import Provenance

rules = Section("Generals", Provenance("rulebook", "9"))


def _units_of(position: Position, fight: Fight, side: str) -> tuple[str, ...]:
    if side == fight.side:
        return fight.attackers
    if fight.rolled:
        return fight.defenders
    return tuple(piece.id for where in fight.targets for piece in combat_at(position, where, side))


@rules.on("support", clause="9.1a")
def a_general_helps_his_corps(position: Position, action: Action) -> Breach | None:
    fight, general = fight_of(position, action), position.pieces[action.piece]
    if fight is None:
        says = "A general helps, but no combat was declared."
        return Breach(says, {"general": general.id}, Grade.unproven)
    units = _units_of(position, fight, general.side)
    if any(commands(position, general, position.pieces[name]) for name in units):
        return None
    says = (
        f"{name_of(position, general.id)} helps {names_of(position, units)}, but commands no unit"
        " there; a general helps only his own units."
    )
    return Breach(says, {"general": general.id, "units": units}, Grade.slip)


@FIGHTS.on(rules, "support", clause="9.1b")
def a_general_helps_within_his_range(position: Position, action: Action, fight: Fight) -> Breach | None:
    """A general off the map has no range; an eliminated one falls under 7.4f."""
    general, boxes = position.pieces[action.piece], position.game.map.boxes
    if not is_on_map(position, general):
        where = boxes[general.where].title if general.where in boxes else ""
        if where and boxes[general.where].losses:
            return None
        says = (
            f"{name_of(position, general.id)} helps in the combat, but is not on the map"
            f"{f': he is in “{where}”' if where else ''}; a general helps only within his command range."
        )
        return Breach(says, {"general": general.id, "range": general.factor("range")})
    grid, most = position.game.map.grid, general.factor("range")
    gaps = {
        name: grid.distance(general.where, position.pieces[name].where)
        for name in _units_of(position, fight, general.side)
        if commands(position, general, position.pieces[name]) and is_on_map(position, position.pieces[name])
    }
    if not gaps or min(gaps.values()) <= most:
        return None
    nearest = min(gaps.values())
    says = (
        f"{name_of(position, general.id)} is {counted(nearest, 'hex')} from the nearest of his units in "
        f"the combat; his command range is {most}."
    )
    return Breach(says, {"general": general.id, "distance": nearest, "range": most})


@rules.on("support", clause="9.1c")
def no_help_from_within_a_zone(position: Position, action: Action) -> Breach | None:
    general = position.pieces[action.piece]
    if not is_on_map(position, general) or not in_ezoc(position, general.where, general.side):
        return None
    covered = position.game.adopted("general-contact") == "covered"
    if covered and combat_at(position, general.where, general.side):
        return None
    by = threats(position, general.where, general.side)
    says = (
        f"{name_of(position, general.id)} helps from a distance while in the zone of control of "
        f"{names_of(position, by)}; a general there may not."
    )
    return Breach(says, {"general": general.id, "zone of": by})


@FIGHTS.on(rules, "support", "lead", clause="9.1f")
def one_general_of_a_side(position: Position, action: Action, fight: Fight) -> Breach | None:
    general = position.pieces[action.piece]
    there = tuple(
        name
        for name in (*fight.leaders, *fight.helpers)
        if name != general.id and position.pieces[name].side == general.side
    )
    if not there:
        return None
    says = f"{names_of(position, (*there, general.id))} help in one combat; only 1 general per side may."
    return Breach(says, {"generals": (*there, general.id)})


@FIGHTS.on(rules, "lead", clause="9.1g")
def a_leading_general_stands_with_the_units(
    position: Position, action: Action, fight: Fight
) -> Breach | None:
    general = position.pieces[action.piece]
    places = {position.pieces[name].where for name in _units_of(position, fight, general.side)}
    if general.where in places:
        return None
    says = (
        f"{name_of(position, general.id)} takes part in the combat, but is not stacked with a unit that "
        "fights in it, as he must be."
    )
    return Breach(says, {"general": general.id, "hex": general.where}, Grade.slip)


def served(service: str) -> str:
    """Return a text for what a general has done."""
    return "he has already tried to rally" if service == "rally" else "he has already helped in a combat"


@rules.on("support", "lead", "roll rally", clause="9.1i")
def one_service_in_a_turn(position: Position, action: Action) -> Breach | None:
    """Proved for the player turn; in the other half of the game turn it is only unproven."""
    name = action.pieces[-1]
    this = _service(position, action)
    before = [one.partition(",") for one in position.note(SERVICES, name) or () if one != this]
    mine = [what for what, _, when in before if when == position.side]
    if mine:
        failed = mine == ["rally"] and position.note(FAILED, name)
        facts: Facts = {"general": name, "before": mine[-1]}
        grade = Grade.unproven if failed else Grade.illegal
        says = (
            f"{name_of(position, name)} helps a second time in this player turn;"
            f" the limit is once, and {served(mine[-1])}."
        )
        return Breach(says, facts, grade)
    if not before:
        return None
    what = before[-1][0]
    strict = position.game.adopted("service-turn") == "game-turn"
    grade = Grade.illegal if strict else Grade.unproven
    says = (
        f"{name_of(position, name)} helps a second time in this game turn;"
        f" the limit is once, and {served(what)}."
    )
    return Breach(says, {"general": name, "before": what}, grade)


def _service(position: Position, action: Action) -> str:
    """What a general does by an action, in the form of the note."""
    if action.verb == "roll rally":
        return rallying(position.side)
    fight = fight_of(position, action)
    return services(fight, position.side)[action.verb == "lead"] if fight is not None else ""


@FIGHTS.on(rules, "support", "lead", clause="7.2c", stage="rolled")
def generals_are_announced_before_the_die(position: Position, action: Action, fight: Fight) -> Breach | None:
    says = f"{name_of(position, action.piece)} is announced only after the combat die was rolled."
    return Breach(says, {"general": action.piece, "target": fight.target})


@rules.on("support", "lead", "roll rally", clause="9.2c")
def the_neutralised_do_nothing(position: Position, action: Action) -> Breach | None:
    general = position.pieces[action.pieces[-1]]
    if not is_neutralised(position, general):
        return None
    says = f"{name_of(position, general.id)} is neutralised and may not help until the end of the turn."
    return Breach(says, {"general": general.id})


@FIGHTS.does(rules, "support", "lead")
def serve(position: Position, action: Action, fight: Fight) -> Position:
    """He counts in the combat, and has used his service."""
    if action.piece in (*fight.leaders, *fight.helpers):
        return position
    if action.verb == "lead":
        fight = evolve(fight, leaders=(*fight.leaders, action.piece))
    else:
        fight = evolve(fight, helpers=(*fight.helpers, action.piece))
    done = position.note(SERVICES, action.piece) or ()
    after = position.with_battle(fight)
    return after.with_note(SERVICES, action.piece, (*done, _service(position, action)))


@rules.proposes
def help_in_combat(position: Position, piece: Piece) -> Iterator[Action]:
    """Generals that take part in the current combat, or help from a distance."""
    fight = position.battle()
    if (
        not is_general(piece)
        or not isinstance(fight, Fight)
        or fight.rolled
        or not is_on_map(position, piece)
    ):
        return
    if piece.id in (*fight.leaders, *fight.helpers):
        return
    yield Action("support", (piece.id,), battle=fight.number)
    if not fight.is_fire:
        yield Action("lead", (piece.id,), battle=fight.number)
