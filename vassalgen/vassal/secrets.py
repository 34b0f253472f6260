"""Removes passwords from streams: VASSAL uses players' passwords as their ids, in clear text, all over its
files.

A :class:`Redactor` is made once for a stream and knows all passwords in it. In the commands that it returns,
players are named ``@Name`` instead; nothing else is changed. What people typed themselves, such as chat and
notes, is unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import count, islice, zip_longest

import attrs
from attrs import frozen

from vassalgen.problems import FormatError
from vassalgen.vassal import commands, sequences, traits
from vassalgen.vassal.commands import (
    AddPiece,
    AddPlayer,
    ChangePiece,
    ChangeProperty,
    Chat,
    Clock,
    Command,
    DelayedNote,
    LockOptions,
    MovePiece,
    PrivateNote,
    RemovePlayer,
    Unknown,
    Unmask,
)
from vassalgen.vassal.limits import Limits
from vassalgen.vassal.streams import Node

HIDE, MASK, RESTRICT = "hide;", "obs;", "restrict;"
"""The traits whose state begins with the owner's id. [counters.Hideable, Obscurable, Restricted]"""

_ACCESS = {HIDE: 4, MASK: 6}
"""The index of the token that says whether the owners of these traits are players or sides."""
_SIDES = ("side:", "sides:")
"""The beginning of that token if they are sides. [configure.PieceAccessConfigurer]"""
_NOBODY = ("", "null", "nobody")
"""Values in an owner's place that are not ids. [counters.Obscurable, Deck]"""
_WITH_IDS = tuple(
    cls.PREFIX
    for cls in (
        ChangePiece, AddPiece, MovePiece, AddPlayer, RemovePlayer, PrivateNote, DelayedNote, Unmask, Clock,
        LockOptions,
    )
)  # fmt: skip
"""Prefixes of commands that may contain players' ids."""

_MOVER = 10
"""The index of the token in a move that is the id of the player who moved."""
_SHORTEST = 5
"""Shorter passwords may also be other words: numbers of steps, letters, states."""
_MARKER = "mark;"

_ENCODED = re.compile(r"[\t;|'\\]")
"""Characters that are encoded in a state, unlike in a password."""

Change = Callable[[str], str]
"""Takes a player's id and returns its replacement."""


@frozen
class _Owned:
    """A trait that may contain players' ids: its position from the outermost, its code, whether owners are
    players. Traits of a module's own classes have no code here, because their format is unknown.
    """

    place: int
    code: str = ""
    by_player: bool = True


