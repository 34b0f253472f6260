"""What is kept between builds gives the same bytes, and is used only for what it was drawn from."""

from __future__ import annotations

import os
import time
from pathlib import Path

import attrs
import pytest

from vassalgen import caching
from vassalgen.caching import Cache
from vassalgen.compile import compile_game
from vassalgen.drawing.picture import Picture
from vassalgen.game.finding import open_game
from vassalgen.game.game import Game


@pytest.fixture(scope="module")
def game() -> Game:
    return open_game("postcard1943")


def undrawn(self: Picture, *_: object, **__: object) -> None:
    raise AssertionError("drawn again")


def test_a_build_from_the_cache_has_the_same_bytes(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh, cache = compile_game(game).to_bytes(), Cache(tmp_path / "cache")
    assert compile_game(game, cache=cache).to_bytes() == fresh
    monkeypatch.setattr(Picture, "raster", undrawn)
    assert compile_game(game, cache=cache).to_bytes() == fresh
    other_text = attrs.evolve(game, credits="Other words.", clauses={})
    assert compile_game(other_text, cache=cache).to_bytes() != fresh


def test_texts_that_no_picture_shows_draw_nothing_again(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path)
    compile_game(game, cache=cache)
    monkeypatch.setattr(Picture, "raster", undrawn)
    monkeypatch.setattr(Picture, "svg", undrawn)
    other = attrs.evolve(
        game,
        counters={name: attrs.evolve(one, name="Other") for name, one in game.counters.items()},
        scenarios={name: attrs.evolve(one, title="Other") for name, one in game.scenarios.items()},
        states={name: attrs.evolve(one, title="Other") for name, one in game.states.items()},
    )
    assert compile_game(other, cache=cache).to_bytes() != compile_game(game, cache=cache).to_bytes()


def test_a_name_that_counters_show_is_drawn_again(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faces = {kind: attrs.evolve(one, top="{name}") for kind, one in game.art.faces.items()}
    named, cache = attrs.evolve(game, art=attrs.evolve(game.art, faces=faces)), Cache(tmp_path)
    compile_game(named, cache=cache)
    monkeypatch.setattr(Picture, "svg", undrawn)
    compile_game(named, cache=cache)
    counters = {name: attrs.evolve(one, name="Other") for name, one in game.counters.items()}
    with pytest.raises(AssertionError, match="drawn again"):
        compile_game(attrs.evolve(named, counters=counters), cache=cache)


def test_another_map_is_drawn_again(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path)
    compile_game(game, cache=cache)
    monkeypatch.setattr(Picture, "raster", undrawn)
    other = attrs.evolve(game, art=attrs.evolve(game.art, board=attrs.evolve(game.art.board, title="Other")))
    with pytest.raises(AssertionError, match="drawn again"):
        compile_game(other, cache=cache)


def test_a_damaged_file_is_made_again(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    assert cache.kept("this", lambda: b"content") == b"content"
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    assert cache.kept("this", lambda: b"again") == b"again"
    assert cache.kept("this", lambda: b"not made") == b"again"


def test_a_folder_that_cannot_be_written_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert Cache(tmp_path / "file").kept("this", lambda: b"content") == b"content"


def test_values_are_told_apart() -> None:
    texts = [
        caching._canonical(value) for value in (1, "1", 1.0, True, None, (1,), {"a": 1}, frozenset("ab"))
    ]
    assert len(set(texts)) == len(texts)
    assert caching._canonical(frozenset("abc")) == caching._canonical(frozenset("cba"))
    with pytest.raises(TypeError):
        caching._canonical(object())


def test_what_no_build_has_asked_for_in_three_months_is_deleted(tmp_path: Path) -> None:
    cache, long_ago = Cache(tmp_path), time.time() - 100 * 24 * 3600
    for what in ("asked for", "forgotten"):
        cache.kept(what, lambda: b"content")
    (tmp_path / "a file of somebody else").write_bytes(b"")
    for file in tmp_path.iterdir():
        os.utime(file, (long_ago, long_ago))
    cache.kept("asked for", lambda: b"not made")
    cache.prune()
    assert {file.name for file in tmp_path.iterdir()} == {
        caching.fingerprint("asked for"),
        "a file of somebody else",
    }
