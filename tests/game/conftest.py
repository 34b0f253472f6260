"""A small game that has a bit of everything, in a folder of its own that a test may change."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from attrs import frozen

from vassalgen.game.commands import Checked, check_game
from vassalgen.game.finding import open_game
from vassalgen.game.game import Game

HERE = Path(__file__).parent


@frozen
class GameFolder:
    """The folder of a game while a test changes it, and a folder of corrections beside it."""

    path: Path
    corrections: Path

    def change(self, file: str, old: str, new: str) -> None:
        """Replace a text that occurs once in a file."""
        text = (self.path / file).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
        (self.path / file).write_text(text.replace(old, new), encoding="utf-8")

    def add(self, file: str, text: str) -> None:
        """Add a text at the end of a file."""
        with (self.path / file).open("a", encoding="utf-8") as stream:
            stream.write(text)

    def correct(self, file: str, text: str) -> None:
        """Write a file of corrections."""
        path = self.corrections / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def game(self) -> Game:
        """Read the game, with the corrections if there are any."""
        return open_game(self.path, self._data())

    def check(self) -> Checked:
        """Check the game, with the corrections if there are any."""
        return check_game(self.path, self._data())

    def problems(self, checked: Checked | None = None) -> list[str]:
        """Return all problems without the folders' names; those of corrections begin with a plus sign."""
        problems = [str(problem) for problem in (checked or self.check()).problems]
        for folder, sign in ((self.path, ""), (self.corrections, "+")):
            problems = [problem.replace(f"{folder.as_posix()}/", sign) for problem in problems]
        return problems

    def _data(self) -> list[Path]:
        return [self.corrections] if self.corrections.is_dir() else []


@pytest.fixture
def skirmish(tmp_path: Path) -> GameFolder:
    """The small game, to be changed."""
    shutil.copytree(HERE / "skirmish", tmp_path / "skirmish")
    return GameFolder(tmp_path / "skirmish", tmp_path / "printed")


@pytest.fixture(scope="session")
def skirmish_game() -> Game:
    """The small game as it is."""
    return open_game(HERE / "skirmish")
