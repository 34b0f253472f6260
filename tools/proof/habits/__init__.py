"""Habits of players: legal games as careless people play them at VASSAL's table.

Each habit describes what players do, without regard to how the referee interprets it. None breaks a rule of
the game, so an audit of such a legal game must find nothing illegal. ``shortcuts.py`` has what players leave
out, ``out_of_turn.py`` what they do too early or too late, ``mistakes.py`` what they do wrong and then
correct; ``handling.py``, ``fiddling.py``, ``by_mail.py``, ``partners.py``, ``at_the_table.py``,
``improvising.py``, ``by_accident.py`` and ``tinkering.py`` have the ways to handle counters. Each contains a
logger that builds on the one before; ``careless_log.py`` writes the logs.
"""

from __future__ import annotations

from collections.abc import Mapping

CORNER, SEA, STRAIGHT, UNDECLARED, STRAY, BUTTON, LATE = (
    "corner", "sea", "straight", "undeclared", "stray", "button", "late"
)  # fmt: skip
ONCE_A_PLAYER_TURN, ONCE_A_TURN, FORGOTTEN_PHASE = "once a player turn", "once a turn", "forgotten phase"
DELETED, OTHER_BOX, PILED = "deleted", "other box", "piled"
OVERSHOT, TRIED, AT_THE_END, WAITING = "overshot", "tried", "at the end", "waiting"
EDGE, WRONG_HEX, WRONG_COUNTER, IN_HAND = "edge", "wrong hex", "wrong counter", "in hand"
LEFT_ON, ROLLED_AHEAD, DECLARED_FIRST = "left on", "rolled ahead", "declared first"
EARLY, AHEAD, ADVANCED_FIRST, RESULTS_LATER = "early", "ahead", "advanced first", "results later"
PUT_RIGHT, CHANGED_MIND, UNDONE = "retreat put right", "changed mind", "undone"
BY_THE_OTHER, STACK_DRAGGED, MISDECLARED = "by the other", "stack dragged", "misdeclared"
LOOKED, PRESSED_TWICE, RIGHT_LATER = "looked beneath", "pressed twice", "put right later"
TOO_SOON, MOVED_BACK, DICE_BY_THE_OTHER = "too soon", "moved back", "dice by the other"
TWO_AT_ONCE, STAGED, ADVANCE_BACK = "two at once", "staged", "advance taken back"
FROM_PALETTE, PIECEMEAL, SPARE_HEX = "from the palette", "piecemeal", "spare hex"
PARKED, WRONG_CASUALTY, LEAFED = "parked", "wrong casualty", "track leafed through"
UNDONE_TWICE, REPLACED, BY_PROXY = "undone twice", "replaced", "by proxy"
DETOUR, MOVE_CHANGED, PICKED_UP = "detour", "move changed later", "picked up"
FANNED_OUT, WRONG_BUTTON = "fanned out", "wrong button"
NUDGED, WIPED, MARKED = "nudged", "trails wiped", "marked"
SWEPT_ALONG, ROLLED_AGAIN = "swept along", "rolled again"
REHEARSED, MOVED_ON, SWAPPED = "rehearsed", "moved on later", "swapped"
REMEMBERED, FLIPPED_FIRST, MOVED_IN = "remembered late", "flipped first", "moved in"
ANY_ORDER, RESOLVED_TWICE, NO_DICE = "declared in any order", "resolved twice", "no dice"
TRACK_SET, TRACK_AHEAD, TRACK_BEHIND = "track set", "track ahead", "track behind"
EXCHANGED, DIE_AFTERWARDS, REDONE, COPIED = "exchanged", "die afterwards", "redone", "copied"
LAID_OUT, BEFORE_ITS_TIME, LEFT_BEHIND = "losses laid out", "before its time", "left behind"
DECLARED_TWICE, BATTLE_BOARD = "declared twice", "battle board"
TESTED_TWICE, TOO_FAR = "tested twice", "too far"
SORTED, LINED_UP, LIFTED = "boxes sorted", "lined up", "lifted"
TURNED_TO_REMEMBER, STATE_REMINDS, UNIT_AS_MARKER = "turned over", "state as reminder", "unit as marker"
REPLAYED, NOTICED_LATE, HALF_UNDONE = "phase begun again", "noticed late", "half undone"
GRABBED_ALL, DELETED_UNDONE, POINTED = "grabbed all", "deletion undone", "pointed"
ONE_ORDERLY, CHATTED = "one orderly", "chatted"
TROPHY, ANY_BATTLE, ANY_BUTTON, DICE_AT_HOME = "trophy", "any battle", "any button", "dice at home"
PUSHED_ASIDE, UNCOVERED, SHADOW, POINTER = "pushed aside", "uncovered", "shadow", "counted with another"
HIGH_ROLL, PACKED_UP = "high roll", "packed up"
MISLAID = "laid by mistake"


