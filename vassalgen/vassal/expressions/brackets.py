"""Removing redundant brackets from an expression. BeanShell's parser looks ahead over the contents of
brackets before it reads them, again at every depth: each nested pair may double the time. [bsh.jjt]
"""

from __future__ import annotations

from itertools import pairwise

from vassalgen.vassal.expressions.tokens import Token, tokens

_LEVELS = ("? :", "||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >> >>>", "+ -", "* / %")
_PRECEDENCE = {sign: level for level, signs in enumerate(_LEVELS, 1) for sign in signs.split()}
_OPENS = frozenset(("(", ",", "?", ":", ""))
_CLOSES = frozenset((")", ",", ":", ""))
_HIGHEST = len(_LEVELS) + 1


def without_brackets(text: str) -> str:
    """The same expression without redundant brackets; it must be well-formed."""
    words = tuple(tokens(text, 0, len(text)))
    kept: list[Token] = []
    opened: list[int] = []
    needless: set[int] = set()
    for word, after in pairwise(words):
        kept.append(word)
        if _is(word, "("):
            opened.append(len(kept) - 1)
        elif _is(word, ")"):
            start = opened.pop()
            if _is_needless(kept, start, after):
                needless |= {kept.pop().at, kept.pop(start).at}
    return "".join(letter for at, letter in enumerate(text) if at not in needless)


def _is(word: Token, sign: str) -> bool:
    return word.kind == "sign" and word.text == sign


def _is_needless(words: list[Token], start: int, after: Token) -> bool:
    """Whether the brackets from ``start`` to the last of the words may be removed."""
    inside = words[start + 1 : -1]
    before = words[start - 1] if start else Token("end", "", 0)
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


def _is_unary(words: list[Token], place: int) -> bool:
    if place < 0 or words[place].kind != "sign" or words[place].text not in ("+", "-"):
        return False
    return place == 0 or (words[place - 1].kind == "sign" and words[place - 1].text not in (")", "]"))


def _lowest(inside: list[Token]) -> int:
    """The rank of the operator outside brackets that binds least."""
    depth, lowest = 0, _HIGHEST
    for word in inside:
        if word.kind != "sign":
            continue
        depth += (word.text == "(") - (word.text == ")")
        if not depth and word.text not in ("(", ")", "."):
            lowest = min(lowest, _PRECEDENCE.get(word.text, 0))
    return lowest
