"""Conditions in words, as in the data: ``infantry``, ``not armour``, ``armour and reduced or scouts``."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from attrs import frozen


@frozen
class Condition:
    """A condition on the set of words that are true of something.

    ``and`` binds closer than ``or``; an empty condition always holds.
    """

    text: str = ""

    @cached_property
    def choices(self) -> tuple[tuple[tuple[str, bool], ...], ...]:
        """The alternatives; each is a set of words that must all hold or, if negated, must not hold."""
        if not self.text.strip():
            return ((),)
        return tuple(
            tuple(_term(term) for term in choice.split(" and ")) for choice in self.text.split(" or ")
        )

    @property
    def words(self) -> tuple[str, ...]:
        """All words in the condition, in their order."""
        return tuple(dict.fromkeys(word for choice in self.choices for word, _ in choice))

    def holds(self, true: Collection[str]) -> bool:
        """Return whether the condition holds if these words are true."""
        return any(all((word in true) == asked for word, asked in choice) for choice in self.choices)

    def __bool__(self) -> bool:
        return bool(self.text.strip())


def _term(text: str) -> tuple[str, bool]:
    term = " ".join(text.split())
    return term.removeprefix("not ").strip(), not term.startswith("not ")
