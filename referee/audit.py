"""Logs audited: log → table → record → rulings → findings.

    report = audit([read_log(path)], open_game("postcard1943"))
    for finding in report.findings:
        print(finding.id, finding.grade.name, finding.clause, finding.says)

Every finding is a breach that the rules found in an action which the scribe read; judging the report's record
finds the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from attrs import evolve, field, frozen

from referee.engine.actions import NEXT, Action
from referee.engine.clock import Calendar, Clock
from referee.engine.idiom import Idiom
from referee.engine.position import Position, World
from referee.engine.rulings import Breach, Grade
from referee.games import find_idiom, find_rules
from referee.mapping.mapped_view import through_map
from referee.mapping.modulemap import MappedModule
from referee.module_fit import game_of_counters
from referee.notes import NO_NOTES, Note, Notes
from referee.record import Adopt, Record, Statement
from referee.scenarios import likely_scenarios, named_scenario
from referee.scribe.fact_finder import FactFinder, LoggedFacts
from referee.scribe.noted import noted
from referee.scribe.phases import Phases
from referee.scribe.reading import Certainty, Reading, Unjudged, Unread
from referee.scribe.scribe import Scribe
from referee.table import EMPTY_MODULE, Log, ModulePlan
from vassalgen.game.game import Game, unknown
from vassalgen.game.scenarios import Scenario
from vassalgen.problems import BadInput, Problem


@frozen
class Finding:
    """A breach found in a log.

    ``id`` is the same whenever the same logs are audited: the place of the log, the step, the clause and the
    units. ``moment`` is the turn and phase in words. ``reading`` is the statement that was ruled on.
    ``agreed`` is the note that says that players agreed on it.
    """

    id: str
    log: str
    steps: tuple[int, ...]
    clock: Clock
    moment: str
    phase: str
    side: str
    player: str
    units: tuple[str, ...]
    hexes: tuple[str, ...]
    breach: Breach
    reading: Reading = field(repr=False)
    agreed: Note | None = None

    @property
    def grade(self) -> Grade:
        """The grade of the breach."""
        return self.breach.grade

    @property
    def clause(self) -> str:
        """The clause that is broken."""
        return self.breach.clause

    @property
    def says(self) -> str:
        """The breach in words."""
        return self.breach.says


@frozen
class Noted:
    """A note that was taken as fact, and the findings that depend on it.

    ``agreed`` are the findings that it agrees on; because of the note those that have ``gone`` are not found,
    and those that are ``new`` are.
    """

    note: Note
    agreed: tuple[Finding, ...] = ()
    gone: tuple[Finding, ...] = ()
    new: tuple[Finding, ...] = ()

    @property
    def rests(self) -> Mapping[str, tuple[Finding, ...]]:
        """The findings that depend on the note, by its effect on them."""
        return {"agreed": self.agreed, "gone": self.gone, "new": self.new}


@frozen
class Report:
    """What an audit found. ``steps`` counts those of each log, by name; ``unread`` is what is not an action.

    ``unjudged`` is where the referee failed: what follows in that turn is not proved. ``logged_facts`` are
    the logs as facts, which say what happened step by step. ``module`` is the part of a module that was used,
    and ``named`` the scenario if the user named it.
    """

    world: World
    readings: tuple[Reading, ...]
    findings: tuple[Finding, ...]
    unread: tuple[Unread, ...]
    logs: tuple[str, ...]
    steps: tuple[int, ...]
    players: tuple[str, ...]
    position: Position
    logged_facts: tuple[LoggedFacts, ...] = field(default=(), repr=False)
    unjudged: tuple[Unjudged, ...] = ()
    noted: tuple[Noted, ...] = ()
    module: ModulePlan = field(default=EMPTY_MODULE, repr=False)
    named: str = ""

    @property
    def record(self) -> Record:
        """The game as a record, with the readings chosen; comments say where in the logs it was read."""
        chosen = tuple(Statement(Adopt(*choice)) for choice in self.world.game.chosen.items())
        located = tuple(_with_source(reading, len(self.logs) > 1) for reading in self.readings)
        return Record(self.world.game.id, self.world.scenario.id, (*chosen, *located), world=self.world)

    def count(self, grade: Grade) -> int:
        """Return how many findings there are of a grade, without those that players agreed on."""
        return sum(finding.grade == grade and finding.agreed is None for finding in self.findings)


def audit(
    logs: Iterable[Log],
    game: Game,
    module: ModulePlan = EMPTY_MODULE,
    scenario: str = "",
    notes: Notes = NO_NOTES,
    *,
    cautious: bool = True,
) -> Report:
    """Audit logs that follow each other, of the scenario that is given or that the first log names.

    If none is named, it is the one whose set-up the first log begins with. Where it may be several, the
    likeliest is taken, and what would be no breach in another is unproven.

    It takes ``notes`` as fact as far as they say how the logs are read; ``disputes.py`` does the rest. Unless
    it is ``cautious``, no careless habit excuses anything.
    BadInput if the game has no rules, no idiom or no such scenario, if a log has no counters of the game, or
    if it contradicts a note.
    """
    logs = tuple(logs)
    idiom = find_idiom(game)
    if not idiom.move_verbs:
        right = "`referee page` shows the game without an audit"
        raise BadInput(
            Problem(game.id, "", "there is no rulebook for this game, so its logs cannot be audited", right)
        )
    known = scenario or named_scenario(logs, game)
    names = (known,) if known else _guessed(logs, game, module)
    read = partial(_audited, logs, game, module, idiom=idiom, notes=notes, cautious=cautious)
    reports = [read(name) for name in names]
    report = reports[0] if len(reports) == 1 else _held(reports[0], reports[1:])
    return evolve(report, named=scenario)


def _audited(
    logs: Sequence[Log],
    game: Game,
    module: ModulePlan,
    scenario: str,
    idiom: Idiom,
    notes: Notes,
    *,
    cautious: bool,
) -> Report:
    world = find_rules(game).world(game, scenario)
    fact_finder = _fact_finder(game, world.calendar, module)
    scribe = Scribe(world, idiom, cautious=cautious)
    logged_facts = [_watched(fact_finder, log) for log in logs]
    scribe.read(*(noted(one, number, notes, world) for number, one in enumerate(logged_facts)))
    names = [seen.log for seen in logged_facts]
    unjudged = tuple(scribe.draft.unjudged)
    readings = _doubting_what_follows(scribe.draft.readings, unjudged)
    readings = tuple(_wholly_doubted(one, logged_facts[one.log].unproven) for one in readings)
    return Report(
        world=world,
        readings=readings,
        findings=tuple(_findings(readings, names)),
        unread=tuple(scribe.draft.unread),
        logs=tuple(names),
        steps=tuple(seen.count for seen in logged_facts),
        players=tuple(dict.fromkeys(player for seen in logged_facts for player in seen.players)),
        position=scribe.draft.position,
        logged_facts=tuple(logged_facts),
        unjudged=unjudged,
        module=module,
    )


def _doubting_what_follows(readings: Sequence[Reading], unjudged: Sequence[Unjudged]) -> tuple[Reading, ...]:
    """The readings, with everything unproven in the rest of a turn in which something could not be judged."""
    doubted = partial(_doubted, why="an earlier action of this turn could not be judged")
    failed = iter(sorted((one.log, one.step) for one in unjudged))
    place, turn = next(failed, None), 0
    found: list[Reading] = []
    for reading in readings:
        while place is not None and place <= (reading.log, reading.steps[-1]):
            turn, place = reading.after.clock.turn, next(failed, None)
        found.append(_regraded(reading, doubted) if reading.before.clock.turn <= turn else reading)
    return tuple(found)


def _wholly_doubted(reading: Reading, why: str) -> Reading:
    """A reading of a log in which nothing is proof, because something is unknown."""
    if not why:
        return reading

    def doubted(one: Breach) -> Breach:
        if one.grade <= Grade.unproven:
            return one
        return evolve(one, grade=Grade.unproven, facts={**one.facts, "not proved because": why})

    return _regraded(reading, doubted)


def _guessed(logs: Sequence[Log], game: Game, module: ModulePlan) -> tuple[str, ...]:
    """The possible scenarios, the likeliest first, according to the beginning of the first log."""
    if len(game.scenarios) < 2:
        return tuple(game.scenarios)
    calendar = Calendar.of(game, next(iter(game.scenarios.values())))
    opening = _fact_finder(game, calendar, module).opening(logs[0]) if logs else {}
    return likely_scenarios(opening, game)


def _held(report: Report, others: Sequence[Report]) -> Report:
    """A report under one of several scenarios: what the others do not find too is unproven."""
    alike = [{(one.log, one.steps, one.clause, one.units) for one in other.findings} for other in others]
    scenario = report.world.scenario.title
    doubtful = {
        id(one.breach): _doubted(
            one.breach, f"assuming the scenario {scenario!r}, which the log does not name"
        )
        for one in report.findings
        if not all((one.log, one.steps, one.clause, one.units) in found for found in alike)
    }

    def held(breach: Breach) -> Breach:
        return doubtful.get(id(breach), breach)

    text = (
        f"the log does not say which scenario is played; {scenario!r} is assumed (--scenario chooses another)"
    )
    return evolve(
        report,
        readings=tuple(_regraded(one, held) for one in report.readings),
        findings=tuple(
            evolve(
                one,
                breach=held(one.breach),
                reading=_regraded(one.reading, held),
            )
            for one in report.findings
        ),
        unread=(Unread(0, text), *report.unread),
    )


def _doubted(breach: Breach, why: str) -> Breach:
    return evolve(
        breach, says=f"{breach.says.removesuffix('.')} ({why}).", grade=min(breach.grade, Grade.unproven)
    )


def _regraded(reading: Reading, change: Callable[[Breach], Breach]) -> Reading:
    """A reading with its breaches changed, if it was ruled on."""
    if reading.ruling is None:
        return reading
    return evolve(
        reading, ruling=evolve(reading.ruling, breaches=tuple(map(change, reading.ruling.breaches)))
    )


def logged_facts(
    logs: Iterable[Log], game: Game, module: ModulePlan = EMPTY_MODULE, scenario: str = ""
) -> tuple[Scenario, tuple[LoggedFacts, ...]]:
    """Take the facts of consecutive logs, without a reading and without rules.

    BadInput if the game has no such scenario, or if a log has no counters of the game.
    """
    logs = tuple(logs)
    name = scenario or named_scenario(logs, game) or _guessed(logs, game, module)[0]
    if name not in game.scenarios:
        raise BadInput(Problem(game.id, name, "there is no such scenario", unknown(name, game.scenarios)))
    chosen = game.scenarios[name]
    fact_finder = _fact_finder(game, Calendar.of(game, chosen), module)
    return chosen, tuple(_watched(fact_finder, log) for log in logs)


def _fact_finder(game: Game, calendar: Calendar, module: ModulePlan) -> FactFinder:
    """A fact finder for a module's logs; if the module was not built here, with the map of its names."""
    look = through_map(module.names) if isinstance(module, MappedModule) else None
    return FactFinder(game, Phases(game, calendar), module, look)


