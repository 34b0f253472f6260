"""Two records of Vitoria 1813 compared: what makes no difference in a log is none."""

from __future__ import annotations

from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.games import find_idiom
from referee.judge import judge_record
from referee.record import parse
from tools.proof.comparing import differences
from tools.proof.playing import Step

GAME = "vitoria1813"
ROUTED = """
at turn 3, French combat; place fr-chasse on 2617; place uk-byng uk-long on 2517
attack 2517 with fr-chasse
roll combat 1
result 3+D|-
lose fr-chasse 3
"""
CHARGE = """
at turn 3, French movement; place fr-tilly on 2317; place uk-byng on 2717
move fr-tilly 2317-2417-2517-2617
charge fr-tilly
"""


def steps(record: str) -> list[Step]:
    return [
        Step(one.statement.content, one.before, one.after, one.ruling)
        for _, statements in judge_record(parse(f"game {GAME} scenario historical\ncase one\n{record}"))
        for one in statements
        if one.ruling is not None and isinstance(one.statement.content, Action)
    ]


def difference(one: str, other: str) -> list[str]:
    return list(differences(steps(one), steps(other), find_idiom(GAME)))


def test_a_marker_that_the_module_lays_when_a_rout_is_announced_is_the_rout() -> None:
    rout = f"{ROUTED}rout fr-chasse 2617..3117\neliminate fr-chasse\n"
    assert difference(rout, rout.replace("rout", "mark rout fr-chasse; rout")) == []


def test_a_marker_of_rout_without_the_rout_is_a_difference() -> None:
    assert difference(ROUTED, f"{ROUTED}mark rout fr-chasse\n")


def test_a_charge_that_is_over_before_anything_else_is_done_is_no_difference() -> None:
    game = steps(f"{CHARGE}next turn 4, Allied leaders\n")
    assert list(differences(game, uncharged(game), find_idiom(GAME))) == []


def test_a_charge_that_is_missing_in_the_combat_phase_is_a_difference() -> None:
    game = steps(f"{CHARGE}next turn 3, French combat\nattack 2717 with fr-tilly\nroll combat 4\n")
    assert list(differences(game, uncharged(game), find_idiom(GAME)))


def uncharged(game: list[Step]) -> list[Step]:
    """The game with the marker gone when the turn track is advanced."""
    return [
        evolve(step, before=step.before.with_state("fr-tilly", "charging", None))
        if step.action.verb == NEXT.name
        else step
        for step in game
    ]


TWO_HEXES = """
at turn 3, French combat; place fr-rey on 2617; place uk-byng on 2717; place uk-long on 2718
attack 2717 with fr-rey
"""


def test_a_further_hex_of_a_battle_that_was_never_fought_is_no_difference() -> None:
    assert difference(TWO_HEXES, f"{TWO_HEXES}also 2718") == []


def test_a_further_hex_of_a_battle_that_was_fought_is_a_difference() -> None:
    assert difference(f"{TWO_HEXES}roll combat 3", f"{TWO_HEXES}also 2718\nroll combat 3")


def test_a_further_hex_of_a_battle_that_was_called_off_is_no_difference() -> None:
    off = "call off battle 1\n"
    assert difference(TWO_HEXES + off, f"{TWO_HEXES}also 2718\n{off}") == []
    assert any("call off" in line for line in difference(TWO_HEXES, TWO_HEXES + off))


def test_help_in_a_battle_that_nobody_fights_is_no_difference() -> None:
    battle = """
at turn 3, French combat; place fr-chasse fr-reille on 2617; place uk-byng on 2517
attack 2517 with fr-chasse
"""
    helped = f"{battle}support fr-reille\n"
    die = "roll combat 3\n"
    assert difference(battle, helped) == []
    assert len(difference(battle + die, helped + die)) == 1
