"""Patton's arrival, and II Corps under him."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import UNDERWAY, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of
from referee.games.patton1943.facts import (
    ALLIES,
    AXIS,
    box,
    has_gaps,
    in_phase,
    is_battlegroup,
    is_on_map,
    is_reduced,
    is_surely_not_of,
    is_two_star,
    is_unit,
    occupied,
    of_side,
    owner,
    patton,
    the_field,
    units_at,
    where_it_is,
)
from referee.games.patton1943.notes import (
    BATTLEGROUP_OF,
    CAME_IN,
    PATTON_COMES,
    PATTON_ROLLED,
    SWAP_DUE,
    WITHDRAWN,
)
from referee.games.patton1943.replacements import placed_in_an_ezoc, towns_for
from referee.games.patton1943.stacking import too_many_with
from vassalgen.game.provenance import Provenance

rules = Section("Patton's arrival", Provenance("rulebook", "16"))
MAP = Provenance("reconstruction", remark="villages of the map")
CORPS = "second-corps"
AT_ITS_TIME, TOO_EARLY = "", "too early"


def corps_in_tunisia(position: Position) -> tuple[str, ...]:
    """Return the units of II Corps in Tunisia; assets do not count [16b]."""
    hexes = position.game.map.hexes
    return tuple(
        piece.id
        for piece in position.pieces.values()
        if is_on_map(position, piece)
        and hexes[piece.where].country == "Tunisia"
        and is_unit(piece)
        and (piece.counter.formation == CORPS or _is_corps_battlegroup(position, piece))
    )


def _is_corps_battlegroup(position: Position, piece: Piece) -> bool:
    """In an interpretation that is not adopted, battlegroups of II Corps count as well."""
    if not is_battlegroup(piece) or position.game.adopted("patton-battlegroups") == "no":
        return False
    unit = position.note(BATTLEGROUP_OF, piece.id)
    return unit is not None and position.pieces[unit].counter.formation == CORPS


def has_arrived(position: Position) -> bool:
    """Return whether Patton is or has been in play."""
    return position.pieces[patton(position)].where not in ("", box(ALLIES, "pool"))


@rules.on("roll patton", clause="16a")
def the_roll_for_patton_is_made_at_the_end_of_a_turn(position: Position, action: Action) -> Breach | None:
    facts: Facts = {"turn": position.turn, "phase": position.phase}
    if has_arrived(position):
        return Breach("Patton's arrival is rolled for; he has already arrived.", facts, Grade.slip)
    if position.phase != "end":
        says = (
            f"Patton's arrival is rolled for {in_phase(position)};"
            " it is rolled for at the end of the game turn."
        )
        return Breach(says, facts)
    if position.note(PATTON_ROLLED, AT_ITS_TIME) is not None:
        return Breach("Patton's arrival is rolled for twice in a game turn; 1 roll is allowed.", facts)
    return None


@rules.does("roll patton")
def roll_for_patton(position: Position, action: Action) -> Position:
    """Remember the first die at the end of the turn, and the first one that was rolled too early."""
    when = AT_ITS_TIME if position.phase == "end" else TOO_EARLY
    if position.note(PATTON_ROLLED, when) is not None:
        return position
    comes = when == AT_ITS_TIME and action.dice[0] <= len(corps_in_tunisia(position))
    if comes and not has_arrived(position):
        position = position.with_note(PATTON_COMES, "", position.turn)
    return position.with_note(PATTON_ROLLED, when, action.dice[0])


def _die(position: Position) -> int | None:
    """The die for Patton's arrival: one rolled too early counts only if none was rolled in time."""
    die = position.note(PATTON_ROLLED, AT_ITS_TIME)
    return position.note(PATTON_ROLLED, TOO_EARLY) if die is None else die


def _unless_rolled_unseen(position: Position) -> Grade:
    """Unproven at the end of a turn that was under way when the record begins: a roll may have been made."""
    unseen = position.phase == "end" and position.note(UNDERWAY)
    return Grade.unproven if unseen else Grade.illegal


def _latest(position: Position) -> int:
    return position.game.values["patton"].values.integer("latest_turn")


