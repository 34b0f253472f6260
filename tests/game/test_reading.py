from __future__ import annotations

from tests.game.conftest import GameFolder
from vassalgen.game.art import Style
from vassalgen.game.game import Game
from vassalgen.game.maps import Box
from vassalgen.game.provenance import Provenance
from vassalgen.game.sequence import Turn
from vassalgen.game.values import Values


def test_hexes_are_of_the_terrain_whose_list_names_them(skirmish_game: Game) -> None:
    hexes = skirmish_game.map.hexes
    assert [hexes[name].terrain for name in ("0101", "0202", "0301")] == ["field", "wood", "lake"]
    assert [hexes[name].level for name in ("0101", "0202", "0203")] == [0, 1, 2]
    assert [hexes[name].country for name in ("0101", "0403")] == ["North", "South"]
    assert [name for name in hexes if hexes[name].coast] == ["0201"]
    assert "0404" not in hexes
    assert skirmish_game.map.terrain[skirmish_game.map.grid.index["0301"]] == "lake"
    assert skirmish_game.map.levels[skirmish_game.map.grid.index["0203"]] == 2


def test_hexsides_hold_several_features_with_and_without_names(skirmish_game: Game) -> None:
    side = skirmish_game.map.hexside("0202", "0102")
    assert side.hexes == ("0102", "0202")
    assert side.features == {"stream", "bridge"}
    assert side.names == {"stream": "Beck"}
    assert skirmish_game.map.hexside("0101", "0102").features == frozenset()


def test_features_and_roads_are_found_by_index_and_direction(skirmish_game: Game) -> None:
    map_ = skirmish_game.map
    at = map_.grid.index["0102"]
    direction = map_.grid.directions.index("NE")
    assert map_.features[at][direction] == {"stream", "bridge"}
    assert map_.road_kinds[at][direction] == {"road"}
    assert map_.roads_across("0202", "0102") == {"road"}
    assert map_.roads_across("0102", "0101") == frozenset()
    for index, name in enumerate(map_.grid.names):
        for number, other in enumerate(map_.grid.adjacent[index]):
            if other >= 0:
                there = map_.grid.names[other]
                assert map_.features[index][number] == map_.hexside(name, there).features
                assert map_.road_kinds[index][number] == map_.roads_across(there, name)


def test_zones_are_listed_or_described(skirmish_game: Game) -> None:
    zones = skirmish_game.map.zones
    assert zones["blue-base"].hexes == ("0101", "0102")
    assert zones["blue-base"].supplies == ("blue", "guard")
    assert zones["southland"].hexes == ("0303", "0304", "0401", "0403")
    assert zones["near-mill"].hexes == ("0101", "0102", "0201", "0302")
    assert zones["east-edge"].hexes == ("0401", "0402", "0403")
    assert skirmish_game.map.zones_of("0402") == ("red-base", "east-edge")


def test_a_zone_is_bounded_by_columns_and_rows(skirmish: GameFolder) -> None:
    skirmish.change("map.toml", 'edge = "east"', "columns = [2, 3]\nrows = [3, 4]")
    assert skirmish.game().map.zones["east-edge"].hexes == ("0203", "0204", "0303", "0304")


def test_one_counter_of_a_flag_stands_in_a_stack_for_nothing(skirmish: GameFolder) -> None:
    skirmish.change("game.toml", 'kinds = "foot horse"\nlimit = 2', 'kinds = "foot horse"\nlimit = 1')
    skirmish.change("scenarios/dusk.toml", 'zone = "southland"', 'at = "0403"')
    (problem,) = skirmish.problems()
    assert problem.endswith("r1, r2 in 0403 count 2 for stacking: expected at most 1")
    skirmish.change("game.toml", "limit = 1\n[[stacking]]", 'limit = 1\none_free = "mounted"\n[[stacking]]')
    assert skirmish.problems() == []


def test_places_boxes_roads_and_regions(skirmish_game: Game) -> None:
    map_ = skirmish_game.map
    assert map_.places["Mill"].offset == (0.2, -0.1)
    assert [place.name for place in map_.places_of("0403")] == ["Old Tower"]
    assert map_.boxes["losses"] == Box("losses", "Losses", "")
    assert map_.roads["high"].exits == {"0102": "west"}
    assert map_.roads["low"].title == "low"
    assert map_.regions == {"Long Wood": ("0202", "0203")}
    assert map_.scale == "a mile to the hex"


def test_counters_have_a_face_for_each_step(skirmish_game: Game) -> None:
    first, many = skirmish_game.counters["b1"], skirmish_game.counters["r1"]
    assert [face.factors for face in first.faces] == [
        {"attack": 4, "defence": 3, "speed": 4},
        {"attack": 2, "defence": 2, "speed": 4},
    ]
    assert [many.factor("attack", steps) for steps in (4, 3, 2, 1)] == [5, 4, 2, 1]
    assert many.pieces == 2


def test_a_roster_falls_by_one_with_each_step(skirmish_game: Game) -> None:
    lancers = skirmish_game.counters["r2"]
    assert lancers.steps == 3
    assert [lancers.factor("attack", steps) for steps in (3, 2, 1)] == [3, 2, 1]
    assert lancers.factor("speed", 1) == 8


