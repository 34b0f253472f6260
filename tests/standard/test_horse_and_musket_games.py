"""Sentences of games with cavalry, morale and works: who must advance, who flees, what counts together."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.standard.variants import HERE, not_met
from vassalgen.game.checking.families import family_problems
from vassalgen.game.finding import open_game

FAR = "place r2 r3 on 1008; place ra on 1007"
FLIGHT = (
    '[states.shaken]\nforbids = "move"\n[movement.flee]\nclause = "5.5"\nwho = "shaken"\npoints = 2\n'
    'cost = "move"\n[sequence.movement]\ndoes = "move flee"'
)
VARIANTS = {
    "units of a strength of 4 or more": (
        '[words.strong]\nfactor = "attack"\nat_least = 4\n[bars.strong]\nclause = "5.5"\nwho = "strong"\n'
        'to = "move"',
        """
        move b1 0101-0102 ! illegal 5.5
        move b3 0101-0102 ! legal
        move b2 0201-0301 ! legal
        """,
        f"place b1 b3 on 0101; place b2 on 0201 reduced; {FAR}",
    ),
    "units of a strength of 2 to 3": (
        '[words.weak]\nfactor = "attack"\nat_least = 2\nat_most = 3\n[bars.weak]\nclause = "5.5"\n'
        'who = "weak"\nto = "move"',
        """
        move b1 0101-0102 ! legal
        move b3 0101-0102 ! illegal 5.5
        move b2 0201-0301 ! illegal 5.5
        """,
        f"place b1 b3 on 0101; place b2 on 0201 reduced; {FAR}",
    ),
    "infantry, armour and guns together": (
        '[combat.attack.terms.together]\nclause = "7.2"\nto = "columns"\nworth = 1\n'
        'attacker_kinds = "infantry armour guns"',
        """
        next ! legal
        attack 0601 with b1 bg; odds 2:1 ! legal
        odds 3:1 ! slip 7.1
        call off ! legal
        attack 0601 with b1 bg ba; odds 4:1 ! legal
        """,
        f"place b1 bg on 0501; place ba on 0602; place r1 on 0601; {FAR}",
    ),
    "an advance that must be made only after another kind of combat": (
        '[sequence.combat]\ndoes = "attack charge"\n[combat.charge]\nclause = "7.2"\nkind = "odds"\n'
        'table = "crt"\ndice = "combat"\nattack = "attack"\ndefence = "defence"\n[advance]\n'
        'must_after = "charge"',
        """
        next ! legal
        attack 0601 with b1 ba; roll combat 1; retreat r1 0601-0701-0801; settle ! legal
        """,
        f"place b1 ba on 0501; place r1 on 0601; {FAR}",
    ),
    "an advance that must be made after this kind of combat": (
        '[advance]\nmust_after = "attack"',
        """
        next ! legal
        attack 0601 with b1 ba; roll combat 1; retreat r1 0601-0701-0801; settle ! illegal 10.3
        """,
        f"place b1 ba on 0501; place r1 on 0601; {FAR}",
    ),
    "shaken units do not move, they flee": (
        FLIGHT,
        """
        move b1 0301-0302 ! illegal 14.1
        flee b2 0401-0402 ! legal
        """,
        f"place b1 on 0301 shaken; place b2 on 0401 shaken; {FAR}",
    ),
    "shaken twice, by a clause of its own": (
        '[states.shaken]\nagain = "eliminated"\nagain_clause = "5.5"',
        """
        next ! legal
        attack 0601 with b1 ba; roll combat 4; settle ! illegal 5.5
        """,
        f"place b1 on 0501 reduced; place ba on 0501; place r1 on 0601 shaken; {FAR}",
    ),
    "units recover in the enemy player turn": (
        '[sequence.rally]\npassive = "recover"\n[states.shaken]\nrecovers_by = "passive"',
        """
        next turn 1, Blue rally ! legal
        roll rally 1 for b1 ! legal
        clear shaken b1 ! illegal 14.2
        roll rally 1 for r1 ! legal
        clear shaken r1 ! legal
        """,
        f"place b1 on 0301 shaken; place r1 on 0601 shaken; {FAR}",
    ),
    "who digs in has not come into the hex": (
        '[markers.works]\nclause = "5.5"\nmarker = "m-mines"\nlaid_by = "infantry"\npoints = "all"\n'
        'removed_by = "infantry"\nremoved_clause = "5.3"',
        """
        add m-mines on 0201 ! legal
        next ! legal
        """,
        f"place b1 on 0201; {FAR}",
    ),
    "markers are taken off in the player turn of one side": (
        '[markers.works]\nclause = "5.5"\nmarker = "m-mines"\ngone = "combat"\nside = "red"',
        """
        next turn 1, Blue combat
        next ! legal
        next turn 1, Red combat ! legal
        next ! slip 5.5
        """,
        f"place b1 on 0201; place m-mines on 0201; {FAR}",
    ),
    "who comes takes the works off": (
        '[markers.works]\nclause = "5.5"\nmarker = "m-mines"\nlaid_by = "infantry"\npoints = "all"\n'
        'removed_by = "infantry"\nremoved_clause = "5.3"',
        """
        add m-mines on 0201 ! legal
        move b2 0101-0201 ! legal
        next ! slip 5.3
        """,
        f"place b1 on 0201; place b2 on 0101; {FAR}",
    ),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_sentence_is_judged(name: str, tmp_path: Path) -> None:
    rules, actions, places = VARIANTS[name]
    (tmp_path / "rules.toml").write_text(rules)
    if "m-mines" in rules:
        counters = (HERE / "divisions" / "counters.csv").read_text()
        (tmp_path / "counters.csv").write_text(f"{counters}m-mines,marker,,Works,,,,,printed\n")
    assert not_met(tmp_path, actions, places) == []


def test_units_recover_by_themselves_in_the_last_phase_of_their_player_turn(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text('[states.tired]\ntitle = "Tired"\nkinds = "infantry armour"\n')
    (tmp_path / "rules.toml").write_text(
        '[states.tired]\nclause = "5.5"\nforbids = "move"\nrecovers = "rally"\nautomatic = true\n'
    )
    actions = """
        next turn 1, Blue rally ! legal
        next turn 2, Blue movement
        move b1 0301-0302 ! legal
        next turn 2, Red movement
        move r1 0601-0602 ! legal
        """
    assert not_met(tmp_path, actions, f"place b1 on 0301 tired; place r1 on 0601 tired; {FAR}") == []


def problems(tmp_path: Path, rules: str) -> str:
    (tmp_path / "rules.toml").write_text(rules)
    return "\n".join(map(str, family_problems(open_game(HERE / "divisions", [tmp_path]))))


def test_a_word_may_ask_for_a_marker_alone(tmp_path: Path) -> None:
    assert "does not say when it is true" not in problems(tmp_path, '[words.entrenched]\nmarked = "m-mines"')


def test_a_kind_that_is_named_beside_all_kinds_is_reported(tmp_path: Path) -> None:
    found = problems(tmp_path, '[states.shaken]\nforbids = "move exploit"')
    assert "'move' means all kinds, so 'exploit' adds nothing" in found
