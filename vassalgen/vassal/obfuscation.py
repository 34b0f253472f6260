"""The obfuscation of a save's or log's stream, removed and applied without losing a byte.

VASSAL up to 3.7 writes ``!VCSK``, two hex digits of a key byte, and each byte XOR the key as two hex digits;
3.8 writes ``VOBS``, the raw key byte and the raw bytes XOR the key; all versions also read plain bytes. The
decoded bytes are UTF-8 text. [tools.io.ObfuscatingOutputStream, DeobfuscatingInputStream]
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import chain

from attrs import field, frozen
from attrs.validators import and_, ge, le

from vassalgen.problems import FormatError

_NO_HEX_DIGIT = re.compile(rb"[^0-9A-Fa-f]")
_CHUNK = 2**16
_CAPITALS = b"ABCDEF"
_SMALL = b"abcdef"
_UNKNOWN_FORMS = {
    b"!VCSZ": "!VCSZ, a form that VASSAL never released",
    b"\xfd7zXZ\x00": "XZ, which VASSAL itself cannot read",
}


class Form(Enum):
    """The forms in which streams are stored; the value is the header at the beginning."""

    VCSK = b"!VCSK"
    VOBS = b"VOBS"
    PLAIN = b""


@frozen
class Envelope:
    """Everything in a stored stream besides its text, so that the text can be stored again in the same way.

    ``key`` is 0 to 255 and has no meaning for a plain stream. ``upper`` and ``spelt`` concern ``!VCSK`` only:
    whether the hex digits are A to F, and all digits as found, the key's first, if upper and lower case are
    mixed.
    """

    form: Form = Form.VCSK
    key: int = field(default=0x5A, validator=and_(ge(0), le(255)))
    upper: bool = False
    spelt: bytes | None = field(default=None, repr=False)


def decode(data: bytes) -> tuple[str, Envelope]:
    """The text of a stored stream, and its envelope; ``encode(*decode(data)) == data``."""
    plain, envelope = unwrap(data)
    return to_text(plain), envelope


def encode(text: str, envelope: Envelope = Envelope()) -> bytes:
    """Store ``text``: the inverse of :func:`decode`, by default as VASSAL 3.7 does.

    An envelope of a different text can be used too; only a mixture of upper-case and lower-case digits is
    then lost.
    """
    return wrap(to_bytes(text), envelope)


def to_text(plain: bytes) -> str:
    """UTF-8 bytes as text; invalid bytes become surrogates, which :func:`to_bytes` converts back."""
    return plain.decode("utf-8", "surrogateescape")


def to_bytes(text: str) -> bytes:
    """Text as UTF-8 bytes. Raises :exc:`FormatError` for a surrogate that :func:`to_text` did not make."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        wrong = f"U+{ord(text[error.start]):04X} is half a character"
        raise FormatError(wrong, place=f"character {error.start}") from None


def unwrap(data: bytes) -> tuple[bytes, Envelope]:
    """Remove the envelope of a stored stream; the result is still bytes.

    Raises :exc:`FormatError` with the offset of the byte for a bad or missing hex digit or key, and for
    compressed streams that other programs write.
    """
    plain = b"".join(unwrapped(data[start : start + _CHUNK] for start in range(0, len(data), _CHUNK)))
    if data.startswith(Form.VCSK.value):
        return plain, _spelling(data)
    if data.startswith(Form.VOBS.value):
        return plain, Envelope(Form.VOBS, data[len(Form.VOBS.value)])
    return plain, Envelope(Form.PLAIN)


def unwrapped(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The content of a stored stream, chunk by chunk; the first chunk contains header and key.

    Raises :exc:`FormatError` as :func:`unwrap` does.
    """
    chunks = iter(chunks)
    first = next(chunks, b"")
    if first.startswith(Form.VCSK.value):
        yield from _from_hex(first, chunks)
        return
    if first.startswith(Form.VOBS.value):
        start = len(Form.VOBS.value)
        if len(first) == start:
            raise FormatError("the key is missing", "one byte after VOBS", place=f"byte {start}")
        xor = _xor(first[start])
        yield from (chunk.translate(xor) for chunk in chain((first[start + 1 :],), chunks))
        return
    for header, name in _UNKNOWN_FORMS.items():
        if first.startswith(header):
            raise FormatError(
                f"the stream is stored as {name}", "unpack it and save it in VASSAL", place="byte 0"
            )
    yield first
    yield from chunks


def texts(chunks: Iterable[bytes]) -> Iterator[str]:
    """The text of a stored stream, chunk by chunk: :func:`unwrapped` and :func:`to_text` in one."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    yield from map(decoder.decode, unwrapped(chunks))
    yield decoder.decode(b"", final=True)


def wrap(plain: bytes, envelope: Envelope) -> bytes:
    """Put a stream into its envelope: the inverse of :func:`unwrap`.

    Raises :exc:`FormatError` for a plain stream that would be mistaken for another form.
    """
    match envelope.form:
        case Form.VCSK:
            digits = binascii.hexlify(bytes((envelope.key,)) + plain.translate(_xor(envelope.key)))
            if envelope.upper:
                digits = digits.upper()
            if envelope.spelt is not None and envelope.spelt.lower() == digits:
                digits = envelope.spelt
            return Form.VCSK.value + digits
        case Form.VOBS:
            return b"".join((Form.VOBS.value, bytes((envelope.key,)), plain.translate(_xor(envelope.key))))
        case Form.PLAIN:
            if plain.startswith((Form.VCSK.value, Form.VOBS.value, *_UNKNOWN_FORMS)):
                raise FormatError("a plain stream must not begin like an obfuscated one", "obfuscate it")
            return plain


def _from_hex(first: bytes, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes represented by pairs of hex digits, after the header and the key."""
    start = len(Form.VCSK.value)
    if len(first) < start + 2:
        raise FormatError("the key is missing", "two hex digits after !VCSK", place=f"byte {len(first)}")
    (key,) = _bytes_of(first[start : start + 2], start)
    xor, place, odd = _xor(key), start + 2, b""
    for chunk in chain((first[place:],), chunks):
        digits = odd + chunk
        pairs = len(digits) // 2 * 2
        digits, odd = digits[:pairs], digits[pairs:]
        yield _bytes_of(digits, place).translate(xor)
        place += pairs
    if odd:
        raise FormatError("half a byte at the end", "two hex digits a byte", place=f"byte {place}")


def _bytes_of(digits: bytes, start: int) -> bytes:
    """Pairs of hex digits as bytes; ``start`` is their position."""
    try:
        return binascii.unhexlify(digits)
    except binascii.Error:
        bad = next(_NO_HEX_DIGIT.finditer(digits))
        wrong = f"byte {bad[0][0]:#04x} is not a hex digit"
        raise FormatError(wrong, "0 to 9, a to f", place=f"byte {start + bad.start()}") from None


def _spelling(data: bytes) -> Envelope:
    """The case of valid hex digits."""
    start = len(Form.VCSK.value)
    capital, small = (any(data.find(letter, start) >= 0 for letter in some) for some in (_CAPITALS, _SMALL))
    spelt = data[start:] if capital and small else None
    return Envelope(Form.VCSK, int(data[start : start + 2], 16), capital and not small, spelt)


def _xor(key: int) -> bytes:
    """A table for ``bytes.translate``."""
    return bytes(byte ^ key for byte in range(256))
