"""Modules that clubs made by hand: the map that is proposed, and audits of games played with them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner
from PIL import Image

from referee.audit import Report, audit
from referee.cli import main
from referee.engine.rulings import Grade
from referee.mapping.art import ModuleArt, artwork_of
from referee.mapping.modulemap import MappedModule, Meaning, ModuleMap, read_map
from referee.mapping.proposing import Proposal, propose
from referee.mapping.survey import survey
from referee.mapping.writing import write_map
from referee.record import write
from referee.report.pictures import pictures
from referee.report.timeline import Timeline
from referee.report.unusual import ADDED, OUT_OF_TURN, REMOVED, unusual
from referee.table import read_log, read_module
from tests.agreement import both_verdicts
from vassalgen.game.finding import open_game
from vassalgen.vassal.limits import Limits

CLUBS = Path(__file__).resolve().parents[1] / "data" / "clubs"
NAMES = ("northgate", "harbour", "sfax")
GAME = "postcard1943"
EXPECTED = tomllib.loads((CLUBS / "expected.toml").read_text(encoding="utf-8"))["breaches"]


@cache
def proposed(club: str) -> Proposal:
    return propose(open_game(GAME), survey(CLUBS / f"{club}.vmod"))


def settled(club: str) -> ModuleMap:
    """The map as a member of the club has settled it."""
    return read_map(CLUBS / f"{club}.map.toml")


@cache
def audited(club: str, game: str) -> Report:
    module = MappedModule.of(read_module(CLUBS / f"{club}.vmod"), settled(club))
    report = audit([read_log(CLUBS / f"{club}-{game}.vlog")], open_game(GAME), module)
    assert not report.unjudged
    return report


def test_names_with_codes_of_terminals_and_ends_of_lines_are_written_as_what_they_are() -> None:
    name = 'Post\u202ecard \x7f\x85 "Tunisia" \\\ngame = "evil"'
    text = write_map(evolve(proposed("harbour"), module=name))
    assert tomllib.loads(text)["module"] == name
    assert tomllib.loads(text)["game"] == GAME
    assert all(letter.isprintable() or letter == "\n" for letter in text)


@pytest.mark.parametrize("club", NAMES)
def test_nine_of_ten_pieces_are_proposed_right_and_none_wrong(club: str) -> None:
    right = settled(club).counters
    lines = proposed(club).counters
    sure = [line for line in lines if line.is_sure]
    assert all(Meaning.read(line.value).ids == right[line.key].ids for line in sure)
    assert len(sure) >= 0.9 * len(right)
    for line in lines:
        assert line.is_sure or right[line.key].ids[0] in line.value.split()


@pytest.mark.parametrize("club", NAMES)
def test_every_hex_is_where_the_module_has_it(club: str) -> None:
    hexes, plan = proposed(club).hexes, read_module(CLUBS / f"{club}.vmod")
    assert hexes is not None
    assert hexes.is_sure
    facts = plan.map(hexes.map)
    assert facts is not None
    for name, (column, row) in zip(*_grid(), strict=True):
        spot = facts.plan.centre(_called(club, name, column, row))
        assert spot is not None
        assert hexes.laid.hex_at(*spot) == name


def _called(club: str, name: str, column: int, row: int) -> str:
    """What a club calls a hex of the game."""
    return {"northgate": name, "harbour": f"{column:02}{row:02}", "sfax": f"{'ABCDEF'[column - 1]}{row}"}[
        club
    ]


def _grid() -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
    grid = open_game(GAME).map.grid
    return grid.names, grid.places


@pytest.mark.parametrize("club", NAMES)
def test_boxes_phases_dice_and_sides_are_proposed_right(club: str) -> None:
    found, right = proposed(club), settled(club)
    for lines, known in ((found.places, right.places), (found.dice, right.dice)):
        for line in lines:
            assert set(known[line.key].ids) <= set(line.value.split())
    assert {line.key: line.value for line in found.phases} == right.phases
    assert {line.key: line.value for line in found.sides} == right.sides


@pytest.mark.parametrize("game", ["clean", "careless"])
@pytest.mark.parametrize("club", NAMES)
def test_nobody_is_accused_who_played_by_the_rules(club: str, game: str) -> None:
    report = audited(club, game)
    assert report.count(Grade.illegal) == report.count(Grade.unproven) == 0
    assert sum(one.ruling is not None for one in report.readings) > 25


@pytest.mark.parametrize("club", NAMES)
def test_of_fifteen_breaches_twelve_are_found_and_nothing_else_is_illegal(club: str) -> None:
    findings = audited(club, "breaches").findings
    found = {(one.steps[-1], one.clause) for one in findings if one.grade >= Grade.unproven}
    illegal = {(one.steps[-1], one.clause) for one in findings if one.grade is Grade.illegal}
    expected = {(one["steps"][NAMES.index(club)], one["clause"]) for one in EXPECTED if one["clause"]}
    assert illegal <= expected <= found
    assert len(illegal) >= 7
    assert len(EXPECTED) == 15
    assert len(expected) == 12


@pytest.mark.parametrize("club", NAMES)
def test_judging_the_record_gives_the_rulings_of_the_audit(club: str) -> None:
    read, judged = both_verdicts(audited(club, "breaches"))
    assert judged == read


def test_a_battle_is_read_from_who_is_next_to_whom_and_what_followed() -> None:
    lines = write(audited("northgate", "clean").record)
    assert "attack C3 with pz10 broich battle 100" in lines
    assert "retreat blade C3..C2 battle 100" in lines
    assert "disrupt blade battle 100" in lines


def test_a_piece_that_nobody_has_settled_makes_everything_unproven(tmp_path: Path) -> None:
    file = tmp_path / "open.map.toml"
    text = (CLUBS / "northgate.map.toml").read_text(encoding="utf-8")
    file.write_text(
        text.replace('"Blade Force" = "blade"', '"Blade Force" = "? blade hart"'), encoding="utf-8"
    )
    module = MappedModule.of(read_module(CLUBS / "northgate.vmod"), read_map(file))
    report = audit([read_log(CLUBS / "northgate-breaches.vlog")], open_game(GAME), module)
    assert report.count(Grade.illegal) == 0
    assert report.count(Grade.unproven) > 5


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, list(words))
    return result.exit_code, result.output


def test_the_command_writes_a_map_that_its_check_reads(tmp_path: Path) -> None:
    file = tmp_path / "club.map.toml"
    code, text = run("map", str(CLUBS / "northgate.vmod"), "--game", GAME, "-o", str(file))
    assert code == 0
    assert "39 of 41 pieces are sure" in text
    code, text = run("map", str(CLUBS / "northgate.vmod"), "--check", str(file))
    assert code == 1
    assert "1st Inf. Div [a09_us]" in text
    code, text = run("map", str(CLUBS / "northgate.vmod"), "--check", str(CLUBS / "northgate.map.toml"))
    assert code == 0
    assert "in a stack, which unit is Disrupted" in text


def test_a_map_of_another_version_is_kept_where_it_fits() -> None:
    code, text = run("map", str(CLUBS / "northgate.vmod"), "--like", str(CLUBS / "northgate.map.toml"))
    assert code == 0
    assert '"1st Inf. Div [a09_us]" = "us1"' in text


def test_hexes_that_were_measured_by_hand_are_kept_for_another_version() -> None:
    seen = evolve(survey(CLUBS / "northgate.vmod"), pieces=(), hexes=(), points={})
    assert propose(open_game(GAME), seen).hexes is None
    found = propose(open_game(GAME), seen, settled("northgate")).hexes
    assert found is not None
    assert found.laid.hex_at(150, 112) == "A1"
    assert found.laid.hex_at(566, 928) == "I6"


def test_the_map_in_a_folder_that_is_of_the_logs_module_is_used_with_the_module_beside_it() -> None:
    code, text = run("audit", str(CLUBS / "harbour-breaches.vlog"), "--map", str(CLUBS))
    assert code == 1
    assert "Postcard Tunisia 1943" in text


@pytest.mark.parametrize("command", ["record", "page", "shot", "moves"])
def test_other_commands_read_through_the_map(command: str, tmp_path: Path) -> None:
    words = [command, str(CLUBS / "northgate-clean.vlog"), "--map", str(CLUBS)]
    if command != "moves":
        words += ["-o", str(tmp_path / "out")]
    code, text = run(*words)
    assert code == 0, text


def test_odds_are_those_of_the_units_in_the_last_position() -> None:
    log = str(CLUBS / "sfax-clean.vlog")
    code, text = run("odds", log, "--map", str(CLUBS), "--attack", "C2", "--with", "pz10")
    assert code == 0
    assert "+4 10th Panzer Division" in text
    assert "+4 XIX Corps" in text
    assert "column 1:2" in text


def test_a_watched_folder_has_pages_of_the_games_of_a_club(tmp_path: Path) -> None:
    (tmp_path / "game.vlog").write_bytes((CLUBS / "sfax-breaches.vlog").read_bytes())
    code, text = run("watch", str(tmp_path), "--once", "--map", str(CLUBS))
    assert code == 1
    assert "1 slip, 7 unproven, 7 illegal" in text
    assert (tmp_path / "game.html").exists()


def test_a_counter_replaced_by_its_other_side_is_not_added_and_one_player_alone_is_named_once() -> None:
    report = audited("sfax", "clean")
    timeline = Timeline.of(report.world.game, report.world.calendar, report.logged_facts)
    found = unusual(timeline, frozenset())
    assert not {ADDED, REMOVED} & {one["kind"] for one in found}
    out_of_turn = [one["text"] for one in found if one["kind"] == OUT_OF_TURN]
    assert "Cleo (Allies) played alone, and moved for both sides" in out_of_turn
    assert len(out_of_turn) < 4


def test_a_replay_shows_the_names_of_the_game() -> None:
    code, text = run("replay", str(CLUBS / "harbour-clean.vlog"), "--map", str(CLUBS))
    assert code == 0
    assert "Blade Force moved from B1 to B2 (Map)" in text
    assert "78th Division moved from Allied reinforcements, north (Off Map) to C1 (Map)" in text


def test_a_replay_shows_a_counter_that_is_replaced_by_its_other_side_in_one_line() -> None:
    code, text = run("replay", str(CLUBS / "sfax-clean.vlog"), "--map", str(CLUBS))
    assert code == 0
    assert "15 Cleo: Blade Force was replaced by its other side at C2 (Tunisia)" in text
    assert "appeared" not in text


def test_a_map_with_a_wrong_word_says_where_and_what_is_meant(tmp_path: Path) -> None:
    file = tmp_path / "wrong.map.toml"
    text = (CLUBS / "harbour.map.toml").read_text(encoding="utf-8")
    file.write_text(text.replace('"UK Hart 1-4" = "hart"', '"UK Hart 1-4" = "hrat"'), encoding="utf-8")
    code, text = run(
        "audit",
        str(CLUBS / "harbour-clean.vlog"),
        "--map",
        str(file),
        "--module",
        str(CLUBS / "harbour.vmod"),
    )
    assert code == 2
    assert "'hrat' is not in the game" in text
    assert "hart" in text


def test_without_phases_on_the_turn_track_nothing_is_proved(tmp_path: Path) -> None:
    file = tmp_path / "plain.map.toml"
    head, _, rest = (CLUBS / "northgate.map.toml").read_text(encoding="utf-8").partition("[phases]")
    file.write_text(head + rest[rest.index("[dice]") :], encoding="utf-8")
    module = MappedModule.of(read_module(CLUBS / "northgate.vmod"), read_map(file))
    for game in ("clean", "breaches"):
        report = audit([read_log(CLUBS / f"northgate-{game}.vlog")], open_game(GAME), module)
        assert report.count(Grade.illegal) == 0


@pytest.mark.parametrize("club", NAMES)
def test_a_page_shows_the_board_and_counters_of_the_module(club: str) -> None:
    file = CLUBS / f"{club}.vmod"
    module, game = MappedModule.of(read_module(file), settled(club), file), open_game(GAME)
    artwork = artwork_of(module, game, Limits())
    assert isinstance(artwork, ModuleArt)
    board = {"northgate": "Board", "harbour": "Map", "sfax": "Tunisia"}[club]
    plan = module.map(board)
    assert plan is not None
    for name, (column, row) in zip(*_grid(), strict=True):
        spot = plan.plan.centre(_called(club, name, column, row))
        assert artwork.centre(name) == pytest.approx(spot, abs=2)
    assert artwork.ground(1).size == artwork.size
    found = artwork.face(game.counters["pz10"], 1)
    assert isinstance(found, Image.Image)
    assert found.size == (48, 48)
    told, symbols = pictures(game, {"pz10": {None}, "blade": {None}}, artwork)
    assert symbols.count("<image") == 2
    assert len(told["image"]) + len(symbols) < 200_000


def test_a_map_may_have_pages_drawn_from_the_games_data(tmp_path: Path) -> None:
    file = tmp_path / "drawn.map.toml"
    text = (CLUBS / "harbour.map.toml").read_text(encoding="utf-8")
    file.write_text('pictures = "drawn"\n' + text, encoding="utf-8")
    module = CLUBS / "harbour.vmod"
    mapped = MappedModule.of(read_module(module), read_map(file), module)
    assert artwork_of(mapped, open_game(GAME), Limits()) is None
