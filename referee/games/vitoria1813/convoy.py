"""The convoy, and the temptation to pillage it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from referee.engine.actions import Action
from referee.engine.position import Mark, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import name_of, names_of
from referee.games.vitoria1813.facts import (
    ALLIES,
    DISORDERED,
    FRENCH,
    UNCONTROLLED,
    destroyed,
    is_combat,
    is_general,
    is_on_map,
    pillage_targets,
    the_field,
)
from referee.games.vitoria1813.notes import (
    DRIVEN_TO,
    GOES_WILD,
    MUST_TEST,
    PILLAGE_DIE,
    PILLAGED,
    RUN,
    SHIFTED,
    TRAIL,
    WILD_IN,
)
from vassalgen.game.provenance import Provenance

rules = Section("The convoy", Provenance("rulebook", "11"))


@rules.on("roll pillage", clause="11f")
def a_unit_next_to_the_convoy_is_tested(position: Position, action: Action) -> Breach | None:
    if (MUST_TEST, action.piece) in position.notes or (DRIVEN_TO, action.piece) in position.notes:
        if position.note(PILLAGE_DIE, action.piece) is None:
            return None
        says = f"{name_of(position, action.piece)} has already been tested for pillage."
        return Breach(says, {"unit": action.piece}, Grade.unproven)
    if _may_have_come(position, action.piece):
        return None
    says = (
        f"{name_of(position, action.piece)} is tested for pillage;"
        " only a unit that has moved next to the convoy "
        "or the Royal Treasure is."
    )
    return Breach(says, {"unit": action.piece}, Grade.unproven)


@rules.does("roll pillage")
def roll(position: Position, action: Action) -> Position:
    """Remember the die, the first of several; for a unit that only passed, the nearest element counts."""
    if position.note(PILLAGE_DIE, action.piece) is not None:
        return position
    driven = position.note(DRIVEN_TO, action.piece)
    if driven is not None and (MUST_TEST, action.piece) not in position.notes:
        position = position.with_note(MUST_TEST, action.piece, driven)
    if position.note(MUST_TEST, action.piece) is None and _may_have_come(position, action.piece):
        where, grid = position.pieces[action.piece].where, position.game.map.grid
        there = [piece for piece in pillage_targets(position) if piece.where in grid]
        if there and where in grid:
            nearest = min(there, key=lambda piece: grid.distance(where, piece.where))
            position = position.with_note(MUST_TEST, action.piece, nearest.id)
    loose = _goes_wild(position, action.piece, action.dice[0])
    if loose is not None:
        position = position.with_note(GOES_WILD, action.piece, loose)
    return position.with_note(PILLAGE_DIE, action.piece, action.dice[0])


def _may_have_passed(position: Position, name: str) -> bool:
    """Return whether a unit was dragged over more than one hex in this phase, by hexes that are not known."""
    trail, grid = position.note(TRAIL, name), position.game.map.grid
    run = position.note(RUN, name) or ()
    legs = pairwise(run)
    return trail is not None and trail.dragged and not all(grid.are_neighbours(*leg) for leg in legs)


def _may_have_come(position: Position, name: str) -> bool:
    """Return whether an Allied unit may have come next to an element: if it is next to it, it may have come
    back.
    """
    if position.pieces[name].side == FRENCH:
        return False
    if _may_have_passed(position, name):
        return True
    moved, unit = position.note(TRAIL, name) is not None, position.pieces[name]
    return moved and any(_is_next_to(position, unit, element) for element in pillage_targets(position))


def is_wild(position: Position, name: str) -> bool | None:
    """Whether a unit is out of control by its die; None if that is not known, or if there was none [11g]."""
    return position.note(GOES_WILD, name)


def _goes_wild(position: Position, name: str, die: int) -> bool | None:
    """Return the effect of a die on a unit where it is, None if it is not known; the French resist [11g]."""
    if position.pieces[name].side == FRENCH:
        return False
    element = position.note(MUST_TEST, name)
    if element is None:
        return None
    unit, train = position.pieces[name], position.pieces[element]
    most = unit.counter.extra.integer("pillage", 3)
    if not _is_next_to(position, unit, train):
        passed = die == most + 1 and _may_have_passed(position, name)
        return None if passed else die > most  # there may have been water between them
    water = the_field(position).has_water(unit.where, train.where, destroyed(position))
    bridged = (
        position.game.adopted("pillage-water") == "yes"
        and "bridge" in position.game.map.hexside(unit.where, train.where).features
    )
    if water or bridged:
        die += position.game.values["pillage"].values.integer("behind_water")
    return die > most


def goes_to_pillage(position: Position, unit: Piece, where: str) -> bool:
    """Return whether a unit that has failed its pillage test enters the hex of that convoy [11h]."""
    element = position.note(MUST_TEST, unit.id)
    if not is_wild(position, unit.id) or element is None or (WILD_IN, unit.id) in position.notes:
        return False
    return position.pieces[element].where == where and _is_next_to(position, unit, position.pieces[element])


def shifts(position: Position, element: Piece) -> bool:
    """Return whether an element of the convoy shifts in the enemy's player turn [11j]."""
    return position.side == ALLIES and bool(_may_have_resisted(position, element.id)) and _is_train(element)


