"""Replays a log as VASSAL would: where everything is after each step. Knows no rules.

    from referee.table import Replay, read_log, read_module

    replay = Replay(read_log(path), read_module(module_path))
    for step in replay.steps():
        print(step.number, step.player, *step.events)

:class:`Table` is what is on the table now, :mod:`.events` what a step did to it, :mod:`.snapshot` both as
plain data.
"""

from referee.table.module import EMPTY_MODULE, ModulePlan
from referee.table.module_file import read_module
from referee.table.replay import Log, Replay, read_log
from referee.table.table import Player, Table

__all__ = ["EMPTY_MODULE", "Log", "ModulePlan", "Player", "Replay", "Table", "read_log", "read_module"]
