"""Words of a game's own, what rests on them, and checks: the small game with such rules, right and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.engine.actions import Action
from referee.engine.rulebook import PHASE_UNSEEN
from referee.games import find_rules
from referee.judge import judge_record
from referee.record import parse
from referee.standard.notes import WORDS
from tests.standard.variants import HERE, not_met
from vassalgen.game.checking.families import family_problems
from vassalgen.game.finding import open_game

COMMANDED = '[words.commanded]\nnear = "guns"\nhexes = 2\n'
MORALE = """
[checks.morale]
clause = "14.2"
dice = "morale"
need = 4
adds = "mp"
failed = { state = "shaken" }
[checks.morale.changes]
reduced = -1
[checks.morale.failed_by]
3 = { state = "shaken", lose = 1 }
[results.crt.DS]
clause = "8.7"
attacker = { check = "morale" }
"""
GAME = """
[states.dug-in]
title = "Dug in"
kinds = "infantry armour"
[factors]
courage = { title = "courage" }
[dice]
morale = { title = "Morale", count = 2 }
[declarations.morale]
title = "Morale"
kinds = "infantry armour guns"
about = "counter"
dice = "morale"
"""
VARIANTS = {
    "units out of command do not move": (
        COMMANDED + '[bars.command]\nclause = "5.5"\nwho = "not commanded and not guns"\nto = "move"',
        """
        move b1 0301-0201 ! legal
        move b3 0406-0306 ! illegal 5.5
        """,
        "",
    ),
    "units out of command have half their points": (
        COMMANDED + '[movement.move.allowances.command]\nclause = "5.5"\ntimes = "1/2"\n'
        'who = "not commanded and not guns"',
        """
        move b1 0302-0202-0102-0103 ! legal
        move b3 0406-0306-0206 ! legal
        move b3 0206-0106 ! illegal 5.5
        """,
        "place b1 on 0302",
    ),
    "more points than the others have": (
        '[movement.move.allowances.forced]\nclause = "5.5"\nwho = "armour"\nadd = 1\npoints = 5',
        """
        move ba 0402-0302-0202-0102-0103-0104-0105 ! legal
        move ba 0105-0106 ! illegal 5.1
        """,
        "place ba on 0402",
    ),
    "as when the phase began": (
        '[words.commanded]\nnear = "guns"\nhexes = 2\njudged = "movement"\n'
        '[bars.command]\nclause = "5.5"\nwho = "not commanded and not guns"\nto = "move"',
        """
        move bg 0301-0201-0101 ! legal
        move b1 0401-0501 ! legal
        move b3 0406-0306 ! illegal 5.5
        """,
        "place bg on 0301; place b1 on 0401; place ra on 1001",
    ),
    "a word of the turn, and of what was done": (
        '[words.night]\nturns = [1]\n[words.tired]\ndid = "move"\n'
        '[bars.night]\nclause = "5.5"\nwho = "night and armour or tired"\nto = "attack"',
        """
        move b2 0301-0401-0501 ! legal
        next ! legal
        attack 0601 with b1 ! legal
        call off ! legal
        attack 0601 with ba ! illegal 5.5
        call off ! legal
        attack 0601 with b2 ! illegal 5.5
        """,
        "place b1 on 0501; place ba on 0502",
    ),
    "next to the enemy, and in his zone": (
        '[words.engaged]\nnear = "enemy and infantry"\nhexes = 1\n'
        '[words.fixed]\nzoc = true\nwithin = "wood"\n'
        '[bars.engaged]\nclause = "5.5"\nwho = "engaged and armour or fixed and guns"\nto = "move"',
        """
        move b1 0502-0401 ! legal
        move ba 0501-0401 ! illegal 5.5
        move bg 0603-0503 ! illegal 5.5
        """,
        "place ba on 0501; place b1 on 0502; place bg on 0603; place ra on 0602",
    ),
    "stacks by steps, and of one kind unless with guns": (
        '[stacking.limits.steps]\nclause = "9.5"\nlimit = 3\nby = "steps"\n'
        '[stacking.limits.alike]\nclause = "5.5"\nalike = "kind"\nunless = "guns"',
        """
        move b1 0301-0201 ! legal
        move b2 0301-0201 ! illegal 9.5
        move ba 0302-0402 ! illegal 5.5
        move ba 0402-0401 ! legal
        """,
        "place b3 on 0402 steps 1; place r1 on 1001",
    ),
    "guns do not attack alone, and no more than two attack": (
        '[combat.attack]\nmost = 2\nmost_clause = "7.2"\nalike = "kind"\nalike_clause = "7.3"\n'
        '[combat.attack.partners.guns]\nclause = "5.5"\nwho = "guns"\none = "infantry"',
        """
        next ! legal
        attack 0601 with bg ! illegal 5.5
        call off ! legal
        attack 0601 with b1 bg ! illegal 7.3
        call off ! legal
        attack 0601 with b1 b2 ! legal
        call off ! legal
        attack 0601 with b1 b2 b3 ! illegal 7.2
        """,
        "place b1 bg on 0501; place b2 b3 on 0502",
    ),
    "terms of a battle": (
        '[combat.attack.terms.armour]\nclause = "7.5"\nto = "columns"\nworth = 1\nattacker = "armour"\n'
        'defender = "not armour"\nall_defenders = true\n'
        '[combat.attack.terms.outflanked]\nclause = "5.5"\nto = "die"\nworth = -1\nopposite = true\n'
        '[combat.attack.terms.guns]\nclause = "7.4"\nto = "attack"\ntimes = 2\nattacker = "guns"\n'
        'hexes = "wood"',
        """
        next ! legal
        attack 0601 with ba ! legal
        odds 2:1 ! slip 7.5
        odds 3:1 ! legal
        call off ! legal
        attack 0601 with b1 b2 ! legal
        odds 2:1 ! legal
        modifier 0 ! slip 5.5
        modifier -1 ! legal
        call off ! legal
        attack 0603 with bg ! legal
        odds 2:1 ! legal
        odds 1:1 ! slip 7.1
        """,
        "place b1 ba on 0501; place b2 on 0702; place bg on 0602; place r3 on 0603",
    ),
    "other lines of supply for some": (
        '[supply.lines.armour]\nclause = "11.3"\nwho = "armour"\nlength = 2\nsources = "guns"\n'
        '[supply]\ntowns = "town"',
        """
        mark unsupplied ba ! illegal 11.3
        clear unsupplied b1 ! illegal 11.1
        mark unsupplied b3 ! illegal 11.1
        """,
        "place ba on 0706; place bg on 0606; place b1 on 0803; place b3 on 0507; place b2 on 0506",
    ),
    "replacements cost points, are saved, and are of pools": (
        '[replacements]\npoints = { blue = 1 }\nsaves = true\nwho = "not guns"\ncosts = { armour = 2 }\n'
        '[replacements.pools.guns]\nwho = "armour"\npoints = { blue = 2 }\n'
        '[sequence.movement]\nclause = "3.3"\ndoes = "move replace"',
        """
        regain b1 ! legal
        regain b2 ! illegal 15.2
        regain bg ! illegal 15.2
        regain ba ! legal
        regain ba ! illegal 15.2
        """,
        "place b1 on 0301 steps 1; place b2 on 0301 steps 1; place ba on 0302 steps 1",
    ),
    "replacement points that are saved": (
        '[replacements]\npoints = { blue = 1 }\nsaves = true\nwho = "infantry"\n'
        '[sequence.movement]\nclause = "3.3"\ndoes = "move replace"',
        """
        regain b1 ! legal
        regain b2 ! illegal 15.2
        next turn 3, Blue movement
        place b1 b2 b3 on 0301 steps 1
        regain b1 ! legal
        regain b3 ! illegal 15.2
        """,
        "place b1 on 0301 steps 1; place b2 on 0301 steps 1",
    ),
    "a place scores at the end of each turn": (
        "[victory.points.towns]\nevery_turn = true\nplaces = { Ashford = 1, Bexley = 1 }\n"
        '[victory.wins.blue]\npoints = 2\nwhen = "any"',
        """
        claim blue ! illegal 13.3
        next turn 2, Blue movement
        claim blue ! illegal 13.3
        next turn 3, Blue movement
        claim blue ! legal
        """,
        "place b1 on 0506",
    ),
    "the printed factors of losses score": (
        '[victory.points.losses]\nclause = "13.2"\nside = "blue"\nlosses = 1\nof = "attack"\n'
        '[victory.wins.blue]\npoints = 5\nwhen = "any"',
        """
        claim blue ! illegal 13.3
        place r1 in red-lost
        claim blue ! legal
        """,
        "place r3 in red-lost",
    ),
    "units score where they are": (
        '[victory.points.woods]\nclause = "13.2"\nside = "blue"\nunits = 4\nwho = "armour"\nhexes = "wood"\n'
        '[victory.wins.blue]\nwhen = "any"',
        """
        claim blue ! illegal 13.3
        move ba 0302-0303 ! legal
        claim blue ! legal
        """,
        "",
    ),
    "some of several places are enough": (
        '[victory.wins.blue]\npoints = 0\nwhen = "any"\nplaces = ["Ashford", "Bexley"]\nsome = 1',
        """
        claim blue ! illegal 13.3
        move b3 0406-0506 ! legal
        claim blue ! legal
        """,
        "",
    ),
    "a withdrawal": (
        '[withdrawals.armour]\nclause = "15.4"\nwho = "ba or bg"\nturn = 1\nphase = "movement"',
        """
        put away ba ! legal
        next ! illegal 15.4
        """,
        "",
    ),
    "units dig in": (
        '[states.dug-in]\nclause = "14.1"\nbegins = "movement"\ngiven_up = "movement"\npoints = 2\n'
        'who = "infantry"\nends_by = "attack"',
        """
        mark dug-in b1 ! legal
        move b1 0501-0401 ! legal
        clear dug-in b1 ! illegal 14.1
        mark dug-in ba ! illegal 14.1
        mark dug-in b2 ! legal
        next ! legal
        mark dug-in b3 ! illegal 14.1
        attack 0601 with b2 ! legal
        odds 1:1 ! legal
        """,
        "place b1 on 0501; place b2 on 0501",
    ),
    "a result asks for a check of morale": (
        MORALE,
        """
        next ! legal
        attack 0601 with b1 b2 ! legal
        odds 2:1 ! legal
        roll combat 4 ! legal
        mark shaken r1 ! legal
        roll morale 1 1 for r1 ! slip 14.2
        roll morale 1 1 for b1 ! legal
        next ! illegal 14.2
        """,
        "place b1 b2 on 0501; place r1 on 0601",
    ),
    "a check that is passed, and one that is failed": (
        MORALE,
        """
        next ! legal
        attack 0601 with b1 b2 ! legal
        roll combat 4 ! legal
        mark shaken r1 ! legal
        roll morale 4 4 for b1 ! legal
        roll morale 5 6 for b2 ! legal
        mark shaken b1 ! illegal 14.1
        mark shaken b2 ! legal
        lose b2 ! legal
        next ! legal
        """,
        "place b1 b2 on 0501; place r1 on 0601",
    ),
    "a check that is failed and nothing done": (
        MORALE,
        """
        next ! legal
        attack 0601 with b1 b2 ! legal
        roll combat 4 ! legal
        mark shaken r1 ! legal
        roll morale 4 4 for b1 ! legal
        roll morale 5 4 for b2 ! legal
        next ! illegal 14.2
        """,
        "place b1 b2 on 0501; place r1 on 0601",
    ),
    "a unit that is shaken already checks all the same": (
        MORALE,
        """
        next ! legal
        attack 0601 with b1 b2 ! illegal 14.1
        odds 2:1 ! legal
        roll combat 4 ! legal
        mark shaken r1 ! legal
        roll morale 1 1 for b2 ! legal
        next ! illegal 14.2
        """,
        "place b1 on 0501 shaken; place b2 ba on 0502; place r1 on 0601",
    ),
    "the dice by themselves mean something": (
        '[combat.attack.natural]\n"6" = { clause = "15.4", attacker = { lose = 1 } }',
        """
        next ! legal
        attack 0601 with b1 ! legal
        roll combat 6 ! legal
        retreat r1 0601-0701-0801 ! legal
        advance b1 0501-0601 ! legal
        next ! illegal 15.4
        """,
        "place b1 on 0501; place ra on 1001",
    ),
    "a clause of movement and of a bar": (
        COMMANDED + '[movement.move.allowances.command]\nclause = "5.5"\ntimes = "1/2"\n'
        'who = "not commanded and not guns"\n[bars.river]\nclause = "5.1"\nacross = "river"',
        """
        move b3 0406-0306-0206-0106 ! illegal 5.5
        """,
        "",
    ),
    "a result makes only those check who make that check": (
        MORALE.replace("adds =", 'who = "not guns"\nadds ='),
        """
        next ! legal
        attack 0601 with b1 bg ! legal
        roll combat 4 ! legal
        roll morale 1 1 for bg ! slip 14.2
        roll morale 1 1 for b1 ! legal
        mark shaken r1 ! legal
        next ! legal
        """,
        "place b1 bg on 0501; place ra on 1008",
    ),
    "a unit without the factor that a check needs makes none": (
        MORALE.replace("need = 4", 'need = "courage"'),
        """
        next ! legal
        attack 0601 with b1 bg ! legal
        roll combat 4 ! legal
        roll morale 1 1 for b1 ! slip 14.2
        mark shaken r1 ! legal
        next ! legal
        """,
        "place b1 bg on 0501; place ra on 1008",
    ),
    "attackers are alike in one of two kinds of combat": (
        '[sequence.combat]\ndoes = "attack assault"\n'
        '[combat.assault]\nclause = "7.1"\nkind = "odds"\ntable = "crt"\ndice = "combat"\n'
        'attack = "attack"\ndefence = "defence"\nalike = "kind"\nalike_clause = "7.3"',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        call off ! legal
        assault 0601 with b1 ba ! illegal 7.3
        """,
        "place b1 on 0501; place ba on 0502; place ra on 1008",
    ),
    "others in the hex of a loss are in danger": (
        '[checks.danger]\nclause = "15.4"\ndice = "morale"\nneed = 11\nwho = "guns"\nafter_losses = true\n'
        'failed = { lose = "all" }',
        """
        next ! legal
        attack 0601 with b1 ! legal
        odds 1:1 ! legal
        roll combat 1 ! legal
        lose b1 ! legal
        roll morale 6 6 for bg ! legal
        next ! illegal 15.4
        """,
        "place b1 bg on 0501",
    ),
    "all in danger roll": (
        '[checks.danger]\nclause = "15.4"\ndice = "morale"\nneed = 11\nwho = "guns"\nafter_losses = true\n'
        'failed = { lose = "all" }',
        """
        next ! legal
        attack 0601 with b1 ! legal
        odds 1:1 ! legal
        roll combat 1 ! legal
        lose b1 ! legal
        next ! illegal 15.4
        """,
        "place b1 bg on 0501",
    ),
    "units out of supply roll for attrition": (
        '[checks.attrition]\nclause = "11.5"\ndice = "morale"\nneed = 7\nwho = "reduced"\nmust = "movement"\n'
        "failed = { lose = 1 }",
        """
        roll morale 1 1 for b2 ! slip 11.5
        roll morale 3 3 for ba ! legal
        roll morale 6 3 for b1 ! legal
        next ! illegal 11.5
        """,
        "place b1 on 0301 steps 1; place b3 on 0406; place ba on 0302 steps 1",
    ),
    "units that are found in supply need not roll for attrition": (
        '[checks.attrition]\nclause = "11.5"\ndice = "morale"\nneed = 7\nmust = "supply"\n'
        'who = "unsupplied"\n'
        "failed = { lose = 1 }",
        """
        next turn 1, supply
        next ! legal
        """,
        "place b1 on 0201 unsupplied",
    ),
    "units that are found out of supply do": (
        '[checks.attrition]\nclause = "11.5"\ndice = "morale"\nneed = 7\nmust = "supply"\n'
        'who = "unsupplied"\n'
        "failed = { lose = 1 }",
        """
        next turn 1, supply
        next ! illegal 11.5
        """,
        "place b1 on 0908",
    ),
    "a check that lets units leave a zone": (
        '[checks.slip]\nclause = "14.2"\ndice = "morale"\nneed = 7\nmay = "movement"\n'
        '[words.slipped]\npassed = "slip"\n'
        '[zoc.limits.stuck]\nclause = "6.3"\non = "leaving"\ndoes = "forbid"\nwho = "not slipped"',
        """
        move b1 0501-0502 ! illegal 6.3
        roll morale 3 3 for b2 ! legal
        move b2 0501-0401 ! legal
        roll morale 6 6 for ba ! legal
        roll morale 3 3 for ba ! unproven 14.2
        move ba 0502-0402 ! legal
        """,
        "place b1 b2 on 0501; place ba on 0502; place bg on 0101; place r1 on 0601",
    ),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_rule_is_judged(name: str, tmp_path: Path) -> None:
    rules, actions, places = VARIANTS[name]
    (tmp_path / "rules.toml").write_text(rules)
    (tmp_path / "game.toml").write_text(GAME)
    assert not_met(tmp_path, actions, places) == []


