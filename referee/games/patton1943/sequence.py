"""Sequence of play: who acts when."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from vassalgen.game.provenance import Provenance

rules = Section("Sequence of play", Provenance("rulebook", "7"))


@rules.on("attack", clause="7a")
def each_side_acts_in_its_own_player_turn(position: Position, action: Action) -> Breach | None:
    wrong = tuple(name for name in action.pieces if position.pieces[name].side != position.side)
    if not wrong or not position.side:
        return None
    says = f"{', '.join(wrong)} attacks in the player turn of the other side"
    return Breach(says, {"units": wrong, "side": position.side})


@rules.on("return", "reclaim", "rebuild", clause="7b")
def phases_follow_in_order(position: Position, action: Action) -> Breach | None:
    """Returning comes before replacing: what is done late is out of order, what is done early too."""
    right = "return" if action.verb == "return" else "replacement"
    if position.phase == right:
        return None
    own = position.pieces[action.piece].side == position.side
    if action.verb != "return" and (not own or position.phase == "end"):
        return None  # clause 7.7a
    says = f"{action.piece} is handled in the {position.phase} phase, not in that of {right}"
    return Breach(says, {"unit": action.piece, "phase": position.phase})


@rules.on("turn marker", clause="7.8f")
def the_marker_goes_on_one_box(position: Position, action: Action) -> Breach | None:
    """After the supply phase; at the end of the turn as well, unless each box is a player turn."""
    boxes = int(action.words[0])
    facts: Facts = {"boxes": boxes, "phase": position.phase}
    if boxes != 1:
        return Breach(f"the turn marker goes on {boxes} boxes", facts)
    each = position.game.adopted("turn-marker") == "player-turn"
    if position.phase == "supply" or (position.phase == "end" and not each):
        return None
    return Breach("the turn marker goes on before the player turn is over", facts, Grade.slip)
