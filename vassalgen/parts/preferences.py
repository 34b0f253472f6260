"""The settings that each player can choose in VASSAL's preferences window.

VASSAL makes each of them a property, true or false, which applies on the machine of the player who acts.
"""

from __future__ import annotations

from vassalgen.vassal.components import BooleanPreference

TAB = "Battles and marks"
ANNOUNCE_CHANGES = "AnnounceChanges"
"""Whether a battle is announced at every change, and not only when it is resolved or on demand."""
LOOK_UP_RESULT = "LookUpResult"
"""Whether resolving a battle also looks up the result, instead of only rolling the die."""
KEEP_MOVED = "KeepMoved"
"""Whether "moved" marks and trails are kept when a phase ends."""
LIST_OPEN = "ListOpen"
"""Whether open battles, outstanding retreats and overstacked units are listed when a phase ends."""


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
    """The condition that a preference is on."""
    return f"{name}==true"
