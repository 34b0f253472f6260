"""The games that are shipped: without a problem, quick to read, true to what is known of them."""

from __future__ import annotations

import csv
import re
import time
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from vassalgen.game.commands import check_game
from vassalgen.game.finding import open_game, shipped_games
from vassalgen.game.game import Game
from vassalgen.game.maps import Hexside


@pytest.fixture(scope="module")
def postcard() -> Game:
    return open_game("postcard1943")


@pytest.mark.parametrize("name", shipped_games())
def test_a_shipped_game_has_no_problem(name: str) -> None:
    checked = check_game(name)
    assert [str(problem) for problem in checked.problems] == []
    assert checked.exit_code == 0


@pytest.mark.parametrize("name", shipped_games())
def test_a_shipped_game_is_read_in_a_tenth_of_a_second(name: str) -> None:
    def reading() -> float:
        start = time.process_time()
        open_game(name)
        return time.process_time() - start

    # a busy machine makes some of them slower
    assert any(reading() < 0.1 for _ in range(20))


@pytest.mark.parametrize("name", shipped_games())
def test_every_clause_that_is_judged_stands_in_a_section(name: str) -> None:
    game = open_game(name)
    assert {game.section(clause) for clause in game.clauses} == set(game.sections)
    assert all(len(ruling.readings) > 1 for ruling in game.rulings.values())
    for ruling in game.rulings.values():
        known = {reading.source for reading in ruling.readings.values()}
        assert ruling.reading.source == "our reading" or "our reading" not in known


def test_postcard_has_the_hexes_its_rules_name(postcard: Game) -> None:
    map_ = postcard.map
    assert [map_.places[name].hex for name in ("Tunis", "Bizerte", "Sfax")] == ["B5", "A4", "E6"]
    assert map_.hexes["B4"].terrain == "hill"
    assert "hill-all" in map_.hexside("E4", "F4").features
    assert map_.hexside("B1", "B2").features == {"hill-part", "border"}
    assert map_.hexside("G5", "H5").features == {"mareth-line"}
    assert map_.zones["entry-axis-alamein"].hexes == ("G5", "F5", "E6")
    assert {row for name in map_.zones["entry-allied-alamein"].hexes for row in name[0]} == {"H", "I"}
    assert map_.zones["supply-eighth-army"].supplies == ("eighth-army",)


def test_postcard_stacks_and_moves_by_size(postcard: Game) -> None:
    for counter in postcard.counters.values():
        if counter.kind == "unit":
            corps = counter.size == "corps"
            assert counter.factor("mf") == (3 if corps else 4)
            assert counter.stack == (0 if counter.id in ("tiger", "nih") else 2 if corps else 1)
    assert postcard.counters["nz"].extra.words("special") == ("infantry-in-defence",)
    assert postcard.counters["broich"].extra.words("special") == ("undisruptable",)
    assert postcard.nations["nz"].counts_as == "uk"


def test_postcard_sets_up_as_its_rules_say(postcard: Game) -> None:
    scenario = postcard.scenarios["campaign"]
    at = {name: placement for placement in scenario.setup for name in placement.counters}
    assert (at["blade"].at, at["hart"].at) == ("B1", "C1")
    assert {at[name].zone for name in ("pz10", "broich", "superga")} == {"entry-axis-north"}
    assert len(scenario.turns) == 7
    for turn in range(1, 8):
        for side in postcard.sides:
            north = [
                name
                for arrival in scenario.arrivals
                if arrival.turn == turn and arrival.waiting == f"{side}-north"
                for name in arrival.counters
            ]
            assert len(north) <= 2
            nations = {postcard.counters[name].nation for name in north}
            assert side == "axis" or turn > 3 or len(nations) == len(north)


def test_postcard_results_worsen_with_odds_and_die(postcard: Game) -> None:
    table = postcard.tables["crt"]
    order = ["AE", "AD", "BD", "D", "Dr", "DR", "DE"]
    cells = [[order.index(cell) for cell in row] for row in table.cells]
    assert all(row == sorted(row) for row in cells)
    assert all(list(column) == sorted(column, reverse=True) for column in zip(*cells, strict=True))
    assert table.at("1:1", 6) == "Dr"


