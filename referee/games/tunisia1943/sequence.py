"""Sequence of play: what may be done in which phase."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import name_of, names_of
from referee.games.tunisia1943.facts import OUT_OF_SUPPLY, campaign, is_late, lacks_em
from referee.games.tunisia1943.notes import ACTED, HAS_ATTACKED, SPENT
from vassalgen.game.provenance import Provenance

rules = Section("Sequence of play", Provenance("rulebook", "1"))

PHASES = ("sustain", "movement", "combat", "exploitation", "supply")
DONE = {
    "move": ("moves", "move"),
    "exploit": ("exploits", "exploit"),
    "attack": ("attacks", "attack"),
    "advance": ("advances", "advance"),
    "sustain": ("is sustained", "are sustained"),
    "exit": ("leaves the map", "leave the map"),
    "break through": ("breaks through", "break through"),
    "overrun": ("overruns an EM", "overrun an EM"),
}
"""What only the side to move may do, with the words for one piece and for several."""
ACTS = tuple(DONE)


@rules.on(*ACTS, clause="1a 1b")
def only_the_side_whose_phase_it_is_acts(position: Position, action: Action) -> Breach | None:
    """A side that acts while the other must sustain its EMs, or begin the game, omits that player phase [1a];
    in a phase that has begun it is merely inactive.
    """
    wrong = tuple(name for name in action.pieces if position.pieces[name].side != position.side)
    if not wrong:
        return None
    facts: Facts = {"units": wrong, "phase": now(position)}
    first = position.world.calendar.order[0]
    begins = position.turn == 1 or position.phase == "sustain"
    if position.side == first and begins and not position.note(ACTED, first):
        says = (
            f"{_doing(position, evolve(action, pieces=wrong))} before the"
            f" {_adjective(position, first)} player phase, which comes first."
        )
        return Breach(says, facts, clause="1a")
    may = f"only {_adjective(position, position.side)} units may" if position.side else "no unit may"
    says = f"{_doing(position, evolve(action, pieces=wrong))} in the {now(position)} step; {may}."
    return Breach(says, facts, clause="1b")


@rules.on("move", "exploit", "attack", clause="1c")
def steps_come_in_their_order(position: Position, action: Action) -> Breach | None:
    """A step whose marker was not set yet is a slip; a step that is over is not opened again.

    A late move is only unproven until an attack is declared that could have influenced it.
    """
    due = {"move": "movement", "attack": "combat", "exploit": "exploitation"}[action.verb]
    side = position.pieces[action.pieces[0]].side
    if position.phase == due or position.side != side:
        return None
    facts: Facts = {"units": action.pieces, "phase": now(position)}
    who = _doing(position, action)
    if PHASES.index(position.phase) < PHASES.index(due):
        if action.verb == "exploit" and position.phase == "movement":
            says = (
                f"{names_of(position, action.pieces)} exploits before the combat step;"
                " exploitation comes after it."
            )
            return Breach(says, facts)
        says = (
            f"{who} while the turn track still shows the {now(position)} step; the {due} step has not begun."
        )
        return Breach(says, facts, Grade.slip)
    attacked = position.note(HAS_ATTACKED, side)
    late = action.verb == "move" and position.phase == "combat" and not attacked
    late = late and position.game.adopted("steps-without-track") != "strict"
    says = f"{who} in the {now(position)} step; the {due} step is over."
    return Breach(says, facts, Grade.unproven if late else Grade.illegal)


def _doing(position: Position, action: Action) -> str:
    """The units of an action and its verb: ``Panzer Regiment 7 moves``."""
    one, many = DONE[action.verb]
    return f"{names_of(position, action.pieces)} {one if len(action.pieces) == 1 else many}"


@rules.on("sustain", clause="1d")
def ems_are_sustained_before_anything_moves(position: Position, action: Action) -> Breach | None:
    side = position.pieces[action.piece].side
    if side != position.side or may_choose(position, side):
        return None
    moved = _moved(position, side)
    says = f"{name_of(position, action.piece)} is sustained too late; EMs are named before any unit moves."
    facts: Facts = {"EM": action.piece, "phase": now(position)}
    return Breach(says, {**facts, "moved": moved} if moved else facts)


def may_choose(position: Position, side: str) -> bool:
    """Return whether a side may still choose the EMs it sustains: in its own phase, before any unit moves."""
    begins = position.phase == "sustain" or (position.phase == "movement" and not _moved(position, side))
    return side == position.side and begins


def _moved(position: Position, side: str) -> tuple[str, ...]:
    return tuple(name for name in position.noted(SPENT) if position.pieces[name].side == side)


@rules.on("out of supply", "in supply", clause="1h")
def only_the_side_that_acted_is_checked(position: Position, action: Action) -> Breach | None:
    """Units of an EM that is destroyed are marked at once [6.3h]; what was forgotten is late [9.3a, 9.3c]."""
    piece, cut_off = position.pieces[action.piece], action.verb == "out of supply"
    if position.phase != "supply" or piece.side == position.side:
        return None
    if not cut_off and not piece.is_(OUT_OF_SUPPLY):
        return None
    if lacks_em(position, piece) or is_late(position, piece, cut_off):
        return None
    return Breach(
        f"{name_of(position, piece.id)} is checked for supply in the {now(position)} step;"
        " units are checked only in their own player phase.",
        {"unit": piece.id, "phase": now(position)},
    )


@rules.on("advance turn", clause="1i")
def a_turn_has_two_player_phases(position: Position, action: Action) -> Breach | None:
    """A player may pass: the second phase is only missing for certain as long as it has not begun."""
    last = position.world.calendar.order[-1]
    if position.phase == "end" or (position.side == last and position.phase == "supply"):
        return None
    facts: Facts = {"turn": position.turn, "phase": now(position)}
    if position.side == last:
        says = "The turn track is advanced before the player phase is over; it is advanced afterwards."
        return Breach(says, facts, Grade.unproven)
    says = (
        f"The turn ends without the {_adjective(position, last)} player phase; each side has one in a turn."
    )
    return Breach(says, facts)


@rules.on(*ACTS, clause="C1.1 C2.1")
def the_game_has_its_turns(position: Position, action: Action) -> Iterator[Breach]:
    clause, last = f"{campaign(position)}.1", position.world.calendar.last_turn
    if position.turn > last:
        says = f"Turn {position.turn} is played; the game ends with turn {last}."
        yield Breach(says, {"turn": position.turn}, clause=clause)


@rules.on("move", "attack", clause="C1.1 C2.1")
def the_attacker_of_the_campaign_begins(position: Position, action: Action) -> Iterator[Breach]:
    """Checked in the first turn only; later turns follow from their order [1a]."""
    first, side = position.world.calendar.order[0], position.pieces[action.pieces[0]].side
    begun = position.note(ACTED, first) or position.side != first
    if position.turn == 1 and side != first and not begun:
        clause = f"{campaign(position)}.1"
        yield Breach(
            f"{_doing(position, action)} first; the {_adjective(position, first)} side acts first"
            " in this campaign.",
            {"units": action.pieces},
            clause=clause,
        )


def now(position: Position) -> str:
    """Return a text for the current phase: ``Axis movement``."""
    return position.world.calendar.stop_names[position.clock.stop]


def _adjective(position: Position, side: str) -> str:
    return position.game.sides[side].adjective
