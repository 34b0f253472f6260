"""Why some clauses cannot be broken in a log, and why there are unproven findings in legal games."""

from __future__ import annotations

ENDS = "hex-by-hex drags are read as any path between their two ends if the path shown is illegal"
POINTS = "the module has no announcement of points; totals are judged in records"
BACK = (
    "for a unit that was dragged into its hex it is not known from where it came, which is where it must go"
    " first"
)

UNBROKEN = {
    "2a": "the turn track of the module ends with the last turn",
    "4.1e": "drags of a counter in a phase are read as one move: those before the last may have been trials",
    "4.5e": "the module marks units declared displaced; a marker that is removed again is attributed to 2e",
    "6.1g": "the module announces sums with each column; a shift that is left out is attributed to 7.3c",
    "7.1c": "a counter belongs to one battle at a time; if it joins another it leaves the first",
    "7.4f": "the module removes a counter with its last step",
    "7.5b": "a log does not show which player drags a counter if both may; judged in records",
    "7.8b": ENDS,
    "9.1h": "no three units can be in one hex with a general without breaking another clause first",
    "11k": ENDS,
    **dict.fromkeys(("12.2c", "12.2d", "12.2e", "12.2f", "12.2g"), POINTS),
}

STACKS = "counters that were dragged may have moved on as parts of a stack, which the log does not show"
SEVERAL = (
    "a drag of which only the ends are known may break several clauses; the finding names the one without"
    " which it would have been legal"
)
EXPLAINED = {
    **dict.fromkeys(
        (
            "by_roads_that_do_not_join",
            "farther_than_its_points",
            "with_points_that_were_saved",
            "a_general_rides_too_far",
        ),
        SEVERAL,
    ),
    "on_after_entering_a_zone": "two drags are read as one move, of which only the ends count; if that costs"
    " too much, the first may have been a trial",
    "a_rally_after_its_phase": "during a move the turn track may have been advanced too late;"
    " actions then are judged in the phase before",
    "a_retreat_without_cause": "if a path is not read as legal, only its ends count, and it is not known"
    " which units it crossed",
    "gets Disordered": "it moves afterwards, perhaps past a train: the marker may have been placed early,"
    " with the turn track not yet advanced",
    "gets Charging": "it could charge by its last move: the marker may have been placed with the turn track"
    " advanced early",
    "moved": "the move is legal in the movement phase that follows: the turn track may be late",
    "put in a box": "it could leave the map from its hex, with the turn track late; a unit that leaves"
    " may be dragged to any box",
}

DOUBTS = {
    "4.1e": STACKS,
    "5.2d": STACKS,
    "7.5i": BACK,
    "7.5j": BACK,
    "7.5k": BACK,
    "7.7c": "the module marks units declared displaced at once; random players calculate their value before"
    " they mark them",
    "8a": "only the ends are certain of a move in which a counter was dragged back",
    **dict.fromkeys(("11f", "11j"), "it is not known which pieces a drag passed next to"),
}
