"""The whole content of a file as text."""

from __future__ import annotations

import difflib

from tests.inspection.making import (
    definition,
    module,
    packed,
    palette,
    picture,
    prototype,
    prototypes,
    ridge,
    save,
    slot,
    step,
    uses,
)
from vassalgen.inspection.listing import listing
from vassalgen.inspection.sources import Source
from vassalgen.vassal import commands
from vassalgen.vassal.archives import Archive
from vassalgen.vassal.components import Component, Element, PieceSlot, PredefinedSetup
from vassalgen.vassal.pieces import Piece
from vassalgen.vassal.savedgame import read_saved_game
from vassalgen.vassal.streams import Node
from vassalgen.vassal.traits.basic_piece import BasicPiece
from vassalgen.vassal.traits.embellishment import Embellishment
from vassalgen.vassal.traits.marker import Marker, MarkerState
from vassalgen.vassal.traits.place_marker import PlaceMarker


def of_module(root: Component, files: dict[str, bytes] | None = None) -> list[str]:
    with Archive.open(packed(root, files or {})) as archive:
        return list(listing(Source("hill.vmod", "", archive=archive)))


def of_game(*texts: str | Node) -> list[str]:
    return [line.strip() for line in listing(Source("g", "", game=read_saved_game(save(*texts))))]


def differences(old: list[str], new: list[str]) -> list[str]:
    return [line for line in difflib.ndiff(old, new) if line.startswith(("+ ", "- "))]


def test_a_piece_is_written_trait_by_trait_from_the_inside_out() -> None:
    marker = (Marker(names=("Side",)), MarkerState(items=("Blue",)))
    layer = Embellishment(images=("foot.png", "foot2.png"), name="Step")
    lines = of_module(module(palette(slot("Foot", "7", "foot.png", marker, layer))))
    start = next(number for number, line in enumerate(lines) if "PieceSlot " in line)
    assert [line.strip() for line in lines[start : start + 4]] == [
        'PieceSlot entryName "Foot" gpid "7" height "100" width "100"',
        'BasicPiece image "foot.png" name "Foot"',
        'Embellishment images ["foot.png", "foot2.png"] name "Step"',
        'Marker names ["Side"] · items ["Blue"]',
    ]


def test_a_changed_field_changes_one_line() -> None:
    def with_image(image: str) -> list[str]:
        return of_module(module(ridge(), palette(slot("Foot", "7", image, uses("Unit")))))

    assert differences(with_image("a.png"), with_image("b.png")) == [
        '-                     BasicPiece image "a.png" name "Foot"',
        '+                     BasicPiece image "b.png" name "Foot"',
    ]


def test_the_order_of_entries_and_attributes_makes_no_difference() -> None:
    one = Element("VASSAL.build.module.Map", (("mapName", "M"), ("edgeWidth", "5")))
    two = Element("VASSAL.build.module.Map", (("edgeWidth", "5"), ("mapName", "M")))
    first = of_module(module(one), {"a.txt": b"1", "b.txt": b"2"})
    assert first == of_module(module(two), {"b.txt": b"2", "a.txt": b"1"})


def test_entries_are_recognized_by_what_is_in_them() -> None:
    files = {
        "images/a.png": picture(3, 4),
        "help.html": b"<p>\nOne\x1b[31m</p>",
        "x.bin": b"\xff",
        "bad.png": b"-",
    }
    text = "\n".join(of_module(module(), files))
    assert "=== images/a.png\n    3 × 4 pixels, " in text
    assert "=== help.html\n    <p>\n    One\\x1b[31m</p>\n" in text
    assert (
        "=== x.bin\n    1 bytes, sha256 a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89"
        in text
    )
    assert "=== bad.png\n    (not an image that VASSAL can read)\n    1 bytes, sha256 " in text


def test_a_set_up_is_written_out_inside_its_module() -> None:
    setup = PredefinedSetup(name="Std", file="std.vsav")
    files = {"std.vsav": save("PLAYER\tsesame\tAlice\tBlue"), "lost.vsav": b"PK no zip"}
    lines = [line.strip() for line in of_module(module(setup), files)]
    assert 'AddPlayer name "Alice" side "Blue"' in lines
    assert any(line.startswith("(cannot be read: ") for line in lines)
    assert not any("sesame" in line for line in lines)


