"""Tunisia 1943 is what its dossier and its catalogue of clauses hold."""

from __future__ import annotations

import csv
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from vassalgen.game.finding import open_game
from vassalgen.game.game import Game


@pytest.fixture(scope="module")
def game() -> Game:
    return open_game("tunisia1943")


def read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def test_the_map_is_that_of_the_dossier(game: Game, shared: Path) -> None:
    data = read(shared / "games" / "tunisia1943.map.toml")
    assert {name: hex_.terrain for name, hex_ in game.map.hexes.items()} == {
        hex_["id"]: hex_["terrain"] for hex_ in data["hex"]
    }
    sides: dict[frozenset[str], set[str]] = {}
    for side in data["hexside"]:
        sides.setdefault(frozenset(side["between"]), set()).add(side["feature"])
    assert {frozenset(side.hexes): set(side.features) for side in game.map.hexsides.values()} == sides
    listed = {frozenset(step) for road in data["road"] for step in pairwise(road["path"])}
    assert {frozenset(step) for road in game.map.roads.values() for step in pairwise(road.path)} == listed
    assert {place.name: place.hex for place in game.map.places.values()} == {
        place["name"]: place["hex"] for place in data["place"]
    }
    zones = {zone["code"]: set(zone["hexes"]) for zone in data["zone"]}
    land = {name for name in game.map.hexes if not game.terrain[game.map.hexes[name].terrain].closed}
    ours = {"west-main": "west-roads", "south": "south-edge", "axis-ports": "harbours", "tebessa": "tebessa"}
    for code, zone in {**ours, "front-south": "south-front"}.items():
        assert set(game.map.zones[zone].hexes) == zones[code] & land


def test_the_counters_are_those_of_the_dossier(game: Game, shared: Path) -> None:
    with (shared / "games" / "tunisia1943.units.csv").open(encoding="utf-8", newline="") as stream:
        rows = {row["id"]: row for row in csv.DictReader(stream) if not row["id"].startswith("m-")}
    assert set(rows) == {name for name, one in game.counters.items() if one.kind in ("unit", "em")}
    for name, row in rows.items():
        counter = game.counters[name]
        assert counter.side == row["side"]
        assert game.nations[counter.nation].counts_as == row["nation"]
        if counter.kind == "em":
            assert str(counter.printed("artillery")) == row["art"]
            continue
        factors = ("attack", "defence", "movement", "cohesion")
        faces = ["-".join(str(face.factors[factor]) for factor in factors) for face in counter.faces]
        assert faces == [row[step] for step in ("s1", "s2", "s3", "s4") if row[step]]
        assert (counter.extra.flag("armour"), counter.pieces) == (row["armor"] == "1", int(row["counters"]))


def test_an_em_is_as_fast_as_the_fastest_unit_of_its_division(game: Game) -> None:
    for em in (one for one in game.counters.values() if one.kind == "em"):
        units = [one for one in game.counters.values() if one.formation == em.formation and one is not em]
        assert em.factor("movement") == max(unit.factor("movement") for unit in units)


def test_the_combat_table_is_that_of_the_dossier(game: Game, shared: Path) -> None:
    crt = read(shared / "games" / "tunisia1943.tables.toml")["crt"]
    table = game.tables["crt"]
    assert (list(table.columns), list(table.rows)) == (crt["columns"], crt["rolls"])
    assert [list(row) for row in table.cells] == crt["cells"]


@pytest.mark.parametrize("number", [1, 2])
def test_the_campaigns_are_those_of_the_dossier(game: Game, shared: Path, number: int) -> None:
    data = read(shared / "games" / f"tunisia1943.scenario-campaign{number}.toml")
    scenario = game.scenarios[f"campaign{number}"]
    at = {name: one.at for one in scenario.setup for name in one.counters}
    setup = {name: entry["hex"] for entry in data["setup"]["hex"] for name in entry["units"]}
    assert {name: where for name, where in at.items() if not name.startswith("garrison")} == setup
    arrivals = {name: (one.turn, one.during, one.entry) for one in scenario.arrivals for name in one.counters}
    assert arrivals == {
        name: (entry["turn"], entry["side"], (entry["hex"],))
        for entry in data["reinforcements"]["arrival"]
        for name in entry["units"]
    }
    assert (scenario.first, len(scenario.turns)) == (data["scenario"]["attacker"], data["scenario"]["turns"])
    for turn in scenario.turns:
        (air,) = [one for one in data["support"]["aviation"] if turn.number in one["turns"]]
        assert {side: turn.values.group("air").integer(side) for side in game.sides} == {
            side: air[side] for side in game.sides
        }


def test_every_clause_of_the_catalogue_is_there_and_every_reading_a_ruling(game: Game, shared: Path) -> None:
    clauses = read(shared / "rules" / "tunisia1943.toml")["clause"]
    judged = {one["id"]: one["judged"] for one in clauses}
    judged["G.4"] = "enforced"  # the garrison has a counter in the module, which can be dragged
    assert judged == {one.id: one.judged for one in game.clauses.values()}
    read_so = {name for ruling in game.rulings.values() for name in ruling.clauses}
    named_in_the_clause = {"7.3d", "11a", "G.5"}
    assert {one["id"] for one in clauses if one["reading"]} <= read_so | named_in_the_clause
