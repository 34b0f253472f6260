"""Rules of games with platoons: smoke and screens, units that go to ground, leaders that go along."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.standard.variants import not_met

SMOKE = (
    '[markers.smoke]\nclause = "5.5"\nmarker = "m-smoke"\nlaid = "movement"\nlaid_by = "guns"\n'
    'laid_within = 3\nmost_clause = "4.1"\n'
)
SCREEN = (
    '[markers.smoke]\nclause = "5.5"\nmarker = "m-smoke"\nlaid = "movement"\nlaid_by = "armour"\n'
    'kept_clause = "4.1"\n'
)
TARGET = (
    '[combat.attack]\nrange = 4\nsight = "7.4"\nblocked_by = "wood"\n'
    '[markers.smoke]\nclause = "5.5"\nmarker = "m-smoke"\nlaid = "movement"\n'
    'laid_by = "guns and not shaken"\nlaid_within = 4\nlaid_seen = "attack"\n'
)
TO_GROUND = '[states.shaken]\nbegins = "movement"\nbegins_who = "infantry"\nbegins_clause = "4.1"\n'
LED = '[words.led]\nnear = "bn"\n'
FAR = "place r1 r2 r3 ra on 1008"
VARIANTS = {
    "smoke is laid at a distance": (
        SMOKE,
        """
        add m-smoke on 0503 ! legal
        add m-smoke on 0608 ! illegal 5.5
        next ! legal
        add m-smoke on 0403 ! illegal 5.5
        """,
        f"place bg on 0403; place b1 on 0608; {FAR}",
    ),
    "the guns of the enemy lay no smoke in our phase": (
        SMOKE,
        """
        add m-smoke on 0503 ! illegal 5.5
        next turn 1, Red movement ! legal
        add m-smoke on 0503 ! legal
        """,
        "place bg off; place r3 on 0403; place r1 r2 ra on 1008",
    ),
    "each gun has one smoke marker on the map": (
        SMOKE + "most_each = 1\n",
        """
        add m-smoke on 0503 ! legal
        add m-smoke on 0502 ! illegal 4.1
        remove m-smoke from 0503 ! legal
        remove m-smoke from 0502 ! legal
        add m-smoke on 0502 ! legal
        """,
        f"place bg on 0403; place m-smoke off; {FAR}",
    ),
    "either of two guns may have laid a marker, but not two each": (
        SMOKE.replace('"guns"', '"guns or armour"') + "most_each = 1\n",
        """
        add m-smoke on 0403 ! legal
        add m-smoke on 0402 ! legal
        add m-smoke on 0503 ! illegal 4.1
        """,
        f"place bg on 0403; place ba on 0603; place m-smoke off; {FAR}",
    ),
    "markers that were there before are nobody's": (
        SMOKE + "most_each = 1\n",
        """
        add m-smoke on 0503 ! legal
        """,
        f"place bg on 0403; place m-smoke on 0402; {FAR}",
    ),
    "a side has two smoke markers, whoever laid them": (
        SMOKE + "most_side = 2\n",
        """
        add m-smoke on 0503 ! legal
        add m-smoke on 0502 ! legal
        add m-smoke on 0403 ! illegal 4.1
        remove m-smoke from 0403 ! legal
        next turn 1, Red movement ! legal
        add m-smoke on 0803 ! legal
        """,
        "place bg on 0403; place m-smoke off; place r3 on 0904; place r1 r2 ra on 1008",
    ),
    "guns that laid smoke do not attack": (
        SMOKE
        + '[words.smoked]\ndid = "smoke"\n[bars.smoked]\nclause = "7.4"\nwho = "smoked"\nto = "attack"\n',
        """
        add m-smoke on 0505 ! legal
        next ! legal
        attack 0404 with bg ! illegal 7.4
        """,
        "place bg on 0403; place r1 on 0404; place r2 r3 ra on 1008",
    ),
    "guns that took their smoke back attack": (
        SMOKE
        + '[words.smoked]\ndid = "smoke"\n[bars.smoked]\nclause = "7.4"\nwho = "smoked"\nto = "attack"\n',
        """
        add m-smoke on 0503 ! legal
        remove m-smoke from 0503 ! legal
        next ! legal
        attack 0404 with bg ! legal
        """,
        "place bg on 0403; place r1 on 0404; place r2 r3 ra on 1008",
    ),
    "smoke is taken off in the next phase of the enemy": (
        SMOKE + 'gone = "rally"\ngone_of = "enemy"\ngone_clause = "4.1"\n',
        """
        add m-smoke on 0503 ! legal
        next turn 1, Red rally ! legal
        next ! slip 4.1
        """,
        f"place bg on 0403; {FAR}",
    ),
    "a screen goes with its tank": (
        SCREEN + "placer_stays = true\n",
        """
        add m-smoke on 0403 ! legal
        move ba 0403-0402 ! legal
        move b1 0401-0402-0403 ! legal
        next ! slip 4.1
        """,
        f"place ba on 0403; place b1 on 0401; {FAR}",
    ),
    "a screen stays with its tank, or with another that may have laid it": (
        SCREEN.replace('"armour"', '"armour or infantry"') + "placer_stays = true\n",
        """
        add m-smoke on 0403 ! legal
        move ba 0403-0402 ! legal
        next ! legal
        """,
        f"place ba b1 on 0403; {FAR}",
    ),
    "a target is registered by who sees it": (
        TARGET,
        """
        add m-smoke on 0304 ! legal
        add m-smoke on 0604 ! illegal 5.5
        """,
        f"place bg on 0602; place b1 on 0605; {FAR}",
    ),
    "a target is lost with its observer": (
        TARGET + 'placer = "not shaken"\nkept_clause = "4.1"\n',
        """
        add m-smoke on 0304 ! legal
        next ! legal
        place bg on 0602 shaken
        next ! slip 4.1
        """,
        f"place bg on 0602; {FAR}",
    ),
    "infantry goes to ground, armour does not": (
        TO_GROUND,
        """
        mark shaken b1 ! legal
        mark shaken ba ! illegal 4.1
        next ! legal
        mark shaken b2 ! illegal 14.1
        """,
        FAR,
    ),
    "who goes to ground still recovers as others do": (
        TO_GROUND + 'who = "armour"\n',
        """
        mark shaken b1 ! legal
        next turn 1, Blue rally ! legal
        roll rally 4 for b1 ! legal
        clear shaken b1 ! illegal 14.2
        """,
        FAR,
    ),
    "with a leader no roll is needed": (
        LED + '[states.shaken]\nunrolled = "led"\n',
        """
        next turn 1, Blue rally ! legal
        clear shaken b1 ! legal
        clear shaken b2 ! illegal 14.2
        """,
        f"place b1 bn on 0403; place b1 shaken; place b2 on 0303 shaken; {FAR}",
    ),
    "what a state forbids has clauses of its own": (
        '[states.shaken]\nforbids = "attack move"\nforbids_clauses = { move = "4.1" }\n',
        """
        move b1 0403-0402 ! illegal 4.1
        next ! legal
        attack 0404 with b2 ! illegal 14.1
        """,
        "place b1 b2 on 0403 shaken; place r1 on 0404; place r2 r3 ra on 1008",
    ),
    "a state that is entered and given up by clauses of their own": (
        '[states.dug]\nclause = "14.1"\nbegins = "movement"\nwho = "infantry"\nbegins_clause = "4.1"\n'
        'begins_who_clause = "7.4"\ngiven_up = "movement"\ngiven_up_clause = "5.5"\n',
        """
        mark dug ba ! illegal 7.4
        next ! legal
        mark dug b1 ! illegal 4.1
        clear dug b2 ! illegal 5.5
        """,
        f"place b1 ba on 0403; place b2 on 0303 dug; {FAR}",
    ),
    "a leader goes along with those who may attack": (
        '[combat.attack]\nwho = "infantry or armour"\nmost = 1\n',
        """
        next ! legal
        attack 0404 with b1 bn ! legal
        roll combat 3 ! legal
        attack 0302 with b2 bn ! legal
        call off ! legal
        attack 0302 with bn ! illegal 7.1 7.2
        """,
        "place b1 b2 bn on 0403; place r1 on 0404; place r2 on 0302; place r3 ra on 1008",
    ),
    "a size that is also the name of a kind means the kind": (
        '[bars.infantry]\nclause = "4.1"\nwho = "infantry"\nto = "move"\n',
        """
        move b1 0403-0402 ! illegal 4.1
        move ba 0403-0402 ! legal
        """,
        f"place b1 ba on 0403; {FAR}",
    ),
}
FILES = {
    "game.toml": """
[[stacking]]
kinds = "infantry armour guns"
limit = 4
[kinds]
marker = { title = "marker", marker = true }
leader = { title = "leader", factors = ["mp"], along = true, attacked = true }
[states]
dug = { title = "Dug in", kinds = "infantry armour guns" }
""",
    "counters.csv": """id,kind,side,name,size,attack,defence,mp,steps,count
ba,,,,infantry,,,,,
r3,guns,,,,,,,,
bn,leader,,,,-,-,6,1,
m-smoke,marker,,Smoke,,,,,,5
""",
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_rule_is_judged(name: str, tmp_path: Path) -> None:
    rules, actions, places = VARIANTS[name]
    assert not_met(tmp_path, actions, places, {**FILES, "rules.toml": rules}) == []
