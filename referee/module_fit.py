"""Whether a module and a game fit a log: a wrong one names the wrong hexes, boxes and phases.

A module fits if it has the place names that are in the log. A module of another game or layout is rejected.
If it is another version of the log's module, only the parts that fit are used, and the rest is taken from the
log.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import evolve, frozen

from referee.scenarios import remembered
from referee.scribe.phases import shows_turns_of
from referee.scribe.roster import Roster
from referee.scribe.spots import logged_spots, remembered_spots
from referee.table import EMPTY_MODULE, Log, ModulePlan, Replay
from vassalgen.announcements import BEGUN_WITH
from vassalgen.game.finding import game_titles, open_game
from vassalgen.problems import BadInput, Problem

FEW = 2
"""How many places a log must name to distinguish layouts."""


class WrongModule(BadInput):
    """A module of another game or another layout than a log."""


@frozen
class Fitted:
    """A module without the parts that do not fit the logs, and remarks about them."""

    module: ModulePlan
    remarks: tuple[str, ...] = ()


@frozen
class Places:
    """How many of the places that a log names have this name in a module, and how many do not.

    ``maps`` are the maps of the log that the module does not have.
    """

    same: int
    other: tuple[str, ...] = ()
    maps: tuple[str, ...] = ()

    @property
    def are_another_layout(self) -> bool:
        """Whether the module has another layout than the log."""
        few = self.same + len(self.other) < FEW
        return bool(self.maps) or (not few and self.same <= len(self.other))

    @property
    def are_proof(self) -> bool:
        """Whether the places alone show that it is the layout of the log."""
        return not self.maps and self.same >= FEW and self.same > len(self.other)

    def __str__(self) -> str:
        if self.maps:
            return f"it has no map {', '.join(self.maps)}"
        count = self.same + len(self.other)
        return f"{len(self.other)} of the {count} places that the log names have another name in it"


def fit_module(logs: Sequence[Log], module: ModulePlan, file: str = "", title: str = "") -> Fitted:
    """Return the parts of a module that fit some logs.

    ``title`` is that of their game, if known. WrongModule if the module is of another game or layout;
    ``file`` is its name in messages.
    """
    remarks: list[str] = []
    for log in logs if module.known else ():
        places = _places(log, module)
        wanted = log.module or title
        is_same = module.name == wanted or not (wanted and module.name)
        if (places.are_another_layout or not is_same) and not places.are_proof:
            if not is_same or log.version in ("", module.version):
                raise _refused(log, module, file, places if is_same else None)
            versions = f"it is version {module.version}, {log.name} was made with version {log.version}"
            return Fitted(EMPTY_MODULE, (f"the module is not used: {versions}, and {places}",))
        if not is_same:
            remarks.append(
                f"{log.name} was made with the module {wanted!r}; {module.name!r} has the same places"
            )
        if places.other:
            remarks.append(
                f"the module does not fit {log.name} everywhere: {places}; the names in the log count"
            )
        wrong = [one for one in module.trackers if not shows_turns_of(one, log)]
        if wrong:
            module = evolve(module, trackers=tuple(one for one in module.trackers if one not in wrong))
            remarks.append(
                f"the turn track of the module does not fit {log.name}; the turns in the log count"
            )
    return Fitted(module, tuple(remarks))


_KEPT = (
    "the counters of a game keep the commands of the version with which it was begun, unless it is converted "
    "with vassalgen migrate"
)


def mixed_versions(logs: Sequence[Log]) -> Iterator[str]:
    """Remarks about a game whose logs were made with different versions of its module.

    It may have been begun with yet another one, and been saved in that of the log since.
    """
    for before, log in pairwise(logs):
        if before.module == log.module and before.version and log.version and before.version != log.version:
            yield (
                f"{log.name} was made with version {log.version} of the module, {before.name} with version "
                f"{before.version}; {_KEPT}"
            )
    for log in logs[:1]:
        begun = remembered(log, BEGUN_WITH)
        if begun and log.version and begun != log.version:
            yield (
                f"{log.name} was made with version {log.version} of the module, and the game begun with "
                f"version {begun}; {_KEPT}"
            )


def _refused(log: Log, module: ModulePlan, file: str, places: Places | None) -> WrongModule:
    made_with = (
        f"{log.module!r} version {log.version}".removesuffix(" version ") if log.module else "another one"
    )
    if places is None:
        wrong = f"is the module {module.name!r}; {log.name} was made with {made_with}"
    else:
        wrong = f"has another layout than the module that {log.name} was made with: {places}"
    return WrongModule(
        Problem(file or module.name, "", wrong, "use the module of the log, or leave out --module")
    )


def _places(log: Log, module: ModulePlan) -> Places:
    table = Replay(log, module).table
    named = {*remembered_spots(table), *logged_spots(log)}
    found = {
        (spot, name, table.location_at(map_, spot.x, spot.y))
        for spot, name in named
        if (map_ := table.map_named(spot.map)) is not None
    }
    other = tuple(sorted(name for _, name, here in found if name != here))
    return Places(len(found) - len(other), other, tuple(sorted(table.unknown_maps)))


def game_of_counters(log: Log) -> dict[str, int]:
    """Return how many counters of each known game a log has, highest first; without games that have none."""
    table = Replay(log).table
    found: dict[str, int] = {}
    for name in game_titles():
        try:
            roster = Roster(open_game(name))
        except BadInput:
            continue
        found[name] = len({one.id for piece in table.pieces() if (one := roster.counter(table, piece))})
    return {name: count for name, count in sorted(found.items(), key=lambda one: -one[1]) if count}
