"""What the module calculates of a battle from the board, in a small game that has a bit of everything."""

from __future__ import annotations

import attrs
import pytest

from tests.parts.clerks import Asked, Clerk
from vassalgen.announcements import BattleModifiers
from vassalgen.game.finding import open_game
from vassalgen.game.game import Game
from vassalgen.game.modifiers import BattleModifier

WOOD, TOWER, FIELD, MILL = "0203", "0403", "0302", "0202"


def clerk(game: Game, turn: int = 1) -> Clerk:
    return Clerk(game, "dawn", turn)


def explained(one: Clerk, attackers: list[Asked], defenders: list[Asked], test: int = 0) -> str:
    one.collect(attackers, defenders, test)
    line = one.values["BWhy"]
    if line:
        said = BattleModifiers(1, line, "Blues")
        assert BattleModifiers.read(said.say()) == said
    return line


def test_terrain_counts_while_it_rains(small: Game) -> None:
    dry, wet = clerk(small), clerk(small, 2)
    assert explained(dry, [], [dry.counter("r1", WOOD, 4)]) == ""
    assert explained(wet, [], [wet.counter("r1", WOOD, 4)]) == "Ground: die -2"
    assert explained(wet, [], [wet.counter("r1", FIELD, 4)]) == ""


def test_places_count_for_the_die_and_multiply_the_factors_of_some_kinds(small: Game) -> None:
    one = clerk(small)
    assert explained(one, [], [one.counter("r1", TOWER, 4)]) == "Ground: die -1"
    assert explained(one, [], [one.counter("r1", MILL, 4)]) == "Walls: defence x2"
    assert one.values["BDF"] == "20"
    assert explained(one, [], [one.counter("r2", MILL, 1)]) == ""


def test_a_flag_of_an_attacker_adds_factors_unless_no_defender_is_as_is_asked(small: Game) -> None:
    one = clerk(small)
    horse, fresh = one.counter("r2", FIELD, 3), one.counter("b1", WOOD, 2, state_tired="0")
    tired = one.counter("b1", WOOD, 2, state_tired="1")
    assert explained(one, [horse], [fresh]) == "Charge: attack +2"
    assert one.values["BAF"] == "10"
    assert explained(one, [horse], [tired]) == ""


@pytest.mark.parametrize(("rolled", "routed", "failed"), [(3, "0", False), (4, "0", True), (2, "1", True)])
def test_a_test_is_failed_if_no_defender_passes(small: Game, rolled: int, routed: str, failed: bool) -> None:
    one = clerk(small)
    horse = one.counter("r2", FIELD, 3)
    defender = one.counter("b1", WOOD, 2, state_routed=routed, state_tired="1")
    assert explained(one, [horse], [defender]) == ""
    assert explained(one, [horse], [defender], rolled) == ("Shock: columns +1" if failed else "")


def test_a_hexside_counts_if_most_of_the_factors_come_across(small: Game) -> None:
    ditch = next(pair for pair, side in small.map.hexsides.items() if "ditch" in side.features)
    here, there = ditch
    beside = next(name for name in small.map.grid.neighbours(there) if name != here)
    wet = clerk(small, 2)
    across, not_across = wet.counter("r1", here, 4), wet.counter("r2", beside, 3)
    defender = wet.counter("b1", there, 2, state_tired="1")
    assert explained(wet, [across, not_across], [defender]) == "Ground: die -1"
    weak = wet.counter("r1", here, 1)
    assert explained(wet, [weak, not_across], [defender]) == ""


def test_the_best_of_the_attackers_counts_against_the_best_of_the_defenders(small: Game) -> None:
    skill = BattleModifier("skill", "Skill", "die", best="speed", less="speed")
    one = clerk(attrs.evolve(small, modifiers={"skill": skill}))
    slow, fast = one.counter("r1", FIELD, 4), one.counter("r2", FIELD, 1)
    by = int(fast.own["speed"]) - int(slow.own["speed"])
    assert by > 0
    assert explained(one, [slow, fast], [slow]) == f"Skill: die +{by}"
    assert explained(one, [slow], [slow]) == ""
    masked = one.counter("r2", FIELD, 1, ObscuredToOthers="true")
    assert explained(one, [masked], [slow]) == f"Skill: die +{by}"  # horse cannot lie face down
    hidden = one.counter("r1", FIELD, 1, ObscuredToOthers="true")
    assert explained(one, [slow], [hidden]) == f"Skill: die +{slow.own['speed']}"


def test_some_kinds_count_twice_against_a_crowd(small: Game) -> None:
    massed = BattleModifier("massed", "Massed", "attack", kinds=("foot",), twice_against=2)
    one = clerk(attrs.evolve(small, modifiers={"massed": massed}))
    foot, enemy = one.counter("r1", FIELD, 4), one.counter("b1", WOOD, 2)
    assert explained(one, [foot], [enemy]) == ""
    assert explained(one, [foot], [enemy, enemy]) == "Massed: attack +5"
    assert one.values["BAF"] == "20"


def test_some_kinds_count_half_in_terrain_that_says_so() -> None:
    game = open_game("vitoria1813")
    one = Clerk(game, "historical", 1)
    village = next(name for name, of in game.map.hexes.items() if of.terrain == "village")
    clear = next(name for name, of in game.map.hexes.items() if of.terrain == "clear")
    for where, doubled in ((village, "4"), (clear, "6")):
        one.collect([one.counter("fr-psoult", where, 3)], [])
        assert one.values["BAF"] == doubled


def test_a_slope_counts_on_the_way_up_only() -> None:
    game = open_game("vitoria1813")
    one = Clerk(game, "historical", 1)
    low, high = next(
        (here, there) if game.map.hexes[here].level < game.map.hexes[there].level else (there, here)
        for (here, there), side in game.map.hexsides.items()
        if tuple(side.features) == ("slope",)
        and game.map.hexes[here].terrain == game.map.hexes[there].terrain
    )
    foot = "fr-neuenstein"
    assert "Slopes" in explained(one, [one.counter(foot, low, 5)], [one.counter("uk-hay", high, 5)])
    assert "Slopes" not in explained(one, [one.counter(foot, high, 5)], [one.counter("uk-hay", low, 5)])
