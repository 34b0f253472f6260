"""A folder of corrections is laid over a game: the printed values over the reconstruction."""

from __future__ import annotations

import pytest

from tests.game.conftest import GameFolder
from vassalgen.game.game import Game
from vassalgen.game.provenance import PRINTED, Provenance
from vassalgen.problems import BadInput


def test_hexes_that_differ_are_changed_and_printed(skirmish: GameFolder, skirmish_game: Game) -> None:
    skirmish.correct("map.toml", '[terrain]\nwood = "0101"\nfield = "0203"\n[level]\n0 = "0203"\n')
    hexes = skirmish.game().map.hexes
    assert [hexes[name].terrain for name in ("0101", "0202", "0203")] == ["wood", "wood", "field"]
    assert hexes["0203"].level == 0
    assert hexes["0101"].provenance == hexes["0203"].provenance == PRINTED
    assert hexes["0202"] == skirmish_game.map.hexes["0202"]


def test_a_hexside_named_again_holds_only_what_is_said_then(skirmish: GameFolder) -> None:
    skirmish.correct(
        "map.toml", '[hexsides]\nstream = { Beck = "0201/0202" }\ncliff = "0202/0102"\nnone = "0203/0303"\n'
    )
    map_ = skirmish.game().map
    assert map_.hexside("0102", "0202").features == {"cliff"}
    assert map_.hexside("0102", "0202").provenance == PRINTED
    assert map_.hexside("0201", "0202").names == {"stream": "Beck"}
    assert map_.hexside("0203", "0303").features == frozenset()
    assert map_.hexside("0102", "0203").features == {"stream"}
    assert map_.hexside("0102", "0203").provenance.kind == "reconstruction"


def test_roads_zones_and_places_are_merged_by_their_id(skirmish: GameFolder, skirmish_game: Game) -> None:
    skirmish.correct(
        "map.toml",
        """
        [roads.low]
        path = "0104 0204"
        [roads.new]
        kind = "path"
        path = "0104 0103"
        [zones.blue-base]
        hexes = "0101"
        [places]
        Mill = { hex = "0201" }
        """,
    )
    map_ = skirmish.game().map
    assert map_.roads["low"].path == ("0104", "0204")
    assert map_.roads["low"].kind == "path"
    assert map_.roads["low"].provenance == map_.roads["new"].provenance == PRINTED
    assert map_.roads["high"] == skirmish_game.map.roads["high"]
    assert map_.zones["blue-base"].hexes == ("0101",)
    assert map_.zones["blue-base"].title == "Blue base"
    assert map_.zones["blue-base"].provenance == PRINTED
    assert map_.places["Mill"].hex == "0201"
    assert map_.places["Mill"].offset == (0.2, -0.1)


def test_a_zone_that_was_described_is_listed_and_the_other_way_round(skirmish: GameFolder) -> None:
    corrected = (
        '[zones.southland]\nhexes = "0401"\n[zones.red-base]\nedge = "south"\nsupply_by_road = false\n'
    )
    skirmish.correct("map.toml", corrected)
    zones = skirmish.game().map.zones
    assert zones["southland"].hexes == ("0401",)
    assert zones["red-base"].hexes == ("0104", "0204", "0304")


def test_cells_of_a_table_are_replaced(skirmish: GameFolder, skirmish_game: Game) -> None:
    cells = '[["E","E","E"],["E","E","E"],["-","R","R"],["1","1","1"],["*","1","1"]]'
    skirmish.correct("tables.toml", f"[tables.crt]\ncells = {cells}\n[terrain.wood]\nmove = 3\n")
    game = skirmish.game()
    assert game.tables["crt"].at("1:1", "4") == "R"
    assert game.tables["crt"].columns == skirmish_game.tables["crt"].columns
    assert game.tables["crt"].provenance == PRINTED
    assert game.tables["crt"].results["E"].provenance == Provenance("rulebook", "5")
    assert game.terrain["wood"].effects.integer("move") == 3
    assert game.terrain["wood"].text == skirmish_game.terrain["wood"].text
    assert game.terrain["wood"].provenance == PRINTED
    assert game.terrain["field"] == skirmish_game.terrain["field"]


def test_corrections_may_say_where_they_come_from(skirmish: GameFolder) -> None:
    skirmish.correct(
        "tables.toml",
        """
        provenance = "printed second edition"
        [terrain.wood]
        move = 3
        [terrain.field]
        move = 2
        provenance = "rulebook 4.4"
        """,
    )
    skirmish.correct("map.toml", 'provenance = "rulebook 9"\n[terrain]\nwood = "0101"\n')
    game = skirmish.game()
    assert str(game.terrain["wood"].provenance) == "printed second edition"
    assert str(game.terrain["field"].provenance) == "rulebook 4.4"
    assert str(game.terrain["lake"].provenance) == "rulebook 4"
    assert str(game.map.hexes["0101"].provenance) == "rulebook 9"
    assert game.map.provenance.kind == "reconstruction"


