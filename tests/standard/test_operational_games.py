"""Sentences of operational games: the small game with each of them, right and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.record.words import chosen_word
from tests.standard.variants import HERE, not_met
from vassalgen.game.checking.families import family_problems
from vassalgen.game.finding import open_game

COUNTERS = "id,kind,name,count\nm-mines,marker,Entrenchment,4\n"
WAGONS = (
    '[sequence.movement]\ndoes = "move carry"\n'
    '[movement.carry]\nclause = "5.4"\nwho = "guns"\npoints = "mp"\ncarried_by = "armour"\n'
    'carried_clause = "15.4"'
)
VARIANTS = {
    "mud has a clause of its own": (
        '[movement.move]\nseason_clause = "5.5"',
        """
        next turn 2, Blue movement
        move b3 0406-0407-0408 ! legal
        move b1 0301-0302-0402-0401 ! illegal 5.5
        move b2 0301-0302-0402-0401-0302-0301 ! illegal 5.1
        """,
        "",
    ),
    "attacks come from two hexes at most": (
        '[combat.attack]\nfrom_most = 2\nfrom_most_clause = "7.2"',
        """
        next ! legal
        attack 0601 with b1 b2 b3 ! legal
        call off ! legal
        attack 0601 with b1 b3 ba ! illegal 7.2
        """,
        "place b1 b2 on 0501; place b3 on 0502; place ba on 0602; place r2 r3 on 1008; place ra on 1007",
    ),
    "who enters takes the marker off": (
        '[markers.trench]\nclause = "5.5"\nmarker = "m-mines"\nremoved_by = "blue"',
        """
        add m-mines on 0302
        add m-mines on 0402
        move b1 0301-0302 ! legal
        move b2 0301-0302-0402 ! legal
        remove m-mines from 0402
        next ! slip 5.5
        next ! legal
        """,
        "",
    ),
    "few points are kept for the next turn": (
        '[stores.shells]\nclause = "5.5"\npoints = { blue = 2 }\nkeeps = 1\ncosts = { attack = 4 }',
        """
        next turn 2, Blue combat
        attack 0601 with b1 ! illegal 5.5
        """,
        "place b1 on 0501",
    ),
    "enough points are kept for the next turn": (
        '[stores.shells]\nclause = "5.5"\npoints = { blue = 2 }\nkeeps = 2\ncosts = { attack = 4 }',
        """
        next turn 2, Blue combat
        attack 0601 with b1 ! legal
        """,
        "place b1 on 0501",
    ),
    "few replacements are kept": (
        "[replacements]\npoints = { blue = 1 }\nsaves = true\nkeeps = 1",
        """
        next turn 4, Blue rally
        regain b1 ! legal
        regain b2 ! legal
        regain b3 ! illegal 15.2
        """,
        "place b1 b2 on 0201 steps 1; place b3 on 0202 steps 1",
    ),
    "a lost unit costs more": (
        '[replacements]\npoints = { blue = 2 }\nrebuild = "15.3"\nrebuild_costs = 2',
        """
        next turn 1, Blue rally
        regain b1 ! legal
        regain b2 on 0101 ! illegal 15.2
        """,
        "place b1 on 0201 steps 1; place b2 in blue-lost",
    ),
    "a unit is not withdrawn in contact": (
        '[withdrawals.guards]\nclause = "12.1"\nwho = "armour"\nturn = 1\nphase = "movement"\n'
        'not_in_zoc = "12.2"',
        "put away ba ! illegal 12.2",
        "place ba on 0501",
    ),
    "supply from guns or from armour": (
        '[supply]\nlength = 1\nthrough = "guns"\nonly_through = true\n'
        '[supply.lines.guns]\nclause = "11.3"\nwho = "guns"\nlength = 5\n'
        '[supply.lines.armour]\nclause = "11.3"\nwho = "infantry"\nlength = 2\nsources = "armour"\n'
        "zones = false\nbesides = true",
        """
        mark unsupplied b1 ! illegal 11.1
        mark unsupplied b2 ! illegal 11.1
        clear unsupplied b3 ! illegal 11.1
        """,
        "place bg on 0201; place b1 on 0301; place ba on 0406; place b2 on 0408; place b3 on 0104;"
        " place r1 r2 r3 ra on 1008",
    ),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_sentence_is_judged(name: str, tmp_path: Path) -> None:
    rules, actions, places = VARIANTS[name]
    (tmp_path / "rules.toml").write_text(rules)
    (tmp_path / "counters.csv").write_text(COUNTERS)
    assert not_met(tmp_path, actions, places) == []


def test_a_unit_without_points_has_those_of_its_carrier(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(WAGONS)
    (tmp_path / "game.toml").write_text('[kinds.guns]\nfactors = ["attack", "defence"]\n')
    (tmp_path / "counters.csv").write_text("id,mp\nbg,-\n")
    actions = """
        carry bg 0102-0202-0302-0402 ! legal
        move ba 0102-0202-0302-0402 ! legal
    """
    places = "place bg ba on 0102; place r1 r2 r3 ra on 1008"
    assert not_met(tmp_path, actions, places) == []
    assert not_met(tmp_path, "carry bg 0102-0202-0302-0402-0502-0503-0504-0604 ! illegal 5.4", places) == []


def test_markers_are_on_the_map_when_the_scenario_begins(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(
        '[markers.trench]\nclause = "5.5"\nmarker = "m-mines"\ndoes = 2\nlaid = "combat"\n'
    )
    (tmp_path / "counters.csv").write_text(COUNTERS)
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "meeting.toml").write_text('[[setup]]\ncounters = "m-mines"\nat = "0302"\n')
    actions = """
        move b1 0301-0302-0402-0401 ! illegal 5.5
        add m-mines on 0402 ! illegal 5.5
    """
    assert not_met(tmp_path, actions, "") == []


def test_a_result_is_written_as_in_the_table() -> None:
    assert chosen_word(open_game(HERE / "divisions"), "RESULT", "D1/DR") == "D1/DR"


def test_numbers_for_both_sides_need_to_say_whose_they_are(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(
        '[results.crt."#"]\nclause = "8.1"\nattacker = { lose = "#" }\ndefender = { lose = "#" }\n'
    )
    (tmp_path / "tables.toml").write_text(
        '[tables.crt]\ncolumns = ["1:1"]\nrows = ["1-6"]\ncells = [["1/2"]]\n'
        '[tables.crt.results."#"]\ntitle = "Steps"\n'
    )
    found = [str(problem) for problem in family_problems(open_game(HERE / "divisions", [tmp_path]))]
    assert any('does not say whose the parts of "1/2" are' in problem for problem in found), found
