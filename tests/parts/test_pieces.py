"""What counters are made of: nothing leads nowhere, and nothing is announced that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from vassalgen.announcements import BATTLE, ROLE
from vassalgen.compile import Compiled
from vassalgen.game.game import Game
from vassalgen.game.track import first_sides, stop_name
from vassalgen.parts import setups
from vassalgen.parts.battle import LABELLED
from vassalgen.parts.clerk import clerk
from vassalgen.parts.declarations import passing
from vassalgen.parts.names import CURRENT_BATTLE, FIRST_SIDE, RESULT, STOP, TURN
from vassalgen.parts.odds import fights
from vassalgen.parts.pieces import MOVED, abilities, counter_piece, kind_prototype
from vassalgen.parts.trait_shorthand import key
from vassalgen.parts.turn_track import NEW_PHASE
from vassalgen.vassal import buildfile
from vassalgen.vassal.archives import BUILD_FILE
from vassalgen.vassal.components import (
    BooleanPreference,
    DiceButton,
    Element,
    GlobalKeyCommand,
    GlobalProperty,
    PieceSlot,
    PrototypeDefinition,
)
from vassalgen.vassal.compounds import SetTo
from vassalgen.vassal.expressions import Properties, parse
from vassalgen.vassal.pieces import Piece, expand, from_slot_text
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.calculated_property import CalculatedProperty
from vassalgen.vassal.traits.counter_global_key_command import CounterGlobalKeyCommand
from vassalgen.vassal.traits.delete import Delete
from vassalgen.vassal.traits.dynamic_property import DynamicProperty
from vassalgen.vassal.traits.global_hot_key import GlobalHotKey
from vassalgen.vassal.traits.labeler import Labeler, LabelerState
from vassalgen.vassal.traits.movement_markable import MovementMarkable
from vassalgen.vassal.traits.obscurable import Obscurable
from vassalgen.vassal.traits.report_state import ReportState
from vassalgen.vassal.traits.restrict_commands import RestrictCommands
from vassalgen.vassal.traits.send_to_location import SendToLocation
from vassalgen.vassal.traits.set_global_property import SetGlobalProperty
from vassalgen.vassal.traits.set_piece_property import SetPieceProperty
from vassalgen.vassal.traits.sub_menu import SubMenu
from vassalgen.vassal.traits.translate import Translate
from vassalgen.vassal.traits.trigger_action import TriggerAction


@pytest.fixture(scope="session")
def root(compiled: Compiled) -> Element:
    return buildfile.read(dict(compiled.entries)[BUILD_FILE])


@pytest.fixture(scope="session")
def pieces(root: Element) -> dict[str, Piece]:
    """All pieces of the module with their prototypes resolved, by their gpid."""
    known = {
        found.component.name: from_slot_text(found.component.content)
        for found in buildfile.find_all(root, PrototypeDefinition)
    }
    return {
        found.component.gpid: expand(from_slot_text(found.component.content), known, strict=True)
        for found in buildfile.find_all(root, PieceSlot)
    }


def heard(piece: Piece) -> Iterator[Key | None]:
    """The keys that do something on a piece."""
    for trait in piece.traits:
        match trait:
            case TriggerAction():
                yield trait.key
                yield from trait.watch_keys
            case ReportState():
                yield from trait.keys
            case CounterGlobalKeyCommand() | GlobalHotKey() | Delete() | Obscurable() | Translate():
                yield trait.key
            case DynamicProperty() | SetGlobalProperty() | SetPieceProperty():
                yield from (command.key for command in trait.commands)
            case SendToLocation():
                yield from (trait.key, trait.back_key)
            case MovementMarkable():
                yield from (trait.key, trait.mark_key, trait.unmark_key)


def names(keys: Iterator[Key | None]) -> set[object]:
    return {key.name or key for key in keys if key is not None}


def test_every_key_that_a_command_sends_does_something(pieces: dict[str, Piece]) -> None:
    for piece in pieces.values():
        known = names(heard(piece))
        for trait in piece.traits:
            if isinstance(trait, TriggerAction):
                missing = names(iter(trait.action_keys)) - known
                assert not missing, f"{piece.name}, {trait.name}: {missing}"


def test_every_key_that_is_sent_to_others_is_heard_by_somebody(pieces: dict[str, Piece]) -> None:
    everywhere = set[object]().union(*(names(heard(piece)) for piece in pieces.values()))
    for piece in pieces.values():
        for trait in piece.traits:
            if isinstance(trait, CounterGlobalKeyCommand) and trait.sent_key:
                assert trait.sent_key.name in everywhere, f"{piece.name}: {trait.sent_key.name}"


def test_every_key_of_the_wiring_is_sent_by_somebody(root: Element, pieces: dict[str, Piece]) -> None:
    """A trait that answers a key which is never sent is useless."""
    sent: set[object] = {MOVED, "mark", "clearTrail"}
    sent |= {
        key.name for found in buildfile.find_all(root, GlobalKeyCommand) if (key := found.component.hotkey)
    }
    for piece in pieces.values():
        for trait in piece.traits:
            if isinstance(trait, TriggerAction):
                sent |= names(iter(trait.action_keys))
            elif isinstance(trait, SetGlobalProperty):
                sent |= names(one.key for one in trait.commands if one.text)
            elif isinstance(trait, CounterGlobalKeyCommand):
                sent |= names(iter([trait.sent_key]))
    for piece in pieces.values():
        dead = {name for name in names(heard(piece)) - sent if isinstance(name, str)}
        assert not dead, f"{piece.name}: {dead}"


def test_dice_that_counters_roll_have_a_button(root: Element, pieces: dict[str, Piece]) -> None:
    buttons = {found.component.hotkey for found in buildfile.find_all(root, DiceButton)}
    rolled = {
        trait.sent_key
        for piece in pieces.values()
        for trait in piece.traits
        if isinstance(trait, GlobalHotKey)
    }
    assert {key.name for key in rolled if key} <= {key.name for key in buttons if key}


def test_menus_hold_commands_that_there_are(pieces: dict[str, Piece]) -> None:
    for piece in pieces.values():
        commands = {trait.text for trait in piece.traits if isinstance(trait, SubMenu)}
        commands |= {
            one.text
            for trait in piece.traits
            if isinstance(trait, SetGlobalProperty)
            for one in trait.commands
        }
        for trait in piece.traits:
            if isinstance(trait, SubMenu):
                assert set(trait.commands) <= commands


def test_who_neither_fights_nor_has_several_steps_is_not_offered_to_lose_one(
    root: Element, compiled: Compiled
) -> None:
    game = compiled.game
    offered = {
        found.component.name
        for found in buildfile.find_all(root, PrototypeDefinition)
        for trait in from_slot_text(found.component.content).traits
        if isinstance(trait, SetGlobalProperty) and "Lose a step" in {one.text for one in trait.commands}
    }
    stepped = {counter.kind for counter in game.counters.values() if counter.steps > 1}
    lost_whole = {kind for kind in game.kinds if kind not in stepped and not fights(game, kind)}
    assert offered.isdisjoint(map(kind_prototype, lost_whole))
    assert offered >= {kind_prototype(kind) for kind in stepped}


def test_every_expression_can_be_read_and_names_what_there_is(
    root: Element, pieces: dict[str, Piece]
) -> None:
    known = {found.component.name for found in buildfile.find_all(root, GlobalProperty)}
    known |= {found.component.name for found in buildfile.find_all(root, BooleanPreference)}
    known |= {"Turn", "Stop", "LocationName", "OldLocationName", "BasicName", "PlayerSide", "CurrentMap"}
    known |= {"UiPieceIndex", "UiPieceCount", "Math", "Moved", "Obscured", "ObscuredToOthers"}
    for found in buildfile.find_all(root, DiceButton):
        known |= {f"{found.component.name}_result", f"{found.component.name}_total"}
    for piece in pieces.values():
        own = {
            trait.name for trait in piece.traits if isinstance(trait, DynamicProperty | CalculatedProperty)
        }
        own |= {name for trait in piece.traits for name in getattr(trait, "names", ())}
        for expression in expressions(piece):
            used = {name.removeprefix("old") for name in parse(expression).names()} - known - own
            assert not used, f"{piece.name}: {expression}"


def expressions(piece: Piece) -> Iterator[str]:
    for trait, state in piece.pairs():
        match trait:
            case ReportState():
                yield trait.report_format
            case TriggerAction() | RestrictCommands():
                yield trait.match or "1"
            case CalculatedProperty():
                yield trait.expression
            case Labeler() if isinstance(state, LabelerState):
                yield state.label
            case SendToLocation():
                yield from (trait.x, trait.y, trait.region)


def test_labels_of_attackers_bring_a_colour_and_those_of_defenders_have_that_of_the_label(
    pieces: dict[str, Piece],
) -> None:
    shown = {label for piece in pieces.values() for role in "AD" for label in labels(piece, role)} - {""}
    assert {label for label in shown if "A2" in label} == {"<html><p bgcolor=#b4281e>A2"}
    assert {label[:2] for label in shown if "A2" not in label} == {"D2"}


def labels(piece: Piece, role: str) -> Iterator[str]:
    """What labels are set to in battle 2, or the calculated label of who has a role in it."""
    values = Properties({CURRENT_BATTLE: "2", BATTLE: "2", ROLE: role, RESULT: "-"})
    for trait, state in piece.pairs():
        if isinstance(trait, SetPieceProperty) and trait.name == LABELLED:
            for one in trait.commands:
                if isinstance(one.change, SetTo) and one.change.value:
                    yield parse(one.change.value).evaluate(values)
        elif isinstance(state, LabelerState) and ROLE in state.label:
            yield parse(state.label).evaluate(values)


def test_every_counter_says_who_it_is(game: Game, compiled: Compiled) -> None:
    for counter in game.counters.values():
        piece = counter_piece(game, counter, compiled.ids)
        assert piece.marker("CID") == counter.id
        assert piece.marker("Side") == (game.sides[counter.side].title if counter.side else "-")
        assert piece.name == counter.name


def test_a_new_phase_reaches_the_counters_that_have_something_to_do(game: Game) -> None:
    """The clerk clears what moved and what fought; counters end their states and say that they are due."""
    able = abilities(game)
    assert able.follow_phases.startswith('"|_clerk|_turn|".contains("|"+CID+"|")')
    for kind in game.kinds:
        notes = next(
            part
            for part in able.prototypes[kind_prototype(kind)]
            if isinstance(part, SetGlobalProperty) and part.name == "Note"
        )
        hears = key(NEW_PHASE) in {one.key for one in notes.commands}
        assert hears == (f"|{kind}|" in able.follow_phases), kind


def test_what_a_phase_leaves_on_counters_is_cleared_by_the_clerk(game: Game) -> None:
    sent = {
        (part.target.property, part.sent_key.name)
        for part in clerk(game, "").traits
        if isinstance(part, CounterGlobalKeyCommand) and part.sent_key
    }
    left = {("Moved", "unmark"), ("Battle", "clrB"), ("Half", "clrB"), *passing(game)}
    assert left <= sent


@pytest.mark.parametrize(
    ("place", "due"), [("Box T2", True), ("Box T3", False), ("1203", False), ("", False)]
)
def test_who_waits_for_the_turn_that_begins_says_so(
    game: Game, pieces: dict[str, Piece], place: str, due: bool
) -> None:
    """A hex that is a number is not a text to the engine, which then has no ``endsWith()`` for it."""
    first = first_sides(game)[0]
    begins = game.sequence.stops(first)[0]
    now = {FIRST_SIDE: game.sides[first].title, STOP: stop_name(game, begins), TURN: "2"}
    for piece in pieces.values():
        for trait in piece.traits:
            if isinstance(trait, TriggerAction) and "sayDue" in names(iter(trait.action_keys)):
                when = parse(trait.match)
                assert when.evaluate(Properties({**now, "LocationName": place})) == str(due).lower()


def test_factors_fall_with_the_steps(small: Game, compiled: Compiled) -> None:
    if "r1" not in compiled.ids.numbers:
        pytest.skip("the small game alone")
    piece = counter_piece(small, small.counters["r1"], compiled.ids)
    attack = next(one for one in piece.traits if isinstance(one, CalculatedProperty) and "Attack" in one.name)
    values = [parse(attack.expression).evaluate(Properties({"Steps": str(left)})) for left in (4, 3, 2, 1)]
    assert values == ["5", "4", "2", "1"]


def test_gpids_are_unique_and_below_the_next(root: Element, compiled: Compiled) -> None:
    slots = [found.component.gpid for found in buildfile.find_all(root, PieceSlot)]
    assert len(set(slots)) == len(slots)
    assert max(map(int, slots)) < int(root.get("nextPieceSlotId"))


def test_set_ups_are_found_where_the_menu_says(root: Element, game: Game, compiled: Compiled) -> None:
    for scenario in game.scenarios.values():
        assert setups.file_of(scenario) in dict(compiled.entries)
