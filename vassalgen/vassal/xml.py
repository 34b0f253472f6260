"""The one door through which XML of other people comes in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vassalgen.problems import FormatError

if TYPE_CHECKING:
    from lxml import etree

# lxml costs more to import than all the rest of the package, and many commands never need it: hence the
# imports inside the functions.

_CHUNK = 4096
_DOCTYPE = re.compile(rb"(?:\xef\xbb\xbf)?(?>\s+|<\?.*?\?>|<!--.*?-->)*+(<!DOCTYPE)", re.DOTALL)
"""A DOCTYPE in the only place where one may stand: before the root element, after comments and the like."""


def parse_xml(data: bytes, place: str = "") -> etree._Element:
    """Parse a whole document and return its root element.

    Entities are not resolved, nothing is loaded from disk or network, and a document with a DOCTYPE is
    refused unread: no file of VASSAL has one, and every known attack on XML readers needs one. Comments and
    blanks are kept.

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
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise _not_well_formed(error, place) from None
    doctype_in_utf_16 = root.getroottree().docinfo.internalDTD is not None  # which the look ahead cannot read
    if doctype_in_utf_16:
        raise _doctype_refused(place, 1)
    return root


def root_element(data: bytes, place: str = "") -> tuple[str, dict[str, str]]:
    """Tag and attributes of the root element, without reading what is inside it.

    For SVG drawings, which are not VASSAL's own files and often have a DOCTYPE: it is allowed here, but
    nothing that it names is loaded. ``data`` may be the beginning of a document, if the root's tag is in it.

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
    """What libxml2 says, its own line and column cut off because the line is told once."""
    reason = re.sub(r",? line \d+, column \d+.*", "", error.msg or "", flags=re.DOTALL)
    wrong = f"not well-formed XML: {reason or 'it ends too early'}"
    return FormatError(" ".join(wrong.split()), place=f"line {error.lineno or 1}").within(place)
