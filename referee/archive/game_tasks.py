"""The tasks for the games: with which rules, module, map and data each is judged, if it can be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from attrs import define, evolve, field

from referee.archive.corrections import Corrections, Given
from referee.archive.database import UNJUDGED, GameRow
from referee.archive.file_facts import MODULE, FileFacts
from referee.archive.files import Found, Place, digest_of
from referee.archive.sorting import GameLogs
from referee.archive.tasks import AuditTask, Source
from referee.games import find_idiom, find_rules
from referee.mapping.modulemap import ModuleMap, game_of_map, read_map
from referee.versions import data_version, rules_version
from vassalgen.game.finding import games_titled, named_in_a_file, open_game
from vassalgen.problems import BadInput, Problem
from vassalgen.vassal.limits import Limits


@define
class GameTasks:
    """How each game is judged."""

    limits: Limits
    reveal: bool
    found: Mapping[str, Sequence[Found]]
    file_facts: Mapping[str, FileFacts]
    corrections: Corrections
    maps: Sequence[ModuleMap] = ()
    _modules: dict[str, dict[str, str]] = field(init=False)
    _versions: dict[tuple[str, tuple[str, ...]], tuple[str, str] | str] = field(factory=dict)
    _titled: dict[str, tuple[str, ...]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._modules = defaultdict(dict)
        for digest, one in self.file_facts.items():
            if one.kind == MODULE:
                self._modules[one.module].setdefault(one.version, digest)

    def row(self, line: GameLogs, number: int, branch_of: int | None) -> tuple[GameRow, AuditTask | None]:
        """Return a sorted game, and the task that judges it; None if it cannot be judged."""
        given = line.given or Given(())
        logs = [self.file_facts[log] for log in line.logs]
        last = logs[-1]
        row = GameRow(
            number=number,
            logs=line.logs,
            shared=line.shared,
            title=given.title or last.comment,
            season=given.season or self._season(line, logs),
            module=last.module,
            module_version=last.version,
            branch_of=branch_of,
            moved=line.moved,
        )
        names = read_map(Path(given.map)) if given.map else self._map(last)
        try:
            game = given.game or (game_of_map(names) if names else self._game(last.module))
        except BadInput as error:
            return evolve(row, status=str(error.problems[0])), None
        if not game:
            words = f"the module {last.module!r} is of no installed game" if last.module else ""
            return evolve(row, status=words or "the log does not say which module it was made with"), None
        rules = self.corrections.rules.get(Path(game).name)
        data = rules.data if rules else ()
        versions = self._version(game, data)
        if isinstance(versions, str):
            return evolve(row, status=versions), None
        rules_hash, data_hash = versions
        task = AuditTask(
            logs=tuple(self._source(log) for log in line.logs),
            game=game,
            limits=self.limits,
            shared=line.shared,
            module=self._module(given, last),
            module_map=_file(names.file) if names else None,
            scenario=given.scenario,
            data=data,
            rulings=(*(rules.rulings if rules else ()), *given.rulings),
            notes=_file(given.notes),
            reveal=self.reveal,
            rules=rules_hash,
            data_hash=data_hash,
        )
        return evolve(row, status=UNJUDGED, fingerprint=task.fingerprint), task

    def _source(self, digest: str) -> Source:
        return Source(self.found[digest][0].place, digest)

    def _season(self, line: GameLogs, logs: Sequence[FileFacts]) -> str:
        places = [one.place.posix for log in line.own for one in self.found[log]]
        saved = max(one.saved for one in logs)
        year = str(datetime.fromtimestamp(saved / 1000, UTC).year) if saved > 0 else ""
        return self.corrections.season(places) or year

    def _game(self, module: str) -> str:
        """The game of a module; empty if it belongs to none, or to several."""
        if module not in self._titled:
            self._titled[module] = games_titled(module) if module else ()
        found = self._titled[module]
        return found[0] if len(found) == 1 else ""

    def _map(self, log: FileFacts) -> ModuleMap | None:
        """The map for the module of a log, preferably for its version; None if the module is one of ours."""
        if not log.module or self._game(log.module):
            return None
        fitting = [one for one in self.maps if one.module == log.module]
        return next((one for one in fitting if one.version == log.version), fitting[-1] if fitting else None)

    def _version(self, game: str, data: tuple[str, ...]) -> tuple[str, str] | str:
        """The versions of the rules and the data of a game, or why it cannot be judged."""
        if (game, data) not in self._versions:
            try:
                opened = open_game(named_in_a_file(game), data)
                find_rules(opened)
                if not find_idiom(opened).move_verbs:
                    raise BadInput(
                        Problem(
                            game,
                            "",
                            "there is no rulebook for this game",
                            "a game of vassalgen list, or a folder",
                        )
                    )
                self._versions[game, data] = rules_version(opened.id), data_version(opened)
            except BadInput as error:
                self._versions[game, data] = str(error.problems[0])
        return self._versions[game, data]

    def _module(self, given: Given, log: FileFacts) -> Source | None:
        """The module that was named, or else that of the log; another version if that one is missing."""
        if given.module:
            return _file(given.module)
        versions = self._modules.get(log.module, {}) if log.module else {}
        if not versions:
            return None
        if log.version in versions:
            return self._source(versions[log.version])
        return self._source(versions[max(versions)])


def _file(path: str) -> Source | None:
    """A file named by the corrections; BadInput if it does not exist."""
    if not path:
        return None
    return Source(Place(path), digest_of(Path(path)))
