"""Outcomes of battles: the grade of a finding when a wrong outcome was carried out."""

from __future__ import annotations

from referee.engine.rulings import Grade
from vassalgen.game.provenance import Provenance


def grade_of_outcome(played: str, right: str, table: Provenance, *, announced: str = "") -> Grade:
    """Return the grade of a battle whose outcome ``played`` differs from the ``right`` one of its
    tables.

    ``table`` is the least certain of the data on which the right outcome depends, ``announced`` the outcome
    that the module wrote into the chat. If both outcomes are the same, an error on the way is bookkeeping.
    Otherwise it is proved if a printed table or one of the rulebook says so, or if the module announced the
    right outcome and players did something else; a reconstructed table alone proves nothing.
    """
    if played == right:
        return Grade.slip
    if table.kind != "reconstruction" or announced == right:
        return Grade.illegal
    return Grade.unproven
