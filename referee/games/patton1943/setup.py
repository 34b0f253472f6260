"""Set-up: which pieces may be placed where before the first turn, and in which order."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.clock import Clock
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of
from referee.games.patton1943.facts import (
    ALLIES,
    AXIS,
    SIDES,
    adjective,
    in_phase,
    in_zone,
    is_air,
    is_battlegroup,
    is_on_map,
    is_two_star,
    is_unit,
    occupied,
    of_side,
    other,
    patton,
    the_field,
)
from referee.games.patton1943.notes import COMPLETE, MOVED, SETTING_UP, SHARES_AIRFIELD
from referee.games.patton1943.stacking import every, has_room
from vassalgen.game.provenance import RECONSTRUCTION, Provenance

rules = Section("Set-up", Provenance("rulebook", "5"))

BONE = "7607"
FIXED = {"uk-para": "5d", "de-broich": "5n", "it-laspezia": "5o", "it-marines": "5o", "it-messe": "5o"}
NEAR_BONE = "uk-6a"


@rules.does("deploy")
def deploy(position: Position, action: Action) -> Position:
    """Put the piece on the map."""
    piece = position.pieces[action.piece]
    after = position.with_piece(piece.id, where=action.target).with_note(SETTING_UP, piece.side, True)
    if one_air_asset_to_an_airfield(position, action) is not None:
        after = after.with_note(SHARES_AIRFIELD, piece.id, True)
    return occupied(after, piece, action.target) if is_unit(piece) else after


def _bound_to_crest(position: Position, piece: Piece, formation: str) -> bool:
    """Return whether a piece must start in the hexes of its crest [5c, 5g]."""
    if piece.counter.formation != formation or is_air(piece):
        return False
    return is_unit(piece) or position.game.adopted("crested-assets") == "bound"


def _is_on_call(position: Position, piece: Piece) -> bool:
    """Return whether a piece waits off the map."""
    return is_battlegroup(piece) or is_two_star(position, piece) or piece.id == patton(position)


def _demand(position: Position, piece: Piece) -> str:
    """Return the rules on places by which a piece is set up: each piece has one."""
    if _is_on_call(position, piece):
        return "waits"
    if piece.id in FIXED:
        return "place"
    if is_air(piece):
        return "airfield"
    if piece.id == NEAR_BONE:
        return "near Bone"
    crests = (one for one in ("eighth-army", "second-corps") if _bound_to_crest(position, piece, one))
    return next(crests, "country")


def _asked(position: Position, action: Action, *demands: str) -> tuple[Piece, str] | None:
    """The piece that is set up and its hex, if one of these rules applies to it."""
    piece, where = position.pieces[action.piece], action.target
    if where not in position.game.map.grid or _demand(position, piece) not in demands:
        return None
    return piece, where


@rules.on("deploy", clause="5b 5r")
def battlegroups_and_two_star_pieces_wait(position: Position, action: Action) -> Breach | None:
    asked = _asked(position, action, "waits")
    if asked is None:
        return None
    piece, where = asked
    name = name_of(position, piece.id)
    if is_battlegroup(piece):
        says = f"{name} is a battlegroup; it may not be set up on the map."
    elif piece.id == patton(position):
        says = f"{name} is set up on the map; he arrives at the end of a game turn."
    else:
        says = f"{name} is set up on the map; it comes in only when Patton arrives."
    return Breach(says, {"unit": piece.id, "hex": where}, clause="5b" if piece.side == ALLIES else "5r")


@rules.on("deploy", clause="5d 5n 5o")
def some_pieces_have_a_hex_of_their_own(position: Position, action: Action) -> Breach | None:
    asked = _asked(position, action, "place")
    if asked is None or asked[1] == _fixed(position, asked[0].id):
        return None
    piece, where = asked
    says = f"{name_of(position, piece.id)} must set up in {_fixed(position, piece.id)}; it is in {where}."
    return Breach(says, {"unit": piece.id, "hex": where}, clause=FIXED[piece.id])


@rules.on("deploy", clause="5e")
def the_sixth_armoured_starts_near_bone(position: Position, action: Action) -> Breach | None:
    asked = _asked(position, action, "near Bone")
    if asked is None or in_zone(position, asked[1], "near-bone"):
        return None
    piece, where = asked
    says = (
        f"{name_of(position, piece.id)} must set up in Algeria within 4 hexes of Bone ({BONE});"
        f" {where} is {_away(position, where)}."
    )
    facts: Facts = {
        "unit": piece.id,
        "hex": where,
        "distance": position.game.map.grid.distance(where, BONE),
    }
    return Breach(says, facts)


@rules.on("deploy", clause="5c 5g")
def pieces_with_a_crest_start_on_it(position: Position, action: Action) -> Breach | None:
    asked = _asked(position, action, "eighth-army", "second-corps")
    if asked is None:
        return None
    piece, where = asked
    crest = _demand(position, piece)
    if in_zone(position, where, crest):
        return None
    facts: Facts = {"unit": piece.id, "hex": where}
    what = "Eighth Army crest" if crest == "eighth-army" else "II Corps symbol"
    says = f"{name_of(position, piece.id)} must set up in a hex with the {what}; {where} has none."
    if crest == "eighth-army":
        return Breach(says, facts, clause="5c")
    return Breach(says, facts, clause="5g", provenance=RECONSTRUCTION)


@rules.on("deploy", clause="5i 5p")
def aircraft_start_on_their_airfields(position: Position, action: Action) -> Breach | None:
    asked = _asked(position, action, "airfield")
    if asked is None:
        return None
    piece, where = asked
    name, airbase = name_of(position, piece.id), position.game.values["rommel"].values.text("airbase")
    facts: Facts = {"unit": piece.id, "hex": where}
    if piece.side == AXIS:
        if in_zone(position, where, "axis-airfields"):
            return None
        says = f"{name} must set up on an Axis airfield in Tunisia; it is in {where}."
        return Breach(says, facts, clause="5p", provenance=RECONSTRUCTION)
    allowed = in_zone(position, where, "allied-airfields") and in_zone(position, where, "algeria")
    if where != airbase and not allowed:
        says = f"{name} must set up on an Allied airfield in Algeria or in {airbase}; it is in {where}."
        return Breach(says, facts, clause="5i", provenance=RECONSTRUCTION)
    crested = piece.counter.formation == "eighth-army" and position.game.adopted("crested-air") == "crest"
    if crested and where != airbase:
        says = f"{name} belongs to the Eighth Army and must set up in {airbase}; it is in {where}."
        return Breach(says, facts, clause="5i")
    return None


@rules.on("deploy", clause="5m")
def the_axis_keeps_out_of_the_allied_hexes(position: Position, action: Action) -> Breach | None:
    asked = _asked(position, action, "country")
    if asked is None or asked[0].side != AXIS:
        return None
    piece, where = asked
    name, facts = name_of(position, piece.id), {"unit": piece.id, "hex": where}
    if in_zone(position, where, "eighth-army") or in_zone(position, where, "second-corps"):
        says = f"{name} is set up in {where}, an Eighth Army or II Corps hex; no Axis piece may be."
        return Breach(says, facts)
    if where == position.game.values["rommel"].values.text("airbase"):
        grade = Grade.illegal if position.game.adopted("axis-at-8821") == "barred" else Grade.unproven
        says = f"{name} is set up in {where}, the airbase of the Eighth Army; no Axis piece may be."
        return Breach(says, facts, grade)
    return None


@rules.on("deploy", clause="5a 5l")
def all_others_start_in_their_country(position: Position, action: Action) -> Breach | None:
    asked = _asked(position, action, "country")
    if asked is None or the_axis_keeps_out_of_the_allied_hexes(position, action) is not None:
        return None
    piece, where = asked
    zone, country, clause = _COUNTRIES[piece.side]
    if in_zone(position, where, zone):
        return None
    says = f"{name_of(position, piece.id)} must set up in {country}; {where} is not in {country}."
    return Breach(says, {"unit": piece.id, "hex": where}, clause=clause)


_COUNTRIES = {ALLIES: ("algeria", "Algeria", "5a"), AXIS: ("axis-setup", "Tunisia", "5l")}
_RULES_ON_PLACES = (
    battlegroups_and_two_star_pieces_wait,
    some_pieces_have_a_hex_of_their_own,
    the_sixth_armoured_starts_near_bone,
    pieces_with_a_crest_start_on_it,
    aircraft_start_on_their_airfields,
    the_axis_keeps_out_of_the_allied_hexes,
    all_others_start_in_their_country,
)


def _may_start(position: Position, name: str, where: str) -> bool:
    """Return whether a piece may be set up in a hex by the rules on places."""
    action = Action("deploy", (name,), target=where)
    return all(rule(position, action) is None for rule in _RULES_ON_PLACES)


def _away(position: Position, where: str) -> str:
    """The distance from Bone, or that the hex is in another country."""
    if not in_zone(position, where, "algeria"):
        return "not in Algeria"
    return f"{counted(position.game.map.grid.distance(where, BONE), 'hex')} away"


def _fixed(position: Position, name: str) -> str:
    return position.game.values["setup"].values.group("fixed").text(name)


@rules.on("deploy", clause="5j 5q")
def one_air_asset_to_an_airfield(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if not is_air(piece):
        return None
    there = tuple(
        each.id for each in of_side(position, action.target, piece.side) if is_air(each) and each != piece
    )
    if not there:
        return None
    clause = "5j" if piece.side == ALLIES else "5q"
    says = (
        f"{name_of(position, piece.id)} is set up in {action.target} with another air asset; the limit is 1."
    )
    return Breach(says, {"unit": piece.id, "hex": action.target, "there": there}, clause=clause)


@rules.on("deploy", clause="5k")
def the_allies_set_up_first(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if piece.side != ALLIES or not position.note(SETTING_UP, AXIS):
        return None
    if position.game.adopted("setup-order") == "agreed":
        return None
    says = (
        f"{name_of(position, piece.id)} is placed in {action.target} after the Axis set-up has begun;"
        " the Allies complete theirs first."
    )
    return Breach(says, {"unit": piece.id, "hex": action.target})


@rules.on("deploy", clause="5s")
def no_piece_starts_beside_an_enemy_or_off_the_ground(position: Position, action: Action) -> Iterator[Breach]:
    piece, where, grid = position.pieces[action.piece], action.target, position.game.map.grid
    if where not in grid:
        return
    if of_side(position, where, other(piece.side)):
        says = (
            f"{name_of(position, piece.id)} is set up in {where}, where enemy pieces are;"
            " no hex holds pieces of both sides."
        )
        yield Breach(says, {"unit": piece.id, "hex": where})
    elif position.game.terrain[position.game.map.hexes[where].terrain].closed:
        says = (
            f"{name_of(position, piece.id)} is set up in {where}, which is not a land hex;"
            " every piece must be in one."
        )
        yield Breach(says, {"unit": piece.id})


@rules.on("deploy", clause="5k 7b")
def a_side_that_has_set_up_places_nothing(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if not position.note(COMPLETE, piece.side):
        return None
    if the_allies_set_up_first(position, action) is not None:
        return None  # reported by that rule
    says = (
        f"{name_of(position, piece.id)} is placed in {action.target} after"
        " its side declared its set-up complete."
    )
    return Breach(
        says, {"unit": piece.id, "hex": action.target}, clause="5k" if piece.side == ALLIES else "7b"
    )


@rules.on("move", "attack", "complete", clause="5h 5j 5q 5s")
def the_set_up_is_right_when_play_begins(position: Position, action: Action) -> Iterator[Breach]:
    """Checked once, if any side has set up anything."""
    if not _is_just_beginning(position):
        return
    yield from _whole_set_up(position)


@rules.leaving("movement", clause="5h 5j 5q 5s")
def the_set_up_is_right_at_the_first_phase(position: Position) -> Iterator[Breach]:
    if _is_just_beginning(position):
        yield from _whole_set_up(position)


@rules.leaving("movement", clause="5k")
def somebody_says_when_play_begins(position: Position) -> Breach | None:
    """Without it, the last placements cannot be distinguished from the first moves."""
    sides = tuple(position.noted(SETTING_UP))
    if position.turn != 1 or not sides:
        return None
    says = "No side declared its set-up complete; the last placements may have been moves."
    return Breach(says, {"sides": sides}, Grade.slip)


def _is_just_beginning(position: Position) -> bool:
    return position.turn == 1 and bool(position.noted(SETTING_UP)) and not position.noted(MOVED)


def _whole_set_up(position: Position) -> Iterator[Breach]:
    if position.note(SETTING_UP, ALLIES):
        for where in position.game.map.zones["second-corps"].hexes:
            corps = [
                piece
                for piece in of_side(position, where, ALLIES)
                if piece.counter.formation == "second-corps"
            ]
            if not corps:
                says = f"No II Corps piece is set up in {where}; each II Corps hex needs at least 1."
                yield Breach(says, {"hex": where}, clause="5h", provenance=RECONSTRUCTION)
    for breach in every(position, tuple(position.noted(SETTING_UP))):
        yield Breach(breach.says, breach.facts, clause="5s")
    yield from _shared_airfields(position)


def _shared_airfields(position: Position) -> Iterator[Breach]:
    """Aircraft placed where another one had come back: while setting up, players may move pieces."""
    for where in position.by_place:
        for side in position.noted(SETTING_UP) if where in position.game.map.grid else ():
            names = tuple(piece.id for piece in of_side(position, where, side) if is_air(piece))
            if len(names) > 1 and not any((SHARES_AIRFIELD, name) in position.notes for name in names):
                says = f"{counted(len(names), 'air asset')} are set up in {where}; the limit is 1."
                yield Breach(says, {"hex": where, "pieces": names}, clause="5j" if side == ALLIES else "5q")


@rules.on("deploy", clause="7b")
def pieces_are_set_up_before_play_begins(position: Position, action: Action) -> Breach | None:
    if position.clock == _beginning(position):
        return None
    says = (
        f"{name_of(position, action.piece)} is set up {in_phase(position)} of turn {position.turn};"
        " play has begun."
    )
    return Breach(says, {"unit": action.piece, "hex": action.target, "turn": position.turn})


def _beginning(position: Position) -> Clock:
    return Clock(position.world.calendar.first_turn)


@rules.on("complete", clause="5k")
def a_side_says_once_that_it_has_set_up(position: Position, action: Action) -> Breach | None:
    """A second declaration while the other side is setting up may be meant for that side."""
    side = _said(action)
    if not position.note(COMPLETE, side) or position.note(COMPLETE, other(side)):
        return None
    says = (
        f"The {adjective(position, side)} set-up is declared complete a second time; that is done only once."
    )
    return Breach(says, {"side": side}, Grade.slip)


def _said(action: Action) -> str:
    """The side that has set up: the Allies, who set up first, if none is named."""
    return action.words[0] if action.words and action.words[0] in SIDES else ALLIES


@rules.does("complete")
def complete(position: Position, action: Action) -> Position:
    """A side has set up; play begins when both have."""
    side = _said(action)
    position = position.with_note(COMPLETE, side, True).without_note(SETTING_UP, side)
    if position.note(COMPLETE, other(side)):
        position = position.without_note(SETTING_UP, other(side))
    return position


def _may_complete(position: Position, side: str) -> bool:
    """Return whether a side may declare its set-up complete: the Allies before the Axis, if they do."""
    begun = bool(position.noted(SETTING_UP) or position.noted(COMPLETE))
    return begun and (side == ALLIES or (position.note(COMPLETE, ALLIES) is not None))


def _is_waiting(position: Position, side: str) -> bool:
    """Return whether a piece of a side that must be set up is not on the map yet."""
    return any(
        piece.side == side and not _is_on_call(position, piece) and not is_on_map(position, piece)
        for piece in position.pieces.values()
    )


def _may_place(position: Position, side: str) -> bool:
    """Return whether a side may set up now: the Axis waits until the Allies have finished."""
    if side == ALLIES:
        return not position.note(SETTING_UP, AXIS)
    begun = (position.note(SETTING_UP, ALLIES) is not None) or _is_waiting(position, ALLIES)
    return (position.note(COMPLETE, ALLIES) is not None) or not begun


@rules.proposes
def first_places(position: Position, piece: Piece) -> Iterator[Action]:
    """Where a piece may start, before any piece has moved; waiting pieces first."""
    if position.clock != _beginning(position):
        return
    if position.noted(MOVED) or (position.note(COMPLETE, piece.side) is not None):
        return
    waiting = _is_waiting(position, piece.side)
    if is_battlegroup(piece) and not waiting and _may_complete(position, piece.side):
        yield Action("complete", words=(piece.side,))
    if not _may_place(position, piece.side) or (waiting and is_on_map(position, piece)):
        return
    if not _leaves_a_symbol_empty(position, piece):
        for where in _places(position, piece.id):
            if where != piece.where and has_room(position, piece, where):
                yield Action("deploy", (piece.id,), target=where)


def _leaves_a_symbol_empty(position: Position, piece: Piece) -> bool:
    """Return whether a piece is the only one of II Corps on one of its symbols [5h]."""
    if piece.counter.formation != "second-corps" or not in_zone(position, piece.where, "second-corps"):
        return False
    corps = [each for each in of_side(position, piece.where) if each.counter.formation == "second-corps"]
    return len(corps) == 1


def _places(position: Position, name: str) -> tuple[str, ...]:
    """The hexes where a piece may start, occupied or not; looked up once for each interpretation."""
    readings = ("crested-assets", "crested-air", "axis-at-8821")
    key = (name, *(position.game.adopted(reading) for reading in readings))
    known = the_field(position).starts
    if key not in known:
        names = position.game.map.grid.names
        known[key] = tuple(where for where in names if _may_start(position, name, where))
    return known[key]