def test_postcard_turns_as_its_rules_say(postcard: Game) -> None:
    assert [f"{stop.side} {stop.phase.id}".strip() for stop in postcard.sequence.stops()] == [
        "reinforcements",
        *("allied movement", "allied combat", "allied recovery"),
        *("axis movement", "axis combat", "axis recovery"),
        "end",
    ]


def test_postcard_is_what_its_dossier_holds(postcard: Game, shared: Path) -> None:
    games = shared / "games"
    data = tomllib.loads((games / "postcard1943.map.toml").read_text(encoding="utf-8"))
    assert {name: hex_.terrain for name, hex_ in postcard.map.hexes.items()} == {
        hex_["id"]: hex_["terrain"] for hex_ in data["hex"]
    }
    sides: dict[frozenset[str], set[str]] = {}
    for side in data["hexside"]:
        sides.setdefault(frozenset(side["between"]), set()).add(side["feature"].replace("_", "-"))
    assert {frozenset(side.hexes): set(side.features) for side in postcard.map.hexsides.values()} == sides
    roads = {tuple(road.path) for road in postcard.map.roads.values()}
    listed = {step for road in data["road"] for step in steps(road["path"])}
    assert {step for path in roads for step in steps(path)} == listed
    assert {place.name: place.hex for place in postcard.map.places.values()} == {
        place["name"]: place["hex"] for place in data["place"]
    }
    with (games / "postcard1943.units.csv").open(encoding="utf-8", newline="") as stream:
        rows = {row["id"]: row for row in csv.DictReader(stream)}
    assert set(rows) == set(postcard.counters)
    for name, row in rows.items():
        counter = postcard.counters[name]
        numbers = [str(counter.printed(factor) or "") for factor in ("attack", "defence", "mf")]
        assert numbers == [row["attack"], row["defence"], row["mf"]]
        assert (counter.side, counter.nation) == (row["side"], row["nation"])
    tables = tomllib.loads((games / "postcard1943.tables.toml").read_text(encoding="utf-8"))
    assert [list(row) for row in postcard.tables["crt"].cells] == tables["crt"]["cells"]


def steps(path: tuple[str, ...] | list[str]) -> list[frozenset[str]]:
    return [frozenset(step) for step in pairwise(path)]


def test_postcard_has_every_clause_of_the_catalogue(postcard: Game, shared: Path) -> None:
    data = tomllib.loads((shared / "rules" / "postcard1943.toml").read_text(encoding="utf-8"))
    assert {clause["id"]: clause["judged"] for clause in data["clause"]} == {
        clause.id: clause.judged for clause in postcard.clauses.values()
    }
    read = {name for ruling in postcard.rulings.values() for name in ruling.clauses}
    named_in_the_clause = {"terrain.5", "crt.8", "disrupt.4"}
    assert {clause["id"] for clause in data["clause"] if clause["reading"]} <= read | named_in_the_clause


@pytest.mark.parametrize("name", shipped_games())
def test_no_sentence_of_a_rulebook_stands_in_a_shipped_game(name: str, shared: Path) -> None:
    rulebook = words((shared / "rulebooks" / f"{name}.txt").read_text(encoding="utf-8", errors="replace"))
    length = 9
    runs = {tuple(rulebook[at : at + length]) for at in range(len(rulebook) - length)}
    for path in shipped_games()[name].rglob("*"):
        if path.suffix in (".toml", ".md", ".csv"):
            text = words(path.read_text(encoding="utf-8"))
            copied = [
                text[at : at + length] for at in range(len(text)) if tuple(text[at : at + length]) in runs
            ]
            assert not copied, path


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def test_a_hexside_without_anything_on_it_says_so(postcard: Game) -> None:
    assert postcard.map.hexside("I4", "I3") == Hexside(
        ("I3", "I4"), frozenset(), provenance=postcard.map.provenance
    )
