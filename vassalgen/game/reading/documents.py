"""The files of a game, and the places of things in them."""

from __future__ import annotations

import csv
import errno
import re
import stat
import tomllib
from collections.abc import Iterator
from functools import cached_property
from io import StringIO
from pathlib import Path
from typing import Any

from attrs import define, field

from vassalgen.game.origins import Origin
from vassalgen.game.provenance import Provenance
from vassalgen.problems import BadInput, Problem

Path_ = tuple[str | int, ...]


@define(eq=False)
class TextDocument:
    """A text file.

    ``layer`` is 0 in the game's own folder, 1 and up in overlay folders. ``provenance`` is what the file says
    for everything in it.
    """

    file: str
    text: str
    layer: int = 0
    provenance: Provenance | None = None

    def place(self, path: Path_) -> str:
        """Return where a path of keys is."""
        return ", ".join(str(part) for part in path)


@define(eq=False)
class TomlDocument(TextDocument):
    """A TOML file. Its parser keeps no line numbers, so they are looked up for problems."""

    def parse(self) -> dict[str, Any]:
        """Return its tables; BadInput if it is not TOML."""
        try:
            tables = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            raise BadInput(_syntax_problem(self.file, str(error))) from None
        except (ValueError, RecursionError):  # a number of thousands of digits; lists in lists in lists
            wrong = "is nested too deep, or contains a number that is too long"
            raise BadInput(Problem(self.file, "", wrong, "TOML")) from None
        for path in _large_numbers(tables):
            right = f"expected a number from -{MOST:,} to {MOST:,}"
            raise BadInput(Problem(self.file, self.place(path), "is too large, or not a number", right))
        return tables

    def place(self, path: Path_) -> str:
        """Return the line and the keys: ``line 12, zones, ports, hexes``. Lists are counted from 1."""
        keys = ", ".join(str(part + 1) if isinstance(part, int) else part for part in path)
        for length in range(len(path), 0, -1):
            if path[:length] in self._lines:
                return f"line {self._lines[path[:length]]}, {keys}"
        return keys

    @cached_property
    def _lines(self) -> dict[Path_, int]:
        return _toml_lines(self.text)


@define(eq=False)
class CsvDocument(TextDocument):
    """A CSV file with a heading line. Paths are the line number, the row's id and the column."""

    def rows(self) -> tuple[list[str], list[tuple[int, list[str]]]]:
        """Return the heading and the rows with their line numbers; BadInput if it cannot be read."""
        reader = csv.reader(StringIO(self.text, newline=""), strict=True)
        rows = []
        try:
            for row in reader:
                if any(cell.strip() for cell in row) and not row[0].startswith("#"):
                    rows.append((reader.line_num, [cell.strip() for cell in row]))
        except csv.Error as error:
            problem = Problem(
                self.file, f"line {reader.line_num}", str(error), "expected comma-separated values"
            )
            raise BadInput(problem) from None
        if not rows:
            raise BadInput(
                Problem(self.file, "", "is empty", "expected a heading line with the names of the columns")
            )
        return rows[0][1], rows[1:]

    def place(self, path: Path_) -> str:
        """Return the line, the id and the column: ``line 7, uk78, attack``."""
        return ", ".join(f"line {part}" if isinstance(part, int) else part for part in path)


MOST = 1_000_000_000
"""The largest number allowed in a file: nothing in a game is larger."""
LARGEST = 16 * 2**20
"""Maximum size of a game file in bytes; shipped files have less than a hundredth of it."""


def read_text(path: Path) -> str:
    """Return the text of a file or pipe, with or without a byte order mark; BadInput if it cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise BadInput(Problem(shown(path), "", f"cannot be read ({error.strerror})")) from None
    if len(content) > LARGEST:
        raise _too_large(path)
    return _decoded(content, path)


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a file; BadInput if it cannot be read or is not TOML."""
    return TomlDocument(shown(path), read_text(path)).parse()


def _decoded(content: bytes, path: Path) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = Problem(shown(path), f"byte {error.start + 1}", "is not UTF-8 text", "save it as UTF-8")
        raise BadInput(problem) from None


def _too_large(path: Path) -> BadInput:
    return BadInput(Problem(shown(path), "", f"is larger than {LARGEST >> 20} MB", "expected a text file"))


