"""Frozen classes whose text is a delimited list of typed fields: traits, their states, commands.

Records are read as VASSAL reads them: a field missing at the end, or an invalid number, has its default. They
are written in VASSAL's current spelling; but a record read from a file keeps the file's spelling if it
differs, and is written that way as long as its values are unchanged. Therefore ``encode(decode(text)) ==
text`` holds for texts of every version.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

import attrs
from attrs import field, fields, frozen

from vassalgen.problems import FormatError
from vassalgen.vassal import scalars, sequences
from vassalgen.vassal.scalars import AnyCodec, Codec

_SPEC = "spec"
_SAME: Any = object()


def of(
    codec: AnyCodec,
    default: Any = attrs.NOTHING,
    *,
    missing: Any = _SAME,
    required: bool = False,
    private: bool = False,
    converter: Callable[[Any], Any] | None = None,
) -> Any:
    """Declare a field of a record: its codec, and its default. ``missing`` is the value if a text does not
    have the field, if that is not the default of a new record. ``required`` fields must be present: VASSAL
    cannot read a text without them. ``private`` ones may contain a player's password and are never shown.
    ``converter`` normalises equal values.
    """
    silent = default if missing is _SAME else missing
    compared = codec.encode if codec.encode is scalars.java_double else True  # so that NaN equals NaN
    metadata = {_SPEC: (codec, silent, required, False)}
    return field(default=default, converter=converter, repr=not private, eq=compared, metadata=metadata)


def newer(codec: AnyCodec) -> Any:
    """Declare a field at the end that only newer versions of VASSAL write: None if it is absent. One that is
    None before a later field that is not is written empty.
    """
    return field(default=None, metadata={_SPEC: (codec, None, False, True)})


def text(default: str = "", *, required: bool = False) -> Any:
    """Declare a field that is plain text, or an expression or format, which VASSAL stores as text."""
    return of(scalars.TEXT, default, required=required)


def match() -> Any:
    """Declare a field that is a condition on properties."""
    return of(scalars.MATCH, "")


def integer(default: int = 0, *, required: bool = False) -> Any:
    """Declare a field that is a 32-bit integer."""
    return of(scalars.INTEGER, default, required=required)


def boolean(default: bool = False) -> Any:
    """Declare a field that is true only for the text ``true``."""
    return of(scalars.BOOLEAN, default)


def double(default: float = 0.0) -> Any:
    """Declare a field that is a number as Java writes doubles."""
    return of(scalars.DOUBLE, default)


def key(default: scalars.Key | None = None) -> Any:
    """Declare a field that is a keystroke or None."""
    return of(scalars.KEY, default)


def keys() -> Any:
    """Declare a field that is a list of keystrokes."""
    return of(scalars.KEYS, ())


def colour(default: scalars.Colour | None = None) -> Any:
    """Declare a field that is a colour or None."""
    return of(scalars.COLOUR_OR_BLACK, default)


def texts(*, required: bool = False) -> Any:
    """Declare a field that is a string array."""
    return of(scalars.TEXTS, (), required=required)


def nullable() -> Any:
    """Declare a field of text in which the word ``null`` stands for None."""
    return of(scalars.NULLABLE, None)


@frozen
class Spec:
    """One field of a record, for reading and writing; ``missing`` is its value if the text does
    not have it.
    """

    name: str
    codec: AnyCodec
    missing: Any
    required: bool
    newer: bool


@frozen(kw_only=True)
class Record:
    """Base of all records. A subclass declares its fields in the order of the text.

    ``written`` is the spelling of the record in a file, if VASSAL would write it differently. Equality
    ignores it.
    """

    DELIMITER: ClassVar[str] = ";"
    SPECS: ClassVar[tuple[Spec, ...]] = ()
    written: str | None = field(default=None, eq=False, repr=False)

    @classmethod
    def __attrs_init_subclass__(cls) -> None:
        cls.SPECS = tuple(Spec(a.name, *a.metadata[_SPEC]) for a in fields(cls) if _SPEC in a.metadata)

    @classmethod
    def decode(cls, text: str) -> Self:
        """Read a record. Raises :exc:`FormatError` if VASSAL could not read it either."""
        record = cls.from_text(text)
        try:
            if record.to_text() == text:
                return record
        except FormatError:  # a quoted token that ends with a backslash can be read, but not written again
            pass
        return attrs.evolve(record, written=text)

    def encode(self) -> str:
        """Write the record: as it was read if its values are unchanged, otherwise as VASSAL writes it."""
        if self.written is not None and type(self).from_text(self.written) == self:
            return self.written
        return self.to_text()

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read the fields; records that are not a plain list override this and :meth:`to_text`."""
        return cls.from_tokens(sequences.decode(text, cls.DELIMITER))

    def to_text(self) -> str:
        """Write every field in VASSAL's current spelling."""
        return sequences.encode(self.to_tokens(), self.DELIMITER)

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        """Read the fields from tokens that have been split already."""
        return cls(**read_fields(cls.SPECS, tokens, cls.__name__))

    def to_tokens(self) -> list[str]:
        """The fields as tokens."""
        return self.write_fields(self.SPECS)

    def write_fields(self, wanted: Sequence[Spec]) -> list[str]:
        """One token for each wanted field; newer fields that are None are omitted at the end."""
        present = len(wanted)
        while present and wanted[present - 1].newer and getattr(self, wanted[present - 1].name) is None:
            present -= 1
        return [
            "" if spec.newer and value is None else spec.codec.encode(value)
            for spec in wanted[:present]
            for value in (getattr(self, spec.name),)
        ]


def read_fields(wanted: Sequence[Spec], tokens: Sequence[str], what: str) -> dict[str, Any]:
    """Read one token for each wanted field; the module's docstring says what is tolerated."""
    if len(tokens) >= len(wanted):
        try:
            return {spec.name: spec.codec.decode(token) for spec, token in zip(wanted, tokens, strict=False)}
        except ValueError:
            return _read_one_by_one(wanted, tokens, what)
    return _read_one_by_one(wanted, tokens, what)


def _read_one_by_one(wanted: Sequence[Spec], tokens: Sequence[str], what: str) -> dict[str, Any]:
    """The same if a token is missing or cannot be read."""
    values: dict[str, Any] = {}
    for position, spec in enumerate(wanted):
        if position >= len(tokens):
            if spec.required:
                raise FormatError(
                    f"{what} ends before its {spec.name.replace('_', ' ')}",
                    f"{position + 1} fields or more",
                )
            values[spec.name] = spec.missing
            continue
        try:
            values[spec.name] = spec.codec.decode(tokens[position])
        except ValueError as error:
            if spec.required:
                raise FormatError(f"{what}: {spec.name.replace('_', ' ')}: {error}") from None
            values[spec.name] = spec.missing
    return values


def whole(record: type[Record]) -> AnyCodec:
    """Return the codec for a record that is one token of another record."""

    def encode(value: Record) -> str:
        return value.to_text()

    return Codec(record.from_text, encode)


def pairs_of(
    tokens: Sequence[str], decode: Callable[[str, str], Any], count: int | None = None
) -> tuple[Any, ...]:
    """Read tokens in pairs, at most ``count`` of them; a missing second token counts as empty."""
    end = len(tokens) if count is None else min(len(tokens), 2 * max(0, count))
    return tuple(
        decode(tokens[place], tokens[place + 1] if place + 1 < len(tokens) else "")
        for place in range(0, end, 2)
    )
