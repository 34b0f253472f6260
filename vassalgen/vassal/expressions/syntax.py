"""BeanShell expressions: text to nodes. [bsh.jjt, from ``Expression`` down]"""

from __future__ import annotations

from vassalgen.problems import FormatError
from vassalgen.vassal import scalars
from vassalgen.vassal.expressions.nodes import (
    PRIMITIVES,
    Call,
    Cast,
    Chain,
    Choice,
    Foreign,
    Literal,
    Methods,
    Name,
    Node,
    Unary,
)
from vassalgen.vassal.expressions.tokens import ASSIGNMENTS, Token, integer_literal, place, tokens
from vassalgen.vassal.expressions.values import Kind, Scalar, Value, boolean, float32, integer, units

LONGEST_EXPRESSION = 50_000
DEEPEST = 30
"""The maximum depth of an expression. VASSAL itself takes twice as long for every level: minutes for 24."""

_RANKS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!=", "=~", "!~"),
    ("instanceof",),
    ("<", ">", "<=", ">="),
    ("<<", ">>", ">>>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_RANK = {operator: rank for rank, row in enumerate(_RANKS) for operator in row}
_CONSTANTS: dict[str, Value] = {"true": boolean(True), "false": boolean(False), "null": None}
_LITERALS = ("integer", "float", "string", "char")


def read(text: str, start: int = 0, end: int | None = None) -> tuple[Node, int]:
    """Parse the expression in ``text`` from ``start`` to ``end``.

    Returns it, and its nesting depth. Raises :exc:`FormatError`, whose place is the character in ``text``.
    """
    end = len(text) if end is None else end
    if end - start > LONGEST_EXPRESSION:
        raise FormatError(f"an expression of {end - start} characters", f"{LONGEST_EXPRESSION} at most")
    reader = _Reader(list(tokens(text, start, end)))
    return reader.whole(), reader.deepest - 1


class _Reader:
    def __init__(self, words: list[Token]) -> None:
        self.words = words
        self.at = 0
        self.depth = self.deepest = 0

    @property
    def next(self) -> Token:
        return self.words[self.at]

    def ahead(self, by: int) -> Token:
        return self.words[min(self.at + by, len(self.words) - 1)]

    def take(self) -> Token:
        word = self.next
        self.at += word.kind != "end"
        return word

    def sees(self, *texts: str) -> bool:
        """Whether the next token is one of these signs or keywords."""
        return _is(self.next, *texts)

    def expect(self, text: str, why: str) -> None:
        if not self.sees(text):
            raise self.wrong(f"{why} needs a {text} here, not {_shown(self.next)}")
        self.take()

    def wrong(self, what: str, right: str = "") -> FormatError:
        return FormatError(what, right, place=place(self.next.at))

    def whole(self) -> Node:
        node = self.expression()
        while self.sees(";"):
            self.take()
        if self.next.kind != "end":
            raise self.wrong(f"{_shown(self.next)} is left over", "an operator between two values")
        return node

    def expression(self) -> Node:
        self.deeper()
        cases: list[tuple[Node, Node]] = []
        node = self.binary(0)
        while self.sees("?"):
            self.take()
            value = self.expression()
            self.expect(":", "the ? before")
            cases.append((node, value))
            node = self.binary(0)
        if self.sees(*ASSIGNMENTS):
            raise self.wrong(f"{self.next.text} sets a value, which expressions must not", "== compares")
        self.depth -= 1
        return Choice(tuple(cases), node) if cases else node

    def deeper(self) -> None:
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        if self.depth > DEEPEST + 1:
            raise self.wrong(
                f"nested more than {DEEPEST} deep", "less: VASSAL takes twice as long for every level"
            )

    def binary(self, lowest: int) -> Node:
        """Operands and the operators of rank ``lowest`` and higher between them."""
        node = self.unary()
        while (rank := self.rank()) >= lowest:
            rest: list[tuple[str, Node]] = []
            while self.rank() == rank:
                operator = self.take().text
                if operator == "instanceof":
                    node = Foreign("instanceof", (node,))
                    self.type_name()
                    break
                rest.append((operator, self.binary(rank + 1)))
            if rest:
                node = Chain(node, tuple(rest))
        return node

    def rank(self) -> int:
        """The rank of the next operator; -1 if there is none."""
        return _RANK.get(self.next.text, -1) if self.next.kind in ("sign", "keyword") else -1

    def unary(self) -> Node:
        signs: list[str] = []
        while self.sees("+", "-", "~", "!"):
            signs.append(self.take().text)
        node = self.step() if self.sees("++", "--") else self.cast() or self.postfix()
        return Unary(tuple(signs), node) if signs else node

    def step(self) -> Node:
        sign = self.take().text
        return Foreign(sign, (self.primary(),))

    def postfix(self) -> Node:
        node = self.primary()
        if self.sees("++", "--"):
            return Foreign(self.take().text, (node,))
        return node

    def cast(self) -> Node | None:
        """``(type) operand``, if that comes next."""
        if not self.sees("("):
            return None
        end = 1
        if not _is(self.ahead(1), *PRIMITIVES):
            while self.ahead(end).kind == "name" and _is(self.ahead(end + 1), "."):
                end += 2
            if self.ahead(end).kind != "name" or not self.opens_cast(end + 1):
                return None
        self.deeper()
        self.take()
        name = self.type_name()
        self.expect(")", "the cast")
        operand = self.unary()
        self.depth -= 1
        return Cast(name, operand)

    def opens_cast(self, end: int) -> bool:
        """Whether the tokens from ``end`` on show that a name in brackets is a type."""
        closing, following = self.ahead(end), self.ahead(end + 1)
        if _is(closing, "[") and _is(following, "]"):
            return True
        return _is(closing, ")") and (
            following.kind in ("name", *_LITERALS)
            or _is(following, "~", "!", "(", "true", "false", "null", "void", "new")
        )

    def type_name(self) -> str:
        """A type, with ``[]`` for each dimension."""
        name = self.take().text if self.sees(*PRIMITIVES) else self.dotted()
        while self.sees("[") and _is(self.ahead(1), "]"):
            self.at += 2
            name += "[]"
        return name

    def dotted(self) -> str:
        """A name with any number of dots."""
        if self.next.kind == "keyword":
            raise self.wrong(
                f"{self.next.text!r} is a word of Java", f'GetProperty("{self.next.text}") for the property'
            )
        if self.next.kind != "name":
            raise self.wrong(f"a value is missing before {_shown(self.next)}")
        name = self.take().text
        while self.sees(".") and self.ahead(1).kind == "name":
            self.take()
            name += "." + self.take().text
        return name

    def primary(self) -> Node:
        node = self.prefix()
        while self.sees(".", "[", "{"):
            if calls := self.methods():
                node = Methods(node, calls)
            elif self.take().text == ".":
                if self.next.kind != "name" and not self.sees("class"):
                    raise self.wrong(f"a method is missing before {_shown(self.next)}")
                node = Foreign("." + self.take().text, (node,))
            else:
                closing = "]" if self.words[self.at - 1].text == "[" else "}"
                node = Foreign("an index", (node, self.expression()))
                self.expect(closing, "the index")
        return node

    def methods(self) -> tuple[tuple[str, tuple[Node, ...]], ...]:
        """A sequence of ``.method(…)``."""
        calls: list[tuple[str, tuple[Node, ...]]] = []
        while self.sees(".") and self.ahead(1).kind == "name" and _is(self.ahead(2), "("):
            self.take()
            name = self.take().text
            calls.append((name, self.arguments()))
        return tuple(calls)

    def prefix(self) -> Node:
        word = self.next
        if word.kind in _LITERALS:
            self.take()
            return Literal(_literal(word))
        if self.sees("("):
            self.take()
            node = self.expression()
            self.expect(")", "the ( before")
            return node
        if self.sees(*_CONSTANTS):
            return Literal(_CONSTANTS[self.take().text])
        if self.sees("void"):
            self.take()
            return Foreign("void", ())
        if self.sees("new"):
            return self.allocation()
        if self.sees(*PRIMITIVES):
            name = self.type_name()
            self.expect(".", f"the type {name}")
            self.expect("class", f"the type {name}")
            return Foreign(".class", ())
        name = self.dotted()
        return Call(name, self.arguments()) if self.sees("(") else Name(name)

    def allocation(self) -> Node:
        self.take()
        name = self.take().text if self.sees(*PRIMITIVES) else self.dotted()
        parts: list[Node] = []
        if self.sees("("):
            parts += self.arguments()
        elif self.sees("["):
            while self.sees("["):
                self.take()
                if not self.sees("]"):
                    parts.append(self.expression())
                self.expect("]", "the array")
        else:
            raise self.wrong(f"new {name} needs brackets")
        return Foreign("new", tuple(parts))

    def arguments(self) -> tuple[Node, ...]:
        self.take()
        nodes: list[Node] = []
        while not self.sees(")"):
            if nodes:
                self.expect(",", "the list of arguments")
            nodes.append(self.expression())
        self.take()
        return tuple(nodes)


def _literal(word: Token) -> Value:
    match word.kind:
        case "integer":
            number, is_long = integer_literal(word.text, word.at)
            return integer(number, Kind.LONG if is_long else Kind.INT)
        case "float" if word.text[-1] in "fF":
            return Scalar(Kind.FLOAT, float32(scalars.DOUBLE.decode(word.text[:-1])))
        case "float":
            return Scalar(Kind.DOUBLE, scalars.DOUBLE.decode(word.text))
        case "char":
            return Scalar(Kind.CHAR, ord(word.text))
        case _:
            return units(word.text)


def _shown(word: Token) -> str:
    return "the end" if word.kind == "end" else repr(word.text)


def _is(word: Token, *texts: str) -> bool:
    """Whether the token is one of these signs or keywords."""
    return word.kind in ("sign", "keyword") and word.text in texts
