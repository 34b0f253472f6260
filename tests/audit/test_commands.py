"""The commands audit, record, moves and odds."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.engine.idiom import Idiom
from referee.versions import rules_version
from tests.scribe.playing import Playing
from vassalgen.compile import compile_game
from vassalgen.game.finding import open_game
from vassalgen.vassal.metadata import ModuleData
from vassalgen.vassal.savedgame import SavedGame

HERE = Path(__file__).resolve().parents[1] / "data" / "postcard1943"
BREACHES, CLEAN, SAVE = (str(HERE / name) for name in ("breaches.vlog", "clean.vlog", "clean.vsav"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_audit_ends_with_1_where_somebody_broke_a_rule() -> None:
    result = run("audit", BREACHES)
    assert result.exit_code == 1
    assert "illegal seq.2" in result.output


def test_audit_ends_with_0_where_nobody_did() -> None:
    assert run("audit", CLEAN).exit_code == 0


def test_audit_ends_with_2_for_what_is_no_log(tmp_path: Path) -> None:
    (tmp_path / "no.vlog").write_text("no log", encoding="utf-8")
    result = run("audit", str(tmp_path / "no.vlog"))
    assert result.exit_code == 2
    assert result.exception is None or isinstance(result.exception, SystemExit)


def test_a_log_of_a_module_that_nobody_knows_wants_the_game_named(tmp_path: Path) -> None:
    text = Playing().move("blade", "C3").log().stream.encode()
    other = tmp_path / "other.vlog"
    SavedGame.new(text, moduledata=ModuleData(name="Chess", version="1")).write(other)
    result = run("audit", str(other))
    assert result.exit_code == 2
    assert "made with the module 'Chess'" in result.output
    assert "name the game with --game" in result.output
    assert run("audit", str(other), "--game", "postcard1943").exit_code == 0


def test_audit_writes_json_and_a_record_that_judge_reads(tmp_path: Path) -> None:
    plain, record = tmp_path / "found.json", tmp_path / "game.record"
    run("audit", BREACHES, "--json", str(plain), "--record", str(record))
    assert json.loads(plain.read_text(encoding="utf-8"))["summary"]["illegal"] == 18
    judged = run("judge", str(record))
    assert judged.exit_code == 0
    assert "illegal crt.2" in judged.output


def test_the_json_says_what_its_verdicts_rest_on(tmp_path: Path) -> None:
    plain, module = tmp_path / "found.json", tmp_path / "postcard1943.vmod"
    compile_game(open_game("postcard1943")).write(module)
    run("audit", BREACHES, "--json", str(plain), "--module", str(module), "--ruling", "even-chance=high")
    output = json.loads(plain.read_text(encoding="utf-8"))
    assert output["logs"][0]["sha256"] == hashlib.sha256(Path(BREACHES).read_bytes()).hexdigest()
    basis = output["basis"]
    assert basis["rules"] == rules_version("postcard1943") != rules_version("vitoria1813")
    assert basis["module"]["sha256"] == hashlib.sha256(module.read_bytes()).hexdigest()
    assert basis["rulings"]["even-chance"] == "high"
    assert basis["options"]["rulings"] == {"even-chance": "high"}


def test_a_file_that_cannot_be_written_is_named_and_nothing_else_printed(tmp_path: Path) -> None:
    gone = tmp_path / "gone" / "found.json"
    result = run("audit", BREACHES, "--json", str(gone))
    assert result.exit_code == 2
    assert result.output == f"{gone}: cannot be written: No such file or directory\n"


def test_a_record_carries_the_readings_that_were_chosen(tmp_path: Path) -> None:
    target = tmp_path / "clean.record"
    run("record", CLEAN, "-o", str(target), "--ruling", "even-chance=high")
    assert target.read_text(encoding="utf-8").splitlines()[1] == "adopt even-chance high"
    assert run("judge", str(target)).exit_code == 0


def test_record_is_written_to_a_file_or_printed(tmp_path: Path) -> None:
    output = run("record", CLEAN)
    assert output.output.startswith("game postcard1943 scenario")
    target = tmp_path / "clean.record"
    assert run("record", CLEAN, "-o", str(target)).exit_code == 0
    assert target.read_text(encoding="utf-8") == output.output


def test_a_ruling_can_be_read_otherwise() -> None:
    result = run("audit", BREACHES, "--ruling", "nations-at-first=turn-2")
    assert result.exit_code == 1
    wrong = run("audit", BREACHES, "--ruling", "nations-at-first=never")
    assert wrong.exit_code == 2
    assert "has no reading 'never'" in wrong.output
    assert run("audit", BREACHES, "--ruling", "nonsense").exit_code == 2


def test_moves_shows_where_a_unit_may_go_at_what_cost_and_what_stops_it() -> None:
    result = run("moves", SAVE, "--unit", "10th Panzer Division")
    assert result.exit_code == 0
    assert "10th Panzer Division [pz10] in C3; turn 3, end" in result.output
    assert "move pz10 C3-B4-B5-A4: 1.5 of 4 MF" in result.output
    assert "not C2: 10th Panzer Division may not enter C2: " in result.output


def test_moves_of_a_name_that_two_counters_have_asks_which() -> None:
    result = run("moves", SAVE, "--unit", "1st Division")
    assert result.exit_code == 2
    assert "us1, uk1" in result.output


def test_odds_shows_the_column_and_where_it_comes_from() -> None:
    result = run("odds", SAVE, "--attack", "D3", "--with", "pz10,broich")
    assert result.exit_code == 0
    assert "+1 hills [terrain.1]" in result.output
    assert "final column 3:1" in result.output


def test_odds_of_units_that_are_not_there_or_hexes_that_are_not() -> None:
    assert run("odds", SAVE, "--attack", "Z9", "--with", "pz10").exit_code == 2
    assert run("odds", SAVE, "--attack", "D3", "--with", "nih").exit_code == 2


def test_a_log_of_another_game_is_refused_and_nobody_accused() -> None:
    skirmish = HERE.parent / "skirmish" / "skirmish.vlog"
    result = run("audit", str(skirmish), "--game", "postcard1943")
    assert result.exit_code == 2
    assert "the log has no counter of Postcard Tunisia 1943" in result.output


def test_a_log_whose_moves_nobody_reads_accuses_nobody_and_can_be_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("referee.audit.find_idiom", lambda game: Idiom())
    log = CLEAN
    found = run("audit", log)
    assert found.exit_code == 2
    assert "cannot be audited" in found.output
    assert run("page", log, "-o", str(tmp_path / "story.html")).exit_code == 0


@pytest.mark.parametrize("words", [("audit", BREACHES), ("judge", "RECORD")])
def test_json_on_standard_output_replaces_the_text(tmp_path: Path, words: tuple[str, ...]) -> None:
    record, file = tmp_path / "game.record", tmp_path / "found.json"
    run("record", BREACHES, "-o", str(record))
    words = tuple(str(record) if word == "RECORD" else word for word in words)
    text, both = run(*words), run(*words, "--json", str(file))
    alone = run(*words, "--json", "-")
    assert both.stdout == text.stdout
    assert json.loads(alone.stdout) == json.loads(file.read_text(encoding="utf-8"))
    assert alone.exit_code == text.exit_code


@pytest.mark.parametrize("option", ["--page", "--record"])
def test_pages_and_records_can_go_to_standard_output(option: str) -> None:
    alone = run("audit", CLEAN, option, "-")
    assert alone.stdout.startswith("<!doctype html>" if option == "--page" else "game postcard1943 scenario")
    assert "Findings:" not in alone.stdout


def test_a_picture_goes_to_standard_output() -> None:
    assert run("shot", CLEAN, "--step", "0", "-o", "-").stdout_bytes.startswith(b"\x89PNG")
