"""Random elements and components of build files."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from vassalgen.vassal import components, scalars
from vassalgen.vassal.components import Component, Element
from vassalgen.vassal.components.attribute import ANY_CASE_BOOLEAN, Attribute, attributes_of
from vassalgen.vassal.scalars import Key

INT32 = st.integers(-(2**31), 2**31 - 1)
DOUBLES = st.floats(allow_nan=False)

TEXTS = st.text(
    st.one_of(
        st.sampled_from("abc XYZ09/;,:|$'\"&<>\\\t\n\r\x7f\x85\u2028é😀"),
        st.characters(
            exclude_categories=["Cs"], exclude_characters="".join(map(chr, range(32))) + "\ufffe\uffff"
        ),
    ),
    max_size=12,
)
"""Anything that XML can hold."""

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.]{0,8}", fullmatch=True)


def trimmed(text: str) -> str:
    """The text without the blanks around it that VASSAL does not see."""
    return scalars.java_trim(text)


ELEMENTS: st.SearchStrategy[Element] = st.recursive(
    st.builds(
        Element,
        NAMES,
        st.dictionaries(NAMES, TEXTS, max_size=4).map(lambda attributes: tuple(attributes.items())),
        TEXTS.map(trimmed),
    ),
    lambda inner: st.builds(
        Element,
        NAMES,
        st.just(()),
        TEXTS.map(trimmed),
        st.lists(inner, max_size=4).map(tuple),
    ),
    max_leaves=8,
)

CLASSES: list[type[Component]] = [
    cls
    for cls in (getattr(components, name) for name in components.__all__)
    if isinstance(cls, type) and issubclass(cls, Component) and cls.JAVA
]
"""Every component class that corresponds to one of VASSAL's."""

_KEYS = st.one_of(
    st.builds(Key, st.integers(1, 200), st.sampled_from([0, 65, 130, 195])),
    st.from_regex(r"[A-Za-z ]{1,8}", fullmatch=True).map(Key.named),
)
_COLOURS = st.tuples(*[st.integers(0, 255)] * 3)
_VALUES: dict[int, st.SearchStrategy[Any]] = {
    id(scalars.TEXT): TEXTS,
    id(scalars.INTEGER): INT32,
    id(scalars.DOUBLE): DOUBLES,
    id(scalars.BOOLEAN): st.booleans(),
    id(ANY_CASE_BOOLEAN): st.booleans(),
    id(scalars.KEY): st.none() | _KEYS,
    id(scalars.KEYS): st.lists(_KEYS, max_size=3).map(tuple),
    id(scalars.COLOUR): st.none() | _COLOURS,
    id(scalars.TEXTS): st.lists(
        st.text("abc,'\\ é", max_size=5).filter(lambda text: not text.endswith("\\")), max_size=4
    )
    .map(tuple)
    .filter(lambda texts: texts != ("",)),  # VASSAL writes a list of one empty text as an empty list
    id(scalars.POLYGON): st.lists(st.tuples(INT32, INT32), max_size=5).map(tuple),
}


def values(attribute: Attribute) -> st.SearchStrategy[Any]:
    """The values an attribute can have."""
    return st.sampled_from(attribute.words) if attribute.words else _VALUES[id(attribute.codec)]


@st.composite
def any_component(draw: st.DrawFn) -> Component:
    """A component of any class with any values, without children."""
    cls = draw(st.sampled_from(CLASSES))
    chosen = {
        attribute.name: draw(values(attribute))
        for attribute in attributes_of(cls).values()
        if draw(st.booleans())
    }
    return cls(**chosen, content=trimmed(draw(TEXTS)))
