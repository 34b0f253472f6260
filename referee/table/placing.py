"""Where a moved thing ends up: on a stack, under it, in a new one, or alone.
[command.MovePiece.executeCommand; build.module.map.StackMetrics.merge, CompoundPieceCollection.canMerge]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.table.things import Deck, Map, Piece, Stack, Thing
from vassalgen.vassal.commands import MovePiece

if TYPE_CHECKING:
    from referee.table.table import Table


def move(table: Table, thing: Thing, command: MovePiece) -> None:
    """Move a piece or stack to where the command says."""
    target = table.map_named(command.map)
    if target is not None:
        _place(table, thing, target, command)
        return
    home = table.map_named(command.old_map)
    if home is not None:
        home.remove(thing)


def stack_the_log_never_made(table: Table, command: MovePiece) -> Stack | None:
    """The stack that a move means by an unknown id, if that is clear.

    When a move is undone, VASSAL makes stacks whose ids depend on its clock and are not in the log; when the
    player drags one, its id is in the log. It must be the only thing in the place given by the move, unless
    the log has an id for that thing. VASSAL itself ignores such a move when it replays the log; but it is
    what the players saw.
    """
    home = table.map_named(command.old_map)
    if home is None or command.old_under is not None or command.id in table.removed_pieces:
        return None
    here = [thing for thing in home.at(command.old_x, command.old_y) if not isinstance(thing, Deck)]
    if len(here) != 1:
        return None
    found = here[0]
    if isinstance(found, Piece):
        if found.type.never_stacks or not home.stacking:
            return None
        found = _stack_around(table, found)
    if not isinstance(found, Stack) or not found.unnamed:
        return None
    del table.things[found.id]
    found.id = command.id
    found.changes += 1
    table.things[command.id] = found
    return found


def _place(table: Table, thing: Thing, target: Map, command: MovePiece) -> None:
    under = table.things.get(command.under) if command.under is not None else None
    place = (command.x, command.y)
    if under is not None and under.position == place and under.map is target:
        _merge(table, under, thing)
        return
    if not _merge_with_first(table, thing, target, command):
        _stack_or_place(table, thing, target, place)
    if command.under is None and isinstance(thing, Piece) and thing.parent is not None:
        thing.parent.insert(thing, 0)


def _merge_with_first(table: Table, thing: Thing, target: Map, command: MovePiece) -> bool:
    """Merge with the first thing at exactly this place that accepts it. [MovePiece.createMergeFinder]"""

    def seen(other: Stack | Piece) -> bool:
        if isinstance(other, Stack):
            return table.sight.top_for(other, command.player) is not None
        return other.hidden_by in (None, command.player)

    return _merge_at(table, thing, target, (command.x, command.y), seen) is not None


def _merge_at(
    table: Table, thing: Thing, target: Map, place: tuple[int, int], seen: Callable[[Stack | Piece], bool]
) -> bool | None:
    """Merge with the first thing at a place that accepts it: whether that did anything, None if there is
    none.
    """
    never = isinstance(thing, Piece) and thing.type.never_stacks
    for other in sorted(target.at(*place), key=lambda one: table.sight.layer_on_map(one, target)):
        if isinstance(other, Deck):
            return _merge(table, other, thing)
        if never or not target.stacking:
            continue
        assert isinstance(other, Stack | Piece)
        if seen(other) and _can_merge(table, thing, other):
            return _merge(table, other, thing)
    return None


def resettle(table: Table, piece: Piece) -> None:
    """Pick a piece up and put it down in the same place, as VASSAL does when a dynamic property is set.

    It does so in case the property determines the piece's layer. The visible effect: a piece that was alone
    is in a stack afterwards. [counters.DynamicProperty.setValue; build.module.Map.placeOrMerge]
    """
    home, parent = piece.map, piece.parent
    if home is None or isinstance(parent, Deck):
        return
    if parent is None:
        home.remove(piece)
        _place_or_merge(table, piece, home, piece.position)
        return
    below = parent.index_of(piece)
    others = [*reversed(parent.members[:below]), *parent.members[below + 1 :]]
    neighbour = next((other for other in others if not table.sight.invisible(other)), None)
    if neighbour is None:
        home.remove(parent)
        _place_or_merge(table, parent, home, parent.position)
    elif not _can_merge(table, neighbour, piece):
        _place_or_merge(table, piece, home, parent.position)


def _place_or_merge(table: Table, thing: Stack | Piece, target: Map, place: tuple[int, int]) -> None:
    def seen(other: Stack | Piece) -> bool:
        return not isinstance(other, Stack) or table.sight.top(other) is not None

    if _merge_at(table, thing, target, place, seen):
        return
    thing.put_at(*place)
    target.add(thing)
    if isinstance(thing, Piece) and not thing.type.never_stacks and target.stacking:
        _stack_around(table, thing)


def _can_merge(table: Table, one: Thing, other: Thing) -> bool:
    """[build.module.map.CompoundPieceCollection.canMerge, LayeredPieceCollection.canPiecesMerge]"""
    sight = table.sight
    if isinstance(one, Deck) or isinstance(other, Deck):
        return True
    first = sight.top(one) if isinstance(one, Stack) else one
    second = sight.top(other) if isinstance(other, Stack) else other
    if not isinstance(first, Piece) or not isinstance(second, Piece):
        return False
    if first.type.never_stacks or second.type.never_stacks:
        return False
    unseen = sight.invisible(first) or sight.invisible(second)
    if unseen and first.hidden_by != second.hidden_by:
        return False
    facts = table.facts_of(other.map)
    if facts is None:
        return len({_layer_named(one), _layer_named(other)} - {_NO_LAYER}) < 2
    if facts.layer_property is None:
        return True
    return sight.layer_on_map(first, other.map) == sight.layer_on_map(second, other.map)


def _layer_named(thing: Thing) -> int:
    """The layer that the log gives for a stack, or for a piece's stack: without the module there is no other
    information.
    """
    stack = thing.parent if isinstance(thing, Piece) else thing
    return stack.layer if isinstance(stack, Stack) else _NO_LAYER


_NO_LAYER = -1


def _stack_or_place(table: Table, thing: Thing, target: Map, place: tuple[int, int]) -> None:
    lonely = isinstance(thing, Piece) and thing.parent is None and not thing.type.never_stacks
    if target.stacking and lonely and isinstance(thing, Piece):
        stack = table.new_stack()
        stack.adopt(thing, 0)
        thing = stack
    thing.put_at(*place)
    target.add(thing)


def _merge(table: Table, fixed: Thing, moving: Thing) -> bool:
    """Put one thing on top of another; False if there was nothing to do.
    [build.module.map.StackMetrics.merge]
    """
    if isinstance(fixed, Stack):
        fixed = table.sight.top(fixed) or fixed
    parent = fixed.parent if isinstance(fixed, Piece) else None
    if moving is fixed or moving is parent:
        return False
    place = parent.index_of(fixed) + 1 if parent and isinstance(fixed, Piece) else 0
    if parent is None:
        if isinstance(fixed, Stack):
            parent, place = fixed, len(fixed.members)
        else:
            assert isinstance(fixed, Piece)
            parent, place = _stack_around(table, fixed), 1
    if isinstance(moving, Stack):
        members = list(moving.members)
        for above, member in enumerate(members):
            parent.adopt(member, place + above)
        return bool(members)
    if isinstance(moving, Piece):
        if moving.parent is parent and parent.index_of(moving) < place:
            place -= 1
        if moving.parent is None and moving.own_map is not None and moving.own_map is not parent.own_map:
            moving.own_map.remove(moving)
        parent.insert(moving, place)
    return True


def _stack_around(table: Table, piece: Piece) -> Stack:
    """Make a stack around a piece that is alone."""
    stack = table.new_stack()
    home = piece.map
    stack.put_at(*piece.position)
    stack.set_map(home)
    stack.adopt(piece, 0)
    if home is not None:
        stack.set_map(None)
        home.add(stack)
    return stack
