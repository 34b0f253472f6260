r"""The tokens of BeanShell. [bsh.jjt]"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from vassalgen.problems import FormatError
from vassalgen.vassal.expressions.values import overflow

_KEYWORDS = """
    abstract boolean break byte case catch char class const continue default do double else enum extends
    false final finally float for goto if implements import instanceof int interface long native new null
    package private protected public return short static strictfp switch synchronized throw throws transient
    true try void volatile while
"""
KEYWORDS = frozenset(_KEYWORDS.split())
SPELLED = {
    "@gt": ">",
    "@lt": "<",
    "@lteq": "<=",
    "@gteq": ">=",
    "@or": "||",
    "@and": "&&",
    "@bitwise_and": "&",
    "@bitwise_or": "|",
    "@left_shift": "<<",
    "@right_shift": ">>",
    "@right_unsigned_shift": ">>>",
    "@and_assign": "&=",
    "@or_assign": "|=",
    "@left_shift_assign": "<<=",
    "@right_shift_assign": ">>=",
    "@right_unsigned_shift_assign": ">>>=",
}
"""Operators that may be spelled out, for use in XML."""
_ASSIGNMENTS = "= += -= *= /= &= |= ^= %= <<= >>= >>>="
ASSIGNMENTS = frozenset(_ASSIGNMENTS.split())
_OTHERS = "( ) { } [ ] ; , . > < ! ~ ? : == <= >= =~ !~ != || && ++ -- + - * / & | ^ % << >> >>>"
_SIGNS = (*_OTHERS.split(), *ASSIGNMENTS, *SPELLED)
_LETTERS = (
    "$A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff\u0100-\u1fff\u3040-\u318f\u3300-\u337f\u3400-\u3d2d"
    "\u4e00-\u9fff\uf900-\ufaff"
)
_DIGITS = "0-9"
_ESCAPE = r"""\\(?:[ntbrf\\'"]|[0-3][0-7][0-7]|[0-7][0-7]?|u+[0-9a-fA-F]{4})"""
_EXPONENT = r"(?:[eE][+-]?[0-9]+)"
_TOKEN = re.compile(
    rf"""
      (?P<comment>//[^\n\r]*(?:\r\n|\n|\r)? | /\*[^*]+\*(?:\*|[^*/][^*]*\*)*/)
    | (?P<name>[{_LETTERS}][{_LETTERS}{_DIGITS}]*)
    | (?P<float>[0-9]+\.[0-9]*{_EXPONENT}?[fFdD]? | \.[0-9]+{_EXPONENT}?[fFdD]?
        | [0-9]+{_EXPONENT}[fFdD]? | [0-9]+[fFdD])
    | (?P<integer>(?:0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)[lL]?)
    | (?P<long>\"\"\"(?:[^"]"?"?)*\"\"\")
    | (?P<string>"(?:[^"\\\n\r]|{_ESCAPE})*")
    | (?P<char>'(?:[^'\\\n\r]|{_ESCAPE})')
    | (?P<sign>{"|".join(re.escape(sign) for sign in sorted(_SIGNS, key=len, reverse=True))})
    """,
    re.VERBOSE,
)
_BLANK = re.compile("[\x00-\x20\x80-\xff]+")
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", "r": "\r", "f": "\f"}


@frozen
class Token:
    """One token: its kind (name, keyword, float, integer, string, char, sign, end), its text, its place.

    The text of a string or character is its value.
    """

    kind: str
    text: str
    at: int


def tokens(text: str, start: int, end: int) -> Iterator[Token]:
    """Split ``text`` from ``start`` to ``end`` into tokens and a final ``end``; places count from 0.

    Raises :exc:`FormatError`.
    """
    at = start
    while at < end:
        match = _TOKEN.match(text, at, end)
        blank = _BLANK.match(text, at, end)
        if blank and (match is None or blank.end() >= match.end()):
            at = blank.end()
            continue
        if match is None:
            raise _unreadable(text, at)
        kind, word = match.lastgroup or "", match[0]
        if kind == "comment" and word.startswith("//") and word[-1] not in "\n\r":
            raise FormatError("// makes a comment of the rest", "/* … */ for a comment", place=place(at))
        if kind == "name" and word in KEYWORDS:
            kind = "keyword"
        elif kind == "long":
            kind, word = "string", word[3:-3]
        elif kind == "char" and word[2].isdigit():
            word = chr(int(word[2:-1], 8))
        elif kind in ("string", "char"):
            word = unescaped(word[1:-1], at)
        if kind != "comment":
            yield Token(kind, SPELLED.get(word, word) if kind == "sign" else word, at)
        at = match.end()
    yield Token("end", "", at)


def place(at: int) -> str:
    """A place in an expression, for messages."""
    return f"character {at + 1}"


def _unreadable(text: str, at: int) -> FormatError:
    char = text[at]
    if char == '"':
        bad = re.compile(rf'"(?:[^"\\\n\r]|{_ESCAPE})*').match(text, at)
        if bad and text.startswith("\\", bad.end()):
            wrong = f"{text[bad.end() : bad.end() + 2]!r} is not an escape"
            return FormatError(wrong, r"\\ for a backslash", place=place(bad.end()))
        return FormatError("a text without its closing quote", place=place(at))
    if char == "'":
        return FormatError(
            "' encloses a single character", 'texts are written in "double quotes"', place=place(at)
        )
    return FormatError(f"{char!r} has no meaning here", place=place(at))


def unescaped(body: str, at: int = 0) -> str:
    """Return the value of the inside of a string literal with well-formed escapes."""
    if "\\" not in body:
        return body
    parts: list[str] = []
    index = 0
    while index < len(body):
        char = body[index]
        index += 1
        if char != "\\":
            parts.append(char)
            continue
        char = body[index]
        if char == "u":
            end = index + len(body[index:]) - len(body[index:].lstrip("u"))
            parts.append(chr(int(body[end : end + 4], 16)))
            index = end + 4
        elif char.isdigit():
            digits = re.compile("[0-9]{1,3}").match(body, index)
            octal = digits[0] if digits else ""
            if "8" in octal or "9" in octal or (len(octal) < 3 and index + len(octal) == len(body)):
                raise FormatError("BeanShell trips over this octal escape", r"\uXXXX", place=place(at))
            parts.append(chr(int(octal, 8)))
            index += len(octal)
        else:
            parts.append(_ESCAPES.get(char, char))
            index += 1
    return "".join(parts)


_LITERAL = re.compile(rf'(?:[^"\\\n\r]|{_ESCAPE})*')


def requoted(value: str) -> str | None:
    """A property's value after VASSAL has passed it through a string literal. VASSAL does this with
    properties on which string methods are called: a backslash in the value begins an escape. None if this
    fails. [script.ExpressionInterpreter.evaluate]
    """
    if not any(char in value for char in "\\\n\r"):
        return value
    body = value.replace('"', '\\"')
    if not _LITERAL.fullmatch(body):
        return None
    try:
        return unescaped(body)
    except FormatError:
        return None


def integer_literal(word: str, at: int) -> tuple[int, bool]:
    """The number that BeanShell reads from an integer literal, and whether it is a long.

    An overflow in the last digit goes unnoticed: ``2147483648`` is -2147483648.
    """
    is_long = word[-1] in "lL"
    digits = word.rstrip("lL")
    radix = 10
    if digits[:2] in ("0x", "0X"):
        radix, digits = 16, digits[2:]
    elif digits.startswith("0") and len(digits) > 1:
        radix = 8
    number = 0
    for digit in digits:
        if number < 0:
            raise FormatError(f"{word} is too big", place=place(at))
        number = overflow(number * radix + int(digit, 16), 64 if is_long else 32)
    return number, is_long