@rules.on("arrive", clause="16b 16h")
def patton_comes_on_a_die_up_to_the_units_of_the_corps(position: Position, action: Action) -> Breach | None:
    if action.piece != patton(position):
        name = name_of(position, action.piece)
        says = f"{name} is placed on the map as if it were Patton; only Patton arrives this way."
        return Breach(says, {"unit": action.piece}, clause="16h")
    if position.note(SWAP_DUE) and is_on_map(position, position.pieces[action.piece]):
        return None  # he has just arrived, and is put elsewhere
    if has_arrived(position):
        says = "Patton is placed on the map again; once eliminated, he comes back only as a replacement."
        facts: Facts = {"unit": action.piece, "from": position.pieces[action.piece].where}
        return Breach(says, facts, clause="16h")
    die, due = _die(position), position.turn >= _latest(position)
    facts = {"turn": position.turn, "phase": position.phase}
    if position.phase == "end" and due:
        return None
    since = position.note(PATTON_COMES)
    if since is not None and since < position.turn:
        says = f"Patton is placed on the map {in_phase(position)}; he arrived at the end of turn {since}."
        return Breach(says, facts, Grade.slip, clause="16h")
    if position.phase != "end" or die is None:
        return Breach(
            f"Patton is placed on the map {in_phase(position)}; only a successful arrival roll brings him.",
            facts,
            _unless_rolled_unseen(position),
            clause="16h",
        )
    corps = corps_in_tunisia(position)
    if die <= len(corps):
        return None
    others = any(
        is_battlegroup(piece)
        and is_on_map(position, piece)
        and position.note(BATTLEGROUP_OF, piece.id) is not None
        for piece in position.pieces.values()
    )
    says = (
        f"Patton arrives on a roll of {die};"
        f" with {counted(len(corps), 'II Corps unit')} in Tunisia he needs {len(corps)} or less."
    )
    facts = {"die": die, "units": corps}
    return Breach(says, facts, Grade.unproven if others and die <= len(corps) + 1 else Grade.illegal, "16b")


@rules.on("arrive", clause="16c")
def patton_lands_with_a_unit_of_the_corps(position: Position, action: Action) -> Breach | None:
    if action.piece != patton(position):
        return None
    formations = (CORPS, f"{CORPS}-patton")
    if any(piece.counter.formation in formations for piece in units_at(position, action.target, ALLIES)):
        return None
    says = f"Patton is placed in {action.target}; he must join a II Corps unit, and none is there."
    group = any(_may_be_of_the_corps(position, piece) for piece in units_at(position, action.target, ALLIES))
    grade = Grade.unproven if group else Grade.illegal
    return Breach(says, {"unit": action.piece, "hex": action.target}, grade)


def _may_be_of_the_corps(position: Position, piece: Piece) -> bool:
    """Return whether a piece is a battlegroup for which a two-star piece may come in its hex."""
    twins = the_field(position).twins.values()
    return any(_stands_for(position, position.pieces[twin], piece.where) == piece for twin in twins)


@rules.does("arrive")
def arrive(position: Position, action: Action) -> Position:
    """Put him on the map."""
    if action.piece == patton(position):
        position = position.with_note(SWAP_DUE, "", True)
    return position.with_piece(action.piece, where=action.target)


