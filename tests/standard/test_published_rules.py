"""Rules that are common in published games: the small game with such rules, right and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.judge import judge_record
from referee.record import parse
from tests.standard.variants import HERE, not_met

VARIANTS = {
    "a drag on a road that may have been by rail": (
        '[sequence.movement]\ndoes = "move rail"\n'
        '[combat.attack]\nnot_after = "rail"\nnot_after_clause = "7.4"\n'
        'must_attack = "7.5"\n'
        '[movement.rail]\nclause = "15.4"\npoints = 9\nonly_roads = "15.4"\nnot_after = "move"',
        """
        move b1 0101..0201 ! legal
        rail b1 0201..0501 ! legal
        rail b1 0501..0401 ! legal
        move b2 0101-0201 ! legal
        rail b2 0201..0301 ! illegal 15.4
        rail ba 0301-0401-0501 ! legal
        move bg 0401..0501 ! legal
        next ! legal
        attack 0601 with ba ! illegal 7.4
        call off ! legal
        next ! unproven 7.5
        """,
        "place b1 b2 on 0101; place ba on 0301; place bg on 0401; place b3 on 0108; place ra r3 on 1008",
    ),
    "units that retreat far are shaken": (
        '[retreat]\nstate = "shaken"\nstate_from = 2\nstate_clause = "14.1"',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        mark shaken r1 ! legal
        retreat r1 0601-0701-0801 ! legal
        advance b1 0501-0601 ! legal
        settle ! legal
        attack 0502 with b3 ! legal
        roll combat 3 ! legal
        mark shaken b3 ! illegal 14.1
        """,
        "place b1 ba on 0501; place ra on 1001; place b3 on 0602; place r2 on 0502",
    ),
    "units that retreat far and are not marked": (
        '[retreat]\nstate = "shaken"\nstate_from = 2\nstate_clause = "14.1"',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        retreat r1 0601-0701-0801 ! legal
        advance b1 0501-0601 ! legal
        settle ! illegal 14.1
        """,
        "place b1 ba on 0501; place ra on 1001",
    ),
    "supply runs through headquarters alone, which have a line of their own": (
        '[supply]\nthrough = "guns"\nonly_through = true\nreach = 2\n'
        '[supply.lines.guns]\nclause = "11.3"\nwho = "guns"\nlength = 6',
        """
        clear unsupplied b3 ! illegal 11.1
        mark unsupplied b1 ! illegal 11.1
        clear unsupplied b2 ! illegal 11.1
        mark unsupplied bg ! illegal 11.3
        """,
        "place b3 on 0108; place bg on 0701; place b1 on 0702; place b2 on 0706; place r1 r2 r3 ra on 1008",
    ),
    "a unit that is long out of supply surrenders by a roll": (
        '[words.starving]\nout_of_supply = 2\n[checks.surrender]\nclause = "11.5"\ndice = "morale"\n'
        'need = 7\nwho = "starving"\nmust = "supply"\nfailed = { lose = "all" }\n[supply]\nlasting = 9',
        """
        next turn 1, supply ! legal
        next turn 2, supply ! legal
        roll morale 6 6 for b3 ! legal
        next turn 3, Blue movement ! illegal 11.5
        """,
        "place r1 on 0101; place r2 on 0103; place b3 on 0202; place r3 on 0303; place ra on 0301",
    ),
    "one unit of the side makes the check": (
        '[checks.morale]\nclause = "14.2"\ndice = "morale"\nneed = 7\nfailed = { lose = 1 }\n'
        '[results.crt.DS]\ndefender = { check = "morale", one = true }',
        """
        next ! legal
        attack 0601 with b1 b2 ! legal
        roll combat 5 ! legal
        mark shaken r1 r2 ! legal
        settle ! illegal 14.2
        roll morale 3 3 for r1 ! legal
        settle ! legal
        """,
        "place b1 b2 on 0501; place r1 r2 on 0601; place ra on 1001",
    ),
    "a leader limits the number of attackers": (
        '[combat.attack.led.staff]\nclause = "5.5"\nwho = "infantry"\nby = "guns"\nhexes = 2\nmost = 2\n'
        "without = 1",
        """
        next ! legal
        attack 0601 with b1 ! legal
        call off ! legal
        attack 0601 with b1 b2 ! illegal 5.5
        call off ! legal
        place bg on 0401
        attack 0601 with b1 b2 ! legal
        call off ! legal
        attack 0601 with b1 b2 b3 ! illegal 5.5
        """,
        "place b1 b3 on 0501; place b2 on 0502; place bg on 0101; place ra on 1001",
    ),
    "an attack costs points of supply": (
        '[stores.supply-points]\nclause = "15.2"\nstart = { blue = 1 }\npoints = { blue = 1 }\n'
        "costs = { attack = 2 }",
        """
        next ! legal
        attack 0601 with b1 ! legal
        roll combat 6 ! legal
        settle
        attack 0606 with b3 ! illegal 15.2
        """,
        "place b1 on 0501; place b3 on 0605; place ra on 1001",
    ),
    "each gun that attacks costs a point, and points are not saved": (
        '[stores.shells]\nclause = "15.2"\npoints = { blue = "steps" }\nsaves = false\neach = true\n'
        'costs = { attack = 1, move = 1 }\nwho = "guns"',
        """
        move bg 0501-0401 ! illegal 15.2
        next turn 2, Blue movement ! legal
        move bg 0401-0501 ! legal
        next turn 3, Blue combat ! legal
        attack 0601 with b1 ! legal
        call off ! legal
        attack 0601 with bg ! illegal 15.2
        """,
        "place b1 bg on 0501; place ra on 1001; place r1 on 0601; place r2 r3 on 1008",
    ),
    "cavalry leaves before the dice": (
        '[retreat]\nbefore = "9.1"\nbefore_who = "armour"',
        """
        next ! legal
        attack 0601 with b1 b2 ! legal
        retreat r1 0601-0701 ! illegal 9.1
        retreat ra 0601-0701-0801 ! illegal 9.1
        """,
        "place b1 b2 on 0501; place r1 ra on 0601",
    ),
    "cavalry leaves, and the attackers advance": (
        '[retreat]\nbefore = "9.1"\nbefore_who = "armour"',
        """
        next ! legal
        attack 0601 with b1 b2 ! legal
        retreat ra 0601-0701 ! legal
        advance b1 0501-0601 ! legal
        advance b2 0501-0502 ! illegal 10.1 10.2
        """,
        "place b1 b2 on 0501; place r1 on 1008; place ra on 0601",
    ),
    "a certain result needs no dice": (
        '[combat.attack]\nautomatic = "7.4"\n',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        odds 4:1 ! legal
        eliminate r1 ! legal
        advance b1 0501-0601 ! legal
        settle ! legal
        attack 0602 with b2 ! legal
        lose r2 ! illegal 7.1
        """,
        "place b1 ba on 0501; place r1 on 0601 steps 1; place b2 on 0502; place r2 r3 on 0602",
    ),
    "a certain result may be called off, or rolled for all the same": (
        '[combat.attack]\nautomatic = "7.4"\n',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        call off ! legal
        attack 0601 with b1 ba ! legal
        odds 3:1 ! slip 7.1
        odds 4:1 ! legal
        roll combat 3 ! legal
        settle ! illegal 8.5
        eliminate r1 ! legal
        advance b1 0501-0601 ! legal
        settle ! legal
        attack 0602 with b1 ! illegal 7.2
        """,
        "place b1 ba on 0501; place r1 on 0601 steps 1; place b2 on 0502; place r2 r3 on 0602",
    ),
    "the defenders choose between steps and hexes, together": (
        '[results.crt.DR]\ndefender = { or_lose_each = 1, together = true }\n[advance]\nalong = "10.1"',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 2 ! legal
        lose r1 ! legal
        retreat r1 0601-0701 ! legal
        retreat r2 0601-0701 ! legal
        advance ba 0501-0601-0602 ! illegal 10.1
        settle ! legal
        """,
        "place b1 ba on 0501; place r1 on 0601; place r2 on 0601 steps 1; place ra on 1001",
    ),
    "the first step in place of hexes is lost by armour": (
        '[results.crt.DR]\ndefender = { retreat = 2, or_lose_each = 1, together = true, first = "armour" }',
        """
        next ! legal
        attack 0601 with b1 b2 ba ! legal
        roll combat 2 ! legal
        lose r1 ! legal
        retreat r1 0601-0701 ! legal
        retreat ra 0601-0701 ! legal
        advance ba 0502-0601 ! legal
        settle ! illegal 8.4
        """,
        "place b1 b2 on 0501; place ba on 0502; place r1 ra on 0601; place r2 r3 on 1008",
    ),
    "where nobody loses a step, none is lost by the wrong unit": (
        '[results.crt.DR]\ndefender = { retreat = 2, or_lose_each = 1, together = true, first = "armour" }',
        """
        next ! legal
        attack 0601 with b1 b2 ba ! legal
        roll combat 2 ! legal
        retreat r1 0601-0701-0801 ! legal
        retreat ra 0601-0701-0801 ! legal
        advance ba 0502-0601 ! legal
        settle ! legal
        """,
        "place b1 b2 on 0501; place ba on 0502; place r1 ra on 0601; place r2 r3 on 1008",
    ),
    "armour alone follows a retreat two hexes": (
        '[advance]\nalong = "10.1"\nunits = 2\nhexes = { armour = 2, others = 1 }',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        retreat r1 0601-0701-0801 ! legal
        advance b1 0501-0601-0701 ! illegal 10.1
        advance ba 0501-0601-0701 ! legal
        """,
        "place b1 ba on 0501; place ra on 1001",
    ),
    "the clause of ranges is that of those who have one": (
        '[combat.attack]\nrange_of = { guns = 2 }\nrange_clause = "7.4"',
        """
        next ! legal
        attack 0601 with bg ! legal
        call off ! legal
        attack 0601 with b1 ! illegal 7.1
        call off ! legal
        attack 0602 with bg ! legal
        call off ! legal
        attack 0603 with bg ! illegal 7.4
        """,
        "place bg b1 on 0401; place r1 on 0601; place r2 on 0602; place r3 on 0603; place ra on 1001",
    ),
    "one unit is shaken": (
        '[results.crt.DS]\ndefender = { state = "shaken", one = true }',
        """
        next ! legal
        attack 0601 with b1 b2 ! legal
        roll combat 5 ! legal
        mark shaken r1 ! legal
        mark shaken r2 ! legal
        settle ! illegal 8.7
        clear shaken r2
        next ! legal
        """,
        "place b1 b2 on 0501; place r1 r2 on 0601; place ra on 1001",
    ),
    "who is overrun retreats too short": (
        '[sequence.movement]\ndoes = "move attack"',
        """
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        retreat r1 0601-0701 ! legal
        advance ba 0501-0601 ! legal
        settle ! illegal 9.1
        """,
        "place b1 ba on 0501; place ra on 1001",
    ),
    "attackers follow the path of a retreat": (
        '[advance]\nalong = "10.1"',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        retreat r1 0601-0701-0801 ! legal
        advance b1 0501-0601-0701 ! legal
        settle ! legal
        """,
        "place b1 ba on 0501; place ra on 1001",
    ),
    "untried units are turned up when they fight": (
        '[face_down]\nclause = "7.1"\nearly = "7.2"\nagain = "7.3"\n',
        """
        next ! legal
        reveal r2 ! illegal 7.2
        place r2 on 0801 face down
        attack 0601 with b1 ! legal
        roll combat 2 ! illegal 7.1
        """,
        "place b1 on 0501; place r1 on 0601 face down; place r2 on 0801 face down",
    ),
    "an untried unit is turned up and does not fight": (
        '[face_down]\nclause = "7.1"\nearly = "7.2"\nagain = "7.3"\n',
        "next ! legal\nreveal b1 ! legal\nnext ! unproven 7.2",
        "place b1 on 0501 face down; place r1 on 0601 face down",
    ),
    "an untried unit is turned up and fights": (
        '[face_down]\nclause = "7.1"\nearly = "7.2"\nagain = "7.3"\n',
        """
        next ! legal
        reveal b1 ! legal
        reveal r1 ! legal
        attack 0601 with b1 ! legal
        roll combat 2 ! legal
        lose b1 ! legal
        next ! legal
        """,
        "place b1 on 0501 face down; place r1 on 0601 face down",
    ),
    "untried units are turned up and stay so": (
        '[face_down]\nclause = "7.1"\nearly = "7.2"\nagain = "7.3"\n',
        """
        next ! legal
        attack 0601 with b1 ! legal
        reveal r1 ! legal
        roll combat 6 ! legal
        hide r1 ! illegal 7.3
        """,
        "place b1 on 0501; place r1 on 0601 face down",
    ),
    "cells have a part for each side": (
        '[combat.attack]\nparts = "/"\n',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 4 ! legal
        retreat r1 0601-0701-0801 ! legal
        advance b1 0501-0601 ! legal
        settle ! legal
        """,
        "place b1 ba on 0501; place ra on 1001",
    ),
    "the part of the other side is not carried out": (
        '[combat.attack]\nparts = "/"\n',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 4 ! legal
        lose r1 ! legal
        retreat r1 0601-0701-0801 ! legal
        advance b1 0501-0601 ! legal
        settle ! illegal 8.4
        """,
        "place b1 ba on 0501; place ra on 1001",
    ),
    "an army that has lost much": (
        '[words.beaten]\nlost = 3\n[words.broken]\nlost = 6\nlost_of = "attack"\n'
        '[bars.beaten]\nclause = "5.5"\nwho = "beaten and armour or broken and guns"\nto = "move"',
        """
        move ba 0302-0202 ! legal
        lose b1
        lose b2
        lose b3
        move ba 0202-0302 ! illegal 5.5
        move bg 0401-0301 ! legal
        eliminate b1
        place b2 in blue-lost
        move bg 0301-0201 ! illegal 5.5
        """,
        "place b1 on 0102; place b2 on 0103; place r1 r2 on 1008; place r3 ra on 1007",
    ),
}
GAME = """
[kinds]
infantry = { hidden = true }
[dice]
morale = { title = "Morale", count = 2 }
[declarations.morale]
title = "Morale"
kinds = "infantry armour guns"
about = "counter"
dice = "morale"
"""


