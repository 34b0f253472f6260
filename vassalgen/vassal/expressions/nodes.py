"""The nodes of a BeanShell expression, and how each is evaluated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from attrs import frozen

from vassalgen.vassal.expressions import functions, methods, operators
from vassalgen.vassal.expressions.base import property_name
from vassalgen.vassal.expressions.environment import CannotEvaluate, Environment, EvaluationFails
from vassalgen.vassal.expressions.values import Kind, Scalar, Value, bound, boxed, narrow, text_of

_OWN_NAMES = ("this", "super", "global")
"""Names reserved by BeanShell."""


@frozen
class Scope:
    """The names of an expression, and the source of their values.

    ``texts`` are the properties on which a string method is called: they are texts everywhere in the
    expression, even if they are numbers.
    """

    environment: Environment
    names: frozenset[str]
    texts: Mapping[str, str]

    def knows(self, name: str) -> bool:
        """Whether ``name`` is a variable here."""
        return name in self.texts or name in self.names

    def variable(self, name: str) -> Value:
        """The value of a variable."""
        if name in self.texts:
            return self.texts[name]
        value = self.environment.property(property_name(name)) or ""
        return bound(value, keeps_leading_zeros=self.environment.keeps_leading_zeros)


class Node(Protocol):
    """One node."""

    @property
    def parts(self) -> tuple[Node, ...]:
        """Its child nodes."""

    def value(self, scope: Scope) -> Value:
        """Its value; :exc:`CannotEvaluate` if that cannot be known."""


def every_node(node: Node) -> Iterator[Node]:
    """The node and everything inside it, in the order of the text."""
    open_nodes = [node]
    while open_nodes:
        node = open_nodes.pop()
        yield node
        open_nodes += reversed(node.parts)


@frozen
class Literal:
    """A number, a text, ``true``, ``null``."""

    worth: Value
    parts: tuple[Node, ...] = ()

    def value(self, scope: Scope) -> Value:
        return self.worth


@frozen
class Name:
    """A property by its name, or with dots a constant of a class: ``Math.PI``."""

    text: str
    parts: tuple[Node, ...] = ()

    def value(self, scope: Scope) -> Value:
        if self.text in _OWN_NAMES:
            raise CannotEvaluate(f"{self.text} is BeanShell's own")
        first, dot, _ = self.text.partition(".")
        if not dot:
            return scope.variable(self.text)
        if scope.knows(first) or self.text not in methods.CONSTANTS:
            raise CannotEvaluate(f"{self.text} is not known here")
        return methods.CONSTANTS[self.text]


@frozen
class Unary:
    """``-x``, ``!x``; if there are several, the last operator is next to the operand."""

    operators: tuple[str, ...]
    operand: Node

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.operand,)

    def value(self, scope: Scope) -> Value:
        value = self.operand.value(scope)
        for operator in reversed(self.operators):
            value = operators.unary(operator, value)
        return value


@frozen
class Chain:
    """``a + b - c``: operators of the same rank, from left to right."""

    first: Node
    rest: tuple[tuple[str, Node], ...]

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.first, *(node for _, node in self.rest))

    def value(self, scope: Scope) -> Value:
        value = self.first.value(scope)
        for operator, node in self.rest:
            decided = operators.decided(operator, value)
            value = operators.binary(operator, value, node.value(scope)) if decided is None else decided
        return value


@frozen
class Choice:
    """``a ? b : c ? d : e``: the first case whose condition is true, or else the last value."""

    cases: tuple[tuple[Node, Node], ...]
    default: Node

    @property
    def parts(self) -> tuple[Node, ...]:
        return (*(node for case in self.cases for node in case), self.default)

    def value(self, scope: Scope) -> Value:
        for condition, value in self.cases:
            holds = condition.value(scope)
            if not isinstance(holds, Scalar) or holds.kind is not Kind.BOOLEAN:
                raise EvaluationFails("the condition before a ? is neither true nor false")
            if holds.value:
                return value.value(scope)
        return self.default.value(scope)


PRIMITIVES = {kind.name.lower(): kind for kind in Kind}
_OBJECTS = {"Integer": Kind.INT, "Long": Kind.LONG, "Double": Kind.DOUBLE, "Float": Kind.FLOAT}


@frozen
class Cast:
    """``(int) x``."""

    to: str
    operand: Node

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.operand,)

    def value(self, scope: Scope) -> Value:
        value = self.operand.value(scope)
        if self.to == "Object":
            return boxed(value)
        if self.to == "String":
            if isinstance(value, Scalar):
                raise EvaluationFails(f"{text_of(value)} is not a text, and cannot be cast to one")
            return value
        kind = PRIMITIVES.get(self.to, _OBJECTS.get(self.to))
        if kind is None:
            raise CannotEvaluate(f"a cast to {self.to}")
        if value is None and self.to in _OBJECTS:
            return None
        if not isinstance(value, Scalar) or value.is_number is (kind is Kind.BOOLEAN):
            raise EvaluationFails(f"{value!r} cannot be cast to {self.to}")
        cast = value if kind is Kind.BOOLEAN else narrow(value.value, kind)
        return boxed(cast) if self.to in _OBJECTS else cast


@frozen
class Call:
    """``Random(6)``, ``Math.max(a, b)``, ``Name.contains("x")``."""

    name: str
    arguments: tuple[Node, ...]

    @property
    def parts(self) -> tuple[Node, ...]:
        return self.arguments

    def value(self, scope: Scope) -> Value:
        values = tuple(argument.value(scope) for argument in self.arguments)
        owner, dot, method = self.name.rpartition(".")
        if not dot:
            return functions.call_function(method, values, scope.environment)
        if scope.knows(owner):
            return methods.call_method(scope.variable(owner), method, values)
        if owner in methods.STATIC_METHODS:
            return methods.call_static(owner, method, values)
        if "." not in owner and owner[0].islower():  # no class is called so
            raise EvaluationFails(f"{method}() cannot be called on a property: use GetString({owner!r})")
        raise CannotEvaluate(f"{self.name}() is not known here")


@frozen
class Methods:
    """``(…).method(…).method(…)``."""

    target: Node
    calls: tuple[tuple[str, tuple[Node, ...]], ...]

    @property
    def parts(self) -> tuple[Node, ...]:
        return (self.target, *(node for _, arguments in self.calls for node in arguments))

    def value(self, scope: Scope) -> Value:
        value = self.target.value(scope)
        for name, arguments in self.calls:
            value = methods.call_method(value, name, tuple(one.value(scope) for one in arguments))
        return value


@frozen
class Foreign:
    """Java that VASSAL accepts but that is not evaluated here: ``new``, ``[0]``, ``++``."""

    what: str
    parts: tuple[Node, ...]

    def value(self, scope: Scope) -> Value:
        raise CannotEvaluate(f"{self.what} is not evaluated here")
