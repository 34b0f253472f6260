"""What ``vassalgen check`` finds in rules.toml: unknown names, contradictions, effects that nothing reads."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from attrs import frozen

from vassalgen.game.commands import check_game
from vassalgen.new import STARTERS, WHOLE

CLUBS = Path(__file__).parents[1] / "clubs"


@frozen
class Changed:
    """A change to a file of the starter, and the one problem that it makes."""

    file: str
    old: str
    new: str
    problem: str


CHANGES = {
    "a misspelt effect of terrain": Changed(
        "tables.toml",
        'title = "Hills"\nmove = 2\ncolumns = -1',
        'title = "Hills"\nmove = 2\ncolumsn = -1',
        "tables.toml: terrain, hills, columsn: nothing reads 'columsn': did you mean 'columns'?",
    ),
    "a misspelt effect of hexsides": Changed(
        "tables.toml",
        'title = "River"\nmove',
        'title = "River"\nmvoe',
        "tables.toml: hexside, river, mvoe: nothing reads 'mvoe': did you mean 'move'?",
    ),
    "fewer than no hexes": Changed(
        "rules.toml",
        "length = 4",
        "length = -4",
        "rules.toml: supply, length: is -4: expected 0 or more",
    ),
    "an unknown clause": Changed(
        "rules.toml",
        'unit_once = "6.2"',
        'unit_once = "62"',
        "rules.toml: combat, attack, unit_once: there is no clause '62': did you mean '6.2'?",
    ),
    "an unknown factor": Changed(
        "rules.toml",
        'points = "mp"',
        'points = "pm"',
        "rules.toml: movement, move, points: there is no factor 'pm': expected one of attack, defence, mp",
    ),
    "a name for a statement that there is not": Changed(
        "rules.toml",
        'clock = "2.1"',
        'clock = "2.1"\ncalled = { atack = "storm" }',
        "rules.toml: called, atack: there is no statement 'atack': did you mean 'attack'?",
    ),
    "a name that is another statement": Changed(
        "rules.toml",
        'clock = "2.1"',
        'clock = "2.1"\ncalled = { retreat = "advance" }',
        "rules.toml: called, retreat: gives 'retreat' the name 'advance', which is another statement:"
        " choose another name",
    ),
    "a condition on counters that there are not": Changed(
        "rules.toml",
        'who = "not cavalry"',
        'who = "not cavalery"',
        "rules.toml: zoc, limits, through, who: there is no kind, side, nation, formation, flag, "
        "word, state or counter 'cavalery': did you mean 'cavalry'?",
    ),
    "a condition on hexes that there are not": Changed(
        "rules.toml",
        'into = "forest or marsh"',
        'into = "forest or mrash"',
        "rules.toml: bars, armour, into: there is no terrain, place, kind of place, zone, country or "
        "hex 'mrash': did you mean 'marsh'?",
    ),
    "a kind of movement without a phase": Changed(
        "rules.toml",
        'does = "enter move"',
        'does = "enter"',
        'rules.toml: movement, move: is not done in any phase: does = "move" in [sequence]',
    ),
    "a phase that the rules forget": Changed(
        "rules.toml",
        '[sequence.supply]\nclause = "2.2"\n',
        "",
        "rules.toml: sequence: has no entry for the phase supply: add [sequence.supply] with its clause and "
        "what it does, if anything",
    ),
    "a result code without a meaning": Changed(
        "rules.toml",
        '[results.crt.D1]\nclause = "7.6"\ndefender = { lose = 1, retreat = 1 }\n',
        "",
        "rules.toml: results: has no entry for D1 of crt: "
        "add [results.crt.D1] with its clause and what happens",
    ),
    "a meaning of a code that there is not": Changed(
        "rules.toml",
        "[results.crt.DE]",
        '[results.crt.AEE]\nclause = "7.7"\n[results.crt.DE]',
        "rules.toml: results, crt, AEE: crt has no result 'AEE': did you mean 'AE'?",
    ),
    "a modifier that no combat counts": Changed(
        "rules.toml",
        'river = "6.7"\n',
        "",
        "tables.toml: modifiers, river: is not used by any combat of rules.toml: add a line to "
        "[combat.NAME.modifiers] of rules.toml, with its clause",
    ),
    "a combat of another kind than its table": Changed(
        "rules.toml",
        'kind = "odds"',
        'kind = "differential"',
        "rules.toml: combat, attack, kind: is differential, but the columns of crt are 1:2, 1:1, 3:2: "
        "expected numbers or ranges such as 3-4",
    ),
    "a clause that no rule is about": Changed(
        "rules.toml",
        'below = "6.5"\n',
        "",
        "clauses.toml: 6.5, judged: is enforced, but no rule of rules.toml has this clause: "
        "write a rule for it; or judged = definition, if other clauses build on it; or advisory",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_mistake_in_the_rules_is_reported(tmp_path: Path, name: str) -> None:
    folder, change = tmp_path / "game", CHANGES[name]
    shutil.copytree(STARTERS / WHOLE, folder)
    path = folder / change.file
    text = path.read_text(encoding="utf-8")
    assert text.count(change.old) == 1, f"{change.old!r} is there {text.count(change.old)} times"
    path.write_text(text.replace(change.old, change.new), encoding="utf-8")
    reported = [str(problem).replace(f"{folder.as_posix()}/", "") for problem in check_game(folder).problems]
    found = [re.sub(r": line \d+,", ":", line) for line in reported]
    assert change.problem in found
    assert len(found) <= 2, "the clause that is left without a rule may be reported too"


@pytest.mark.parametrize(
    "club", sorted(path.name for path in CLUBS.iterdir() if (path / "game.toml").is_file())
)
def test_the_clubs_games_check_clean(club: str) -> None:
    assert [str(problem) for problem in check_game(CLUBS / club).problems] == []
