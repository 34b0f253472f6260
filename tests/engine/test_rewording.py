"""Statements that name counters by what they are in the position, or say more than is needed."""

from __future__ import annotations

import pytest

from referee.record import parse
from vassalgen.problems import BadInput

COMBAT = """game vitoria1813
at turn 3, Allied combat
place Cadogan Byng Hill on 2617; place Rey Morgan on 2717; place Ashworth on 2718
attack 2717 with Cadogan Byng
"""
MOVEMENT = """game vitoria1813
at turn 3, French movement
place Rey Morgan Gazan on 2617; place Cadogan on 2717; place Digeon on 2317
"""
BRIDGE = "game vitoria1813\nat turn 4, French movement\nplace fr-sapeurs on 1910\n"
TUNISIA = "game tunisia1943\nat turn 5, Axis sustain\n"
BATTLE = """game patton1943
at turn 3, Axis battles
place de-21pz on 8413; place uk-46 on 8414
attack 8414 with de-21pz
"""


def contents(begun: str, said: str) -> list[object]:
    """What is said after a beginning."""
    before = len(parse(begun).main)
    return [one.content for one in parse(f"{begun}{said}\n").main[before:]]


@pytest.mark.parametrize(
    ("begun", "said", "loosely"),
    [
        (COMBAT, "lose uk-cadogan 1; lose uk-byng 1", "each attacker loses a step"),
        (COMBAT, "lose uk-cadogan 1; lose uk-byng 1", "the attackers lose a step each"),
        (COMBAT, "lose fr-rey 1; lose fr-morgan 1", "both defenders lose a step"),
        (COMBAT, "lose fr-rey 1; lose fr-morgan 1", "Rey and Morgan both lose a step"),
        (COMBAT, "advance uk-cadogan uk-byng ..2717", "the attackers advance to 2717"),
        (COMBAT, "advance uk-cadogan uk-byng ..2717", "both attackers advance to 2717"),
        (COMBAT, "support uk-wellington", "Wellington also supports"),
        (COMBAT, "retreat fr-rey ..2817", "Rey's men retreat to 2817"),
        (COMBAT, "lose fr-rey 1", "Rey (7) loses a step"),
        (
            COMBAT,
            "retreat fr-rey 2717-2817; retreat fr-morgan 2717-2816",
            "Rey retreats 2717-2817, Morgan retreats 2717-2816",
        ),
        (COMBAT, "rout fr-rey ..2817", "Rey is routed to 2817"),
        (COMBAT, "odds 2:1 attack 11 defence 5", "11 to 5 is 2 to 1"),
        (COMBAT, "roll combat 4", "Cadogan rolls a 4"),
        (COMBAT, "modifier 1", "the die is +1"),
        (COMBAT, "roll combat 4", "roll 4, modified to 5"),
        (COMBAT, "roll combat 4", "roll 4 + 1 = 5"),
        (COMBAT, "attack 2717 with pt-ashworth", "Ashworth alone attacks 2717"),
        (COMBAT, "roll 4 for uk-hill", "Hill rolls 4"),
        (COMBAT, "settle", "next combat"),
        (COMBAT, "attack 2717 with pt-ashworth", "second combat: Ashworth attacks 2717"),
        (MOVEMENT, "move fr-rey fr-morgan fr-gazan ..2517", "the stack moves to 2517"),
        (MOVEMENT, "move fr-rey fr-morgan fr-gazan 2617-2517", "the units in 2617 move 2617-2517"),
        (MOVEMENT, "move fr-rey fr-morgan 2617-2517", "Rey and Morgan move as a stack 2617-2517"),
        (MOVEMENT, "move fr-rey 2617-2517", "Rey moves 2617-2517 (cost 3)"),
        (MOVEMENT, "move fr-rey 2617-2517", "Rey moves 2617-2517, paying 3 MP"),
        (MOVEMENT, "move fr-digeon 2317-2417; charge fr-digeon", "Digeon moves 2317-2417, then charges"),
        (MOVEMENT, "place fr-sapeurs on 1910", "place the French sappers on 1910"),
        (MOVEMENT, "place uk-byng on 2518 steps 5", "place Byng (5 steps) on 2518"),
        (MOVEMENT, "place uk-byng on 2518", "place Byng (5) on 2518"),
        (MOVEMENT, "place uk-byng on 2518 disordered", "place a disordered Byng on 2518"),
        (MOVEMENT, "place uk-byng on 2518; place pt-power on 2519", "place Byng on 2518 and Power on 2519"),
        (MOVEMENT, "place uk-byng pt-power on 2518", "2518: Byng, Power"),
        (MOVEMENT, "place uk-art-hill on 2518", "place Hill's artillery on 2518"),
        (BRIDGE, "work fr-sapeurs across 1911", "French sappers work on the bridge 1910-1911"),
        (BRIDGE, "finish fr-sapeurs across 1911 destroyed", "fr-sapeurs blow up the bridge 1910-1911"),
        (BATTLE, "lose uk-46", "the 46th is reduced"),
        (TUNISIA, "sustain de-em-21pz", "sustain 21st Panzer"),
        (TUNISIA, "sustain de-em-21pz de-em-10pz", "Axis sustains 21st Panzer and 10th Panzer"),
        (TUNISIA, "place us-16 on 1714", "place us-16 in Kairouan"),
        (TUNISIA, "place us-16 on 1717 steps 1", "place us-16 one step left on 1717"),
        (BATTLE, "roll attack 6", "21st Panzer rolls 6"),
        (BATTLE, "roll defence 9", "the 46th Infantry Division rolls a 9"),
    ],
)
def test_counters_are_named_by_what_they_do(begun: str, said: str, loosely: str) -> None:
    assert contents(begun, loosely) == contents(begun, said)


