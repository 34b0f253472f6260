"""Sequence of play: what may be done in which phase."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of, names_of
from referee.games.patton1943.facts import FLYING, adjective, in_phase
from vassalgen.game.provenance import Provenance

rules = Section("Sequence of play", Provenance("rulebook", "7"))


_REPLACED = "replacements are made only in the Replacement Phase"
_DONE = {
    "return": ("returns to base", "aircraft return only in the Return to Base Phase"),
    "rebuild": ("is rebuilt", _REPLACED),
    "reclaim": ("is brought back", _REPLACED),
}
"""What is done, and when only it may be."""


@rules.on("attack", clause="7a")
def each_side_acts_in_its_own_player_turn(position: Position, action: Action) -> Breach | None:
    wrong = tuple(name for name in action.pieces if position.pieces[name].side != position.side)
    if not wrong or not position.side:
        return None
    verb = "attacks" if len(wrong) == 1 else "attack"
    says = (
        f"{names_of(position, wrong)} {verb} in the {adjective(position, position.side)} player turn;"
        " each side acts only in its own."
    )
    return Breach(says, {"units": wrong, "side": position.side})


@rules.on("return", "reclaim", "rebuild", clause="7b")
def phases_follow_in_order(position: Position, action: Action) -> Breach | None:
    """Return comes before replacement: what is done late or early is out of order.

    Aircraft that go straight back from a battle break 7.4d, or take their flight back.
    """
    right = "return" if action.verb == "return" else "replacement"
    flying = position.phase == "battles" and position.pieces[action.piece].is_(FLYING)
    if position.phase == right or (action.verb == "return" and flying):
        return None
    own = position.pieces[action.piece].side == position.side
    if action.verb != "return" and (not own or position.phase == "end"):
        return None  # clause 7.7a
    done, only = _DONE[action.verb]
    says = f"{name_of(position, action.piece)} {done} {in_phase(position)}; {only}."
    return Breach(says, {"unit": action.piece, "phase": position.phase})


@rules.on("turn marker", clause="7.8f")
def the_marker_goes_on_one_box(position: Position, action: Action) -> Breach | None:
    """After the supply phase; at the end of the turn as well, unless each box is a player turn."""
    boxes = int(action.words[0])
    facts: Facts = {"boxes": boxes, "phase": position.phase}
    if boxes != 1:
        return Breach(
            f"The turn marker is advanced {counted(boxes, 'box')}; it must advance exactly 1.", facts
        )
    each = position.game.adopted("turn-marker") == "player-turn"
    if position.phase == "supply" or (position.phase == "end" and not each):
        return None
    says = "The turn marker is advanced before the player turn is over; it is advanced afterwards."
    return Breach(says, facts, Grade.slip)
