"""What all components share: how their attributes are declared, read from an element and written to one.

A component is a frozen class whose fields are the attributes of VASSAL's class, under their names in
snake_case; if VASSAL's spelling is not simply the camelCase of that, the field says so (``xml=``). Reading is
tolerant: an error for which VASSAL would drop a component is reported as a :class:`Problem`, and the
component is kept unchanged. Writing follows VASSAL, with every attribute in alphabetical order; but a
component that was read keeps its original form, and is written with the same attributes, order and spelling
as far as its values are unchanged.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar, Self, TypeVar

from attrs import field, frozen

from vassalgen.problems import FormatError, Problem
from vassalgen.vassal.components.attribute import Attribute, attributes_of
from vassalgen.vassal.components.element import Element


@frozen(kw_only=True, repr=False)
class Component:
    """Base of all components.

    ``children`` may be components or, if they have no class, elements; those of a component that was read are
    the elements of the file. ``content`` is the text inside the element, without surrounding blanks.
    ``written`` are the attributes as they were in the file, ``written_tag`` is the tag if it was an old name;
    equality ignores both. Subclasses say ``repr=False`` to be shown by :meth:`__repr__`.
    """

    JAVA: ClassVar[str] = ""
    """The name of VASSAL's class."""
    OLD: ClassVar[tuple[str, ...]] = ()
    """Names of the class in old versions."""
    NAMED_BY: ClassVar[str] = "name"
    """The field by which VASSAL's editor, and an extension's target, identify a component of this class."""
    IS_FOLDER: ClassVar[bool] = False
    """Whether its children count as children of the component around it."""

    def __init_subclass__(cls) -> None:
        """Register the class under its Java names. attrs makes each class twice; the second one is kept."""
        if "JAVA" in vars(cls):
            _CLASSES.update(dict.fromkeys((cls.JAVA, *cls.OLD), cls))

    content: str = ""
    children: tuple[Component | Element, ...] = field(default=(), repr=False)
    written: tuple[tuple[str, str], ...] | None = field(default=None, eq=False, repr=False)
    written_tag: str = field(default="", eq=False, repr=False)

    def __repr__(self) -> str:
        """The class and the fields that differ from the defaults."""
        shown = [
            f"{attribute.name}={getattr(self, attribute.name)!r}"
            for attribute in attributes_of(type(self)).values()
            if getattr(self, attribute.name) != attribute.default
        ]
        if self.content:
            shown.append(f"content={self.content!r}")
        if self.children:
            shown.append(f"{len(self.children)} children")
        return f"{type(self).__name__}({', '.join(shown)})"

    @property
    def label(self) -> str:
        """The name by which VASSAL's editor and the targets of extensions identify the component; often
        empty.
        """
        return str(getattr(self, self.NAMED_BY, ""))

    @classmethod
    def from_element(cls, element: Element, problems: list[Problem] | None = None) -> Self:
        """Read an element of this class. Invalid values become the default, and a problem."""
        values: dict[str, Any] = {}
        known = attributes_of(cls)
        for xml, text in element.attributes:
            attribute = known.get(xml)
            if attribute is None:
                continue
            values[attribute.name] = attribute.read(text)
            if problems is not None:
                wrong = attribute.fault(text)
                if wrong:
                    problems.append(Problem("", f'attribute "{xml}"', wrong, attribute.right))
        return cls(
            **values,
            content=element.text,
            children=element.children,
            written=element.attributes,
            written_tag="" if element.tag == cls.JAVA else element.tag,
        )

    def to_element(self) -> Element:
        """Write the component and everything below it. Raises :exc:`FormatError` for a value that cannot be
        written, or a word that VASSAL does not know.
        """
        return Element(
            self.written_tag or self.JAVA,
            self._attributes(),
            self.content,
            tuple(child.to_element() if isinstance(child, Component) else child for child in self.children),
        )

    def _attributes(self) -> tuple[tuple[str, str], ...]:
        missing = dict(attributes_of(type(self)))
        result = []
        for xml, text in self.written or ():
            attribute = missing.pop(xml, None)
            if attribute is None or attribute.read(text) == getattr(self, attribute.name):
                result.append((xml, text))
            elif not self.leaves_out(attribute):
                result.append((xml, self._text_of(attribute)))
        in_order = result == sorted(result)
        for attribute in missing.values():
            new = self.written is None or getattr(self, attribute.name) != attribute.default
            if new and not self.leaves_out(attribute):
                result.append((attribute.xml, self._text_of(attribute)))
        return tuple(sorted(result) if in_order else result)

    def leaves_out(self, attribute: Attribute) -> bool:
        """Whether VASSAL does not write the attribute, given the other values."""
        return attribute.optional and bool(getattr(self, attribute.name) == attribute.default)

    def _text_of(self, attribute: Attribute) -> str:
        value = getattr(self, attribute.name)
        try:
            text = str(attribute.codec.encode(value))
        except FormatError as error:
            raise error.within(f'{type(self).__name__}, attribute "{attribute.xml}"') from None
        if attribute.words and text not in attribute.words:
            wrong = f"{text!r} is none of the words VASSAL knows"
            raise FormatError(
                wrong, attribute.right, place=f'{type(self).__name__}, attribute "{attribute.xml}"'
            )
        return text

    def children_of(self, cls: type[C]) -> tuple[C, ...]:
        """The children of a class, read, in the order of the file; those in folders as well.

        [build.AbstractBuildable.getComponentsOf]
        """
        found: list[C] = []
        for child in self.children:
            read = child if isinstance(child, Component) else decode(child)
            if isinstance(read, cls):
                found.append(read)
            elif isinstance(read, Component) and read.IS_FOLDER:
                found += read.children_of(cls)
        return tuple(found)


