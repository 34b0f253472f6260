"""Rules of tactical games: hedges that block sight, batteries off the map, spotters of one's own company."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.standard.variants import not_met

VARIANTS = {
    "a hedge on the line blocks it, one of the own hex or of the target does not": (
        '[combat.attack]\nrange = 4\nsight = "7.4"\nblocked_across = "river"',
        """
        next ! legal
        attack 1006 with b1 ! illegal 7.4
        call off ! legal
        attack 1006 with b2 ! legal
        call off ! legal
        attack 0905 with b1 ! legal
        """,
        "place b1 on 0706; place b2 on 0806; place r1 on 1006; place r2 on 0905; place ra r3 on 1001",
    ),
    "a bridge takes away what it opens": (
        '[combat.attack]\nrange = 4\nsight = "7.4"\nblocked_across = "river"',
        """
        next ! legal
        attack 1004 with b1 ! legal
        """,
        "place b1 on 0706; place r1 on 1004; place ra r3 on 1001",
    ),
    "a battery off the map sees nothing without a spotter": (
        '[combat.attack]\nrange = 9\nsight = "7.4"\nblind = "guns"\nspotters = "infantry"',
        """
        next ! legal
        attack 0407 with bg ! illegal 7.4
        call off ! legal
        attack 0407 with bg ! illegal 7.4
        call off ! legal
        """,
        "place bg on 0401; place ba on 0406; place b1 b2 b3 off; place r1 on 0407; place ra r3 on 1001",
    ),
    "a spotter sees for a battery off the map": (
        '[combat.attack]\nrange = 9\nsight = "7.4"\nblind = "guns"\nspotters = "infantry"',
        """
        next ! legal
        attack 0407 with bg ! legal
        """,
        "place bg on 0401; place b1 on 0205; place r1 on 0407; place ra r3 on 1001",
    ),
    "only comrades spot for mortars": (
        '[combat.attack]\nrange = 9\nsight = "7.4"\nblocked_by = "wood"\nindirect = "guns"\n'
        'spotters = "infantry and comrade"',
        """
        next ! legal
        attack 0604 with bg ! illegal 7.4
        call off ! legal
        attack 0304 with bg ! legal
        """,
        "place bg on 0602; place b2 on 0605; place b1 on 0305; place r1 on 0604; place r2 on 0304",
    ),
    "one of two units is attacked, and it alone is harmed": (
        '[combat.attack]\ndefence_of = "one"',
        """
        next ! legal
        attack 0601 with b1 b2 ! legal
        odds 2:1 ! legal
        roll combat 4 ! legal
        mark shaken ra ! legal
        settle ! legal
        """,
        "place b1 b2 on 0501; place r1 ra on 0601; place r2 r3 on 1008",
    ),
    "the odds say which of two units is attacked": (
        '[combat.attack]\ndefence_of = "one"',
        """
        next ! legal
        attack 0601 with ba b1 ! legal
        odds 3:1 ! legal
        roll combat 2 ! legal
        lose ra 1 ! illegal 7.1
        """,
        "place b1 ba on 0501; place r1 ra on 0601; place r2 r3 on 1008",
    ),
    "both units suffer": (
        '[combat.attack]\ndefence_of = "one"',
        """
        next ! legal
        attack 0601 with b1 b2 ! legal
        roll combat 4 ! legal
        mark shaken ra ! legal
        mark shaken r1 ! legal
        settle ! illegal 7.1
        """,
        "place b1 b2 on 0501; place r1 ra on 0601; place r2 r3 on 1008",
    ),
    "neither unit suffers": (
        '[combat.attack]\ndefence_of = "one"',
        """
        next ! legal
        attack 0601 with b1 b2 ! legal
        roll combat 4 ! legal
        settle ! illegal 8.7
        """,
        "place b1 b2 on 0501; place r1 ra on 0601; place r2 r3 on 1008",
    ),
    "without odds either unit may have been the target": (
        '[combat.attack]\ndefence_of = "one"',
        """
        next ! legal
        attack 0601 with ba b1 ! legal
        roll combat 2 ! legal
        retreat ra 0601-0701-0801 ! legal
        settle ! legal
        """,
        "place b1 ba on 0501; place r1 ra on 0601; place r2 r3 on 1008",
    ),
    "two units lose steps": (
        '[combat.attack]\ndefence_of = "one"',
        """
        next ! legal
        attack 0601 with ba b1 ! legal
        odds 3:1 ! legal
        roll combat 3 ! legal
        lose r1 1 ! legal
        lose ra 1 ! illegal 7.1
        """,
        "place b1 ba on 0501; place r1 ra on 0601; place r2 r3 on 1008",
    ),
    "the result says which of two units is attacked": (
        '[combat.attack]\ndefence_of = "one"',
        """
        next ! legal
        attack 0601 with ba b1 ! legal
        roll combat 3 ! legal
        result DR ! legal
        lose r1 1 ! illegal 7.1
        retreat ra 0601-0701-0801 ! legal
        """,
        "place b1 ba on 0501; place r1 ra on 0601; place r2 r3 on 1008",
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
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_rule_is_judged(name: str, tmp_path: Path) -> None:
    rules, actions, places = VARIANTS[name]
    assert not_met(tmp_path, actions, places, {**FILES, "rules.toml": rules}) == []
