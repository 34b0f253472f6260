"""Set-up: units that their owners place themselves before play, in the zones of the scenario."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.clock import Clock
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts
from referee.engine.wording import is_or_are, name_of, names_of
from referee.standard.facts import clauses_of, enemies_at
from referee.standard.setting import the_setting
from referee.standard.stacking import clauses_in, too_many
from vassalgen.game.families import Families
from vassalgen.game.game import Game
from vassalgen.game.scenarios import Placement

PROPOSED = 12
"""How many hexes are proposed for a unit."""


def section(game: Game, rules: Families) -> Section:
    """Return the rules of set-up."""
    family = rules.setup
    found = Section("Set-up", rules.provenance)
    if family is None:
        return found

    @found.on("deploy", clause=family.clause)
    def units_are_set_up_in_their_zones(position: Position, action: Action) -> Iterator[Breach]:
        unit, where = name_of(position, action.piece), action.target
        facts: Facts = {"unit": action.piece, "hex": where}
        placement = placement_of(position, action.piece)
        if not is_before_play(position):
            yield Breach(f"{unit} is set up in {where} after play has begun.", facts)
        elif placement is None:
            yield Breach(f"{unit} is set up in {where}; it does not start on the map.", facts)
        elif where not in hexes_for(position, placement):
            zone = position.game.map.zones[placement.zone].title if placement.zone else placement.at
            yield Breach(f"{unit} is set up in {where}; it starts in {zone or placement.zone}.", facts)
        elif enemies := enemies_at(position, where, position.pieces[action.piece].side):
            names = names_of(position, (piece.id for piece in enemies))
            yield Breach(f"{unit} may not be set up in {where}: {names} {is_or_are(enemies)} there.", facts)

    if rules.stacking:

        @found.on("deploy", clause=clauses_of(*clauses_in(rules.stacking)))
        def within_the_stacking_limit(position: Position, action: Action) -> Breach | None:
            after = position.with_piece(action.piece, where=action.target)
            return too_many(after, action.target, position.pieces[action.piece].side, action.piece)

    first = game.sequence.stops()[0].phase.id

    @found.leaving(first, clause=family.clause)
    def all_have_been_set_up(position: Position) -> Iterator[Breach]:
        for name in waiting(position) if is_before_play(position) else ():
            says = f"{name_of(position, name)} must be set up before play begins; it is not on the map."
            yield Breach(says, {"unit": name})

    @found.proposes
    def placements(position: Position, piece: Piece) -> Iterator[Action]:
        if not is_before_play(position) or piece.where in position.game.map.grid:
            return
        placement = placement_of(position, piece.id)
        if placement is None or not placement.zone or placement.at:
            return
        grid, setting = position.game.map.grid, the_setting(position)
        hexes = [name for name in hexes_for(position, placement) if setting.land >> grid.index[name] & 1]
        start = 7 * sum(map(ord, piece.id)) % max(len(hexes), 1)
        step = max(len(hexes) // PROPOSED, 1)
        for where in (hexes[start:] + hexes[:start])[::step]:
            yield Action("deploy", (piece.id,), target=where)

    return found


def is_before_play(position: Position) -> bool:
    """Return whether the game is in its first phase, when units are set up."""
    return position.clock == Clock(position.world.calendar.first_turn)


def placement_of(position: Position, unit: str) -> Placement | None:
    """Return where a unit starts."""
    return next((one for one in position.scenario.setup if unit in one.counters), None)


def hexes_for(position: Position, placement: Placement) -> tuple[str, ...]:
    """Return the hexes in which units may be set up."""
    zone = position.game.map.zones[placement.zone].hexes if placement.zone else ()
    return (*zone, *([placement.at] if placement.at in position.game.map.grid else []))


def waiting(position: Position) -> tuple[str, ...]:
    """Return the units that their owners have yet to set up."""
    free = [one for one in position.scenario.setup if one.zone and not one.at]
    return tuple(name for one in free for name in one.counters if not position.pieces[name].where)
