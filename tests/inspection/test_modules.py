"""What inspect says of modules that are as they should be, and of their maps, pieces and controls."""

from __future__ import annotations

import attrs
import pytest

from tests.inspection.making import facts, found, module, palette, picture, ridge, save, slot, uses
from vassalgen.inspection.facts import DiceFacts, FindingKind, LevelFacts, PropertyFacts
from vassalgen.inspection.report import report
from vassalgen.vassal import buildfile
from vassalgen.vassal.components import (
    Board,
    BoardPicker,
    CardSlot,
    CounterTurnLevel,
    DiceButton,
    DrawPile,
    Element,
    ExtensionElement,
    GameModule,
    GlobalProperties,
    GlobalProperty,
    HtmlChart,
    ListTurnLevel,
    Map,
    ModuleExtension,
    PanelWidget,
    PieceWindow,
    PredefinedSetup,
    PrivateMap,
    RandomTextButton,
    Region,
    RegionGrid,
    SetupStack,
    SquareGrid,
    SquareGridNumbering,
    TabWidget,
    TurnTracker,
    Zone,
    ZonedGrid,
    ZoneProperty,
)


def test_a_sound_module_has_nothing_wrong() -> None:
    found_facts = facts(module(ridge(), palette(slot("1st Foot", "1"))))
    assert found_facts.findings == ()
    assert (found_facts.name, found_facts.version, found_facts.made.vassal) == ("Hill Fight", "1.2", "3.7.26")
    assert found_facts.made.saved == "2023-11-14T22:13:20Z"
    assert found_facts.sides == ("Blue", "Red")


def test_a_board_of_hexes_shows_its_size_and_its_first_and_last_hex() -> None:
    (main,) = facts(module(ridge())).maps
    (board,) = main.boards
    assert (main.size, main.edge) == ((620, 400), (10, 0))
    assert (board.size, board.in_play) == ((600, 400), True)
    assert board.grid is not None
    assert (board.grid.kind, board.grid.columns, board.grid.rows) == ("hexes", 10, 6)
    assert (board.grid.first, board.grid.last) == ("0101", "1005")


def test_a_zone_counts_only_its_own_squares() -> None:
    squares = SquareGrid(x0=25, y0=25, dx=50.0, dy=50.0, children=(SquareGridNumbering(sep="-"),))
    zone = Zone(
        name="Track", location_format="$name$ $gridLocation$",
        path=((100, 0), (300, 0), (300, 100), (100, 100)), children=(squares,),
    )  # fmt: skip
    boxes = RegionGrid(children=(Region(name="Dead", x=10, y=10), Region(name="Fled", x=90, y=90)))
    board = Board(name="Boxes", width=400, height=200, children=(ZonedGrid(children=(zone, boxes)),))
    (main,) = facts(module(Map(name="Reserves", children=(BoardPicker(children=(board,)),)))).maps
    grid = main.boards[0].grid
    assert grid is not None
    assert grid.background is not None
    assert grid.background.regions == ("Dead", "Fled")
    (track,) = grid.zones
    assert track.grid is not None
    assert (track.grid.columns, track.grid.rows) == (4, 2)
    assert (track.grid.first, track.grid.last) == ("Track 03-01", "Track 06-02")


def test_a_grid_without_a_numbering_has_cells_but_no_names() -> None:
    board = Board(name="Plain", width=96, height=48, children=(SquareGrid(),))
    (main,) = facts(module(Map(name="M", children=(BoardPicker(children=(board,)),)))).maps
    grid = main.boards[0].grid
    assert grid is not None
    assert (grid.columns, grid.rows, grid.first) == (2, 1, None)


def test_a_board_as_large_as_numbers_go_is_counted_without_going_through_its_cells() -> None:
    tiny = SquareGrid(dx=0.1, dy=0.1, children=(SquareGridNumbering(),))
    board = Board(name="Vast", width=2**31 - 1, height=2**31 - 1, children=(tiny,))
    (main,) = facts(module(Map(name="M", children=(BoardPicker(children=(board,)),)))).maps
    grid = main.boards[0].grid
    assert grid is not None
    assert grid.columns > 2 * 10**10


def test_at_start_stacks_and_decks_are_reported_with_their_places() -> None:
    stack = SetupStack(
        name="Hill", owning_board="Ridge", use_grid_location=True, location="0302",
        children=(slot("1st Foot", "1"), slot("2nd Foot", "2")),
    )  # fmt: skip
    deck = DrawPile(name="Events", x=50, y=60, children=(CardSlot(name="Rain", gpid="3"),))
    (main,) = facts(module(ridge(stack, deck))).maps
    (hill,), (events,) = main.stacks, main.decks
    assert (hill.location, hill.position, hill.pieces) == ("0302", (160, 104), ("1st Foot", "2nd Foot"))
    assert (events.name, events.position, events.pieces) == ("Events", (60, 60), ("Rain",))


