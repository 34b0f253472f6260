"""What is hidden from the other player is in no output of any command while the game continues."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.report.as_json import report_json
from referee.report.visibility import REFEREE, Viewer
from tests.scribe.playing import Playing
from vassalgen import announcements
from vassalgen.vassal.commands import AddPiece, AddPlayer, ChangePiece
from vassalgen.vassal.pieces import Piece
from vassalgen.vassal.savedgame import SavedGame
from vassalgen.vassal.traits.basic_piece import BasicPiece, BasicPieceState
from vassalgen.vassal.traits.dynamic_property import DynamicProperty, DynamicPropertyState
from vassalgen.vassal.traits.hideable import Hideable, HideableState
from vassalgen.vassal.traits.labeler import Labeler, LabelerState
from vassalgen.vassal.traits.marker import Marker, MarkerState
from vassalgen.vassal.traits.obscurable import Obscurable, ObscurableState

PLANTED = ("Quagga", "Okapi", "Numbat", "Tenrec", "Dugong", "Potoroo")
"""Words that occur nowhere else: names, labels, values and markers of pieces that are hidden."""


def secret(id_: str, cloak: bool, x: int, value: str = "Tenrec") -> Piece:
    """A piece that is hidden, or masked, and betrays itself wherever it can."""
    owner = "secret-ada"
    mask = (Hideable(), HideableState(owner=owner)) if cloak else (
        Obscurable(image="mask.png"), ObscurableState(owner=owner)
    )  # fmt: skip
    return Piece.of(
        mask,
        (Labeler(text="Okapi"), LabelerState(label="Numbat")),
        (DynamicProperty(name="Species"), DynamicPropertyState(value=value)),
        (Marker(names=("Kind",)), MarkerState(items=("Dugong",))),
        (BasicPiece(name="Quagga"), BasicPieceState(map="Main Map", x=x, y=72)),
    )


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A game in which Blade Force is hidden, and pieces with planted words are hidden and masked."""
    playing = Playing({"blade": "B1", "hart": "C1", "pz10": "B4"}, stop="Allied Movement", cloaks=["blade"])
    playing.setup.insert(2, AddPlayer(password="secret-ben", name="Ben", side="Axis"))
    for id_, cloak, x in (("s1", True, 72), ("s2", False, 216)):
        type_, state = secret(id_, cloak, x).encode()
        playing.setup.insert(3, AddPiece(id=id_, type=type_, state=state))
    playing.hide("blade").move("blade", "H6").move("hart", "C2")
    for id_, cloak, x in (("s1", True, 144), ("s2", False, 300)):
        old, new = (secret(id_, cloak, x, value).encode()[1] for value in ("Tenrec", "Potoroo"))
        playing._step([ChangePiece(id=id_, new_state=new, old_state=old)])
    path = tmp_path / "game.vlog"
    SavedGame.new(playing.log().stream.encode()).write(path)
    return path


GAME = ["--game", "postcard1943"]
COMMANDS = [
    ["replay"],
    ["replay", "--step", "0"],
    ["replay", "--step", "5"],
    ["replay", "--jsonl"],
    ["replay", "--jsonl", "--delta"],
    ["replay", "--as", "Ben"],
    ["audit", *GAME, "--json", "OUT", "--record", "OUT2", "--page", "OUT3"],
    ["record", *GAME],
    ["page", *GAME, "-o", "OUT"],
    ["moves", *GAME],
    ["moves", *GAME, "--unit", "hart"],
    ["moves", *GAME, "--unit", "H6"],
    ["odds", *GAME, "--attack", "B4", "--with", "hart"],
]


def outputs(words: list[str], log: Path) -> str:
    """Everything that a command writes."""
    files = [log.with_name(f"{word}.txt") for word in words if word.startswith("OUT")]
    words = [str(log.with_name(f"{word}.txt")) if word.startswith("OUT") else word for word in words]
    result = CliRunner().invoke(main, [words[0], str(log), *words[1:]])
    assert result.exit_code in (0, 1, 2)
    assert "internal error" not in result.stderr
    written = (path.read_text(encoding="utf-8") for path in files if path.exists())
    return "\n".join([result.stdout, result.stderr, *written])


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_planted_words_are_in_no_output(words: list[str], log: Path) -> None:
    shown = outputs(words, log)
    assert [word for word in PLANTED if word in shown] == []


