"""Legal games played carelessly: there are no accusations, whatever the habits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.proof.careless import accused_plainly, is_played
from tools.proof.carelessness import DOUBTED, FOUND, MIXED, break_habits, false_accusations, try_habits
from tools.proof.habit_report import report
from tools.proof.habits import (
    AT_THE_END,
    CHATTED,
    CORNER,
    HABITS,
    LATE,
    LEFT_ON,
    ONE_ORDERLY,
    OTHER_BOX,
    SORTED,
    STRAY,
    UNDECLARED,
    WRONG_BUTTON,
)
from tools.proof.habits.careless_log import log_carelessly
from tools.proof.logs.loggable import play_for_log
from tools.proof.logs.opening import opening_of
from tools.proof.proving import world_of
from vassalgen.game.finding import open_game

CLUBS = Path(__file__).parents[1] / "clubs"


PLAYED = (
    *(("postcard1943", 2, 3), ("postcard1943", 5, 3), ("postcard1943", 16, 4)),
    *(("vitoria1813", 2, 3), ("vitoria1813", 6, 3)),
)
"""Games, each with seed and turns, in which all habits have an occasion."""


@pytest.mark.parametrize("habit", sorted({*HABITS} - {ONE_ORDERLY}))
def test_a_careless_habit_that_shows_in_the_log_of_a_legal_game_accuses_nobody(habit: str) -> None:
    shown = next((game for game in PLAYED if is_played(habit, *game)), None)
    assert shown is not None
    name, seed, turns = shown
    assert false_accusations(name, seed, turns, frozenset({habit})) == []


def test_a_game_is_logged_once_for_each_habit_that_it_has_an_occasion_for_and_once_with_several() -> None:
    found = try_habits("postcard1943", 1, 1)
    assert {*found["told"], *found["idle"]} == {*HABITS, MIXED}
    assert ONE_ORDERLY in found["idle"]  # it goes with others
    assert MIXED in found["told"]


def test_a_habit_that_no_game_has_an_occasion_for_is_shown_as_not_played() -> None:
    counts = {"wrong": [], "told": {STRAY: [0, 1]}, "idle": [LATE]}
    found = [{"kind": "habits", **counts}, {"kind": "habits, whole", **counts, "told": {}}]
    lines = [line for line in report(open_game("postcard1943"), found) if line.startswith("| a die ")]
    assert lines == ["| a die is rolled before the battle's own | 0 / 1 | not played | 0 | 1 |"]
    late = [line for line in report(open_game("postcard1943"), found) if HABITS[LATE] in line]
    assert late == [f"| {HABITS[LATE]} | not played | not played | 0 | 0 |"]


def test_counters_put_into_a_wrong_box_stay_there() -> None:
    steps = play_for_log(world_of("postcard1943", ""), 11, 3).steps
    logger = log_carelessly(opening_of("postcard1943", ""), steps, 11, frozenset({SORTED}))
    assert logger.sorted


def test_a_game_can_be_logged_with_some_habits_only() -> None:
    assert set(try_habits("postcard1943", 1, 1, ["overshot"])["told"]) == {"overshot"}


def test_of_each_habit_it_is_counted_what_becomes_of_a_breach() -> None:
    some = list(HABITS)[::10]
    breaches = break_habits("postcard1943", 2, some)["breaches"]
    assert {one[0] for one in breaches} == {*some}
    assert {one[2] for one in breaches} <= {FOUND, DOUBTED}


@pytest.mark.parametrize("game", ["grauwald", "dalia"])
def test_a_bare_die_may_rally_a_unit_in_a_game_by_data(game: str) -> None:
    assert false_accusations(f"{CLUBS}/{game}", 1, 2, frozenset({UNDECLARED})) == []


def test_who_advances_after_an_undeclared_battle_is_not_yet_in_the_next_phase_in_a_game_by_data() -> None:
    assert false_accusations(f"{CLUBS}/orsa", 21, 2, frozenset({UNDECLARED})) == []


def test_a_unit_that_a_bare_die_rallies_may_show_it_when_the_track_has_been_advanced() -> None:
    assert accused_plainly(f"{CLUBS}/dalia", 23, 2, frozenset({UNDECLARED, LEFT_ON})) == []


def test_a_casualty_may_be_put_into_any_box_in_a_game_by_data() -> None:
    assert false_accusations(f"{CLUBS}/dalia", 1, 2, frozenset({OTHER_BOX})) == []


@pytest.mark.parametrize(
    ("game", "seed", "turns", "mixture"),
    [
        ("patton1943", 95002, 3, "at the end+fanned out+other box+overshot+parked"),
        (
            "patton1943",
            95006,
            4,
            "advance taken back+advanced first+other box+pressed twice+spare hex+waiting",
        ),
        ("patton1943", 150002, 4, "other box+undeclared"),
        ("patton1943", 72002, 4, "declared first+pressed twice+wrong button"),
        ("patton1943", 170000, 4, "at the end"),
        ("patton1943", 171008, 4, "early+two at once"),
        ("patton1943", 170005, 3, "once a turn"),
        ("patton1943", 170005, 3, "fanned out+looked beneath+two at once"),
        ("patton1943", 170008, 3, "in hand"),
        ("postcard1943", 83102, 3, "ahead+forgotten phase"),
        ("vitoria1813", 95003, 4, "ahead+late+moved back+spare hex+straight+undone"),
        ("vitoria1813", 95003, 4, "advance taken back+advanced first+ahead+deleted+too soon+wrong counter"),
        ("vitoria1813", 150004, 2, "detour+from the palette+picked up+replaced+wrong hex"),
        ("vitoria1813", 170006, 4, "ahead+move changed later"),
        ("vitoria1813", 171001, 3, "declared first"),
        (
            "vitoria1813",
            171001,
            3,
            "declared first+detour+looked beneath+move changed later+picked up+piecemeal",
        ),
        ("vitoria1813", 61003, 3, "at the end+retreat put right"),
        ("vitoria1813", 61006, 3, "put right later+retreat put right"),
        ("vitoria1813", 72004, 3, "ahead+at the end"),
    ],
    ids=[
        "a box for a moment",
        "two stars put right",
        "lost into a box of the enemy",
        "a die by a button, then by its command",
        "lost again before the first loss was marked",
        "moved on after the track was advanced too early",
        "rebuilt as the enemy beside it is gone",
        "looked at while sides set up",
        "an aircraft lost on its airfield",
        "before a forgotten phase",
        "moved in part ahead of the track",
        "retreat along",
        "laid anew, corner by corner",
        "ahead and once more",
        "fire over a unit that an earlier battle drives away",
        "a defender looked at is put back before the die",
        "a stack put right",
        "put right twice",
        "losses marked when the enemy has begun to move",
    ],
)
def test_what_is_put_right_amid_other_habits_accuses_nobody(
    game: str, seed: int, turns: int, mixture: str
) -> None:
    assert false_accusations(game, seed, turns, frozenset(mixture.split("+"))) == []


@pytest.mark.parametrize(
    ("game", "seed", "habits"),
    [
        ("postcard1943", 73000, {CHATTED}),
        ("patton1943", 73002, {CHATTED}),
        ("postcard1943", 73001, {ONE_ORDERLY, CORNER, LATE, STRAY}),
        ("patton1943", 73001, {ONE_ORDERLY, AT_THE_END, CORNER, WRONG_BUTTON}),
    ],
)
def test_battles_announced_in_the_chat_and_a_careless_player_with_an_orderly_one_accuse_nobody(
    game: str, seed: int, habits: set[str]
) -> None:
    assert false_accusations(game, seed, 2, frozenset(habits)) == []


@pytest.mark.parametrize(
    ("seed", "turns", "habits"),
    [
        (820002, 2, {"too far", "rehearsed"}),
        (820005, 2, {"by proxy", "chatted", "looked beneath", "noticed late", "remembered late"}),
        (960000, 2, {"forgotten phase", "track ahead", "undeclared"}),
    ],
)
def test_several_habits_at_once_accuse_nobody_in_patton(seed: int, turns: int, habits: set[str]) -> None:
    assert false_accusations("patton1943", seed, turns, frozenset(habits)) == []
