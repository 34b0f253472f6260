"""The build file of a module or an extension: read, written, and searched.

Reading gives a tree of plain :class:`Element`, quickly and for any file; components are read from it where
they are needed (:func:`find_all`). A build file that is read and written again is identical to the byte,
whatever program wrote it. If it was changed in between, it is written as VASSAL writes it: without comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from attrs import evolve, frozen

from vassalgen.problems import FormatError, Problem
from vassalgen.vassal import scalars, sequences
from vassalgen.vassal.archives import BUILD_FILE, BUILD_FILE_OLD, Archive
from vassalgen.vassal.components import Component, Element, Node, class_of, decode, encode
from vassalgen.vassal.limits import USUAL
from vassalgen.vassal.xml import Count, parse_xml

if TYPE_CHECKING:
    from lxml import etree

C = TypeVar("C", bound=Component)

NAMES = (BUILD_FILE, BUILD_FILE_OLD)
"""The entries that may be the build file."""
DEPTH_LIMIT = 100
"""The maximum depth of elements; genuine modules stay below 20."""


def read(data: bytes, place: str = NAMES[0], count: Count = USUAL.count) -> Element:
    """Read a build file. Raises :exc:`FormatError` if it is damaged, too large or nested too deeply."""
    return evolve(_read_element(parse_xml(data, place, count), place, 1), written=data)


def read_from(archive: Archive) -> Element:
    """Read the build file of an open module or extension. Raises :exc:`FormatError` if there is none."""
    name = archive.build_file
    data = archive.read(name)
    try:
        return read(data, "", archive.count)
    except FormatError as error:
        raise archive.within(error, name) from None


def _read_element(node: etree._Element, place: str, depth: int) -> Element:
    if depth > DEPTH_LIMIT:
        wrong = f"elements are nested more than {DEPTH_LIMIT} deep"
        raise FormatError(wrong, place=f"line {node.sourceline}").within(place)
    text = node.text or ""
    children = []
    for child in node:
        if isinstance(child.tag, str):
            children.append(_read_element(child, place, depth + 1))
        text += child.tail or ""
    attributes = tuple((str(name), str(value)) for name, value in node.attrib.items())
    return Element(str(node.tag), attributes, scalars.java_trim(text), tuple(children))


def write(root: Node) -> bytes:
    """Write a build file as VASSAL does, or unchanged if it has not been changed since it was read. Raises
    :exc:`FormatError` for values that XML, or VASSAL, cannot represent. [build.Builder.writeDocument]
    """
    if isinstance(root, Element) and root.written and read(root.written, count=_any_number) == root:
        return root.written
    lines = ['<?xml version="1.0" encoding="UTF-8" standalone="no"?>']
    _write_element(encode(root), "", lines)
    return ("\n".join(lines) + "\n").encode()


def _any_number(_what: str, _count: int) -> None:
    """Allow any number of elements: their number was checked when they were read."""


def _write_element(element: Element, indent: str, lines: list[str]) -> None:
    name = _checked(element.tag, element, _NAME, "a name that XML allows")
    head = f"{indent}<{name}"
    for attribute, value in element.attributes:
        _checked(attribute, element, _NAME, "a name that XML allows")
        head += f' {attribute}="{_escaped(value, element, _IN_ATTRIBUTES)}"'
    text = _escaped(element.text, element, _IN_TEXT) if element.text else ""
    if not element.children:
        lines.append(f"{head}>{text}</{name}>" if text else f"{head}/>")
        return
    lines.append(f"{head}>")
    if text:
        lines.append(f"{indent}    {text}")
    for child in element.children:
        _write_element(child, indent + "    ", lines)
    lines.append(f"{indent}</{name}>")


_NAME = re.compile(r"[^\W\d][\w.-]*")
_ALLOWED = re.compile(r"[\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")
_IN_ATTRIBUTES = re.compile(r'[&<>"\t\n\r\U00010000-\U0010ffff]')
_IN_TEXT = re.compile("[&<>\r\x7f-\x9f\U00010000-\U0010ffff]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def _checked(text: str, element: Element, allowed: re.Pattern[str], right: str) -> str:
    if not allowed.fullmatch(text):
        raise FormatError(f"{text!r} is not allowed in XML", right, place=step_of(element))
    return text


def _escaped(text: str, element: Element, special: re.Pattern[str]) -> str:
    _checked(text, element, _ALLOWED, "a text without control characters")
    return special.sub(lambda match: _ENTITIES.get(match[0]) or f"&#{ord(match[0])};", text)


def step_of(element: Element) -> str:
    """The element as a step of a place: ``Board "Ridge"``, or ``BoardPicker`` if it has no name."""
    cls = class_of(element.tag)
    label = cls.from_element(element).label if cls is not None else element.get("name")
    kind = element.tag.rpartition(".")[2]
    return f'{kind} "{label}"' if label else kind


@frozen
class Found(Generic[C]):
    """A component and its place: the elements from just below the root down to its own."""

    component: C
    path: tuple[Element, ...]

    @property
    def place(self) -> str:
        """The path for messages: ``Map "Main Map" > BoardPicker > Board "Ridge"``."""
        return " > ".join(map(step_of, self.path))


def walk(root: Node) -> Iterator[tuple[Element, ...]]:
    """The path of every element below ``root``, in the order of the file."""
    yield from _walk(encode(root), ())


def _walk(element: Element, above: tuple[Element, ...]) -> Iterator[tuple[Element, ...]]:
    for child in element.children:
        path = (*above, child)
        yield path
        yield from _walk(child, path)


def find_all(root: Node, cls: type[C]) -> Iterator[Found[C]]:
    """Every component of a class below ``root``, in the order of the file. Subclasses count as well."""
    for path in walk(root):
        known = class_of(path[-1].tag)
        if known is not None and issubclass(known, cls):
            yield Found(known.from_element(path[-1]), path)


def find(root: Node, cls: type[C], label: str | None = None) -> Found[C] | None:
    """The first component of a class below ``root``, optionally with a given name."""
    for found in find_all(root, cls):
        if label is None or found.component.label == label:
            return found
    return None


def check(root: Node, file: str = NAMES[0]) -> list[Problem]:
    """All problems in the components of a build file, each with its place."""
    problems: list[Problem] = []
    for path in ((), *walk(root)):
        faults: list[Problem] = []
        decode(path[-1] if path else encode(root), faults)
        place = " > ".join(map(step_of, path)) if faults else ""
        problems += [
            Problem(file, ", ".join(filter(None, (place, one.place))), one.wrong, one.right) for one in faults
        ]
    return problems


def target_of(path: Sequence[Element]) -> str:
    """The path as the target of an extension's element. [tools.ComponentPathBuilder.getId]"""
    return sequences.encode([sequences.encode(_target_step(element), ":") for element in path], "/")


def _target_step(element: Element) -> list[str]:
    cls = class_of(element.tag)
    label = cls.from_element(element).label if cls is not None else ""
    return [element.tag, label] if label else [element.tag]


def follow(root: Node, target: str) -> tuple[Element, ...] | None:
    """The path that the target of an extension's element names, or None if the module has nothing there. An
    empty target is the module itself: an empty path. If no name matches, VASSAL takes a component of the same
    class. [tools.ComponentPathBuilder.getPath, addToPath]
    """
    return _follow(encode(root), sequences.decode(target, "/") if target else [])


def _follow(here: Element, steps: Sequence[str]) -> tuple[Element, ...] | None:
    if not steps:
        return ()
    wanted = sequences.decode(steps[0], ":")[:2]
    candidates = [child for child in here.children if child.tag == wanted[0]]
    exact = [child for child in candidates if _target_step(child) == wanted]
    for child in exact[:1] or candidates:
        rest = _follow(child, steps[1:])
        if rest is not None:
            return (child, *rest)
    return None