@rules.on("swap", clause="16h")
def two_star_pieces_come_with_patton(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    facts: Facts = {"unit": piece.id, "phase": position.phase}
    name = name_of(position, piece.id)
    if not is_two_star(position, piece):
        return Breach(f"{name} is exchanged; only two-star pieces are.", facts)
    if may_be_exchanged(position):
        return None
    return Breach(f"{name} comes in before Patton has arrived; it comes in only when he does.", facts)


@rules.on("swap", clause="16e")
def the_corps_is_exchanged_at_once(position: Position, action: Action) -> Breach | None:
    """When Patton arrives; a piece that was left out then and enters late was reported then."""
    piece = position.pieces[action.piece]
    if not is_two_star(position, piece) or not (has_arrived(position) or _is_due(position)):
        return None
    facts: Facts = {"unit": piece.id, "from": piece.where or "none"}
    name = name_of(position, piece.id)
    if position.phase == "end" and is_on_map(position, piece) and (CAME_IN, piece.id) in position.notes:
        return None  # it is put elsewhere while II Corps is exchanged
    if piece.where not in ("", box(ALLIES, "pool")):
        says = f"{name} comes in again; it comes in only once, and it is {where_it_is(position, piece)}."
        return Breach(says, facts)
    late = has_arrived(position) and not position.note(SWAP_DUE)
    twin = position.pieces[the_field(position).twins[piece.id]]
    if not late or is_on_map(position, twin):
        return None
    says = f"{name} comes in after II Corps was exchanged; all of it is exchanged at once."
    return Breach(says, facts, Grade.unproven)


def may_be_exchanged(position: Position) -> bool:
    """Return whether II Corps may be exchanged: Patton has arrived, or arrives [16e]."""
    return has_arrived(position) or _is_due(position)


def _is_due(position: Position) -> bool:
    die, since = _die(position), position.note(PATTON_COMES)
    if since is not None and since < position.turn:
        return True
    if position.phase != "end":
        return False
    return position.turn >= _latest(position) or (die is not None and die <= len(corps_in_tunisia(position)))


@rules.on("swap", clause="6a 6b 6c")
def a_piece_for_a_dead_one_stacks_within_the_limits(position: Position, action: Action) -> Iterator[Breach]:
    piece, where = position.pieces[action.piece], action.target
    comes = where in position.game.map.grid and piece.where != where
    if comes and _stands_for_a_dead_one(position, piece, where):
        yield from too_many_with(position, piece, where)


@rules.on("swap", clause="16e")
def each_takes_the_place_of_its_twin(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if not is_two_star(position, piece):
        return None
    twin = position.pieces[the_field(position).twins[piece.id]]
    stands = _stands_for(position, twin, action.target)
    if stands is None or action.target == stands.where:
        return None
    says = (
        f"{name_of(position, piece.id)} comes in at {action.target};"
        f" it must replace {name_of(position, stands.id)} in {stands.where}."
    )
    return Breach(says, {"unit": piece.id, "twin": twin.id, "hex": action.target, "place": stands.where})


@rules.on("swap", clause="16g")
def a_piece_for_a_dead_one_comes_in_an_own_village(position: Position, action: Action) -> Breach | None:
    """Outside enemy zones of control."""
    piece, where = position.pieces[action.piece], action.target
    if not _stands_for_a_dead_one(position, piece, where):
        return None
    facts: Facts = {"unit": piece.id, "twin": the_field(position).twins[piece.id], "hex": where}
    name = name_of(position, piece.id)
    if of_side(position, where, AXIS):
        says = f"{name} is placed in {where}, where enemy pieces are; no hex holds pieces of both sides."
        return Breach(says, facts)
    if where not in the_field(position).villages or owner(position, where) != ALLIES:
        says = f"{name} is placed in {where}; it must be placed in an Allied-controlled village."
        return Breach(says, facts, _doubt(position, where), provenance=MAP)
    return next(placed_in_an_ezoc(position, piece, where, "16g"), None)


def _stands_for_a_dead_one(position: Position, piece: Piece, where: str) -> bool:
    if not is_two_star(position, piece):
        return False
    return _stands_for(position, position.pieces[the_field(position).twins[piece.id]], where) is None


def _doubt(position: Position, where: str) -> Grade:
    """How certain it is that a dead piece may not enter in a hex: the hex may have changed hands unseen, or a
    battlegroup may have taken the piece's place.
    """
    village = where in the_field(position).villages and not is_surely_not_of(position, where, ALLIES)
    group = any(_is_of_an_unknown_unit(position, each) for each in position.at(where))
    return Grade.unproven if village or group else Grade.illegal


def _stands_for(position: Position, twin: Piece, where: str = "") -> Piece | None:
    """Return the piece on the map that is replaced: the twin, or the battlegroup that replaced it.

    A twin that was withdrawn to make room still counts where it was. If it is not known what a battlegroup in
    the hex replaced, it was this piece [16f].
    """
    if is_on_map(position, twin):
        return twin
    made_room = position.note(WITHDRAWN, twin.id)
    if made_room is not None:
        return made_room
    for name, unit in position.noted(BATTLEGROUP_OF).items():
        if unit == twin.id and is_on_map(position, position.pieces[name]):
            return position.pieces[name]
    return next((each for each in position.at(where) if _may_have_replaced(position, each, twin)), None)


def _may_have_replaced(position: Position, piece: Piece, twin: Piece) -> bool:
    return piece.counter.nation == twin.counter.nation and _is_of_an_unknown_unit(position, piece)


def _is_of_an_unknown_unit(position: Position, piece: Piece) -> bool:
    """Return whether it is a battlegroup that came in without a trace of what it replaced."""
    return is_battlegroup(piece) and position.note(BATTLEGROUP_OF, piece.id) is None


@rules.on("withdraw", clause="16e")
def only_pieces_of_the_corps_make_room(position: Position, action: Action) -> Breach | None:
    """When Patton arrives, and not before."""
    piece = position.pieces[action.piece]
    unit = _unit_of(position, piece)
    facts: Facts = {"unit": piece.id, "phase": position.phase}
    name = name_of(position, piece.id)
    if unit.id not in the_field(position).twins.values():
        grade = Grade.unproven if _is_of_an_unknown_unit(position, piece) else Grade.illegal
        says = f"{name} is taken off the map; only a piece that a two-star piece replaces is."
        return Breach(says, facts, grade)
    if may_be_exchanged(position):
        return None
    return Breach(f"{name} is taken off the map; II Corps is exchanged only when Patton arrives.", facts)


def _unit_of(position: Position, piece: Piece) -> Piece:
    """Return the unit that a battlegroup replaces; for any other piece the piece itself."""
    unit = position.note(BATTLEGROUP_OF, piece.id)
    return position.pieces[unit] if unit is not None else piece


@rules.does("withdraw")
def withdraw(position: Position, action: Action) -> Position:
    """Take it off the map and remember where its twin enters; a piece in a box stays there."""
    piece = position.pieces[action.piece]
    if piece.where in position.game.map.boxes:
        return position
    unit = _unit_of(position, piece)
    after = position.with_note(WITHDRAWN, unit.id, piece)
    where = "pool" if is_battlegroup(piece) else "out"
    return after.with_piece(piece.id, where=box(ALLIES, where), states={})


def _does_not_come(position: Position, piece: Piece) -> bool:
    """Return whether a damaged piece's twin cannot enter because it has no reduced side, in another
    interpretation [16f].
    """
    if position.game.adopted("reduced-twin") != "out" or piece.counter.steps > 1:
        return False
    twin = position.pieces[the_field(position).twins[piece.id]]
    return _is_damaged(twin, _stands_for(position, twin))


def _is_damaged(twin: Piece, stands: Piece | None) -> bool:
    return stands is None or stands.id != twin.id or is_reduced(twin)


@rules.on("swap", clause="16f")
def a_twin_of_one_side_stays_out(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if not is_two_star(position, piece) or not _does_not_come(position, piece):
        return None
    says = (
        f"{name_of(position, piece.id)} comes in for a damaged piece;"
        " it must come in reduced and has no reduced side."
    )
    return Breach(says, {"unit": piece.id})


@rules.does("swap")
def swap(position: Position, action: Action) -> Position:
    """Place it, and remove the piece that it replaces; damaged pieces are placed reduced [16f]."""
    piece = position.pieces[action.piece]
    twin = position.pieces[the_field(position).twins[piece.id]] if is_two_star(position, piece) else piece
    stands = _stands_for(position, twin, action.target)
    damaged = _is_damaged(twin, stands)
    steps = max(piece.counter.steps - 1, 1) if damaged else piece.counter.steps
    after = position.with_piece(piece.id, where=action.target, steps=steps, states={})
    after = after.with_note(CAME_IN, piece.id, damaged)
    if is_two_star(position, piece):
        after = after.with_piece(twin.id, where=box(ALLIES, "out"), states={})
    if stands is not None and is_two_star(position, piece):
        after = after.with_note(WITHDRAWN, twin.id, stands)
    if stands is not None and stands.id != twin.id:
        after = after.with_piece(stands.id, where=box(ALLIES, "pool"), states={})
        after = after.without_note(BATTLEGROUP_OF, stands.id)
    return occupied(after, piece, action.target)


@rules.on("rebuild", "lose", clause="16f")
def damaged_pieces_stay_reduced(position: Position, action: Action) -> Breach | None:
    """The twin of a damaged piece enters reduced, that of a full-strength one at full strength."""
    damaged, name = position.note(CAME_IN, action.piece), name_of(position, action.piece)
    if damaged is None or position.phase != "end":
        return None
    if damaged and action.verb == "rebuild":
        return Breach(f"{name} replaces a damaged piece and must come in reduced.", {"unit": action.piece})
    if not damaged and action.verb == "lose":
        return Breach(
            f"{name} replaces an undamaged piece and must come in at full strength.", {"unit": action.piece}
        )
    return None


@rules.leaving("end", clause="16a 16b")
def patton_is_rolled_for_and_comes(position: Position) -> Breach | None:
    if has_arrived(position) or _may_have_come_and_gone(position) or position.turn >= _latest(position):
        return None
    die, corps = _die(position), corps_in_tunisia(position)
    if die is None:
        says = (
            f"No roll for Patton's arrival is made at the end of turn {position.turn};"
            " it is made at the end of each turn until he arrives."
        )
        return Breach(says, {"turn": position.turn}, _unless_rolled_unseen(position), "16a")
    if die > len(corps):
        return None
    says = (
        f"A roll of {die} with {counted(len(corps), 'II Corps unit')} in Tunisia brings Patton;"
        " he is not placed on the map."
    )
    return Breach(says, {"die": die, "units": corps}, clause="16b")


def _may_have_come_and_gone(position: Position) -> bool:
    """Return whether Patton's counter is nowhere in a record that begins late."""
    return has_gaps(position) and not position.pieces[patton(position)].where


@rules.leaving("end", clause="16d")
def patton_comes_on_the_latest_turn_in_any_case(position: Position) -> Breach | None:
    if has_arrived(position) or _may_have_come_and_gone(position) or not _could_arrive(position):
        return None
    if position.turn < _latest(position):
        return None
    says = (
        f"Patton has not arrived at the end of turn {position.turn}; turn {_latest(position)} is the latest."
    )
    return Breach(says, {"turn": position.turn})


@rules.leaving("end", clause="16e 16f 16g")
def the_corps_is_exchanged_when_patton_comes(position: Position) -> Iterator[Breach]:
    if not has_arrived(position) or not position.note(SWAP_DUE):
        return
    for name, twin in the_field(position).twins.items():
        piece, old = position.pieces[twin], name_of(position, twin)
        yield from _shows_another_side(position, name)
        if is_on_map(position, piece):
            says = (
                f"{old} in {piece.where} is not exchanged for its two-star piece;"
                " II Corps is exchanged when Patton arrives."
            )
            yield Breach(says, {"unit": twin, "hex": piece.where}, clause="16e")
        elif position.note(WITHDRAWN, twin) and position.pieces[name].where == box(ALLIES, "pool"):
            says = f"{old} is taken off the map; its two-star piece must come in for it and does not."
            yield Breach(says, {"unit": name}, clause="16e")
        elif _is_missing(position, position.pieces[name]):
            says = f"{name_of(position, name)} must come in for {old}, eliminated earlier; it does not."
            yield Breach(says, {"unit": name}, Grade.unproven, "16g")


def _is_missing(position: Position, piece: Piece) -> bool:
    """Return whether a piece that replaces a dead one has not entered although a village is open to it."""
    if piece.where != box(ALLIES, "pool") or _does_not_come(position, piece):
        return False
    return bool(towns_for(position, piece, villages_only=True))


def _shows_another_side(position: Position, name: str) -> Iterator[Breach]:
    """A piece that entered for a damaged one and is at full strength, or the other way round [16f]."""
    piece, damaged = position.pieces[name], position.note(CAME_IN, name)
    if damaged is None or not is_on_map(position, piece) or piece.counter.steps == 1:
        return
    if damaged != is_reduced(piece):
        what = (
            "a damaged piece and must be reduced"
            if damaged
            else "an undamaged piece and must be at full strength"
        )
        says = f"{name_of(position, name)} replaces {what}."
        yield Breach(says, {"unit": name, "steps": piece.steps}, clause="16f")


def _could_arrive(position: Position) -> bool:
    """Return whether any unit of II Corps is on the map for him to join."""
    return any(
        is_unit(piece) and is_on_map(position, piece) and piece.counter.formation.startswith(CORPS)
        for piece in position.pieces.values()
    )


@rules.proposes
def rolls(position: Position, piece: Piece) -> Iterator[Action]:
    """The die for Patton."""
    if position.phase == "end" and piece.id == patton(position) and not has_arrived(position):
        faces = range(1, position.game.dice["patton"].sides + 1)
        yield from (Action("roll patton", dice=(face,)) for face in faces)


@rules.proposes
def arrivals(position: Position, piece: Piece) -> Iterator[Action]:
    """Patton, and then the pieces with two stars."""
    if position.phase != "end":
        return
    if piece.id == patton(position) and not has_arrived(position) and _is_due(position):
        for where in position.game.map.grid.names:
            if any(each.counter.formation.startswith(CORPS) for each in units_at(position, where, ALLIES)):
                yield Action("arrive", (piece.id,), target=where)
    elif is_two_star(position, piece) and piece.where == box(ALLIES, "pool") and has_arrived(position):
        twin = position.pieces[the_field(position).twins[piece.id]]
        stands = _stands_for(position, twin)
        hexes = (stands.where,) if stands else towns_for(position, piece, villages_only=True)
        if not _does_not_come(position, piece):
            yield from (Action("swap", (piece.id,), target=where) for where in hexes)
