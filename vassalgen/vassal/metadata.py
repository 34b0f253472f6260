"""``moduledata``, ``savedata`` and ``extensiondata``: the metadata of an archive.

VASSAL reads these small XML files to list modules and saves without opening them.
[build.module.metadata.AbstractMetaData, ModuleMetaData, SaveMetaData, ExtensionMetaData]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Self

from attrs import frozen

from vassalgen.problems import FormatError
from vassalgen.vassal.archives import EXTENSION_DATA, MODULE_DATA, SAVE_DATA
from vassalgen.vassal.xml import parse_xml

if TYPE_CHECKING:
    from lxml import etree

_ROOT = "data"
_LANGUAGE = "lang"
_HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
_BLANKS = " \t\r\n"
_TRANSLATIONS_MENDED = (3, 6, 11)
_RELEASE = re.compile(r"(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?", re.ASCII)
_MILLISECONDS = re.compile(r"0|-?[1-9]\d{0,17}", re.ASCII)
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_ATTRIBUTE_ESCAPES = {**_ESCAPES, **str.maketrans({'"': "&quot;", "\n": "&#10;", "\t": "&#9;"})}


@frozen
class Translation:
    """A name or description in another language, named by its code, such as ``de``."""

    language: str | None
    text: str


@frozen(kw_only=True)
class Metadata:
    """The fields that the three kinds have in common. ``None`` means that a file does not mention it.

    ``version`` is the module's or the extension's, ``vassal_version`` the VASSAL release that wrote the file,
    ``date_saved`` milliseconds since 1970, ``extra1`` and ``extra2`` free text of the module's author.
    ``unknown`` contains elements of other kinds as XML. Texts have no blanks at their ends, as in VASSAL.
    Releases before 3.6.11 swap language and text of a translation: files with such a ``vassal_version`` are
    read and written that way.
    """

    ENTRY: ClassVar[str]

    version: str | None = None
    extra1: str | None = None
    extra2: str | None = None
    vassal_version: str | None = None
    date_saved: int | None = None
    description: str | None = None
    description_translations: tuple[Translation, ...] = ()
    unknown: tuple[str, ...] = ()

    @classmethod
    def from_xml(cls, data: bytes) -> Self:
        """Read one of these files.

        Elements may be missing, unknown or in any order; :exc:`FormatError` if it is a different kind of
        file.
        """
        root = parse_xml(data, cls.ENTRY)
        if root.tag != _ROOT:
            raise FormatError(f"the root element is {root.tag}", _ROOT, place=cls.ENTRY)
        elements = _Elements(root)
        found = cls._found(elements)
        return cls(**found, unknown=elements.rest())

    @classmethod
    def _found(cls, elements: _Elements) -> dict[str, Any]:
        """The fields of a file; each element is removed from ``elements``."""
        description, translations = elements.translated("description")
        date_saved = elements.text("dateSaved", _MILLISECONDS)
        return {
            "version": elements.text("version"),
            "extra1": elements.text("extra1"),
            "extra2": elements.text("extra2"),
            "vassal_version": elements.text("VassalVersion"),
            "date_saved": None if date_saved is None else int(date_saved),
            "description": description,
            "description_translations": translations,
        }

    def to_xml(self) -> bytes:
        """Write the file in VASSAL's order and layout.

        Raises :exc:`FormatError` for characters that are invalid in XML, and for translations of missing
        texts.
        """
        lines = "".join(f"  {line}\n" for line in (*self._lines(), *self.unknown))
        text = f'{_HEADER}<{_ROOT} version="1">\n{lines}</{_ROOT}>\n'
        bad = _NOT_XML.search(text)
        if bad:
            raise FormatError(f"U+{ord(bad[0]):04X} is not allowed in XML", place=self.ENTRY)
        data = text.encode()
        if self.unknown:
            parse_xml(data, self.ENTRY)
        return data

    def _lines(self) -> Iterator[str]:
        yield from _line("version", self.version)
        yield from _line("extra1", self.extra1)
        yield from _line("extra2", self.extra2)
        yield from _line("VassalVersion", self.vassal_version)
        yield from _line("dateSaved", None if self.date_saved is None else str(self.date_saved))
        yield from self._translated("description", self.description, self.description_translations)

    def _translated(self, tag: str, text: str | None, translations: tuple[Translation, ...]) -> Iterator[str]:
        if text is None and translations:  # VASSAL would take the first of them for the text
            raise FormatError(f"{tag} has translations but no text of its own", place=self.ENTRY)
        yield from _line(tag, text)
        swapped = _writes_swapped(self.vassal_version)
        for translation in translations:
            language, words = translation.language, translation.text
            if swapped and language is not None:
                language, words = words, language
            yield from _line(tag, words, language)


@frozen(kw_only=True)
class ModuleData(Metadata):
    """``moduledata``: in a module its own metadata, in saves and extensions a copy of their module's."""

    ENTRY: ClassVar[str] = MODULE_DATA

    name: str | None = None
    name_translations: tuple[Translation, ...] = ()

    @classmethod
    def _found(cls, elements: _Elements) -> dict[str, Any]:
        name, translations = elements.translated("name")
        return {**super()._found(elements), "name": name, "name_translations": translations}

    def _lines(self) -> Iterator[str]:
        yield from super()._lines()
        yield from self._translated("name", self.name, self.name_translations)