@pytest.mark.parametrize(
    ("begun", "said"),
    [
        (COMBAT, "both brigades lose a step"),  # those of either side
        (COMBAT, "the stack retreats to 2616"),
        (COMBAT, "the defender loses a step"),
        (COMBAT, "Hill's men retreat to 2616"),  # he commands many
        (MOVEMENT, "set up; the stack moves to 2517"),
        (MOVEMENT, "place Byng (4) on 2518"),  # its steps, perhaps
        (MOVEMENT, "the horse artillery moves to 2517"),
        (TUNISIA, "place Centauro on 1717"),  # not artillery points
        (TUNISIA, "they pass"),  # a test, perhaps
        (TUNISIA, "us-16 passes"),
        (COMBAT, "second roll 5"),  # not for the second brigade of a division
        (COMBAT, "Rey retreats from 2717"),
        (MOVEMENT, "place Anson on 2518"),  # there are two
    ],
)
def test_counters_that_are_not_clear_are_refused(begun: str, said: str) -> None:
    with pytest.raises(BadInput):
        parse(f"{begun}{said}\n")


@pytest.mark.parametrize(
    "said",
    [
        "no advance",
        "Cadogan does not advance",
        "nobody retreats",
        "the attackers do not advance",
        "Hill stays put",
        "Rey takes no losses",
    ],
)
def test_what_is_not_done_changes_nothing(said: str) -> None:
    assert contents(COMBAT, said) == [None]
    with pytest.raises(BadInput):
        parse(f"{COMBAT}{said} ! illegal\n")


def test_a_phase_alone_begins_the_record_or_ends_the_phase_before() -> None:
    moves = "Allied movement\nplace Byng on 2517\nByng moves 2517-2617\n"
    text = f"game vitoria1813\nturn 3, {moves}Allied fire phase\n"
    plain = f"game vitoria1813\nat turn 3, {moves}next Allied fire\n"
    assert [one.content for one in parse(text).main] == [one.content for one in parse(plain).main]


def test_the_only_battery_on_the_map_is_the_one_that_is_meant() -> None:
    begun = "game vitoria1813\nat turn 3, Allied fire\nplace uk-art-rha on 2517; place Rey on 2617\n"
    assert contents(begun, "the horse artillery fires at 2617") == contents(
        begun, "fire 2617 with uk-art-rha"
    )


def test_hexes_that_are_not_adjacent_are_named() -> None:
    with pytest.raises(BadInput) as found:
        parse(f"{MOVEMENT}Rey moves 2617-2516\n")
    assert found.value.problems[0].wrong == "2617 and 2516 are not adjacent"
