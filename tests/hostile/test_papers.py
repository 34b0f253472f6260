"""Files beside a log that may come from a stranger too: maps, notes, records, archive.toml,
folders of games.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.archive.corrections import NAME, read_corrections
from referee.cli import main
from referee.mapping.modulemap import read_map
from referee.notes import read_notes
from referee.record import read
from vassalgen.game.finding import open_game
from vassalgen.game.reading.documents import TomlDocument
from vassalgen.problems import BadInput

ROOT = Path(__file__).resolve().parents[2]
CLUBS = ROOT / "tests" / "data" / "clubs"
ALDER = ROOT / "vassalgen" / "starters" / "alder"
HEAD = 'game = "postcard1943"\n'
MARK = b"\xef\xbb\xbf"


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def alder_with(tmp_path: Path, file: str, old: str, new: str) -> Path:
    """The starter with a word of a file changed; without an old one, a column of steps for one counter."""
    folder = Path(shutil.copytree(ALDER, tmp_path / "game"))
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    if not old:
        heading, *lines = text.splitlines()
        lines = [f"{line},{new if at == 0 else ''}" for at, line in enumerate(lines) if line]
        text = "\n".join([f"{heading},steps", *lines])
    (folder / file).write_text(text.replace(old, new) if old else text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (HEAD + "hexes = 3\n", "must be a table for each map"),
        (HEAD + "[hexes]\nMap = 3\n", "must be a table for each map"),
        (HEAD + f"turn = {'9' * 5000}\n", "a number that is too long"),
        (HEAD + f"turn = {'[' * 50_000}\n", "nested too deep"),
    ],
    ids=["hexes are a number", "a map is a number", "a long number", "lists in lists"],
)
def test_what_is_no_map_of_a_module_is_refused(text: str, wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "club.map.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=wrong):
        read_map(path)
    shutil.copy(path, tmp_path / NAME)
    with pytest.raises(BadInput):
        read_corrections([tmp_path])


def test_a_paper_of_three_gigabytes_is_refused_by_its_size(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with path.open("wb") as file:
        file.truncate(3 << 30)
    for reader in (read_map, read_notes, read, lambda one: read_corrections([one.parent])):
        with pytest.raises(BadInput, match="larger than 16 MB"):
            reader(path)


def test_papers_with_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(MARK + b'[players]\n"Ben N." = "Ben"\n')
    assert read_corrections([tmp_path]).player("Ben N.") == "Ben"
    path = tmp_path / "club.map.toml"
    path.write_bytes(MARK + (CLUBS / "harbour.map.toml").read_bytes())
    assert read_map(path).counters == read_map(CLUBS / "harbour.map.toml").counters


@pytest.mark.parametrize("command", ["audit", "archive"])
def test_a_map_opens_no_folder(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ALDER, tmp_path / "evil")
    (tmp_path / "evil" / "rules.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n", encoding="utf-8")
    text = (CLUBS / "harbour.map.toml").read_text(encoding="utf-8")
    (tmp_path / "club.map.toml").write_text(text.replace(HEAD, 'game = "evil"\n'), encoding="utf-8")
    for name in ("harbour.vmod", "harbour-clean.vlog"):
        shutil.copy(CLUBS / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    if command == "audit":
        result = run("audit", "harbour-clean.vlog", "--map", "club.map.toml")
        said = result.output
        assert result.exit_code == 2
    else:
        assert run("archive", ".", "-o", "site", "--jobs", "1").exit_code == 0
        said = (tmp_path / "site" / "www" / "data" / "games.json").read_text(encoding="utf-8")
    assert "there is no installed game 'evil'" in said
    assert not (tmp_path / "ran").exists()


def test_a_folder_with_the_name_of_the_game_of_a_log_is_not_taken_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ALDER, tmp_path / "postcard1943")
    shutil.copy(ROOT / "tests" / "data" / "postcard1943" / "mail-1.vlog", tmp_path)
    (tmp_path / "postcard1943" / "rules.py").write_text(
        f"open({str(tmp_path / 'ran')!r}, 'w')\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    assert run("audit", "mail-1.vlog").exit_code == 0
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("file", "old", "new", "wrong"),
    [
        ("map.toml", "columns = [1, 12]", "columns = [1, 999999999]", "hexes with the rows"),
        ("counters.csv", "", "2147483648", "at most 1000"),
    ],
)
def test_numbers_that_would_take_all_memory_are_refused(
    file: str, old: str, new: str, wrong: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match=wrong):
        open_game(alder_with(tmp_path, file, old, new))


@pytest.mark.parametrize(
    ("action", "wrong"),
    [
        ("lose fr-morgan 1.5 battle 1", r"'1\.5' is not a whole number"),
        ("lose fr-rey -2516", "-2516 is not a number of steps"),
        ("lose fr-rey 0", "0 is not a number of steps"),
        ("regain fr-rey -2516", "-2516 is not a number of steps"),
    ],
)
def test_only_a_whole_number_of_steps_is_lost_or_regained(action: str, wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    path.write_text(f"game vitoria1813\n{action}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=wrong):
        read(path)


@pytest.mark.parametrize(
    ("file", "old", "new", "wrong"),
    [
        ("counters.csv", ",infantry,vell,", ",infantry,valley,", "no side 'valley'"),
        ("counters.csv", "v1,infantry,", "v1,riders,", "there is no kind"),
        ("rules.toml", "[states.unsupplied]", "[states.suppressed]", "no state 'suppressed'"),
    ],
)
def test_a_game_whose_data_do_not_fit_each_other_judges_nothing(
    file: str, old: str, new: str, wrong: str, tmp_path: Path
) -> None:
    result = run("judge", alder_with(tmp_path, file, old, new) / "cases.record")
    assert result.exit_code == 2
    assert wrong in result.output
    assert "internal error" not in result.output


@pytest.mark.parametrize("number", ["1e400", "nan", "-inf", "9" * 4000, "[1, { x = 1000000001 }]"])
def test_a_number_larger_than_any_of_a_game_is_refused_at_its_place(number: str) -> None:
    with pytest.raises(BadInput, match=r"game\.toml: line 2, a, most.*: is too large, or not a number"):
        TomlDocument("game.toml", f"[a]\nmost = {number}\n").parse()


@pytest.mark.parametrize(
    ("game", "file", "old", "new"),
    [
        (ALDER, "counters.csv", "4/2,4/2,4,", f"{'9' * 5000},4/2,4,"),
        (ROOT / "tests" / "clubs" / "orsa", "rules.toml", 'does = "forbid"\n', ""),
    ],
    ids=["a strength of 5,000 digits", "a limit that does nothing"],
)
def test_game_data_that_say_nothing_or_too_much_are_refused(
    game: Path, file: str, old: str, new: str, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(game, tmp_path / "game"))
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadInput):
        open_game(folder)


@pytest.mark.parametrize("name", ["9" * 400, "games/" + "9" * 400])
def test_a_game_whose_name_no_file_system_holds_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "long.record"
    path.write_text(f"game {name}\nset up\n", encoding="utf-8")
    result = run("judge", path)
    assert result.exit_code == 2
    assert "name a game, or the folder of one" in result.output


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (f'game = "{"9" * 400}"', "game 1, game, 9.*cannot be looked for"),
        *((f'{key} = "a\\u0000b"', "is not the name of a file") for key in ("module", "map", "notes")),
    ],
)
def test_what_no_file_system_holds_is_refused_in_an_archive(line: str, wrong: str, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(f'[[game]]\nlogs = "one.vlog"\n{line}\n', encoding="utf-8")
    with pytest.raises(BadInput, match=wrong):
        read_corrections([tmp_path])
