"""What is asked at the table: where units may go, and the odds they have."""

from __future__ import annotations

import pytest

from referee.engine.position import Position
from referee.games import find_idiom
from referee.judge import judge_record
from referee.moves_and_odds import able, counters, list_choices, list_odds
from referee.record import parse
from vassalgen.problems import BadInput

IDIOM = find_idiom("postcard1943")


def position(text: str) -> Position:
    (*_, (_, (*_, last))) = judge_record(parse(f"game postcard1943\n{text}\n"))
    after: Position = last.after
    return after


def lines_of(current: Position, text: str) -> list[str]:
    names = counters(current, text)
    return [line for name in names for line in list_choices(current, name)]


AXIS = "at turn 3, Axis movement; place pz10 superga on B5; place uk78 on I6; place hg in axis-north"


def test_where_a_unit_may_go_cheapest_first_and_what_stops_it() -> None:
    lines = lines_of(position(AXIS), "pz10")
    assert lines[0] == "10th Panzer Division [pz10] in B5; turn 3, Axis movement"
    assert lines[1] == "  move pz10 B5-A4: 0.5 of 4 MF"
    assert "  move pz10 B5-C5-C6-D6-E6-F5-G5-H5: 3.5 of 4 MF" in lines
    assert any(line.startswith("  not H6: 10th Panzer Division needs 4.5 MF to reach H6") for line in lines)


def test_units_by_name_by_commas_and_by_hex() -> None:
    current = position(AXIS)
    assert counters(current, "pz10, Superga Division") == ("pz10", "superga")
    assert counters(current, "B5") == counters(current, "Tunis") == ("pz10", "superga")


def test_what_can_be_done_in_a_later_phase_only() -> None:
    lines = lines_of(position(AXIS), "hg")
    assert lines[1:] == [
        "  No legal action now; in turn 4, reinforcements, as things stand:",
        "  arrive hg on B5",
        "  arrive hg on A4",
    ]


def test_a_unit_that_can_do_nothing() -> None:
    assert lines_of(position(AXIS), "blade")[1:] == ["  No legal action in any phase, as things stand."]


def test_everybody_who_can_do_something_now() -> None:
    assert able(position(AXIS)) == ("pz10", "superga")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("pz100", "no such counter or hex: did you mean 'pz10'"),
        ("C4", "no counters in that hex"),
        ("1", "use an id: us1, uk1"),
    ],
)
def test_counters_that_are_not_told_apart_or_not_there(text: str, wrong: str) -> None:
    with pytest.raises(BadInput, match=wrong):
        counters(position(AXIS), text)


FIGHT = "at turn 3, Allied movement; place us1 uk78 on B3; place pz10 superga on B4; place us9 on D6"


def test_the_odds_of_an_attack_with_all_their_sources() -> None:
    lines = list(list_odds(position(FIGHT), IDIOM, "Longstop Hill", ("us1", "uk78")))
    assert lines[0] == "1st Division, 78th Division against B4; as things stand, in turn 3, Allied combat"
    assert "  -1 more than half across the river [terrain.4]" in lines
    assert lines[-1] == "final column 1:3"


def test_an_attack_that_is_not_allowed_is_calculated_and_refused() -> None:
    lines = list(list_odds(position(FIGHT), IDIOM, "B4", ("us1", "us9")))
    attacks = "9th Division attacks B4, which is not adjacent; a unit attacks only adjacent hexes."
    assert lines[-1] == f"illegal combat.3: {attacks}"


@pytest.mark.parametrize(
    ("target", "unit", "wrong"),
    [
        ("B5", "us1", "there is no enemy unit in that hex"),
        ("B4", "hg", "is not on the map"),
        ("Z9", "us1", "Z9"),
    ],
)
def test_odds_of_what_cannot_be(target: str, unit: str, wrong: str) -> None:
    with pytest.raises(BadInput, match=wrong):
        list(list_odds(position(FIGHT), IDIOM, target, (unit,)))
