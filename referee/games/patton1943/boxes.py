"""Pieces off the map that are put from one box into another: dead ones stay dead, the others go
on waiting.
"""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import name_of
from referee.games.patton1943.battle import may_be_put_back
from referee.games.patton1943.facts import box, is_battlegroup, is_unit, patton, rommel, the_field
from referee.games.patton1943.generals import may_be_exchanged
from referee.games.patton1943.notes import CAME_IN
from referee.games.patton1943.recall import is_recalled
from vassalgen.game.provenance import Provenance

rules = Section("Boxes", Provenance("rulebook", "7.6, 7.7, 13, 16, 17"))


@rules.on("put away", clause="7.6a 7.7d 7.7g 13b 13i 16e 16h 17d")
def pieces_off_the_map_stay_in_their_box(position: Position, action: Action) -> Breach | None:
    """A piece taken out of the dead pile was perhaps put there by mistake; it may not enter in this way."""
    piece = position.pieces[action.piece]
    there = position.game.map.boxes.get(piece.where)
    if there is None or may_be_put_back(position, piece) or _goes_out_of_the_game(position, piece):
        return None
    facts: Facts = {"unit": piece.id, "box": there.id}
    name = f"{name_of(position, piece.id)} is taken out of “{there.title}”"
    if there.losses:
        clause, why = _why_dead(position, piece)
        return Breach(f"{name}; {why}.", facts, Grade.unproven, clause)
    if piece.where == box(piece.side, "out"):
        if piece.id == rommel(position):
            return Breach(f"{name}; he does not come back.", facts, Grade.unproven, "17d")
        if position.noted(CAME_IN):
            return None  # II Corps has just been exchanged, and its old counters are put in order
        says = (
            f"{name_of(position, piece.id)} is put into another box;"
            " it has been exchanged for its two-star piece and stays out of the game."
        )
        return Breach(says, facts, Grade.slip, "16e")
    if piece.where == box(piece.side, "returning"):
        clause = "7.6a"
    else:
        clause = "13b" if is_battlegroup(piece) else "16e"
    return Breach(f"{name}; it waits there until it comes on the map.", facts, Grade.slip, clause)


def _goes_out_of_the_game(position: Position, piece: Piece) -> bool:
    """Return whether a piece leaves the dead pile for good: Rommel recalled, or an exchanged twin."""
    if piece.where == box(piece.side, "out"):
        return False
    if piece.id == rommel(position):
        return is_recalled(position) and piece.where == box(piece.side, "dead")
    return piece.id in the_field(position).twins.values() and may_be_exchanged(position)


def _why_dead(position: Position, piece: Piece) -> tuple[str, str]:
    """The clause by which a dead piece stays in the dead pile, and the explanation."""
    if piece.id == patton(position):
        return "16h", "once eliminated, he comes back only as a replacement"
    if is_battlegroup(piece):
        return "13i", "an eliminated battlegroup never returns"
    if is_unit(piece):
        return "7.7d", "an eliminated unit never returns"
    return "7.7g", "an eliminated asset comes back only as a replacement"


@rules.does("put away")
def put_away(position: Position, action: Action) -> Position:
    """Leave it where it is; aircraft that have flown and were put into the dead pile by mistake come back."""
    piece = position.pieces[action.piece]
    if not may_be_put_back(position, piece):
        return position
    return position.with_piece(piece.id, where=box(piece.side, "returning"))
