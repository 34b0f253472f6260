"""The one door through which XML of other people comes in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vassalgen.problems import FormatError

if TYPE_CHECKING:
    from lxml import etree

_DOCTYPE = re.compile(rb"(?:\xef\xbb\xbf)?(?>\s+|<\?.*?\?>|<!--.*?-->)*+(<!DOCTYPE)", re.DOTALL)
"""A DOCTYPE in the only place where one may stand: before the root element, after comments and the like."""


def parse_xml(data: bytes, place: str = "") -> etree._Element:
    """Parse a whole document and return its root element.

    Entities are not resolved, nothing is loaded from disk or network, and a document with a DOCTYPE is
    refused unread: no file of VASSAL has one, and every known attack on XML readers needs one. Comments and
    blanks are kept.

    Raises :exc:`FormatError` with ``place`` and the line for anything that is not well-formed.
    """
    from lxml import etree  # noqa: PLC0415 - costs more than all the rest of the package; many commands never need it

    doctype = _DOCTYPE.match(data)
    if doctype:
        raise _doctype_refused(place, data.count(b"\n", 0, doctype.start(1)) + 1)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, collect_ids=False
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        wrong = f"not well-formed XML: {_reason(error)}"
        raise FormatError(wrong, place=f"line {error.lineno or 1}").within(place) from None
    if (
        root.getroottree().docinfo.internalDTD is not None
    ):  # in an encoding that the look ahead cannot read, such as UTF-16
        raise _doctype_refused(place, 1)
    return root


def _doctype_refused(place: str, line: int) -> FormatError:
    return FormatError(
        "a DOCTYPE is not allowed", "delete it; VASSAL writes none", place=f"line {line}"
    ).within(place)


def _reason(error: etree.XMLSyntaxError) -> str:
    """What libxml2 says, without the line that is told elsewhere."""
    return re.sub(r",? line \d+, column \d+.*", "", error.msg or "", flags=re.DOTALL) or "cannot be read"
