"""Layers: pictures drawn over a piece, one level at a time. [counters.Embellishment]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records, scalars
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import State, Trait

CTRL_DOWN_MASK = 128
"""The older mask for Ctrl, as it stands in the fields kept for old versions of VASSAL."""


@frozen(kw_only=True)
class EmbellishmentState(State):
    """Which level shows. ``value`` counts from 1; negative: that level is remembered but does not show."""

    value: int = records.integer(1)

    @property
    def level(self) -> int:
        """The level, from 1."""
        return abs(self.value)

    @property
    def active(self) -> bool:
        """Whether the level shows."""
        return self.value > 0


@frozen(kw_only=True)
class Embellishment(Trait):
    """A set of levels, each a picture and a name; one shows at a time, or none.

    ``images`` and ``level_names`` run side by side. A level name ``X+`` puts X before the piece's name,
    ``+X`` behind it, and without a plus replaces it. The keys that matter are ``activate_key``,
    ``increase_key``, ``decrease_key`` and ``reset_key``; the ``legacy`` fields are read by nothing newer than
    version 0 of the trait.
    """

    CODE: ClassVar[str] = "emb2;"
    STATE: ClassVar[type[State]] = EmbellishmentState

    activate_text: str = records.text()
    legacy_activate_modifiers: int = records.integer(CTRL_DOWN_MASK)
    legacy_activate_key: str = records.text("A")
    increase_text: str = records.text()
    legacy_increase_modifiers: int = records.integer(CTRL_DOWN_MASK)
    legacy_increase_key: str = records.text()
    decrease_text: str = records.text()
    legacy_decrease_modifiers: int = records.integer(CTRL_DOWN_MASK)
    legacy_decrease_key: str = records.text()
    reset_text: str = records.text()
    reset_key: Key | None = records.key()
    reset_level: str = records.text("1")
    underneath_when_selected: bool = records.boolean()
    x_offset: int = records.integer(0)
    y_offset: int = records.integer(0)
    images: tuple[str, ...] = records.of(scalars.TEXTS, ("",))
    level_names: tuple[str, ...] = records.texts()
    loop: bool = records.boolean(True)
    name: str = records.text()
    random_key: Key | None = records.key()
    random_text: str = records.text()
    follow_expression: bool = records.boolean()
    expression: str = records.text()
    first_level_value: int = records.integer(1)
    version: int = records.integer(0)
    always_active: bool = records.boolean(True)
    activate_key: Key | None = records.key()
    increase_key: Key | None = records.key()
    decrease_key: Key | None = records.key()
    description: str = records.text()
    scale: float = records.double(1.0)
    only_if_property: str = records.text()
    only_if_value: str = records.text("true")

    @property
    def can_be_activated(self) -> bool:
        """Whether a player can switch the layer on and off. Version 0 asked its activation key."""
        return bool(self.legacy_activate_key) if self.version == 0 else not self.always_active

    @property
    def count(self) -> int:
        """The number of levels: an empty list is one empty level."""
        return max(1, len(self.images))

    def level_name(self, level: int) -> str:
        """The name of a level counted from 1, or an empty text."""
        return self.level_names[level - 1] if 0 < level <= len(self.level_names) else ""

    def initial_state(self) -> EmbellishmentState:
        return EmbellishmentState(value=-1 if self.can_be_activated else 1)