def _watched(fact_finder: FactFinder, log: Log) -> LoggedFacts:
    seen = fact_finder.watch(log)
    count = len(seen.opening)
    if count <= seen.foreign:
        others = [name for name, found in game_of_counters(log).items() if found > 2 * count]
        if others or not count:
            wrong = f"the log has {count or 'no'} counter{'s' * (count > 1)} of {fact_finder.game.title}"
            right = (
                f"its counters are those of {others[0]}: --game {others[0]}"
                if others
                else "name another game with --game"
            )
            raise BadInput(Problem(log.name, "", wrong, right))
    return seen


def _findings(readings: Sequence[Reading], logs: Sequence[str]) -> Iterable[Finding]:
    """The findings; what an action broke is not found in the same words again when its phase ends."""
    seen: Counter[str] = Counter()
    seen_at: dict[tuple[Clock, str, str], Grade] = {}
    for reading in readings:
        if reading.ruling is None:
            continue
        for breach in reading.ruling.breaches:
            key = (reading.before.clock, breach.clause, breach.says)
            if reading.ruling.action.verb == NEXT.name and key in seen_at and seen_at[key] >= breach.grade:
                continue
            seen_at[key] = breach.grade
            units, hexes = _who_and_where(reading, breach)
            words = [str(reading.steps[-1]), breach.clause, *units]
            if len(logs) > 1:
                words.insert(0, str(reading.log + 1))
            id_ = ":".join(words)
            seen[id_] += 1
            if seen[id_] > 1:
                id_ = f"{id_}:{seen[id_]}"
            before = reading.before
            yield Finding(
                id=id_,
                log=logs[reading.log],
                steps=reading.steps,
                clock=before.clock,
                moment=before.world.calendar.say(before.clock),
                phase=before.phase,
                side=reading.side or before.side,
                player=reading.player,
                units=units,
                hexes=hexes,
                breach=breach,
                reading=reading,
            )


def _who_and_where(reading: Reading, breach: Breach) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The units and hexes that a breach concerns: from its facts, or else from the action, or from its
    battle.
    """
    game = reading.before.game
    units = [word for word in breach.words if word in game.counters]
    hexes = [word for word in breach.words if word in game.map.grid]
    action = reading.statement.content
    if isinstance(action, Action):
        units = units or list(action.pieces)
        hexes = hexes or [name for name in (*action.path, action.target) if name]
        battle = reading.before.battle(action.battle) if action.battle else None
        hexes = hexes or ([battle.target] if battle else [])
    return tuple(dict.fromkeys(units)), tuple(dict.fromkeys(hexes))


def _with_source(reading: Reading, several: bool) -> Statement:
    """A statement with a comment that says where it was read and, unless it was obvious, how."""
    steps = ", ".join(map(str, reading.steps))
    words = f"log {reading.log + 1}, step {steps}" if several else f"step {steps}"
    if reading.certainty in (Certainty.inferred, Certainty.ambiguous, Certainty.adopted):
        words += f"; {reading.certainty.value}"
    return Statement(reading.statement.content, comment=words)
