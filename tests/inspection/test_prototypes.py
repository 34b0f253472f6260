"""Prototypes: who uses which, which are missing, and which never come to an end."""

from __future__ import annotations

from tests.inspection.making import (
    definition,
    facts,
    found,
    module,
    palette,
    prototype,
    prototypes,
    save,
    slot,
    uses,
)
from vassalgen.inspection.facts import FindingKind, ModuleFacts
from vassalgen.vassal.components import PieceSlot, PredefinedSetup
from vassalgen.vassal.traits.base import UnknownTrait
from vassalgen.vassal.traits.place_marker import PlaceMarker
from vassalgen.vassal.traits.use_prototype import UsePrototype


def test_uses_are_counted_through_slots_prototypes_and_set_ups() -> None:
    container = prototypes(prototype("Unit", uses("Move")), prototype("Move"), prototype("Old"))
    setup = PredefinedSetup(name="Std", file="std.vsav")
    game = save("+/1/prototype;Unit\tpiece;;;;F/\tMain Map;1;1;;0")
    pieces = palette(slot("A", "1", "", uses("Unit")), slot("B", "2", "", uses("Unit")))
    found_facts = facts(module(container, pieces, setup), {"std.vsav": game})
    unit, move, old = found_facts.prototypes
    assert (unit.used_by_pieces, unit.used_by_setups, unit.uses) == (2, 1, ("Move",))
    assert move.used_by_prototypes == ("Unit",)
    assert (old.used_by_pieces, old.used_by_setups, old.used_by_prototypes) == (0, 0, ())
    assert set(found(found_facts, FindingKind.UNUSED_PROTOTYPE)) == {"Old"}
    assert not any(finding.serious for finding in found_facts.findings)


def places(found_facts: ModuleFacts) -> dict[str, tuple[str, ...]]:
    return {what: one.places for what, one in found(found_facts, FindingKind.MISSING_PROTOTYPE).items()}


def test_a_missing_prototype_is_named_with_every_place_that_uses_it() -> None:
    marker = PlaceMarker(text="Mark", gpid="7", definition=definition("M", "", uses("Marker")))
    container = prototypes(prototype("Unit", uses("Gone")))
    setup = PredefinedSetup(name="Std", file="std.vsav")
    game = save("+/1/prototype;Gone\tpiece;;;;F/\tMain Map;1;1;;0")
    root = module(container, palette(slot("A", "1", "", uses("Gone"), marker)), setup)
    found_facts = facts(root, {"std.vsav": game})
    piece = 'PieceWindow "Pieces" > TabWidget "Blue" > PieceSlot "A"'
    assert places(found_facts) == {
        "Gone": ('PrototypesContainer > PrototypeDefinition "Unit"', piece, 'PredefinedSetup "Std"'),
        "Marker": (f'{piece} > PlaceMarker "Mark"',),
    }


def test_a_name_with_a_parameter_in_it_is_not_judged() -> None:
    use = UsePrototype(name="Unit", parameters=(("Kind", "Foot"),))
    container = prototypes(prototype("Unit", uses("$Kind$")), prototype("Foot"))
    found_facts = facts(module(container, palette(slot("A", "1", "", use))))
    assert places(found_facts) == {}
    assert "parameters" in found(found_facts, FindingKind.UNUSED_PROTOTYPE)["Foot"].right


def test_prototypes_that_use_themselves_are_found_and_their_users_are_not() -> None:
    container = prototypes(
        prototype("A", uses("B")), prototype("B", uses("C")), prototype("C", uses("B"), uses("End")),
        prototype("End"), prototype("Self", uses("Self")),
    )  # fmt: skip
    found_facts = facts(module(container))
    assert set(found(found_facts, FindingKind.CIRCULAR_PROTOTYPE)) == {"B", "C", "Self"}


def test_a_prototype_that_places_pieces_of_its_own_kind_comes_to_an_end() -> None:
    places_one = PlaceMarker(text="Mark", gpid="7", definition=definition("M", "", uses("Unit")))
    container = prototypes(prototype("Unit", places_one))
    found_facts = facts(module(container, palette(slot("A", "1", "", uses("Unit")))))
    assert found(found_facts, FindingKind.CIRCULAR_PROTOTYPE) == {}
    assert found_facts.prototypes[0].used_by_prototypes == ("Unit",)


def test_a_chain_of_very_many_prototypes_is_followed() -> None:
    chain = [prototype(f"P{n}", uses(f"P{n + 1}")) for n in range(3000)]
    found_facts = facts(module(prototypes(*chain, prototype("P3000", uses("P0")))))
    assert len(found(found_facts, FindingKind.CIRCULAR_PROTOTYPE)) == 3001


def test_two_prototypes_of_one_name_are_found() -> None:
    found_facts = facts(module(prototypes(prototype("Unit"), prototype("Unit"))))
    assert set(found(found_facts, FindingKind.DUPLICATE_NAME)) == {"prototype Unit"}


def test_a_definition_that_vassal_cannot_read_is_found_with_its_fault() -> None:
    broken = PieceSlot(name="Bad", gpid="1", content="+/null/delete\tpiece;;;x.png;Bad/\tnull;0;0;1;0")
    half = PieceSlot(name="Half", gpid="2", content="+/null/piece;;")
    found_facts = facts(module(palette(broken, half)))
    names = [
        place.rpartition(" > ")[2]
        for finding in found(found_facts, FindingKind.BROKEN_PIECE).values()
        for place in finding.places
    ]
    assert 'PieceSlot "Half"' in names


def test_a_trait_that_vassal_does_not_know_is_only_mentioned() -> None:
    found_facts = facts(module(palette(slot("A", "1", "", UnknownTrait("weather;1;2")))))
    assert not found(found_facts, FindingKind.UNKNOWN_TRAIT)["weather;"].serious


def test_definitions_inside_definitions_without_end_are_refused() -> None:
    text = definition("Inner", "")
    for depth in range(25):
        text = definition(f"Level {depth}", "", PlaceMarker(text="Mark", definition=text))
    found_facts = facts(module(palette(PieceSlot(name="Deep", gpid="1", content=text))))
    (finding,) = found(found_facts, FindingKind.BROKEN_PIECE).values()
    assert "more than 20 deep" in finding.what


def test_a_path_to_a_slot_that_is_not_there_is_found() -> None:
    window = "VASSAL.build.module.PieceWindow:Pieces"
    good = f"{window}/VASSAL.build.widget.TabWidget:Blue/VASSAL.build.widget.PieceSlot:A"
    bad = f"{window}/VASSAL.build.widget.ListWidget:Red"
    traits = (
        PlaceMarker(text="Ok", gpid="8", definition=good),
        PlaceMarker(text="No", gpid="9", definition=bad),
    )
    found_facts = facts(module(palette(slot("A", "1", "", *traits))))
    assert set(found(found_facts, FindingKind.MISSING_PIECE)) == {bad}
