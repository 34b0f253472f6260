"""What each player may choose for himself, in VASSAL's window of preferences.

VASSAL makes a property of each, true or false, which holds on the machine of the player who acts.
"""

from __future__ import annotations

from vassalgen.vassal.components import BooleanPreference

TAB = "Battles and marks"
ANNOUNCE_CHANGES = "AnnounceChanges"
"""Whether a battle is announced whenever it changes, and not only when it is resolved or on demand."""
LOOK_UP_RESULT = "LookUpResult"
"""Whether resolving a battle also looks the result up, and does not only roll the die."""
KEEP_MOVED = "KeepMoved"
"""Whether the marks of having moved and the trails stay when a phase ends."""
LIST_OPEN = "ListOpen"
"""Whether open battles, retreats still due and units over the stacking limit are listed when a phase ends."""


def preferences() -> tuple[BooleanPreference, ...]:
    """The preferences, in the order of the window."""
    return (
        BooleanPreference(
            name=ANNOUNCE_CHANGES,
            tab=TAB,
            description="Announce a battle, with its odds, whenever it changes",
            default=True,
        ),
        BooleanPreference(
            name=LOOK_UP_RESULT,
            tab=TAB,
            description="Look up the result when a battle is resolved (else only the die is rolled)",
            default=True,
        ),
        BooleanPreference(
            name=KEEP_MOVED,
            tab=TAB,
            description="Keep marks of having moved and trails when I advance the turn track",
            default=False,
        ),
        BooleanPreference(
            name=LIST_OPEN,
            tab=TAB,
            description="List open battles, retreats due and overfull stacks when I advance the turn track",
            default=True,
        ),
    )


def chosen(name: str) -> str:
    """The condition that a preference is switched on."""
    return f"{name}==true"
