"""The ids of pieces in a module, by which VASSAL links pieces in saves to their definitions.

Slots, cards and the traits that place pieces each have one of their own. [build.GpIdChecker]
"""

from __future__ import annotations

from collections.abc import Iterator

from vassalgen.inspection.facts import FindingKind
from vassalgen.inspection.findings import Gathering
from vassalgen.inspection.survey import Origin, Survey, markers
from vassalgen.vassal import scalars
from vassalgen.vassal.components import GameModule, ModuleExtension, PieceSlot

_RENUMBERED = "VASSAL's editor gives it a new one, and pieces in old saves lose their definition"


def check_ids(survey: Survey, findings: Gathering) -> None:
    """Find ids that are missing, not numbers, used twice, or still to be assigned to new pieces."""
    found = list(_ids(survey))
    places: dict[str, list[str]] = {}
    none = [place for piece_id, place in found if not piece_id]
    for piece_id, place in found:
        if piece_id:
            places.setdefault(piece_id, []).append(place)
    if none and not places:  # VASSAL before 3.2 knew none
        what = f"none of the {len(none)} pieces has one"
        right = "VASSAL's editor will give them some"
        findings.add(FindingKind.NO_PIECE_ID, what, right=right, serious=False)
        return
    for place in none:
        right = "VASSAL's editor will give it one"
        findings.add(FindingKind.NO_PIECE_ID, "of these", place, right=right, serious=False)
    for piece_id, ones in places.items():
        number = _number(piece_id)
        if number is None:
            for place in ones:
                findings.add(FindingKind.BAD_PIECE_ID, piece_id, place, right=_RENUMBERED)
        if len(ones) > 1:
            for place in ones:
                findings.add(FindingKind.DUPLICATE_PIECE_ID, piece_id, place, right=_RENUMBERED)
    _check_next(survey, places, findings)


def _check_next(survey: Survey, places: dict[str, list[str]], findings: Gathering) -> None:
    """Find ids that VASSAL's editor will assign to new pieces although they are in use."""
    root = survey.root
    if not isinstance(root, GameModule | ModuleExtension):
        return
    numbers = {piece_id: _number(piece_id) for piece_id in places}
    late = [piece_id for piece_id, number in numbers.items() if (number or 0) >= root.next_piece_slot_id]
    if late:
        what = f"{len(late)} from nextPieceSlotId {root.next_piece_slot_id} on"
        right = "nextPieceSlotId is above all ids; VASSAL's editor corrects it"
        findings.add(FindingKind.LATE_PIECE_ID, what, right=right, serious=False)


def _ids(survey: Survey) -> Iterator[tuple[str, str]]:
    """Each id and its place; ids of traits are in slots and in prototypes."""
    for slot, part in survey.all(PieceSlot):
        yield slot.gpid, part.place
    for found in survey.definitions:
        if found.origin is not Origin.MARKER:
            for trait in markers(found.piece.traits):
                yield trait.gpid, f'{found.place} > {type(trait).__name__} "{trait.text}"'


def _number(piece_id: str) -> int | None:
    """The number of an id; in an extension, the extension's own id is in front of it."""
    try:
        return scalars.INTEGER.decode(piece_id.rpartition(":")[2])
    except ValueError:
        return None
