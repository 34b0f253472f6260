"""Sentences that many published rulebooks print: the small game with each of them, right and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.standard.test_words_and_checks import GAME
from tests.standard.variants import not_met

DICE = '\n[dice.weather]\ntitle = "Weather die"\n'
CORPS = """
[formations]
corps = { title = "1st Corps", side = "blue" }
division = { title = "1st Division", side = "blue", part_of = "corps" }
other = { title = "2nd Division", side = "blue" }
"""
MEMBERS = (
    "id,kind,name,formation,count\nb1,,,division,\nb2,,,other,\nb3,,,division,\nbg,,,corps,\n"
    "m-air,marker,Interdiction,,4\nm-mines,marker,Mines,,4\n"
)
WEATHER = (
    '[rolls.weather]\nclause = "3.6"\ndice = "weather"\nphase = "movement"\nsets = "weather"\n'
    'values = { 1-2 = "mud", 3-6 = "clear" }\n'
)
VARIANTS = {
    "weather that is rolled for": (
        WEATHER,
        """
        roll weather 2 ! legal
        move b1 0304-0305-0306 ! legal
        roll weather 5 ! unproven 3.6
        move b2 0407-0406-0405-0404 ! illegal 5.1
        next ! legal
        roll weather 3 ! slip 3.6
        next turn 1, Red movement ! legal
        roll weather 6 ! legal
        move r3 0903-0902-0802-0801 ! legal
        next turn 2, Blue arrival ! legal
        move b1 0306-0307-0308-0408 ! illegal 3.2 5.1
        """,
        "place b1 on 0304; place b2 on 0407; place r1 r2 on 1008; place r3 on 0903",
    ),
    "weather that was not rolled": (
        WEATHER,
        """
        next ! illegal 3.6
        """,
        "",
    ),
    "a roll in some turns alone, which may be left out": (
        WEATHER + "turns = [2]\nmay = true\n",
        """
        roll weather 2 ! slip 3.6
        next ! legal
        """,
        "",
    ),
    "weather by the season": (
        WEATHER + 'season = "weather"\nvalues_of = { mud = { 1-6 = "frost" } }\n'
        '[words.frozen]\ntrack = { weather = "frost" }\n'
        '[bars.frozen]\nclause = "5.5"\nwho = "armour and frozen"\nto = "move"',
        """
        roll weather 1 ! legal
        next turn 2, Blue movement ! illegal 3.6
        roll weather 1 ! legal
        move ba 0302-0402 ! illegal 5.5
        """,
        "",
    ),
    "replacements that are rolled for": (
        '[rolls.steps]\nclause = "3.6"\ndice = "weather"\nphase = "arrival"\nsets = "steps"\n'
        'values = { 1-3 = 0, 4-6 = 2 }\n[replacements]\npoints = { blue = "steps", red = "steps" }',
        """
        next turn 1, Red arrival ! legal
        roll weather 4 ! legal
        next turn 1, Red rally ! legal
        regain r1 ! legal
        next turn 2, Blue arrival ! legal
        roll weather 2 ! legal
        next turn 2, Blue rally ! legal
        regain b1 ! illegal 15.2
        """,
        "place b1 steps 1; place r1 steps 1",
    ),
    "the net shift is limited": (
        '[combat.attack]\ncolumns_within = [-1, 1]\nwithin_clause = "7.4"\n'
        '[combat.attack.terms.armour]\nclause = "7.2"\nto = "columns"\nworth = 2\nattacker = "armour"',
        """
        next ! legal
        attack 0601 with ba ! legal
        odds 4:1 ! slip 7.4
        odds 2:1 ! slip 7.2
        odds 3:1 ! legal
        call off ! legal
        attack 0702 with b2 ! legal
        odds 1:2 ! legal
        """,
        "place b1 ba on 0501; place b2 on 0602; place ra r3 on 1008; place r2 on 0702",
    ),
    "in place of a retreat a unit may be shaken": (
        '[results.crt.DR]\ndefender = { retreat = 1, or_state = "shaken" }',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        mark shaken r1 ! legal
        settle ! legal
        """,
        "place b1 ba on 0501; place ra r3 on 1008",
    ),
    "a unit that neither retreats nor is shaken": (
        '[results.crt.DR]\ndefender = { retreat = 1, or_state = "shaken" }',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        settle ! illegal 9.1
        """,
        "place b1 ba on 0501; place ra r3 on 1008",
    ),
    "no attack farther than three hexes, whatever the range": (
        '[combat.attack]\nrange = "attack"\nrange_most = 3',
        """
        next ! legal
        attack 0601 with b1 ! legal
        call off ! legal
        attack 0601 with b2 ! illegal 7.1
        """,
        "place b1 on 0301; place b2 on 0201; place ra r3 on 1008",
    ),
    "some see over what blocks the line": (
        '[combat.attack]\nrange = 4\nsight = "7.4"\nblocked_by = "wood"\nsight_not = "guns"',
        """
        next ! legal
        attack 0604 with b2 ! illegal 7.4
        call off ! legal
        attack 0604 with bg ! legal
        """,
        "place b2 bg on 0602; place r1 on 0604; place r2 r3 on 1008",
    ),
    "smoke in a hex blocks the line": (
        '[combat.attack]\nrange = 4\nsight = "7.4"\nmarked_block = "m-mines"',
        """
        add m-mines on 0607
        next ! legal
        attack 0608 with b2 ! illegal 7.4
        call off ! legal
        remove m-mines from 0607
        attack 0608 with b2 ! legal
        """,
        "place b2 on 0606; place r1 on 0608; place r2 r3 on 1008",
    ),
    "armour attacks a wood only with infantry": (
        '[combat.attack.partners.wood]\nclause = "7.4"\nwho = "armour"\none = "infantry"\nhexes = "wood"',
        """
        next ! legal
        attack 0603 with ba ! illegal 7.4
        call off ! legal
        attack 0603 with ba b1 ! legal
        """,
        "place b1 ba on 0602; place r1 on 0603; place r2 r3 on 1008",
    ),
    "armour attacks open ground alone": (
        '[combat.attack.partners.wood]\nclause = "7.4"\nwho = "armour"\none = "infantry"\nhexes = "wood"',
        """
        next ! legal
        attack 0601 with ba ! legal
        """,
        "place ba on 0602; place r1 on 0601; place r2 r3 on 1008",
    ),
    "a leader within two hexes makes recovery easier, losses make it harder": (
        '[states.shaken]\nadds = "defence"\nadds_within = 2\nchanges = { reduced = -2 }',
        """
        next turn 1, Blue rally ! legal
        roll rally 5 for b1 ! legal
        clear shaken b1 ! legal
        roll rally 4 for b3 ! legal
        clear shaken b3 ! illegal 14.2
        """,
        "place bg on 0101; place b1 on 0103 shaken; place b2 ba on 1001; place b3 on 0208 steps 1 shaken",
    ),
    "a part of a result with a clause of its own": (
        '[results.crt.DR]\ndefender = [{ retreat = 1 }, { lose = 1, clause = "7.4" }]',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        retreat r1 0601-0701 ! legal
        advance ba 0501-0601 ! legal
        settle ! illegal 7.4
        """,
        "place b1 ba on 0501; place ra r3 on 1008",
    ),
    "attackers may choose a lower column": (
        "[combat.attack]\nlower = true",
        """
        next ! legal
        attack 0601 with ba b1 ! legal
        odds 2:1 ! legal
        odds 4:1 ! slip 7.1
        odds 1:1 ! legal
        roll combat 1 ! legal
        result A1 ! legal
        lose ba ! legal
        settle ! legal
        """,
        "place b1 ba on 0501; place ra r3 on 1008",
    ),
    "air points are spent on battles": (
        '[combat.attack.by_hand.air]\nclause = "7.2"\nto = "columns"\nvalues = [1, 2]\n'
        '[stores.air]\nclause = "7.3"\npoints = { blue = 2 }\nsaves = false\ncosts = { air = 1 }\n'
        '[combat.attack]\ntarget_once = "7.1"',
        """
        next ! legal
        attack 0601 with b1 ! legal
        odds 2:1 ! legal
        roll combat 5 ! legal
        lose r1 ! legal
        settle ! legal
        attack 0502 with b2 ! legal
        odds 3:1 ! slip 7.3
        odds 2:1 ! legal
        roll combat 5 ! legal
        """,
        "place b1 on 0501; place b2 on 0602; place ra r3 on 1008; place r2 on 0502",
    ),
    "support adds to the strength of the defence": (
        '[combat.attack.by_hand.shells]\nclause = "7.2"\nto = "defence"\nvalues = [3]\ndefender = "infantry"',
        """
        next ! legal
        attack 0601 with b1 ! legal
        odds 1:2 attack 4 defence 6 ! legal
        odds 1:1 ! legal
        odds 2:1 ! slip 7.1
        """,
        "place b1 on 0501; place ra r3 on 1008",
    ),
    "an overrun ends the move unless the hex is cleared": (
        '[sequence.movement]\ndoes = "move overrun"\n[combat.overrun]\nclause = "7.2"\nkind = "odds"\n'
        'table = "crt"\ndice = "combat"\nattack = "attack"\ndefence = "defence"\npoints = 2\n'
        'points_clause = "7.3"\ngoes_on = "cleared"\ngoes_on_clause = "7.4"',
        """
        move ba 0301-0401 ! legal
        overrun 0501 with ba ! legal
        roll combat 1 ! legal
        move ba 0401-0301 ! illegal 7.4
        """,
        "place ba on 0301; place r1 on 0501; place ra on 1001; place b1 b2 on 0108",
    ),
    "the hex is cleared, and it goes on": (
        '[sequence.movement]\ndoes = "move overrun"\n[combat.overrun]\nclause = "7.2"\nkind = "odds"\n'
        'table = "crt"\ndice = "combat"\nattack = "attack"\ndefence = "defence"\npoints = 2\n'
        'points_clause = "7.3"\ngoes_on = "cleared"\ngoes_on_clause = "7.4"',
        """
        move ba 0301-0401 ! legal
        overrun 0501 with ba ! legal
        roll combat 1 ! legal
        lose ba ! legal
        eliminate r1 ! legal
        settle ! unproven 10.3
        move ba 0401-0501-0601 ! legal
        """,
        "place ba on 0301; place r1 on 0501; place r3 ra on 1001; place b1 b2 on 0108",
    ),
    "an advance after some kinds of combat alone": (
        '[sequence.movement]\ndoes = "move overrun"\n[combat.overrun]\nclause = "7.2"\nkind = "odds"\n'
        'table = "crt"\ndice = "combat"\nattack = "attack"\ndefence = "defence"\n[advance]\nafter = "attack"',
        """
        overrun 0501 with ba ! legal
        roll combat 1 ! legal
        lose ba ! legal
        eliminate r1 ! legal
        advance ba 0401-0501 ! illegal 10.1
        settle ! legal
        """,
        "place ba on 0401; place r1 on 0501; place r3 ra on 1001; place b1 b2 on 0108",
    ),
    "units that keep to the road go farther": (
        '[movement.move]\nroad_bonus = 1\nroad_bonus_clause = "5.3"',
        """
        move b1 0101-0201-0301-0401-0501-0601-0701-0801-0901-1001 ! legal
        move b2 0101-0102-0202-0201-0301-0401-0501-0601 ! illegal 5.1
        move b3 0102-0101-0201 ! legal
        move b3 0201-0301-0401-0501-0601-0701-0801 ! illegal 5.1
        move bg 0101-0201-0301-0401-0501-0601-0701-0801-0901-1001 ! illegal 5.3
        """,
        "place b1 b2 bg on 0101; place b3 on 0102; place ra r1 r2 r3 on 1008",
    ),
    "units that stay out of supply lines lose a step without a roll": (
        '[words.moved]\ndid = "move"\n[checks.staying]\nclause = "11.5"\nmust = "rally"\n'
        'who = "infantry and not moved"\nfailed = { lose = 1 }',
        """
        move b1 0301-0201 ! legal
        next turn 1, Blue rally ! legal
        lose b2 ! legal
        next ! illegal 11.5
        """,
        "place b3 on 0108",
    ),
    "replacements for places that are held": (
        "[replacements]\npoints = {}\n[replacements.places.blue]\nAshford = 1",
        """
        next turn 1, Blue rally ! legal
        regain b1 ! legal
        regain b2 ! illegal 15.2
        """,
        "place b1 b2 steps 1; place b3 on 0506",
    ),
    "the leader of the corps commands its divisions": (
        '[words.commanded]\nnear = "superior and guns"\nhexes = 2\n'
        '[bars.command]\nclause = "5.5"\nwho = "blue and infantry and not commanded"\nto = "move"',
        """
        move b1 0301-0302 ! legal
        move b2 0301-0201 ! illegal 5.5
        move b3 0406-0407 ! illegal 5.5
        """,
        "place bg on 0201",
    ),
    "a marker of a state that is over by itself comes off late": (
        '[states.dug-in]\nclause = "14.1"\nbegins = "movement"\ngiven_up = "movement"\nends_by = "retreat"',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        retreat r1 0601-0701-0801 ! legal
        place r1 dug-in
        clear dug-in r1 ! legal
        clear dug-in r2 ! illegal 14.1
        """,
        "place b1 ba on 0501; place r1 dug-in; place r2 dug-in; place ra on 1001",
    ),
    "guns that fire from afar are not harmed": (
        "[combat.attack]\nrange_of = { guns = 2 }\nunharmed_from = 2",
        """
        next ! legal
        attack 0601 with bg ! legal
        roll combat 1 ! legal
        settle ! legal
        attack 0502 with b3 ! legal
        roll combat 1 ! legal
        settle ! illegal 8.2
        """,
        "place bg on 0401; place r1 on 0601; place ra on 1001; place b3 on 0602; place r2 on 0502",
    ),
    "garrisons wait until the enemy comes": (
        '[words.awake]\nnear = "enemy"\nhexes = 2\njudged = "movement"\nstays = true\n'
        '[bars.asleep]\nclause = "5.5"\nwho = "not awake"\nto = "move"',
        """
        next turn 2, Blue movement
        move b1 0601-0501 ! legal
        move b2 0301-0302 ! illegal 5.5
        next turn 3, Blue movement
        move b1 0501-0401-0301 ! legal
        next turn 4, Blue movement
        move b1 0301-0201 ! legal
        move b3 0406-0405 ! illegal 5.5
        """,
        "place b1 on 0601; place r1 on 0801; place ra r2 r3 on 1008",
    ),
    "a unit regains one step, and comes back in no zone of control": (
        '[replacements]\nclause = "15.2"\npoints = { blue = 9 }\nunit_once = "15.3"\nnot_in_zoc = "15.1"\n'
        'rebuild = "15.2"',
        """
        next turn 1, Blue rally ! legal
        regain b1 ! legal
        regain b2 on 0502 ! illegal 15.1
        regain b3 on 0102 ! legal
        regain b3 ! illegal 15.3
        """,
        "place b1 steps 1; place b2 b3 in blue-lost; place r1 on 0601",
    ),
    "interdiction and fortifications are markers in hexes": (
        '[markers.interdiction]\nclause = "5.5"\nmarker = "m-air"\nhexes = 1\ndoes = 2\nwho = "blue"\n'
        '[markers.mines]\nclause = "6.2"\nmarker = "m-mines"\ndoes = "stop"\n'
        '[words.fortified]\nmarked = "m-mines"\n'
        '[combat.attack.terms.fort]\nclause = "7.2"\nto = "columns"\nworth = -1\ndefender = "fortified"',
        """
        add m-air on 0305
        move b1 0301-0302-0303-0304 ! illegal 5.5
        remove m-air from 0305
        move b2 0301-0401-0402 ! legal
        add m-mines on 0407
        move b3 0406-0407-0408 ! illegal 6.2
        place b1 on 0501
        add m-mines on 0601
        next ! legal
        attack 0601 with b1 ! legal
        odds 1:1 ! slip 7.2
        odds 1:2 ! legal
        """,
        "place ra on 1001",
    ),
    "a victory of some turns": (
        '[victory.wins.early]\nclause = "13.1"\nside = "blue"\nplaces = "Ashford"\n'
        'turns = [1, 2]\nwhen = "any"',
        """
        claim blue-early ! legal
        next turn 3, Blue arrival
        claim blue-early ! illegal 13.1
        """,
        "place b3 on 0506",
    ),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_sentence_is_judged(name: str, tmp_path: Path) -> None:
    rules, actions, places = VARIANTS[name]
    (tmp_path / "rules.toml").write_text(rules)
    (tmp_path / "game.toml").write_text(GAME + DICE + CORPS)
    (tmp_path / "counters.csv").write_text(MEMBERS)
    assert not_met(tmp_path, actions, places) == []
