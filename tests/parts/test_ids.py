"""The ids of counters are kept for ever."""

from __future__ import annotations

import shutil
from pathlib import Path

import attrs
import pytest

from tests.parts.conftest import SMALL
from vassalgen.game.finding import open_game, shipped_games
from vassalgen.game.game import Game
from vassalgen.parts.ids import FILE, ids_of, keep
from vassalgen.problems import BadInput


@pytest.fixture
def own(tmp_path: Path) -> Game:
    """The small game in a folder that a test may write in."""
    shutil.copytree(SMALL, tmp_path / "small")
    return open_game(tmp_path / "small")


def test_a_new_game_is_given_ids(own: Game) -> None:
    ids = ids_of(own)
    assert keep(own, ids) == own.folders[0] / FILE
    assert sorted(ids.numbers.values()) == list(range(1, len(own.counters) + 5))
    assert ids.piece("b1") == "U003"


def test_building_again_writes_nothing(own: Game) -> None:
    keep(own, ids_of(own))
    again = ids_of(open_game(own.folders[0]))
    assert again.added == ()
    assert keep(own, again) is None


def test_a_new_counter_gets_the_next_number_and_the_others_keep_theirs(own: Game) -> None:
    first = ids_of(own)
    keep(own, first)
    before = (own.folders[0] / FILE).read_bytes()
    more = attrs.evolve(own, counters={"new": own.counters["b1"], **own.counters})
    second = ids_of(more)
    keep(more, second)
    assert second.added == ("new",)
    assert second.numbers == {**first.numbers, "new": first.next}
    assert (own.folders[0] / FILE).read_bytes() == before + b'"new" = %d\n' % first.next


def test_the_number_of_a_counter_that_went_is_not_used_again(own: Game) -> None:
    keep(own, ids_of(own))
    fewer = {name: counter for name, counter in own.counters.items() if name != "m-routed"}
    ids = ids_of(attrs.evolve(own, counters={**fewer, "new": own.counters["b1"]}))
    assert ids.numbers["new"] not in ids_of(own).numbers.values()


@pytest.mark.parametrize("text", ["b1 = 0\n", "b1 = true\n", 'b1 = "x"\n', "b1 = 3\nb2 = 3\n", "b1 =\n"])
def test_a_damaged_file_is_reported(own: Game, text: str) -> None:
    (own.folders[0] / FILE).write_text(text)
    with pytest.raises(BadInput, match=FILE):
        ids_of(own)


@pytest.mark.parametrize("name", shipped_games())
def test_shipped_games_have_all_their_ids(name: str) -> None:
    assert ids_of(open_game(name)).added == ()
