"""Short games written as logs, and what is read from them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from referee.audit import Report, audit
from referee.engine.actions import Action
from referee.engine.combat import Strength
from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.games import find_idiom
from referee.games.tunisia1943 import battle
from referee.judge import judge_record
from referee.record import parse
from referee.table import EMPTY_MODULE, Replay
from referee.table.events import Moved
from tools.proof.comparing import differences, steps_read
from tools.proof.judging import SIMPLE, audit_game
from tools.proof.logs.battles import Battles
from tools.proof.logs.counter_actions import CounterActions
from tools.proof.logs.declarations import Declarations
from tools.proof.logs.opening import Opening, opening_of
from tools.proof.playing import Step

GAME, SCENARIO = "tunisia1943", "campaign1"


@pytest.fixture(scope="module")
def opening() -> Opening:
    return opening_of(GAME, SCENARIO)


def steps_of(text: str) -> list[Step]:
    """The actions of a record that begins with the set-up."""
    record = parse(f"game {GAME} scenario {SCENARIO}\nset up\n{text}")
    return [
        Step(each.statement.content, each.before, each.after, each.ruling)
        for _, statements in judge_record(record)
        for each in statements
        if isinstance(each.statement.content, Action) and each.ruling is not None
    ]


def read(opening: Opening, text: str) -> tuple[Report, list[str]]:
    """The audit of a game written as a log, and in what the record read differs from the one played."""
    steps = steps_of(text)
    assert [step.ruling.breaches for step in steps if step.ruling.grade > Grade.legal] == []
    report, _ = audit_game(opening, steps, 1, SIMPLE)
    return report, list(differences(steps, list(steps_read(report.readings)), find_idiom(GAME)))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            """
            next turn 1, Axis combat; attack 1406 with de-755 de-fjr5 battle 1; roll combat 1 battle 1
            attack 1418 with de-pzg104 battle 2; lose de-755 battle 1; lose de-fjr5 battle 1; next
            """,
            id="steps are lost after the next attack was declared",
        ),
        pytest.param(
            """
            at turn 2, Allied combat; place de-em-broich on 1110; place fr-cfa on 1010
            attack 1110 with fr-cfa battle 1; attack 1507 with uk-38 battle 2
            eliminate de-em-broich battle 1; next
            """,
            id="a lone EM is taken off after the next attack was declared",
        ),
        pytest.param(
            """
            at turn 5, Allied movement; place de-em-broich on 1110; place us-168 on 1010
            overrun us-168 on 1110; move us-168 1010-0911; next
            """,
            id="an overrun is announced, and the unit goes elsewhere",
        ),
        pytest.param(
            """
            at turn 5, Axis sustain; place it-91 on 1617; place us-em-1 on 1817; sustain de-em-10pz; next
            overrun it-91 on 1817; displace us-em-1 1817-1917; move it-91 1617-1616
            """,
            id="an EM is displaced before anything else is done in the phase",
        ),
        pytest.param("next turn 1, Axis movement", id="no counter was ever moved"),
    ],
)
def test_what_is_logged_is_read_and_found_legal(opening: Opening, text: str) -> None:
    report, different = read(opening, text)
    assert [one.says for one in report.findings] == []
    assert different == []


def test_an_em_goes_back_from_an_overrun_that_was_announced_and_nobody_comes(opening: Opening) -> None:
    text = """
        at turn 5, Axis movement; place it-91 on 1617; place us-em-1 on 1817
        overrun it-91 on 1817; displace us-em-1 1817-1917; next
        """
    report, _ = audit_game(opening, steps_of(text), 1, SIMPLE)
    assert [(one.grade, one.clause) for one in report.findings] == [(Grade.unproven, "4.2b")]


def test_a_stack_dragged_over_an_enemy_goes_on_where_no_module_names_layers(opening: Opening) -> None:
    text = "at turn 5, Allied movement; place de-em-broich on 1110; place us-168 us-18 on 1010\nnext"
    writer = opening.writer(steps_of(text)[0].before)
    for place in ("1110", "1211"):
        CounterActions(writer).drag(("us-168", "us-18"), place)
    replay = Replay(writer.log(), EMPTY_MODULE)
    moved = [len([one for one in step.events if isinstance(one, Moved)]) for step in replay.steps()]
    assert moved == [2, 2]


def test_a_marker_taken_off_too_early_turns_no_page_for_those_who_still_exploit(opening: Opening) -> None:
    steps = steps_of(
        """
        at turn 1, Axis exploitation; place it-91 on 1510 out-of-supply
        in supply it-91; exploit de-pz7 1608-1708; exploit de-pz5 1618-1718; next
        """
    )
    report, _ = audit_game(opening, steps, 1, SIMPLE)
    assert [(one.grade, one.clause) for one in report.findings] == [(Grade.illegal, "9.3c")]


def test_points_of_the_side_that_waits_come_back_too_early_though_nobody_fights(opening: Opening) -> None:
    """No battle, declared or not, restores points."""
    steps = steps_of(
        """
        at turn 1, Axis combat; place fr-em-dma on 1110; place fr-1rta on 1212; place us-26 off
        place de-755 on 1312
        attack 1212 with de-755 battle 1; artillery fr-em-dma 1 battle 1; roll combat 6 battle 1
        lose de-755 battle 1; next turn 1, Axis exploitation; exploit de-pz7 1608-1708; face up fr-em-dma
        next turn 1, Axis supply
        """
    )
    report, _ = audit_game(opening, steps, 1, SIMPLE)
    assert [(one.grade, one.clause) for one in report.findings] == [(Grade.illegal, "0.1m")]


def test_points_that_nobody_named_are_not_read(opening: Opening) -> None:
    steps = steps_of("next turn 1, Axis combat; attack 1406 with de-755 de-fjr5 battle 1")
    writer = opening.writer(steps[0].before)
    battles = Battles(writer)
    battles.attack(1, [piece.id for piece in steps[0].after.at("1406")], ("de-755", "de-fjr5"))
    Declarations(writer, battles).declare(("de-em-334",), "artillery", 1)
    report = audit([writer.log()], steps[0].before.game, opening.module, SCENARIO)
    assert "artillery was declared without the number of points" in [one.text for one in report.unread]
    assert [one.clause for one in report.findings] == []


def test_a_wrong_sum_in_the_rules_shows_as_a_false_accusation(
    opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the module announces is calculated literally, and not by the rules that judge it."""
    steps = steps_of(
        """
        next turn 1, Axis combat; attack 1406 with de-755 de-fjr5 battle 1; roll combat 1 battle 1
        lose de-755 battle 1; lose de-fjr5 battle 1; next
        """
    )
    right = battle.attack_strengths

    def too_much(position: Position, attack: battle.Attack, mistake: str = "") -> list[Strength]:
        return [*right(position, attack, mistake), Strength("an error", Fraction(9), "7.2b")]

    monkeypatch.setattr(battle, "attack_strengths", too_much)
    report, _ = audit_game(opening, steps, 1, SIMPLE)
    assert "7.2b" in {one.clause for one in report.findings}
