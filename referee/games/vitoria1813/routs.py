"""Results: routs, and the units that they affect."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, listed, name_of
from referee.games.vitoria1813.battle import SETTLING, Fight, fight_for, party, share
from referee.games.vitoria1813.facts import (
    DISORDERED,
    ROUTED,
    SIDES,
    is_combat,
    is_on_map,
)
from referee.games.vitoria1813.losses import still_to_lose
from referee.games.vitoria1813.notes import CROSSED, MATE
from referee.games.vitoria1813.outcomes import by_result, duty
from referee.games.vitoria1813.paths import away, causes, growth, is_short_of_straight, rout_length
from vassalgen.game.provenance import Provenance

rules = Section("Routs", Provenance("rulebook", "7.4, 7.5, 7.8"))


@by_result(rules, "rout", clause="7.4c 7.5f 6.1f")
def a_rout_is_of_five_hexes(position: Position, action: Action) -> Breach | None:
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    facts: Facts = {"unit": piece.id, "path": action.path}
    if fight is not None and fight.is_fire and piece.id in fight.attackers:
        says = f"{name_of(position, piece.id)} fired and routs; results against the firing side are ignored."
        return Breach(says, facts, clause="6.1f")
    if fight is None or not _routs(position, fight, piece):
        says = f"{name_of(position, piece.id)} routs; only a combat result routs a unit, and none routs it."
        return Breach(says, facts, clause="7.4c")
    return _wrong_length(position, action, fight)


@by_result(rules, "retreat", clause="7.4c 7.5f")
def a_routing_unit_does_not_retreat(position: Position, action: Action) -> Breach | None:
    """If it goes as far as a rout leads, only the wrong word was used.

    If the announced result is not the table's, the retreat may be by the table's.
    """
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    if fight is None or not is_combat(piece) or not _routs(position, fight, piece):
        return None
    says = f"{name_of(position, piece.id)} routs, but a retreat was announced."
    slip = Breach(says, {"unit": piece.id, "result": fight.given}, Grade.slip)
    wrong = _wrong_length(position, action, fight) or slip
    return evolve(wrong, grade=Grade.unproven) if fight.disputed else wrong


def _wrong_length(position: Position, action: Action, fight: Fight) -> Breach | None:
    """What is wrong with the length of a rout; for a drag only if no path of the right length ends there.

    A rout that may have been bent, or was too short, is unproven if a straight path is open. A rout that
    reaches the map edge with hexes left, or finds no path, destroys the unit [7.5f].
    """
    piece, due, grid = position.pieces[action.piece], rout_length(position), position.game.map.grid
    before = fight.gone.get(piece.id, ())
    gone = len(before) - 1 if before[-1:] == action.path[:1] else 0
    steps = gone + len(action.path) - 1
    grade = Grade.illegal
    if action.dragged:
        steps = gone + grid.distance(action.path[0], action.end)
        paths = () if gone else away(position, fight, piece)
        if any(path[-1] == action.end for path in paths):
            if not is_short_of_straight(position, action, due, paths):
                return None
            grade = Grade.unproven
    if steps == due:
        return None
    facts: Facts = {"unit": piece.id, "path": action.path, "hexes": steps, "due": due}
    if steps < due and grid.edges(action.end):
        says = (
            f"{name_of(position, piece.id)} reaches the map edge after {counted(steps, 'hex')} of its "
            f"rout of {counted(due, 'hex')} and must be removed."
        )
        return Breach(says, {**facts, "hex": action.end}, clause="7.5f")
    if steps < due and not gone and piece.where == action.path[0] and not away(position, fight, piece):
        says = f"{name_of(position, piece.id)} has no path to rout {counted(due, 'hex')} and must be removed."
        return Breach(says, facts, clause="7.5f")
    says = f"{name_of(position, piece.id)} routs {counted(steps, 'hex')}; it must rout exactly {due}."
    return Breach(says, facts, grade, "7.4c")


def _routs(position: Position, fight: Fight, piece: Piece) -> bool:
    """Return whether a result makes a combat unit rout: its side's, if it took part."""
    return piece.id in party(fight, piece.side) and share(position, fight, piece.side).rout


