"""Rules of landing games: whom a result concerns, blown bridges, divisions, drops, advances."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.standard.variants import not_met

MARKED = "id,kind,name,count\nm-blown,marker,Blown bridge,2\n"
BLOWN = '[markers.blown]\nclause = "5.5"\nmarker = "m-blown"\ncloses = "bridge"'
REPAIRED = f'{BLOWN}\nlifted = "movement"\nlifted_by = "guns"\nlifted_clause = "15.4"'
IN_WOODS = """
[words.in-woods]
who = "infantry"
within = "wood"
[results.crt]
D1.defender = [{ lose = "all", each = true, who = "in-woods" }, { lose = 1, who = "not in-woods" }]
"""
SHAKEN = """
[results.crt]
D1.defender = [{ state = "shaken", who = "not shaken" }, { lose = 1, each = true, who = "shaken" }]
"""
DIVISION = """
[combat.attack.terms.division]
clause = "7.5"
to = "columns"
worth = 1
attacker = "infantry"
also_attacker = "infantry and comrade"
also_count = 2
"""
DIVISIONS = '[formations]\nfirst = { title = "First", side = "blue" }\n'
DROP = """
[words.moved]
did = "move"
[checks.drop]
clause = "15.4"
dice = "drop"
need = 4
who = "blue and infantry and moved"
must = "movement"
failed = { lose = 1 }
"""
DROP_DICE = (
    '[dice]\ndrop = { title = "Drop die" }\n'
    '[declarations.drop]\ntitle = "Drop"\nkinds = "infantry"\nabout = "counter"\nby = "owner"\n'
    'dice = "drop"\n'
)
VARIANTS = {
    "a garrison that is lost in a wood was in the wood": (
        IN_WOODS,
        """
        next ! legal
        attack 0404 with b1 b2 ba ! legal
        odds 3:1 ! legal
        roll combat 2 ! legal
        eliminate r1 ! legal
        settle ! legal or illegal 10.3
        """,
        "place b1 b2 on 0304; place ba on 0403; place r1 on 0404; place r3 r2 on 1008; place ra on 1007",
    ),
    "a unit that a result shakes was not shaken before": (
        SHAKEN,
        """
        next ! legal
        attack 0501 with b1 b2 ! legal
        odds 2:1 ! legal
        roll combat 5 ! legal
        mark shaken r1 ! legal
        settle ! legal
        """,
        "place b1 b2 on 0401; place r1 on 0501; place r3 r2 on 1008; place ra on 1007; place bg on 0105",
    ),
    "a unit that was shaken before loses a step": (
        SHAKEN,
        """
        next ! legal
        attack 0501 with b1 b2 ! legal
        odds 2:1 ! legal
        roll combat 5 ! legal
        settle ! illegal 8.6
        """,
        "place b1 b2 on 0401; place r1 on 0501 shaken; place r3 r2 on 1008; place ra on 1007;"
        " place bg on 0105",
    ),
    "three regiments of a division attack from three hexes": (
        DIVISION,
        """
        next ! legal
        attack 0501 with b1 b2 b3 ! legal
        odds 4:1 ! legal
        call off ! legal
        attack 0501 with b1 b2 ! legal
        odds 3:1 ! slip
        odds 2:1 ! legal
        """,
        "place b1 on 0401; place b2 on 0601; place b3 on 0502; place r1 on 0501; place r3 r2 on 1008;"
        " place ra on 1007; place bg ba on 0105",
    ),
    "units that drop roll for it in the same phase": (
        DROP,
        "move b1 0301-0401 ! legal\nroll drop 3 for b1 ! legal\nnext ! legal",
        "place bg on 0105",
    ),
    "a unit that dropped and does not roll": (
        DROP,
        "move b1 0301-0401 ! legal\nnext ! illegal 15.4",
        "place bg on 0105",
    ),
    "a unit that dropped badly loses a step": (
        DROP,
        "move b1 0301-0401 ! legal\nroll drop 5 for b1 ! legal\nlose b1 ! legal\nnext ! legal",
        "place bg on 0105",
    ),
    "a unit that dropped badly and loses no step": (
        DROP,
        "move b1 0301-0401 ! legal\nroll drop 5 for b1 ! legal\nnext ! illegal 15.4",
        "place bg on 0105",
    ),
    "no zone of control over a blown bridge": (
        BLOWN,
        "move ba 0804-0805-0806 ! legal",
        "place ba on 0804; place r1 on 0905; place m-blown on 0805; place ra r2 on 1001; place r3 on 1002",
    ),
    "a zone of control over a bridge": (
        BLOWN,
        "move ba 0804-0805-0806 ! illegal 6.2 6.3 or illegal 6.3 or illegal 6.2",
        "place ba on 0804; place r1 on 0905; place ra r2 on 1001; place r3 on 1002",
    ),
    "a blown bridge is a river in battle": (
        BLOWN,
        """
        next ! legal
        attack 0905 with ba ! legal
        odds 2:1 ! slip
        odds 1:1 ! legal
        """,
        "place ba on 0805; place r1 on 0905; place m-blown on 0805; place ra r2 on 1001; place r3 on 1002",
    ),
    "a bridge is no river in battle": (
        BLOWN,
        "next ! legal\nattack 0905 with ba ! legal\nodds 2:1 ! legal",
        "place ba on 0805; place r1 on 0905; place ra r2 on 1001; place r3 on 1002",
    ),
    "guns repair a bridge": (
        REPAIRED,
        "remove m-blown from 0805 ! legal\nnext ! legal",
        "place bg on 0805; place m-blown on 0805",
    ),
    "nobody is there who could repair a bridge": (
        REPAIRED,
        "remove m-blown from 0805 ! legal\nnext ! illegal 15.4",
        "place b1 on 0805; place m-blown on 0805",
    ),
    "a bridge is repaired in its phase": (
        REPAIRED,
        "next ! legal\nremove m-blown from 0805 ! legal\nnext ! illegal 15.4",
        "place bg on 0805; place m-blown on 0805; place ba on 0105",
    ),
    "a marker taken off by mistake is put back": (
        REPAIRED,
        "remove m-blown from 0805 ! legal\nadd m-blown on 0805 ! legal\nnext ! legal",
        "place b1 on 0805; place m-blown on 0805",
    ),
    "armour need not advance into mountains": (
        "[bars.mountains]\nexcept_by_road = false",
        """
        next ! legal
        attack 0704 with ba ! legal
        roll combat 6 ! legal
        retreat r3 0704-0803-0903 ! legal
        settle ! legal
        """,
        "place ba on 0603; place r3 on 0704; place ra r2 on 1001; place r1 on 1002",
    ),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_rule_of_a_landing_game_is_judged(name: str, tmp_path: Path) -> None:
    rules, actions, places = VARIANTS[name]
    (tmp_path / "rules.toml").write_text(rules)
    (tmp_path / "counters.csv").write_text(MARKED)
    if "also_count" in rules:
        (tmp_path / "game.toml").write_text(DIVISIONS)
        (tmp_path / "counters.csv").write_text("id,formation\nb1,first\nb2,first\nb3,first\n")
    if "checks.drop" in rules:
        (tmp_path / "game.toml").write_text(DROP_DICE)
    assert not_met(tmp_path, actions, places) == []


def test_who_advances_into_another_hex_breaks_the_clause_of_the_advance(tmp_path: Path) -> None:
    """How far units go has a clause of its own; a hex beside the vacated one is not too far."""
    (tmp_path / "rules.toml").write_text('[advance]\nhexes_clause = "10.2"')
    actions = """
    next ! legal
    attack 0501 with b1 b2 ! legal
    roll combat 2 ! legal
    retreat r1 0501-0601-0701 ! legal
    advance b1 0401-0402 ! illegal 10.1
    """
    places = "place b1 b2 on 0401; place r1 on 0501; place r3 r2 on 1008; place ra on 1007; place bg on 0105"
    assert not_met(tmp_path, actions, places) == []