def test_who_may_see_them_does(log: Path) -> None:
    assert "Potoroo" in outputs(["replay", "--jsonl", "--as", "Ada"], log)
    assert "Quagga" in outputs(["audit", *GAME, "--reveal"], log)


@pytest.mark.parametrize("words", [["record", *GAME], ["audit", *GAME, "--record", "OUT"]], ids=" ".join)
def test_a_record_names_no_hidden_unit(words: list[str], log: Path) -> None:
    record = outputs(words, log)
    assert "H6" not in record
    assert "move blade" not in record
    assert "move hart" in record
    assert "withheld until the game is over" in record
    assert "move blade" in outputs([*words, "--reveal"], log)
    assert "move blade" in outputs([*words, "--as", "Ada"], log)
    assert "move blade" not in outputs([*words, "--as", "Ben"], log)


def test_a_record_without_the_hidden_units_carries_the_rulings_that_were_chosen(log: Path) -> None:
    record = outputs(["record", *GAME, "--ruling", "even-chance=high"], log)
    assert "adopt even-chance high" in record
    assert "withheld until the game is over" in record


def test_one_who_never_took_a_seat_is_shown_who_did(log: Path) -> None:
    assert "no player 'Zoe' in these logs: the players are Ada, Ben" in outputs(
        ["record", *GAME, "--as", "Zoe"], log
    )


def test_moves_and_odds_leave_hidden_units_out_and_say_so(log: Path) -> None:
    hidden = outputs(["moves", *GAME, "--unit", "blade"], log)
    assert "off the map" in hidden
    assert "Hidden units are left out" in hidden
    assert "H6" in outputs(["moves", *GAME, "--unit", "blade", "--reveal"], log)


def fight() -> Playing:
    """An attack on a face-down unit; the odds are announced wrongly, and no unit is named."""
    playing = Playing({"blade": "B1", "superga": "B2"}, stop="Allied Combat", masks=["superga"])
    playing.hide("superga").attack(1, "B2", "blade")
    return playing.resolve(1, 9, 1, "9:1", 3, "DR")


def test_what_names_nobody_but_depends_on_a_hidden_unit_is_withheld() -> None:
    report = fight().audited()
    whole, shown = report_json(report, REFEREE), report_json(report)
    assert whole["findings"]
    assert shown["findings"] == []
    assert shown["battles"] == []
    assert shown["withheld"] == len(whole["findings"])
    assert "9:1" not in json.dumps([shown["readings"], shown["unread"]])
    assert report_json(report, Viewer("Ada"))["findings"] == []


def test_what_a_hidden_unit_does_to_others_is_withheld_and_what_it_does_not_is_reported() -> None:
    playing = Playing({"blade": "B1", "hart": "C1", "pz10": "C3"}, stop="Allied Movement", cloaks=["pz10"])
    report = playing.hide("pz10").move("hart", "I6").audited()
    assert len(report.findings) >= 1
    shown = report_json(report)
    assert {"C3", "pz10"} & set(
        json.dumps([shown["findings"], shown["unread"]]).replace('"', " ").split()
    ) == set()
    playing = Playing({"blade": "B1", "hart": "C1", "pz10": "A4"}, stop="Allied Movement", cloaks=["pz10"])
    report = playing.hide("pz10").move("hart", "I6").audited()
    assert [one["units"] for one in report_json(report)["findings"]] == [["hart"]]


def test_dates_and_states_of_hidden_units_do_not_show_in_steps() -> None:
    playing = Playing({"blade": "B1", "pz10": "B4"}, stop="Allied Movement", cloaks=["pz10"])
    playing.hide("pz10")._step([playing._change("pz10", **{announcements.state_property("disrupted"): "1"})])
    shown = json.dumps(report_json(playing.audited())["steps"][2])
    assert "disrupted" not in shown
