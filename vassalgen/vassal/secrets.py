"""Passwords out of streams: VASSAL uses players' passwords as their ids, in clear text, all over its files.

A :class:`Redactor` is made once for a stream and knows all passwords in it. Commands that went through it
name players as ``@Name`` instead; nothing else about them changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import attrs

from vassalgen.problems import FormatError
from vassalgen.vassal import commands, sequences
from vassalgen.vassal.commands import (
    AddPiece,
    AddPlayer,
    ChangePiece,
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
from vassalgen.vassal.streams import LOG, Node

OWNER_CODES = ("hide;", "obs;", "restrict;")
"""The traits whose state begins with the owner's id. [counters.Hideable, Obscurable, Restricted]"""


class Redactor:
    """Replaces passwords by ``@Name``, or by ``@observer 1`` and so on where no seat tells the name."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._names: dict[str, str] = {}
        self._owner_places: dict[str, tuple[int, ...]] = {}
        strangers: dict[str, None] = {}
        for node in nodes:
            text = node.text.removeprefix(LOG)
            if text.startswith((AddPlayer.PREFIX, MovePiece.PREFIX, RemovePlayer.PREFIX)):
                self._learn(text, strangers)
        for number, password in enumerate((p for p in strangers if p not in self._names), 1):
            self._names[password] = f"@observer {number}"
        words = sorted(self._names, key=len, reverse=True)
        self._anywhere = re.compile("|".join(map(re.escape, words))) if words else None
        self._as_word = re.compile(rf"(?<!\w)(?:{self._anywhere.pattern})(?!\w)") if self._anywhere else None

    def _learn(self, text: str, strangers: dict[str, None]) -> None:
        try:
            command = commands.decode(text)
        except FormatError:
            return
        if isinstance(command, AddPlayer) and command.password:
            label = f"@{command.name}"
            if self._names.get(command.password) != label:
                taken = set(self._names.values())
                number = 2
                while label in taken:
                    label, number = f"@{command.name} ({number})", number + 1
                self._names.setdefault(command.password, label)
        elif isinstance(command, MovePiece) and command.player:
            strangers[command.player] = None
        elif isinstance(command, RemovePlayer) and command.password:
            strangers[command.password] = None

    def name(self, password: str) -> str:
        """The name that stands for a password; any other text is returned as it is."""
        return self._names.get(password, password)

    def clean(self, command: Command) -> Command:
        """Return the command without passwords. Pieces come before the changes to them, as in a stream."""
        if isinstance(command, AddPiece):
            places = _owner_places(command.type)
            if command.id is not None:
                self._owner_places[command.id] = places
            state = self._clean_state(command.state, places)
            return command if state == command.state else _changed(command, state=state)
        if isinstance(command, ChangePiece):
            places = self._owner_places.get(command.id, ())
            new = self._clean_state(command.new_state, places)
            old = None if command.old_state is None else self._clean_state(command.old_state, places)
            same = (new, old) == (command.new_state, command.old_state)
            return command if same else _changed(command, new_state=new, old_state=old)
        return self._clean_other(command)

    def _clean_other(self, command: Command) -> Command:
        match command:
            case MovePiece():
                return _changed(command, player=self.name(command.player)) if command.player else command
            case AddPlayer() | RemovePlayer() | LockOptions():
                return _changed(command, password=self.name(command.password))
            case PrivateNote() | DelayedNote():
                return _changed(command, owner=self.name(command.owner))
            case Clock():
                return _changed(command, who=self.name(command.who))
            case Unmask() if command.players:
                return _changed(command, players=tuple(map(self.name, command.players)))
            case Unknown() if self._as_word:
                return attrs.evolve(command, text=self._replace_words(command.text))
        return command

    def _replace_words(self, text: str) -> str:
        """For texts nobody can read: a password that stands as a word by itself is taken for one."""
        assert self._as_word
        return self._as_word.sub(lambda match: self.name(match.group()), text)

    def _clean_state(self, state: str, places: tuple[int, ...]) -> str:
        if self._anywhere is None or not self._anywhere.search(state):
            return state
        parts = sequences.unnest(state, "\t")
        for place in places:
            if place < len(parts) - 1:
                owner, semicolon, rest = parts[place].partition(";")
                others = (self.name(token) for token in sequences.decode(rest, "|"))
                parts[place] = self.name(owner) + semicolon + sequences.encode(others, "|")
        return sequences.nest(parts, "\t")


def _changed(command: Command, **changes: object) -> Command:
    return attrs.evolve(command, written=None, **changes)


def _owner_places(type_text: str) -> tuple[int, ...]:
    if not any(code in type_text for code in OWNER_CODES):
        return ()
    parts = sequences.unnest(type_text, "\t")
    return tuple(place for place, part in enumerate(parts) if part.startswith(OWNER_CODES))