def test_a_private_map_names_its_sides() -> None:
    hand = PrivateMap(name="Hand", side=("Blue",), use_boards="Main Map")
    found_facts = facts(module(ridge(), hand))
    assert (found_facts.maps[1].kind, found_facts.maps[1].sides) == ("private map", ("Blue",))
    assert found_facts.maps[1].boards[0].name == "Ridge"


def test_the_palette_is_a_tree_with_counts() -> None:
    foot = PanelWidget(name="Foot", children=(slot("1st", "1"), slot("2nd", "2")))
    window = PieceWindow(name="Pieces", children=(TabWidget(name="Blue", children=(foot, slot("Gun", "3"))),))
    (top,) = facts(module(window)).palette
    assert (top.name, top.count) == ("Pieces", 3)
    (blue,) = top.parts
    assert [piece.name for piece in blue.pieces] == ["Gun"]
    assert [(part.name, part.kind, part.count) for part in blue.parts] == [("Foot", "panel", 2)]
    assert [piece.id for piece in blue.parts[0].pieces] == ["1", "2"]


def test_controls_are_listed_one_by_one() -> None:
    phases = ListTurnLevel(name="Phase", list=("Move", "Fight"))
    turns = CounterTurnLevel(name="Turn", loop=True, loop_limit=9, children=(phases,))
    zone = Zone(name="Track", children=(ZoneProperty(name="Mud", initial_value="0"),))
    board = Board(name="B", children=(ZonedGrid(children=(zone,)),))
    found_facts = facts(
        module(
            TurnTracker(name="Turn", children=(turns,)),
            DiceButton(name="Two", n_dice=2, n_sides=6),
            RandomTextButton(name="Weather", n_dice=1, faces=("Rain", "Sun")),
            GlobalProperties(children=(GlobalProperty(name="VP", initial_value="3"),)),
            Map(name="Main", children=(BoardPicker(children=(board,)),)),
        )
    )
    (tracker,) = found_facts.turn_trackers
    assert tracker.levels == (LevelFacts("Turn", None, 1, 9, (LevelFacts("Phase", ("Move", "Fight")),)),)
    assert found_facts.dice == (DiceFacts("Two", 2, 6), DiceFacts("Weather", 1, faces=(("Rain", "Sun"),)))
    assert found_facts.properties == (PropertyFacts("VP", "3"), PropertyFacts("Mud", "0", "Main:Track"))


def test_a_set_up_shows_what_it_holds() -> None:
    menu = PredefinedSetup(name="New", is_menu=True, children=(PredefinedSetup(name="Std", file="std.vsav"),))
    game = save("+/1/piece;;;;Foot/Main Map;10;10;1;0", "SETUP_STACK\t", "end_save")
    (setup,) = facts(module(menu), {"std.vsav": game}).setups
    assert (setup.name, setup.menu, setup.file) == ("Std", "New", "std.vsav")
    assert setup.game is not None
    assert (setup.game.pieces, setup.game.maps[0].name) == (1, "Main Map")


def test_a_missing_and_a_broken_set_up_are_named() -> None:
    missing = PredefinedSetup(name="Lost", file="lost.vsav")
    broken = PredefinedSetup(name="Bad", file="bad.vsav")
    found_facts = facts(module(missing, broken), {"bad.vsav": b"PK nonsense"})
    assert found(found_facts, FindingKind.MISSING_FILE)["lost.vsav"].places == ('PredefinedSetup "Lost"',)
    assert [finding.places for finding in found(found_facts, FindingKind.BROKEN_SETUP).values()] == [
        ('PredefinedSetup "Bad"',)
    ]


def test_a_stack_at_a_location_that_the_grid_does_not_have_is_found() -> None:
    lost = SetupStack(name="Lost", owning_board="Ridge", use_grid_location=True, location="Z9", x=30, y=40)
    finding = found(facts(module(ridge(lost))), FindingKind.UNKNOWN_LOCATION)["Z9"]
    assert finding.serious
    assert finding.places == ('Map "Main Map" > SetupStack "Lost"',)
    assert "30, 40" in finding.right


def test_a_stack_off_the_map_is_worth_knowing() -> None:
    off = SetupStack(name="Off", x=5000, y=10)
    near = SetupStack(name="Near", x=599, y=399)
    findings = found(facts(module(ridge(off, near))), FindingKind.OFF_MAP)
    assert [(what, one.serious) for what, one in findings.items()] == [("Off at 5010, 10", False)]


def test_maps_of_a_class_of_the_modules_own_are_maps() -> None:
    ours = module(ridge())
    text = buildfile.write(ours).decode()
    theirs = text.replace(Map.JAVA + " ", "club.build.ClubMap ").replace(
        Map.JAVA + ">", "club.build.ClubMap>"
    )
    theirs = theirs.replace(BoardPicker.JAVA, "club.build.ClubBoardPicker")
    root = buildfile.read(theirs.encode())
    assert buildfile.write(root).decode() == theirs
    shown, usual = facts(GameModule.from_element(root)), facts(ours)
    assert shown.maps == usual.maps
    assert {"club.build.ClubMap", "club.build.ClubBoardPicker"} == set(
        found(shown, FindingKind.UNKNOWN_CLASS)
    )