class Redactor:
    """Replaces passwords by ``@Name``, or by ``@observer 1`` and so on if no seat gives the name."""

    def __init__(self, nodes: Iterable[Node], limits: Limits = Limits()) -> None:  # noqa: B008 - frozen
        self._numbers: dict[str, Iterator[int]] = {}
        self._names: dict[str, str] = {}
        self._taken: set[str] = set()
        self._as_word: re.Pattern[str] | None = None
        self._anywhere: tuple[str, ...] = ()
        self._recognizable: tuple[str, ...] = ()
        self._sides: set[str] = set()
        self._made: dict[str, str] = {}
        """The text that created each piece: that of the stream, because a copy of its type
        would double it.
        """
        self._owned: dict[str, tuple[_Owned, ...] | None] = {}
        strangers: dict[str, None] = {}
        changes: list[Node] = []

        def note(password: str) -> str:
            strangers[password] = None
            return password

        for node in nodes:
            if not node.begins(_WITH_IDS):
                continue
            if node.begins(ChangePiece.PREFIX):
                changes.append(node)
            elif node.begins(AddPiece.PREFIX):
                text = node.bare
                self._made[_piece_made_in(text)] = text
                if HIDE in text or MASK in text or RESTRICT in text:
                    self._learn(text, note)
            elif _moved_by(node.bare) not in strangers:
                self._learn(node.bare, note)
        if any(self._owned.values()):
            for text in (node.bare for node in changes):  # a change may stand before the piece is made
                if self._owned.get(_piece_in(text)):
                    self._learn(text, note)
        for password in strangers:
            if password and password not in self._names:
                self._give_name(password, "@observer 1", "@observer {}")
        limits.count("players", len(self._names))
        if self._names:
            words = "|".join(re.escape(word) for word in sorted(self._names, key=len, reverse=True))
            self._as_word = re.compile(rf"(?<!\w)(?:{words})(?!\w)")
            sides = {side.lower() for side in self._sides}
            self._recognizable = tuple(
                one
                for one in self._names
                if len(one) >= _SHORTEST and not one.isdigit() and one.lower() not in sides
            )
            if not any(_ENCODED.search(password) for password in self._names):
                self._anywhere = tuple(self._names)

    def _learn(self, text: str, note: Change) -> None:
        try:
            command = commands.read(text)
        except FormatError:
            return
        if not isinstance(command, AddPlayer):
            self._replace(command, note)
            return
        self._sides.add(command.side)
        if command.password and command.password not in self._names:
            label = "@" + command.name.rstrip(sequences.BACKSLASH)
            self._give_name(command.password, label, f"{label} ({{}})")

    def _give_name(self, password: str, label: str, others: str) -> None:
        """Name a player; players with the same name are numbered."""
        numbers = self._numbers.setdefault(others, count(2))
        while label in self._taken:
            label = others.replace("{}", str(next(numbers)))
        self._taken.add(label)
        self._names[password] = label

    def name(self, password: str) -> str:
        """The name for a password; any other text is returned unchanged."""
        return self._names.get(password, password)

    def clean(self, command: Command) -> Command:
        """Return the command without passwords. If two pieces have the same id, the one cleaned
        last counts.
        """
        return self._replace(command, self.name) if self._names else command

    def _replace(self, command: Command, change: Change) -> Command:
        match command:
            case Chat():
                return command
            case ChangeProperty():
                new = command.new and self._replace_passwords(command.new)
                old = command.old and self._replace_passwords(command.old)
                return _changed(command, new=new, old=old)
            case AddPiece():
                id_ = command.id or "null"
                made = self._made.get(id_)
                if made is None or _made_in(made)[1] != command.type:
                    self._made[id_] = command.encode()
                    self._owned.pop(id_, None)
                state = self._clean_shown(self._clean_state(command.state, id_, change), id_)
                type_ = self._clean_shown(self._clean_type(command.type, id_), id_)
                return _changed(command, type=type_, state=state)
            case ChangePiece():
                new = self._clean_shown(self._clean_state(command.new_state, command.id, change), command.id)
                old = command.old_state and self._clean_state(command.old_state, command.id, change)
                old = old and self._clean_shown(old, command.id)
                return _changed(command, new_state=new, old_state=old)
            case MovePiece():
                return _changed(command, player=change(command.player))
            case AddPlayer() | RemovePlayer() | LockOptions():
                return _changed(command, password=change(command.password))
            case PrivateNote() | DelayedNote():
                return _changed(command, owner=change(command.owner))
            case Clock():
                return _changed(command, who=change(command.who))
            case Unmask(players=players) if players:
                return _changed(command, players=tuple(map(change, players)))
            case Unknown():
                return _changed(command, text=self._replace_words(command.text))
        return command

    def _clean_state(self, state: str, piece_id: str, change: Change) -> str:
        def clean_part(part: str, trait: _Owned) -> str:
            return _clean_owner(part, trait, change) if trait.code else self._replace_words(part)

        return self._clean_parts(state, piece_id, clean_part)

    def _clean_type(self, type_text: str, piece_id: str) -> str:
        """Types contain no ids except in unknown traits."""
        owned = self._owned_of(piece_id)
        if owned and all(trait.code for trait in owned):
            return type_text

        def clean_part(part: str, trait: _Owned) -> str:
            return part if trait.code else self._replace_words(part)

        return self._clean_parts(type_text, piece_id, clean_part)

    def _clean_parts(self, text: str, piece_id: str, clean_part: Callable[[str, _Owned], str]) -> str:
        """Change parts of a type or state."""
        if self._anywhere and not any(password in text for password in self._anywhere):
            return text
        owned = self._owned_of(piece_id)
        if owned is None:
            return self._replace_words(text)
        if not owned:
            return text
        parts = _outer_parts(text, owned[-1].place + 1)
        cleaned = list(parts)
        for trait in owned:
            if trait.place < len(parts):
                cleaned[trait.place] = clean_part(parts[trait.place], trait)
        if cleaned == parts:
            return text
        try:
            return sequences.nest(cleaned, "\t")
        except FormatError:
            return self._replace_words(text)

    def _owned_of(self, piece_id: str) -> tuple[_Owned, ...] | None:
        """The traits of a piece that may contain ids; None if the piece cannot be parsed."""
        if piece_id not in self._owned:
            made = self._made.get(piece_id)
            self._owned[piece_id] = None if made is None else _owned_by(_made_in(made)[1])
        return self._owned[piece_id]

    def _clean_shown(self, text: str, piece_id: str) -> str:
        """A type or state without passwords inside a trait, such as one that shows who wrote a label. The
        values of markers come from the module: a password that is the same word is left there.
        """
        if not any(password in text for password in self._recognizable):
            return text
        try:
            codes = map(traits.code_of, sequences.unnest(_made_in(self._made.get(piece_id, ""))[1], "\t"))
            parts = sequences.unnest(text, "\t")
            pairs = zip_longest(parts, islice(codes, len(parts)), fillvalue="")
            cleaned = [part if code == _MARKER else self._replace_passwords(part) for part, code in pairs]
            return text if cleaned == parts else sequences.nest(cleaned, "\t")
        except FormatError:
            return self._replace_passwords(text)

    def _replace_passwords(self, text: str) -> str:
        """Replace passwords unless they are likely to be other words: short ones and numbers are left."""
        if not any(password in text for password in self._recognizable):
            return text
        assert self._as_word is not None
        return self._as_word.sub(
            lambda match: self.name(match[0]) if match[0] in self._recognizable else match[0], text
        )

    def _replace_words(self, text: str) -> str:
        """For texts that cannot be parsed: replace passwords that occur as separate words."""
        return self._as_word.sub(lambda match: self.name(match.group()), text) if self._as_word else text


