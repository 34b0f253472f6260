"""Breakthroughs: a stack led by a general moves and attacks again."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.paths import begins_where_it_stands
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import listed, name_of, names_of
from referee.games.patton1943.battle import (
    earned,
    fights,
    generals_of,
    has_broken_through,
    involved,
    is_done,
)
from referee.games.patton1943.facts import (
    controlled,
    in_phase,
    is_asset,
    is_general,
    is_on_map,
    is_unit,
    of_side,
)
from referee.games.patton1943.move import BREAK_THROUGH, SECOND, Move
from referee.games.patton1943.movement import settled_in
from referee.games.patton1943.notes import BROKE_THROUGH, Trail
from vassalgen.game.provenance import Provenance

rules = Section("Breakthroughs", Provenance("rulebook", "15"))
rules.on(BREAK_THROUGH, clause="15c")(begins_where_it_stands)


@rules.on(BREAK_THROUGH, clause="15a")
def a_breakthrough_is_earned(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if earned(position, piece.id) or has_broken_through(position, piece.id):
        return None
    fight = next((each for each in reversed(fights(position)) if piece.id in involved(position, each)), None)
    facts: Facts = {"unit": piece.id}
    name = name_of(position, piece.id)
    if fight is None or not fight.rolled:
        return Breach(f"{name} makes a breakthrough; only a unit that has attacked may.", facts)
    if not generals_of(position, fight):
        return Breach(f"{name} makes a breakthrough; only pieces stacked with a general may.", facts)
    why = "it has not done so" if fight.may_be_hit(fight.enemy) else "it missed"
    says = f"{name} makes a breakthrough; the attack on {fight.target} must clear that hex first: {why}."
    return Breach(says, {**facts, "hex": fight.target})


@rules.on("attack", clause="15b")
def one_more_attack_and_no_more(position: Position, action: Action) -> Breach | None:
    for name in action.pieces:
        if is_done(position, name):
            says = (
                f"{name_of(position, name)} attacks {action.target};"
                " it has already attacked in its breakthrough."
            )
            return Breach(says, {"unit": name, "target": action.target})
    return None


@rules.on(BREAK_THROUGH, clause="15b 15g")
def one_more_move_and_no_more(position: Position, action: Action) -> Breach | None:
    trail = position.note(BROKE_THROUGH, action.piece)
    facts: Facts = {"unit": action.piece}
    if is_done(position, action.piece):
        says = (
            f"{name_of(position, action.piece)} moves to {action.end} after its breakthrough attack;"
            " its breakthrough is over."
        )
        return Breach(says, facts, clause="15g")
    fight = earned(position, action.piece)
    generals = generals_of(position, fight) if fight else ()
    if generals and all(is_done(position, general.id) for general in generals):
        says = (
            f"{name_of(position, action.piece)} moves to {action.end} after the breakthrough attack of"
            f" {names_of(position, [general.id for general in generals])}; the breakthrough is over."
        )
        return Breach(says, facts, clause="15g")
    if trail and not _goes_on(position, trail, action):
        says = (
            f"{name_of(position, action.piece)} makes a second breakthrough move, to {action.end};"
            " only 1 is allowed."
        )
        return Breach(says, facts, clause="15b")
    return None


def _goes_on(position: Position, trail: Trail, action: Action) -> bool:
    """Return whether a move in parts continues: before the next attack, or by a drag."""
    return (trail.dragged and action.dragged) or trail.order == _dice(position)


def _dice(position: Position) -> int:
    """The number of attacks that have been rolled in this player turn."""
    return max((fight.order for fight in fights(position)), default=0)


@rules.on(BREAK_THROUGH, clause="15c")
def the_second_move_is_a_normal_one(position: Position, action: Action) -> Breach | None:
    """With the whole allowance; passing through an EZOC is allowed, and reported as unproven [9h]."""
    piece, move = position.pieces[action.piece], Move.of(position, action)
    if position.phase != "battles":
        says = (
            f"{name_of(position, piece.id)} makes a breakthrough {in_phase(position)};"
            " that is done only in the Attack and Combat Phases."
        )
        return Breach(says, {"unit": piece.id, "phase": position.phase})
    if SECOND in move.faults:
        return move.breach(SECOND)
    if move.faults or position.game.adopted("breakthrough-stop") == "stop":
        return None
    mask, names = controlled(position, piece.side), position.game.map.grid.names
    passed = tuple(names[at] for at in move.path[1:-1] if mask >> at & 1)
    if not passed or action.dragged:
        return None
    says = (
        f"{name_of(position, piece.id)} does not stop in {listed(passed)}, in an EZOC, in its"
        " breakthrough; a normal move must stop there."
    )
    return Breach(says, {"unit": piece.id, "hexes": passed}, Grade.unproven)


@rules.on(BREAK_THROUGH, clause="15d")
def only_pieces_with_the_general_move_again(position: Position, action: Action) -> Breach | None:
    """A piece that moves farther than a general of its stack has or can has left him."""
    piece = position.pieces[action.piece]
    fight = earned(position, piece.id)
    generals = generals_of(position, fight) if fight else ()
    if not generals or piece in generals or any(general.where == action.end for general in generals):
        return None
    if Move.of(position, action).faults or is_done(position, piece.id):
        return None  # it cannot go there with him either
    if any(_can_follow(position, general, action) for general in generals):
        return None  # whether he does is checked at the end of the phase
    if is_asset(piece) and any(_has_passed(position, general, action.end) for general in generals):
        return None  # it was dropped on the way
    name, general = name_of(position, piece.id), generals[0]
    leads = name_of(position, general.id)
    if general.where == action.path[0]:
        says = f"{name} moves to {action.end}, which {leads} cannot reach; it must stay with its general."
    else:
        says = (
            f"{name} moves to {action.end} in its breakthrough;"
            f" it must stay with {leads}, now in {general.where}."
        )
    return Breach(says, {"unit": piece.id, "general": general.id, "general in": general.where})


def _can_follow(position: Position, general: Piece, action: Action) -> bool:
    """Return whether a general can go where another piece of his hex goes."""
    trail = position.note(BROKE_THROUGH, general.id)
    if general.where != action.path[0] or (trail and not _goes_on(position, trail, action)):
        return False
    move = Move.of(position, Action(BREAK_THROUGH, (general.id,), action.path, action.dragged))
    return move.cost() is not None


def _has_passed(position: Position, general: Piece, where: str) -> bool:
    """Return whether a general passed a hex in his breakthrough, or may have if he was dragged."""
    trail, grid = position.note(BROKE_THROUGH, general.id), position.game.map.grid
    if trail is None or where in trail.passed or not trail.dragged or general.where not in grid:
        return trail is not None and where in trail.passed
    return grid.distance(trail.start, where) + grid.distance(where, general.where) <= general.factor("mf")


@rules.leaving("battles", clause="15d")
def a_general_has_gone_along(position: Position) -> Iterator[Breach]:
    """With each piece that has made a breakthrough move: he is with it, or moved on from its hex."""
    for name, trail in position.noted(BROKE_THROUGH).items():
        piece, fight = position.pieces[name], earned(position, name)
        generals, end = generals_of(position, fight) if fight else (), trail.passed[-1]
        back = trail.dragged and end == trail.start
        if not generals or piece in generals or back or not is_on_map(position, piece):
            continue
        if any(general.where == end or _has_passed(position, general, end) for general in generals):
            continue
        stays = generals[0]
        says = (
            f"{name_of(position, name)} moved to {end} in its breakthrough;"
            f" a general must go with it, and {name_of(position, stays.id)} is in {stays.where}."
        )
        yield Breach(says, {"unit": name, "general": stays.id, "general in": stays.where})


@rules.on("attack", clause="15d")
def only_pieces_with_the_general_attack_again(position: Position, action: Action) -> Breach | None:
    for name in action.pieces:
        if not has_broken_through(position, name) and earned(position, name) is None:
            continue
        where = position.pieces[name].where
        if any(is_general(position, piece) for piece in of_side(position, where)):
            continue
        says = (
            f"{name_of(position, name)} attacks {action.target} in a breakthrough;"
            " only pieces stacked with a general may."
        )
        return Breach(says, {"unit": name, "hex": where})
    return None


@rules.on(BREAK_THROUGH, "attack", clause="15h")
def a_breakthrough_follows_its_battle(position: Position, action: Action) -> Breach | None:
    """Right after it in the adopted interpretation, which only reports it as unproven."""
    if position.game.adopted("breakthrough-moment") == "any-time" or position.side == "":
        return None
    for name in action.pieces:
        fight = earned(position, name)
        if fight is None or has_broken_through(position, name):
            continue
        later = tuple(
            each.target for each in fights(position) if each.order > fight.order and not each.second
        )
        if later:
            says = f"{name_of(position, name)} makes its breakthrough only after the attack on {later[0]}."
            return Breach(says, {"unit": name, "since": later}, Grade.unproven)
    return None


@rules.does(BREAK_THROUGH)
def break_through(position: Position, action: Action) -> Position:
    """Put the piece at the end of its path; the breakthrough has been moved."""
    piece, move = position.pieces[action.piece], Move.of(position, action)
    after = position.with_piece(piece.id, where=action.end)
    before = move.trail.passed if move.trail else ()
    trail = Trail(
        move.start,
        move.paid(),
        action.dragged,
        move.stops_after(),
        _dice(position),
        passed=(*before, *action.path[1:]),
    )
    return settled_in(position, after.with_note(BROKE_THROUGH, piece.id, trail), action)


@rules.proposes
def breakthroughs(position: Position, piece: Piece) -> Iterator[Action]:
    """Every hex within reach of a general that may break through."""
    if position.phase != "battles" or piece.side != position.side or not is_on_map(position, piece):
        return
    if earned(position, piece.id) is None or has_broken_through(position, piece.id):
        return
    if not (is_unit(piece) or is_asset(piece)):
        return
    move, names = Move.everywhere(position, piece, BREAK_THROUGH), position.game.map.grid.names
    found = move.reach()
    for end in sorted(found.costs):
        if names[end] != piece.where:
            path = tuple(names[at] for at in found.path(end))
            yield Action(BREAK_THROUGH, (piece.id,), path)