def _is_train(piece: Piece) -> bool:
    return piece.counter.kind == "convoy"


def is_pillaged(position: Position, element: Piece) -> bool:
    """Return whether an element of the convoy was pillaged, or is by a unit out of control in its hex."""
    wild = any(piece.is_(UNCONTROLLED) for piece in position.at(element.where))
    return (PILLAGED, element.id) in position.notes or (is_on_map(position, element) and wild)


def _is_with_the_convoy(position: Position, where: str) -> bool:
    """Return whether the convoy or the treasure is in a hex."""
    return any(element.where == where for element in pillage_targets(position))


def _is_next_to(position: Position, piece: Piece, other: Piece) -> bool:
    grid = position.game.map.grid
    there = piece.where in grid and other.where in grid
    return there and grid.are_neighbours(piece.where, other.where)


@rules.on("go wild", clause="11g")
def a_die_above_the_threshold_makes_it_go_wild(position: Position, action: Action) -> Breach | None:
    wild = is_wild(position, action.piece)
    if wild:
        return None
    die = position.note(PILLAGE_DIE, action.piece)
    facts: Facts = {"unit": action.piece, "die": die or 0}
    there = _is_with_the_convoy(position, action.target)
    if wild is None and there and die is not None:
        return None
    if wild is None:
        grade = Grade.unproven if there and position.pieces[action.piece].side == ALLIES else Grade.illegal
        says = (
            f"{name_of(position, action.piece)} goes out of control without a die roll;"
            " only a failed pillage test does that."
        )
        return Breach(says, facts, grade)
    says = f"{name_of(position, action.piece)} goes out of control although it passed its pillage test."
    return Breach(says, facts)


@rules.on("move", clause="11h")
def a_unit_that_failed_its_test_goes_nowhere_else(position: Position, action: Action) -> Breach | None:
    """If the die is not known, the unit may enter the hex of the convoy: it is out of control."""
    piece = position.pieces[action.piece]
    wild = is_wild(position, piece.id)
    was_rolled = position.note(PILLAGE_DIE, piece.id) is not None
    if wild is None and was_rolled and _is_with_the_convoy(position, action.end):
        says = (
            f"{name_of(position, piece.id)} enters {action.end}, the hex of the convoy, after its pillage "
            "test; only a unit that failed the test may, and then it goes out of control."
        )
        return Breach(says, {"unit": piece.id, "to": action.end}, Grade.unproven)
    if piece.is_(UNCONTROLLED) or not wild:
        return None
    says = (
        f"{name_of(position, piece.id)} failed its pillage test; it enters the hex of the convoy and may "
        f"not move to {action.end}."
    )
    return Breach(says, {"unit": piece.id, "to": action.end})


@rules.leaving("movement", "combat", clause="11f 11g 11h")
def a_unit_next_to_the_convoy_tests_for_pillage_and_goes(position: Position) -> Iterator[Breach]:
    for name, element in position.noted(MUST_TEST).items():
        piece = position.pieces[name]
        if not is_on_map(position, piece):
            continue
        wild = is_wild(position, name) if not piece.is_(UNCONTROLLED) else None
        facts: Facts = {"unit": name, "element": element}
        if position.note(PILLAGE_DIE, name) is None:
            trail = position.note(TRAIL, name)
            walked = trail is None or not trail.dragged
            left = not walked and not _is_next_to(position, piece, position.pieces[element])
            run: tuple[str, ...] = position.note(RUN, name) or ()
            if left and len(run) > 2:
                continue  # it is no longer there: which element it passed is not certain
            # for a drag it is not known whether it came from next to the convoy, nor whether the convoy had
            # shifted before
            grade = Grade.unproven if left or _may_have_passed(position, name) else Grade.illegal
            says = (
                f"{name_of(position, name)} has moved next to {name_of(position, element)} and must be "
                "tested for pillage; it was not."
            )
            yield Breach(says, facts, grade, "11f")
        elif wild and (WILD_IN, name) not in position.notes:
            says = (
                f"{name_of(position, name)} failed its pillage test and must be put out of control;"
                " it was not."
            )
            yield Breach(says, facts, clause="11g")
        elif piece.is_(UNCONTROLLED) and (
            piece.where != position.note(WILD_IN, name) or not piece.is_(DISORDERED)
        ):
            says = (
                f"{name_of(position, name)} is out of control; it must be marked Disordered and stay in "
                "the hex that it pillages."
            )
            yield Breach(says, facts, clause="11h")