def test_what_was_judged_when_an_unseen_phase_began_is_not_proven(tmp_path: Path) -> None:
    rules, _, places = VARIANTS["as when the phase began"]
    (tmp_path / "rules.toml").write_text(rules)
    setup = ["set up", "during turn 1, Blue movement", *places.split("; ")]
    text = "\n".join(["game divisions", "", "case", *setup, "move b3 0406-0306 ! unproven 5.5"])
    [(_, statements)] = judge_record(parse(text, str(HERE / "x.record"), [tmp_path]))
    [(breach, failed)] = [(one.ruling.breaches[0], one.failed) for one in statements if one.ruling]
    assert not failed
    assert breach.facts["unless"] == PHASE_UNSEEN


MISTAKES = {
    "[words.shaken]\nturns = [1]": "is a word that means something else in this game",
    "[words.tired]\ncount = 2": "does not say when it is true",
    '[words.one]\nwho = "two"\n[words.two]\nwho = "one"': "depends on itself",
    '[bars.night]\nclause = "5.5"\nwho = "armour"': "names neither hexes (into) nor hexsides (across)",
    '[checks.morale]\nclause = "5.5"\ndice = "combat"\nneed = 3': "are also rolled for something else",
    '[transfers.sea]\nclause = "5.5"\nmost = 2': "has no clause, so nothing judges it",
    '[words.far]\nnear = "leader"': "there is no kind, side, nation",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_reported(text: str, tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(text)
    found = [str(problem) for problem in family_problems(open_game(HERE / "divisions", [tmp_path]))]
    assert any(MISTAKES[text] in problem for problem in found), found


@pytest.mark.parametrize("setup", ["set up; at turn 1, Blue movement", "at turn 1, Blue movement; set up"])
def test_the_phase_begins_in_whatever_order_set_up_and_moment_are_named(setup: str, tmp_path: Path) -> None:
    words = COMMANDED + 'judged = "movement"\n'
    (tmp_path / "rules.toml").write_text(
        words + '[bars.command]\nclause = "5.5"\nwho = "not commanded and not guns"\nto = "move"'
    )
    text = f"game divisions\n\ncase\n{setup}\nmove b3 0406-0306"
    ((_, statements),) = judge_record(parse(text, str(HERE / "x.record"), [tmp_path]))
    found = [breach.clause for one in statements if one.ruling for breach in one.ruling.breaches]
    assert found == ["5.5"]


def test_the_first_phase_of_a_game_that_is_played_begins_too(tmp_path: Path) -> None:
    words = COMMANDED + 'judged = "arrival"\n'
    (tmp_path / "rules.toml").write_text(
        words + '[bars.command]\nclause = "5.5"\nwho = "not commanded and not guns"\nto = "move"'
    )
    game = open_game(HERE / "divisions", [tmp_path])
    world = find_rules(game).world(game)
    position = world.rulebook.start(world)
    for action in (Action("next"), Action("move", ("bg",), ("0401", "0501"))):
        position = position.play(action).position
    assert position.noted(WORDS)["commanded"] == ("b1", "b2", "ba")


@pytest.mark.parametrize(
    "says", ["lost = 8", "out_of_supply = 2", "turns = [1]", 'track = { weather = "mud" }']
)
def test_one_condition_is_enough_for_a_word(says: str, tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(f"[words.beaten]\n{says}")
    found = [str(problem) for problem in family_problems(open_game(HERE / "divisions", [tmp_path]))]
    assert not [one for one in found if "does not say when it is true" in one]


def test_a_rule_may_name_single_counters_and_check_knows_them(tmp_path: Path) -> None:
    rules, _, _ = VARIANTS["a withdrawal"]
    (tmp_path / "rules.toml").write_text(rules)
    assert not [
        one for one in family_problems(open_game(HERE / "divisions", [tmp_path])) if "'ba'" in str(one)
    ]