@frozen(kw_only=True)
class SaveData(Metadata):
    """``savedata``: ``version`` is that of the save's module, ``description`` the player's comment."""

    ENTRY: ClassVar[str] = SAVE_DATA


@frozen(kw_only=True)
class ExtensionData(Metadata):
    """``extensiondata``: ``universal`` says whether the extension works with any module."""

    ENTRY: ClassVar[str] = EXTENSION_DATA

    universal: bool | None = None

    @classmethod
    def _found(cls, elements: _Elements) -> dict[str, Any]:
        universal = elements.text("universal")
        return {**super()._found(elements), "universal": None if universal is None else universal == "true"}

    def _lines(self) -> Iterator[str]:
        yield from super()._lines()
        yield from _line("universal", None if self.universal is None else str(self.universal).lower())


def release(version: str | None) -> tuple[int, int, int] | None:
    """The numbers at the beginning of a VASSAL release such as ``3.7.0-SNAPSHOT-0bc99d82f``,
    for comparisons.
    """
    match = _RELEASE.match(version or "")
    return (int(match[1]), int(match[2]), int(match[3] or 0)) if match else None


def _writes_swapped(vassal_version: str | None) -> bool:
    numbers = release(vassal_version)
    return numbers is not None and numbers < _TRANSLATIONS_MENDED


class _Elements:
    """The elements of a file, removed one kind after another until only unknown ones are left."""

    def __init__(self, root: etree._Element) -> None:
        self._left = [child for child in root if isinstance(child.tag, str)]  # comments have no such tag
        releases = [_text(child) for child in self._left if child.tag == "VassalVersion"]
        self._swapped = _writes_swapped(releases[-1] if releases else None)

    def text(self, tag: str, pattern: re.Pattern[str] | None = None) -> str | None:
        """The text of the last element of this kind, as in VASSAL; elements that do not match ``pattern``
        stay.
        """
        texts = [_text(element) for element in self._take(tag, pattern)]
        return texts[-1] if texts else None

    def translated(self, tag: str) -> tuple[str | None, tuple[Translation, ...]]:
        """The text of the first element of this kind, and its translations: the others."""
        elements = self._take(tag)
        text = _text(elements[0]) if elements else None
        return text, tuple(self._translation(element) for element in elements[1:])

    def rest(self) -> tuple[str, ...]:
        """The remaining elements, as XML."""
        from lxml import etree  # noqa: PLC0415 - loaded by now, but not with this module

        return tuple(etree.tostring(element, encoding="unicode", with_tail=False) for element in self._left)

    def _take(self, tag: str, pattern: re.Pattern[str] | None = None) -> list[etree._Element]:
        taken: list[etree._Element] = []
        left: list[etree._Element] = []
        for element in self._left:
            fits = element.tag == tag and (pattern is None or pattern.fullmatch(_text(element)))
            (taken if fits else left).append(element)
        self._left = left
        return taken

    def _translation(self, element: etree._Element) -> Translation:
        language = element.get(_LANGUAGE)
        if language is None or not self._swapped:
            return Translation(language, _text(element))
        return Translation(language=_text(element), text=language)


def _text(element: etree._Element) -> str:
    """The text of an element, without comments inside it."""
    return "".join((element.text or "", *(child.tail or "" for child in element))).strip(_BLANKS)


def _line(tag: str, text: str | None, language: str | None = None) -> Iterator[str]:
    if text is None:
        return
    attribute = "" if language is None else f' {_LANGUAGE}="{language.translate(_ATTRIBUTE_ESCAPES)}"'
    yield f"<{tag}{attribute}>{text.translate(_ESCAPES)}</{tag}>" if text else f"<{tag}{attribute}/>"
