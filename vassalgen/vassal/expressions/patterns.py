r"""Java's regular expressions, without catastrophic backtracking. A pattern is run as a set of threads, one
step per character, so the time grows with the text and not with the number of possible matches. Back
references and lookahead cannot be supported this way, nor are a few rare constructs: :exc:`CannotEvaluate`.
Patterns that Java itself rejects raise :exc:`EvaluationFails`.
[java.util.regex.Pattern; used by ``=~``, ``matches``, ``replaceAll``]
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from attrs import field, frozen

from vassalgen.vassal.expressions.environment import CannotEvaluate, EvaluationFails

MOST_STEPS = 1_000_000
MOST_INSTRUCTIONS = 5_000
DEEPEST = 40

Range = tuple[str, str]
Test = Callable[[str, int], bool]

LINE_ENDS = "\n\r\u0085\u2028\u2029"
_DIGITS: tuple[Range, ...] = (("0", "9"),)
_WORD: tuple[Range, ...] = (("a", "z"), ("A", "Z"), ("0", "9"), ("_", "_"))
_SPACE: tuple[Range, ...] = (("\t", "\r"), (" ", " "))
_CLASSES = {"d": _DIGITS, "w": _WORD, "s": _SPACE}
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "a": "\a", "e": "\x1b"}


@frozen
class Chars:
    """Any character in ``ranges``, or any character not in them."""

    ranges: tuple[Range, ...]
    negated: bool = False

    def has(self, char: str) -> bool:
        """Whether ``char`` matches."""
        return any(low <= char <= high for low, high in self.ranges) is not self.negated


@frozen
class At:
    """A position, not a character."""

    test: Test


@frozen
class Fork:
    """Continue at ``first``, or else at ``second``."""

    first: int
    second: int


Instruction = Chars | At | Fork | None
"""None ends a match."""


@frozen
class Pattern:
    """A regular expression, ready to run."""

    text: str
    program: tuple[Instruction, ...] = field(repr=False)
    repeats_nothing: bool
    """Whether something that may be empty is repeated, so that it is unclear how much of a text
    it matches.
    """

    @staticmethod
    @lru_cache(maxsize=1024)
    def read(text: str) -> Pattern:
        """Parse a regular expression."""
        reader = _Reader(text)
        return Pattern(text, reader.program(), reader.repeats_nothing)

    def matches(self, text: str) -> bool:
        """Whether all of ``text`` matches."""
        return self._run(text, 0, whole=True)[0] is not None

    def find(self, text: str, start: int = 0) -> tuple[int, int] | None:
        """The first match from ``start`` on, with the end that Java would choose; or None."""
        return self._run(text, start, whole=False)[0]

    def replace(self, text: str, replacement: str, *, once: bool = False) -> str:
        r"""``replaceAll``, ``replaceFirst``: in the replacement, ``$0`` is the match, ``\$`` a ``$``."""
        parts: list[str] = []
        pieces = _replacement(replacement)
        done = start = spent = 0
        while start <= len(text):
            found, stopped = self._run(text, start, whole=False)
            if found is None:
                break
            spent += stopped - start + 1
            self._check(spent)
            parts.append(text[done : found[0]])
            parts.extend(text[found[0] : found[1]] if piece is None else piece for piece in pieces)
            done = found[1]
            start = done + (found[0] == found[1])
            if once:
                break
        return "".join(parts) + text[done:]

    def _check(self, length: int) -> None:
        if len(self.program) * length > MOST_STEPS:
            raise CannotEvaluate(f"matching {self.text[:40]!r} takes too long")

    def _run(self, text: str, start: int, *, whole: bool) -> tuple[tuple[int, int] | None, int]:
        """Run the program; ``whole``: from ``start`` to the end of the text, otherwise wherever it matches
        first. Returns the match, and how far it was necessary to look.
        """
        self._check(len(text) - start + 1)
        if self.repeats_nothing and not whole:
            raise CannotEvaluate(f"the regular expression {self.text!r} repeats what may be empty")
        best: tuple[int, int] | None = None
        threads: dict[int, int] = {}  # instruction -> where its match began, the preferred thread first
        at = start
        for at in range(start, len(text) + 1):
            if best is None and (at == start or not whole):
                self._follow(0, at, text, at, threads)
            if not threads:
                if whole or best is not None:
                    break
                continue
            following: dict[int, int] = {}
            char = text[at] if at < len(text) else ""
            for place, began in threads.items():
                instruction = self.program[place]
                if instruction is None:
                    if whole and at < len(text):
                        continue
                    best = began, at
                    break  # whatever comes after it is less preferred
                if isinstance(instruction, Chars) and char and instruction.has(char):
                    self._follow(place + 1, began, text, at + 1, following)
            threads = following
        return best, at

    def _follow(self, place: int, began: int, text: str, at: int, threads: dict[int, int]) -> None:
        """Add the characters and ends that can be reached from ``place`` without consuming a character."""
        open_places, seen = [place], set[int]()
        while open_places:
            place = open_places.pop()
            if place in seen or place in threads:
                continue
            seen.add(place)
            instruction = self.program[place]
            if isinstance(instruction, Fork):
                open_places += (instruction.second, instruction.first)
            elif isinstance(instruction, At):
                if instruction.test(text, at):
                    open_places.append(place + 1)
            else:
                threads[place] = began


def _replacement(text: str) -> list[str | None]:
    """The parts of a replacement; None stands for the match."""
    pieces: list[str | None] = []
    at = 0
    while at < len(text):
        if text[at] in "\\$" and at + 1 == len(text):
            raise EvaluationFails(f"the replacement {text!r} ends in the middle of an escape")
        if text[at] == "$":
            if text[at + 1 : at + 2] != "0":
                raise CannotEvaluate(f"the replacement {text!r} refers to a group")
            pieces.append(None)
            at += 2
            continue
        at += text[at] == "\\"
        pieces.append(text[at])
        at += 1
    return pieces


def _is_start(text: str, at: int) -> bool:
    return at == 0


def _is_end(text: str, at: int) -> bool:
    return at == len(text)


def _is_last_line_end(text: str, at: int) -> bool:
    rest = text[at : at + 3]
    if len(rest) == 1:
        return rest in LINE_ENDS and text[at - 1 : at + 1] != "\r\n"
    return rest in ("", "\r\n")


def _is_word_edge(text: str, at: int) -> bool:
    around = text[max(at - 1, 0) : at + 1]
    if not around.isascii():
        raise CannotEvaluate(r"\b beside a letter that is not ASCII")
    word = Chars(_WORD)
    return (at > 0 and word.has(text[at - 1])) is not (at < len(text) and word.has(text[at]))


_PLACES: dict[str, Test] = {
    "b": _is_word_edge,
    "B": lambda text, at: not _is_word_edge(text, at),
    "A": _is_start,
    "z": _is_end,
    "Z": _is_last_line_end,
}


class _Reader:
    """Translates a regular expression into a program, in which a jump is a fork with two equal ends."""

    def __init__(self, text: str) -> None:
        self.ignores_case = text.startswith("(?i)")
        self.text = text
        self.at = 4 if self.ignores_case else 0
        self.depth = 0
        self.repeats_nothing = False

    def program(self) -> tuple[Instruction, ...]:
        code = self.alternatives()
        if self.at < len(self.text):
            raise self.wrong("a ) that closes nothing")
        return (*code, None)

    def wrong(self, what: str) -> EvaluationFails:
        return EvaluationFails(f"the regular expression {self.text!r} has {what} at character {self.at + 1}")

    def rare(self, what: str) -> CannotEvaluate:
        return CannotEvaluate(f"the regular expression {self.text!r} has {what}")

    def alternatives(self) -> list[Instruction]:
        """``a|b|c``, each branch as code whose forks count from its own start."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.rare("groups nested too deep")
        branches = [self.sequence()]
        while self.text.startswith("|", self.at):
            self.at += 1
            branches.append(self.sequence())
        self.depth -= 1
        code = branches.pop()
        while branches:
            branch = branches.pop()
            end = 2 + len(branch)
            code = [
                Fork(1, end),
                *_moved(branch, 1),
                Fork(end + len(code), end + len(code)),
                *_moved(code, end),
            ]
        return self.checked(code)

    def sequence(self) -> list[Instruction]:
        code: list[Instruction] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            code += _moved(self.repeated(self.item()), len(code))
            self.checked(code)
        return code

    def checked(self, code: list[Instruction]) -> list[Instruction]:
        if len(code) > MOST_INSTRUCTIONS:
            raise self.rare("too many repetitions")
        return code

    def repeated(self, item: list[Instruction]) -> list[Instruction]:
        """``item`` with the ``* + ? {n,m}`` after it."""
        start = self.at
        least, most = self.count()
        if self.at == start:
            return item
        following = self.text[self.at : self.at + 1]
        if following == "+":
            raise self.rare("a possessive repetition")
        lazy = following == "?"
        self.at += lazy
        size = len(item)
        if size * max(least, most or 0) > MOST_INSTRUCTIONS:
            raise self.rare("too many repetitions")
        code: list[Instruction] = []
        for _ in range(least):
            code += _moved(item, len(code))
        self.repeats_nothing |= (least, most) != (0, 1) and _may_be_empty(item)
        if most is None:
            at = len(code)
            code += [_fork(at + 1, at + size + 2, lazy), *_moved(item, at + 1), Fork(at, at)]
        else:
            end = len(code) + (most - least) * (size + 1)
            for _ in range(most - least):
                code += [_fork(len(code) + 1, end, lazy), *_moved(item, len(code) + 1)]
        return code

    def count(self) -> tuple[int, int | None]:
        """How often the item is repeated: minimum and maximum (None: unlimited)."""
        sign = self.text[self.at : self.at + 1]
        if sign in ("*", "+", "?"):
            self.at += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        if sign != "{":
            return 1, 1
        end = self.text.find("}", self.at)
        low, comma, high = self.text[self.at + 1 : end].partition(",")
        if end < 0 or not _is_count(low) or (comma and high and not _is_count(high)):
            raise self.wrong("a repetition without numbers")
        self.at = end + 1
        least = int(low)
        most = (int(high) if high else None) if comma else least
        if most is not None and most < least:
            raise self.wrong("a repetition whose end is before its start")
        return least, most

    def item(self) -> list[Instruction]:
        char = self.text[self.at]
        self.at += 1
        match char:
            case "(":
                return self.group()
            case "[":
                return [self.char_class()]
            case ".":
                return [Chars(tuple((end, end) for end in LINE_ENDS), negated=True)]
            case "^":
                return [At(_is_start)]
            case "$":
                return [At(_is_last_line_end)]
            case "\\":
                return self.escape()
            case "*" | "+" | "?":
                raise self.wrong(f"a {char} that repeats nothing")
            case "{":
                raise self.rare("a { that repeats nothing")
            case _:
                return [self.one(char)]

    def one(self, char: str) -> Chars:
        return Chars(self.cased(((char, char),)))

    def cased(self, ranges: tuple[Range, ...]) -> tuple[Range, ...]:
        """The ranges with the other case of their ASCII letters, if case is ignored."""
        if not self.ignores_case:
            return ranges
        others = []
        for low, high in ranges:
            for first, last in (("a", "z"), ("A", "Z")):
                start, end = max(low, first), min(high, last)
                if start <= end:
                    others.append((start.swapcase(), end.swapcase()))
        return (*ranges, *others)

    def group(self) -> list[Instruction]:
        if self.text.startswith("?:", self.at):
            self.at += 2
        elif self.text.startswith("?", self.at):
            raise self.rare("a special group (?…)")
        code = self.alternatives()
        if not self.text.startswith(")", self.at):
            raise self.wrong("a ( that nothing closes")
        self.at += 1
        return code

    def escape(self) -> list[Instruction]:
        r"""The escape after a backslash, outside ``[ ]``."""
        if self.text.startswith("Q", self.at):
            end = self.text.find("\\E", self.at)
            quoted = self.text[self.at + 1 : end if end >= 0 else None]
            self.at = end + 2 if end >= 0 else len(self.text)
            if not quoted or self.text[self.at : self.at + 1] in ("*", "+", "?", "{"):
                raise self.rare(r"a repeated or empty \Q…\E")
            return [self.one(char) for char in quoted]
        place = _PLACES.get(self.text[self.at : self.at + 1])
        if place:
            self.at += 1
            return [At(place)]
        return [self.escaped_chars()]

    def escaped_chars(self) -> Chars:
        """An escape that stands for characters, outside or inside ``[ ]``."""
        char = self.text[self.at : self.at + 1]
        self.at += 1
        if char.lower() in _CLASSES:
            return Chars(_CLASSES[char.lower()], negated=char.isupper())
        if char in _CONTROLS:
            return Chars(((_CONTROLS[char], _CONTROLS[char]),))
        if char in ("x", "u"):
            length = 2 if char == "x" else 4
            digits = self.text[self.at : self.at + length]
            if len(digits) < length or not all(digit in "0123456789abcdefABCDEF" for digit in digits):
                raise self.rare("an unusual hexadecimal escape")
            self.at += length
            return self.one(chr(int(digits, 16)))
        if not char:
            raise self.wrong("a backslash and nothing more")
        if char.isascii() and char.isalnum():
            raise self.rare(f"\\{char}")
        return self.one(char)

    def char_class(self) -> Chars:
        """``[a-z_]``, after the opening bracket."""
        negated = self.text.startswith("^", self.at)
        self.at += negated
        ranges: list[Range] = []
        start = self.at
        while True:
            if self.at >= len(self.text):
                raise self.wrong("a [ that nothing closes")
            char = self.text[self.at]
            if char == "]" and self.at > start:
                self.at += 1
                return Chars(self.cased(tuple(ranges)), negated)
            if char in "[]" or self.text.startswith("&&", self.at):
                raise self.rare("an unusual set of characters")
            first = self.class_chars()
            if self.text.startswith("-", self.at) and self.text[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                if self.text[self.at] == "[":
                    raise self.rare("an unusual set of characters")
                last = self.class_chars()
                low, high = _single(first), _single(last)
                if low is None or high is None:
                    raise self.rare("an unusual range of characters")
                if low > high:
                    raise self.wrong("a range that runs backwards")
                ranges.append((low, high))
            elif first.negated:
                ranges += _complement(first.ranges)
            else:
                ranges += first.ranges

    def class_chars(self) -> Chars:
        char = self.text[self.at]
        self.at += 1
        return self.escaped_chars() if char == "\\" else Chars(((char, char),))


def _may_be_empty(code: list[Instruction]) -> bool:
    """Whether the end of the code can be reached without consuming a character."""
    open_places, seen = [0], set[int]()
    while open_places:
        place = open_places.pop()
        if place == len(code):
            return True
        step = code[place]
        if place not in seen and not isinstance(step, Chars):
            open_places += (step.first, step.second) if isinstance(step, Fork) else (place + 1,)
        seen.add(place)
    return False


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7


def _fork(into: int, past: int, lazy: bool) -> Fork:
    return Fork(past, into) if lazy else Fork(into, past)


def _moved(code: list[Instruction], by: int) -> list[Instruction]:
    """The code after moving it ``by`` places."""
    return [Fork(step.first + by, step.second + by) if isinstance(step, Fork) else step for step in code]


def _single(chars: Chars) -> str | None:
    if chars.negated or len(chars.ranges) != 1 or chars.ranges[0][0] != chars.ranges[0][1]:
        return None
    return chars.ranges[0][0]


def _complement(ranges: tuple[Range, ...]) -> list[Range]:
    """All characters not in ``ranges``."""
    gaps: list[Range] = []
    low = 0
    for first, last in sorted(ranges):
        if ord(first) > low:
            gaps.append((chr(low), chr(ord(first) - 1)))
        low = ord(last) + 1
    gaps.append((chr(low), "\uffff"))
    return gaps
