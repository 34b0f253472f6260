"""Sentences of games of brigades: doubled once, empty hexes first, batteries and woods, victory by ratio."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.standard.variants import HERE, not_met
from vassalgen.game.checking.families import family_problems
from vassalgen.game.finding import open_game

FAR = "place r2 r3 ra on 1008"
DOUBLED = (
    '[combat.attack.terms.works]\nclause = "7.5"\nto = "defence"\ntimes = 2\ndefender = "infantry"\n'
    'group = "ground"\n[combat.attack.terms.hill]\nclause = "7.5"\nto = "defence"\ntimes = 2\n'
    'hexes = "open"\ngroup = "ground"\n'
)
EMPTY_FIRST = '[retreat]\nempty_first = "5.5"\n[results.crt.DR]\ndefender = { retreat = 1 }\n'
ROUND_R1 = "at turn 1, Blue combat; place b1 b2 ba on 0301; place r1 on 0401; place r3 ra on 1008"
COUNTER = (
    '[results.crt.AR]\nclause = "8.8"\nattacker = { retreat = 1 }\n'
    '[advance]\ndefenders = true\ndefenders_who = "not infantry"\ndefenders_clause = "5.5"\n'
)
VARIANTS = {
    "doubled on a hill and behind works, but never more than doubled": (
        DOUBLED,
        """
        attack 0401 with b1 b2 ! legal
        odds 1:1 ! legal
        """,
        f"at turn 1, Blue combat; place b1 b2 on 0301; place r1 on 0401; {FAR}",
    ),
    "doubled twice, in a game without such a sentence": (
        DOUBLED.replace('group = "ground"\n', ""),
        """
        attack 0401 with b1 b2 ! legal
        odds 1:1 ! slip 7.1
        """,
        f"at turn 1, Blue combat; place b1 b2 on 0301; place r1 on 0401; {FAR}",
    ),
    "the greater of two multiples counts, wherever it stands": (
        DOUBLED.replace("times = 2", "times = 4", 1),
        """
        attack 0401 with b1 b2 ba ! legal
        odds 1:1 ! legal
        """,
        f"at turn 1, Blue combat; place b1 b2 ba on 0301; place r1 on 0401; {FAR}",
    ),
    "batteries do not fire into woods from afar": (
        '[combat.attack.range_of]\nguns = 2\n[bars.woods]\nclause = "5.5"\nwho = "guns"\ninto = "wood"\n'
        'to = "attack"\n',
        """
        attack 0603 with bg ! illegal 5.5
        """,
        f"at turn 1, Blue combat; place bg on 0402; place r1 on 0603; {FAR}",
    ),
    "batteries fire into the open from afar": (
        '[combat.attack.range_of]\nguns = 2\n[bars.woods]\nclause = "5.5"\nwho = "guns"\ninto = "wood"\n'
        'to = "attack"\n',
        """
        attack 0602 with bg ! legal
        """,
        f"at turn 1, Blue combat; place bg on 0402; place r1 on 0602; {FAR}",
    ),
    "a unit retreats into an empty hex if there is one": (
        EMPTY_FIRST,
        """
        attack 0401 with b1 b2 ! legal
        roll combat 2 ! legal
        retreat r1 0401-0501 ! illegal 5.5
        """,
        f"{ROUND_R1}; place r2 on 0501",
    ),
    "the empty hex": (
        EMPTY_FIRST,
        """
        attack 0401 with b1 b2 ! legal
        roll combat 2 ! legal
        retreat r1 0401-0502 ! legal
        """,
        f"{ROUND_R1}; place r2 on 0501",
    ),
    "units of a stack retreat into one hex": (
        EMPTY_FIRST,
        """
        attack 0401 with b1 b2 ba ! legal
        roll combat 2 ! legal
        retreat r1 0401-0502 ! legal
        retreat r2 0401-0502 ! legal
        """,
        f"{ROUND_R1}; place r2 on 0401",
    ),
    "a unit retreats to its friends if there is no empty hex": (
        EMPTY_FIRST,
        """
        attack 0401 with b1 b2 ! legal
        roll combat 2 ! legal
        retreat r1 0401-0501 ! legal
        """,
        "at turn 1, Blue combat; place b1 b2 ba on 0301; place r1 on 0401; place r2 on 0501; "
        "place r3 on 0502; place ra on 1008; place b3 on 0403",
    ),
    "defenders follow attackers that retreat, but infantry does not": (
        COUNTER,
        """
        attack 0401 with b1 ! legal
        roll combat 3 ! legal
        retreat b1 0301-0201 ! legal
        advance r1 0401-0301 ! illegal 5.5
        """,
        f"at turn 1, Blue combat; place b1 on 0301; place r1 on 0401; {FAR}",
    ),
    "armour follows attackers that retreat": (
        COUNTER,
        """
        attack 0401 with b1 ! legal
        roll combat 3 ! legal
        retreat b1 0301-0201 ! legal
        advance ra 0401-0301 ! legal
        """,
        "at turn 1, Blue combat; place b1 on 0301; place ra on 0401; place r1 r2 r3 on 1008",
    ),
    "half again as many points as the enemy": (
        '[victory.points.lost]\nclause = "13.2"\nside = "blue"\nlosses = 1\nof = "attack"\n'
        '[victory.points.red]\nclause = "13.2"\nside = "red"\nlosses = 1\nof = "attack"\n'
        '[victory.wins.blue]\npoints = 0\nratio = "3/2"\n',
        """
        claim blue ! legal
        """,
        "at turn 4, supply; place r1 r2 in red-lost; place b1 in blue-lost",
    ),
    "fewer than half again as many": (
        '[victory.points.lost]\nclause = "13.2"\nside = "blue"\nlosses = 1\nof = "attack"\n'
        '[victory.points.red]\nclause = "13.2"\nside = "red"\nlosses = 1\nof = "attack"\n'
        '[victory.wins.blue]\npoints = 0\nratio = "3/2"\n',
        """
        claim blue ! illegal 13.3
        """,
        "at turn 4, supply; place ra in red-lost; place b1 in blue-lost",
    ),
    "units that leave the map are worth twice their strength": (
        '[victory.points.gone]\nclause = "13.2"\nside = "blue"\nexits = "gone-east"\nworth = 2\n'
        'of = "attack"\n[victory.wins.blue]\npoints = 8\n',
        """
        claim blue ! legal
        """,
        "at turn 4, supply; place b1 in gone-east",
    ),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_sentence_is_judged(name: str, tmp_path: Path) -> None:
    rules, actions, places = VARIANTS[name]
    (tmp_path / "rules.toml").write_text(rules)
    assert not_met(tmp_path, actions, places) == []


IDLE = {
    '[supply]\nwhen = "always"\n': "lasting: counts turns, but supply is not judged in a phase",
    '[advance]\ndefenders_who = "infantry"\n': "defenders_who: does nothing without defenders",
}


@pytest.mark.parametrize("rules", IDLE)
def test_a_key_that_does_nothing_is_reported(rules: str, tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(rules)
    found = [str(problem) for problem in family_problems(open_game(HERE / "divisions", [tmp_path]))]
    assert any(IDLE[rules] in problem for problem in found), found