C = TypeVar("C", bound=Component)
Node = Component | Element

_CLASSES: dict[str, type[Component]] = {}
"""The component classes by all their names in Java."""


_ENDINGS = (
    "Map", "GlobalMap", "WidgetMap", "PrivateMap", "BoardPicker", "Board", "HexGrid", "SquareGrid",
    "RegionGrid", "ZonedGrid", "PieceSlot", "CardSlot", "SetupStack", "DrawPile", "PrototypeDefinition",
    "StackMetrics", "HighlightLastMoved", "LayeredPieceCollection", "TurnTracker", "PredefinedSetup",
)  # fmt: skip
"""Class names of VASSAL that modules extend with classes of their own."""


def class_of(tag: str) -> type[Component] | None:
    """The component class of an element, or None if there is none. A module's own class is read as the VASSAL
    class whose name is at its end, such as ``Map`` for ``ASLMap``: this is how programmers usually name a
    class that extends another.
    """
    return _CLASSES.get(tag) or _similar_class(tag)


def is_own(component: Component) -> bool:
    """Whether a component belongs to a module's own class that was read as one of VASSAL's."""
    return bool(component.written_tag) and component.written_tag not in _CLASSES


@lru_cache(maxsize=4096)
def _similar_class(tag: str) -> type[Component] | None:
    name = tag.rpartition(".")[2]
    if tag.startswith("VASSAL.") or "." not in tag:
        return None
    ending = max((one for one in _ENDINGS if name.endswith(one)), key=len, default=None)
    found = (cls for java, cls in _CLASSES.items() if java.rpartition(".")[2] == ending)
    return next(found, None) if ending else None


def decode(element: Element, problems: list[Problem] | None = None) -> Node:
    """Read an element as a component; an element without a class is returned unchanged."""
    cls = class_of(element.tag)
    return element if cls is None else cls.from_element(element, problems)


def encode(node: Node) -> Element:
    """Write a component and everything below it; an element is returned unchanged."""
    return node.to_element() if isinstance(node, Component) else node