def test_counters_are_changed_cell_by_cell(skirmish: GameFolder, skirmish_game: Game) -> None:
    skirmish.correct("counters.csv", "id,attack,guns,note,provenance\nb1,6/3,,-,\nb2,,1,,rulebook 8\n")
    counters = skirmish.game().counters
    assert [counters["b1"].factor("attack", steps) for steps in (2, 1)] == [6, 3]
    assert counters["b1"].factor("defence") == 3
    assert counters["b1"].extra.integer("guns") == 2
    assert counters["b1"].provenance == PRINTED
    assert counters["b2"].extra.integer("guns") == 1
    assert counters["b2"].provenance == Provenance("rulebook", "8")
    assert counters["r1"] == skirmish_game.counters["r1"]


def test_a_cell_is_emptied_by_a_dash(skirmish: GameFolder) -> None:
    skirmish.correct("counters.csv", "id,guns,note\nb1,-,\nr1,,-\n")
    counters = skirmish.game().counters
    assert "guns" not in counters["b1"].extra
    assert counters["r1"].note == ""


def test_a_new_counter_comes_with_all_its_cells(skirmish: GameFolder) -> None:
    skirmish.correct("counters.csv", "id,kind,side,name,speed,symbol\nb4,leader,blue,The Aide,6,leader\n")
    skirmish.correct("scenarios/dawn.toml", '[[setup]]\nat = "0102"\ncounters = "b4"\n')
    skirmish.correct("scenarios/dusk.toml", 'absent = "b4"\n')
    game = skirmish.game()
    assert game.counters["b4"].provenance == PRINTED
    assert skirmish.problems() == []


def test_counters_placed_anew_leave_their_old_place(skirmish: GameFolder) -> None:
    skirmish.correct("scenarios/dawn.toml", '[[setup]]\nat = "0101"\ncounters = "b3 b2"\n')
    dawn = skirmish.game().scenarios["dawn"]
    assert [(placement.at, placement.counters) for placement in dawn.setup] == [
        ("0102", ("b1",)),
        ("0402", ("r1",)),
        ("0101", ("b3", "b2")),
    ]
    assert dawn.setup[-1].provenance == PRINTED
    assert [arrival.counters for arrival in dawn.arrivals] == [("r2",)]
    assert dawn.provenance == PRINTED


def test_readings_are_switched_and_clauses_reworded(skirmish: GameFolder) -> None:
    skirmish.correct("rulings.toml", '[wood-edge]\nadopted = "yes"\n')
    skirmish.correct("clauses.toml", '["move.2"]\ntext = "Woods cost three."\n')
    game = skirmish.game()
    assert game.adopted("wood-edge") == "yes"
    assert set(game.rulings["wood-edge"].readings) == {"no", "yes"}
    assert game.clauses["move.2"].text == "Woods cost three."
    assert game.clauses["move.2"].judged == "definition"


def test_help_looks_and_sides_can_be_corrected(skirmish: GameFolder) -> None:
    skirmish.correct("help/rules.md", "# Our way\n")
    skirmish.correct("art.toml", '[terrain]\nwood = { fill = "#000000" }\n')
    skirmish.correct("game.toml", '[sides]\nred = { title = "Crimsons" }\n')
    game = skirmish.game()
    assert game.help["rules"].title == "Our way"
    assert game.art.terrain["wood"].fill == "#000000"
    assert game.art.terrain["wood"].pattern == "woods"
    assert game.sides["red"].title == "Crimsons"


def test_a_scenario_can_be_added(skirmish: GameFolder) -> None:
    skirmish.correct("scenarios/night.toml", 'based_on = "dawn"\ntitle = "Night"\n')
    game = skirmish.game()
    assert list(game.scenarios) == ["dawn", "dusk", "night"]
    assert game.scenarios["night"].setup == game.scenarios["dawn"].setup


def test_a_scenario_may_do_without_counters_of_the_one_that_it_is_based_on(skirmish: GameFolder) -> None:
    usual = skirmish.game().scenarios["dawn"]
    gone = usual.setup[0].counters[0]
    skirmish.correct("scenarios/night.toml", f'based_on = "dawn"\ntitle = "Night"\nabsent = "{gone}"\n')
    night = skirmish.game().scenarios["night"]
    assert [*night.counters] == [name for name in usual.counters if name != gone]


def test_a_scenario_that_rests_on_a_corrected_one_follows_it(skirmish: GameFolder) -> None:
    skirmish.correct("scenarios/dawn.toml", "face_down = false\n[rules]\nammunition = { blue = 9 }\n")
    dusk = skirmish.game().scenarios["dusk"]
    assert not dusk.face_down
    assert dusk.rules.group("ammunition").integer("blue") == 9
    assert dusk.rules.group("ammunition").integer("red") == 2


