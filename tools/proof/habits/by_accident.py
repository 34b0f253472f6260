"""What happens to beginners: counters are put on the map by mistake, and taken off when that is noticed."""

from __future__ import annotations

from attrs import define

from tools.proof.habits import MISLAID
from tools.proof.habits.improvising import ImprovisingLogger
from tools.proof.playing import Step


@define(eq=False)
class AccidentLogger(ImprovisingLogger):
    """Plays the steps of a game as players with some habits do."""

    def _try_out(self, step: Step) -> None:
        super()._try_out(step)
        waiting = self._off_map(step.before, {*self.writer.game.map.boxes} - {*self.idiom.lost})
        if MISLAID in self.careless and waiting and self.rng.random() < 0.1:
            free = [one for one in self.writer.game.map.grid.names if not step.before.at(one)]
            self._mark_with(self.rng.choice(waiting), self.rng.choice(free))