CERTAIN = """
[tables.crt]
cells = [
  ["AE", "A1", "EX", "DR", "DE"], ["AE", "A1", "DR", "D1", "DE"], ["A1", "AR", "DR", "D1", "DE"],
  ["A1", "AR", "DS", "D1/DR", "DE"], ["AR", "DS", "D1", "EX", "DE"], ["AR", "DR", "EX", "DR", "DE"],
]
"""


@pytest.mark.parametrize("name", VARIANTS)
def test_a_rule_is_judged(name: str, tmp_path: Path) -> None:
    rules, actions, places = VARIANTS[name]
    (tmp_path / "rules.toml").write_text(rules)
    (tmp_path / "game.toml").write_text(GAME)
    if "certain" in name:
        (tmp_path / "tables.toml").write_text(CERTAIN)
    assert not_met(tmp_path, actions, places) == []


def test_units_are_set_up_in_their_zones(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text('[setup]\nclause = "12.1"\n')
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "meeting.toml").write_text('[[setup]]\ncounters = "bg"\nzone = "west"\n')
    text = """
        game divisions

        case
        set up
        at turn 1, Blue arrival
        deploy bg on 0201 ! illegal 12.1
        place bg off
        next turn 1, Blue movement ! illegal 12.1
        at turn 1, Blue arrival
        deploy bg on 0102 ! legal
        next turn 1, Blue movement ! legal
        deploy bg on 0103 ! illegal 12.1
        """
    lines = "\n".join(line.strip() for line in text.strip().splitlines())
    found = [
        (judged.statement.line, judged.ruling.verdict)
        for _, statements in judge_record(parse(lines, str(HERE / "x.record"), [tmp_path]))
        for judged in statements
        if judged.ruling and judged.failed
    ]
    assert found == []
