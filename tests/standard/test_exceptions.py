"""Exceptions that rulebooks make: the small game with each of them, right and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.standard.variants import not_met

NATIONS = """
[nations]
saxon = { title = "Saxon", side = "blue" }
swede = { title = "Swedish", side = "blue" }
"""
COUNTERS = "id,nation\nb1,saxon\nb2,swede\nba,saxon\nbg,saxon\n"
AIR = '[combat.attack.by_hand.air]\nclause = "7.5"\nto = "columns"\nvalues = [1]\nattacker = "armour"'
GROUP = """
[combat.attack.terms.armour]
clause = "7.5"
to = "columns"
worth = 1
attacker = "armour"
group = "quality"
[combat.attack.terms.farm]
clause = "7.5"
to = "columns"
worth = 1
hexes = "0601"
group = "quality"
"""
DIFFERENT = """
[results.crt.DR]
defender = [{ retreat = 2 }, { lose = "all", each = true, who = "r2" }]
"""
BLOCKED = "[reinforcements]\nblocked_within = 2"
FULL_EDGE = "at turn 2, Blue arrival; place r1 on 0102; place r2 on 0105; place r3 on 0107; place ra on 1008"
WITHDRAWN = (
    '[withdrawals.one]\nclause = "12.2"\nwho = "infantry and blue"\nturn = 1\nphase = "movement"\ncount = 1'
)
STEADY = """
[zoc]
who = "not shaken"
[advance]
zoc = "10.1"
hexes = { armour = 2 }
"""
BESIDE = "place b1 on 0502; place b2 ba on 0501; place b3 on 0502; place r1 on 0601; place r2 on 0602"
THROUGH = """
        next ! legal
        attack 0602 with b1 ! legal
        roll combat {face} ! legal
        {after}
        attack 0601 with b2 ba b3 ! legal
        roll combat 1 ! legal
        eliminate r1 ! legal
        advance ba 0501-0601-0701 ! {verdict}
        """
VARIANTS = {
    "a marker taken off too early may be put back, once": (
        "",
        """
        clear shaken b1 ! illegal 14.2
        next ! legal
        mark shaken b1 ! legal
        clear shaken b1 ! illegal 14.2
        mark shaken b1 ! legal
        mark shaken b2 ! illegal 14.1
        """,
        "place b1 on 0103 shaken; place b2 on 0103",
    ),
    "a marker that nothing has called for may be taken off": (
        "",
        """
        mark shaken b1 ! illegal 14.1
        next ! legal
        clear shaken b1 ! legal
        mark shaken b1 ! illegal 14.1
        """,
        "place b1 on 0103",
    ),
    "a unit that a result has shaken has no zone, though its marker comes later": (
        STEADY,
        THROUGH.format(face=5, after="", verdict="legal") + "mark shaken r2 battle 1 ! legal\n",
        BESIDE,
    ),
    "a unit that no result has shaken has its zone": (
        STEADY,
        THROUGH.format(face=3, after="retreat b1 0502-0402 ! legal", verdict="illegal 10.1"),
        BESIDE,
    ),
    "guns fire farther than others": (
        "[combat.attack]\nrange_of = { guns = 3 }",
        """
        next ! legal
        attack 0601 with bg ! legal
        call off ! legal
        attack 0601 with b1 ! illegal 7.1
        """,
        "place bg on 0301; place b1 on 0401; place ra on 1008",
    ),
    "quality shifts the odds by one column at most": (
        '[combat.attack.terms.quality]\nclause = "7.5"\nto = "columns"\nfactor = "attack"\nless = "defence"\n'
        "least = -1\nmost = 1",
        """
        next ! legal
        attack 0601 with ba ! legal
        odds 4:1 ! slip 7.1
        odds 3:1 ! legal
        """,
        "place ba on 0501; place ra on 1008",
    ),
    "of two reasons for a shift one counts": (
        GROUP,
        """
        next ! legal
        attack 0601 with ba ! legal
        odds 4:1 ! slip 7.1
        odds 3:1 ! legal
        """,
        "place ba on 0501; place ra on 1008",
    ),
    "armour with infantry of its nation": (
        '[combat.attack.terms.arms]\nclause = "7.5"\nto = "columns"\nworth = 1\nattacker = "armour"\n'
        'also_attacker = "infantry and compatriot"',
        """
        next ! legal
        attack 0601 with ba b2 ! legal
        odds 4:1 ! slip 7.1
        odds 3:1 ! legal
        call off ! legal
        attack 0601 with ba b1 ! legal
        odds 3:1 ! slip 7.5
        odds 4:1 ! legal
        """,
        "place b1 b2 on 0501; place ba on 0502; place ra on 1008",
    ),
    "defenders beside armour": (
        '[combat.attack.terms.supported]\nclause = "7.5"\nto = "columns"\nworth = -1\n'
        'defender = "infantry"\nalso_defender = "armour"',
        """
        next ! legal
        attack 0601 with ba b1 ! legal
        odds 3:1 ! legal
        call off ! legal
        attack 0502 with ba b1 ! legal
        odds 1:1 ! slip 7.5
        odds 1:2 ! legal
        """,
        "place b1 ba on 0501; place r1 on 0601; place r2 ra on 0502; place b2 on 0101",
    ),
    "a defender is not its own company": (
        '[combat.attack.terms.two]\nclause = "7.5"\nto = "columns"\nworth = -1\n'
        'defender = "infantry"\nalso_defender = "infantry"',
        """
        next ! legal
        attack 0601 with ba b1 ! legal
        odds 2:1 ! slip 7.1
        odds 3:1 ! legal
        call off ! legal
        attack 0502 with ba b1 ! legal
        odds 1:1 ! legal
        """,
        "place b1 ba on 0501; place r1 on 0601; place r2 r3 on 0502; place ra on 1008; place b2 on 0101",
    ),
    "players enter a term only against some": (
        '[combat.attack.by_hand.air]\nclause = "7.5"\nto = "columns"\nvalues = [1]\ndefender = "armour"',
        """
        next ! legal
        attack 0601 with ba ! legal
        odds 3:1 ! slip 7.5
        odds 2:1 ! legal
        call off ! legal
        attack 0502 with ba ! legal
        odds 1:1 ! legal
        odds 2:1 ! legal
        odds 3:1 ! slip 7.1
        """,
        "place ba on 0501; place r1 on 0601; place ra on 0502",
    ),
    "players enter a term only in some hexes": (
        '[combat.attack.by_hand.ambush]\nclause = "7.5"\nto = "columns"\nvalues = [-1]\nhexes = "0502"',
        """
        next ! legal
        attack 0601 with ba ! legal
        odds 1:1 ! slip 7.5
        odds 2:1 ! legal
        call off ! legal
        attack 0502 with ba ! legal
        odds 2:1 ! legal
        odds 1:1 ! legal
        """,
        "place ba on 0501; place r1 on 0601; place r2 on 0502; place ra on 1008",
    ),
    "guns with a compatriot move": (
        '[words.escorted]\nnear = "compatriot"\n[bars.guns]\nclause = "5.5"\nwho = "guns and not escorted"\n'
        'to = "move"',
        """
        move bg 0401-0301 ! illegal 5.5
        """,
        "place b2 on 0401",
    ),
    "guns with a compatriot do move": (
        '[words.escorted]\nnear = "compatriot"\n[bars.guns]\nclause = "5.5"\nwho = "guns and not escorted"\n'
        'to = "move"',
        """
        move bg 0401-0301 ! legal
        """,
        "place b1 on 0401; place ba b2 on 0101",
    ),
    "a defender that does not count": (
        '[combat.attack.terms.raw]\nclause = "7.5"\nto = "defence"\ntimes = 0\ndefender = "r2"',
        """
        next ! legal
        attack 0601 with ba ! legal
        odds 1:1 ! slip 7.5
        odds 2:1 ! legal
        """,
        "place ba on 0501; place r2 on 0601; place ra on 1008",
    ),
    "aircraft support armour alone": (
        AIR,
        """
        next ! legal
        attack 0601 with b1 ! legal
        odds 2:1 ! slip 7.5
        call off ! legal
        attack 0601 with ba ! legal
        odds 3:1 ! legal
        """,
        "place b1 on 0501; place ba on 0502; place ra on 1008",
    ),
    "a result does something else to some": (
        DIFFERENT,
        """
        next ! legal
        attack 0601 with ba ! legal
        roll combat 6 ! legal
        retreat r1 0601-0701-0801 ! legal
        eliminate r2 ! legal
        advance ba 0501-0601 ! legal
        next ! legal
        """,
        "place ba on 0501; place r2 on 0601; place ra on 1008",
    ),
    "a result does something else to some, and it was not done": (
        DIFFERENT,
        """
        next ! legal
        attack 0601 with ba ! legal
        roll combat 6 ! legal
        retreat r1 0601-0701-0801 ! legal
        retreat r2 0601-0701-0801 ! legal
        advance ba 0501-0601 ! legal
        next ! illegal 8.4
        """,
        "place ba on 0501; place r2 on 0601; place ra on 1008",
    ),
    "armour loses the first step": (
        '[results.crt.A1]\nattacker = { lose = 1, first = "armour" }',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        lose ba ! legal
        next ! legal
        """,
        "place b1 ba on 0501; place r2 on 0601; place ra on 1008",
    ),
    "infantry loses the first step in place of armour": (
        '[results.crt.A1]\nattacker = { lose = 1, first = "armour" }',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        lose b1 ! legal
        next ! illegal 8.2
        """,
        "place b1 ba on 0501; place r2 on 0601; place ra on 1008",
    ),
    "the steps of two battles of a unit are lost at once": (
        "",
        """
        next ! legal
        attack 0601 with ba battle 1 ! legal
        roll combat 1 battle 1 ! legal
        attack 0502 with ba battle 2 ! illegal 7.2
        roll combat 1 battle 2 ! legal
        eliminate ba battle 2 ! legal
        settle battle 1 ! legal
        next ! unproven 8.2
        """,
        "place ba on 0501; place r2 on 0601; place r3 ra on 0502; place b3 on 0101",
    ),
    "the best of the defenders counts": (
        '[combat.attack]\ndefence_of = "best"',
        """
        next ! legal
        attack 0601 with ba ! legal
        odds 1:2 ! slip 7.1
        odds 1:1 ! legal
        """,
        "place ba on 0501; place ra on 0601",
    ),
    "guns fire where infantry observes": (
        '[combat.attack]\nrange_of = { guns = 3 }\nobserver = "infantry"\nobserver_hexes = 2\n'
        'observer_clause = "15.2"',
        """
        next ! legal
        attack 0601 with bg ! legal
        """,
        "place bg on 0301; place b1 on 0401; place b2 ba on 0101; place ra on 1008",
    ),
    "guns fire where nobody observes": (
        '[combat.attack]\nrange_of = { guns = 3 }\nobserver = "infantry"\nobserver_hexes = 2\n'
        'observer_clause = "15.2"',
        """
        next ! legal
        attack 0601 with bg ! illegal 15.2
        """,
        "place bg on 0301; place b1 b2 on 0101; place ba on 0103; place ra on 1008",
    ),
    "no zone of control where its unit cannot go": (
        '[zoc]\nwhere_can_move = true\n[bars.ditch]\nclause = "5.5"\nwho = "armour"\ninto = "0502"',
        "move b1 0503-0502-0503 ! legal",
        "place b1 on 0503; place ra on 0601; place r1 on 1008",
    ),
    "a zone of control where its unit can go": (
        "[zoc]\nwhere_can_move = true",
        "move b1 0503-0502-0503 ! illegal 6.2",
        "place b1 on 0503; place ra on 0601; place r1 on 1008",
    ),
    "two hexes forward after a retreat of two": (
        "[advance]\nfar_after = 2",
        """
        next ! legal
        attack 0601 with b1 b2 ba ! legal
        roll combat 5 ! legal
        retreat r1 0601-0701-0801 ! legal
        advance ba 0502-0601-0701 ! legal
        """,
        "place b1 b2 on 0501; place ba on 0502; place ra on 1008; place r3 on 0906",
    ),
    "two hexes forward after a unit was eliminated": (
        "[advance]\nfar_after = 2",
        """
        next ! legal
        attack 0601 with b1 b2 ba ! legal
        roll combat 1 ! legal
        eliminate r1 ! legal
        advance ba 0502-0601-0701 ! illegal 10.1
        """,
        "place b1 b2 on 0501; place ba on 0502; place ra on 1008; place r3 on 0906",
    ),
    "rally is easier within the reach of the guns": (
        '[states.shaken]\nnear = { who = "guns", hexes = "mp", need = 6 }',
        """
        roll rally 6 for b1 ! legal
        clear shaken b1 ! legal
        roll rally 6 for b2 ! legal
        clear shaken b2 ! illegal 14.2
        """,
        "at turn 1, Blue rally; place bg on 0401; place b1 on 0101 shaken; place b2 on 0107 shaken",
    ),
    "who finds the edge held comes on near it": (BLOCKED, "enter bn on 0303 ! legal", FULL_EDGE),
    "who finds the edge held comes on too far from it": (
        BLOCKED,
        "enter bn on 0405 ! illegal 12.1",
        FULL_EDGE,
    ),
    "who finds room on the edge comes on there": (
        BLOCKED,
        "enter bn on 0303 ! illegal 12.1",
        f"{FULL_EDGE}; place r2 on 1007",
    ),
    "lost units come back with the guns": (
        '[replacements]\nrebuild = "15.4"\nbeside = "guns"',
        "regain b1 on 0401 ! legal",
        "at turn 2, Blue rally; place b1 in blue-lost",
    ),
    "lost units come back far from the guns": (
        '[replacements]\nrebuild = "15.4"\nbeside = "guns"\nbeside_hexes = 1',
        "regain b1 on 0101 ! illegal 15.4",
        "at turn 2, Blue rally; place b1 b2 in blue-lost",
    ),
    "one of several units is withdrawn": (
        WITHDRAWN,
        "put away b1 ! legal\nput away b2 ! unproven 12.2\nnext ! legal",
        "",
    ),
    "a city through which a unit has gone gives a step": (
        "[replacements]\npoints = { blue = 0 }\nplaces = { blue = { Ashford = 1 } }",
        "move b3 0406-0506-0606 ! legal\nnext turn 1, Blue rally ! legal\nregain b1 ! legal",
        "place r2 on 1008; place b1 on 0101 steps 1",
    ),
    "a city through which a drag may have gone perhaps gives a step": (
        "[replacements]\npoints = { blue = 0 }\nplaces = { blue = { Ashford = 1 } }",
        "move b3 0406..0606 ! legal\nnext turn 1, Blue rally ! legal\nregain b1 ! unproven 15.2",
        "place r2 on 1008; place b1 on 0101 steps 1",
    ),
    "a city to which no drag has come near gives no step": (
        "[replacements]\npoints = { blue = 0 }\nplaces = { blue = { Ashford = 1 } }",
        "move b2 0301..0302 ! legal\nnext turn 1, Blue rally ! legal\nregain b1 ! illegal 15.2",
        "place r2 on 1008; place b1 on 0101 steps 1",
    ),
    "a unit long out of supply that is taken off may be the one withdrawn": (
        WITHDRAWN.replace("turn = 1", "turn = 3"),
        "next turn 1, supply ! legal\nnext turn 3, Blue movement ! legal\neliminate b1 ! legal\nnext ! legal",
        "place b1 on 1008",
    ),
    "none of several units is withdrawn": (WITHDRAWN, "next ! illegal 12.2", ""),
    "a limit that holds only with guns": (
        '[stacking.limits.guns]\nclause = "15.2"\nwho = "armour"\nif_any = "guns"',
        "move b1 0301-0401 ! legal",
        "place b2 on 0101",
    ),
    "armour does not stack with guns": (
        '[stacking.limits.guns]\nclause = "15.2"\nwho = "armour"\nif_any = "guns"',
        "move ba 0302-0301-0401 ! illegal 15.2",
        "",
    ),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_an_exception_is_judged(name: str, tmp_path: Path) -> None:
    rules, actions, places = VARIANTS[name]
    (tmp_path / "rules.toml").write_text(rules)
    (tmp_path / "game.toml").write_text(NATIONS)
    (tmp_path / "counters.csv").write_text(COUNTERS)
    assert not_met(tmp_path, actions, places) == []


def test_the_worst_of_the_defenders_is_one_that_has_the_factor(tmp_path: Path) -> None:
    """Guns without a defence of their own do not make that of others 0."""
    rules = '[combat.attack]\ndefence_of = "worst"\ndefence = "morale"'
    (tmp_path / "rules.toml").write_text(rules)
    (tmp_path / "game.toml").write_text(
        '[factors]\nmorale = { title = "morale" }\n'
        '[kinds.armour]\nfactors = ["attack", "defence", "mp", "morale"]\n'
    )
    (tmp_path / "counters.csv").write_text("id,morale\nra,3/3\nba,3/3\n")
    actions = """
    next ! legal
    attack 0601 with ba ! legal
    odds 4:1 ! slip 7.1
    odds 2:1 ! legal
    """
    assert not_met(tmp_path, actions, "place ba on 0501; place r1 ra on 0601") == []
