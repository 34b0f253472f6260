"""Rolls against factors, contests of both sides, and counters that are fetched: what is said and done."""

from __future__ import annotations

import attrs
import pytest

from vassalgen.announcements import CheckMade, ContestDecided, parse_line
from vassalgen.game.counters import Column
from vassalgen.game.game import Game
from vassalgen.game.sequence import Declaration, Dice
from vassalgen.parts import checks, declarations, fetching
from vassalgen.parts.checks import Check
from vassalgen.parts.trait_shorthand import Part
from vassalgen.vassal.expressions import Properties, parse
from vassalgen.vassal.traits.counter_global_key_command import CounterGlobalKeyCommand
from vassalgen.vassal.traits.report_state import ReportState
from vassalgen.vassal.traits.restrict_commands import RestrictCommands
from vassalgen.vassal.traits.trigger_action import TriggerAction

TWELVE = Dice(
    "storm", "Storm", sides=12, against="attack", adds="help", modified=True, always=(1,), never=(12,)
)
KNOWN = {
    "BasicName": "Guards",
    "CID": "b1",
    "ObscuredToOthers": "false",
    "LocationName": "B2",
    "PlayerSide": "Blues",
    "Side": "Blues",
    "Stop": "now",
    "Of now": "Blues",
    "Battle": "3",
    "AttackFactor": "5",
    "BSupA": "-2",
    "BSupD": "-1",
    "BModDie": "1",
}


def game_with(game: Game, dice: Dice, **said: object) -> Game:
    one = Declaration("storm", "Storm", about="battle", kinds=("foot",), dice=dice.id, **said)  # type: ignore[arg-type]
    return attrs.evolve(game, dice={**game.dice, dice.id: dice}, declarations={"storm": one})


def said(game: Game, **values: str) -> object:
    check = Check(game, game.declarations["storm"], "Battle", "BModDie")
    line = check.say("say")
    assert isinstance(line, ReportState)
    heard = parse_line(parse(line.report_format).evaluate(Properties({**KNOWN, **values})))
    assert heard is not None
    return heard.announcement


@pytest.mark.parametrize(
    ("die", "total", "result"),
    [("6", 5, "hit"), ("7", 6, "miss"), ("1", 0, "hit"), ("12", 11, "miss")],
)
def test_a_roll_up_to_the_factor_is_a_hit(small: Game, die: str, total: int, result: str) -> None:
    announced = said(game_with(small, TWELVE), dice_storm_total=die, dice_storm_result=die)
    assert isinstance(announced, CheckMade)
    assert (announced.faces, announced.modifier, announced.support) == ((int(die),), 1, -2)
    assert (announced.total, announced.factor, announced.result) == (total, 5, result)


def test_faces_that_always_hit_or_never_do_heed_no_sum(small: Game) -> None:
    game = game_with(small, TWELVE)
    one = said(game, dice_storm_total="1", dice_storm_result="1", BModDie="9")
    twelve = said(game, dice_storm_total="12", dice_storm_result="12", BSupA="-9")
    assert isinstance(one, CheckMade)
    assert isinstance(twelve, CheckMade)
    assert (one.total, one.result) == (8, "hit")
    assert (twelve.total, twelve.result) == (4, "miss")


def test_the_other_side_is_helped_by_its_own(small: Game) -> None:
    announced = said(game_with(small, TWELVE), dice_storm_total="6", dice_storm_result="6", Side="Reds")
    assert isinstance(announced, CheckMade)
    assert announced.support == -1


def test_who_rolls_alone_is_helped_by_nobody(small: Game) -> None:
    dice = Dice("storm", "Storm", adds="help", alone=True, contest="low")
    announced = said(game_with(small, dice), dice_storm_total="6", dice_storm_result="6", Factor_help="-3")
    assert isinstance(announced, CheckMade)
    assert (announced.support, announced.total, announced.factor, announced.result) == (-3, 3, None, None)