@rules.on("rout", clause="7.8b")
def a_rout_leads_away(position: Position, action: Action) -> Breach | None:
    """Each step leads farther from the enemy that caused it; a step that only leads no nearer is unproven."""
    fight, piece = fight_for(position, action), position.pieces[action.piece]
    if fight is None or position.game.adopted("rout-direction") == "priorities":
        return None
    enemies = causes(position, fight, piece)
    if action.dragged and any(path[-1] == action.end for path in away(position, fight, piece)):
        return None
    facts: Facts = {"unit": piece.id, "away from": enemies}
    unproven = None
    for here, there in [(action.path[0], action.end)] if action.dragged else pairwise(action.path):
        gaps = growth(position, enemies, here, there)
        if not gaps or max(gaps) > 0:
            continue
        if min(gaps) < 0:
            says = (
                f"{name_of(position, piece.id)} routs into {there}, closer to the enemy in "
                f"{listed(sorted(set(enemies)))}."
            )
            return Breach(says, {**facts, "hex": there})
        says = (
            f"{name_of(position, piece.id)} routs into {there}, no farther from the enemy in "
            f"{listed(sorted(set(enemies)))}."
        )
        unproven = unproven or Breach(says, {**facts, "hex": there}, Grade.unproven)
    return unproven


@rules.leaving("movement", "fire", "combat", clause="7.8a")
def a_unit_crossed_by_a_rout_is_disordered(position: Position) -> Iterator[Breach]:
    """The units that it crosses, and those that it leaves behind in its hex."""
    for names, what in ((position.noted(CROSSED), "crossed"), (position.noted(MATE), "left behind")):
        for name in names:
            piece = position.pieces[name]
            if is_on_map(position, piece) and not piece.is_(DISORDERED) and not piece.is_(ROUTED):
                says = (
                    f"{name_of(position, name)} was {what} by a routing unit and must be marked"
                    " Disordered; it is not."
                )
                yield Breach(says, {"unit": name})


@rules.leaving("movement", "fire", "combat", clause="4.5f")
def a_unit_crossed_by_a_rout_goes_back(position: Position) -> Iterator[Breach]:
    """At least one hex; not the units that it leaves behind in its hex."""
    if position.game.adopted("crossed-by-rout") != "both":
        return
    for name, (where, by) in position.noted(CROSSED).items():
        if position.pieces[name].where == where:
            says = (
                f"{name_of(position, name)} was crossed by the rout of {name_of(position, by)} and must "
                f"retreat at least 1 hex; it is still in {where}."
            )
            yield Breach(says, {"unit": name, "hex": where, "by": by})


@duty(rules, clause="7.8a")
def the_routed_are_marked(position: Position, fight: Fight) -> Iterator[Breach]:
    for side in SIDES:
        if not share(position, fight, side).rout:
            continue
        for name in party(fight, side):
            piece = position.pieces[name]
            if name in fight.gone and is_on_map(position, piece) and not piece.is_(ROUTED):
                says = f"{name_of(position, name)} routs and must be marked Routed; it is not."
                yield Breach(says, {"unit": name})


rules.marks("disorder", state=DISORDERED, dated=True)


rules.marks("mark rout", state=ROUTED)


@rules.proposes
def routs(position: Position, piece: Piece) -> Iterator[Action]:
    """The paths of routed units, away from the enemy; a unit without a path is destroyed."""
    for fight in SETTLING.open(position):
        ran = bool(fight.gone.get(piece.id)) and share(position, fight, piece.side).rout
        if ran and is_on_map(position, piece) and is_combat(piece) and not piece.is_(ROUTED):
            yield Action("mark rout", (piece.id,), battle=fight.number)
        beaten = piece.id in party(fight, piece.side) and share(position, fight, piece.side).rout
        if not beaten or not is_on_map(position, piece) or not is_combat(piece):
            continue
        if piece.id in fight.gone or still_to_lose(position, fight, piece.side):
            continue
        found, grid = away(position, fight, piece), position.game.map.grid
        straight = [path for path in found if grid.distance(path[0], path[-1]) == rout_length(position)]
        for path in straight or found:
            yield Action("rout", (piece.id,), path, battle=fight.number)
        if not found:
            yield Action("eliminate", (piece.id,), battle=fight.number)
