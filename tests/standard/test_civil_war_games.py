"""Sentences of games with command, railways and works, in which a die decides who goes first."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.standard.test_sentences_of_rulebooks import CORPS, MEMBERS
from tests.standard.variants import HERE, not_met
from vassalgen.game.checking.families import family_problems
from vassalgen.game.finding import open_game

FAR = "place r1 r2 on 1008; place r3 ra on 1007"
HALVES = (
    '[combat.attack]\nhalved_once = "5.5"\n[combat.attack.terms.mud]\nclause = "7.5"\nto = "attack"\n'
    'times = "1/2"\nattacker = "infantry"\n'
)
VARIANTS = {
    "command is not traced through enemies": (
        '[words.led]\nnear = "guns"\nhexes = 3\ntraced = "enemies"\n[bars.idle]\nclause = "5.5"\n'
        'who = "infantry and not led"\nto = "move"',
        """
        move b1 0103-0104 ! illegal 5.5
        move b2 0301-0302 ! legal
        """,
        "place bg on 0101; place b1 on 0103; place r1 on 0102; place r2 on 0202; place b2 on 0301; "
        "place r3 on 1008",
    ),
    "command is not traced through enemy zones": (
        '[words.led]\nnear = "guns"\nhexes = 3\ntraced = "zones"\n[bars.idle]\nclause = "5.5"\n'
        'who = "infantry and not led"\nto = "move"',
        """
        move b1 0104-0105 ! illegal 5.5
        move b2 0201-0101 ! legal
        """,
        "place bg on 0101; place b1 on 0104; place r1 on 0203; place b2 on 0201; place r2 r3 on 1008",
    ),
    "units out of supply, in a game that looks at it at any time": (
        '[supply]\nwhen = "always"\nlasting = 0\n[words.starved]\nout_of_supply = 1\n[bars.idle]\n'
        'clause = "5.5"\nwho = "starved"\nto = "move"',
        """
        move b1 0808-0708 ! illegal 5.5
        move b2 0808-0708 ! illegal 5.5
        move b3 0201-0301 ! legal
        """,
        f"place b1 b2 on 0808; place b3 on 0201; {FAR}",
    ),
    "guns do not end a phase alone next to the enemy": (
        '[words.beside]\nnear = "enemy"\nhexes = 1\n[words.escorted]\nnear = "infantry"\n[bars.alone]\n'
        'clause = "5.5"\nwho = "guns and beside and not escorted"\nends = "movement"',
        """
        move bg 0401-0501 ! legal
        next ! illegal 5.5
        """,
        "place bg on 0401; place r1 on 0601; place r2 r3 on 1008",
    ),
    "guns with infantry may": (
        '[words.beside]\nnear = "enemy"\nhexes = 1\n[words.escorted]\nnear = "infantry"\n[bars.alone]\n'
        'clause = "5.5"\nwho = "guns and beside and not escorted"\nends = "movement"',
        """
        move bg 0401-0501 ! legal
        move b1 0401-0501 ! legal
        next ! legal
        """,
        "place bg b1 on 0401; place r1 on 0601; place r2 r3 on 1008",
    ),
    "guns count twice on the railway": (
        '[movement.rail]\nclause = "5.5"\npoints = 9\nmost = 2\nmost_of = { guns = 2 }\nmost_clause = "5.4"\n'
        'not_after = "move"\nnot_after_clause = "5.3"\n[sequence.movement]\ndoes = "move rail"',
        """
        rail bg 0101-0201 ! legal
        rail b1 0301-0401 ! illegal 5.4
        move b2 0301-0302 ! legal
        rail b2 0302-0301 ! illegal 5.3 5.4
        """,
        f"place bg on 0101; place b1 b2 on 0301; {FAR}",
    ),
    "works cost half the points, and are removed when they are left": (
        '[markers.works]\nclause = "5.5"\nmarker = "m-mines"\nlaid_by = "infantry"\npoints = "half"\n'
        'kept_by = "infantry"\nremoved_clause = "5.3"',
        """
        move b1 0201-0202-0302 ! legal
        add m-mines on 0302 ! legal
        move b1 0302-0402 ! illegal 5.1
        move b2 0301-0302-0402-0403 ! legal
        add m-mines on 0403 ! illegal 5.5
        next ! slip 5.3
        """,
        f"place b1 on 0201; place b2 on 0301; {FAR}",
    ),
    "no unit is halved twice": (
        HALVES,
        """
        next ! legal
        attack 0601 with b1; odds 1:2 ! legal
        """,
        "place b1 on 0501 shaken unsupplied; place r1 on 0601; place r2 r3 on 1008; place ra on 1007",
    ),
    "no more guns than infantry": (
        '[combat.attack.partners.guns]\nclause = "5.5"\nwho = "guns"\none = "infantry"\neach = true',
        """
        next ! legal
        attack 0601 with bg ! illegal 5.5
        call off ! legal
        attack 0601 with bg b1 ! legal
        """,
        "place bg b1 on 0501; place r1 on 0601; place r2 r3 on 1008; place ra on 1007",
    ),
    "guns are captured by infantry only, armour by another clause": (
        '[captured]\nclause = "15.1"\nwho = "guns"\nby = "infantry"\n[captured.more.armour]\n'
        'clause = "15.4"\nwho = "armour"\nby = "infantry"',
        """
        move b1 0501-0601 ! legal
        next ! illegal 15.4
        """,
        "place b1 on 0501; place ra on 0601; place r1 r2 on 1008; place r3 on 1007",
    ),
    "infantry is shaken by a retreat": (
        '[retreat]\nstate = "shaken"\nstate_who = "infantry"\nstate_clause = "5.5"',
        """
        next ! legal
        attack 0601 with b1 ba; roll combat 1; result DR; retreat r1 0601-0701-0801 ! legal
        advance b1 0501-0601 ! legal
        next ! illegal 5.5
        """,
        "place b1 ba on 0501; place r1 on 0601; place r2 r3 on 1008; place ra on 1007",
    ),
    "armour is shaken by a retreat, infantry is not": (
        '[retreat]\nstate = "shaken"\nstate_who = "armour"\nstate_clause = "5.5"',
        """
        next ! legal
        attack 0601 with b1 ba; roll combat 1; result DR; retreat r1 0601-0701-0801 ! legal
        advance b1 0501-0601 ! legal
        next ! legal
        """,
        "place b1 ba on 0501; place r1 on 0601; place r2 r3 on 1008; place ra on 1007",
    ),
    "a step or a hex, and not both": (
        "[results.crt.DR]\ndefender = { retreat = 2, or_lose_each = 1, together = true }\n[advance]\n"
        'must_into = "wood"',
        """
        next ! legal
        attack 0601 with b1 ba; roll combat 1; result DR ! legal
        lose r1; retreat r1 0601-0701 ! legal
        settle ! legal
        """,
        "place b1 ba on 0501; place r1 on 0601; place r2 r3 on 1008; place ra on 1007",
    ),
    "a step and all hexes": (
        "[results.crt.DR]\ndefender = { retreat = 2, or_lose_each = 1, together = true }\n[advance]\n"
        'must_into = "wood"',
        """
        next ! legal
        attack 0601 with b1 ba; roll combat 1; result DR ! legal
        lose r1; retreat r1 0601-0701-0801 ! legal
        settle ! illegal 8.4
        """,
        "place b1 ba on 0501; place r1 on 0601; place r2 r3 on 1008; place ra on 1007",
    ),
    "only infantry comes back": (
        '[replacements]\npoints = { blue = 5 }\nrebuild = "15.3"\nrebuild_who = "infantry"\nhexes = "open"',
        """
        next turn 1, Blue rally
        regain b1 on 0101 ! legal
        regain ba on 0101 ! illegal 15.3
        """,
        f"place b1 ba in blue-lost; {FAR}",
    ),
    "units that are tired do not recover": (
        '[words.tired]\ndid = "move"\n[bars.tired]\nclause = "5.5"\nwho = "tired"\nto = "recover"',
        """
        move b1 0301-0302 ! legal
        next turn 1, Blue rally ! legal
        roll rally 2 for b1; clear shaken b1 ! illegal 5.5
        roll rally 2 for b2; clear shaken b2 ! legal
        """,
        f"place b1 b2 on 0301 shaken; {FAR}",
    ),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_sentence_is_judged(name: str, tmp_path: Path) -> None:
    rules, actions, places = VARIANTS[name]
    (tmp_path / "rules.toml").write_text(rules)
    (tmp_path / "game.toml").write_text(CORPS)
    (tmp_path / "counters.csv").write_text(MEMBERS)
    assert not_met(tmp_path, actions, places) == []


FORCED = """
[movement.force]
clause = "5.5"
points = "mp"
[movement.force.allowances.more]
clause = "5.5"
add = 1
[movement.far]
clause = "5.5"
points = "mp"
[movement.far.allowances.more]
clause = "5.5"
add = 2
[sequence.movement]
does = "move force far"
[words.forced]
did = "force far"
[words.far]
did = "far"
[checks.march]
clause = "15.1"
dice = "march"
need = 5
must = "movement"
who = "forced"
failed = { lose = 1 }
changes = { far = -1 }
"""
MARCH = """
[dice.march]
title = "March"
[declarations.march]
title = "March"
kinds = "infantry"
dice = "march"
"""


@pytest.mark.parametrize(
    "actions",
    [
        "force b1 0106-0107 ! legal\nroll march 6 for b1 ! legal\nlose b1 ! legal\nnext ! legal",
        "force b1 0106-0107 ! legal\nroll march 6 for b1 ! legal\nnext ! illegal 15.1",
        "far b1 0106-0107 ! legal\nroll march 5 for b1 ! legal\nnext ! illegal 15.1",
        "move b1 0106-0107 ! legal\nlose b1 ! illegal 7.1",
        "move b1 0106-0107 of any kind ! legal\nroll march 5 for b1 ! legal\nlose b1 ! unproven 7.1",
        "move b1 0106-0107 of any kind ! legal\nroll march 3 for b1 ! legal\nlose b1 ! illegal 7.1",
        "move b1 0106-0107 of any kind ! legal\nnext ! legal",
    ],
)
def test_a_forced_march_has_its_roll(actions: str, tmp_path: Path) -> None:
    """In a log the march may have been forced without need: only the roll shows it."""
    (tmp_path / "game.toml").write_text(MARCH)
    (tmp_path / "rules.toml").write_text(FORCED)
    assert not_met(tmp_path, actions, f"place b1 on 0106; {FAR}") == []


def test_words_that_wait_for_zones_are_not_remembered_half_known(tmp_path: Path) -> None:
    """Both sides' units are in zones: to ask for that of one asks for the words of the other."""
    rules = (
        '[words.held]\nzoc = true\n[words.free]\nwho = "not held"\n[bars.fast]\nclause = "5.5"\n'
        'who = "held"\nto = "attack"\n[zoc]\nwho = "infantry or armour"\n'
    )
    (tmp_path / "rules.toml").write_text(rules)
    actions = "next ! legal\nattack 0601 with b1 ! illegal 5.5\nnext turn 1, Red combat ! legal\n"
    actions += "attack 0501 with r1 ! illegal 5.5"
    places = "place b1 on 0501; place r1 on 0601; place r2 r3 on 1008; place ra on 1007"
    assert not_met(tmp_path, actions, places) == []