@rules.does("go wild")
def go_wild(position: Position, action: Action) -> Position:
    """It enters the hex and pillages; the element counts as pillaged."""
    after = position.with_piece(action.piece, where=action.target)
    after = after.with_state(action.piece, UNCONTROLLED, Mark())
    element = position.note(MUST_TEST, action.piece)
    if element is not None:
        after = after.with_note(PILLAGED, element, True)
    return after.with_note(WILD_IN, action.piece, action.target)


@rules.leaving("movement", "fire", "combat", clause="11f")
def a_unit_driven_next_to_it_is_tested(position: Position) -> Iterator[Breach]:
    """Unproven: the rule is about units that move there, and a tested unit may have been dragged on."""
    for name, element in position.noted(DRIVEN_TO).items():
        piece = position.pieces[name]
        untested = (MUST_TEST, name) not in position.notes and (PILLAGE_DIE, name) not in position.notes
        if untested and _is_next_to(position, piece, position.pieces[element]):
            says = (
                f"{name_of(position, name)} came next to {name_of(position, element)} and must be tested for"
                " pillage; it was not."
            )
            yield Breach(says, {"unit": name, "element": element}, Grade.unproven)


@rules.on("shift", clause="11j")
def a_resisted_convoy_goes_one_hex_away(position: Position, action: Action) -> Breach | None:
    """Away from the units that resisted, if it is known where each of them did."""
    grid = position.game.map.grid
    facts: Facts = {"element": action.piece, "path": action.path}
    if position.side == position.pieces[action.piece].side:
        says = (
            f"{name_of(position, action.piece)} is shifted in its own player turn; the convoy makes way "
            "only for Allied units."
        )
        return Breach(says, facts)
    resisted = _may_have_resisted(position, action.piece)
    if not resisted:
        came = {name for name in position.noted(TRAIL) if _may_have_come(position, name)}
        came.update(name for kind, name in position.notes if kind in (MUST_TEST, DRIVEN_TO, PILLAGE_DIE))
        all_failed = all(is_wild(position, name) for name in came)
        grade = Grade.illegal if all_failed else Grade.unproven
        says = (
            f"{name_of(position, action.piece)} is shifted;"
            " a unit next to it must have passed a pillage test, and none has."
        )
        return Breach(says, facts, grade)
    shifted = position.note(SHIFTED, action.piece) or 0
    if shifted + grid.distance(action.path[0], action.end) > len(resisted):
        says = (
            f"{name_of(position, action.piece)} is shifted more than 1 hex for each unit that passed its "
            "pillage test; 1 hex for each is the limit."
        )
        return Breach(says, facts)
    if not _is_open(position, action, len(resisted) - shifted):
        says = (
            f"{name_of(position, action.piece)} is shifted to {action.end} across impassable terrain; an "
            "element shifts only where it could move."
        )
        return Breach(says, facts)
    if not all(_has_surely_resisted(position, name, action.piece) for name in resisted):
        return None
    if any(_is_away(position, name, action.path[0], action.end) for name in resisted):
        return None
    says = (
        f"{name_of(position, action.piece)} is shifted to {action.end}; it must end farther from the Allied "
        "unit that passed its pillage test."
    )
    return Breach(says, facts)


@rules.leaving("movement", "combat", clause="4.4c 11b")
def a_convoy_shifts_into_an_empty_hex(position: Position) -> Iterator[Breach]:
    """Or into a hex with generals alone."""
    for name in position.noted(SHIFTED):
        where = position.pieces[name].where
        there = [one for one in position.at(where) if one.id != name and not is_general(one)]
        there = [one for one in there if not one.is_(UNCONTROLLED)]
        if there and is_on_map(position, position.pieces[name]):
            says = (
                f"{name_of(position, name)} is shifted into {where}, onto "
                f"{names_of(position, [one.id for one in there])}; only generals may be there."
            )
            facts: Facts = {"element": name, "hex": where, "there": tuple(one.id for one in there)}
            french = is_combat(there[0]) and there[0].side == position.pieces[name].side
            grade = Grade.unproven if all(one.counter.kind == "park" for one in there) else Grade.illegal
            yield Breach(says, facts, grade, "4.4c" if french else "11b")


def _is_away(position: Position, name: str, start: str, end: str) -> bool:
    """Return whether a path leads away from a unit."""
    grid, enemy = position.game.map.grid, position.pieces[name].where
    return enemy in grid and grid.distance(end, enemy) > grid.distance(start, enemy)


