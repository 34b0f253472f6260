"""Outcomes of battles: how grave it is that another outcome was carried out than the right one."""

from __future__ import annotations

from referee.engine.rulings import Grade
from vassalgen.game.provenance import Provenance


def grade_of_outcome(played: str, right: str, table: Provenance, *, announced: str = "") -> Grade:
    """Return the grade of a battle whose outcome ``played`` is not the ``right`` one of its tables.

    ``table`` is the least certain of the data that the right outcome rests on, ``announced`` the outcome
    that the module printed in the chat. Where both outcomes are the same, what was wrong on the way there is
    bookkeeping. Else it is proved if a printed table or one of the rulebook says so, or if the module
    announced the right outcome and players did something else; a reconstructed table alone proves nothing.
    """
    if played == right:
        return Grade.slip
    if table.kind != "reconstruction" or announced == right:
        return Grade.illegal
    return Grade.unproven
