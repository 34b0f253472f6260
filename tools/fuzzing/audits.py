"""Whole audits of changed logs.

Most of the time of auditing a short log is spent on its opening position. So that is read once for a hundred
cases, each of which continues from there in a process of its own with other steps. The opening is changed
too: by more commands before the first step, and in some cases in the log itself.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from unittest import mock

from attrs import evolve, field, frozen

from referee.audit import audit
from referee.games import find_rules
from referee.mapping.modulemap import MappedModule, read_map
from referee.report.as_json import report_json
from referee.report.page import page
from referee.report.text import text_report
from referee.scenarios import named_scenario
from referee.table import EMPTY_MODULE, Log, ModulePlan, Replay, read_log, read_module
from tools.fuzzing.changing import changed_node, changed_tree
from tools.fuzzing.trials import Trial, UnjudgedError
from tools.proof.logs.game_logger import log_game
from tools.proof.logs.loggable import play_for_log
from tools.proof.logs.opening import opening_of
from vassalgen.compile import compile_game
from vassalgen.game.finding import open_game, shipped_games
from vassalgen.game.game import Game
from vassalgen.problems import BadInput
from vassalgen.vassal import streams
from vassalgen.vassal.streams import LOG, Node, Stream

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT / "tests" / "data"
CLUBS = LOGS / "clubs"
BY_DATA = {
    "alder": ROOT / "vassalgen" / "starters" / "alder",
    "orsa": ROOT / "tests" / "clubs" / "orsa",
}
"""Games whose rules are data alone."""
FEW, MANY = 8, 25
"""How many steps of a log are audited at most, and how many of a whole log."""


@frozen
class Base:
    """A log to be changed: its entries, the number of entries of its opening, its game,
    scenario and module.
    """

    name: str
    game: Game
    entries: tuple[Node, ...] = field(repr=False)
    setup: int
    module: ModulePlan = field(repr=False)
    scenario: str = ""

    def log(self, entries: Sequence[Node]) -> Log:
        """A log of other entries, whose steps are written and read again."""
        found = list(entries[self.setup :])
        written = streams.decode(streams.encode(Node("begin_save", tuple(found)))).root
        return Log(self.name, Stream(Node("begin_save", (*entries[: self.setup], *written.children))))


@cache
def opened(folder: str) -> Game:
    """A game, opened once."""
    return open_game(BY_DATA.get(folder, folder))


@cache
def module_of(folder: str) -> ModulePlan:
    """The compiled module of a game."""
    if folder not in BY_DATA:
        return opening_of(folder).module
    return _compiled(folder)


def _compiled(folder: str) -> ModulePlan:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as made:
        path = Path(made) / "module.vmod"
        compile_game(opened(folder)).write(path)
        return read_module(path)


@cache
def entries_of(path: Path) -> tuple[tuple[Node, ...], int]:
    """The entries of a log, and the number of them in its opening."""
    entries = read_log(path).stream.root.children
    return entries, _begun(entries)


def _begun(entries: Sequence[Node]) -> int:
    return next((place for place, one in enumerate(entries) if streams.is_step(one)), len(entries))


@lru_cache(2)
def played(game: str, seed: int) -> tuple[tuple[Node, ...], int]:
    """The entries of a log of a random game of one turn, and the number of them in its opening."""
    opening = opening_of(game)
    steps = play_for_log(find_rules(opened(game)).world(opened(game), ""), seed, 1).steps
    entries = log_game(opening, steps, seed).writer.log().stream.root.children
    return entries, _begun(entries)


def base(first: int) -> Base:
    """What the cases from a seed on change: a log of any game, with a module or without."""
    rng = random.Random(f"base {first}")  # noqa: S311 - the same cases every time
    chance = rng.random()
    if chance < 0.1:
        path = rng.choice(sorted(CLUBS.glob("*.vlog")))
        names = read_map(CLUBS / f"{path.name.partition('-')[0]}.map.toml")
        plan = read_module(CLUBS / f"{path.name.partition('-')[0]}.vmod")
        game, (entries, setup) = opened(names.game), entries_of(path)
        module: ModulePlan = MappedModule.of(plan, names)
        name = path.name
    elif chance < 0.15:
        folder = rng.choice(sorted(BY_DATA))
        path = next((LOGS / folder).glob("*.vlog"))
        name, game, (entries, setup) = path.name, opened(folder), entries_of(path)
        module = rng.choice((EMPTY_MODULE, module_of(folder)))
    else:
        folder = rng.choice(sorted(shipped_games()))
        name, game = "random game", opened(folder)
        if chance < 0.3:
            folder = sorted(shipped_games())[first // 2500 % 4]
            game, (entries, setup) = opened(folder), played(folder, first // 2500)
        else:
            path = rng.choice(sorted((LOGS / folder).glob("*.vlog")))
            name, (entries, setup) = path.name, entries_of(path)
        module = module_of(folder) if rng.random() < 0.5 else EMPTY_MODULE
    scenario = named_scenario([Log(name, Stream(Node("", entries[:setup])))], game)
    return Base(name, game, entries, setup, module, scenario or rng.choice(sorted(game.scenarios)))


def from_the_middle(rng: random.Random, found: Base) -> Base:
    """A log that begins later in the same game: the earlier steps become part of its opening."""
    later = rng.randrange(found.setup, max(found.setup + 1, len(found.entries) - FEW))
    begun = tuple(_without_log(entry) for entry in found.entries[found.setup : later])
    entries = (*found.entries[: found.setup], *begun, *found.entries[later:])
    return evolve(found, entries=entries, setup=later)


def _without_log(node: Node) -> Node:
    return Node(node.text.removeprefix(LOG), tuple(map(_without_log, node.children)))


def audits(first: int) -> Trial:
    """Audits of what the cases from a seed on change; each needs a process of its own."""
    whole = base(first)
    chosen = from_the_middle(random.Random(f"middle {first}"), whole)  # noqa: S311 - the same every time
    replay = Replay(chosen.log(chosen.entries[: chosen.setup]), chosen.module)
    _warm(chosen)

    def one(rng: random.Random) -> None:
        if rng.random() < 0.01:
            entries = whole.entries[: whole.setup + rng.randrange(1, MANY)]
            _check(rng, whole, changed_tree(rng, entries, whole.setup // 2, rng.randrange(1, 10)))
        else:
            last = chosen.setup + rng.randrange(1, FEW)
            steps_changed = changed_tree(rng, chosen.entries[chosen.setup : last], 0, rng.randrange(1, 5))
            for _ in range(rng.randrange(3) if rng.random() < 0.3 else 0):
                command = _any_command(rng, chosen.entries[: chosen.setup])
                replay._carry_out(changed_node(rng, command))
            _check(rng, chosen, [*chosen.entries[: chosen.setup], *steps_changed], chosen.scenario, replay)

    return one


def _warm(found: Base) -> None:
    """Audit a log as it is, so that all processes share what is calculated once for a game or module."""
    _warm_game(found.game.id)
    with suppress(BadInput):
        log = found.log(found.entries[: found.setup + FEW])
        list(text_report(report_json(audit([log], found.game, found.module), whole=False)))


@cache
def _warm_game(name: str) -> None:
    for path in sorted((LOGS / name).glob("breaches*.vlog")):
        audit([read_log(path)], opened(name))


def _any_command(rng: random.Random, entries: Sequence[Node]) -> Node:
    return evolve(rng.choice(list(rng.choice(entries).walk())), children=())


def long_audits(_: int) -> Trial:
    """Audits of whole logs, changed in many places; each takes seconds."""

    def one(rng: random.Random) -> None:
        found = base(rng.randrange(10**9) // 2500 * 2500)
        changed = changed_tree(rng, found.entries, found.setup, rng.randrange(1, 20))
        _check(rng, found, changed, with_page=True)

    return one


def _check(
    rng: random.Random,
    found: Base,
    entries: Sequence[Node],
    scenario: str = "",
    laid: Replay | None = None,
    *,
    with_page: bool = False,
) -> None:
    """Audit a log, and report it."""
    log = found.log(entries)
    if laid is None:
        report = audit([log], found.game, found.module, scenario)
    else:
        laid.log = log
        with mock.patch("referee.scribe.fact_finder.Replay", lambda *_: laid):
            report = audit([log], found.game, found.module, scenario)
    values = report_json(report, whole=with_page or rng.random() < 0.05)
    for _ in text_report(values):
        pass
    if with_page:
        page(values, found.game)
    if report.unjudged:
        raise UnjudgedError(report.unjudged[0].failure.trace)
    if values["unjudged"]:
        raise UnjudgedError(values["unjudged"][0]["error"])
