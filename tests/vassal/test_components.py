"""Components say what VASSAL's classes say, and come back as they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given

from tests.vassal.strategies_build import CLASSES, any_component
from tests.vassal.test_buildfile import build_files
from vassalgen.problems import FormatError, Problem
from vassalgen.vassal import buildfile
from vassalgen.vassal.components import (
    Board,
    BoardPicker,
    Component,
    CounterDetailViewer,
    DrawPile,
    Element,
    Entry,
    GameModule,
    Grid,
    HexGrid,
    HexGridNumbering,
    Map,
    MassKeyCommand,
    PieceSlot,
    PlayerRoster,
    PrototypeDefinition,
    SetupStack,
    SpecialDieFace,
    StackMetrics,
    Zone,
    ZonedGrid,
    class_of,
    decode,
    encode,
)
from vassalgen.vassal.components.attribute import attributes_of
from vassalgen.vassal.scalars import Key

ENGINE: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "components.json").read_text(encoding="utf-8")
)
"""What each class of VASSAL 3.7.26, newly made, says of its attributes: all their texts, None for none."""

OF_OLD = {"condition", "property", "propValue", "names", "prompt"}
"""Attributes that VASSAL still lists but neither writes nor needs, unless a class says otherwise."""
NOT_IN_A_FILE = {
    ("VASSAL.build.module.PlayerRoster", "sides"),  # its entries say it
    ("VASSAL.build.module.PlayerRoster", "description"),
    ("VASSAL.build.module.map.PieceMover", "icon"),
}
DIFFERENT_WHEN_NEW = {
    "version": "CounterDetailViewer",  # the present one; without one VASSAL takes the file for old
    "width": "PieceSlot CardSlot",  # a new slot measures its picture
    "height": "PieceSlot CardSlot",
    "name": "PrototypeDefinition",  # "Prototype" in the editor, nothing in a file that is silent
    "color": "GlobalMap",  # a red frame in the editor
    "tab": " ".join(
        kind + "Preference" for kind in ("String", "Text", "Integer", "Double", "Boolean", "Enum")
    ),
    "canDisable": "NotesWindow",  # none of these before the window is there
    "propertyGate": "NotesWindow",
    "hideWhenDisabled": "NotesWindow",
    "disabledIcon": "NotesWindow",
}


def java_classes() -> list[type[Component]]:
    return [cls for cls in CLASSES if cls.JAVA in ENGINE]


def test_nearly_every_class_is_compared_with_the_engine() -> None:
    without = {cls.__name__ for cls in CLASSES} - {cls.__name__ for cls in java_classes()}
    assert len(java_classes()) > 80
    assert {"Map", "HexGrid", "DrawPile", "TurnTracker"}.isdisjoint(without)


@pytest.mark.parametrize("cls", java_classes(), ids=lambda cls: str(cls.__name__))
def test_a_class_has_the_attributes_of_vassals_class_with_its_defaults(cls: type[Component]) -> None:
    ours = attributes_of(cls)
    for xml, default in ENGINE[cls.JAVA]["attributes"].items():
        if xml not in ours:
            assert xml in OF_OLD or (cls.JAVA, xml) in NOT_IN_A_FILE
        elif cls.__name__ not in DIFFERENT_WHEN_NEW.get(xml, ""):
            assert ours[xml].codec.encode(ours[xml].default) == (default or ""), xml


@pytest.mark.parametrize("cls", java_classes(), ids=lambda cls: str(cls.__name__))
def test_a_class_is_named_by_what_vassals_class_is_named_by(cls: type[Component]) -> None:
    theirs = ENGINE[cls.JAVA]["name"]
    if theirs is not None:
        assert attributes_of(cls)[theirs].name == cls.NAMED_BY


@given(any_component())
def test_any_component_is_written_and_read_back(component: Component) -> None:
    element = component.to_element()
    problems: list[Problem] = []
    back = decode(element, problems)
    assert back == component
    assert not problems
    assert encode(back) == element
    assert buildfile.read(buildfile.write(component)) == element


def test_every_component_of_the_corpus_comes_back_as_it_stood(shared: Path) -> None:
    seen = set()
    for name, data in build_files(shared):
        for path in buildfile.walk(buildfile.read(data)):
            component = decode(path[-1])
            assert encode(component) == path[-1], name
            seen.add(type(component))
    assert len(seen) > 80


def test_only_modules_own_classes_stay_elements(shared: Path) -> None:
    unread = {
        path[-1].tag
        for _, data in build_files(shared)
        for path in buildfile.walk(buildfile.read(data))
        if class_of(path[-1].tag) is None
    }
    assert not any(tag.startswith("VASSAL.") or "." not in tag for tag in unread)


def test_a_new_component_is_written_as_vassal_writes_it() -> None:
    stack = SetupStack(name="Start", x=12, y=34)
    assert stack.to_element() == Element(
        "VASSAL.build.module.map.SetupStack",
        (("name", "Start"), ("useGridLocation", "false"), ("x", "12"), ("y", "34")),
    )


def test_a_module_is_pleasant_to_make() -> None:
    hexes = HexGrid(dx=60.0, dy=69.28, children=(HexGridNumbering(stagger=False),))
    chart = Map(
        name="Main Map",
        children=(BoardPicker(children=(Board(name="Ridge", children=(hexes,)),)), StackMetrics()),
    )
    module = GameModule(
        name="Mini", version="1.0", children=(PlayerRoster(children=(Entry(content="Blue"),)), chart)
    )
    root = buildfile.read(buildfile.write(module))
    assert [child.tag for child in root.children] == [
        "VASSAL.build.module.PlayerRoster",
        "VASSAL.build.module.Map",
    ]
    grid = buildfile.find(root, HexGrid)
    assert grid is not None
    assert (grid.component.dx, grid.component.dy) == (60.0, 69.28)
    assert grid.component.children_of(HexGridNumbering) == (HexGridNumbering(stagger=False),)


def test_what_is_changed_changes_and_the_rest_stays_as_it_was_spelt() -> None:
    element = Element(HexGrid.JAVA, (("x0", "07"), ("old", "kept"), ("dx", "60"), ("sideways", "no")))
    grid = attrs.evolve(HexGrid.from_element(element), dx=61.5, visible=True)
    assert grid.to_element().attributes == (
        ("x0", "07"),
        ("old", "kept"),
        ("dx", "61.5"),
        ("sideways", "no"),
        ("visible", "true"),
    )


def test_attributes_in_order_stay_in_order_when_one_comes_in() -> None:
    element = Element(HexGrid.JAVA, (("dx", "60.0"), ("dy", "70.0"), ("x0", "1")))
    grid = attrs.evolve(HexGrid.from_element(element), sideways=True)
    assert [name for name, _ in grid.to_element().attributes] == ["dx", "dy", "sideways", "x0"]


def test_the_old_name_of_the_module_is_read_and_kept() -> None:
    element = Element("VASSAL.launch.BasicModule", (("name", "Old"),))
    module = decode(element)
    assert isinstance(module, GameModule)
    assert module.name == "Old"
    assert encode(module) == element


def test_vassals_odd_spellings_are_hidden() -> None:
    viewer = CounterDetailViewer(empty_hex_report_format="$LocationName$!", show_move_selected=True)
    written = dict(viewer.to_element().attributes)
    assert written["emptyHexReportForma"] == "$LocationName$!"
    assert written["showMoveSelectde"] == "true"
    assert written["version"] == "4"


def test_a_face_of_a_die_has_its_icon_written_without_which_vassal_stops() -> None:
    assert ("icon", "") in SpecialDieFace(text="Skull").to_element().attributes


def test_a_board_with_an_image_has_no_size_of_its_own() -> None:
    assert dict(Board(name="Ridge", image="b.png").to_element().attributes) == {
        "image": "b.png",
        "name": "Ridge",
        "reversible": "false",
    }
    assert dict(Board(name="Ridge", width=900).to_element().attributes) == {
        "name": "Ridge",
        "reversible": "false",
        "width": "900",
        "height": "500",
        "color": "",
    }


def test_keys_colours_and_lists_are_values() -> None:
    command = MassKeyCommand.from_element(
        Element(MassKeyCommand.JAVA, (("hotkey", "57344,0,flip"), ("buttonHotkey", "65,130")))
    )
    assert command.hotkey is not None
    assert command.hotkey.name == "flip"
    assert command.button_hotkey == Key.ctrl("A")
    zone = Zone.from_element(Element(Zone.JAVA, (("path", "1,2;30,4; 5 , 60"),)))
    assert zone.path == ((1, 2), (30, 4), (5, 60))
    assert zone.to_element().attributes == (("path", "1,2;30,4; 5 , 60"),)


def test_some_attributes_are_true_in_capitals_too_as_in_vassal() -> None:
    grid = HexGrid.from_element(Element(HexGrid.JAVA, (("sideways", "TRUE"), ("snapTo", "yes"))))
    assert grid.sideways
    assert not grid.snap_to
    assert not Zone.from_element(Element(Zone.JAVA, (("useParentGrid", "True"),))).use_parent_grid
    assert grid.to_element().attributes == (("sideways", "TRUE"), ("snapTo", "yes"))


def test_a_word_vassal_does_not_know_is_reported_on_reading_and_refused_on_writing() -> None:
    problems: list[Problem] = []
    chart = Map.from_element(Element(Map.JAVA, (("markMoved", "Sometimes"),)), problems)
    assert chart.mark_moved == "Sometimes"
    assert problems == [
        Problem(
            "",
            'attribute "markMoved"',
            "'Sometimes' is none of the words VASSAL knows",
            "one of 'Always', 'Never', 'Use Preferences Setting'",
        )
    ]
    assert chart.to_element().attributes == (("markMoved", "Sometimes"),)
    with pytest.raises(FormatError, match='Map, attribute "markMoved"'):
        Map(mark_moved="Sometimes").to_element()


def test_an_unwritable_list_is_refused_with_its_attribute() -> None:
    with pytest.raises(FormatError, match='DrawPile, attribute "deckOwners"'):
        DrawPile(deck_owners=("Red\\", "Blue")).to_element()


def test_children_are_found_by_a_class_and_its_subclasses() -> None:
    board = Board(name="Ridge", children=(ZonedGrid(), Element("com.example.Grid")))
    assert board.children_of(Grid) == (ZonedGrid(),)
    read = Board.from_element(board.to_element())
    assert read.children_of(Grid) == (ZonedGrid(),)


def test_a_component_shows_what_is_particular_about_it() -> None:
    assert repr(HexGrid(dx=60.0, children=(HexGridNumbering(),))) == "HexGrid(dx=60.0, 1 children)"
    assert repr(PieceSlot(name="Tank", content="+/null")) == "PieceSlot(name='Tank', content='+/null')"


def test_the_label_is_what_the_editor_shows() -> None:
    assert SpecialDieFace(text="Skull").label == "Skull"
    assert PrototypeDefinition(name="Unit").label == "Unit"
    assert StackMetrics().label == ""
