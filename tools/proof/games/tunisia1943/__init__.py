"""How the rules of Tunisia 1943 are broken, and what its module announces.

Mutators use the map, the plain facts of the table and slow literal readings, never the rules under proof.
"""

from __future__ import annotations

from tools.proof.breaking import Breaker
from tools.proof.games.tunisia1943 import (
    answering,
    attacking,
    breaking_through,
    headquarters,
    moving,
    odds,
    paying,
    results,
    retreating,
    setting_up,
    supplying,
    supporting,
    upkeep,
)
from tools.proof.games.tunisia1943.legal_after_all import called_for, finish, is_legal_after_all
from tools.proof.games.tunisia1943.odds import ROLLED, SUMMED, TESTED
from tools.proof.games.tunisia1943.openings import OPENINGS
from tools.proof.games.tunisia1943.roll_announcements import ROLL_ANNOUNCEMENTS

__all__ = ["BREAKER", "ROLL_ANNOUNCEMENTS"]

VERDICT = "who has won is announced by the program; no log holds a claim"
UNBROKEN = {
    **dict.fromkeys(("C1.9", "C1.10", "C1.11", "C1.12", "C2.8", "C2.9"), VERDICT),
    "0.1k": "the module has one counter for both of a unit of four steps",
    "1i": "a turn track that is advanced past a player phase means that its player passed",
    "4.1b": "all drags of a unit in a step are one move, whatever others did between them",
    "7.1h": "three units who might attack from a hex break the stacking limit before they can",
    "11c": "the module offers no more than two points of aviation",
    "12c": "four units with both Tigers in a hex, who might attack together, break 12b before they can",
}
"""Clauses whose breach no log shows, with the reason."""

ROOMS = (
    *(moving, paying, breaking_through, answering, attacking, supporting, odds),
    *(results, retreating, headquarters, supplying, upkeep, setting_up),
)

ANNOUNCED = "one announcement may be explained by more than one clause; the audit names the likeliest"
EXPLAINED = {
    **{f"announced_without_{clause.replace('.', '_')}": ANNOUNCED for clause in (*SUMMED, *TESTED, *ROLLED)},
    "from_zone_to_zone": "drags hex by hex that make no legal path are read by their ends, which another way"
    " may join",
    "armour_breaks_through_that_moved_before": "who moved since goes on moving after it, and the whole move"
    " counts when it ends",
    **dict.fromkeys(
        (
            "a_unit_moves_after_combat",
            "a_division_that_is_not_sustained_exploits",
            "an_independent_unit_exploits",
        ),
        "the first move after the turn track is advanced may belong to a phase before",
    ),
    "by_a_road_that_leads_elsewhere": "where the way crosses water off the road as well, that explains what"
    " it costs: 2.1d",
    "an_advance_into_a_held_hex": "it may have been made before those in the hex go, and waits for them; in"
    " the end it comes after the next attack: 7.1i",
    "an_em_outlives_its_division": "of a log that begins during a game without the module it is not known"
    " whether units off the map are lost or wait; and the text does not say whether an EM dies with those who"
    " fall in an attack of their own",
    "armour_that_was_stopped_goes_on": "a stopped unit that goes on may exploit already,"
    " with the turn track advanced late; that it did not make its compulsory attack is found",
}
DOUBTS = {
    "6.3c": "the text does not say whether a headquarters dies with those who fall in an attack of their own",
    "4.1b": "a drag after another unit's may correct an earlier one, so that it is only doubtful",
    "7.1i": "a headquarters of the attacked hex was taken off late, and who advances is read after all who"
    " leave",
    "C2.4": "a move is taken apart at an announcement, and of a part that was dragged the way is not known",
    "4.2b": "who entered the hex that a headquarters had left was dragged past it, by which way is not known",
}

BREAKER = Breaker.of(
    ROOMS,
    excuse=is_legal_after_all,
    finish=finish,
    openings=OPENINGS,
    unbroken=UNBROKEN,
    explained={
        f"announced_without_{clause.replace('.', '_')}": ANNOUNCED for clause in (*SUMMED, *TESTED, *ROLLED)
    }
    | EXPLAINED,
    doubts=DOUBTS,
    called_for=called_for,
)