def _changed(command: Command, **fields: object) -> Command:
    if all(getattr(command, name) == value for name, value in fields.items()):
        return command
    return attrs.evolve(command, written=None, **fields)


def _moved_by(text: str) -> str | None:
    """The player in the text of a :class:`MovePiece` without escapes; None for other texts."""
    parts = text.split(MovePiece.DELIMITER, _MOVER + 1) if text.startswith(MovePiece.PREFIX) else ()
    return parts[_MOVER] if len(parts) > _MOVER and sequences.BACKSLASH not in text else None


def _piece_made_in(text: str) -> str:
    """The id in the text of an :class:`AddPiece`."""
    return sequences.first(text.removeprefix(AddPiece.PREFIX), AddPiece.DELIMITER)


def _made_in(text: str) -> tuple[str, str]:
    """The id and type in the text of an :class:`AddPiece`."""
    id_, type_text, *_ = (*sequences.decode(text.removeprefix(AddPiece.PREFIX), AddPiece.DELIMITER), "")
    return id_, type_text


def _piece_in(text: str) -> str:
    """The id in the text of a :class:`ChangePiece`."""
    return sequences.first(text.removeprefix(ChangePiece.PREFIX), ChangePiece.DELIMITER)


def _owned_by(type_text: str) -> tuple[_Owned, ...] | None:
    """The traits that may contain ids, outermost first; None if the type cannot be parsed."""
    try:
        parts = sequences.unnest(type_text, "\t")
    except FormatError:
        return None
    found = []
    for place, part in enumerate(parts):
        code = traits.code_of(part)
        if code in (HIDE, MASK, RESTRICT):
            found.append(_Owned(place, code, _by_player(part, code)))
        elif code not in traits.FAMILIES:
            found.append(_Owned(place))
    return tuple(found)


def _by_player(part: str, code: str) -> bool:
    place = _ACCESS.get(code)
    tokens = sequences.decode(part, ";")
    return place is None or place >= len(tokens) or not tokens[place].startswith(_SIDES)


def _outer_parts(text: str, count_: int) -> list[str]:
    """The parts of a type or state, or only the outermost ones, followed by the remainder, if any."""
    if sequences.QUOTE not in text:
        with suppress(FormatError):
            return sequences.unnest(text, "\t")
    parts = [text]
    while len(parts) <= count_:
        level = sequences.decode(parts[-1], "\t")
        parts[-1:] = level[:2]
        if len(level) < 2:
            break
    return parts


def _clean_owner(part: str, trait: _Owned, change: Change) -> str:
    """Change the ids in the state of a trait with an owner."""

    def changed(id_: str) -> str:
        return id_ if id_ in _NOBODY else change(id_)

    if trait.code != MASK:
        return changed(part) if trait.by_player else part
    tokens = sequences.decode(part, ";")  # the owner; what the owner allows, to how many, and to whom
    cleaned = [changed(tokens[0]) if trait.by_player else tokens[0], *tokens[1:]]
    if len(tokens) > 1:
        allowed = sequences.decode(tokens[1], "|")
        named = [*allowed[:2], *map(changed, allowed[2:])]
        if named != allowed:
            cleaned[1] = sequences.encode(named, "|")
    return part if cleaned == tokens else sequences.encode(cleaned, ";")
