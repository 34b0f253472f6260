"""Rules of divisional games: transport, headquarters of one's own, markers in hexes, sight over hills."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.standard.variants import not_met

VARIANTS = {
    "guns that are left behind are captured": (
        "[results.crt]\n"
        'DR.defender = [{ retreat = 2 }, { lose = "all", each = true, who = "armour", abandoned = true }]',
        """
        next ! legal
        attack 0601 with b1 b2 b3 ! legal
        roll combat 2 ! legal
        retreat r1 0601-0701-0801 ! legal
        settle ! illegal 8.4 9.1
        """,
        "place b1 b2 on 0501; place b3 on 0502; place r1 on 0601; place ra on 0601 steps 1; place r2 on 1008",
    ),
    "guns that are left behind are eliminated": (
        "[results.crt]\n"
        'DR.defender = [{ retreat = 2 }, { lose = "all", each = true, who = "armour", abandoned = true }]',
        """
        next ! legal
        attack 0601 with b1 b2 b3 ! legal
        roll combat 2 ! legal
        eliminate ra ! legal
        retreat r1 0601-0701-0801 ! legal
        advance b1 0501-0601 ! legal
        settle ! legal
        """,
        "place b1 b2 on 0501; place b3 on 0502; place r1 on 0601; place ra on 0601 steps 1; place r2 on 1008",
    ),
    "guns that retreat are not left behind": (
        "[results.crt]\n"
        'DR.defender = [{ retreat = 2 }, { lose = "all", each = true, who = "armour", abandoned = true }]',
        """
        next ! legal
        attack 0601 with b1 b2 b3 ! legal
        roll combat 2 ! legal
        retreat r1 0601-0701-0801 ! legal
        retreat ra 0601-0701-0801 ! legal
        advance b1 0501-0601 ! legal
        settle ! legal
        """,
        "place b1 b2 on 0501; place b3 on 0502; place r1 on 0601; place ra on 0601 steps 1; place r2 on 1008",
    ),
    "guns are carried by armour": (
        '[sequence.movement]\ndoes = "move carry"\n[movement.carry]\nclause = "5.4"\nwho = "guns"\n'
        'points = 6\ncarried_by = "armour"\ncarried_clause = "15.4"',
        """
        carry bg 0101-0201-0301-0401-0501-0502-0503-0504 ! legal
        move ba 0101-0201-0301-0401-0501-0502-0503-0504 ! legal
        next ! legal
        """,
        "place bg ba on 0101; place ra r1 on 1008; place r2 r3 on 1007",
    ),
    "who was carried does not move besides": (
        '[sequence.movement]\ndoes = "move carry attack"\n[movement.carry]\nclause = "5.4"\nwho = "guns"\n'
        'points = 6\ncarried_by = "armour"\ncarried_clause = "15.4"',
        """
        carry bg 0101-0201 ! legal
        move bg 0201-0202 ! illegal 5.1
        """,
        "place bg ba on 0101; place ra r1 on 1008; place r2 r3 on 1007",
    ),
    "guns are carried and their carrier stays": (
        '[sequence.movement]\ndoes = "move carry"\n[movement.carry]\nclause = "5.4"\nwho = "guns"\n'
        'points = 6\ncarried_by = "armour"\ncarried_clause = "15.4"',
        """
        carry bg 0101-0201-0301-0401 ! legal
        next ! illegal 15.4
        """,
        "place bg ba on 0101; place ra r1 on 1008; place r2 r3 on 1007",
    ),
    "guns are carried and their carrier goes elsewhere": (
        '[sequence.movement]\ndoes = "move carry"\n[movement.carry]\nclause = "5.4"\nwho = "guns"\n'
        'points = 6\ncarried_by = "armour"\ncarried_clause = "15.4"',
        """
        move ba 0101-0201-0301-0401-0501-0502 ! legal
        carry bg 0101-0201-0301-0401 ! legal
        next ! unproven 15.4
        """,
        "place bg ba on 0101; place ra r1 on 1008; place r2 r3 on 1007",
    ),
    "guns are carried without a carrier, or too many by one": (
        '[sequence.movement]\ndoes = "move carry"\n'
        '[movement.carry]\nclause = "5.4"\nwho = "guns or infantry"\n'
        'points = 6\ncarried_by = "armour"\ncarried_clause = "15.4"',
        """
        carry bg 0102-0202 ! illegal 15.4
        carry b1 0101-0201 ! legal
        carry b2 0101-0201 ! illegal 15.4
        carry b3 0101-0201 ! illegal 15.4 and more
        """,
        "place b1 b2 b3 ba on 0101; place bg on 0102; place ra r1 on 1008; place r2 r3 on 1007",
    ),
    "markers are laid when and where they may be": (
        '[markers.mines]\nclause = "5.5"\nmarker = "m-mines"\ndoes = 2\nlaid = "movement"\n'
        'side = "blue"\ninto = "open"\nmost = 2\ngone = "combat"',
        """
        add m-mines on 0401 ! legal
        add m-mines on 0303 ! illegal 5.5
        remove m-mines from 0303
        add m-mines on 0402 ! legal
        add m-mines on 0501 ! illegal 5.5
        remove m-mines from 0501
        next ! legal
        next ! slip 5.5
        remove m-mines from 0401; remove m-mines from 0402
        next turn 1, Red movement
        add m-mines on 0401 ! illegal 5.5
        """,
        "place ra r1 on 1008; place r2 r3 on 1007",
    ),
    "bridges that are blown": (
        '[markers.blown]\nclause = "5.5"\nmarker = "m-mines"\ncloses = "bridge"',
        """
        add m-mines on 0805
        move b1 0805-0905-0906 ! illegal 5.5
        move b2 0805-0905 ! legal
        remove m-mines from 0805
        move b3 0805-0905-0906 ! legal
        """,
        "place b1 b2 b3 on 0805; spent b1 b2 b3 2; place ra r1 on 0108; place r2 r3 on 0107",
    ),
    "headquarters lead and supply their own": (
        '[combat.attack.led.staff]\nclause = "5.5"\nwho = "infantry"\n'
        'by = "guns and comrade or armour and comrade"\n'
        "hexes = 2\nmost = 2\n"
        '[supply]\nthrough = "guns"\nonly_through = true\nreach = 2\nto_own = true\n'
        '[supply.lines.guns]\nclause = "11.3"\nwho = "guns"\nlength = 6',
        """
        next ! legal
        attack 0601 with b1 ! legal
        call off ! legal
        attack 0601 with b2 ! illegal 5.5
        call off ! legal
        place ba on 0402
        attack 0601 with b1 b2 ! legal
        call off ! legal
        mark unsupplied b1 ! illegal 11.1
        mark unsupplied b2 ! legal
        """,
        "place b1 b2 on 0501; place bg on 0401; place ba on 0108; place ra r2 on 1001; place r3 on 1003",
    ),
    "markers block supply": (
        '[supply]\nlength = 1\nmarked_block = "m-mines"',
        """
        mark unsupplied b1 ! illegal 11.1
        clear unsupplied b1
        add m-mines on 0101
        add m-mines on 0102
        mark unsupplied b1 ! legal
        """,
        "place b1 on 0201; place ra r1 on 1008; place r2 r3 on 1007",
    ),
    "sight over lower ground": (
        '[combat.attack]\nrange = 4\nsight = "7.4"\nblocked_by = "wood"\nlevels = true',
        """
        next ! legal
        attack 0304 with b1 ! illegal 7.4
        call off ! legal
        attack 0304 with b2 ! legal
        call off ! legal
        attack 0302 with b3 ! illegal 7.4
        """,
        "place b1 on 0302; place r1 on 0304; place b2 on 0601; place r2 on 0302; place ra r3 on 1001",
    ),
}
FILES = {
    "game.toml": """
[formations]
first = { title = "First Division", side = "blue" }
second = { title = "Second Division", side = "blue" }
[kinds]
marker = { title = "marker", marker = true }
""",
    "counters.csv": """id,kind,name,formation,count
b1,,,first,
b2,,,second,
bg,,,first,
ba,,,second,
m-mines,marker,Mines,,3
""",
    "map.toml": """
[level]
1 = "0601"
""",
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_rule_is_judged(name: str, tmp_path: Path) -> None:
    rules, actions, places = VARIANTS[name]
    assert not_met(tmp_path, actions, places, {**FILES, "rules.toml": rules}) == []
