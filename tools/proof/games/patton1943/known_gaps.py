"""Why some clauses cannot be broken in a log, and why an audit does not find all that a mutator does."""

from __future__ import annotations

VERDICT = "the module has no way to claim a victory; who has won is calculated from the position"
RESUMED = (
    "a piece that is dragged on after others have moved has corrected its move, which is read as one; nobody"
    " is accused of the order"
)
AGAIN = "a die that is rolled again is taken for the same roll repeated, and the first counts"
CALCULATED = "the module calculates and announces it, and players have no way to adjust it"
SECOND = (
    "more than count come with a second aircraft of a side or with a third asset, and are reported with these"
)

UNBROKEN = {
    **dict.fromkeys(("4a", "4b", "4c"), VERDICT),
    **dict.fromkeys(("7.1b", "8b"), RESUMED),
    **dict.fromkeys(("7.4a", "7.4b"), AGAIN),
    **dict.fromkeys(("10b", "10f", "11e", "11g", "11h", "11i"), CALCULATED),
    **dict.fromkeys(("12b", "12c"), CALCULATED),
    **dict.fromkeys(("11j", "12d"), SECOND),
    "7.8f": "the module moves the turn marker itself, with the turn track",
    "13e": "nothing ties the loss of a piece to a battle in which it had no part; it is found as a loss that"
    " nobody takes, 11k or 12e",
}
"""Clauses that nothing in a log can break."""

EXPLAINED = {
    "the_next_die_before_the_result": "where nobody pays for the first battle afterwards, it is told as a"
    " hit that costs nothing, 11k or 12e",
    "the_passive_side_returns_first": "where nothing else is done in the phase, it may be read as done in the"
    " next turn of that side, on a turn track that nobody advanced",
    "two_axis_aircraft_on_a_field": "one that is dragged away in the set-up and back is put back, and is"
    " no action",
    "a_lone_aircraft_that_was_hit_goes_to_the_box": "an attack before missed it, and for that one it may go"
    " to the box, late",
    "gets Flying": "an attack was left without a die: an aircraft may fly to it yet, the turn track advanced"
    " early",
    "moved": "nothing else is done until the movement phase of its side: it may have moved in that, the turn"
    " track not advanced yet",
}
"""Mutators and changes that an audit does not always find."""

DOUBTS: dict[str, str] = {}
"""Clauses that are found doubtful in legal games."""
