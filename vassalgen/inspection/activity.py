"""What players did in a log, counted."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from vassalgen.inspection.facts import Activity, PlayerActivity, PlayerFacts
from vassalgen.inspection.findings import Gathering
from vassalgen.inspection.reading import read
from vassalgen.vassal.commands import (
    AddPiece,
    AddPlayer,
    ChangePiece,
    ChangeProperty,
    Chat,
    Command,
    MovePiece,
    RemovePiece,
    SetTurn,
    ShowDice,
    Undo,
)
from vassalgen.vassal.streams import Node

_NAME = re.compile(r"^<(.*?)> - |<([^<>]*)>\s*$|^\* \* <(.*?)> ")
"""Where VASSAL's own formats put the player's name: chat, dice, turn. [build.module.Chatter, DiceButton]"""
_ROLL = "***"
"""The start of VASSAL's own line for a roll. [build.module.DiceButton]"""
_RESULT = "_result"
"""The suffix of the property in which a dice button stores its faces. [build.module.DiceButton]"""
_KINDS: dict[type[Command], str] = {MovePiece: "moves", ChangePiece: "changes", SetTurn: "turns"}


def activity_of(
    steps: Sequence[Node], seats: Mapping[str, PlayerFacts], stacks: set[str], findings: Gathering
) -> tuple[Activity, tuple[PlayerActivity, ...], tuple[PlayerFacts, ...]]:
    """What all players did, what each did (most steps first), and who joined during the log.

    ``seats`` are the players at the start by their passwords, ``stacks`` the ids of the stacks at the start.
    """
    now = dict(seats)
    stacks = set(stacks)
    known = {(player.name, player.side) for player in seats.values()}
    joined: list[PlayerFacts] = []
    counts: dict[str | None, Counter[str]] = {}
    for number, step in enumerate(steps, 1):
        commands = [read(node, f"step {number}", findings) for node in step.walk()]
        carried = [command for command in commands if command is not None]
        for command in carried:
            if isinstance(command, AddPlayer):
                player = PlayerFacts(command.name, command.side, number)
                now[command.password] = player
                if (player.name, player.side) not in known:
                    known.add((player.name, player.side))
                    joined.append(player)
        counts.setdefault(_actor(carried, now), Counter()).update(_count(carried, stacks))
    each = [PlayerActivity(name, Activity(**count)) for name, count in counts.items()]
    each.sort(key=lambda one: (one.player is None, -one.activity.steps, one.player or ""))
    everyone: Counter[str] = sum(counts.values(), Counter())
    return Activity(**everyone), tuple(each), tuple(joined)


def _count(carried: Sequence[Command], stacks: set[str]) -> Counter[str]:
    """The contents of one step; new stacks are added to ``stacks``."""
    found = Counter(steps=1)
    for command in carried:
        match command:
            case AddPiece(id=str(name), type="stack"):
                stacks.add(name)
            case AddPiece():
                found["added"] += 1
            case RemovePiece():
                found["removed"] += command.id not in stacks
            case Chat():
                found["reports" if command.text.startswith(("*", "-")) else "chat"] += 1
            case _ if type(command) in _KINDS:
                found[_KINDS[type(command)]] += 1
    if any(isinstance(command, Undo) for command in carried):
        return Counter(steps=1, undos=1)
    found["rolls"] = _rolls(carried)
    return found


def _rolls(carried: Sequence[Command]) -> int:
    """The number of rolls in a step.

    Each dice button leaves a property, symbolic dice a command, and old ones only their line.
    """
    published = sum(isinstance(one, ChangeProperty) and one.name.endswith(_RESULT) for one in carried)
    shown = sum(isinstance(one, ShowDice) for one in carried)
    chatted = sum(isinstance(one, Chat) and one.text.startswith(_ROLL) for one in carried)
    return max(published, shown, chatted)


def _actor(carried: Sequence[Command], seats: Mapping[str, PlayerFacts]) -> str | None:
    """Who acted: the id in a move, or else the name in a line of chat; None if neither is present."""
    for command in carried:
        if isinstance(command, MovePiece) and command.player in seats:
            return seats[command.player].name
    names = {player.name for player in seats.values()}
    for command in carried:
        if isinstance(command, Chat):
            match = _NAME.search(html.unescape(command.text))
            for name in match.groups() if match else ():
                if name in names:
                    return name
    return None
