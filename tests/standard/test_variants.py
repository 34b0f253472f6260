"""Variants of published games: the small game with other parameters, with legal and illegal actions."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.judge import judge_record
from referee.record import parse

HERE = Path(__file__).parent
DIFFERENTIAL = """
[combat.attack]
kind = "differential"
table = "melee"
"""
MELEE = """
[tables.melee]
title = "Melee"
columns = ["-3-", "-2 to 0", "+1 to +3", "+4+"]
rows = ["1-3", "4-6"]
dice = "combat"
cells = [["AE", "A1", "DS", "DE"], ["A1", "DS", "DS", "DE"]]
[tables.melee.results.AE]
title = "AE"
[tables.melee.results.A1]
title = "A1"
[tables.melee.results.DS]
title = "DS"
[tables.melee.results.DE]
title = "DE"
"""
FIRE = """
[combat.attack]
kind = "fire"
range = 3
range_clause = "7.1"
sight = "7.4"
blocked_by = "wood"
per_hex = -1
per_hex_clause = "7.5"
table = "fire"
"""
FIRE_TABLE = """
[tables.fire]
title = "Fire"
columns = ["1-3", "4-6", "7+"]
rows = ["3-", "4+"]
dice = "combat"
cells = [["DS", "DS", "D1"], ["DS", "D1", "DE"]]
[tables.fire.results.DS]
title = "DS"
[tables.fire.results.D1]
title = "D1"
[tables.fire.results.DE]
title = "DE"
"""
VARIANTS = {
    "sticky zones": (
        '[zoc.limits.sticky]\nclause = "6.3"\non = "leaving"\ndoes = "forbid"',
        """
        move b3 0406-0405 ! legal
        move b1 0502-0402 ! illegal 6.3
        """,
        "place b1 on 0502",
    ),
    "who enters a sticky zone and goes on breaks one rule": (
        '[zoc.limits.sticky]\nclause = "6.3"\non = "leaving"\ndoes = "forbid"',
        """
        move b1 0301-0401-0502-0402 ! illegal 6.2
        move b2 0301-0401-0502 ! legal
        move b2 0502-0402 ! illegal 6.2
        """,
        "",
    ),
    "a zone costs points to enter": (
        '[zoc.limits.stop]\nclause = "6.2"\non = "entering"\ndoes = 2',
        """
        move b1 0103-0203-0304-0305 ! legal
        move b3 0404-0505 ! illegal 5.1
        move b2 0402-0502 ! legal
        move bg 0402-0502 ! legal
        move ba 0302-0402-0502-0503-0504 ! legal
        """,
        "place b1 on 0103; place b3 on 0404; place b2 bg on 0402",
    ),
    "no strategic movement near the enemy": (
        '[movement.move]\ndistance = 2\ndistance_clause = "5.4"',
        """
        move b1 0301-0201 ! legal
        move b2 0301-0401-0501 ! illegal 5.4
        """,
        "",
    ),
    "a movement that stays away from the enemy meets no zones": (
        '[movement.move]\ndistance = 2\ndistance_clause = "5.5"',
        "move b1 0301-0401-0502-0402 ! illegal 5.5",
        "",
    ),
    "a march from town to town": (
        '[movement.move]\nstart = "town"\nend = "town or 0404"\nends_clause = "5.5"',
        """
        move b1 0506-0406 ! legal
        move b2 0301-0302 ! illegal 5.5
        move b3 0506-0406 ! legal
        move b3 0406-0405-0404 ! legal
        next ! illegal 5.5
        """,
        "place b1 b3 on 0506; place r2 on 0806",
    ),
    "a march keeps to the road": (
        '[movement.move]\nonly_roads = "5.3"',
        """
        move b1 0301-0201-0101 ! legal
        move b2 0301-0302 ! illegal 5.3
        """,
        "",
    ),
    "terrain ends a move": (
        '[bars.wood]\nclause = "5.5"\ninto = "wood"\nstops = true\nto = "move"',
        """
        move b1 0302-0303 ! legal
        move b1 0303-0304 ! illegal 5.5
        """,
        "place b1 on 0302",
    ),
    "no more than so many units move so": (
        '[movement.move]\nmost = 1\nmost_clause = "5.3"\npoints = 3',
        """
        move b1 0102-0202-0302-0402 ! legal
        move b2 0101-0201 ! illegal 5.3
        """,
        "place b1 on 0102; place b2 on 0101",
    ),
    "from port to port": (
        '[sequence.movement]\ndoes = "move enter sea"\n[transfers.sea]\nclause = "5.1"\nstart = "town"\n'
        'end = "0101"\nmost = 1\nmost_clause = "5.3"\nzoc = "6.1"\nwho = "not headquarters"',
        """
        sea b2 0103..0101 ! illegal 5.1
        sea b1 0506..0101 ! illegal 5.3 6.1
        """,
        "place b2 on 0103; place b1 on 0506",
    ),
    "the other side fires in the movement phase": (
        '[sequence.movement]\ndoes = "enter move"\npassive = "attack"',
        """
        attack 0501 with r1 ! legal
        attack 0601 with b1 ! illegal 3.3
        """,
        "place b1 on 0501",
    ),
    "no unit passes through shaken friends": (
        '[movement.move]\nnot_through = "shaken"\nnot_through_clause = "4.1"',
        """
        move b1 0103-0104-0105 ! illegal 4.1
        move b2 0103-0104 ! legal
        """,
        "place b1 b2 on 0103; place b3 on 0104 shaken",
    ),
    "no unit passes through shaken friends in two moves": (
        '[movement.move]\nnot_through = "shaken"\nnot_through_clause = "4.1"',
        """
        move b1 0103-0104 ! legal
        move b1 0104-0105 ! illegal 4.1
        move b2 0203-0204 ! legal
        move ba 0204-0304 ! legal
        move b2 0204-0205 ! legal
        """,
        "place b1 on 0103; place b3 on 0104 shaken; place b2 on 0203; place ba on 0204 shaken",
    ),
    "units in contact must attack": (
        '[combat.attack]\nmust_attack = "7.2"',
        """
        next ! legal
        next ! illegal 7.2
        """,
        "place b1 on 0501",
    ),
    "enemies in contact must be attacked": (
        '[combat.attack]\nmust_be_attacked = "7.3"',
        """
        next ! legal
        next ! illegal 7.3
        """,
        "place b1 on 0501",
    ),
    "an enemy must be attacked by one of several": (
        '[combat.attack]\nmust_be_attacked = "7.3"',
        """
        next ! legal
        attack 0601 with b1 b2 ! legal
        roll combat 4 ! legal
        mark shaken r1 ! legal
        next ! illegal 7.3
        """,
        "place b1 b2 on 0502; place b3 on 0101; place r2 on 0602",
    ),
    "the only attacker does not attack twice": (
        '[combat.attack]\nmust_be_attacked = "7.3"',
        """
        next ! legal
        attack 0601 with ba ! legal
        roll combat 4 ! legal
        mark shaken r1 ! legal
        next ! legal
        """,
        "place ba on 0502; place b3 on 0101; place r2 on 0602",
    ),
    "leaders go along with an advance": (
        '[advance]\nfree = "guns"',
        """
        next ! legal
        attack 0601 with ba b1 b2 ! legal
        roll combat 1 ! legal
        eliminate r1 ! legal
        advance bg 0501-0601 ! legal
        advance b1 0502-0601 ! legal
        advance ba 0501-0601 ! illegal 10.2 4.1
        settle ! legal
        """,
        "place ba bg on 0501; place b1 b2 on 0502; place r2 on 0906",
    ),
    "leaders do not advance alone": (
        '[advance]\nfree = "guns"',
        """
        next ! legal
        attack 0601 with ba b1 b2 ! legal
        roll combat 1 ! legal
        eliminate r1 ! legal
        advance bg 0501-0601 ! legal
        settle ! illegal 10.2
        """,
        "place ba bg on 0501; place b1 b2 on 0502; place r2 on 0906",
    ),
    "whole stacks attack": (
        '[combat.attack]\nwhole_stack = "7.2"',
        """
        next ! legal
        attack 0601 with b1 ! illegal 7.2
        call off ! legal
        attack 0601 with b1 b2 ! legal
        """,
        "place b1 b2 on 0501",
    ),
    "a retreat may be bought with a step": (
        "[results.crt.AR]\nattacker = { or_lose = 1 }",
        """
        next ! legal
        attack 0601 with b1 ! legal
        roll combat 3 ! legal
        lose b1 ! legal
        settle ! legal
        """,
        "place b1 on 0501",
    ),
    "players enter what no modifier can say": (
        '[combat.attack.by_hand.flanked]\nclause = "7.5"\nto = "columns"\nvalues = [1]',
        """
        next ! legal
        attack 0601 with b1 ! legal
        odds 2:1 ! legal
        odds 1:1 ! legal
        odds 3:1 ! slip 7.1
        """,
        "place b1 on 0501",
    ),
    "a differential": (
        DIFFERENTIAL,
        """
        next ! legal
        attack 0601 with b1 ! legal
        odds +4+ ! slip 7.1
        odds +1to+3 ! legal
        roll combat 6 ! legal
        mark shaken r1 ! legal
        settle ! legal
        """,
        "place b1 on 0501",
    ),
    "a range that changes what some count for": (
        '[combat.attack]\nat_range_clause = "7.5"\n'
        '[combat.attack.at_range]\n1 = { times = 2, columns = 1, who = "guns" }',
        """
        next ! legal
        attack 0601 with ba ! legal
        odds 4:1 ! slip 7.1
        odds 2:1 ! legal
        call off ! legal
        attack 0601 with bg ! legal
        odds 1:1 ! slip 7.5
        odds 3:1 ! legal
        """,
        "place ba bg on 0501; place ra on 1008",
    ),
    "only some always move a hex": (
        '[movement.move]\nminimum = "5.3"\nminimum_who = "not guns"\n'
        '[movement.move.allowances.mud]\nclause = "5.5"\nwho = "infantry or guns"\nadd = -4',
        """
        move b1 0301-0401 ! legal
        move bg 0201-0101 ! illegal 5.5
        """,
        "place b1 on 0301; place bg on 0201; place r1 on 1001",
    ),
    "an allowance of no points": (
        '[movement.move]\nminimum = "5.3"\nminimum_who = "not guns"\n'
        '[movement.move.allowances.mud]\nclause = "5.5"\nwho = "infantry or guns"\npoints = 0',
        """
        move b1 0301-0401 ! legal
        move bg 0201-0101 ! illegal 5.5
        move b2 0402-0403-0404 ! illegal 5.5
        move ba 0302-0303 ! legal
        """,
        "place b1 on 0301; place bg on 0201; place b2 on 0402; place ba on 0302; place r1 on 1001",
    ),
    "whether a unit that is lost was lost before an attack is not proved": (
        '[movement.move]\nminimum = "5.3"',
        """
        next ! legal
        attack 0601 with b1 b2 ! unproven 7.1
        """,
        "place b1 on 0501; place b2 in blue-lost",
    ),
    "hexes attacked together": (
        '[combat.attack]\nseveral = "15.4"',
        """
        next ! legal
        attack 0601 with b2 ! legal
        also 0602 ! illegal 15.4
        call off ! legal
        attack 0601 with b1 ba ! legal
        also 0602 ! legal
        odds 2:1 ! slip 7.1
        odds 1:1 ! legal
        roll combat 6 ! legal
        retreat r1 0601-0701-0801 ! legal
        retreat ra 0602-0702-0802 ! illegal 5.5
        """,
        "place b1 ba on 0502; place b2 on 0501; place ra on 0602; place r3 on 0701",
    ),
    "an attack that costs movement, by one hex": (
        '[sequence.movement]\ndoes = "enter move attack"\n'
        '[combat.attack]\npoints = 3\npoints_clause = "5.1"\none_hex = "15.4"\nmultiply = "1/2"',
        """
        attack 0601 with b1 ba ! illegal 15.4 7.1
        call off ! legal
        attack 0601 with ba ! legal
        odds 2:1 ! slip 7.1
        odds 1:1 ! legal
        call off ! legal
        move bg 0401-0501 ! legal
        attack 0601 with bg ! illegal 5.1
        call off ! legal
        move b2 0301-0401-0501 ! legal
        attack 0601 with b2 ! legal
        """,
        "place b1 on 0402; place ba on 0502; place r1 on 0601; place r2 on 0606",
    ),
    "only at units that moved": (
        '[sequence.movement]\npassive = "attack"\n[combat.attack]\nmoved = "15.4"\nrange = 2',
        """
        attack 0502 with r1 ! illegal 15.4
        call off ! legal
        move b1 0401-0501 ! legal
        attack 0501 with r1 ! legal
        """,
        "place b1 on 0401; place b2 on 0502",
    ),
    "strength and die by range, seen by an observer": (
        '[combat.attack]\nrange = 3\nobserver = "armour"\nobserver_clause = "15.4"\nat_range_clause = "7.5"\n'
        '[combat.attack.at_range]\n1 = {times = 2}\n2 = {}\n3 = { times = "1/2", columns = -1 }',
        """
        next ! legal
        attack 0606 with b3 ! illegal 15.4
        call off ! legal
        attack 0601 with ba ! legal
        odds 2:1 ! slip 7.5
        odds 4:1 ! legal
        call off ! legal
        attack 0601 with b1 ba ! legal
        odds 3:1 ! legal
        """,
        "place b1 on 0301; place ba on 0502",
    ),
    "no duty to attack out of a town": (
        '[combat.attack]\nmust_attack = "7.2"\nmust_attack_not_in = "town"',
        """
        next ! legal
        next ! legal
        """,
        "place b1 on 0506; place r2 on 0606",
    ),
    "a classic exchange": (
        '[results.crt.EX]\nattacker = { lose = "exchange" }\ndefender = { lose = "exchange" }',
        """
        next ! legal
        attack 0601 with b1 b2 ! legal
        roll combat 1 ! legal
        eliminate r1 ! legal
        advance b2 0501-0601 ! legal
        lose b1 ! legal
        settle ! illegal 8.3
        lose b1 ! legal
        settle ! legal
        """,
        "place b1 b2 on 0501",
    ),
    "retreats toward home, zones cost steps": (
        '[retreat]\ntoward = "15.4"\nhome = { red = "east", blue = "west" }\nzoc_loses = 1',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        retreat r1 0601-0502-0402 ! illegal 15.4
        """,
        "place b1 ba on 0501",
    ),
    "a retreat through zones of control": (
        "[retreat]\nzoc_loses = 1",
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        retreat r1 0601-0602-0503 ! legal
        advance ba 0501-0601 ! legal
        settle ! illegal 9.3
        lose r1 ! legal
        lose r1 ! legal
        settle ! legal
        """,
        "place b1 ba on 0501; place b2 on 0603; place r3 on 0903",
    ),
    "friends make room": (
        '[retreat]\ndisplaces = "15.4"\ndisorders = "shaken"\ndisorders_clause = "15.3"',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        displace r3 0801-0802 ! illegal 15.4
        retreat r1 0601-0701-0801 ! legal
        """,
        "place b1 ba on 0501; place r3 on 0801",
    ),
    "friends passed by a retreat are shaken": (
        '[retreat]\ndisorders = "shaken"\ndisorders_clause = "15.3"',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        retreat r1 0601-0701-0801 ! legal
        advance ba 0501-0601 ! legal
        settle ! legal
        next ! illegal 15.3
        """,
        "place b1 ba on 0501; place r3 on 0701; place ra on 1008",
    ),
    "enemies of a unit that retreats are not shaken by it": (
        '[retreat]\ndisorders = "shaken"\ndisorders_clause = "15.3"',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        retreat r1 0601-0701-0801 ! legal
        mark shaken b1 ! illegal 14.1
        """,
        "place b1 ba on 0501; place ra on 1008",
    ),
    "advances into towns alone": (
        '[advance]\ninto = "town"\ninto_clause = "15.4"',
        """
        next ! legal
        attack 0601 with b1 ba ! legal
        roll combat 1 ! legal
        retreat r1 0601-0701-0801 ! legal
        advance ba 0501-0601 ! illegal 15.4
        """,
        "place b1 ba on 0501; place ra on 1008",
    ),
    "defenders advance": (
        "[advance]\ndefenders = true",
        """
        next ! legal
        attack 0601 with b1 ! legal
        odds 1:1 ! legal
        roll combat 3 ! legal
        retreat b1 0501-0401 ! legal
        advance r1 0601-0501 ! legal
        """,
        "place b1 on 0501",
    ),
    "fire from a distance": (
        FIRE,
        """
        next ! legal
        attack 0601 with b1 ! legal
        modifier 0 ! slip 7.5
        modifier -1 ! legal
        roll combat 4 ! legal
        mark shaken r1 ! legal
        settle ! legal
        attack 0606 with b2 ! illegal 7.1
        attack 0604 with b3 ! illegal 7.4
        """,
        "place b1 on 0402; place b2 on 0206; place b3 on 0602; place r3 on 0604; place ba on 0102",
    ),
}
RESULTS = {
    "melee": "\n".join(
        f'[results.melee.{code}]\nclause = "8.1"\n{what}'
        for code, what in {
            "AE": 'attacker = { lose = "all" }',
            "A1": "attacker = { lose = 1 }",
            "DS": 'defender = { state = "shaken" }',
            "DE": 'defender = { lose = "all" }',
        }.items()
    ),
    "fire": "\n".join(
        f'[results.fire.{code}]\nclause = "8.1"\n{what}'
        for code, what in {
            "DS": 'defender = { state = "shaken" }',
            "D1": "defender = { lose = 1 }",
            "DE": 'defender = { lose = "all" }',
        }.items()
    ),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_is_judged(name: str, tmp_path: Path) -> None:
    rules, actions, places = VARIANTS[name]
    table = next((one for one in RESULTS if f'table = "{one}"' in rules), "")
    (tmp_path / "rules.toml").write_text(f"{rules}\n{RESULTS.get(table, '')}")
    if table:
        (tmp_path / "tables.toml").write_text({"melee": MELEE, "fire": FIRE_TABLE}[table])
    text = "\n".join(
        ["game divisions", "", "case", "at turn 1, Blue movement", "set up", *places.split("; "), actions]
    )
    record = parse(text, str(HERE / "x.record"), [tmp_path])
    found = [
        (judged.statement.line, judged.ruling.verdict, [breach.says for breach in judged.ruling.breaches])
        for _, statements in judge_record(record)
        for judged in statements
        if judged.ruling and judged.failed
    ]
    assert found == []
