"""Why some clauses cannot be broken in a log, and why something is found doubtful in legal games."""

from __future__ import annotations

ENDS = "drags hex by hex are read as a way between their two ends where that breaks nothing"
POINTS = "the module has no announcement of points; what they come to is judged in records"
BACK = "of a unit that was dragged into its place it is not known which way is back, by which it goes first"

UNBROKEN = {
    "2a": "the turn track of the module ends with the last turn",
    "4.1e": "drags of a counter in a phase are read as one move: those before the last may have been trials",
    "4.5e": "who is declared displaced is marked by the module; a marker taken off again is attributed to 2e",
    "6.1g": "the module announces sums with each column; a shift that is left out is attributed to 7.3c",
    "7.1c": "a counter of the module belongs to one battle at a time; joined to another it leaves the first",
    "7.4f": "the module takes a counter off with its last step",
    "7.5b": "a log does not show whose hand drags a counter where both sides may; judged in records",
    "7.8b": ENDS,
    "9.1h": "no three units can be in one hex with a general without breaking another clause first",
    "11k": ENDS,
    **dict.fromkeys(("12.2c", "12.2d", "12.2e", "12.2f", "12.2g"), POINTS),
}

STACKS = "counters that were dragged may have moved on as parts of a stack, which the log does not show"
SEVERAL = (
    "a drag of which only the ends are known can break several clauses, of which the one is named without"
    " which it could have been made"
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
    "on_after_entering_a_zone": "two drags are read as one, of which the ends count; where that costs too"
    " much the first may have been a trial",
    "a_rally_after_its_phase": "in the middle of a move the turn track may have been advanced too late;"
    " what is done then is judged in the phase before",
    "a_retreat_without_cause": "of a way that is not read as a legal one only the ends count; whom it"
    " crossed is not known then",
    "gets Disordered": "it moves afterwards, perhaps past a train: the marker may have been laid before that,"
    " the turn track not advanced yet",
    "gets Charging": "it could charge by its last move: the marker may have been laid with the turn track"
    " advanced early",
    "moved": "a move that is legal in the movement phase that follows: the turn track may be late",
    "put in a box": "it could leave the map from where it stood, with the turn track late; one that leaves"
    " may be dragged to any box",
}

DOUBTS = {
    "4.1e": STACKS,
    "5.2d": STACKS,
    "7.5i": BACK,
    "7.5j": BACK,
    "7.5k": BACK,
    "7.7c": "the module marks who is declared displaced at once; random players work out his value before"
    " they mark him",
    "8a": "of a move in which a counter was dragged back only the ends are sure",
    **dict.fromkeys(("11f", "11j"), "of a drag it is not known what it came next to on its way"),
}
