"""Why some clauses cannot be broken in a log, and why an audit does not find all that a mutator does."""

from __future__ import annotations

VERDICT = "the module has no way to claim a victory; the winner is calculated from the position"
RESUMED = (
    "a piece that is dragged on after others have moved has corrected its move; its drags are read as one"
    " move, and the order is held against no player"
)
AGAIN = "a second roll of a die is taken as a repetition of the first, and the first counts"
CALCULATED = "the module calculates and announces it, and players cannot adjust it"
SECOND = (
    "too many assets count only with a second aircraft of a side or a third asset, and these are reported"
    " instead"
)

UNBROKEN = {
    **dict.fromkeys(("4a", "4b", "4c"), VERDICT),
    **dict.fromkeys(("7.1b", "8b"), RESUMED),
    **dict.fromkeys(("7.4a", "7.4b"), AGAIN),
    **dict.fromkeys(("10b", "10f", "11e", "11g", "11h", "11i"), CALCULATED),
    **dict.fromkeys(("12b", "12c"), CALCULATED),
    **dict.fromkeys(("11j", "12d"), SECOND),
    "7.8f": "the module moves the turn marker itself, with the turn track",
    "13e": "nothing connects the loss of a piece with a battle in which it took no part; it is found as a"
    " loss that no piece of the battle takes, 11k or 12e",
}
"""Clauses of which no log can show a breach."""

EXPLAINED = {
    "the_next_die_before_the_result": "if no piece takes the loss of the first battle afterwards, it is"
    " reported as a hit that costs nothing, 11k or 12e",
    "the_passive_side_returns_first": "if nothing else is done in the phase, it may belong to the next player"
    " turn of that side, with a turn track that was not advanced",
    "two_axis_aircraft_on_a_field": "an aircraft dragged away during set-up and back again has been put back,"
    " which is not an action",
    "a_lone_aircraft_that_was_hit_goes_to_the_box": "an earlier attack missed it, and because of that attack"
    " it may go to the box, late",
    "gets Flying": "an attack was left without a die roll: an aircraft may still fly to it, with the turn"
    " track advanced early",
    "moved": "nothing else is done until the movement phase of its side: it may have moved in that phase,"
    " with the turn track not yet advanced",
}
"""Mutators and changes that an audit does not always find."""

DOUBTS: dict[str, str] = {}
"""Clauses with unproven findings in legal games."""
