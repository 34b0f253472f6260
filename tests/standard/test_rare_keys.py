"""Keys of rules.toml that few games have: the small game with each of them, right and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.standard.test_words_and_checks import GAME
from tests.standard.variants import not_met

RAIDS = """
[tables.raids]
title = "Raids"
columns = ["1:2", "1:1"]
rows = ["1-3", "4-6"]
dice = "combat"
cells = [["FAIL", "FAIL"], ["FAIL", "-"]]
"""
VARIANTS = {
    "a word that the turn track says": (
        '[words.muddy]\ntrack = { weather = "mud" }\n'
        '[bars.mud]\nclause = "5.5"\nwho = "armour and muddy"\nto = "move"',
        """
        move ba 0302-0402 ! legal
        next turn 2, Blue movement ! legal
        move ba 0402-0302 ! illegal 5.5
        """,
        "",
    ),
    "units that are shaken must move towards home": (
        '[movement.move]\nmust = "15.2"\nmust_who = "shaken"\nhomeward = { blue = "west", red = "east" }',
        """
        move b3 0402-0302 ! legal
        move b1 0301-0401 ! legal
        next ! illegal 15.2
        """,
        "place b1 on 0301 shaken; place b2 on 0101 shaken; place b3 on 0402 shaken",
    ),
    "units that are shaken must move": (
        '[movement.move]\nmust = "15.2"\nmust_who = "shaken"\nhomeward = { blue = "west", red = "east" }',
        """
        move b3 0402-0302 ! legal
        next ! illegal 15.2
        """,
        "place b1 on 0301 shaken; place b2 on 0101 shaken; place b3 on 0402 shaken",
    ),
    "a shaken unit that cannot come nearer to home may stay": (
        '[movement.move]\nmust = "15.2"\nmust_who = "shaken"\nhomeward = { blue = "west", red = "east" }',
        """
        move b3 0402-0302 ! legal
        next ! legal
        """,
        "place b2 on 0101 shaken; place b3 on 0402 shaken",
    ),
    "units that must move, in any direction": (
        '[movement.move]\nmust = "15.2"\nmust_who = "armour"',
        """
        move b1 0301-0302 ! legal
        next ! illegal 15.2
        """,
        "place b1 on 0301; place ba on 0401",
    ),
    "a unit that must move and does": (
        '[movement.move]\nmust = "15.2"\nmust_who = "armour"',
        """
        move ba 0401-0501 ! legal
        next ! legal
        """,
        "place ba on 0401",
    ),
    "counters that do not count in a stack": (
        '[stacking]\nfree = "guns"',
        """
        move bg 0402-0401 ! legal
        move ba 0302-0401 ! illegal 4.1
        """,
        "place b1 b2 on 0401; place bg on 0402",
    ),
    "roads for some, with a clause of their own": (
        '[movement.move]\nroads = "not guns"\nroad_clause = "15.2"',
        """
        move b1 0101-0201-0301-0401-0501 ! legal
        move bg 0101-0201-0301-0401-0501 ! illegal 15.2
        """,
        "place b1 bg on 0101; place r1 on 1001",
    ),
    "a friend in the hex cancels the zone of control": (
        '[zoc.limits.stop]\nunless_friend = "infantry"',
        """
        move ba 0401-0501-0401 ! legal
        move b3 0903-0802-0803 ! illegal 6.2
        """,
        "place b1 on 0501; place ba on 0401; place b3 on 0903; place ra on 0702; place r3 on 1008",
    ),
    "a term for attackers that are all such": (
        '[combat.attack.terms.armour]\nclause = "7.5"\nto = "columns"\nworth = 1\nattacker = "armour"\n'
        "all_attackers = true",
        """
        next ! legal
        attack 0601 with ba ! legal
        odds 2:1 ! slip 7.5
        odds 3:1 ! legal
        call off ! legal
        attack 0601 with b1 ba ! legal
        odds 3:1 ! legal
        """,
        "place b1 ba on 0501; place ra on 1008",
    ),
    "a term for attacks from two hexes": (
        '[combat.attack.terms.around]\nclause = "7.5"\nto = "columns"\nworth = 1\nfrom_hexes = 2',
        """
        next ! legal
        attack 0601 with b1 b2 ! legal
        odds 2:1 ! legal
        call off ! legal
        attack 0601 with b1 ba ! legal
        odds 3:1 ! slip 7.5
        odds 4:1 ! legal
        """,
        "place b1 b2 on 0501; place ba on 0502; place ra on 1008",
    ),
    "friends whom a retreat does not shake": (
        '[retreat]\ndisorders = "shaken"\ndisorders_clause = "15.3"\ndisorders_not = "r3"',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        retreat r1 0601-0701-0801 ! legal
        advance ba 0501-0601 ! legal
        settle ! legal
        next ! legal
        """,
        "place b1 ba on 0501; place r3 on 0701; place ra on 1008",
    ),
    "the bonus of a leader nearby is added to the attack": (
        '[combat.attack.terms.leader]\nclause = "7.5"\nto = "columns"\nfactor = "defence"\n'
        'near = "guns"\nnear_hexes = 1\nmost = 1',
        """
        next ! legal
        attack 0601 with b1 ! legal
        odds 1:1 ! slip 7.5
        odds 2:1 ! legal
        attack 0502 with ba ! legal
        odds 2:1 ! legal
        """,
        "place b1 on 0501; place bg on 0401; place ba on 0503; place r2 on 0502; place ra on 1008",
    ),
    "dummies are lost when they are turned up": (
        '[face_down]\nclause = "7.1"\nlost = "r1"\nlost_clause = "7.2"',
        """
        next ! legal
        attack 0601 with b1 ! legal
        reveal r1 ! legal
        next ! illegal 7.2
        """,
        "place b1 on 0501; place r1 on 0601 face down; place ra on 1008",
    ),
    "attackers advance where a dummy was": (
        '[face_down]\nclause = "7.1"\nlost = "r1"\nlost_clause = "7.2"',
        """
        next ! legal
        attack 0601 with b1 ! legal
        reveal r1 ! legal
        eliminate r1 ! legal
        advance b1 0501-0601 ! legal
        next ! legal
        """,
        "place b1 on 0501; place r1 on 0601 face down; place ra on 1008",
    ),
    "a unit that is no dummy is not lost": (
        '[face_down]\nclause = "7.1"\nlost = "r2"\nlost_clause = "7.2"',
        """
        next ! legal
        attack 0601 with b1 ! legal
        reveal r1 ! legal
        eliminate r1 ! illegal 7.1
        """,
        "place b1 on 0501; place r1 on 0601 face down; place ra on 1008",
    ),
    "supply by rail only": (
        '[supply]\nroads = "11.2"\nby = "rail"',
        """
        mark unsupplied b1 ! legal
        mark unsupplied b2 ! illegal 11.1
        """,
        "place b1 on 0801; place b2 on 0601",
    ),
    "a retreat of two hexes before the dice": (
        '[retreat]\nbefore = "15.2"\nbefore_hexes = 2\nbefore_who = "armour"',
        """
        next ! legal
        attack 0801 with b1 ! legal
        retreat ra 0801-0901-1001 ! legal
        attack 0601 with ba ! legal
        retreat r1 0601-0602 ! illegal 15.2
        """,
        "place b1 on 0701; place ba on 0501",
    ),
    "a retreat before the dice from some attackers, in a kind of combat": (
        '[retreat]\nbefore = "15.2"\nbefore_in = "assault"\nbefore_from = "not armour"\n'
        '[sequence.combat]\ndoes = "attack assault"\n[combat.assault]\nclause = "7.1"\nkind = "odds"\n'
        'table = "crt"\ndice = "combat"\nattack = "attack"\ndefence = "defence"',
        """
        next ! legal
        attack 0601 with b1 ! legal
        retreat r1 0601-0701 ! illegal 15.2
        call off ! legal
        assault 0502 with b1 ba ! legal
        retreat r2 0502-0503 ! illegal 15.2
        call off ! legal
        assault 0401 with b1 ! legal
        retreat r3 0401-0301 ! legal
        """,
        "place b1 ba on 0501; place r2 on 0502; place r3 on 0401; place ra on 1008",
    ),
    "a unit that cannot retreat loses a step for each hex": (
        "[retreat]\nblocked_loses = 1",
        """
        next ! legal
        attack 0108 with b1 ba ! legal
        roll combat 1 ! legal
        lose r1 ! legal
        next ! illegal 9.4
        """,
        "place r1 on 0108; place b1 ba on 0107; place b2 b3 on 0208; place bg on 0207; place ra on 1008",
    ),
    "a roll by which a unit is lost": (
        "[states.shaken]\nfatal = [6]",
        """
        roll rally 5 for b1 ! legal
        eliminate b1 ! illegal 7.1
        roll rally 6 for b2 ! legal
        next ! illegal 14.2
        """,
        "at turn 1, Blue rally; place b1 on 0101 shaken; place b2 on 0102 shaken",
    ),
    "a roll by which a unit is lost, and it is": (
        "[states.shaken]\nfatal = [6]",
        """
        roll rally 6 for b2 ! legal
        eliminate b2 ! legal
        next ! legal
        """,
        "at turn 1, Blue rally; place b2 on 0102 shaken",
    ),
    "a state into which units come in the enemy's phase, too": (
        '[states.dug-in]\nclause = "14.1"\nbegins = "movement"\nreacts = "combat"\nreacts_who = "not armour"',
        """
        mark dug-in r1 ! illegal 14.1
        clear dug-in r1
        next ! legal
        mark dug-in r1 ! legal
        mark dug-in ra ! illegal 14.1
        mark dug-in b1 ! illegal 14.1
        """,
        "place b1 ba on 0501",
    ),
    "a state that begins in its phase, with a clause of its own": (
        '[states.dug-in]\nclause = "14.1"\nbegins = "movement"\nbegins_clause = "15.2"\nwho = "infantry"',
        """
        mark dug-in b1 ! legal
        mark dug-in ba ! illegal 15.2
        next ! legal
        mark dug-in b2 ! illegal 15.2
        """,
        "",
    ),
    "units that come in their turn or never": (
        "[reinforcements]\nlate = false",
        """
        next turn 3, Blue arrival ! legal
        enter bn on 0101 ! illegal 12.1
        """,
        "at turn 2, Blue movement",
    ),
    "lost units are rebuilt in towns": (
        '[replacements]\nrebuild = "15.4"\nhexes = "town"',
        """
        regain b1 on 0506 ! legal
        """,
        "at turn 2, Blue rally; place b1 in blue-lost",
    ),
    "lost units are rebuilt in towns alone": (
        '[replacements]\nrebuild = "15.4"\nhexes = "town"',
        """
        regain b1 on 0302 ! illegal 15.4
        """,
        "at turn 2, Blue rally; place b1 in blue-lost",
    ),
    "a side wins if few enemies are left": (
        '[victory.wins.blue]\npoints = 0\nwhen = "any"\nunits = "armour and red"\nat_most = 0',
        """
        claim blue ! illegal 13.3
        """,
        "",
    ),
    "a side wins as none is left": (
        '[victory.wins.blue]\npoints = 0\nwhen = "any"\nunits = "armour and red"\nat_most = 0',
        """
        claim blue ! legal
        """,
        "place ra in red-lost",
    ),
    "who must retreat does not advance after another attack": (
        "",
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        retreat r1 0601-0701-0801 ! legal
        attack 0502 with b1 ! illegal 7.2
        roll combat 3 ! legal
        advance b1 0501-0601 battle 1 ! unproven 10.1
        """,
        "place b1 ba on 0501; place ra r3 on 1008; place r2 on 0502; place b2 on 0101",
    ),
    "a result that only another kind of combat has": (
        '[sequence.movement]\ndoes = "move raid"\n[combat.raid]\nclause = "7.1"\nkind = "odds"\n'
        'table = "raids"\ndice = "combat"\nattack = "attack"\ndefence = "defence"\n'
        '[results.raids.FAIL]\nclause = "8.1"\nattacker = { lose = 1 }',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 3 ! legal
        result FAIL ! slip 7.1
        attack 0601 with b2 ! unproven 7.3
        attack 0502 with ba ! unproven 7.2
        """,
        "place b1 ba on 0501; place b2 on 0602; place ra r3 on 1008; place r2 on 0502",
    ),
    "the strongest unit takes the first loss": (
        '[results.crt.A1]\nattacker = { lose = 1, first_by = "attack" }',
        """
        next ! legal
        attack 0601 with b1 ba bg ! legal
        odds 1:1
        roll combat 1 ! legal
        lose b1 ! legal
        next ! illegal 8.2
        """,
        "place b1 ba on 0501; place bg on 0502; place ra r1 on 0601; place r2 r3 on 1008",
    ),
    "of the strongest units any takes the first loss": (
        '[results.crt.A1]\nattacker = { lose = 1, first_by = "attack" }',
        """
        next ! legal
        attack 0601 with b1 b2 ! legal
        odds 1:1
        roll combat 1 ! legal
        lose b2 ! legal
        next ! legal
        """,
        "place b1 b2 on 0501; place ra r1 on 0601; place r2 r3 on 1008",
    ),
    "a level of victory": (
        '[victory.wins.decisive]\nclause = "13.1"\nside = "blue"\npoints = 9\nwhen = "any"\n'
        '[victory.wins.blue]\npoints = 0\nwhen = "any"',
        """
        claim blue ! legal
        claim blue-blue ! legal
        claim blue-decisive ! illegal 13.1
        """,
        "",
    ),
    "a unit that is taken off the map without a reason": (
        "",
        """
        put away b1 ! unproven 7.1
        """,
        "",
    ),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_rule_is_judged(name: str, tmp_path: Path) -> None:
    rules, actions, places = VARIANTS[name]
    (tmp_path / "rules.toml").write_text(rules)
    (tmp_path / "game.toml").write_text(GAME)
    (tmp_path / "tables.toml").write_text(RAIDS)
    assert not_met(tmp_path, actions, places) == []
