"""Components: the back of an EM. Step losses are in ``losses``."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import Mark, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Grade
from referee.engine.wording import counted, name_of
from referee.games.tunisia1943.facts import (
    ARTILLERY,
    artillery_left,
    is_out_of_supply,
    is_turned_down_without_supply,
)
from referee.games.tunisia1943.notes import TURNED_IN_ERROR
from vassalgen.game.provenance import Provenance

rules = Section("Components", Provenance("rulebook", "0.1"))


@rules.does("face down")
def face_down(position: Position, action: Action) -> Position:
    """Turn the EM to its back."""
    if artillery_left(position, position.pieces[action.piece]) > 0:
        position = position.with_note(TURNED_IN_ERROR, action.piece, True)
    return position.with_state(action.piece, ARTILLERY, Mark(0))


@rules.on("face up", clause="0.1m 6.2b")
def ems_are_turned_up_at_the_end_of_the_turn(position: Position, action: Action) -> Breach | None:
    """An EM turned down by mistake may be turned up again at any time.

    One that has some of its points left shows all of them again, which may correct a mistake.
    """
    em = position.pieces[action.piece]
    mistaken, left = position.note(TURNED_IN_ERROR, em.id), artillery_left(position, em)
    if position.phase == "end" or mistaken:
        return None
    if left > 0:
        if left == em.factor("artillery") or not em.is_(ARTILLERY):
            return None
        has = counted(left, "artillery point")
        says = f"{name_of(position, em.id)} has {has} left; its counter is set to show all its points."
        return Breach(says, {"EM": em.id, "left": left}, Grade.unproven, "6.2b")
    if position.phase == "supply" and em.side == position.side and is_turned_down_without_supply(position):
        return None  # it is in supply again
    facts = {"EM": em.id, "phase": position.phase}
    says = (
        f"{name_of(position, em.id)} is turned face up before the end of the game turn;"
        " EMs are turned face up only then."
    )
    return Breach(says, facts)


rules.clears("face up", state=ARTILLERY)


@rules.entering("sustain")
def all_ems_are_face_up(position: Position) -> Position:
    """With the new turn all EMs have all points again, whether their counters were turned over or not."""
    if position.clock.stop:
        return position
    for piece in position.pieces.values():
        stays = is_turned_down_without_supply(position) and is_out_of_supply(position, piece)
        if piece.is_(ARTILLERY) and not stays:
            position = position.with_state(piece.id, ARTILLERY, None)
    return position
