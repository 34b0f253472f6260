"""How sections of a rulebook are put together."""

from __future__ import annotations

import pytest

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rulebook import Rulebook
from referee.engine.rules import Section
from vassalgen.problems import BadInput


def nothing(position: Position, action: Action) -> Position:
    return position


def test_a_section_that_says_twice_what_a_verb_does_is_refused() -> None:
    section = Section("Movement")
    section.does("move", "march")(nothing)
    with pytest.raises(BadInput, match="march: is carried out by section 'Movement', twice"):
        section.clears("march", state="tired")


def test_two_sections_that_say_what_a_verb_does_are_refused_as_the_game_is_loaded() -> None:
    first, second = Section("Movement"), Section("Combat")
    first.does("move")(nothing)
    second.does("move", "attack")(nothing)
    with pytest.raises(BadInput, match="move: is carried out by sections 'Movement' and 'Combat'"):
        Rulebook(game="skirmish", own_verbs=(), sections=(first, second), clock_clause="1")
