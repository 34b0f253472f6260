"""Which hex or box a spot is, with a module that may be another version than the log's."""

from __future__ import annotations

from referee.scribe.facts import NOWHERE
from referee.scribe.places import Places
from referee.table.events import Spot
from vassalgen.game.finding import open_game
from vassalgen.game.layout import Layout

GAME = open_game("postcard1943")
HEXES = [(Spot("Main Map", 155, 288, "B1"), "B1"), (Spot("Main Map", 155, 432, "C1"), "C1")]


def box(location: str) -> Spot:
    return Spot("Boxes", 100, 700, location)


def test_the_module_names_places() -> None:
    places = Places(GAME)
    places.parse_line(HEXES)
    assert places.at(box("Allied losses")) == "allied-lost"


def test_a_place_that_the_module_of_another_version_does_not_know_is_off_the_hexes() -> None:
    places = Places(GAME)
    places.parse_line(HEXES)
    assert places.at(box("somewhere between")) == NOWHERE


def test_a_module_that_contradicts_what_was_announced_is_not_believed() -> None:
    places = Places(GAME)
    places.parse_line([*HEXES, (box("Axis losses"), "Allied air units")])
    assert places.at(box("Axis losses")) == "allied-air"
    assert places.at(Spot("Boxes", 100, 900, "Axis losses")) == NOWHERE
    assert places.at(Spot("Main Map", 155, 576, "D1")) == "D1"


def test_the_set_up_shows_where_hexes_are_though_some_counters_have_moved() -> None:
    layout = Layout(GAME.map.grid, 144)
    centres = {name: layout.centre(name) for name in ("B1", "B2", "C1", "C2", "D1")}
    spots = {name: Spot("Main Map", round(x), round(y)) for name, (x, y) in centres.items()}
    moved = [(spots["B1"], "I6"), *((spot, name) for name, spot in spots.items() if name != "B1")]
    places = Places(GAME)
    places.parse_line([], [[(spots["B1"], "I6"), (spots["C1"], "A1")], moved])
    assert {name: places.at(spot) for name, spot in spots.items()} == {name: name for name in spots}
