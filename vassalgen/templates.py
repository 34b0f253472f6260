"""The grammar of announcements: a template makes a line, reads it back, and makes VASSAL's own report.

A counter appears with its name and, in brackets, its id: ``Blade Force [blade]``; its place follows in
parentheses. The announcements themselves are in :mod:`~vassalgen.announcements`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

import attrs
from attrs import frozen

_BRACKETED = r"[^\[\]\n]+ \[[^\[\]\s]+\]"
_LOCATED = rf"{_BRACKETED} \([^()\n]*\)"
_LISTED = rf"{_LOCATED}(?: \+ {_LOCATED})*"
_DIGITS = r"\d{1,9}"
"""Maximum digits of a whole number; no module writes longer ones."""
_PLUS, _BY = " + ", " by "
NOBODY = "nobody"
"""An empty list in the earlier wording."""
NO_UNITS, NOT_YET = "no units", ", no attackers yet"


@frozen
class Named:
    """Something with an id that never changes and a name for display."""

    id: str
    name: str

    def __str__(self) -> str:
        return f"{self.name} [{self.id}]"


FACE_DOWN = Named("face-down", "A face-down counter")
"""The name of a counter whose identity not all players may see."""


@frozen
class Located:
    """A counter and its place."""

    counter: Named
    place: str

    def __str__(self) -> str:
        return f"{self.counter} ({self.place})"


@frozen
class Kind:
    """A kind of field: the pattern of its text, and how it is read and written."""

    pattern: str
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str


def _read_named(text: str) -> Named:
    name, _, id_ = text.rpartition(" [")
    return Named(id_[:-1], name)


def _read_located(text: str) -> Located:
    counter, _, place = text.rpartition(" (")
    return Located(_read_named(counter), place[:-1])


def _located_list(text: str) -> tuple[Located, ...]:
    found, rest = [], "" if text in (NOBODY, NO_UNITS, NOT_YET) else text.removeprefix(_BY)
    while rest:
        match = re.match(_LOCATED, rest)
        if match is None:
            raise ValueError(text)
        found.append(_read_located(match[0]))
        rest = rest[match.end() :].removeprefix(_PLUS)
    return tuple(found)


def _halves(number: float) -> str:
    """A number of whole or half factors: ``3``, ``3.5``."""
    return f"{number:.1f}".removesuffix(".0")


_KINDS = {
    "named": Kind(_BRACKETED, _read_named),
    "located": Kind(_LOCATED, _read_located),
    "located_list": Kind(
        rf"(?:{NO_UNITS}|{_LISTED})",
        _located_list,
        lambda items: _PLUS.join(map(str, items)) or NO_UNITS,
    ),
    "attackers": Kind(
        rf"(?:{NOT_YET}|{_BY}{_LISTED})",
        _located_list,
        lambda items: _BY + _PLUS.join(map(str, items)) if items else NOT_YET,
    ),
    "earlier_list": Kind(rf"(?:{NOBODY}|{_LISTED})", _located_list),
    "place": Kind(r"[^()\[\]\n]*", str),
    "words": Kind(r"[^()\[\],\n]+", str),
    "integer": Kind(rf"-?{_DIGITS}", int),
    "signed": Kind(rf"[+-]{_DIGITS}", int, lambda number: f"{number:+d}"),
    "halves": Kind(rf"-?{_DIGITS}(?:\.5)?", float, _halves),
    "faces": Kind(
        rf"{_DIGITS}(?:\+{_DIGITS})*",
        lambda text: tuple(map(int, text.split("+"))),
        lambda faces: "+".join(map(str, faces)),
    ),
    "yes": Kind("yes|no", lambda text: text == "yes", lambda yes: "yes" if yes else "no"),
    "half": Kind("half|full", lambda text: text == "half", lambda half: "half" if half else "full"),
    "up": Kind("up|down", lambda text: text == "up", lambda up: "up" if up else "down"),
    "loses": Kind("loses|regains", lambda text: text == "loses", lambda lost: "loses" if lost else "regains"),
}


def of(kind: str) -> Any:
    """A field of an announcement, by its kind."""
    return attrs.field(metadata={"kind": kind})


def optional(kind: str) -> Any:
    """A field that may be left out."""
    return attrs.field(default=None, metadata={"kind": kind})


_TOKEN = re.compile(r"\{(\w+(?::\w+)?)\}|([<>])|([^{}<>]+)")


@frozen
class Announcement:
    """Base of all announcements.

    ``TEMPLATE`` contains fields as ``{name}``; a part in ``<…>`` is left out unless its fields are set (not
    None). ``MARK`` is the character in front by which VASSAL's chat window colours the line, and which it
    does not show.
    """

    TEMPLATE: ClassVar[str] = ""
    EARLIER: ClassVar[tuple[str, ...]] = ()
    """Templates of earlier modules, which can be read too; ``{name:kind}`` is a field of another kind."""
    MARK: ClassVar[str] = ""
    KINDS: ClassVar[Mapping[str, Kind]] = {}
    """The kind of each field."""

    @classmethod
    def __attrs_init_subclass__(cls) -> None:
        cls.KINDS = {one.name: _KINDS[one.metadata["kind"]] for one in attrs.fields(cls)}

    def say(self) -> str:
        """The line as it appears in the chat, without VASSAL's star in front.

        ValueError if a text in it could not be read back, such as a place with parentheses.
        """
        texts = {name: self._text(name, kind) for name, kind in self.KINDS.items()}
        return "".join(
            text
            for optional, parts in _parts(self.TEMPLATE)
            if not optional or all(texts[name] is not None for name, _ in parts if name)
            for text in (literal if not name else str(texts[name]) for name, literal in parts)
        )

    def _text(self, name: str, kind: Kind) -> str | None:
        value = getattr(self, name)
        if value is None:
            return None
        text = kind.write(value)
        if not re.fullmatch(kind.pattern, text):
            raise ValueError(f"{type(self).__name__}: {text!r} cannot be said as {name}")
        return text

    @classmethod
    def read(cls, line: str) -> Self | None:
        """Read a line written by :meth:`say` or by an earlier module; None for any other line."""
        for pattern, kinds in _patterns(cls):
            if match := pattern.fullmatch(line):
                texts = match.groupdict().items()
                return cls(**{name: kinds[name].read(text) for name, text in texts if text is not None})
        return None

    @classmethod
    def expression(cls, **parts: str) -> str:
        """The announcement as a VASSAL expression, for a report or a property.

        ``parts`` gives for each field an expression for its text; a missing field is left out together with
        its part of the template. The mark comes in front.
        """
        pieces = [quoted(cls.MARK)] if cls.MARK else []
        for optional, tokens in _parts(cls.TEMPLATE):
            if optional and any(name not in parts for name, _ in tokens if name):
                continue
            pieces += [f"({parts[name]})" if name else quoted(literal) for name, literal in tokens]
        return "{" + "+".join(_joined(pieces)) + "}"


def _parts(template: str) -> list[tuple[bool, list[tuple[str, str]]]]:
    """The parts of a template: whether each is optional, and its fields and literal texts."""
    parts: list[tuple[bool, list[tuple[str, str]]]] = [(False, [])]
    for name, bracket, literal in _TOKEN.findall(template):
        if bracket:
            parts.append((bracket == "<", []))
        else:
            parts[-1][1].append((name, literal))
    return [part for part in parts if part[1]]


def _patterns(cls: type[Announcement]) -> list[tuple[re.Pattern[str], Mapping[str, Kind]]]:
    """The patterns of an announcement, with the current wording first, and the kinds of their fields."""
    if cls not in _PATTERNS:
        _PATTERNS[cls] = [_pattern(template, cls.KINDS) for template in (cls.TEMPLATE, *cls.EARLIER)]
    return _PATTERNS[cls]


_PATTERNS: dict[type[Announcement], list[tuple[re.Pattern[str], Mapping[str, Kind]]]] = {}


def _pattern(template: str, kinds: Mapping[str, Kind]) -> tuple[re.Pattern[str], Mapping[str, Kind]]:
    text, found = "", dict(kinds)
    for optional, tokens in _parts(template):
        part = ""
        for field, literal in tokens:
            name, _, kind = field.partition(":")
            if kind:
                found[name] = _KINDS[kind]
            part += f"(?P<{name}>{found[name].pattern})" if name else re.escape(literal)
        text += f"(?:{part})?" if optional else part
    return re.compile(text), found


def _joined(pieces: list[str]) -> list[str]:
    """Consecutive literals joined into one."""
    found: list[str] = []
    for piece in pieces:
        if found and found[-1].startswith('"') and piece.startswith('"'):
            found[-1] = found[-1][:-1] + piece[1:]
        else:
            found.append(piece)
    return found


def quoted(text: str) -> str:
    """A text as a string literal in VASSAL's expressions."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def named(name: str, id_: str) -> str:
    """The expression for the text of something named, from the expressions of its name and id."""
    return f'{name}+" ["+{id_}+"]"'


def located(counter: str, place: str) -> str:
    """The expression for the text of a counter at a place, from the expressions of both."""
    return f'{counter}+" ("+{place}+")"'
