"""Modules of the other games by clubs: no grid, a turned board, a printed turn track, other numbers."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from attrs import evolve

from referee.audit import Report, audit
from referee.engine.clock import Calendar
from referee.engine.rulings import Grade
from referee.mapping.checking import check_map
from referee.mapping.mapped_view import SeenThroughMap, through_map
from referee.mapping.modulemap import MappedModule, Meaning, read_map
from referee.mapping.proposing import Proposal, propose
from referee.mapping.survey import Survey, survey
from referee.scribe.fact_finder import FactFinder
from referee.scribe.facts import Rolled
from referee.scribe.phases import Phases
from referee.table import Replay, events, read_log, read_module
from referee.table.events import Step
from vassalgen.game.finding import open_game

CLUBS = Path(__file__).resolve().parents[1] / "data" / "clubs"
GAMES = {"oran": "tunisia1943", "gabes": "patton1943", "alava": "vitoria1813"}
MEASURED = {
    "oran": {"0101": (60, 70), "0912": (476, 730), "1324": (684, 1450), "2533": (1308, 1990)},
    "gabes": {"7204": (100, 110), "7804": (460, 110), "8111": (640, 635), "8924": (1120, 1545)},
    "alava": {"0101": (1048, 96), "1114": (372, 666), "1708": (684, 1026), "3220": (60, 1926)},
}
"""Hexes of each board with the pixels of their centres, as the clubs measured them."""


@cache
def surveyed(club: str) -> Survey:
    return survey(CLUBS / f"{club}.vmod")


@cache
def proposed(club: str) -> Proposal:
    return propose(open_game(GAMES[club]), surveyed(club))


@cache
def audited(club: str, game: str) -> Report:
    module = MappedModule.of(read_module(CLUBS / f"{club}.vmod"), read_map(CLUBS / f"{club}.map.toml"))
    report = audit([read_log(CLUBS / f"{club}-{game}.vlog")], open_game(GAMES[club]), module)
    assert not report.unjudged
    return report


@pytest.mark.parametrize("club", GAMES)
def test_nine_of_ten_pieces_are_sure_and_right_and_the_others_have_the_right_one_beside_them(
    club: str,
) -> None:
    right, game = read_map(CLUBS / f"{club}.map.toml").counters, open_game(GAMES[club])
    units = {
        key: meaning
        for key, meaning in right.items()
        if meaning.ids and not game.kinds[game.counters[meaning.ids[0]].kind].marker
    }
    lines = [line for line in proposed(club).counters if line.key in units]
    sure = [line for line in lines if line.is_sure]
    assert all(line.value.split()[0] == units[line.key].ids[0] for line in sure)
    assert len(sure) >= 0.9 * len(units)
    assert all(units[line.key].ids[0] in line.value.split() for line in lines)


@pytest.mark.parametrize("club", GAMES)
def test_the_hexes_are_where_the_board_has_them(club: str) -> None:
    hexes = proposed(club).hexes
    assert hexes is not None
    assert hexes.is_sure
    for name, spot in MEASURED[club].items():
        assert hexes.laid.hex_at(*spot) == name
        assert hexes.laid.pixel_of(hexes.laid.layout.centre(name)) == pytest.approx(spot, abs=3)


@pytest.mark.parametrize("club", GAMES)
def test_nothing_is_missing_in_a_map_that_was_settled(club: str) -> None:
    found = check_map(read_map(CLUBS / f"{club}.map.toml"), open_game(GAMES[club]), surveyed(club))
    assert found.missing == ()


def test_a_layer_of_losses_shows_steps_though_a_state_has_the_word_lost_in_its_title() -> None:
    assert [(line.key, line.value) for line in proposed("oran").layers] == [("Losses", "steps")]


def test_a_marker_on_a_printed_track_shows_the_turn() -> None:
    assert proposed("gabes").turn == "Game Turn"
    shown = {
        step.step: step.clock.turn for step in audited("gabes", "clean").logged_facts[0].steps if step.clock
    }
    assert shown == {83: 2, 116: 3}


def test_phases_that_are_called_otherwise_are_known_by_their_places_among_the_others() -> None:
    phases = {line.key: line.value for line in proposed("alava").phases}
    assert phases["A - Generals"] == "Allied Leaders"
    assert phases["F - Melee"] == "French Combat"


@pytest.mark.parametrize("club", GAMES)
def test_nobody_is_accused_who_played_by_the_rules(club: str) -> None:
    report = audited(club, "clean")
    assert report.count(Grade.illegal) == 0
    assert sum(one.ruling is not None for one in report.readings) > 25


def test_breaches_that_the_board_proves_are_illegal() -> None:
    findings = audited("oran", "breaches").findings
    illegal = {(one.steps[-1], one.clause) for one in findings if one.grade is Grade.illegal}
    assert {(3, "4.1a"), (4, "4.1f"), (9, "5.1a")} <= illegal
    assert {one.steps[-1] for one in findings if one.grade is Grade.illegal} <= {3, 4, 9}


def heard(club: str, *, text: str = "", **rolled: str) -> list[tuple[str, tuple[int, ...]]]:
    """The dice that are read from what a player wrote into the chat, or a button showed, as the game's."""
    names = evolve(read_map(CLUBS / f"{club}.map.toml"), dice={"Cohesion roll": Meaning(("cohesion",))})
    module = MappedModule.of(read_module(CLUBS / f"{club}.vmod"), names)
    game = open_game(GAMES[club])
    phases = Phases(game, Calendar.of(game, next(iter(game.scenarios.values()))))
    fact_finder = FactFinder(game, phases, module, through_map(module.names))
    seen = SeenThroughMap(module.names, fact_finder, Replay(read_log(CLUBS / f"{club}-clean.vlog"), module))
    buttons = tuple(events.Rolled(dice=button, faces=(value,)) for button, value in rolled.items())
    step = Step(number=1, chat=(f"&lt;Cleo&gt; - {text}",), events=buttons)
    return [(one.dice, one.faces) for one in seen.rolled(step, "axis", ()) if isinstance(one, Rolled)]


@pytest.mark.parametrize(
    ("text", "dice"),
    [
        ("1d6 = 5", [("combat", (5,))]),
        ("*** 2d6 = 3, 4 *** <Ben>", [("cohesion", (3, 4))]),
        ("I rolled 2d6 = 7", [("cohesion", (4, 3))]),
        ("2d6 = 14", []),
        ("1d20 = 17", []),
        ("5d6 = 1, 2, 3, 4, 5", []),
        ("** Cohesion roll = 6,2 *** <Ben>", [("cohesion", (6, 2))]),
    ],
)
def test_dice_in_the_chat_are_those_of_the_game_with_as_many(
    text: str, dice: list[tuple[str, tuple[int, ...]]]
) -> None:
    assert heard("oran", text=text) == dice


def test_a_button_that_shows_only_a_sum_rolls_as_many_dice_as_can_show_it() -> None:
    assert heard("oran", Dice="9") == [("cohesion", (5, 4))]
    assert heard("oran", Dice="4") == [("combat", (4,))]
    assert heard("oran", Dice="17") == []
