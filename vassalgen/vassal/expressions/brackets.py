"""Leaving out the brackets an expression does not need.

The parser of BeanShell looks ahead over what stands in brackets before it reads it, anew at every depth: each
pair around another may double the time. [bsh.jjt]
"""

from __future__ import annotations

from vassalgen.vassal.expressions.tokens import Token, tokens

_LEVELS = ("? :", "||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >> >>>", "+ -", "* / %")
_PRECEDENCE = {sign: level for level, signs in enumerate(_LEVELS, 1) for sign in signs.split()}
_OPENS = frozenset(("(", ",", "?", ":", ""))
_CLOSES = frozenset((")", ",", ":", ""))
_HIGHEST = len(_LEVELS) + 1


def without_brackets(text: str) -> str:
    """The same expression without the brackets it does not need; it must be well-formed."""
    while True:
        words = tuple(tokens(text, 0, len(text)))
        needless = _needless(words)
        if needless is None:
            return text
        start, end = needless
        text = text[:start] + text[start + 1 : end] + text[end + 1 :]


def _needless(words: tuple[Token, ...]) -> tuple[int, int] | None:
    opened: list[int] = []
    for place, word in enumerate(words):
        if word.kind != "sign":
            continue
        if word.text == "(":
            opened.append(place)
        elif word.text == ")":
            start = opened.pop()
            if _is_needless(words, start, place):
                return words[start].at, word.at
    return None


def _is_needless(words: tuple[Token, ...], start: int, end: int) -> bool:
    inside = words[start + 1 : end]
    before, after = words[start - 1] if start else Token("end", "", 0), words[end + 1]
    if not inside or before.kind not in ("sign", "end") or after.kind not in ("sign", "end"):
        return False
    left = 0 if before.text in _OPENS else _PRECEDENCE.get(before.text)
    right = 0 if after.text in _CLOSES else _PRECEDENCE.get(after.text)
    if left is None or right is None or _is_unary(words, start - 1):
        return False
    if any(word.kind == "keyword" and word.text not in ("true", "false") for word in inside):
        return False
    if inside[0].kind == "sign" and inside[0].text != "(" and left:
        return False
    lowest = _lowest(inside)
    return lowest > left and lowest >= right + (after.text == "?")


def _is_unary(words: tuple[Token, ...], place: int) -> bool:
    if place < 0 or words[place].kind != "sign" or words[place].text not in ("+", "-"):
        return False
    return place == 0 or (words[place - 1].kind == "sign" and words[place - 1].text not in (")", "]"))


def _lowest(inside: tuple[Token, ...]) -> int:
    """How loosely the expression is held together: the sign outside its brackets that binds least."""
    depth, lowest = 0, _HIGHEST
    for word in inside:
        if word.kind != "sign":
            continue
        depth += (word.text == "(") - (word.text == ")")
        if not depth and word.text not in ("(", ")", "."):
            lowest = min(lowest, _PRECEDENCE.get(word.text, 0))
    return lowest
