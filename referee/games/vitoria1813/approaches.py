"""Units that come next to lone enemy generals, or next to the convoy."""

from __future__ import annotations

from itertools import pairwise

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Grade
from referee.games.vitoria1813.facts import (
    ALLIES,
    combat_at,
    is_cavalry,
    is_combat,
    is_general,
    pillage_targets,
)
from referee.games.vitoria1813.notes import (
    APPROACH_DIE,
    APPROACHED,
    APPROACHED_IN,
    DRIVEN_OFF,
    DRIVEN_TO,
    GOES_WILD,
    MUST_TEST,
    NEVER_ROLLED_FOR,
    PILLAGE_DIE,
    ROLLED_FOR,
    SHIFTED,
    TRAIL,
    WITHDRAWN,
)
from vassalgen.game.provenance import Provenance

rules = Section("Approaches", Provenance("rulebook", "9.2, 11"))


def _is_wrong_advance(position: Position, action: Action) -> bool:
    """Return whether an advance should not have been made at all: then it has no consequences."""
    if action.verb != "advance":
        return False
    breaches = position.world.rulebook.judge(position, action).breaches
    return any(breach.grade is Grade.illegal for breach in breaches)


CHOSEN = ("move", "enter", "advance", "pursue")
"""The verbs with which a unit changes its hex by choice."""


@rules.follows(*CHOSEN, "flee", "retreat", "rout", "displace", "go wild")
def approached(before: Position, after: Position, action: Action) -> Position:
    """Note the lone enemy generals and the convoy that a unit has come next to [9.2a, 11f].

    Advancing into the hex of a general counts as well.
    """
    name, grid = action.piece, before.game.map.grid
    piece = before.pieces[name]
    back = action.verb == "move" and (TRAIL, name) not in after.notes
    if not is_combat(piece) or back or _is_wrong_advance(before, action):
        return after
    path = action.path or (piece.where, action.target)
    legs = ((path[0], path[-1]),) if action.dragged else pairwise(path)
    targets = {element.id for element in pillage_targets(before)} if piece.side == ALLIES else set()
    for start, where in legs:
        entered = (where,) if action.verb in ("advance", "pursue") else ()
        for near in (*entered, *grid.neighbours(where)):
            for there in before.at(near):
                if there.side == piece.side:
                    continue
                if is_general(there) and not combat_at(before, near, there.side):
                    after = _with_general_approached(after, piece, there.id, near)
                if there.id in targets and (start not in grid or not grid.are_neighbours(start, near)):
                    after = _with_convoy_approached(after, action, there.id)
    return after


def _with_general_approached(position: Position, piece: Piece, general: str, where: str) -> Position:
    """Note the last unit that came next to a lone general; only cavalry replaces cavalry."""
    position = _as_if_not_approached(position, general, where)
    before_it = position.note(APPROACHED, general)
    if before_it is None or is_cavalry(piece) or not is_cavalry(position.pieces[before_it]):
        position = position.with_note(APPROACHED, general, piece.id)
        position = position.with_note(APPROACHED_IN, general, where)
    if not is_cavalry(piece):
        position = position.with_note(DRIVEN_OFF, general, (piece.id, where))
    return position


def _with_convoy_approached(position: Position, action: Action, element: str) -> Position:
    """Note that a unit must be tested, or was driven to the convoy and need not be."""
    name = action.piece
    again = _has_resisted(position, name, element)
    position = _as_if_untested(position, name, element) if again else position
    by_choice = action.verb in CHOSEN and not (again and action.dragged)
    return position.with_note(MUST_TEST if by_choice else DRIVEN_TO, name, element)


def _has_resisted(position: Position, name: str, element: str) -> bool:
    """Return whether a unit has passed its test in this phase, and the convoy has shifted away from it."""
    shifted = (position.note(SHIFTED, element) or 0) > 0
    return shifted and position.note(GOES_WILD, name) is False


def _as_if_untested(position: Position, name: str, element: str) -> Position:
    """Forget the test of a unit that comes next to a convoy again that has shifted away from it."""
    for note in (MUST_TEST, DRIVEN_TO, PILLAGE_DIE, GOES_WILD):
        position = position.without_note(note, name)
    return position.with_note(SHIFTED, element, (position.note(SHIFTED, element) or 1) - 1)


def _as_if_not_approached(position: Position, general: str, where: str) -> Position:
    """Forget the check of a general who has moved off to a hex next to which the enemy comes now."""
    if not position.note(WITHDRAWN, general) or position.note(APPROACHED_IN, general) == where:
        return position
    for note in (APPROACHED, DRIVEN_OFF, APPROACH_DIE, ROLLED_FOR, NEVER_ROLLED_FOR, WITHDRAWN):
        position = position.without_note(note, general)
    return position
