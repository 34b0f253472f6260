"""``{…}``: expressions in BeanShell, with properties as variables. [script.ExpressionInterpreter]"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from attrs import field, frozen

from vassalgen.problems import FormatError
from vassalgen.vassal.expressions import nodes, syntax
from vassalgen.vassal.expressions.base import Expression, Format, Plain, braced, property_name
from vassalgen.vassal.expressions.environment import CannotEvaluate, Environment, EvaluationFails
from vassalgen.vassal.expressions.functions import ASKED, GETTERS
from vassalgen.vassal.expressions.tokens import place, requoted
from vassalgen.vassal.expressions.values import BLANKS, characters, java_int, text_of, units

_TEXT_METHODS = """
    compareTo compareToIgnoreCase contains endsWith equals equalsIgnoreCase format hashCode indexOf isBlank
    isEmpty lastIndexOf length matches regionMatches repeat replace replaceAll replaceFirst startsWith strip
    stripLeading stripTrailing substring toLowerCase toUpperCase toString trim
"""
TEXT_METHODS = frozenset(_TEXT_METHODS.split())
"""The methods that VASSAL allows on a property's bare name. [bsh.BeanShellExpressionValidator]"""


@frozen
class BeanShell(Expression):
    """A BeanShell expression.

    ``variables`` are the names it uses as values, ``texts`` those on which it calls a string method.
    ``depth`` is its nesting depth, in brackets, arguments and between ``?`` and ``:``. Each level doubles the
    time that VASSAL needs to parse it: seconds from 14 levels on. Chains (``a ? b : c ? d : e``) cost
    nothing.
    """

    body: nodes.Node = field(repr=False)
    variables: frozenset[str]
    texts: tuple[str, ...]
    depth: int

    @classmethod
    def read(cls, text: str) -> BeanShell:
        """Read ``{…}``. Raises :exc:`FormatError`, whose place is the character in ``text``."""
        inner = braced(text) or ""
        start = text.index("{") + 1
        again = braced(inner)
        if again is not None:
            start += inner.index("{") + 1
            inner = again
        if inner.startswith("~"):  # VASSAL puts an equals sign in front
            raise FormatError(
                "~ right after the brace is read as =~", "a blank before it", place=place(start)
            )
        body, depth = syntax.read(text, start, start + len(inner))
        return cls(text, body, *_variables(body), depth)

    def evaluate(self, environment: Environment, *, displayed: bool = False) -> str:
        texts: dict[str, str] = {}
        for name in self.texts:
            value = requoted(environment.property(property_name(name)) or "")
            if value is None:
                raise EvaluationFails(f"the backslash or line break in {name} trips VASSAL")
            texts[name] = units(value)
        return characters(text_of(self.body.value(nodes.Scope(environment, self.variables, texts))))

    def accepts(self, environment: Environment, source: Environment | None = None) -> bool:
        return self.evaluate(environment) == "true"

    def names(self) -> frozenset[str]:
        found = {property_name(name) for name in self.texts}
        for node in nodes.every_node(self.body):
            if isinstance(node, nodes.Name) and "." not in node.text:
                found.add(property_name(node.text))
            elif isinstance(node, nodes.Call):
                found.update(_named_by(node))
        return frozenset(found)


_SOMETHING = "_something_"


