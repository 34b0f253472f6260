"""Counters that lie face down go without a name, and only their own side turns them."""

from __future__ import annotations

import attrs
import pytest

from tests.parts.clerks import Clerk
from vassalgen.announcements import Moved, StepReported, Turned, parse_line
from vassalgen.game.game import Game
from vassalgen.parts import face_down, pieces
from vassalgen.parts.ids import ids_of
from vassalgen.parts.keys import TURN_OVER
from vassalgen.parts.pieces import counter_piece
from vassalgen.parts.trait_shorthand import Part
from vassalgen.templates import FACE_DOWN
from vassalgen.vassal.components import PrototypeDefinition
from vassalgen.vassal.expressions import Properties, parse
from vassalgen.vassal.pieces import Piece, expand, from_slot_text
from vassalgen.vassal.traits.dynamic_property import DynamicProperty
from vassalgen.vassal.traits.obscurable import Obscurable
from vassalgen.vassal.traits.report_state import ReportState
from vassalgen.vassal.traits.restrict_commands import RestrictCommands

DOWN = {"ObscuredToOthers": "true", "PlayerSide": "Reds", "LocationName": "B2", "CID": "r1"}
UP = {**DOWN, "ObscuredToOthers": "false"}


@pytest.fixture(scope="module")
def grenadiers(small: Game) -> Piece:
    """A counter with all that its prototypes give it."""
    shared = {
        one.name: from_slot_text(one.content)
        for one in pieces.prototypes(pieces.abilities(small)).children
        if isinstance(one, PrototypeDefinition)
    }
    return expand(counter_piece(small, small.counters["r1"], ids_of(small)), shared, strict=True)


@pytest.fixture(scope="module")
def able(small: Game) -> tuple[Part, ...]:
    """All that such a counter can do, before the clerk does most of it."""
    return pieces.able(small, small.counters["r1"].kind)


def said(able: tuple[Part, ...], key: str, given: dict[str, str]) -> str:
    """What a report says at a key."""
    known = {**given, "BasicName": "Grenadiers"}
    (report,) = [
        one for one in able if isinstance(one, ReportState) and [key_.name for key_ in one.keys] == [key]
    ]
    return parse(report.report_format).evaluate(Properties(known))


def test_a_move_face_down_shows_no_name(able: tuple[Part, ...]) -> None:
    line = said(able, "sayMoved", {**DOWN, "OldLocationName": "B1"})
    heard = parse_line(line)
    assert heard is not None
    assert heard.announcement == Moved(FACE_DOWN, "B1", "B2", "Reds")
    assert "r1" in said(able, "sayMoved", {**UP, "OldLocationName": "B1"})


def test_a_step_lost_face_down_shows_no_number(able: tuple[Part, ...]) -> None:
    steps = {"oldSteps": "4", "Steps": "3"}
    heard = parse_line(said(able, "saySteps", {**DOWN, **steps}))
    assert heard is not None and isinstance(heard.announcement, StepReported)
    assert heard.announcement.lost
    assert said(able, "saySteps", {**UP, **steps}).endswith("steps 4 to 3 (Reds)")


def test_who_is_turned_up_is_named(able: tuple[Part, ...]) -> None:
    heard = parse_line(said(able, "sayTurned", UP))
    assert heard is not None and isinstance(heard.announcement, Turned)
    assert (heard.announcement.up, heard.announcement.counter.counter.id) == (True, "r1")


def test_only_its_own_side_and_one_who_plays_both_turn_a_counter(grenadiers: Piece) -> None:
    (barred,) = [
        parse(one.match)
        for one in grenadiers.traits
        if isinstance(one, RestrictCommands) and one.keys == (TURN_OVER,)
    ]
    for side, holds in (("Reds", "false"), ("Solitaire", "false"), ("Blues", "true"), ("", "true")):
        assert barred.evaluate(Properties({"PlayerSide": side, "Side": "Reds"})) == holds
    (mask,) = [one for one in grenadiers.traits if isinstance(one, Obscurable)]
    assert mask.access.sides == ("Reds", "Solitaire")


def test_the_mask_lies_around_the_face_but_not_around_moves_and_battles(grenadiers: Piece) -> None:
    mask = next(place for place, one in enumerate(grenadiers.traits) if isinstance(one, Obscurable))
    within = [type(one).__name__ for one in grenadiers.traits[mask:]]
    assert "MovementMarkable" not in within and "SubMenu" not in within
    properties = [one.name for one in grenadiers.traits[mask:] if isinstance(one, DynamicProperty)]
    assert properties == ["Steps", "state_shells", "state_tired"]


@pytest.mark.parametrize(("down", "attack"), [("true", "0"), ("false", "10")])
def test_what_it_adds_to_a_battle_is_nothing_until_it_is_turned_up(
    small: Game, down: str, attack: str
) -> None:
    clerk = Clerk(small, "dawn", 1)
    clerk.collect([clerk.counter("r1", "0302", 4, ObscuredToOthers=down)], [])
    assert clerk.values["BAF"] == attack


def test_nothing_of_this_is_in_a_game_without_such_counters(small: Game) -> None:
    kinds = {kind.id: attrs.evolve(kind, hidden=False) for kind in small.kinds.values()}
    game = attrs.evolve(small, kinds=kinds)
    none: tuple[Part, ...] = ()
    assert face_down.prototypes(game) == {}
    assert face_down.covering(game, game.counters["r1"]) == none