def test_a_definition_that_cannot_be_read_is_written_as_it_stands() -> None:
    lines = [
        line.strip() for line in of_module(module(palette(PieceSlot(name="Bad", content="+/null/piece;;"))))
    ]
    assert '"+/null/piece;;"' in lines


def test_the_piece_that_a_trait_places_is_written_below_it() -> None:
    inner = definition("Mud", "mud.png")
    lines = of_module(module(prototypes(prototype("Unit", PlaceMarker(text="Mark", definition=inner)))))
    mark = next(number for number, line in enumerate(lines) if "PlaceMarker" in line)
    assert lines[mark + 1].strip() == 'BasicPiece image "mud.png" name "Mud"'
    assert lines[mark + 1].startswith(lines[mark][: -len(lines[mark].lstrip())] + "    B")


def test_steps_are_numbered_and_what_is_nested_is_indented() -> None:
    source = Source(
        "g", "", game=read_saved_game(save("end_save", step("CHATone", "CHATtwo"), step("CHATthree")))
    )
    lines = list(listing(source))
    assert lines[lines.index("        step 1") :] == [
        "        step 1",
        '            Chat text "one"',
        '                Chat text "two"',
        "        step 2",
        '            Chat text "three"',
    ]


def hidden(owner: str) -> str:
    """The state of a spy that somebody may have hidden."""
    return f"{owner}\tMain Map;1;1;7;0"


def test_passwords_are_replaced_by_names_wherever_they_stand() -> None:
    type_of = "hide;;Hide;;;player:\tpiece;;;;Spy"
    lines = of_game(
        "PLAYER\tsesame\tAlice\tBlue",
        commands.AddPiece(id="1", type=type_of, state=hidden("sesame")).encode(),
        "PNOTE\tsesame\tmy plan",
        "custom\tsesame\t1",
        "end_save",
        step(commands.ChangePiece(id="1", new_state=hidden("null"), old_state=hidden("sesame")).encode()),
        step("M/1/Main Map/2/2/null/Main Map/1/1/null/sesame"),
        step("D/99/sesame;x"),
        step("M/1/sesame"),
    )
    assert not any("sesame" in line for line in lines)
    assert 'Hideable owner "@Alice" → none' in lines
    assert 'MovePiece "1" "Spy" "Main Map" 1, 1 → "Main Map" 2, 2 by "@Alice"' in lines
    assert 'PrivateNote owner "@Alice" text "my plan"' in lines
    assert 'Unknown "custom\\t@Alice\\t1"' in lines


def test_a_password_that_nobody_could_replace_is_not_shown() -> None:
    piece = Piece.decode("hide;;Hide;;;player:\tpiece;;;;Spy", hidden("sesame"))
    text = "+/null/" + "/".join(part.replace("/", "\\/") for part in piece.encode())
    lines = of_module(module(palette(PieceSlot(name="Spy", gpid="1", content=text))))
    assert not any("sesame" in line for line in lines)
    assert any("owner somebody" in line for line in lines)


def test_a_change_shows_only_what_has_changed() -> None:
    layer = Embellishment(images=("a.png", "b.png"), name="Step")
    foot = Piece.of(layer, BasicPiece(image="", name="Foot"))
    before, after = foot.state_text, foot.state_text.replace("1", "2", 1)
    lines = of_game(
        commands.AddPiece(id="1", type=foot.type_text, state=before).encode(),
        "end_save",
        step(commands.ChangePiece(id="1", new_state=after, old_state=before).encode()),
        step(commands.ChangePiece(id="1", new_state=after).encode()),
    )
    start = lines.index("step 1")
    assert lines[start + 1 : start + 3] == ['ChangePiece "1" "Foot"', 'Embellishment "Step" value 1 → 2']
    assert "whatever it was before" in lines


def test_broken_commands_are_reported_without_their_text() -> None:
    lines = of_game("PLAYER\tsesame", "end_save", step("M/1/2"))
    assert not any("sesame" in line for line in lines)
    assert sum(line.startswith("(broken: command ") for line in lines) == 2