@define
class Folder:
    """The folder of a game or of an overlay; it keeps track of the files that have been read."""

    path: Path
    layer: int = 0
    asked: set[str] = field(factory=set)

    def read(self, name: str) -> str | None:
        """Return the text of a file, None if it does not exist; BadInput if it cannot be read."""
        self.asked.add(name)
        path = self.path / name
        try:
            return _decoded(self._whole(path), path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise BadInput(Problem(shown(path), "", f"cannot be read ({error.strerror})")) from None

    def _whole(self, path: Path) -> bytes:
        facts = path.stat()
        if stat.S_ISREG(facts.st_mode) and facts.st_size <= LARGEST:
            return path.read_bytes()
        if stat.S_ISDIR(facts.st_mode):
            raise IsADirectoryError(errno.EISDIR, "Is a directory")
        if stat.S_ISREG(facts.st_mode):
            raise _too_large(path)
        raise BadInput(Problem(shown(path), "", "is not a file", "expected a text file"))

    def names(self, folder: str, suffix: str) -> list[str]:
        """Return the names of the files in a subfolder, in order, with the subfolder's name."""
        return sorted(f"{folder}/{path.name}" for path in (self.path / folder).glob(f"*{suffix}"))

    def strangers(self) -> list[str]:
        """Return the files that have not been read, except hidden files and notes."""
        found = (path.relative_to(self.path) for path in self.path.rglob("*") if path.is_file())
        ignored = {".md", ".txt"}
        used_by_others = {"ids.toml", "earlier.toml", "tutorial.vlog", "rules.py"}
        return sorted(
            path.as_posix()
            for path in found
            if path.as_posix() not in self.asked
            and not any(part.startswith((".", "_")) for part in path.parts)
            and not (len(path.parts) == 1 and path.suffix in ignored)
            and path.as_posix() not in used_by_others
        )

    def origin(self, name: str) -> Origin:
        """Return the place of a whole file, whether or not it exists."""
        return Origin(TextDocument(shown(self.path / name), "", self.layer))


def _large_numbers(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The places of numbers that are too large for any game or not finite."""
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _large_numbers(each, (*path, key))
    elif isinstance(value, int | float) and not -MOST <= value <= MOST:
        yield path


def shown(path: Path) -> str:
    """Return a path as a user would type it: relative if below the current folder, with slashes."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return path.as_posix()


def _syntax_problem(file: str, message: str) -> Problem:
    match = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", message, re.DOTALL)
    if match is None:
        return Problem(file, "", message, "TOML")
    place = f"line {match[2]}, column {match[3]}" if match[2] else "end of the file"
    wrong = match[1][0].lower() + match[1][1:]
    return Problem(file, place, f"is not TOML here: {wrong}")


_KEY = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)\s*""")


def _toml_lines(text: str) -> dict[Path_, int]:
    """Find the line of every table, key and list item that starts a line. The text must be valid TOML."""
    lines: dict[Path_, int] = {}
    counts: dict[Path_, int] = {}
    table: Path_ = ()
    array: Path_ | None = None
    member = 0
    quotes = ""
    for number, line in enumerate(text.split("\n"), 1):  # TOML has no other line endings.
        stripped = line.strip()
        if quotes:
            quotes = "" if quotes in line else quotes
            continue
        if array is not None:
            if stripped.startswith("]"):
                array = None
            elif stripped and not stripped.startswith("#"):
                lines[(*array, member)] = number
                member += 1
            continue
        if stripped.startswith("["):
            table = _header(stripped, counts)
            for length in range(1, len(table) + 1):
                lines.setdefault(table[:length], number)
        elif stripped and not stripped.startswith("#"):
            keys, at = _keys(stripped)
            value = stripped[at:].lstrip("= ")
            for length in range(1, len(keys) + 1):
                lines.setdefault((*table, *keys[:length]), number)
            for quote in ('"""', "'''"):
                if value.startswith(quote) and quote not in value[3:]:
                    quotes = quote
            if value.split("#")[0].strip() == "[":
                array, member = (*table, *keys), 0
    return lines


def _keys(text: str) -> tuple[Path_, int]:
    keys: list[str | int] = []
    at = 0
    while match := _KEY.match(text, at):
        word = match[1]
        keys.append(tomllib.loads(f"key = {word}")["key"] if word[0] in "\"'" else word)
        at = match.end()
        if text[at : at + 1] != ".":
            break
        at += 1
    return tuple(keys), at


def _header(line: str, counts: dict[Path_, int]) -> Path_:
    listed = line.startswith("[[")
    keys, _ = _keys(line.lstrip("["))
    path: Path_ = ()
    for place, key in enumerate(keys):
        path = (*path, key)
        if listed and place == len(keys) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path
