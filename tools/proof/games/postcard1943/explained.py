"""Why some clauses cannot be broken in a log, and why an audit does not find all that a mutator does."""

from __future__ import annotations

SCORED = (
    "the module has no way to claim a victory; who won is reckoned from the position, and judged in records"
)
FIRST = (
    "after a combat phase in which attacks were declared and no die was thrown, the first moves of the other"
    " side may be retreats from a battle that was fought off the log; nobody is accused of them"
)
LOST = (
    "nothing ties the loss of a unit that was not in the battle to it; it is found as a loss that the table"
    " does not give, crt.1"
)
UNBROKEN = {"win.1": SCORED, "win.2": SCORED}

EXPLAINED = {
    "arrives_after_the_opening": "what arrives in the last phase of a turn, with nothing done after it, may"
    " be a reinforcement of the next turn that was laid down before the page was turned; on that reading it"
    " is legal",
    "fast_on_roads_that_is_not_mobile": FIRST,
    "one_who_did_not_defend_is_lost": LOST,
    "one_who_did_not_attack_is_lost": LOST,
    "over_high_mountains": "a log may show no more than where a move begins and ends; a way around the"
    " mountains led through a full hex, which is not proved",
    "the_other_side_moves": "where the side whose turn it is has done nothing yet, the move may be one of the"
    " turn before with the page turned too early; all that is left against it is that fights came between,"
    " and that is not proved",
}

DOUBTS = {
    "stack.1": "several units were dragged together, or one with others between its drags, and stepped onto a"
    " full hex in relief; which of them made room first the log does not tell, so that nothing is proved",
    "terrain.6": "a unit was dragged out of the swamp and back, which is read as a trial and not as a move;"
    " the throw that follows is then one too many, a slip that changes nothing",
}
