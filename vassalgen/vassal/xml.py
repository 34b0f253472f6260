"""The only place where XML written by others is parsed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from vassalgen.problems import FormatError
from vassalgen.vassal.limits import USUAL

if TYPE_CHECKING:
    from lxml import etree

# lxml takes longer to import than the rest of the package, and many commands never need it; therefore it is
# imported inside the functions.

Count = Callable[[str, int], None]
"""Raises :exc:`FormatError` if there are too many of something."""

_CHUNK = 4096
_FEW = 1000
"""Up to this many attributes need no closer inspection."""
_ENCODING = re.compile(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([^\"']*)")
_READABLE = re.compile(
    rb"(?i:utf-?8|utf-?16(?:[bl]e)?|us-ascii|ascii|iso-8859-\d+|latin-?1|windows-125\d|cp125\d)"
)
_ENCODED = "not well-formed XML: in an encoding that VASSAL does not write"
_EBCDIC = b"\x4c\x6f\xa7\x94"
_ATTRIBUTE = re.compile(rb"=\s*[\"']")
_DOCTYPE = re.compile(rb"(?:\xef\xbb\xbf)?(?>\s+|<\?.*?\?>|<!--.*?-->)*+(<!DOCTYPE)", re.DOTALL)
"""A DOCTYPE where one is allowed: before the root element, after comments and the like."""


def parse_xml(data: bytes, place: str = "", count: Count = USUAL.count) -> etree._Element:
    """Parse a whole document and return its root element.

    Entities are not resolved, nothing is loaded from disk or network, and a document with a DOCTYPE is
    rejected unread: VASSAL's files never have one, and nearly every known attack on XML parsers needs one. A
    document with more elements and attributes than ``count`` allows is rejected too, before any are made.
    Comments and blanks are kept.

    Raises :exc:`FormatError` with ``place`` and the line for anything that is not well-formed.
    """
    from lxml import etree  # noqa: PLC0415 - see above

    doctype = _DOCTYPE.match(data)
    if doctype:
        raise _doctype_refused(place, data.count(b"\n", 0, doctype.start(1)) + 1)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, collect_ids=False
    )
    try:
        _count(data, count)
        root = etree.fromstring(data, parser)
    except FormatError as error:
        raise error.within(place) from None
    except etree.XMLSyntaxError as error:
        raise _not_well_formed(error, place) from None
    doctype_in_utf_16 = root.getroottree().docinfo.internalDTD is not None  # which the look ahead cannot read
    if doctype_in_utf_16:
        raise _doctype_refused(place, 1)
    return root


def _count(data: bytes, count: Count) -> None:
    """Count the elements and attributes of a document before it is parsed. Every element begins with ``<``,
    which cannot occur in an attribute. In an encoding of two or four bytes per character, the other bytes are
    zero.
    """
    encoding = _ENCODING.match(data.replace(b"\0", b""))
    if encoding and not _READABLE.fullmatch(encoding[1]):
        raise FormatError(_ENCODED, "UTF-8", place="line 1")
    if data.startswith(_EBCDIC):
        raise FormatError(_ENCODED, "UTF-8", place="line 1")
    tags = data.count(b"<") - data.count(b"</")
    count("elements", tags)
    if data.count(b"=") < _FEW:
        return
    data = data.replace(b"\0", b"")
    pieces = data.split(b"<") if tags > 1 else [data]
    counts = [len(_ATTRIBUTE.findall(piece)) for piece in pieces if piece.count(b"=") > 1]
    count("attributes", sum(counts))
    count("per_element", max(counts, default=0))


def root_element(data: bytes, place: str = "") -> tuple[str, dict[str, str]]:
    """Tag and attributes of the root element, without reading its content. For SVG drawings, which are not
    VASSAL's own files and often have a DOCTYPE: it is allowed here, but nothing that it refers to is loaded.
    ``data`` may be the beginning of a document, if the root's tag is in it.

    Raises :exc:`FormatError` if there is no well-formed root tag.
    """
    from lxml import etree  # noqa: PLC0415 - see above

    parser = etree.XMLPullParser(
        ("start",), resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        for start in range(0, len(data), _CHUNK):
            parser.feed(data[start : start + _CHUNK])
            for _, root in parser.read_events():
                if isinstance(root, etree._Element):
                    return str(root.tag), {str(name): str(value) for name, value in root.attrib.items()}
    except etree.XMLSyntaxError as error:
        raise _not_well_formed(error, place) from None
    raise FormatError("not well-formed XML: the root element is not whole", place=place)


def _doctype_refused(place: str, line: int) -> FormatError:
    right = "delete it; VASSAL writes none"
    return FormatError("a DOCTYPE is not allowed", right, place=f"line {line}").within(place)


def _not_well_formed(error: etree.XMLSyntaxError, place: str) -> FormatError:
    """What libxml2 says, its own line and column cut off because the line is reported once."""
    reason = re.sub(r",? line \d+, column \d+.*", "", error.msg or "", flags=re.DOTALL)
    wrong = f"not well-formed XML: {reason or 'it ends too early'}"
    return FormatError(" ".join(wrong.split()), place=f"line {error.lineno or 1}").within(place)
