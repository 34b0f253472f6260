"""The module's sums of a battle against the referee's, in a small game with modifiers of every kind."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from referee.games import find_rules
from referee.standard.battle import Fight
from referee.standard.odds import calculate
from tests.parts.clerks import Clerk
from vassalgen.game.finding import open_game
from vassalgen.parts.odds import defence_of, odds_of

GAME = Path(__file__).parent / "divisions"
RULES = """
[combat.attack.modifiers]
doubled = "7.5"
arms = "7.5"
armour = "7.5"
slow = "7.5"
"""
TABLES = """
[terrain.wood]
doubled = 2
slow = "armour"
[terrain.mountain]
doubled = 3
[terrain.open]
fast = 2
[hexside.river]
doubled = 2
slow = "infantry"
[modifiers.doubled]
title = "Mountains and rivers"
to = "defence"
times = true
terrain = "doubled"
hexside = "doubled"
highest = true
[modifiers.arms]
title = "Combined arms"
to = "columns"
attacker = "armour"
also_attacker = "infantry"
also_defender = "not armour"
worth = 1
[modifiers.armour]
title = "Armour in the open"
to = "attack"
times = true
terrain = "fast"
kinds = "armour"
[modifiers.slow]
title = "Slow ground"
to = "attack"
halved_into = "slow"
halved_across = "slow"
"""


@pytest.mark.parametrize("seed", range(4))
def test_the_module_adds_up_what_the_referee_does(seed: int, tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(RULES)
    (tmp_path / "tables.toml").write_text(TABLES)
    game, rng = open_game(GAME, [tmp_path]), Random(seed)
    world = find_rules(game).world(game, "")
    clock = world.calendar.find(1, "combat", "blue")
    position = evolve(world.rulebook.empty(world), clock=clock)
    grid, seen = game.map.grid, set()
    for _ in range(12):
        target = rng.choice(["0904", "0905", "0303", "0702", "0603", "0506", "0804"])
        near = grid.neighbours(target)
        attackers = {name: rng.choice(near) for name in rng.sample(["b1", "b2", "b3", "ba", "bg"], 2)}
        enemies = rng.sample(["r1", "r2", "ra"], 2)
        standing = {**attackers, **dict.fromkeys(enemies, target)}
        pieces = {
            name: evolve(piece, where=standing.get(name, "")) for name, piece in position.pieces.items()
        }
        now = evolve(position, pieces=pieces)
        fight = Fight(1, target, tuple(attackers), kind="attack", side="blue", stood=attackers)
        odds, clerk = calculate(now, fight), Clerk(game, now.scenario.id, 1)
        clerk.collect(
            [clerk.counter(name, where, 2) for name, where in attackers.items()],
            [clerk.counter(name, target, 2) for name in enemies],
        )
        said = clerk.values
        seen.add((said["BAF"], said["BDF"], said["BModCols"]))
        assert int(said["BAF"]) == 2 * odds.attacking
        assert int(said["BDF"]) == 2 * odds.defending
        assert int(said["BModCols"]) == sum(shift.columns for shift in odds.shifts)
    assert len(seen) > 3


@pytest.mark.parametrize(("which", "right"), [("best", 4), ("worst", 3), ("sum", 7)])
def test_the_module_counts_the_defenders_that_the_rules_count(which: str, right: int, tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(f'[combat.attack]\ndefence_of = "{which}"')
    game = open_game(GAME, [tmp_path])
    for first, second in (("r1", "ra"), ("ra", "r1")):
        clerk = Clerk(game, "meeting", 1)
        clerk.collect(
            [clerk.counter("b1", "0501", 2)],
            [clerk.counter(first, "0601", 2), clerk.counter(second, "0601", 2)],
        )
        assert int(clerk.values["BDF"]) == 2 * right
    assert odds_of(game) is not None


def test_the_module_looks_up_nothing_if_the_worst_defender_may_count_nothing(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text('[combat.attack]\ndefence_of = "worst"')
    (tmp_path / "counters.csv").write_text("id,defence\nr3,0\n")
    assert defence_of(open_game(GAME, [tmp_path])) == "sum"


def test_the_module_looks_up_nothing_if_kinds_of_combat_count_different_factors(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(
        '[combat.raid]\nclause = "7.1"\nkind = "odds"\ntable = "crt"\ndice = "combat"\n'
        'attack = "defence"\ndefence = "defence"\n'
    )
    assert odds_of(open_game(GAME, [tmp_path])) is None
    assert odds_of(open_game(GAME)) is not None
