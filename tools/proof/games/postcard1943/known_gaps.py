"""Why some clauses cannot be broken in a log, and why an audit does not find all that a mutator does."""

from __future__ import annotations

SCORED = (
    "the module has no way to claim a victory; who won is calculated from the position, and judged in records"
)
UNBROKEN = {
    "win.1": SCORED,
    "win.2": SCORED,
    "move.5": "wherever the river bars armour there are hills as well: move.4 is found, and a way around"
    " leads nearly always to the same hex",
    "terrain.9": "where the New Zealanders are forgotten the bonus of the hill is, and that is what is found:"
    " terrain.1, with the same odds",
}

EXPLAINED = {
    "over_high_mountains": "a log may show no more than where a move begins and ends; a way around the"
    " mountains led through a full hex, which is not proved",
    "full_factors_of_units_that_had_supply": "leaving supply out altogether gives the same sums, so they"
    " are explained: supply.5",
    "the_other_side_moves": "where the side whose turn it is has done nothing yet, the move may be one of the"
    " turn before with the turn track advanced too early; all that is left against it is that"
    " fights came between,"
    " and that is not proved",
    "moved": "a move that is legal in the movement phase before or after, with the turn track advanced"
    " early or late",
    "put in a box": "before anything is done set-up may still go on, and a reinforcement may be put back"
    " in the phase in which it came",
    "put from one box into another": "before anything is done set-up may still go on; the wrong box is found"
    " where it ends",
    "out of a box": "an aircraft over a hex that is attacked later was placed early",
}

DOUBTS = {
    "stack.1": "several units were dragged together, or one with others between its drags, and stepped onto a"
    " full hex in relief; which of them made room first the log does not tell, so that nothing is proved",
    "terrain.6": "a unit was dragged out of the swamp and back, and others rolled before it did: it is read"
    " as a trial and not as a move, and its own roll is one too many, a slip that changes nothing",
}