@pytest.mark.parametrize(
    ("contest", "neither", "blue", "red", "winner"),
    [
        ("low", None, "2", "5", "Blues"),
        ("high", None, "2", "5", "Reds"),
        ("low", None, "4", "4", "neither side"),
        ("low", 0, "-2", "0", "neither side"),
        ("low", 0, "-2", "1", "Blues"),
    ],
)
def test_a_contest_is_won_by_one_side_or_neither(
    small: Game, contest: str, neither: int | None, blue: str, red: str, winner: str
) -> None:
    dice = Dice("storm", "Storm", contest=contest, neither=neither)  # type: ignore[arg-type]
    game = game_with(small, dice)
    sides = {side.title: side.id for side in game.sides.values()}
    totals = {f"contest_storm_{sides['Blues']}": blue, f"contest_storm_{sides['Reds']}": red}
    known = Properties({**KNOWN, "BattleNo": "3", **totals})
    (line,) = [
        part
        for part in Check(game, game.declarations["storm"], "Battle").traits()
        if isinstance(part, ReportState)
    ]
    heard = parse_line(parse(line.report_format).evaluate(known))
    assert heard is not None
    announced = heard.announcement
    assert isinstance(announced, ContestDecided)
    assert (announced.battle, announced.winner) == (3, winner)


def test_games_without_checks_keep_no_sums(small: Game) -> None:
    assert not checks.keeping_sums(small)
    assert not checks.properties(small)
    assert not checks.collecting(small)


def commands(parts: tuple[Part, ...], name: str) -> list[str]:
    (found,) = [part for part in parts if isinstance(part, TriggerAction) and part.text == name]
    return [str(one.name) for one in found.action_keys]


def test_another_counter_is_fetched_before_the_own_goes(small: Game) -> None:
    box = next(iter(small.map.boxes))
    one = Declaration("swap", "Swap", kinds=("foot",), fetches="foot", out_of=(box,), to=(box,))
    game = attrs.evolve(small, declarations={"swap": one})
    sent = commands(declarations.declaration_traits(game, "foot"), "Swap")
    assert sent.index("fetch_call_swap") < sent.index("told_go_swap")
    (comes,) = [
        part
        for part in fetching.coming(game, "foot")
        if isinstance(part, TriggerAction) and part.key is not None and part.key.name == "fetch_come_swap"
    ]
    may = parse(comes.match)
    place = small.map.boxes[box].title
    waiting = {"FetchedCame": "0", "FetchedSide": "Blues", "Side": "Blues", "LocationName": place}
    assert may.evaluate(Properties(waiting)) == "true"
    assert may.evaluate(Properties({**waiting, "FetchedCame": "1"})) == "false"
    assert may.evaluate(Properties({**waiting, "Side": "Reds"})) == "false"
    assert may.evaluate(Properties({**waiting, "LocationName": "B2"})) == "false"


def test_a_counter_is_fetched_by_the_column_that_names_the_other(small: Game) -> None:
    one = Declaration("swap", "Swap", kinds=("foot",), fetches="twin")
    columns = {**small.columns, "twin": Column("twin", "counter")}
    game = attrs.evolve(small, declarations={"swap": one}, columns=columns)
    (called,) = [part for part in fetching.fetching(game, one) if isinstance(part, CounterGlobalKeyCommand)]
    assert (called.target.property, called.target.value) == ("twin", "{CID}")


@pytest.mark.parametrize(("steps", "hidden"), [("2", "true"), ("1", "false")])
def test_only_who_has_lost_steps_regains_them(small: Game, steps: str, hidden: str) -> None:
    one = Declaration("rebuild", "Rebuild", kinds=("foot",), reduced=True, steps=1)
    game = attrs.evolve(small, declarations={"rebuild": one})
    parts = declarations.declaration_traits(game, "foot")
    barred, _ = [parse(part.match) for part in parts if isinstance(part, RestrictCommands)]
    assert barred.evaluate(Properties({"Steps": steps, "MaxSteps": "2"})) == hidden
    assert commands(parts, "Rebuild")[-2:] == ["more", "saySteps"]


def test_some_counters_alone_make_a_declaration(small: Game) -> None:
    one = Declaration("leave", "Leave", kinds=("foot",), counters=("b1", "b2"), steps=-1)
    game = attrs.evolve(small, declarations={"leave": one})
    parts = declarations.declaration_traits(game, "foot")
    barred, _ = [parse(part.match) for part in parts if isinstance(part, RestrictCommands)]
    assert barred.evaluate(Properties({"CID": "b2"})) == "false"
    assert barred.evaluate(Properties({"CID": "b3"})) == "true"
    assert commands(parts, "Leave")[-2:] == ["last", "notLast"]
