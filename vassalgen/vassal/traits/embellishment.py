"""Layers: pictures drawn over a piece, one level at a time. [counters.Embellishment, Embellishment0]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

import attrs
from attrs import frozen

from vassalgen.problems import FormatError
from vassalgen.vassal import records, sequences
from vassalgen.vassal.records import read_fields
from vassalgen.vassal.scalars import DOUBLE, INTEGER, KEY, TEXT, TEXTS, Codec, Key, java_modifiers
from vassalgen.vassal.traits.base import State, Trait

OLD_CODE = "emb;"
VERSION = 1
CTRL_DOWN_MASK = 128
"""The older mask for Ctrl, as in the fields kept for old versions of VASSAL."""
_BRAND_NEW = "Activate"  # all the text of a layer that the editor has just added


@frozen(kw_only=True)
class EmbellishmentState(State):
    """The level that is shown. ``value`` counts from 1; if negative, that level is stored but not shown."""

    value: int = records.of(INTEGER, 1, missing=-1)

    @property
    def level(self) -> int:
        """The level, from 1."""
        return abs(self.value)

    @property
    def active(self) -> bool:
        """Whether the level is shown."""
        return self.value > 0


@frozen(kw_only=True)
class OldEmbellishmentState(State):
    """The level as above, and which of the activating characters have been typed (None: not said)."""

    value: int = records.integer(1)
    typed: str | None = records.newer(TEXT)


def _without_empty_tail(names: tuple[str, ...]) -> tuple[str, ...]:
    while names and not names[-1]:
        names = names[:-1]
    return names


def _decode_images(text: str) -> tuple[str, ...]:
    return TEXTS.decode(text) or ("",)  # there is no telling one empty level from none


@frozen(kw_only=True)
class Embellishment(Trait):
    """A set of levels, each a picture and a name; one is shown at a time, or none.

    ``images`` and ``level_names`` are parallel lists. A level name ``X+`` puts X before the piece's name,
    ``+X`` after it, and without a plus replaces it. The keys in use are ``activate_key``, ``increase_key``,
    ``decrease_key`` and ``reset_key``. The ``legacy`` fields are those of version 0, whose layers are read as
    version 1, like those of the even older code ``emb;``.
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
    images: tuple[str, ...] = records.of(Codec(_decode_images, TEXTS.encode), ("",))
    level_names: tuple[str, ...] = records.of(TEXTS, (), converter=_without_empty_tail)
    loop: bool = records.boolean(True)
    name: str = records.text()
    random_key: Key | None = records.key()
    random_text: str = records.text()
    follow_expression: bool = records.boolean()
    expression: str = records.text()
    first_level_value: int = records.integer(1)
    version: int = records.of(INTEGER, VERSION, missing=0)
    always_active: bool = records.boolean(True)
    activate_key: Key | None = records.key()
    increase_key: Key | None = records.key()
    decrease_key: Key | None = records.key()
    description: str = records.text()
    scale: float = records.of(DOUBLE, 1.0)
    only_if_property: str = records.text()
    only_if_value: str = records.text("true")

    @classmethod
    def class_for(cls, text: str) -> type[Trait]:
        if text.startswith(OLD_CODE):
            return cls
        layer = cls.from_text(text)
        return cls if layer.version else OldEmbellishment

    @classmethod
    def from_text(cls, text: str) -> Self:
        if text.startswith(OLD_CODE):
            return cls._from_old_tokens(sequences.decode(text.removeprefix(OLD_CODE), ";"))
        layer = super().from_text(text)
        return layer if layer.version else layer._renewed(brand_new=text == cls.CODE + _BRAND_NEW)

    def to_tokens(self) -> list[str]:
        tokens = super().to_tokens()
        unnamed = ("",) * (len(self.images) - len(self.level_names))  # VASSAL writes a name for every level
        tokens[_LEVEL_NAMES] = TEXTS.encode(self.level_names + unnamed)
        return tokens

    def _renewed(self, brand_new: bool = False) -> Self:
        """The layer in version 1, if its keys have at most one character, so that this is possible."""
        legacy = (self.legacy_activate_key, self.legacy_increase_key, self.legacy_decrease_key)
        always_active = brand_new or not self.legacy_activate_key
        if any(len(key) > 1 for key in legacy):
            return attrs.evolve(self, always_active=always_active)
        return attrs.evolve(
            self,
            version=VERSION,
            always_active=always_active,
            activate_key=_key(self.legacy_activate_key, self.legacy_activate_modifiers),
            increase_key=_key(self.legacy_increase_key, self.legacy_increase_modifiers),
            decrease_key=_key(self.legacy_decrease_key, self.legacy_decrease_modifiers),
        )

    @classmethod
    def _from_old_tokens(cls, tokens: Sequence[str]) -> Self:
        """Read the fields of the old code: keys and menu texts, offsets, then each level."""
        if len(tokens) < 6:
            raise FormatError("an old layer ends before its menu texts", "6 fields or more")
        activation = sequences.decode(tokens[0], ";")
        activate_text, increase_key, increase_text, decrease_key, decrease_text = tokens[1:6]
        levels = [[*sequences.decode(level, ","), ""] for level in tokens[8:]]
        layer = cls(
            activate_text=activate_text.removeprefix("_"),
            legacy_activate_key=activation[0].upper(),
            increase_text=increase_text,
            legacy_increase_key=increase_key.upper(),
            decrease_text=decrease_text,
            legacy_decrease_key=decrease_key.upper(),
            reset_text=activation[1] if len(activation) > 1 else "",
            reset_key=KEY.decode(activation[2]) if len(activation) > 2 else None,
            reset_level=activation[3] if len(activation) > 3 else "0",
            underneath_when_selected=activate_text.startswith("_"),
            x_offset=_number(tokens[6:7]),
            y_offset=_number(tokens[7:8]),
            images=tuple(level[0] for level in levels),
            level_names=tuple(level[1] for level in levels),
            first_level_value=0,
        )
        return attrs.evolve(
            layer,
            always_active=not layer.legacy_activate_key,
            activate_key=_key(layer.legacy_activate_key[:1], CTRL_DOWN_MASK),
            increase_key=_key(layer.legacy_increase_key[:1], CTRL_DOWN_MASK),
            decrease_key=_key(layer.legacy_decrease_key[:1], CTRL_DOWN_MASK),
        )

    @property
    def can_be_activated(self) -> bool:
        """Whether a player can switch the layer on and off."""
        return not self.always_active

    @property
    def count(self) -> int:
        """The number of levels."""
        return len(self.images)

    def level_name(self, level: int) -> str:
        """The name of a level counted from 1, or an empty text."""
        return self.level_names[level - 1] if 0 < level <= len(self.level_names) else ""

    def shown(self, state: State) -> int | None:
        """The level that is shown, from 1, or None. An index beyond the last level means the last."""
        if not isinstance(state, EmbellishmentState | OldEmbellishmentState) or state.value <= 0:
            return None
        return min(state.value, self.count)

    def initial_state(self) -> State:
        return EmbellishmentState(value=-1 if self.can_be_activated else 1)