MISTAKES = {
    "a hex off the map": (
        ("map.toml", '[terrain]\nwood = "0909"\n'),
        "+map.toml: line 2, terrain, wood: 0909 is not on the map: hexes are 0101 to 0403",
    ),
    "a default": (
        ("map.toml", '[terrain]\ndefault = "wood"\n'),
        "+map.toml: line 2, terrain, default: has no place in corrections: list the hexes that differ",
    ),
    "a hexside apart": (
        ("map.toml", '[hexsides]\nditch = "0102/0104"\n'),
        "+map.toml: line 2, hexsides, ditch: 0102 and 0104 are not neighbours: "
        "neighbours of 0102 are 0101, 0202, 0203, 0103",
    ),
    "a road that jumps": (
        ("map.toml", '[roads.low]\npath = "0104 0302"\n'),
        "+map.toml: line 2, roads, low, path: 0104 and 0302 are not neighbours: "
        "each hex of a road must be adjacent to the previous one",
    ),
    "an unknown key": (
        ("tables.toml", "[tables.crt]\ncels = []\n"),
        "+tables.toml: line 2, tables, crt, cels: a table has no 'cels': did you mean 'cells'?",
    ),
    "a hole in a table": (
        (
            "tables.toml",
            '\n[tables.crt]\ncells = [["E","E"],["E","E","E"],["-","R","R"],["1","1","1"],["*","1","1"]]\n',
        ),
        "+tables.toml: line 3, tables, crt, cells: row 1- has 2 cells: expected 3, one for each column",
    ),
    "a factor that is none": (
        ("counters.csv", "id,attack\nb1,many\n"),
        "+counters.csv: line 2, b1, attack: is 'many': expected a number",
    ),
    "a counter of nothing": (
        ("counters.csv", "id,side\nb1,green\n"),
        "+counters.csv: line 2, b1, side: there is no side 'green': expected one of blue, red",
    ),
    "a counter that there is not": (
        ("counters.csv", "id,attack\nb11,3\n"),
        "+counters.csv: line 2, b11: there is no counter 'b11' to correct: "
        "a new one has a kind (foot, horse, leader, marker); did you mean 'b1'?",
    ),
    "an unknown counter placed": (
        ("scenarios/dawn.toml", '[[setup]]\nat = "0101"\ncounters = "b7"\n'),
        "+scenarios/dawn.toml: line 1, setup, 1: there is no counter 'b7': "
        "expected one of b1, b2, b3, r1, r2, m-routed",
    ),
    "a reading that does not exist": (
        ("rulings.toml", '[wood-edge]\nadopted = "maybe"\n'),
        "+rulings.toml: line 2, wood-edge, adopted: there is no reading 'maybe': expected one of no, yes",
    ),
    "a provenance of no kind": (
        ("tables.toml", 'provenance = "sheet"\n[terrain.wood]\nmove = 3\n'),
        "+tables.toml: line 1, provenance: 'sheet' does not begin with "
        "'rulebook', 'printed' or 'reconstruction'",
    ),
    "a misspelt file": (
        ("table.toml", "[terrain.wood]\nmove = 3\n"),
        "+table.toml: is not a file of the game: did you mean 'tables.toml'?",
    ),
    "a file of something else": (
        ("scan.png", "?"),
        "+scan.png: is not a file of the game: "
        "expected one of art.toml, clauses.toml, counters.csv, game.toml, "
        "help/rules.md, map.toml, rules.toml, rulings.toml, scenarios/dawn.toml, scenarios/dusk.toml, "
        "tables.toml",
    ),
}


@pytest.mark.parametrize(("file", "reported"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_corrections_is_reported_in_their_file(
    skirmish: GameFolder, file: tuple[str, str], reported: str
) -> None:
    skirmish.correct(*file)
    assert reported in skirmish.problems()
    assert skirmish.check().exit_code == 1


def test_corrections_that_are_no_toml_cannot_be_read(skirmish: GameFolder) -> None:
    skirmish.correct("map.toml", "[terrain\n")
    assert skirmish.check().exit_code == 2
    assert skirmish.problems() == [
        "+map.toml: line 1, column 9: is not TOML here: expected ']' at the end of a table declaration"
    ]


def test_corrections_that_are_not_there_are_missed(skirmish: GameFolder) -> None:
    from vassalgen.game.finding import open_game

    with pytest.raises(
        BadInput, match=r"printed: there is no such folder: --data names a folder of corrections"
    ):
        open_game(skirmish.path, [skirmish.corrections])


def test_of_two_folders_the_later_counts(skirmish: GameFolder) -> None:
    from vassalgen.game.finding import open_game

    skirmish.correct("tables.toml", "[terrain.wood]\nmove = 3\n[terrain.field]\nmove = 4\n")
    house = skirmish.path.parent / "house"
    house.mkdir()
    (house / "tables.toml").write_text('provenance = "printed house rules"\n[terrain.wood]\nmove = 5\n')
    game = open_game(skirmish.path, [skirmish.corrections, house])
    assert game.terrain["wood"].effects.integer("move") == 5
    assert str(game.terrain["wood"].provenance) == "printed house rules"
    assert game.terrain["field"].effects.integer("move") == 4
    assert game.terrain["field"].provenance == PRINTED
