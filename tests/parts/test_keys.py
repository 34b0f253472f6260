"""No two commands of a counter have the same key, and keys read as they are written."""

from __future__ import annotations

import attrs
import pytest

from vassalgen.game.game import Game
from vassalgen.parts import keys
from vassalgen.vassal.scalars import ALT, CTRL, CTRL_SHIFT, Key


def test_every_key_does_one_thing(game: Game) -> None:
    listed = [key for _, rows in keys.listed(game) for key, _ in rows]
    assert len(set(listed)) == len(listed)


def test_no_key_is_one_of_vassals_menus(game: Game) -> None:
    given = keys.keys_of(game)
    for key in (*given.states.values(), *given.declarations.values()):
        assert key.modifiers != CTRL or chr(key.code) not in keys.VASSALS_OWN


def test_a_key_that_the_game_proposes_is_taken(small: Game) -> None:
    charge = attrs.evolve(small.declarations["charge"], key="Ctrl+Shift+X")
    found = keys.keys_of(attrs.evolve(small, declarations={"charge": charge}))
    assert found.declarations["charge"] == Key(ord("X"), CTRL_SHIFT)


def test_a_proposed_key_that_is_taken_gives_way(small: Game) -> None:
    charge = attrs.evolve(small.declarations["charge"], key="Ctrl+B")
    found = keys.keys_of(attrs.evolve(small, declarations={"charge": charge}))
    assert found.declarations["charge"] == Key(ord("C"), CTRL_SHIFT)


@pytest.mark.parametrize("key", [Key(ord("A"), CTRL), Key(ord("7"), CTRL_SHIFT), Key(ord("Q"), ALT)])
def test_keys_read_as_they_are_written(key: Key) -> None:
    assert keys.read_key(keys.show_key(key)) == key


@pytest.mark.parametrize("text", ["", "Ctrl+", "Shift+Alt+A", "Enter", "Ctrl+Alt+B"])
def test_what_is_no_key_is_none(text: str) -> None:
    assert keys.read_key(text) is None


def test_a_letter_alone_is_meant_with_ctrl() -> None:
    assert keys.read_key("x") == Key(ord("X"), CTRL)
