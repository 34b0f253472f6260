"""Several markers of a kind in a set-up: each is a piece of its own."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from tools.proof.logs.opening import opening_of
from vassalgen import announcements
from vassalgen.game.checking import check
from vassalgen.game.finding import open_game
from vassalgen.vassal.commands import AddPiece

ORSA = Path(__file__).parents[1] / "clubs" / "orsa"
FORTS = '\n[[setup]]\nat = "{}"\ncounters = "m-fort"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Orsa with two forts."""
    copytree(ORSA, tmp_path / "orsa")
    scenario = next((tmp_path / "orsa" / "scenarios").glob("*.toml"))
    scenario.write_text(scenario.read_text() + FORTS.format("0302") + FORTS.format("0304"))
    rules = tmp_path / "orsa" / "rules.toml"
    rules.write_text(f'{rules.read_text()}\n[markers.fort]\nclause = "4.1"\nmarker = "m-fort"\ndoes = 1\n')
    art = tmp_path / "orsa" / "art.toml"
    style = '[markers]\nm-fort = { fill = "#ffffff", ink = "#000000", text = "F" }\n'
    art.write_text(art.read_text().replace("[markers]\n", style, 1))
    return tmp_path / "orsa"


def with_forts(folder: Path, count: str) -> None:
    """Add so many forts to the counters."""
    counters = folder / "counters.csv"
    columns = counters.read_text().splitlines()[0].split(",")
    fort = {"id": "m-fort", "kind": "marker", "name": "Fort", "count": count}
    counters.write_text(counters.read_text() + ",".join(fort.get(one, "") for one in columns) + "\n")


def test_each_marker_of_a_kind_is_a_piece_of_its_own(folder: Path) -> None:
    with_forts(folder, "2")
    assert [str(one) for one in check(open_game(folder))] == []
    opening = opening_of(str(folder))
    added = [one.id for one in opening.commands if isinstance(one, AddPiece)]
    forts = [id_ for id_, piece in opening.pieces if piece.marker(announcements.CID) == "m-fort"]
    assert len(forts) == 2
    assert len(added) == len(set(added))


def test_no_more_markers_are_set_up_than_there_are(folder: Path) -> None:
    with_forts(folder, "")
    (problem,) = [str(one) for one in check(open_game(folder))]
    assert problem.endswith("m-fort is set up more often than there are such: count = 2 in counters.csv")
