"""Carrying out a task: the facts of a file, or the verdict on a game as plain values.

Only a game's own logs are counted here: those shared with the game from which it branches are counted there.
A verdict contains only what the public may see of a game, unless the task says that everything is to be
shown.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import attrs

from referee.archive.file_facts import FileFacts, read_file_facts
from referee.archive.heat_map import heat_map
from referee.archive.redacting import redacted
from referee.archive.tasks import AuditTask, FactsTask, Source, Task
from referee.audit import Report
from referee.commands import Choice
from referee.engine.actions import Action
from referee.engine.rulings import Grade
from referee.games import find_rules
from referee.mapping.art import artwork_of
from referee.module_fit import WrongModule
from referee.report.as_json import GRADES, report_json
from referee.report.page import page
from referee.report.visibility import Viewer
from referee.report.withheld import withheld_from
from referee.versions import data_version, rules_version
from vassalgen.game.finding import named_in_a_file, open_game
from vassalgen.game.game import Game
from vassalgen.problems import BadInput, Problem

Verdict = dict[str, Any]
CLAIM = "claim"
"""The verb with which a side claims victory, in every game."""


def carry_out(task: Task) -> FileFacts | Verdict:
    """Carry out a task; BadInput if its files cannot be read or judged."""
    return judge(task) if isinstance(task, AuditTask) else _read_facts(task)


def _read_facts(task: FactsTask) -> FileFacts:
    with task.source.opened(task.limits) as path:
        return read_file_facts(path, task.limits)


def judge(task: AuditTask) -> Verdict:
    """Audit a game and return the verdict."""
    _check_versions(task)
    with ExitStack() as stack:
        paths = [stack.enter_context(one.opened(task.limits)) for one in task.logs]
        module = stack.enter_context(task.module.opened(task.limits)) if task.module else None
        names = stack.enter_context(task.module_map.opened(task.limits)) if task.module_map else None
        notes = stack.enter_context(task.notes.opened(task.limits)) if task.notes else None
        data = [Path(one) for one in task.data]
        game = str(named_in_a_file(task.game))
        choice = Choice(
            module=module,
            game=game,
            scenario=task.scenario,
            data=data,
            rulings=[*task.rulings],
            limit=task.limits,
            map=names,
            notes=notes,
        )
        without = ""
        try:
            report = choice.audit(*paths)
        except WrongModule as error:
            report = attrs.evolve(choice, module=None).audit(*paths)
            without = str(error.problems[0].wrong)
    _check_logs(task.logs, report)
    viewer = Viewer(reveal=task.reveal)
    shown_report = report_json(report, viewer)
    verdict = _verdict(report, shown_report, task.shared)
    verdict["result"] = _result(report, viewer)
    verdict["without_module"] = without
    if task.page:
        shown = redacted(shown_report, dict(task.instead)) if task.redacted else shown_report
        artwork = artwork_of(report.module, report.world.game, task.limits)
        verdict["page"] = page(shown, report.world.game, home="../index.html", artwork=artwork)
    return verdict


def _check_versions(task: AuditTask) -> None:
    """Raise BadInput if this is not the version of the program for which the task is meant."""
    game = open_game(named_in_a_file(task.game), task.data)
    if (rules_version(game.id), data_version(game)) != (task.rules, task.data_hash):
        wrong = "the rules or data are not the ones that the archive was started with"
        right = "run it again, with the same version on every machine"
        raise BadInput(Problem(game.id, "", wrong, right), passing=True)


def _check_logs(sources: Sequence[Source], report: Report) -> None:
    for source, log in zip(sources, report.logged_facts, strict=True):
        if log.digest != source.digest:
            wrong = "changed while the archive was read"
            raise BadInput(Problem(str(source.place), "", wrong, "run it again"), passing=True)


def _verdict(report: Report, shown_report: Mapping[str, Any], shared: int) -> Verdict:
    """The part of an audit that is stored."""
    game = report.world.game
    first = shown_report["logs"][shared]["first"]
    steps = {one["at"]: one for one in shown_report["steps"]}
    findings = [one for one in shown_report["findings"] if one["at"] >= first]
    number = {log["first"]: place for place, log in enumerate(shown_report["logs"])}
    seats = {one["name"]: one["side"] for one in shown_report["players"]}

    def log_of(at: int) -> int:
        return number[max(begun for begun in number if begun <= at)]

    actions = [
        {
            "log": log_of(one["at"]),
            "step": one["steps"][-1],
            "turn": steps[one["at"]]["turn"],
            "player": steps[one["at"]]["player"],
            "side": seats.get(steps[one["at"]]["player"], ""),
            "says": one["says"],
            "read": one["read"],
            "grade": one["grade"],
        }
        for one in shown_report["readings"]
        if one["grade"] is not None and one["at"] >= first
    ]
    kept = ("game", "title", "scenario", "scenario_title", "players", "judged", "basis", "notes")
    return {
        **{name: shown_report[name] for name in kept},
        "sides": shown_report["sides"],
        "logs": shown_report["logs"],
        "steps": sum(log["steps"] for log in shown_report["logs"][shared:]),
        "summary": {grade: sum(one["grade"] == grade for one in findings) for grade in GRADES},
        "withheld": shown_report["withheld"],
        "unjudged": [one for one in shown_report["unjudged"] if one["at"] >= first],
        "unread": [one for one in shown_report["unread"] if one["at"] >= first],
        "unusual": [one for one in shown_report["unusual"] if one["at"] >= first],
        "battles": [one for one in shown_report["battles"] if one["at"] >= first],
        "losses": [one for one in shown_report["losses"] if one["at"] >= first],
        "findings": [{**one, "number": log_of(one["at"])} for one in findings],
        "actions": actions,
        "dice": _dice(game, shown_report, first),
        "heat": heat_map(game, shown_report, first),
    }


def _dice(game: Game, shown_report: Mapping[str, Any], first: int) -> list[dict[str, Any]]:
    """The faces that each player rolled, by the sides of the dice. Undone rolls count: they were rolled."""
    found: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    for step in shown_report["steps"]:
        for rolled in step.get("rolls", ()) if step["at"] >= first else ():
            dice = game.dice.get(rolled["dice"])
            if dice and all(1 <= face <= dice.sides for face in rolled["faces"]):
                found[step["player"], dice.sides].update(rolled["faces"])
    return [
        {"player": player, "sides": sides, "counts": [counts[face] for face in range(1, sides + 1)]}
        for (player, sides), counts in found.items()
    ]


def _result(report: Report, viewer: Viewer) -> dict[str, Any]:
    """How far the game came and who won: according to a final claim if the rules agree, or to the last
    position. If units are hidden, the position shows nothing before the game is over.
    """
    position, calendar = report.position, report.world.calendar
    winner = ""
    for reading in report.readings:
        action = reading.statement.content
        if not isinstance(action, Action) or reading.ruling is None:
            continue
        if action.verb == CLAIM:
            winner = action.words[0].partition("-")[0] if reading.ruling.grade == Grade.legal else winner
        elif action.clock is None:
            winner = ""  # play continues
    judge_of = find_rules(report.world.game).winner
    over = calendar.is_over(position.clock)
    if not winner and judge_of and not withheld_from(viewer, report).visibility.changes:
        winner = judge_of(position)
    return {
        "winner": winner,
        "over": over or bool(winner),
        "turn": position.turn,
        "turns": calendar.last_turn,
        "moment": calendar.say(position.clock),
    }
