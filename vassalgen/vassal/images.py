"""The sizes of a module's images, found without painting them.

[tools.imageop.Op.load, tools.image.svg.SVGImageUtils.getImageSize]
"""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Iterable

from vassalgen.problems import FormatError, Problem
from vassalgen.vassal.archives import Archive
from vassalgen.vassal.limits import Limits
from vassalgen.vassal.xml import root_element

Size = tuple[int, int]
"""Width and height in pixels at 100 %."""

SVG_SUFFIX = ".svg"
"""The suffix of drawings, in lower case; the format of pictures is determined by their content."""

_PICTURES = ("PNG", "JPEG", "GIF", "BMP")
"""The formats that Java's ImageIO reads, by Pillow's names."""

_LENGTH = re.compile(
    r"(?P<number>\+?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)(?P<unit>px|pt|pc|mm|cm|in|%|)", re.ASCII
)
_PIXELS = {"": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
_LONGEST = 1e9


def image_size(archive: Archive, name: str) -> Size:
    """The size of the image in an entry. Raises :exc:`FormatError` if it is not an image, or has too many
    pixels.
    """
    data = archive.head(name)
    if len(data) < archive.size(name):
        try:
            return size_of(data, name, archive.limits)
        except FormatError:  # it may be further in
            data = archive.read(name)
    try:
        return size_of(data, name, archive.limits)
    except FormatError as error:
        raise archive.within(error, name) from None


def image_sizes(archive: Archive, names: Iterable[str]) -> tuple[dict[str, Size], list[Problem]]:
    """The sizes of many images, and the problems of the others.

    It stops, with a problem, at the image with which the total number of pixels exceeds the limit.
    """
    found: dict[str, Size] = {}
    problems: list[Problem] = []
    left = archive.limits.all_image_pixels
    for name in names:
        try:
            width, height = image_size(archive, name)
        except FormatError as error:
            problems.append(error.problem)
            continue
        left -= width * height
        if left < 0:
            wrong = f"the images up to here have more than {archive.limits.all_image_pixels} pixels"
            problems.append(archive.within(FormatError(wrong), name).problem)
            break
        found[name] = width, height
    return found, problems


def size_of(data: bytes, name: str, limits: Limits) -> Size:
    """The size of an image of which ``data`` is at least the beginning; drawings are recognised by their
    ``name``.

    Raises :exc:`FormatError` if no size can be found in it, or one beyond ``limits.image_pixels``.
    """
    width, height = _drawing(data) if name.endswith(SVG_SUFFIX) else _picture(data)
    if width * height > limits.image_pixels:
        wrong = f"{width} × {height} pixels, more than {limits.image_pixels} altogether"
        raise FormatError(wrong, "make the image smaller, or cut it into several")
    return width, height


def _picture(data: bytes) -> Size:
    from PIL import Image  # noqa: PLC0415 - costly, and most commands look at no image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # of sizes, which the caller judges, and of damage after the header
            with Image.open(io.BytesIO(data), formats=_PICTURES) as image:
                return image.size
    except Image.DecompressionBombError:
        raise FormatError("the image has far too many pixels", "make it smaller") from None
    except Exception:  # Pillow raises nearly anything for damaged pictures
        raise FormatError("not an image that VASSAL can read", "PNG, JPEG, GIF or SVG") from None


def _drawing(data: bytes) -> Size:
    """The size of an SVG: a missing side or a percentage is calculated from its viewBox."""
    tag, attributes = root_element(data)
    if tag.rpartition("}")[2] != "svg":
        raise FormatError(f"the root element of this SVG is {tag}", "svg")
    view = _view_box(attributes.get("viewBox"))
    width = _length(attributes.get("width"), "width", view[0] if view else 1.0)
    height = _length(attributes.get("height"), "height", view[1] if view else 1.0)
    # Without a viewBox VASSAL uses the known side for the other one.
    spare_width, spare_height = view or (height or 0.0, width or 0.0)
    width = spare_width if width is None else width
    height = spare_height if height is None else height
    return int(width + 0.5), int(height + 0.5)


def _view_box(text: str | None) -> tuple[float, float] | None:
    """Width and height of a viewBox."""
    if not text:
        return None
    numbers = text.replace(",", " ").split()
    if len(numbers) != 4:
        raise FormatError(f"viewBox {text[:40]!r}", "four numbers: left, top, width, height")
    width, height = (_length(number, "viewBox", 1.0) for number in numbers[2:])
    return width or 0.0, height or 0.0


def _length(text: str | None, attribute: str, whole: float) -> float | None:
    """A length in pixels; a percentage refers to ``whole``."""
    if not text:
        return None
    match = _LENGTH.fullmatch(text.strip())
    length = math.inf
    if match:
        factor = whole / 100 if match["unit"] == "%" else _PIXELS[match["unit"]]
        length = float(match["number"]) * factor
    if length > _LONGEST:
        raise FormatError(f"{attribute} {text[:40]!r} is not a length", "a number of pixels")
    return length
