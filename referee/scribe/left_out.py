"""What players, or their module, leave out of a log."""

from __future__ import annotations

from attrs import frozen


@frozen
class LeftOut:
    """What a log does not contain, which leaves open what led to the things that it shows.

    ``announcements``: the module announces nothing. ``battles``: there are phases of battles, but neither
    attacks nor dice that a unit may have rolled. ``all_dice``: attacks are declared, but there are no such
    dice; ``some_dice``: several battles have results, but no die, or only the die with which the
    defenders answer, or units recover without their roll beside such a battle. ``commands``: dice of battles
    are rolled with a button alone, or any dice in a battle that has none of its own.
    """

    announcements: bool = False
    battles: bool = False
    all_dice: bool = False
    some_dice: bool = False
    commands: bool = False