def test_counters_carry_the_columns_of_their_game(skirmish_game: Game) -> None:
    assert skirmish_game.counters["b1"].extra.entries == {
        "mounted": False,
        "guns": 2,
        "traits": ("bold", "slow"),
        "home": "blue-base",
    }
    islanders = skirmish_game.counters["b2"]
    assert islanders.extra.number("weight") == 1.5
    assert islanders.extra.text("nickname") == 'The "Boots"'
    assert islanders.extra.text("relieves") == "b1"
    assert islanders.printed("defence") == "*"
    assert skirmish_game.counters["r2"].extra.flag("mounted") is True


def test_markers_come_in_numbers_and_weigh_nothing(skirmish_game: Game) -> None:
    marker = skirmish_game.counters["m-routed"]
    assert (marker.count, marker.stack, marker.side, marker.label) == (6, 0, "", "Routed")


def test_data_say_where_they_come_from(skirmish_game: Game) -> None:
    rulebook = Provenance.parse
    assert skirmish_game.map.provenance == rulebook("reconstruction")
    assert skirmish_game.map.zones["blue-base"].provenance == rulebook("rulebook 2")
    assert skirmish_game.map.zones["red-base"].provenance == rulebook("reconstruction")
    assert skirmish_game.counters["b1"].provenance == rulebook("rulebook 7")
    results = skirmish_game.tables["crt"].results
    assert results["E"].provenance == rulebook("rulebook 5")
    assert results["R"].provenance == rulebook("reconstruction")
    assert skirmish_game.values["supply"].provenance == rulebook("rulebook 6")


def test_what_a_table_holds_besides_is_the_games_own(skirmish_game: Game) -> None:
    assert skirmish_game.terrain["wood"].effects.integer("move") == 2
    assert skirmish_game.terrain["wood"].text == "Slow going, but good cover."
    assert skirmish_game.road_kinds["road"].effects.number("move") == 0.5
    assert skirmish_game.features["bridge"].opens == ("stream",)
    assert skirmish_game.values["supply"].values.integer("reach") == 3
    assert skirmish_game.turns[1] == Turn(2, "Noon", "", Values({"weather": "rain"}))
    assert skirmish_game.tables["crt"].modifiers == ("+1 for a charge",)


def test_a_scenario_takes_from_its_base_what_it_does_not_say(skirmish_game: Game) -> None:
    dawn, dusk = skirmish_game.scenarios["dawn"], skirmish_game.scenarios["dusk"]
    assert [turn.label for turn in dusk.turns] == ["Dawn", "Noon"]
    assert (dawn.first, dusk.first) == ("blue", "red")
    assert dusk.face_down
    assert dusk.victory_text == dawn.victory_text == "Whoever holds the mill."
    assert dusk.rules.group("ammunition").integer("blue") == 3
    assert dusk.stacking == dawn.stacking
    assert dusk.provenance == dawn.provenance
    assert [placement.counters for placement in dusk.setup] == [("r1", "r2"), ("b1", "b3")]
    assert (dusk.setup[0].at, dusk.setup[0].zone) == ("", "southland")


def test_a_scenario_without_arrivals_of_its_own_has_those_of_its_base(skirmish: GameFolder) -> None:
    skirmish.change("scenarios/dusk.toml", '[[arrival]]\nturn = 2\ncounters = "b2"\nentry = "0101"\n', "")
    skirmish.change("scenarios/dusk.toml", "last_turn = 2\n", "")
    skirmish.change("scenarios/dusk.toml", "r1 r2", "r1")
    game = skirmish.game()
    assert game.scenarios["dusk"].arrivals == game.scenarios["dawn"].arrivals


def test_arrivals_come_to_hexes_of_zones_or_to_a_box(skirmish_game: Game) -> None:
    first, second = skirmish_game.scenarios["dawn"].arrivals
    assert first.entry == ("0101", "0102", "0103")
    assert first.waiting == "blue-reserve"
    assert (second.entry, second.during) == (("losses",), "red")
    assert skirmish_game.scenarios["dawn"].counters == ("b1", "r1", "b3", "b2", "r2")


def test_texts_flow_and_keep_their_paragraphs(skirmish_game: Game) -> None:
    assert skirmish_game.clauses["move.1"].text == "A unit moves as far as its speed lets it.\n\nNo farther."


def test_help_pages_are_named_by_their_heading(skirmish_game: Game) -> None:
    assert skirmish_game.help["rules"].title == "How it goes"
    assert "Move, then fight." in skirmish_game.help["rules"].text


def test_the_looks_are_read(skirmish_game: Game) -> None:
    art = skirmish_game.art
    assert art.terrain["wood"] == Style(fill="#88aa66", pattern="woods")
    assert (art.board.across, art.board.counter) == (96, 96)
    assert art.faces["foot"].underline == "mounted"
    assert not art.faces["marker"].symbol
    assert art.symbols["horse"] == ("cavalry",)
    assert art.sizes["regiment"] == "III"


def test_a_game_is_named_by_its_folder_or_itself(skirmish: GameFolder) -> None:
    assert skirmish.game().id == "skirmish"
    skirmish.change("game.toml", 'title = "Skirmish"', 'title = "Skirmish"\nid = "small"')
    assert skirmish.game().id == "small"


def test_the_same_files_give_equal_games(skirmish: GameFolder, skirmish_game: Game) -> None:
    assert skirmish.game() == skirmish_game


def test_remarks_blank_lines_and_windows_files_are_read(skirmish: GameFolder, skirmish_game: Game) -> None:
    for file in ("counters.csv", "map.toml", "clauses.toml"):
        path = skirmish.path / file
        text = path.read_text(encoding="utf-8").replace("\n", "\r\n")
        path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    skirmish.add("counters.csv", "# no counter,,\r\n\r\n")
    assert skirmish.game() == skirmish_game
