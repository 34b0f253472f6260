"""The ids by which VASSAL links pieces in saves to their definitions."""

from __future__ import annotations

from tests.inspection.making import (
    definition,
    facts,
    found,
    module,
    palette,
    prototype,
    prototypes,
    ridge,
    slot,
)
from vassalgen.inspection.facts import FindingKind
from vassalgen.vassal.components import CardSlot, DrawPile, ModuleExtension, SetupStack
from vassalgen.vassal.traits.place_marker import PlaceMarker
from vassalgen.vassal.traits.replace import Replace


def test_two_pieces_with_one_id_are_found_wherever_they_are() -> None:
    stack = SetupStack(name="Hill", children=(slot("At start", "5"),))
    deck = DrawPile(name="Deck", children=(CardSlot(name="Card", gpid="6"),))
    found_facts = facts(module(ridge(stack, deck), palette(slot("A", "5"), slot("B", "6"), slot("C", "7"))))
    doubled = found(found_facts, FindingKind.DUPLICATE_PIECE_ID)
    assert set(doubled) == {"5", "6"}
    assert all(finding.serious for finding in doubled.values())
    assert doubled["5"].places == (
        'Map "Main Map" > SetupStack "Hill" > PieceSlot "At start"',
        'PieceWindow "Pieces" > TabWidget "Blue" > PieceSlot "A"',
    )


def test_traits_that_place_pieces_have_ids_of_their_own() -> None:
    flip = Replace(text="Flip", gpid="1", definition=definition("Back", ""))
    mark = PlaceMarker(text="Mark", gpid="2", definition=definition("M", ""))
    found_facts = facts(
        module(prototypes(prototype("Unit", mark)), palette(slot("A", "1", "", flip), slot("B", "2")))
    )
    assert set(found(found_facts, FindingKind.DUPLICATE_PIECE_ID)) == {"1", "2"}


def test_an_id_that_is_no_number_is_found() -> None:
    found_facts = facts(module(palette(slot("A", "first"), slot("B", "2"))))
    assert found(found_facts, FindingKind.BAD_PIECE_ID)["first"].serious


def test_pieces_without_an_id_are_mentioned() -> None:
    found_facts = facts(module(palette(slot("A", ""), slot("B", "2"))))
    (finding,) = found(found_facts, FindingKind.NO_PIECE_ID).values()
    assert not finding.serious
    assert len(finding.places) == 1


def test_a_module_from_before_there_were_ids_gets_one_line() -> None:
    found_facts = facts(module(palette(slot("A", ""), slot("B", ""))))
    (finding,) = found(found_facts, FindingKind.NO_PIECE_ID).values()
    assert finding.what == "none of the 2 pieces has one"


def test_an_id_that_vassal_is_still_to_give_is_mentioned() -> None:
    found_facts = facts(module(palette(slot("A", "100"), slot("B", "99")), next_id=100))
    (finding,) = found(found_facts, FindingKind.LATE_PIECE_ID).values()
    assert finding.what == "1 from nextPieceSlotId 100 on"


def test_the_ids_of_an_extension_begin_with_its_own() -> None:
    root = ModuleExtension(next_piece_slot_id=9, children=(palette(slot("A", "a1b:1"), slot("B", "a1b:2")),))
    assert facts(root, {}).findings == ()
