"""Sentences of games with trenches, activations and corps: each right and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.standard.test_sentences_of_rulebooks import CORPS, MEMBERS
from tests.standard.variants import HERE, not_met
from vassalgen.game.checking.families import family_problems
from vassalgen.game.finding import open_game

FAR = "place r1 r2 on 1008; place r3 ra on 1007"
VARIANTS = {
    "trenches are dug by infantry": (
        '[markers.trench]\nclause = "5.5"\nmarker = "m-mines"\nlaid = "movement"\nlaid_by = "infantry"\n'
        'laid_clause = "5.4"',
        """
        add m-mines on 0302 ! legal
        add m-mines on 0401 ! illegal 5.4
        add m-mines on 0201 ! illegal 5.4
        next ! legal
        add m-mines on 0302 ! illegal 5.4
        """,
        f"place b1 on 0302; place ba on 0201; {FAR}",
    ),
    "trenches fall to who enters": (
        '[markers.trench]\nclause = "5.5"\nmarker = "m-mines"\nremoved_by = "blue"\nremoved_clause = "5.3"',
        """
        move b1 0301-0302 ! legal
        next ! slip 5.3
        """,
        f"place b1 on 0301; place m-mines on 0302; {FAR}",
    ),
    "infantry does not attack armour": (
        '[bars.wary]\nclause = "5.5"\nwho = "infantry"\nagainst = "armour"\nto = "attack"',
        """
        next ! legal
        attack 0601 with ba ! legal
        call off ! legal
        attack 0601 with ba b1 ! illegal 5.5
        call off ! legal
        attack 0502 with b1 ! legal
        """,
        "place b1 ba on 0501; place ra r1 on 0601; place r2 on 0502; place r3 on 1008",
    ),
    "entrenchments do not count if armour attacks": (
        '[combat.attack.terms.dug]\nclause = "5.5"\nto = "columns"\nworth = -1\nattacker = "infantry"\n'
        'no_attacker = "armour"\nno_defender = "guns"',
        """
        next ! legal
        attack 0601 with b1 b2; odds 1:1 ! legal
        odds 2:1 ! slip 5.5
        call off ! legal
        attack 0601 with b1 ba; odds 3:1 ! legal
        """,
        "place b1 b2 on 0501; place ba on 0502; place r1 on 0601; place r2 r3 on 1008; place ra on 1007",
    ),
    "a lost unit comes back with the headquarters of its own corps": (
        '[replacements]\npoints = { blue = 5 }\nrebuild = "15.3"\nbeside = "guns and superior"\n'
        "beside_hexes = 1",
        """
        next turn 1, Blue rally
        regain b1 on 0301 ! legal
        regain b2 on 0301 ! illegal 15.3
        regain b3 on 0401 ! illegal 15.3
        """,
        f"place bg on 0201; place b1 b2 b3 in blue-lost; {FAR}",
    ),
    "headquarters come back for less": (
        '[replacements]\npoints = { blue = 3 }\nrebuild = "15.3"\nrebuild_costs = 3\n'
        "rebuild_costs_of = { guns = 1 }",
        """
        next turn 1, Blue rally
        regain bg on 0101 ! legal
        regain b1 on 0101 ! illegal 15.2
        """,
        f"place bg b1 in blue-lost; {FAR}",
    ),
    "armour alone has more points by road": (
        '[movement.move]\npoints = 1\nroad_bonus = 1\nroad_bonus_clause = "5.3"\nroad_bonus_who = "armour"',
        """
        move ba 0101-0201-0301-0401-0501 ! legal
        move b1 0101-0201-0301-0401 ! illegal 5.1
        """,
        f"place ba b1 on 0101; {FAR}",
    ),
    "how far units advance has a clause of its own": (
        '[advance]\nhexes = { armour = 2, others = 1 }\nhexes_clause = "15.1"',
        """
        next ! legal
        attack 0601 with b1 ba; roll combat 1; result DR; retreat r1 0601-0701-0801 ! legal
        advance b1 0501-0601-0602 ! illegal 15.1
        """,
        "place b1 ba on 0501; place r1 on 0601; place r2 r3 on 1008; place ra on 1007",
    ),
    "who is captured captures nobody": (
        '[captured]\nclause = "15.1"\nwho = "armour"',
        """
        move ba 0501-0601 ! illegal 5.4
        move b1 0501-0601 ! legal
        eliminate ra ! legal
        """,
        "place b1 ba on 0501; place ra on 0601; place r1 r2 r3 on 1008",
    ),
    "from zone to zone only to a friend": (
        '[zoc.limits.through]\nunless_whole_move = false\nunless_friend = "infantry"',
        """
        move b1 0302-0401 ! illegal 6.3
        move b2 0302-0303 ! legal
        """,
        "place b1 b2 on 0302; place b3 on 0303; place ba on 0108; place r1 on 0402; place r2 r3 ra on 1008",
    ),
    "a retreat goes on until there is room": (
        '[retreat]\nfurther = true\naway = "9.1"',
        """
        next ! legal
        attack 0601 with b1 ba; roll combat 1; result DR
        retreat r1 0601-0701-0801 ! illegal 9.5
        """,
        "place b1 ba on 0501; place r1 on 0601; place r2 r3 on 0801; place ra on 1007",
    ),
    "a retreat does not go on if there is room": (
        '[retreat]\nfurther = true\naway = "9.1"',
        """
        next ! legal
        attack 0601 with b1 ba; roll combat 1; result DR
        retreat r1 0601..0901 ! illegal 9.1
        """,
        "place b1 ba on 0501; place r1 on 0601; place r2 r3 on 1008; place ra on 1007",
    ),
    "a retreat that was dragged goes on through full hexes": (
        '[retreat]\nfurther = true\naway = "9.1"',
        """
        next ! legal
        attack 0601 with b1 ba; roll combat 1; result DR
        retreat r1 0601..0901 ! legal
        """,
        "place b1 ba on 0501; place r1 on 0601; place r2 r3 on 0801; place ra on 1007",
    ),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_sentence_is_judged(name: str, tmp_path: Path) -> None:
    rules, actions, places = VARIANTS[name]
    (tmp_path / "rules.toml").write_text(rules)
    (tmp_path / "game.toml").write_text(CORPS)
    (tmp_path / "counters.csv").write_text(MEMBERS)
    assert not_met(tmp_path, actions, places) == []


IDLE = {
    '[movement.move.allowances.rain]\nclause = "5.5"\nwho = "guns"': (
        "allowances, rain: changes nothing about the allowance: points, times or add"
    ),
    '[combat.attack.terms.luck]\nclause = "5.5"\nto = "die"\nattacker = "guns"': (
        "terms, luck: changes nothing about the battle: worth, factor, less or times"
    ),
    '[movement.move]\nmust_who = "guns"': "must_who: does nothing without must: must",
    '[retreat]\nhome = { blue = "west" }': "home: does nothing without toward: toward",
    '[bars.x]\nclause = "5.5"\nagainst = "guns"\nto = "move"': (
        'bars, x, against: is for attacks, and to names none: to = "attack"'
    ),
    '[withdrawals.x]\nclause = "5.5"\nwho = "guns"\nturn = 99\nphase = "rally"': (
        "withdrawals, x, turn: there is no turn 99: a turn from 1 to"
    ),
    "[sequence.rally]\nturns = [2, 40]": "sequence, rally, turns: there is no turn 40: a turn from 1 to",
    "[replacements]\nkeeps = 3": "keeps: does nothing without saves: saves",
    '[markers.x]\nclause = "5.5"\nmarker = "m-mines"\ndoes = 1\nside = "blue"': "does nothing without laid",
}


@pytest.mark.parametrize("rules", IDLE)
def test_a_key_that_does_nothing_is_reported(rules: str, tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(rules)
    (tmp_path / "counters.csv").write_text(MEMBERS)
    (tmp_path / "game.toml").write_text(CORPS)
    found = [str(problem) for problem in family_problems(open_game(HERE / "divisions", [tmp_path]))]
    assert any(IDLE[rules] in problem for problem in found), found
