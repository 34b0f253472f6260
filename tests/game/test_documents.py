"""The place of a thing in a file is found although the parser does not report it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from vassalgen.game.finding import shipped_games
from vassalgen.game.reading.documents import CsvDocument, Folder, TomlDocument, shown
from vassalgen.problems import BadInput

TRICKY = '''# [not] a = table
top = 1
"quoted key" = { inner = 2 }
text = """
[no.table]
not_a_key = 3
"""
after = 4
[a."b.c".d]
x = 1
y.z = 2
list = [
  # remark
  { p = 1 },

  { p = 2 },   # another
]
last = \'\'\'one line\'\'\'
[[many]]
k = 1
[[many]]
k = 2
[many.sub]
m = 3
[[many.deep]]
n = 4
'''


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("top",), "line 2, top"),
        (("quoted key",), "line 3, quoted key"),
        (("quoted key", "inner"), "line 3, quoted key, inner"),
        (("text",), "line 4, text"),
        (("after",), "line 8, after"),
        (("a",), "line 9, a"),
        (("a", "b.c", "d"), "line 9, a, b.c, d"),
        (("a", "b.c", "d", "x"), "line 10, a, b.c, d, x"),
        (("a", "b.c", "d", "y", "z"), "line 11, a, b.c, d, y, z"),
        (("a", "b.c", "d", "list"), "line 12, a, b.c, d, list"),
        (("a", "b.c", "d", "list", 0), "line 14, a, b.c, d, list, 1"),
        (("a", "b.c", "d", "list", 1, "p"), "line 16, a, b.c, d, list, 2, p"),
        (("a", "b.c", "d", "last"), "line 18, a, b.c, d, last"),
        (("many", 0, "k"), "line 20, many, 1, k"),
        (("many", 1, "k"), "line 22, many, 2, k"),
        (("many", 1, "sub", "m"), "line 24, many, 2, sub, m"),
        (("many", 1, "deep", 0, "n"), "line 26, many, 2, deep, 1, n"),
        (("nowhere",), "nowhere"),
        ((), ""),
    ],
)
def test_a_path_of_keys_is_found_in_its_line(path: tuple[str | int, ...], place: str) -> None:
    assert TomlDocument("file.toml", TRICKY).place(path) == place


@pytest.mark.parametrize("sign", ["\u2028", "\x85"])
def test_a_sign_that_no_editor_ends_a_line_at_ends_none(sign: str) -> None:
    assert TomlDocument("file.toml", f'name = "1st{sign}Foot"\r\nsteps = 2\r\n').place(("steps",)) == (
        "line 2, steps"
    )
    table = CsvDocument("file.csv", f"id,name,steps\r\na,1st{sign}Foot,2\r\nb,2nd,1\r\n")
    assert table.rows()[1] == [(2, ["a", f"1st{sign}Foot", "2"]), (3, ["b", "2nd", "1"])]


def paths(data: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [path] if path else []
    if isinstance(data, dict):
        found += [deeper for key, value in data.items() for deeper in paths(value, (*path, key))]
    elif isinstance(data, list) and any(isinstance(value, dict) for value in data):
        found += [deeper for at, value in enumerate(data) for deeper in paths(value, (*path, at))]
    return found


@pytest.mark.parametrize(
    "file",
    [path for folder in shipped_games().values() for path in sorted(folder.rglob("*.toml"))],
    ids=lambda p: p.name,
)
def test_every_key_of_a_shipped_game_stands_in_the_line_that_is_reported(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    document, lines = TomlDocument(file.name, text), text.splitlines()
    for path in paths(tomllib.loads(text)):
        place = document.place(path)
        assert place.startswith("line "), path
        names = [part for part in path if isinstance(part, str)]
        assert names[-1] in lines[int(place.split(",")[0].removeprefix("line ")) - 1]


def test_a_path_below_is_shown_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert shown(tmp_path / "games" / "map.toml") == "games/map.toml"
    assert shown(Path("games/map.toml")) == "games/map.toml"
    assert shown(tmp_path.parent / "map.toml") == (tmp_path.parent / "map.toml").as_posix()


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "9" * 5_000])
def test_what_is_nested_or_too_long_beyond_reason_is_a_problem(text: str) -> None:
    with pytest.raises(BadInput, match="nested too deep"):
        TomlDocument("game.toml", text).parse()


def test_a_file_with_a_byte_order_mark_is_read_and_one_that_is_huge_is_not(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_bytes(b"\xef\xbb\xbftitle = 1")
    with (tmp_path / "map.toml").open("wb") as file:
        file.truncate(3 * 2**30)
    assert Folder(tmp_path).read("game.toml") == "title = 1"
    with pytest.raises(BadInput, match="larger than 16 MB"):
        Folder(tmp_path).read("map.toml")