def _may_have_resisted(position: Position, element: str) -> tuple[str, ...]:
    """Return the units that were rolled for because of an element, or perhaps so, and that stay in control.

    For a unit that was dragged, or that counts as not having moved, it may be any element.
    """
    return tuple(
        name
        for name in position.noted(PILLAGE_DIE)
        if is_wild(position, name) is not True
        and position.pieces[name].side == ALLIES
        and (position.note(MUST_TEST, name) in (None, element) or _may_have_passed(position, name))
    )


def _has_surely_resisted(position: Position, name: str, element: str) -> bool:
    """Return whether it is known that a unit has resisted an element, and where.

    It has come next to it in its present hex and no other. Consecutive drags count as one with known ends:
    even one to an adjacent hex may have led past the element elsewhere.
    """
    if position.note(MUST_TEST, name) != element or is_wild(position, name) is not False:
        return False
    trail, where = position.note(TRAIL, name), position.pieces[name].where
    if trail is None or trail.dragged or (SHIFTED, element) in position.notes:
        return False
    grid, train = position.game.map.grid, position.pieces[element].where
    path = position.note(RUN, name) or ()
    return {at for at in path if at in grid and grid.are_neighbours(at, train)} == {where}


@rules.leaving("movement", "combat", clause="11j")
def a_resisted_convoy_has_gone(position: Position) -> Iterator[Breach]:
    for name, element in position.noted(MUST_TEST).items():
        unit, train = position.pieces[name], position.pieces[element]
        if is_wild(position, name) is not False:
            continue
        if _may_have_passed(position, name):
            # on its path it may have passed another one, which has shifted or could not
            if position.noted(SHIFTED) or not _is_next_to(position, unit, train):
                continue
        elif position.note(SHIFTED, train.id):
            continue
        if _is_train(train) and is_on_map(position, train) and _can_shift(position, train.where, name):
            moves = name_of(position, train.id)
            says = f"{name_of(position, name)} passed its pillage test; {moves} must be shifted 1 hex away."
            # the rules do not say whether an element still shifts if another unit pillages in its hex
            grade = Grade.unproven if is_pillaged(position, train) else Grade.illegal
            yield Breach(says, {"unit": name, "element": train.id}, grade)


def _can_shift(position: Position, where: str, name: str) -> bool:
    """Return whether a hex that leads away from a unit is open to an element."""
    return any(_is_away(position, name, where, near) for near in _refuges(position, where))


def _refuges(position: Position, where: str) -> Iterator[str]:
    """The empty hexes next to one that a train may enter."""
    for near in _steps(position, where):
        if not position.at(near):
            yield near


def _steps(position: Position, where: str) -> Iterator[str]:
    """The hexes next to one that are open to trains."""
    grid, links = position.game.map.grid, the_field(position).links(destroyed(position), "convoy")
    for near in grid.neighbours(where):
        if links[grid.index[where]] >> grid.index[near] & 1:
            yield near


def _is_open(position: Position, action: Action, most: int) -> bool:
    """Return whether trains can reach the hex to which an element is shifted, dragged by any path of a
    certain length.
    """
    if not action.dragged:
        return all(there in _steps(position, here) for here, there in pairwise(action.path))
    reached = {action.path[0]}
    for _ in range(most):
        reached |= {near for where in reached for near in _steps(position, where)}
    return action.end in reached


@rules.does("shift")
def shift(position: Position, action: Action) -> Position:
    """Put it there."""
    shifted = position.note(SHIFTED, action.piece) or 0
    shifted += position.game.map.grid.distance(action.path[0], action.end)
    after = position.with_piece(action.piece, where=action.end)
    return after.with_note(SHIFTED, action.piece, shifted)


@rules.proposes
def pillage_tests(position: Position, piece: Piece) -> Iterator[Action]:
    """Pillage tests of units that came next to the convoy, and their effects."""
    element = position.note(MUST_TEST, piece.id)
    if element is not None and is_on_map(position, piece):
        if position.note(PILLAGE_DIE, piece.id) is None:
            yield from (Action("roll pillage", (piece.id,), dice=(face,)) for face in range(1, 7))
        elif is_wild(position, piece.id) and not piece.is_(UNCONTROLLED):
            yield Action("go wild", (piece.id,), target=position.pieces[element].where)
        elif piece.is_(UNCONTROLLED) and not piece.is_(DISORDERED):
            yield Action("disorder", (piece.id,))
    if piece.id in position.noted(MUST_TEST).values() and is_on_map(position, piece):
        resisted = _may_have_resisted(position, piece.id)
        for where in _refuges(position, piece.where):
            if any(_is_away(position, name, piece.where, where) for name in resisted):
                yield Action("shift", (piece.id,), (piece.where, where))
