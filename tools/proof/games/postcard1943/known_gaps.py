"""Why some clauses cannot be broken in a log, and why an audit does not find all that a mutator does."""

from __future__ import annotations

SCORED = (
    "the module has no way to claim a victory; the winner is calculated from the position, and claims are"
    " judged in records"
)
UNBROKEN = {
    "win.1": SCORED,
    "win.2": SCORED,
    "move.5": "wherever the river stops armour there are also hills: move.4 is found, and another path nearly"
    " always leads to the same hex",
    "terrain.9": "if the New Zealanders are forgotten, so is the hill bonus, and that is what is found:"
    " terrain.1, with the same odds",
}

EXPLAINED = {
    "over_high_mountains": "a log may show only where a move begins and ends; a path around the"
    " mountains led through a full hex, which is not proved",
    "full_factors_of_units_that_had_supply": "ignoring supply altogether gives the same sums, so supply.5"
    " is found",
    "the_other_side_moves": "if the side whose turn it is has done nothing yet, the move may belong to the"
    " turn before, with the turn track advanced too early; the only remaining objection is that there was"
    " combat in between, and that is not proved",
    "moved": "a move that is legal in the movement phase before or after, with the turn track advanced"
    " early or late",
    "put in a box": "before the first action set-up may still be under way, and a reinforcement may be put"
    " back in the phase in which it arrived",
    "put from one box into another": "before the first action set-up may still be under way; the wrong box is"
    " found when it ends",
    "out of a box": "an aircraft over a hex that is attacked later was placed early",
}

DOUBTS = {
    "stack.1": "several units were dragged together, or others were dragged between the drags of one, and"
    " moved onto a full hex in relief; the log does not show which of them made room first, so nothing is"
    " proved",
    "terrain.6": "a unit was dragged out of the swamp and back, and others rolled before it did: this is read"
    " as trying out and not as a move, and its own roll is one too many, a slip without effect",
}