def test_a_line_of_supply_does_not_cross_some_hexsides(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text('[hexsides]\nbridge = "0207/0208 0108/0208 0208/0308"\n')
    (tmp_path / "rules.toml").write_text(
        '[supply]\nwhen = "always"\nnot_across = "bridge"\nlasting = 0\n[words.starved]\n'
        'out_of_supply = 1\n[bars.idle]\nclause = "5.5"\nwho = "starved"\nto = "move"\n'
    )
    actions = "move b1 0208-0207 ! illegal 5.5\nmove b2 0207-0208 ! legal"
    assert not_met(tmp_path, actions, f"place b1 on 0208; place b2 on 0207; {FAR}") == []


FIRST = """
[[sequence.opening]]
id = "initiative"
title = "Initiative"
[[sequence.opening]]
id = "first"
title = "First moves"
[[sequence.opening]]
id = "second"
title = "Second moves"
[dice.first]
title = "Initiative die"
"""
FIRST_RULES = """
[rolls.first]
clause = "3.6"
dice = "first"
phase = "initiative"
sets = "first"
values = { 1-3 = "blue", 4-6 = "red" }
[sequence.initiative]
clause = "3.6"
[sequence.first]
clause = "3.3"
does = "move"
side = "first"
[sequence.second]
clause = "3.4"
does = "move"
not_side = "first"
"""


@pytest.mark.parametrize(
    ("roll", "moves"),
    [
        (
            2,
            "move r1 0903-0904 ! illegal 3.3\nmove b1 0301-0302 ! legal\nnext ! legal\n"
            "move b1 0302-0301 ! illegal 3.4 and more\nmove r2 0903-0904 ! legal",
        ),
        (
            5,
            "move b1 0301-0302 ! illegal 3.3\nmove r1 0903-0904 ! legal\nnext ! legal\n"
            "move b2 0301-0401 ! legal",
        ),
    ],
)
def test_a_die_decides_who_goes_first(roll: int, moves: str, tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(FIRST)
    (tmp_path / "rules.toml").write_text(FIRST_RULES)
    actions = f"at turn 1, initiative\nroll first {roll} ! legal\nnext ! legal\n{moves}"
    assert not_met(tmp_path, actions, "place b1 b2 on 0301; place r1 r2 on 0903; place r3 ra on 1008") == []


WEATHER = """
[rolls.weather]
clause = "3.6"
dice = "first"
phase = "initiative"
sets = "sky"
values = { 1-3 = "rain", 4-6 = "clear" }
also = { steps = { rain = 1, clear = 2 } }
[replacements]
points = { blue = "steps" }
"""


@pytest.mark.parametrize(("roll", "second"), [("roll first 2", "illegal 15.2"), ("roll first 5", "legal")])
def test_a_roll_sets_other_entries_too(roll: str, second: str, tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(FIRST)
    (tmp_path / "rules.toml").write_text(FIRST_RULES.partition("[sequence")[2].join(("[sequence", WEATHER)))
    actions = f"at turn 1, initiative\n{roll} ! legal\nnext turn 1, Blue rally\nregain b1 ! legal\n"
    assert not_met(tmp_path, f"{actions}regain b2 ! {second}", f"place b1 b2 on 0301 steps 1; {FAR}") == []


def test_what_a_missing_roll_would_allow_is_unproven(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(FIRST)
    (tmp_path / "rules.toml").write_text(FIRST_RULES.partition("[sequence")[2].join(("[sequence", WEATHER)))
    actions = "at turn 1, initiative\nnext ! illegal 3.6\nnext turn 1, Blue rally\nregain b1 ! unproven 15.2"
    assert not_met(tmp_path, actions, f"place b1 on 0301 steps 1; {FAR}") == []


@pytest.mark.parametrize(("roll", "claim"), [(2, "legal"), (5, "illegal 13.3")])
def test_a_die_ends_the_game(roll: int, claim: str, tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(FIRST)
    rules = '[victory]\nends = { over = "yes" }\n'
    rules += '[victory.wins.red]\nclause = "13.3"\nside = "red"\notherwise = true\n'
    rules += '[rolls.over]\nclause = "3.6"\ndice = "first"\nphase = "initiative"\nsets = "over"\n'
    rules += 'values = { 1-3 = "yes", 4-6 = "no" }\n[sequence.initiative]\nclause = "3.6"\n'
    rules += '[sequence.first]\nclause = "3.3"\n[sequence.second]\nclause = "3.3"\n'
    (tmp_path / "rules.toml").write_text(rules)
    actions = f"at turn 1, initiative\nroll first {roll} ! legal\nclaim red ! {claim}"
    assert not_met(tmp_path, actions, FAR) == []


def test_a_symbol_that_is_the_name_of_another_kind_is_no_word(tmp_path: Path) -> None:
    (tmp_path / "counters.csv").write_text("id,symbol\nba,infantry\n")
    (tmp_path / "rules.toml").write_text('[bars.idle]\nclause = "5.5"\nwho = "infantry"\nto = "move"\n')
    assert not_met(tmp_path, "move ba 0302-0402 ! legal\nmove b1 0301-0302 ! illegal 5.5", FAR) == []


def test_units_recover_in_the_half_of_the_turn_that_a_die_has_given_them(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(FIRST)
    rules = '[states.shaken]\nrecovers = "first second"\ndice = "rally"\nneed = 4\n'
    (tmp_path / "rules.toml").write_text(FIRST_RULES + rules)
    actions = (
        "at turn 1, initiative\nroll first 2 ! legal\nnext ! legal\n"
        "roll rally 2 for b1; clear shaken b1 ! legal\nroll rally 2 for r1; clear shaken r1 ! illegal 14.2\n"
        "next ! legal\nroll rally 2 for r2; clear shaken r2 ! legal"
    )
    assert not_met(tmp_path, actions, "place b1 on 0301 shaken; place r1 r2 on 1008 shaken") == []


def test_two_units_of_a_side_are_in_reserve(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(
        '[states]\nreserve = { title = "Reserve", kinds = "infantry armour" }\n'
    )
    (tmp_path / "rules.toml").write_text(
        '[states.reserve]\nclause = "5.5"\nbegins = "movement"\ngiven_up = "movement"\nmost = 2\n'
    )
    actions = "mark reserve b2 ! legal\nmark reserve b3 ! illegal 5.5\nclear reserve b1 b3 ! legal\n"
    assert (
        not_met(tmp_path, f"{actions}mark reserve ba ! legal", f"place b1 reserve; place r1 reserve; {FAR}")
        == []
    )


IDLE = {
    '[sequence.movement]\nside = "weather"': "side: does nothing in a phase of a player turn",
    '[sequence.supply]\nside = "weather"': "side: is an entry that says 'mud', which is no side",
    '[words.x]\nout_of_supply = 2\n[supply]\nwhen = "always"': "counts turns, but supply is not judged",
    '[combat.attack]\nattack = "range"': "who: lets infantry attack, which has no range",
    "[movement.move]\nmost_of = { guns = 2 }": "most_of: does nothing without most",
    '[words.x]\nwho = "guns"\ntraced = "zones"': "traced: does nothing without near",
}


@pytest.mark.parametrize("rules", IDLE)
def test_a_key_that_does_nothing_is_reported(rules: str, tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(rules)
    found = [str(problem) for problem in family_problems(open_game(HERE / "divisions", [tmp_path]))]
    assert any(IDLE[rules] in problem for problem in found), found
