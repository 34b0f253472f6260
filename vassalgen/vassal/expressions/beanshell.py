"""``{…}``: expressions in BeanShell, over the properties they name. [script.ExpressionInterpreter]"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from attrs import field, frozen

from vassalgen.problems import FormatError
from vassalgen.vassal.expressions import nodes, syntax
from vassalgen.vassal.expressions.base import Expression, Format, Plain
from vassalgen.vassal.expressions.environment import CannotEvaluate, Environment, EvaluationFails
from vassalgen.vassal.expressions.functions import ASKED, GETTERS
from vassalgen.vassal.expressions.tokens import place, requoted
from vassalgen.vassal.expressions.values import BLANKS, CONTROLS, characters, java_int, text_of, units

_TEXT_METHODS = """
    compareTo compareToIgnoreCase contains endsWith equals equalsIgnoreCase format hashCode indexOf isBlank
    isEmpty lastIndexOf length matches regionMatches repeat replace replaceAll replaceFirst startsWith strip
    stripLeading stripTrailing substring toLowerCase toUpperCase toString trim
"""
TEXT_METHODS = frozenset(_TEXT_METHODS.split())
"""The methods that VASSAL lets one call on a property's bare name. [bsh.BeanShellExpressionValidator]"""


@frozen
class BeanShell(Expression):
    """A BeanShell expression.

    ``variables`` are the names it uses as values, ``texts`` those on which it calls a method of texts.
    """

    body: nodes.Node = field(repr=False)
    variables: frozenset[str]
    texts: tuple[str, ...]
    is_filter: bool = False

    @classmethod
    def read(cls, text: str, *, is_filter: bool = False) -> BeanShell:
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
        try:
            body = syntax.read(" " * start + inner)
        except FormatError as error:
            problem = error.problem
            raise FormatError(problem.wrong, problem.right, place=problem.place or place(start)) from None
        return cls(text, body, *_variables(body), is_filter)

    def evaluate(self, environment: Environment, *, displayed: bool = False) -> str:
        texts: dict[str, str] = {}
        for name in self.texts:
            value = requoted(environment.property(nodes.property_name(name)) or "")
            if value is None:
                raise EvaluationFails(f"the backslash or line break in {name} trips VASSAL")
            texts[name] = units(value)
        return characters(text_of(self.body.value(nodes.Scope(environment, self.variables, texts))))

    def accepts(self, environment: Environment, source: Environment | None = None) -> bool:
        if source is None or "$" not in self.text:
            return self.evaluate(environment) == "true"
        return self._seen_from(source).accepts(environment)

    def _seen_from(self, source: Environment) -> Expression:
        """The expression with its ``$name$`` replaced. [script.expression.BeanShellExpression.getFilter]"""
        inner = braced(self.text) or ""
        text = Format.read(inner).evaluate(source)
        if "$" in text or braced(inner) is not None:
            raise CannotEvaluate(f"$ stands for something that holds a $ itself, in {self.text}")
        try:
            return read_braced("{" + text + "}")
        except FormatError as error:
            raise EvaluationFails(f"{self.text} becomes {{{text}}}: {error}") from None

    def names(self) -> frozenset[str]:
        found = {nodes.property_name(name) for name in self.texts}
        for node in nodes.every_node(self.body):
            if isinstance(node, nodes.Name) and "." not in node.text:
                found.add(nodes.property_name(node.text))
            elif isinstance(node, nodes.Call):
                found.update(_named_by(node))
        return frozenset(found) | (Format.read(self.text).names() if self.is_filter else frozenset())


def braced(text: str) -> str | None:
    """What stands between the braces around ``text``; None if there are none."""
    trimmed = text.strip(CONTROLS)
    return trimmed[1:-1] if trimmed.startswith("{") and trimmed.endswith("}") else None


@lru_cache(maxsize=1024)
def read_braced(text: str) -> Expression:
    """Read ``{…}``: a plain number or a plain text between the braces stands for itself.

    No escape counts in such a text. [script.expression.BeanShellExpression.createExpression]
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
    """The properties that a call names in its arguments, filters among them included."""
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
                yield from BeanShell.read(literal.replace('\\"', '"'), is_filter=True).names()
            except FormatError:
                continue  # its $name$ may stand for what it lacks
        elif index == asked.property_at and literal:
            yield literal