@frozen
class Condition(Expression):
    """A BeanShell expression as a filter, in which ``$name$`` is a property of the piece or button that
    searches for pieces.

    ``$name$`` may stand for any part of the expression, so some expressions can be parsed only after it has
    been replaced: ``{Strength > $Enemy strength$}``. [script.expression.BeanShellExpression.getFilter]
    """

    expression: BeanShell | None
    """The expression without replacements, if it can be parsed."""
    template: Format | None
    """The text between the braces, if it contains a dollar."""

    @classmethod
    def read(cls, text: str) -> Condition:
        """Read ``{…}``. Raises :exc:`FormatError`, whose place is the character in ``text``."""
        template = Format.read(braced(text) or "") if "$" in text else None
        try:
            return cls(text, BeanShell.read(text), template)
        except FormatError as error:
            if template is None or not _is_readable(template):
                raise error from None
            return cls(text, None, template)

    def evaluate(self, environment: Environment, *, displayed: bool = False) -> str:
        if self.expression is None:
            raise EvaluationFails(f"{self.text} cannot be read before its $…$ are replaced")
        return self.expression.evaluate(environment)

    def accepts(self, environment: Environment, source: Environment | None = None) -> bool:
        if source is None or self.template is None:
            return self.evaluate(environment) == "true"
        text = self.template.evaluate(source)
        if "$" in text or braced(self.template.text) is not None:
            raise CannotEvaluate(f"a $ is left when those of {self.text} are replaced")
        try:
            return read_braced("{" + text + "}").accepts(environment)
        except FormatError as error:
            raise EvaluationFails(f"{self.text} becomes {{{text}}}: {error}") from None

    def names(self) -> frozenset[str]:
        if self.template is None:
            return self.expression.names() if self.expression else frozenset()
        found = (self.expression or _filled(self.template)).names()
        return self.template.names() | {name for name in found if _SOMETHING not in name}


def _filled(template: Format) -> BeanShell:
    """The expression with a value in place of each ``$name$``; :exc:`FormatError` if it still cannot be
    parsed.
    """
    return BeanShell.read("{" + template.evaluate(_Something()) + "}")


def _is_readable(template: Format) -> bool:
    try:
        _filled(template)
    except FormatError:
        return False
    return True


class _Something:
    """An environment in which every property is some word."""

    keeps_leading_zeros = False

    def property(self, name: str) -> str | None:
        return _SOMETHING

    def function(self, name: str, arguments: tuple[str, ...]) -> str | int | bool:
        raise CannotEvaluate(name)


@lru_cache(maxsize=1024)
def read_braced(text: str) -> Expression:
    """Parse ``{…}``: a plain number or a plain text between the braces is a literal.

    Escapes in such a text are not interpreted. [script.expression.BeanShellExpression.createExpression]
    """
    inner = braced(text) or ""
    if not inner.strip(BLANKS):
        return Plain(text, "")
    number = java_int(inner)
    if number is not None:
        return Plain(text, str(number))
    if len(inner) > 1 and inner[0] == inner[-1] == '"' and inner.count('"') == 2:
        return Plain(text, inner[1:-1])
    return BeanShell.read(text)


def _variables(body: nodes.Node) -> tuple[frozenset[str], tuple[str, ...]]:
    """The names used as values, and those used as texts, as VASSAL's validator finds them."""
    variables: set[str] = set()
    texts: dict[str, None] = {}
    for node in nodes.every_node(body):
        if isinstance(node, nodes.Name) and "." not in node.text:
            variables.add(node.text)
        elif isinstance(node, nodes.Cast) and node.to not in nodes.PRIMITIVES:
            variables.add(node.to)
        elif isinstance(node, nodes.Call):
            first, *rest = node.name.split(".")
            if rest and rest[0] in TEXT_METHODS:
                texts[first] = None
    return frozenset(variables), tuple(texts)


def _named_by(call: nodes.Call) -> Iterator[str]:
    """The properties named in the arguments of a call, including those in filters."""
    literals = [
        node.worth if isinstance(node, nodes.Literal) and isinstance(node.worth, str) else ""
        for node in call.arguments
    ]
    asked = ASKED.get(call.name)
    if call.name in GETTERS and literals:
        yield from filter(None, literals[:1])
    if asked is None:
        return
    for index, literal in enumerate(literals):
        if braced(literal) is not None:
            try:
                yield from Condition.read(literal.replace('\\"', '"')).names()
            except FormatError:
                continue  # its $name$ may stand for what it lacks
        elif index == asked.property_at and literal:
            yield literal
