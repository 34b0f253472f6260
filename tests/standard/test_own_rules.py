"""A game by data with rules of its own in Python beside them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.judge import judge_record
from referee.record import parse
from vassalgen.commandline import UNREADABLE
from vassalgen.problems import BadInput

GAME = Path(__file__).parent / "divisions"
OWN = """
from referee.engine.rules import Section
from referee.engine.rulings import Breach

REPLACES = ("combat.attack.unit_once",)
rules = Section("Rules of our own")

@rules.on("attack", clause="7.2")
def guns_never_attack_alone(position, action):
    if action.pieces == ("bg",):
        return Breach("Guns may not attack alone.")
"""
CASE = """game {game}

case
at turn 1, Blue combat
set up
place bg b1 on 0501
place r2 on 0502
attack 0601 with {who}
roll combat 6
attack 0502 with {who}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(GAME, tmp_path / "divisions"))


def broken(folder: Path, who: str, *, trusted: bool = True) -> list[set[str]]:
    """The clauses that the two attacks and the roll break."""
    text = CASE.format(game=folder.name, who=who)
    record = parse(text, str(folder.parent / "x.record"), anywhere=trusted)
    judged = [one for _, statements in judge_record(record) for one in statements if one.ruling]
    return [{breach.clause for breach in one.ruling.breaches} for one in judged if one.ruling]


def test_a_rule_of_ones_own_is_added_and_one_replaced(folder: Path) -> None:
    assert broken(folder, "b1") == [set(), set(), {"7.2"}]
    (folder / "rules.py").write_text(OWN)
    assert broken(folder, "bg") == [{"7.2"}, set(), {"7.2"}]
    assert broken(folder, "b1") == [set(), set(), set()]


def test_a_record_alone_does_not_make_a_program_run(folder: Path, tmp_path: Path) -> None:
    (folder / "rules.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    with pytest.raises(BadInput, match=r"is a program.*--any-folder"):
        broken(folder, "b1", trusted=False)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1 / 0", "rules.py: line 1: fails: division by zero"),
        ("rules = 1", "rules: is not a Section"),
        ("REPLACES = ('zoc.limits.stopp',)", "there is no entry 'zoc.limits.stopp': did you mean 'stop'"),
        ("REPLACES = ('combat.attack.table',)", "'combat.attack.table' cannot be left out"),
    ],
)
def test_mistakes_in_it_are_reported(folder: Path, text: str, says: str) -> None:
    (folder / "rules.py").write_text(text)
    with pytest.raises(BadInput) as caught:
        broken(folder, "b1")
    assert says in str(caught.value)


def test_a_record_may_name_the_game_by_its_id_if_the_user_names_its_folder(
    folder: Path, tmp_path: Path
) -> None:
    record = tmp_path / "elsewhere" / "x.record"
    record.parent.mkdir()
    record.write_text("game divisions\nat turn 1, Blue movement\nset up\nmove b1 0301-0201 ! legal\n")
    alone = CliRunner().invoke(main, ["judge", str(record)])
    assert alone.exit_code == UNREADABLE
    named = CliRunner().invoke(main, ["judge", str(record), "--game", str(folder)])
    assert named.exit_code == 0, named.output


PHASES = """
[sequence]
order = "blue red"
[[sequence.opening]]
id = "first-movement"
title = "First movement"
[[sequence.opening]]
id = "second-movement"
title = "Second movement"
[turns]"""
SIDES = """
game divisions

case
set up
at turn 1, first-movement
move r1 0601-0701 ! legal
move r2 0606-0605 ! legal
move b1 0301-0201 ! illegal 3.3
next turn 1, second-movement
move b2 0301-0201 ! legal
move r1 0701-0801 ! illegal 3.3
next turn 2, first-movement
move b2 0201-0101 ! legal
"""


def test_the_example_that_remembers_who_was_first(folder: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "rules-as-data.md").read_text(encoding="utf-8")
    section = page.partition("## What needs Python\n")[2].partition("\n## ")[0]
    lines = [line[4:] for line in section.splitlines() if line.startswith("    ") or not line]
    (folder / "rules.py").write_text("\n".join(lines))
    game, rules = folder / "game.toml", folder / "rules.toml"
    said = re.sub(r"\n\[sequence\].*?\n\[turns\]", PHASES, game.read_text(), flags=re.DOTALL)
    game.write_text(said)
    entry = '[sequence.first-movement]\nclause = "3.3"\nby = "both"\ndoes = "move"\n'
    both = entry + entry.replace("first", "second") + "[stacking]"
    said = re.sub(r"\[sequence\.arrival\].*?\[stacking\]", both, rules.read_text(), flags=re.DOTALL)
    rules.write_text(said)
    record = parse(SIDES, str(folder.parent / "x.record"), anywhere=True)
    judged = [one for _, statements in judge_record(record) for one in statements if one.ruling]
    assert [(one.statement.line, one.ruling.breaches) for one in judged if one.ruling and one.failed] == []