def test_a_stack_on_a_board_that_is_not_there_is_found() -> None:
    stack = SetupStack(name="Lost", owning_board="Rigde")
    finding = found(facts(module(ridge(stack))), FindingKind.UNKNOWN_BOARD)["Rigde"]
    assert finding.right == "Ridge"


def test_without_the_image_of_the_board_no_stack_is_accused_of_lying_off_it() -> None:
    stack = SetupStack(name="Hill", x=100, y=100)
    found_facts = facts(module(ridge(stack)), {})
    assert [finding.kind for finding in found_facts.findings] == [FindingKind.MISSING_IMAGE]


def test_a_number_that_is_none_is_found_and_a_strange_word_mentioned() -> None:
    grid = Element("VASSAL.build.module.map.boardPicker.board.HexGrid", (("dx", "wide"), ("x0", "")))
    board = Element("VASSAL.build.module.map.boardPicker.Board", (("name", "B"),), children=(grid,))
    picker = Element("VASSAL.build.module.map.BoardPicker", children=(board,))
    strange = Element(Map.JAVA, (("mapName", "M"), ("markMoved", "Sometimes")), children=(picker,))
    found_facts = facts(module(strange))
    assert set(found(found_facts, FindingKind.BAD_VALUE)) == {'dx="wide"', 'x0=""'}
    assert all(finding.serious for finding in found(found_facts, FindingKind.BAD_VALUE).values())
    assert not found(found_facts, FindingKind.UNKNOWN_WORD)['markMoved="Sometimes"'].serious


def test_names_given_twice_are_found() -> None:
    board = Board(name="B")
    twice = Map(name="M", children=(BoardPicker(children=(board, board)),))
    other = Map(name="M")
    assert set(found(facts(module(twice, other)), FindingKind.DUPLICATE_NAME)) == {"map M", "board B"}


def test_components_of_other_people_are_only_mentioned() -> None:
    found_facts = facts(module(Element("club.Weather")), {"club/Weather.class": b"\xca\xfe\xba\xbe"})
    finding = found(found_facts, FindingKind.UNKNOWN_CLASS)["club.Weather"]
    assert not finding.serious
    assert finding.right == "a class of the module's own"
    assert found_facts.own_classes == ("club.Weather",)


def test_a_page_that_is_not_there_is_found() -> None:
    found_facts = facts(module(HtmlChart(name="CRT", file_name="crt.html")))
    assert "crt.html" in found(found_facts, FindingKind.MISSING_FILE)


def test_an_extension_is_not_accused_of_what_its_module_may_have() -> None:
    inside = slot("Tank", "a1b:1", "tank.png", uses("Unit"))
    element = ExtensionElement(
        target="VASSAL.build.module.PieceWindow:Pieces/VASSAL.build.widget.TabWidget:Blue",
        children=(inside,),
    )
    extension = ModuleExtension(
        module="Hill Fight", module_version="1.2", version="0.1", extension_id="a1b", children=(element,)
    )
    found_facts = facts(extension, {})
    assert found_facts.kind == "extension"
    assert found_facts.extends is not None
    assert found_facts.extends.name == "Hill Fight"
    assert [(one.what, one.target) for one in found_facts.adds] == [('PieceSlot "Tank"', "Blue")]
    assert not any(finding.serious for finding in found_facts.findings)
    assert set(found(found_facts, FindingKind.OUTSIDE)) == {"image tank.png", "prototype Unit"}
    assert [(part.name, part.count) for part in found_facts.palette] == [("Blue", 1)]


@pytest.mark.parametrize("everything", [False, True])
def test_the_report_is_short_unless_everything_is_wanted(everything: bool) -> None:
    many = [slot(f"Unit {number}", str(number + 1), f"unit{number}.png") for number in range(200)]
    lines = list(report(facts(module(palette(*many))), everything))
    text = "\n".join(lines)
    assert ("unit199.png" in text, "Unit 199" in text) == (everything, everything)
    assert ("--all" in lines[-1]) is not everything
    assert everything or len(lines) < 30


def test_nothing_in_a_name_reaches_the_terminal_as_a_code() -> None:
    root = attrs.evolve(module(Map(name="Evil\u202e\x9b31m")), name="A\x85B")
    text = "\n".join(report(facts(root), True))
    assert not {"\x85", "\x9b", "\u202e"} & set(text)
    assert "\\x85" in text


def test_a_picture_that_is_none_is_reported_where_its_board_needs_it() -> None:
    found_facts = facts(module(ridge()), {"images/ridge.png": picture()[:20]})
    assert found(found_facts, FindingKind.UNREADABLE_IMAGE)["ridge.png"].serious
    assert found_facts.maps[0].boards[0].size is None
