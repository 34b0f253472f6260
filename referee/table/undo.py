"""Which step an undo takes back.

VASSAL's log does not say; the bookkeeping of VASSAL's logger does. [build.module.BasicLogger.undo, log]
"""

from __future__ import annotations

from collections.abc import Sequence

from vassalgen.vassal.commands import (
    AddPiece,
    ChangePiece,
    ChangeProperty,
    Chat,
    Command,
    MovePiece,
    RemovePiece,
    SetTurn,
)

UNDOABLE = (AddPiece, ChangePiece, ChangeProperty, Chat, MovePiece, RemovePiece, SetTurn)
PREFIX = "* UNDO: "


class UndoTracker:
    """Tracks VASSAL's pointer to the step that the next undo takes back."""

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._chat: list[tuple[str, ...]] = []
        self._undoable: list[bool] = []
        self._next = -1

    def play(self, number: int, carried: Sequence[Command], chat: tuple[str, ...]) -> None:
        """A step that is not an undo."""
        undoable = any(isinstance(command, UNDOABLE) for command in carried)
        self._remember(number, chat, undoable=undoable)
        if undoable:
            self._next = len(self._numbers) - 1

    def take_back(self, number: int, chat: tuple[str, ...]) -> int | None:
        """An undo: the number of the step that it takes back, None if the log contradicts itself."""
        target: int | None = None
        if self._next >= 0:
            said = [line.removeprefix(PREFIX) for line in chat if line.startswith(PREFIX)]
            if not said or set(said) <= set(self._chat[self._next]) or not self._chat[self._next]:
                target = self._numbers[self._next]
            self._next -= 1
            while self._next >= 0 and not self._undoable[self._next]:
                self._next -= 1
        self._remember(number, chat, undoable=True)
        return target

    def _remember(self, number: int, chat: tuple[str, ...], *, undoable: bool) -> None:
        self._numbers.append(number)
        self._chat.append(chat)
        self._undoable.append(undoable)
