"""Sentences of operational games with overruns, divisions that stay together, and results in two parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.standard.variants import HERE, not_met
from vassalgen.game.checking.families import family_problems
from vassalgen.game.finding import open_game

FAR = "place r2 r3 on 1008; place ra on 1007"
HALVES = (
    '[combat.attack.terms.half]\nclause = "7.5"\nto = "attack"\ntimes = "1/2"\n'
    '[combat.attack.terms.whole]\nclause = "7.2"\nto = "attack"\ntimes = 2\nattacker = "infantry"\n'
)
STEP_IN_A_WOOD = "[results.crt.DR]\ndefender = { retreat = 2, or_lose_each = 1, or_lose = 1, or_lose_in = "
GARRISON = '[garrisons.capital]\nclause = "5.5"\nwho = "blue and infantry"\nhexes = "0506"\nwhen = "movement"'
VARIANTS = {
    "halves are rounded unit by unit": (
        HALVES,
        """
        next ! legal
        attack 0601 with bg b3 ba; odds 3:1 attack 9 defence 3 ! legal
        """,
        f"place bg b3 on 0501; place ba on 0602; place r1 on 0601; {FAR}",
    ),
    "halves are added up, and the total is rounded": (
        '[combat.attack]\ntotals = "down"\n' + HALVES,
        """
        next ! legal
        attack 0601 with bg b3 ba; odds 2:1 attack 7 defence 3 ! legal
        odds 3:1 attack 9 defence 3 ! slip 7.1
        """,
        f"place bg b3 on 0501; place ba on 0602; place r1 on 0601; {FAR}",
    ),
    "units out of supply attack at half by a clause of its own": (
        '[states.unsupplied]\ncounts_clauses = { attack = "7.5" }',
        """
        move b2 0108-0107-0106-0105 ! illegal 11.4
        next ! legal
        attack 0601 with b1; odds 1:1 ! slip 7.5
        odds 1:2 ! legal
        """,
        f"place b1 on 0501 unsupplied; place b2 on 0108 unsupplied; place r1 on 0601; {FAR}",
    ),
    "armour loses first, by a clause of its own": (
        '[results.crt.A1]\nattacker = { lose = 1, first = "armour", first_clause = "7.2" }',
        """
        next ! legal
        attack 0601 with b3 ba; roll combat 1; lose b3 ! legal
        settle ! illegal 7.2
        """,
        f"place b3 ba on 0501; place r1 r2 on 0601; place r3 on 1008; {FAR[17:]}",
    ),
    "infantry attacks near a leader, in any number": (
        '[combat.attack.led.guns]\nclause = "5.5"\nwho = "infantry"\nby = "guns"\nhexes = 1',
        """
        next ! legal
        attack 0601 with b1 b2 ! legal
        call off ! legal
        attack 0601 with b3 ! illegal 5.5
        """,
        f"place b1 b2 on 0501; place bg on 0401; place b3 on 0701; place r1 on 0601; {FAR}",
    ),
    "a step for each hex": (
        STEP_IN_A_WOOD + '"wood" }',
        """
        next ! legal
        attack 0601 with b1 ba; roll combat 1; lose r1 ! legal
        settle ! illegal 9.1
        """,
        f"place b1 ba on 0501; place r1 on 0601; {FAR}",
    ),
    "in a town one step for all hexes": (
        STEP_IN_A_WOOD + '"0601" }',
        """
        next ! legal
        attack 0601 with b1 ba; roll combat 1; lose r1 ! legal
        settle ! legal
        """,
        f"place b1 ba on 0501; place r1 on 0601; {FAR}",
    ),
    "a step for a hex, and the other hex": (
        STEP_IN_A_WOOD + '"wood" }',
        """
        next ! legal
        attack 0601 with b1 ba; roll combat 1; lose r1; retreat r1 0601-0701 ! legal
        advance b1 0501-0601; settle ! legal
        """,
        f"place b1 ba on 0501; place r1 on 0601; {FAR}",
    ),
    "a garrison stays": (
        GARRISON,
        """
        move b1 0506-0406 ! legal
        move b3 0506-0507 ! legal
        next ! illegal 5.5
        """,
        f"place b1 b3 on 0506; place r1 on 0601; {FAR}",
    ),
    "one of two units stays": (
        GARRISON,
        """
        move b1 0506-0406 ! legal
        next ! legal
        """,
        f"place b1 b3 on 0506; place r1 on 0601; {FAR}",
    ),
    "another unit relieves the garrison": (
        GARRISON,
        """
        move b1 0506-0406 ! legal
        move b3 0406-0506 ! legal
        next ! legal
        """,
        f"place b1 on 0506; place b3 on 0406; place r1 on 0601; {FAR}",
    ),
    "two units come back in the game": (
        '[replacements]\npoints = { blue = 5 }\nrebuild = "15.3"\nhexes = "open"\nrebuild_most = 2\n'
        'rebuild_most_clause = "15.4"',
        """
        next turn 1, Blue rally ! legal
        regain b1 on 0101 ! legal
        regain b2 on 0102 ! legal
        regain b3 on 0103 ! illegal 15.4
        """,
        f"place b1 b2 b3 in blue-lost; place r1 on 0601; {FAR}",
    ),
    "two units are attacked at most": (
        '[combat.attack]\nagainst_most = 1\nagainst_most_clause = "5.5"',
        """
        next ! legal
        attack 0601 with b1 ! illegal 5.5
        call off ! legal
        attack 0502 with b1 ! legal
        """,
        "place b1 on 0501; place r1 r2 on 0601; place r3 on 0502; place ra on 1007",
    ),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_sentence_is_judged(name: str, tmp_path: Path) -> None:
    rules, actions, places = VARIANTS[name]
    (tmp_path / "rules.toml").write_text(rules)
    assert not_met(tmp_path, actions, places) == []


def test_one_unit_enters_in_a_hex_and_two_in_a_turn(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(
        '[reinforcements]\nmost = 2\nmost_clause = "15.3"\nhex_most = 1\nhex_most_clause = "15.4"\n'
    )
    (tmp_path / "scenarios").mkdir()
    base = next((HERE / "divisions" / "scenarios").glob("*.toml"))
    arrivals = (
        '[[arrival]]\nturn = 1\ncounters = "b1 b2 b3"\nentry = "0101 0102 0103"\nwaiting = "blue-pool"\n'
    )
    (tmp_path / "scenarios" / base.name).write_text(arrivals)
    actions = """
        at turn 1, Blue arrival
        enter b1 on 0101 ! legal
        enter b2 on 0101 ! illegal 15.4
        enter b3 on 0103 ! illegal 15.3
        """
    places = f"place b1 b2 b3 in blue-pool; place r1 on 0601; {FAR}"
    assert not_met(tmp_path, actions, places) == []


def problems(tmp_path: Path, rules: str, tables: str = "") -> str:
    (tmp_path / "rules.toml").write_text(rules)
    if tables:
        (tmp_path / "tables.toml").write_text(tables)
    return "\n".join(map(str, family_problems(open_game(HERE / "divisions", [tmp_path]))))


def test_cells_in_two_parts_need_to_say_whose_they_are(tmp_path: Path) -> None:
    rules = '[results.crt."#"]\nclause = "8.1"\nattacker = { lose = "#" }\ndefender = { retreat = "#" }\n'
    tables = (
        '[tables.crt]\ncolumns = ["1:1"]\nrows = ["1-3", "4-6"]\ncells = [["1/-"], ["-/1"]]\n'
        '[tables.crt.results."#"]\ntitle = "Steps or hexes"\n[tables.crt.results."-"]\ntitle = "Nothing"\n'
    )
    assert 'does not say whose the parts of "1/-" are' in problems(tmp_path, rules, tables)


def test_a_factor_that_a_state_does_not_change_is_reported(tmp_path: Path) -> None:
    found = problems(tmp_path, '[states.unsupplied]\ncounts_clauses = { defence = "7.5" }')
    assert "counts_clauses, defence: is a factor that the state does not change" in found