@frozen(kw_only=True)
class OldEmbellishment(Embellishment):
    """Layers of version 0 with keys of several characters, which version 1 cannot express. The text has only
    the fields up to ``first_level_value``; the newer ones have their defaults.
    """

    STATE: ClassVar[type[State]] = OldEmbellishmentState

    @classmethod
    def from_text(cls, text: str) -> Self:
        tokens = sequences.decode(text.removeprefix(cls.CODE), ";")
        tokens += _OLD_DEFAULTS[len(tokens) :]
        layer = cls(**read_fields(cls.SPECS[:_OLD_FIELDS], tokens, cls.__name__), version=0)
        return attrs.evolve(
            layer,
            always_active=not layer.legacy_activate_key,
            reset_key=_unnamed(layer.reset_key),
            random_key=_unnamed(layer.random_key),
        )

    def to_tokens(self) -> list[str]:
        return super().to_tokens()[:_OLD_FIELDS]

    def initial_state(self) -> State:
        return OldEmbellishmentState(value=-1 if self.can_be_activated else 1, typed="")


_LEVEL_NAMES = 16  # the position of the names in the text
_OLD_FIELDS = 24
_OLD_DEFAULTS = ["Activate", "128", "A", "Increase", "128", "]", "Decrease", "128", "[", "Reset", "82,130"]


def _unnamed(key: Key | None) -> Key | None:
    return None if key and key.name else key


def _key(character: str, modifiers: int) -> Key | None:
    return Key(ord(character), java_modifiers(modifiers)) if character else None


def _number(tokens: Sequence[str]) -> int:
    try:
        return INTEGER.decode(tokens[0])
    except (ValueError, IndexError):
        return 0
