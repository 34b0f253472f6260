from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.vassal.strategies_archives import mutations
from vassalgen.problems import FormatError
from vassalgen.vassal.archives import Archive, pack
from vassalgen.vassal.images import Size, image_size, image_sizes, size_of
from vassalgen.vassal.limits import Limits

LIMITS = Limits()


def picture(kind: str, **options: object) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (70, 50)).save(data, kind, **options)
    return data.getvalue()


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds nothing."""
    chunks = [(b"IHDR", struct.pack(">2I5B", width, height, 8, 0, 0, 0, 0)), (b"IDAT", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "BMP"])
def test_a_picture_is_known_by_its_content(kind: str) -> None:
    assert size_of(picture(kind), "unit.xyz", LIMITS) == (70, 50)


def svg(attributes: str) -> bytes:
    namespace = "http://www.w3.org/2000/svg"
    return f"<?xml version='1.0'?><!DOCTYPE svg><svg xmlns='{namespace}' {attributes}><g/></svg>".encode()


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ("width='75' height='60px'", (75, 60)),
        ("width='744.09' height='.6e2'", (744, 60)),
        ("width='1in' height='25.4mm'", (96, 96)),
        ("width='2.54cm' height='72pt'", (96, 96)),
        ("viewBox='0 0 208 128'", (208, 128)),
        ("viewBox='-5,-5,20,10' width='100'", (100, 10)),
        ("viewBox='0 0 27 28' width='100%' height='50%'", (27, 14)),
        ("width='40'", (40, 40)),  # VASSAL makes it square
        ("height='40'", (40, 40)),
        ("", (0, 0)),
        ("width='100%' height='100%'", (1, 1)),
    ],
)
def test_a_drawing_has_the_size_vassal_gives_it(attributes: str, size: Size) -> None:
    assert size_of(svg(attributes), "unit.svg", LIMITS) == size


@pytest.mark.parametrize(
    "attributes", ["width='wide'", "width='2em'", "height='-1'", "viewBox='0 0 1'", "width='1e99'"]
)
def test_a_drawing_without_a_size_that_can_be_understood_is_reported(attributes: str) -> None:
    with pytest.raises(FormatError, match=r"width|height|viewBox"):
        size_of(svg(attributes), "unit.svg", LIMITS)


def test_a_suffix_in_capitals_makes_no_drawing() -> None:
    with pytest.raises(FormatError, match="not an image"):
        size_of(svg("width='75'"), "unit.SVG", LIMITS)


def test_a_page_is_no_drawing() -> None:
    with pytest.raises(FormatError, match="html"):
        size_of(b"<html/>", "unit.svg", LIMITS)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.png", png_header(10_000, 9001)),
        ("a.png", png_header(2**31 - 1, 2**31 - 1)),
        ("a.svg", svg("width='10000' height='10000'")),
    ],
)
def test_too_many_pixels_are_refused_without_painting_them(name: str, data: bytes) -> None:
    with pytest.raises(FormatError, match="pixels"):
        size_of(data, name, LIMITS)


def test_a_large_board_is_measured_by_its_header_alone() -> None:
    header = png_header(9000, 9999)
    module = pack([("images/board.png", header + bytes(200_000))])
    with Archive.open(module, Limits(total=70_000)) as archive:
        assert image_size(archive, "images/board.png") == (9000, 9999)


def test_a_size_far_into_a_picture_is_found() -> None:
    photo = picture("JPEG", comment=bytes(60_000), icc_profile=bytes(90_000))
    with Archive.open(pack([("images/a.jpg", photo)])) as archive:
        assert image_size(archive, "images/a.jpg") == (70, 50)


def test_all_bad_images_are_reported_at_once() -> None:
    entries = [
        ("images/a.png", picture("PNG")),
        ("images/b.png", b"no"),
        ("images/c.svg", b"<svg"),
        ("images/d.gif", picture("GIF")),
    ]
    with Archive.open(pack(entries), file="x.vmod") as archive:
        found, problems = image_sizes(archive, [*archive.names, "images/missing.png"])
    assert found == {"images/a.png": (70, 50), "images/d.gif": (70, 50)}
    assert [(problem.file, problem.place) for problem in problems] == [
        ("x.vmod", "images/b.png"),
        ("x.vmod", "images/c.svg"),
        ("x.vmod", "images/missing.png"),
    ]


def test_many_images_have_a_limit_together() -> None:
    entries = [(f"images/{i}.png", picture("PNG")) for i in range(5)]
    with Archive.open(pack(entries), Limits(all_image_pixels=3 * 70 * 50)) as archive:
        found, problems = image_sizes(archive, archive.names)
    assert len(found) == 3
    assert [problem.place for problem in problems] == ["images/3.png"]


def samples() -> Iterator[tuple[str, bytes]]:
    for kind in ("PNG", "JPEG", "GIF", "BMP"):
        yield "a", picture(kind)
    yield "a.svg", svg("width='10' viewBox='0 0 5 6'")


@given(
    st.sampled_from(list(samples())).flatmap(
        lambda sample: st.tuples(st.just(sample[0]), mutations(sample[1]))
    )
)
def test_damaged_images_are_measured_or_refused(image: tuple[str, bytes]) -> None:
    name, data = image
    try:
        width, height = size_of(data, name, LIMITS)
    except FormatError as error:
        assert "\n" not in str(error)
        return
    assert width >= 0
    assert height >= 0


def test_every_image_of_the_corpus_is_measured(shared: Path) -> None:
    measured = 0
    wrong = []
    for path in shared.glob("corpus/vm*/*"):
        with Archive.open(path) as archive:
            images = [name for name in archive.names if name.startswith("images/")]
            found, problems = image_sizes(archive, images)
        measured += len(found)
        wrong += [problem.place for problem in problems]
    assert measured > 2000
    assert wrong == ["images/xparent.bat"]