HABITS: Mapping[str, str] = {
    CORNER: "a casualty is dragged off the hexes, to a corner of the map",
    SEA: "a casualty is dragged to a hex where no counter can be",
    STRAIGHT: "a reinforcement is dragged from its box straight to where its first move ends",
    FORGOTTEN_PHASE: "one phase of each turn is played without advancing the turn track to it",
    ONCE_A_PLAYER_TURN: "the turn track is advanced once a player turn",
    ONCE_A_TURN: "the turn track is advanced once a game turn",
    UNDECLARED: "battles are not declared, a bare die is rolled",
    STRAY: "a die is rolled before the battle's own",
    BUTTON: "a test is rolled with the button of the combat die",
    LATE: "casualties are removed at the end of the phase",
    DELETED: "a casualty that never comes back is deleted",
    OTHER_BOX: "a casualty is dragged to a box other than that of the losses",
    PILED: "attackers are piled up in one hex to be counted, and put back, before the attack is declared",
    OVERSHOT: "the turn track is advanced once too often and set back",
    TRIED: "a player drags a counter to see how far it can go, and back, in any phase",
    AT_THE_END: "markers and step losses are dealt with when the phase is over",
    WAITING: "a reinforcement that moves in its turn of arrival waits in its box until its side moves",
    EDGE: "all reinforcements are placed in their entry hexes before the first of them moves on",
    WRONG_HEX: "a counter is dropped next to the intended hex, and then moved there",
    WRONG_COUNTER: "a step is taken from the wrong counter, given back and taken from the right one",
    IN_HAND: "casualties stay on the map until the next phase has begun",
    LEFT_ON: "markers that should come off stay on until their counter is used again",
    ROLLED_AHEAD: "the dice of all battles of a phase are rolled at once, before the first",
    DECLARED_FIRST: "the attacks of a phase are declared before the first of them is resolved",
    EARLY: "the turn track is advanced before the last moves, retreats or losses of a phase",
    AHEAD: "the first move of a phase is made before the turn track is advanced to it",
    ADVANCED_FIRST: "the victor advances before the beaten units are dragged out of the hex",
    RESULTS_LATER: "all battles of a phase are rolled first, their results are carried out afterwards",
    PUT_RIGHT: "a retreat is dragged to a wrong hex and corrected when the opponent objects",
    CHANGED_MIND: "a step is given back for a retreat, or a retreat taken back for a step",
    UNDONE: "mistakes are taken back with Undo",
    BY_THE_OTHER: "one player carries out the results for the counters of the other",
    STACK_DRAGGED: "a whole stack is dragged along with the counter that moves, and put back",
    MISDECLARED: "an attack is declared on the wrong hex or with the wrong unit, and called off",
    LOOKED: "the top counter of a stack is put aside to look at those beneath, and put back a little later",
    PRESSED_TWICE: "a step or a marker is changed with the wrong key, and changed back",
    RIGHT_LATER: "a retreat is dragged to a wrong hex, and corrected after the enemy has done something else",
    TOO_SOON: "the turn track is advanced, set back for something forgotten, and advanced again",
    MOVED_BACK: "a result is carried out on the wrong side, and all counters are moved back",
    DICE_BY_THE_OTHER: "one player rolls the dice of the other",
    TWO_AT_ONCE: "two counters of a side are dragged alternately, a hex at a time, as if by two players",
    STAGED: "the reinforcements of a phase are first placed beside the map, and enter from there",
    ADVANCE_BACK: "a counter advances after a battle and then goes back, as the advance is optional",
    FROM_PALETTE: "a reinforcement is taken from the palette, and the one in its box is left or deleted",
    PIECEMEAL: "the counters of a stack that moves are dragged one by one, in any order",
    SPARE_HEX: "a reinforcement is first placed in an empty hex, and from there moved to its entry hex",
    PARKED: "a counter is put into a box for a moment, and back",
    WRONG_CASUALTY: "the wrong counter is eliminated and put back, then the right one is eliminated",
    LEAFED: "the turn track is moved some phases forward and back, or one back and forward again",
    UNDONE_TWICE: "two successive drags are taken back with Undo",
    REPLACED: "a counter on the map is deleted, and another copy placed in its hex from the palette",
    BY_PROXY: "a player moves the counters of the other, at his request",
    DETOUR: "a counter is put down in other hexes during its move, and not along the shortest path",
    MOVE_CHANGED: "a move is changed after another unit has moved",
    PICKED_UP: "moving counters are first put aside, and from there to the hex where their move ends",
    FANNED_OUT: "a stack is spread out over the hexes around it to be seen, and put together again",
    WRONG_BUTTON: "a die is rolled with the button for something else, before the right one",
    NUDGED: "a counter is dragged a little within its hex, as if to see what is beneath",
    WIPED: "movement trails and moved marks are removed in the middle of a phase",
    MARKED: "markers that do not belong to the game are placed on the attacked hexes",
    SWEPT_ALONG: "counters over which others are dragged come along, and are put back",
    ROLLED_AGAIN: "the die of a battle is rolled again, although the first roll counts",
    REHEARSED: "the next moves, even those of later phases, are tried out, and the counters dragged back",
    MOVED_ON: "a counter stops half way, and moves on after another has moved",
    SWAPPED: "a step loss is shown by another copy of the counter, and the first is deleted",
    REMEMBERED: "a step loss is not marked until the counter is used again, or two phases later",
    FLIPPED_FIRST: "a counter with several steps is turned to each of them before it is eliminated",
    MOVED_IN: "attackers are dragged onto the hex that they attack while the die is rolled, and back",
    ANY_ORDER: "the attacks of a phase are declared first, and resolved in another order",
    RESOLVED_TWICE: "a battle is resolved twice, and the second die counts",
    NO_DICE: "dice are rolled on a dice server, and the results are typed into the chat",
    TRACK_SET: "the turn track is set in its dialogue instead of being advanced",
    TRACK_AHEAD: "the turn track is always a phase ahead",
    TRACK_BEHIND: "the turn track is always a phase behind",
    EXCHANGED: "two counters are dragged each to where the other was to go, and exchanged",
    DIE_AFTERWARDS: "the result of a battle is carried out first, and its die rolled afterwards",
    REDONE: "what was done is taken back with Undo, and done again",
    COPIED: "a counter is copied by mistake, and the copy deleted",
    LAID_OUT: "the losses are laid out on the map to be counted, and put back",
    BEFORE_ITS_TIME: "a counter that waits in a box is laid on the map before its time, and put back",
    LEFT_BEHIND: "one counter of a stack that moves is forgotten, and follows when another has moved",
    DECLARED_TWICE: "an attack is declared twice, as nobody saw the first time",
    BATTLE_BOARD: "all who fight are laid beside the map while the die is rolled, and put back",
    TESTED_TWICE: "a die for a test is rolled again by agreement, and the second counts",
    TOO_FAR: "a counter is dragged beyond where its move ends, and back",
    ONE_ORDERLY: "only one player has the other habits, the opponent is orderly",
    CHATTED: "battles are announced in the chat, and a bare die is rolled",
    SORTED: "counters off the map are put into other boxes or beside the map, and stay there",
    LINED_UP: "at the beginning all counters off the map are lined up beside it, from where they enter",
    LIFTED: "a stack is put aside to see its hex, and put back when something is done there",
    TURNED_TO_REMEMBER: "counters that have moved are turned over as a reminder, and back later",
    STATE_REMINDS: "counters that have moved bear a marker as a reminder, which is taken off later",
    UNIT_AS_MARKER: "another copy of some unit marks the hex of a battle until the phase ends",
    REPLAYED: "a phase is begun, ended, set back and begun again by agreement",
    NOTICED_LATE: "the turn track is a phase too far, which is noticed after something was done",
    HALF_UNDONE: "a battle is rolled and its result carried out, and all is taken back with Undo",
    GRABBED_ALL: "all counters of a region are dragged by mistake, and put back",
    DELETED_UNDONE: "a counter is deleted by mistake, and Undo brings it back",
    POINTED: "a counter is dragged onto an enemy to ask about it, and back",
    TROPHY: "a casualty is put into the box of the enemy's losses",
    ANY_BATTLE: "attackers join the battle that was declared last, whichever it is",
    ANY_BUTTON: "dice are rolled with any button that rolls as many",
    DICE_AT_HOME: "some of the dice are rolled at home, and nothing is said",
    PUSHED_ASIDE: "a stack of the enemy is pushed aside, some of it into the sea, and put back",
    UNCOVERED: "a face-down counter is replaced by a copy from the palette, which is face up",
    SHADOW: "a copy of a counter that moves stays where it began until the phase ends",
    POINTER: "the hexes of a move are counted with another counter, which is put back",
    HIGH_ROLL: "both players roll for who begins, although that is in the rules",
    PACKED_UP: "in the end all counters are put away",
    MISLAID: "a counter that waits in a box is laid on the map from the palette by mistake, and deleted",
}
"""The habits by name, each with a description."""
