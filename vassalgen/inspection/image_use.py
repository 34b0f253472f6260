"""Which images a module uses, which are missing, and which nothing seems to use.

An image is *named* if a component or trait has a field for it; such images must exist. It is *mentioned* if
its name is in any other text: reports, labels and HTML charts, values of properties, custom classes. An image
that is neither named nor mentioned is unused, unless its name is composed during play, as in
``$Side$_flag.png`` or ``{Side + "_flag.png"}``. VASSAL's own search looks in fewer places.
[search.ImageSearchTarget, configure.RemoveUnusedImagesDialog]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from vassalgen.inspection.facts import FindingKind, ImageFacts
from vassalgen.inspection.findings import Gathering
from vassalgen.inspection.pictures import Pictures, name_of
from vassalgen.vassal.archives import Archive
from vassalgen.vassal.components import (
    AboutScreen,
    Chart,
    Component,
    GamePieceImage,
    Map,
    MapShader,
    SelectionHighlighter,
)
from vassalgen.vassal.components.attribute import attributes_of
from vassalgen.vassal.traits.base import Trait
from vassalgen.vassal.traits.basic_piece import BasicPiece
from vassalgen.vassal.traits.embellishment import Embellishment
from vassalgen.vassal.traits.movement_markable import MovementMarkable
from vassalgen.vassal.traits.non_rectangular import NonRectangular
from vassalgen.vassal.traits.obscurable import Obscurable

TEXT_SUFFIXES = (".html", ".htm", ".css", ".js", ".xml", ".svg", ".properties", ".class")
"""Entries that may mention images, besides the build file and the set-ups."""

_SUFFIX = re.compile(r"\.(?:png|gif|jpe?g|bmp|svg)", re.IGNORECASE)
_IMAGE_FIELD = re.compile(r"(?:.*_)?(?:icon|image)(?:_name)?")
_IMG = re.compile(r"""<img\b[^<>]{0,500}?\bsrc\s*=\s*\\*["']?([^"'<>\s\\]{1,200})""", re.IGNORECASE)
_PLAIN = re.compile(r"[\w.() -]+\.(?:png|gif|jpe?g|bmp|svg)", re.IGNORECASE)
_LONGEST = 200
"""Names longer than this are not searched for in texts."""
_MOST_TEXTS = 300_000
"""The number of different texts that end like an image; beyond it no unused images are reported."""
_MOST_MADE = 500
"""The number of different patterns of composed names; beyond it no unused images are reported either."""
_BREAK = re.compile(r'[;,"|>\t\n\x1b]')
"""Characters that end a text in which names are searched; names that contain one are not found in texts."""
_BEFORE_NAME = re.compile(r"""['=/\\<({}:\s]""")
_PROPERTY = re.compile(r"\$[^$]*\$")
_SUM = re.compile(r'(?:"([^"\n]{0,100})"\s*\+\s*)?[\w$.() ]{1,100}\+\s*$')
"""The part of an expression before the text that it joins to a name: ``"flag_" + Side +``."""


def images_in_component(component: Component) -> Iterator[tuple[str, bool]]:
    """The images that a component names, each with whether it is displayed as things are."""
    for attribute in attributes_of(type(component)).values():
        if _IMAGE_FIELD.fullmatch(attribute.name) and isinstance(getattr(component, attribute.name), str):
            yield getattr(component, attribute.name), _shows(component, attribute.name)
    match component:
        case Chart() | AboutScreen():
            yield component.file_name, True
        case GamePieceImage():
            yield component.name, False


def _shows(component: Component, name: str) -> bool:
    match component:
        case Map():
            return component.launch if name == "icon" else component.mark_moved != "Never"
        case SelectionHighlighter():
            return component.use_image
        case MapShader():
            return name != "image" or component.pattern == "Custom Image"
    return True


def images_in_trait(trait: Trait) -> Iterator[tuple[str, bool]]:
    """The images that a trait names, each with whether it is displayed; outlines are only derived from
    theirs.
    """
    match trait:
        case BasicPiece():
            yield trait.image, True
        case Embellishment():
            yield from ((image, True) for image in trait.images)
        case Obscurable():
            yield trait.image, True
            yield trait.style.image, True
        case MovementMarkable():
            yield trait.icon, True
        case NonRectangular():
            yield trait.image, False


class Placed(Protocol):
    """A thing that can report its place, which takes time and is done only for findings."""

    @property
    def place(self) -> str:
        """The place, for messages."""


class ImageUse:
    """Collects what is named and mentioned; :meth:`facts` then draws the conclusions.

    ``whole`` is false for an extension, whose module may have the images that it lacks.
    """

    def __init__(self, archive: Archive, pictures: Pictures, findings: Gathering, *, whole: bool) -> None:
        self._archive = archive
        self._pictures = pictures
        self._findings = findings
        self._whole = whole
        self._files = {name.rpartition("/")[2] for name in archive.names}
        self._lengths = sorted({len(name) for name in pictures.entries if len(name) <= _LONGEST})
        self._used: set[str] = set()
        self._missing: dict[str, None] = {}
        self._looked_at: set[str] = set()
        self._made: set[tuple[str, ...]] = set()

    def name(self, names: Iterable[tuple[str, bool]], where: Placed) -> None:
        """Record the images that the thing at a place names."""
        for name, shown in names:
            if not name or name.isspace():
                continue
            found = self._pictures.find(name)
            if found is not None:
                self._used.add(found)
            elif "$" in name or name.startswith("{"):
                self.mention(name)
            elif shown:
                self._miss(name, where.place)

    def html(self, text: str, where: Placed) -> None:
        """Record a text that may be HTML: the images that it shows must exist."""
        self.mention(text)
        if "<img" not in text and "<IMG" not in text:
            return
        for source in _IMG.findall(text):
            name = source.rpartition("/")[2]
            plain = _PLAIN.fullmatch(name) and "://" not in source and "$" not in source
            if plain and name not in self._files and self._pictures.find(name) is None:
                self._miss(name, where.place)

    def mention(self, text: str) -> None:
        """Record the images that a text mentions, and the names that it may compose during play."""
        for match in _SUFFIX.finditer(text):
            if len(self._looked_at) > _MOST_TEXTS:
                return
            end = match.end()
            start = max(0, end - _LONGEST)
            words = _BREAK.split(text[start:end])[-1]
            start = end - len(words)
            before = text[max(0, start - 2 * _LONGEST) : start - 1] if text[start - 1 : start] == '"' else ""
            summed = _SUM.search(before) if before.rstrip().endswith("+") else None
            if summed is None and words in self._looked_at:
                continue
            self._looked_at.add(words)
            if summed is not None:
                self._make(_name_in(summed[1] or ""), _name_in(words))
            elif "$" in words:
                self._make(*_PROPERTY.split(_name_in(words)))
            else:
                self._mentioned(words)

    def _mentioned(self, words: str) -> None:
        for length in self._lengths:
            name = words[-length:]
            if len(name) == length and name in self._pictures.entries:
                before = words[-length - 1 : -length]
                if not (before.isalnum() or before == "_"):
                    self._used.add(name)

    def _make(self, *parts: str) -> None:
        """Record a name with gaps between its parts."""
        if len(self._made) <= _MOST_MADE:
            self._made.add(parts)

    def _miss(self, name: str, place: str) -> None:
        self._missing[name] = None
        nearly = self._pictures.nearly(name)
        right = f"there is {nearly}, and capital letters count" if nearly else ""
        if self._whole:
            self._findings.add(FindingKind.MISSING_IMAGE, name, place, right=right)
        else:
            right = right or "its module should have it"
            self._findings.add(FindingKind.OUTSIDE, f"image {name}", place, right=right, serious=False)

    def facts(self) -> ImageFacts:
        """The result; unused images become findings."""
        entries = self._pictures.entries
        unused: list[str] = []
        perhaps: list[str] = []
        for name in sorted(set(entries) - self._used):
            made = self._maker(name)
            (unused if made is None else perhaps).append(name)
            if made is None:
                self._findings.add(FindingKind.UNUSED_IMAGE, name, serious=False)
            else:
                self._findings.add(FindingKind.PERHAPS_UNUSED_IMAGE, name, right=made, serious=False)
        images = [entry for entry in self._archive.names if name_of(entry)]
        return ImageFacts(
            count=len(images),
            bytes=sum(map(self._archive.size, images)),
            unused=tuple(unused),
            perhaps_unused=tuple(perhaps),
            missing=tuple(sorted(self._missing)) if self._whole else (),
        )

    def _maker(self, name: str) -> str | None:
        """Why an image that is never named may be used nevertheless; None if there is no reason."""
        if len(self._looked_at) > _MOST_TEXTS or len(self._made) > _MOST_MADE:
            return "the module has too many texts to look for it in"
        if _BREAK.search(name) or len(name) > _LONGEST:
            return "such a name is not looked for in texts"
        for parts in sorted(self._made):
            if _fits(name, parts):
                return f"names such as {'…'.join(parts)} are made up in play"
        return None


def _fits(name: str, parts: tuple[str, ...]) -> bool:
    """Whether a name consists of these parts, in order, with anything in between."""
    if not (name.startswith(parts[0]) and name.endswith(parts[-1])):
        return False
    here, end = len(parts[0]), len(name) - len(parts[-1])
    for part in parts[1:-1]:
        here = name.find(part, here, max(here, end))
        if here < 0:
            return False
        here += len(part)
    return here <= end


def _name_in(words: str) -> str:
    """The part of a text that may be a name, or the beginning of one."""
    return _BEFORE_NAME.split(words)[-1]
