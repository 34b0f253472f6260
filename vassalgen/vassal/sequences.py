r"""The list encoding used for all of VASSAL's texts.

``SequenceEncoder`` joins a list with a one-character delimiter: a delimiter inside a token gets a backslash
in front, backslashes themselves are *not* escaped, and a token that starts with a backslash, or is enclosed
in single quotes, is wrapped in single quotes. Lists nest by encoding again, so a delimiter at depth *n* shows
*n* backslashes. [VASSAL.tools.SequenceEncoder]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import repeat

from vassalgen.problems import FormatError

BACKSLASH = "\\"
QUOTE = "'"
_FAR = 1000
"""The average distance of delimiters, in characters, from which on searching is faster than splitting."""


def encode(tokens: Iterable[str], delimiter: str) -> str:
    """Join ``tokens``; the exact inverse of :func:`decode` wherever an inverse exists.

    Raises :exc:`FormatError` if a token other than the last ends with a backslash: such a list has no
    encoding, because it would be read as if the token and the next were one.
    """
    encoded = [token_text(token, delimiter) for token in tokens]
    for token in encoded[:-1]:
        if token.endswith(BACKSLASH):
            raise FormatError(
                "a token ends with a backslash and more follows",
                "a name, path or value must not end with a backslash",
            )
    return delimiter.join(encoded)


def token_text(token: str, delimiter: str) -> str:
    """One token as it appears in an encoded list."""
    escaped = token.replace(delimiter, BACKSLASH + delimiter)
    return QUOTE + escaped + QUOTE if needs_quotes(token) else escaped


def needs_quotes(token: str) -> bool:
    """Whether VASSAL wraps this token in single quotes."""
    return token.startswith(BACKSLASH) or (token.startswith(QUOTE) and token.endswith(QUOTE))


def decode(text: str, delimiter: str) -> list[str]:
    """Split ``text`` as VASSAL does: at every delimiter without a backslash in front.

    An empty text has one, empty, token.
    """
    tokens = split(text, delimiter)
    if any(map(str.endswith, tokens[:-1], repeat(BACKSLASH))):
        tokens = _rejoin(tokens, delimiter)
    if QUOTE in text:
        return [unquote(token) for token in tokens]
    return tokens


def split(text: str, delimiter: str) -> list[str]:
    """Split at every delimiter, like ``str.split``, which examines each character: searching is
    faster here.
    """
    if len(text) < _FAR or text.count(delimiter) * _FAR > len(text):
        return text.split(delimiter)
    pieces, start = [], 0
    while (end := text.find(delimiter, start)) >= 0:
        pieces.append(text[start:end])
        start = end + len(delimiter)
    pieces.append(text[start:])
    return pieces


def first(text: str, delimiter: str) -> str:
    """The first token, without splitting what may be a long text."""
    end = text.find(delimiter)
    token = text if end < 0 else text[:end]
    plain = not token.endswith(BACKSLASH) and not token.startswith(QUOTE)
    return token if plain else decode(text, delimiter)[0]


def _rejoin(pieces: list[str], delimiter: str) -> list[str]:
    """Rejoin what was split at an escaped delimiter, and remove the backslash that escaped it."""
    tokens: list[str] = []
    open_pieces: list[str] = []
    for piece in pieces:
        if piece.endswith(BACKSLASH):
            open_pieces.append(piece[:-1])
        elif open_pieces:
            tokens.append(delimiter.join([*open_pieces, piece]))
            open_pieces = []
        else:
            tokens.append(piece)
    if open_pieces:  # the text itself ends with a backslash, which then escapes nothing
        open_pieces[-1] += BACKSLASH
        tokens.append(delimiter.join(open_pieces))
    return tokens


def unquote(token: str) -> str:
    """Strip one pair of enclosing single quotes, if there is one."""
    if len(token) > 1 and token.startswith(QUOTE) and token.endswith(QUOTE):
        return token[1:-1]
    return token


def nest(parts: Sequence[str], delimiter: str) -> str:
    r"""Pack parts, outermost first, each pair ``[part, rest]`` a list of its own: ``a⇥b\⇥c\\⇥d``.

    This is how the traits of a piece are wrapped around each other. [counters.Decorator.getType, getState]
    """
    if not parts:
        raise FormatError("nothing to nest", "at least one part")
    if not any(part.startswith((BACKSLASH, QUOTE)) or delimiter in part for part in parts):
        for part in parts[:-1]:
            if part.endswith(BACKSLASH):
                raise FormatError("a part ends with a backslash and more follows")
        stairs = (BACKSLASH * depth + delimiter + part for depth, part in enumerate(parts[1:]))
        return parts[0] + "".join(stairs)
    text = parts[-1]
    for part in reversed(parts[:-1]):
        text = encode([part, text], delimiter)
    return text


def unnest(text: str, delimiter: str, *, limit: int = 10_000) -> list[str]:
    """Unpack what :func:`nest` packed, outermost part first.

    As in VASSAL, everything after the second token of a level is ignored. If the parts are not a plain
    staircase, ``limit`` bounds their number, and with it the time that a malicious text can cost;
    :exc:`FormatError` beyond it.
    """
    if QUOTE not in text:
        parts = _unnest_stairs(text, delimiter)
        if parts is not None:
            return parts
    parts = []
    while True:
        level = decode(text, delimiter)
        parts.append(level[0])
        if len(level) < 2:
            return parts
        if len(parts) >= limit:
            raise FormatError(f"more than {limit} parts nested in each other")
        text = level[1]


def _unnest_stairs(text: str, delimiter: str) -> list[str] | None:
    """The parts if the delimiters form a plain staircase (0, 1, 2 … backslashes), otherwise None."""
    *outer, innermost = text.split(delimiter)
    steps = len(outer)
    backslashes = steps * (steps - 1) // 2
    if backslashes > len(text):
        return None
    parts = [*map(str.removesuffix, outer, _stairs(steps)), innermost]
    bare = delimiter.join(parts)
    too_few = len(bare) + backslashes != len(text)
    too_many = BACKSLASH + delimiter in bare
    return None if too_few or too_many else parts


@lru_cache(maxsize=64)
def _stairs(count: int) -> tuple[str, ...]:
    """Texts of 0, 1, 2 … backslashes."""
    return tuple(BACKSLASH * depth for depth in range(count))
