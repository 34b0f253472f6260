"""Rommel's recall."""

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
    axis_seen,
    box,
    has_gaps,
    in_phase,
    is_on_map,
    is_surely_not_of,
    last_turn,
    owner,
    ports_held,
    rommel,
    the_field,
    units_at,
)
from referee.games.patton1943.notes import RECALLED, ROMMEL_ROLLED
from vassalgen.game.provenance import Provenance

rules = Section("Rommel's recall", Provenance("rulebook", "17"))


def last_turns(position: Position) -> range:
    """Return the turns at whose ends Rommel may be recalled [17a]."""
    count = position.game.values["rommel"].values.integer("last_turns")
    last = last_turn(position)
    return range(last - count + 1, last + 1)


@rules.on("roll rommel", clause="17a")
def the_roll_for_rommel_is_made_in_the_last_turns(position: Position, action: Action) -> Breach | None:
    facts: Facts = {"turn": position.turn, "phase": position.phase}
    if position.turn not in last_turns(position):
        says = (
            f"Rommel's recall is rolled for in turn {position.turn};"
            f" it is rolled for at the end of turns {last_turns(position)[0]} to {last_turns(position)[-1]}."
        )
        return Breach(says, facts)
    if position.phase != "end":
        says = (
            f"Rommel's recall is rolled for {in_phase(position)};"
            " it is rolled for at the end of the game turn."
        )
        return Breach(says, facts)
    if position.note(ROMMEL_ROLLED) is not None:
        return Breach("Rommel's recall is rolled for twice in a game turn; 1 roll is allowed.", facts)
    return None


@rules.does("roll rommel")
def roll_for_rommel(position: Position, action: Action) -> Position:
    """Remember the first die of the turn. If Rommel is in the dead pile, he is out for good there [17d]."""
    if position.note(ROMMEL_ROLLED) is not None:
        return position
    name, die = rommel(position), action.dice[0]
    dead = position.pieces[name].where == box(AXIS, "dead") and position.turn in last_turns(position)
    if dead and die + mareth(position) <= len(_ports(position)):
        position = position.with_note(RECALLED, name, True)
    return position.with_note(ROMMEL_ROLLED, "", die)


def is_recalled(position: Position) -> bool:
    """Return whether Rommel has been recalled, in a turn that was seen or before."""
    name = rommel(position)
    return (position.note(RECALLED, name) is not None) or position.pieces[name].where == box(AXIS, "out")


@rules.leaving("end", clause="17a 17b")
def rommel_is_rolled_for_and_goes(position: Position) -> Iterator[Breach]:
    unknown = has_gaps(position) and not position.pieces[rommel(position)].where
    if position.turn not in last_turns(position) or is_recalled(position) or unknown:
        return
    die, facts = position.note(ROMMEL_ROLLED), {"turn": position.turn}
    if die is None:
        says = (
            f"No roll for Rommel's recall is made at the end of turn {position.turn};"
            " it is made in each of the last 3 turns."
        )
        yield Breach(says, facts, clause="17a")
    elif die + mareth(position) <= len(_ports(position)):
        ports = _ports(position)
        says = (
            f"A roll of {_modified(die, mareth(position))} with {counted(len(ports), 'port')} in Allied hands"
            " recalls Rommel; he is still in the game."
        )
        grade = Grade.unproven if die > len(ports) and has_gaps(position) else Grade.illegal
        yield Breach(says, {"die": die, "ports": ports}, grade, "17b")


def _modified(die: int, added: int) -> str:
    """Return a text for a roll with its modifier."""
    return f"{die} with a DRM of {added:+d}" if added else f"{die}"


def _ports(position: Position) -> tuple[str, ...]:
    """The ports that count [17b]."""
    if position.game.adopted("rommel-ports") == "held":
        return ports_held(position)
    ports = the_field(position).ports
    return tuple(name for name, where in ports.items() if owner(position, where) == ALLIES)


def mareth(position: Position) -> int:
    """Return the modifier of the roll for Rommel: -1 if Mareth is Allied and the hexes were clear [17c]."""
    values = position.game.values["rommel"].values
    where = values.text("mareth")
    allied = bool(units_at(position, where, ALLIES)) or owner(position, where) == ALLIES
    clean = not axis_seen(position)
    return values.integer("modifier") if allied and clean else 0


@rules.on("recall", clause="17b 17c")
def rommel_goes_on_a_die_up_to_the_ports(position: Position, action: Action) -> Breach | None:
    """A recall that would be right with the modifier, if it applied, is attributed to it [17c]."""
    die = position.note(ROMMEL_ROLLED)
    if die is None or action.piece != rommel(position):
        says = (
            f"{name_of(position, action.piece)} is recalled;"
            " that requires a successful recall roll, and none was made."
        )
        # the roll may not have been seen
        grade = Grade.unproven if position.note(UNDERWAY) else Grade.illegal
        return Breach(says, {"unit": action.piece}, grade, "17b")
    ports, added = _ports(position), mareth(position)
    held = f"{counted(len(ports), 'port')} in Allied hands"
    if die + added <= len(ports):
        return None
    modifier = position.game.values["rommel"].values.integer("modifier")
    facts: Facts = {
        "die": die,
        "added": added,
        "ports": ports,
        "Axis seen in": axis_seen(position),
    }
    if not added and die + modifier <= len(ports):
        where = position.game.values["rommel"].values.text("mareth")
        sure = not has_gaps(position) or axis_seen(position) or is_surely_not_of(position, where, ALLIES)
        grade = Grade.illegal if sure else Grade.unproven
        says = (
            f"Rommel is removed on a roll of {die} with {held};"
            f" {len(ports)} or less is needed, and no DRM applies."
        )
        return Breach(says, facts, grade, "17c")
    says = (
        f"Rommel is removed on a roll of {_modified(die, added)} with {held}; {len(ports)} or less is needed."
    )
    return Breach(says, facts, clause="17b")


@rules.does("recall")
def recall(position: Position, action: Action) -> Position:
    """Take him out of the game."""
    piece = position.pieces[action.piece]
    after = position.with_piece(piece.id, where=box(piece.side, "out"), states={})
    return after.with_note(RECALLED, piece.id, True)


@rules.proposes
def rolls(position: Position, piece: Piece) -> Iterator[Action]:
    """The die for Rommel, and what follows from it."""
    if position.phase != "end" or piece.id != rommel(position) or position.turn not in last_turns(position):
        return
    faces = range(1, position.game.dice["rommel"].sides + 1)
    yield from (Action("roll rommel", dice=(face,)) for face in faces)
    if position.note(ROMMEL_ROLLED) is not None and is_on_map(position, piece):
        yield Action("recall", (piece.id,))
