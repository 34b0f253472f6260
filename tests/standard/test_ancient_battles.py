"""Sentences of games with lines of battle: leaders, recovery by degrees, stakes, charges, withdrawals."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.judge import judge_record
from referee.record import parse
from tests.standard.variants import HERE, not_met
from vassalgen.game.checking.families import family_problems
from vassalgen.game.finding import open_game

FAR = "place r2 r3 on 1008; place ra on 1007"
STAKES = (
    '[markers.works]\nclause = "5.5"\nmarker = "m-mines"\nlaid = "movement"\nlaid_by = "infantry"\n'
    'removed_by = "enemy"\nremoved_clause = "5.3"'
)
BY_DEGREES = '[states.broken]\nclause = "14.1"\nrecovers = "rally"\nrecovery = "14.2"\nbecomes = "shaken"'
ROLLED = f'{BY_DEGREES}\ndice = "rally"\nneed = 4\n[states.shaken]\nforbids = "attack"'
ROUGH = (
    '[states.shaken.by_moving.rough]\nclause = "5.5"\nwho = "infantry"\ninto = "wood"\n'
    '[states.shaken.by_moving.wet]\nclause = "5.3"\nacross = "river"\n'
    '[results.crt.DS]\ndefender = { state = "shaken" }'
)
VARIANTS = {
    "a unit that recovers by degrees is marked with the lesser state": (
        BY_DEGREES,
        "next turn 1, Blue rally; clear broken b1 ! legal\nmark shaken b1 ! legal\nnext ! legal",
        f"place b1 on 0301 broken; {FAR}",
    ),
    "the marker of the lesser state is forgotten": (
        BY_DEGREES,
        "next turn 1, Blue rally; clear broken b1 ! legal\nnext ! illegal 14.2",
        f"place b1 on 0301 broken; {FAR}",
    ),
    "the lesser state is marked first": (
        ROLLED,
        "next turn 1, Blue rally; roll rally 2 for b1; mark shaken b1 ! legal\nclear broken b1 ! legal\n"
        "next ! legal",
        f"place b1 on 0301 broken; {FAR}",
    ),
    "a marker that was taken off without a roll is reported once": (
        ROLLED,
        "next turn 1, Blue rally; clear broken b1 ! illegal 14.2\nnext ! legal",
        f"place b1 on 0301 broken; {FAR}",
    ),
    "a unit recovers from both states in one phase": (
        BY_DEGREES,
        "next turn 1, Blue rally; clear broken b1 ! legal\nmark shaken b1 ! legal\n"
        "roll rally 1 for b1; clear shaken b1 ! legal\nnext ! legal",
        f"place b1 on 0301 broken; {FAR}",
    ),
    "some enemies need not be attacked": (
        '[combat.attack]\nmust_be_attacked = "7.3"\nmust_be_attacked_whom = "not armour"',
        "next ! legal\nnext ! legal",
        "place b1 on 0501; place ra on 0601; place r1 r2 on 1008; place r3 on 1007",
    ),
    "others must be": (
        '[combat.attack]\nmust_be_attacked = "7.3"\nmust_be_attacked_whom = "not armour"',
        "next ! legal\nnext ! illegal 7.3",
        f"place b1 on 0501; place r1 on 0601; {FAR}",
    ),
    "the enemy of the side that planted the stakes takes them off": (
        STAKES,
        "add m-mines on 0301 ! legal\nmove b1 0301-0302\nnext turn 1, Red movement\n"
        "move r1 0401-0301 ! legal\nnext ! slip 5.3",
        f"place b1 on 0301; place r1 on 0401; {FAR}",
    ),
    "a friend does not": (
        STAKES,
        "add m-mines on 0301 ! legal\nmove b2 0201-0301 ! legal\nnext ! legal",
        f"place b1 on 0301; place b2 on 0201; {FAR}",
    ),
    "armour attacks infantry only together with infantry": (
        '[combat.attack.partners.armour]\nclause = "7.2"\nwho = "armour"\none = "infantry"\n'
        'against = "infantry"',
        "next ! legal\nattack 0601 with ba ! illegal 7.2\ncall off\nattack 0601 with ba b1 ! legal\n"
        "attack 0402 with b2 ! legal\ncall off\nattack 0402 with bg ! legal",
        "place ba b1 on 0501; place r1 on 0601; place ra on 0402; place b2 bg on 0401; place r2 r3 on 1008",
    ),
    "armour attacks armour alone": (
        '[combat.attack.partners.armour]\nclause = "7.2"\nwho = "armour"\none = "infantry"\n'
        'against = "infantry"',
        "next ! legal\nattack 0601 with ba ! legal",
        "place ba on 0501; place ra on 0601; place r1 on 1007; place r2 r3 on 1008",
    ),
    "no charge across the river": (
        '[combat.attack.terms.charge]\nclause = "7.2"\nto = "attack"\ntimes = 2\nattacker = "armour"\n'
        'not_across = "river"',
        "next ! legal\nattack 0904 with ba; odds 1:1 ! legal\ncall off\n"
        "attack 0805 with b1; odds 1:1 ! legal",
        "place ba on 0804; place r1 on 0904; place b1 on 0806; place r2 on 0805; place r3 ra on 1008",
    ),
    "a charge elsewhere": (
        '[combat.attack.terms.charge]\nclause = "7.2"\nto = "attack"\ntimes = 2\nattacker = "armour"\n'
        'not_across = "river"',
        "next ! legal\nattack 0601 with ba; odds 4:1 ! legal\nodds 2:1 ! slip 7.2",
        f"place ba on 0501; place r1 on 0601; {FAR}",
    ),
    "only an attack across the river": (
        '[combat.attack.terms.wet]\nclause = "7.2"\nto = "columns"\nworth = -1\nacross = "river"',
        "next ! legal\nattack 0904 with ba b1; odds 1:1 ! legal",
        f"place ba b1 on 0804; place r1 on 0904; {FAR}",
    ),
    "armour that attacked must advance itself": (
        '[advance]\nunits = 2\nmust_who = "armour"',
        "next ! legal\nattack 0601 with b1 ba; roll combat 1; retreat r1 0601-0701-0801\n"
        "advance b1 0501-0601 ! legal\nsettle ! illegal 10.3",
        f"place b1 ba on 0501; place r1 on 0601; {FAR}",
    ),
    "armour advances and others need not": (
        '[advance]\nunits = 2\nmust_who = "armour"',
        "next ! legal\nattack 0601 with b1 ba; roll combat 1; retreat r1 0601-0701-0801\n"
        "advance ba 0501-0601 ! legal\nsettle ! legal",
        f"place b1 ba on 0501; place r1 on 0601; {FAR}",
    ),
    "nobody must advance where no armour attacked": (
        '[advance]\nmust_who = "armour"',
        "next ! legal\nattack 0601 with b1 b2; roll combat 2; retreat r1 0601-0701-0801; settle ! legal",
        f"place b1 b2 on 0501; place r1 on 0601; {FAR}",
    ),
    "some withdraw before all attackers, others before few": (
        '[retreat]\nbefore = "15.2"\nbefore_from = "not armour"\nbefore_always = "armour"',
        "next ! legal\nattack 0601 with ba; retreat ra 0601-0701 ! legal\n"
        "attack 0305 with b2 b3; retreat r2 0305-0306 ! legal",
        "place ba on 0501; place ra on 0601; place b2 b3 on 0304; place r2 on 0305; place r1 r3 on 1008",
    ),
    "those others do not": (
        '[retreat]\nbefore = "15.2"\nbefore_from = "not armour"\nbefore_always = "armour"',
        "next ! legal\nattack 0601 with ba; retreat r1 0601-0701 ! illegal 15.2",
        f"place ba on 0501; place r1 on 0601; {FAR}",
    ),
    "a retreat before the dice that is too long breaks one clause": (
        '[retreat]\nbefore = "15.2"',
        "next ! legal\nattack 0601 with b1; retreat r1 0601-0701-0801 ! illegal 15.2",
        f"place b1 on 0501; place r1 on 0601; {FAR}",
    ),
    "rough ground disorders": (
        ROUGH,
        "move b1 0302-0303 ! legal\nnext ! illegal 5.5",
        f"place b1 on 0302; {FAR}",
    ),
    "rough ground disorders, and that is marked": (
        ROUGH,
        "move b1 0302-0303 ! legal\nmark shaken b1 ! legal\nnext ! legal",
        f"place b1 on 0302; {FAR}",
    ),
    "rough ground on the way disorders": (
        ROUGH,
        "move b1 0302-0303-0304 ! legal\nnext ! illegal 5.5",
        f"place b1 on 0302; {FAR}",
    ),
    "where a drag went is not known": (
        ROUGH,
        "move b1 0302..0304 ! legal\nnext ! legal",
        f"place b1 on 0302; {FAR}",
    ),
    "a drag may have led through rough ground": (
        ROUGH,
        "move b1 0302..0304 ! legal\nmark shaken b1 ! legal\nnext ! legal",
        f"place b1 on 0302; {FAR}",
    ),
    "a drag ends in rough ground": (
        ROUGH,
        "move b1 0301..0303 ! legal\nnext ! illegal 5.5",
        f"place b1 on 0301; {FAR}",
    ),
    "open ground does not disorder": (
        ROUGH,
        "move b1 0301-0302 ! legal\nmark shaken b1 ! illegal 14.1",
        f"place b1 on 0301; {FAR}",
    ),
    "a unit that stays in rough ground is not disordered, nor one of another sort": (
        ROUGH,
        "move ba 0603-0602 ! legal\nnext ! legal",
        f"place b1 on 0303; place ba on 0603; {FAR}",
    ),
    "crossing a river disorders": (
        ROUGH,
        "move b1 0804-0904 ! legal\nnext ! illegal 5.3",
        f"place b1 on 0804; {FAR}",
    ),
    "a move into rough ground that is taken back": (
        ROUGH,
        "move b1 0302..0303 ! legal\nmove b1 0303..0302 ! legal\nnext ! legal",
        f"place b1 on 0302; {FAR}",
    ),
    "a unit that leaves on its date may be put into any box": (
        '[withdrawals.guards]\nclause = "5.5"\nwho = "b1"\nturn = 1\nphase = "movement"',
        "exit b1 to gone-east ! legal\nnext ! legal",
        f"place b1 on 0302; {FAR}",
    ),
    "one that does not leave": (
        '[withdrawals.guards]\nclause = "5.5"\nwho = "b1"\nturn = 1\nphase = "movement"',
        "exit b2 to gone-east ! illegal 3.3 15.4",
        f"place b1 b2 on 0302; {FAR}",
    ),
    "a drag may have been of either kind of movement, a path that is named only of its own": (
        '[movement.trot]\nclause = "5.3"\npoints = 6\ncost = "move"\n[sequence.movement]\ndoes = "move trot"',
        "move b1 0801..0803 ! legal\nmove b1 0803-0804 ! legal\ntrot b1 0804-0805 ! illegal 5.3\n"
        "move b2 0101..0102 ! legal\ntrot b2 0102-0103 ! legal",
        "place b1 on 0801; place b2 on 0101; place r1 r2 on 1008; place r3 ra on 1007",
    ),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_sentence_is_judged(name: str, tmp_path: Path) -> None:
    rules, actions, places = VARIANTS[name]
    (tmp_path / "rules.toml").write_text(rules)
    (tmp_path / "game.toml").write_text('[states.broken]\ntitle = "Broken"\nkinds = "infantry"\n')
    if "m-mines" in rules:
        counters = (HERE / "divisions" / "counters.csv").read_text()
        (tmp_path / "counters.csv").write_text(f"{counters}m-mines,marker,,Stakes,,,,,printed\n")
    assert not_met(tmp_path, actions, places) == []


ONE_CLAUSE = '[retreat]\naway = "9.1"\neach_step = "9.1"\nstacking = "9.1"\ntoward = "9.1"\nzoc = "9.1"\n' + (
    'home = { red = "east", blue = "west" }'
)


def found(tmp_path: Path, rules: str, actions: str, places: str, game: str = "") -> list[str]:
    """Return what the rulings of a variant say."""
    (tmp_path / "rules.toml").write_text(rules)
    (tmp_path / "game.toml").write_text(game)
    setup = ["set up", "at turn 1, Blue combat", *places.split("; ")]
    record = parse(
        "\n".join(["game divisions", "", "case", *setup, actions]), str(HERE / "x.record"), [tmp_path]
    )
    return [
        f"{breach.clause}: {breach.says}"
        for _, statements in judge_record(record)
        for judged in statements
        if judged.ruling
        for breach in judged.ruling.breaches
    ]


def test_a_finding_names_what_a_retreat_did_wrong_where_one_clause_says_all(tmp_path: Path) -> None:
    says = found(
        tmp_path,
        ONE_CLAUSE,
        "attack 0601 with b1 ba; roll combat 1; retreat r1 0601-0701-0801-0901",
        f"place b1 ba on 0501; place r1 on 0601; {FAR}",
    )
    assert says == [
        "9.1: 1st Rifles end their retreat in 0901, 3 hexes from 0601; they must end 2 hexes away."
    ]


LEADER = """[kinds.leader]
title = "leader"
factors = ["mp"]
along = true
attacked = true
"""


def test_a_leader_is_not_counted_among_those_who_lose_steps(tmp_path: Path) -> None:
    counters = (HERE / "divisions" / "counters.csv").read_text()
    (tmp_path / "counters.csv").write_text(f"{counters}rl,leader,red,Red Leader,,,6,1,printed\n")
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "meeting.toml").write_text('[[setup]]\ncounters = "rl"\nat = "0601"\n')
    rules = '[results.crt.D1]\ndefender = { lose = 2, first = "not armour" }'
    actions = "attack 0601 with b1 bg; roll combat 2; eliminate r3; settle"
    places = "place b1 on 0501; place bg on 0602; place r3 rl on 0601; place r1 r2 on 1008; place ra on 1007"
    assert found(tmp_path, rules, actions, places, LEADER) == []


def test_what_a_failed_check_costs_is_said_with_its_clause(tmp_path: Path) -> None:
    rules = (
        '[results.crt.DR]\nclause = "8.4"\n'
        'defender = [{ lose = "all", each = true, who = "guns", clause = "8.2" },'
        ' { check = "nerve" }]\n'
        '[checks.nerve]\nclause = "8.6"\ndice = "nerve"\nneed = 3\nfailed = { lose = "all" }'
    )
    actions = "attack 0601 with b1 ba; roll combat 1; roll nerve 5 for r1; settle"
    dice = '[dice.nerve]\ntitle = "Nerve"\n[declarations.nerve]\ntitle = "Nerve"\ndice = "nerve"\n'
    says = found(tmp_path, rules, actions, f"place b1 ba on 0501; place r1 on 0601; {FAR}", dice)
    assert [one.partition(":")[0] for one in says] == ["8.6"]


STEADY = (
    '[checks.nerve]\nclause = "5.5"\ndice = "nerve"\nneed = 3\nbefore = "attack"\nwho = "armour"\n'
    'before_against = "armour"\nfailed = { state = "shaken" }\n'
    '[results.crt.DS]\ndefender = { state = "shaken" }\n[advance]\nmust_except = "armour"'
)
CHARGE = "next ! legal\nattack 0601 with b1 ba"
BEFORE = {
    "a unit that is steady": (
        f"{CHARGE}; roll nerve 3 for ba ! legal\nroll combat 5\nlose ra; settle ! legal",
        "ra",
    ),
    "nobody checks": (f"{CHARGE}; roll combat 5; lose ra; settle ! illegal 5.5", "ra"),
    "the check comes late": (f"{CHARGE}; roll combat 5; roll nerve 2 for ba; lose ra; settle ! legal", "ra"),
    "it fails and is not marked": (
        f"{CHARGE}; roll nerve 4 for ba; roll combat 5; lose ra; settle ! illegal 5.5",
        "ra",
    ),
    "it fails and is marked": (
        f"{CHARGE}; roll nerve 4 for ba; mark shaken ba ! legal\n"
        "roll combat 5; mark shaken ra; settle ! legal",
        "ra",
    ),
    "against others nobody checks": (f"{CHARGE}; roll combat 2; lose r1; settle ! legal", "r1"),
    "who does not check rolls for nothing": (f"{CHARGE}; roll nerve 2 for b1 ! slip 5.5", "ra"),
}


@pytest.mark.parametrize("name", BEFORE)
def test_a_check_is_made_for_an_attack(name: str, tmp_path: Path) -> None:
    actions, enemy = BEFORE[name]
    (tmp_path / "rules.toml").write_text(STEADY)
    (tmp_path / "game.toml").write_text(
        '[dice.nerve]\ntitle = "Nerve"\n[declarations.nerve]\ntitle = "Nerve"\ndice = "nerve"\n'
    )
    others = " ".join(sorted({"r1", "ra"} - {enemy}))
    places = f"place b1 ba on 0501; place {enemy} on 0601; place r2 r3 on 1008; place {others} on 1007"
    assert not_met(tmp_path, actions, places) == []


def test_a_state_by_moving_says_where(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text('[states.shaken.by_moving.rough]\nclause = "5.5"\n')
    problems = "\n".join(map(str, family_problems(open_game(HERE / "divisions", [tmp_path]))))
    assert "by_moving, rough: does not say where: into or across" in problems
