"""A game's own rules beside its rules as data: ``rules.py`` in its folder, or an installed package.

It is a program, and runs with all rights of the user: callers must have made sure that the user trusts the
folder.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from attrs import NOTHING, evolve, fields, frozen, has

from referee.engine.actions import Verb
from referee.engine.rules import Section
from vassalgen.game.families import Families
from vassalgen.game.game import Game, unknown
from vassalgen.problems import BadInput, Problem

FILE = "rules.py"
ENTRY_POINTS = "referee.rules"
"""Packages with rules beside those in the data, by the id of the game."""


@frozen
class Own:
    """Rules that a game has in Python.

    ``section`` collects them with the decorators of all games, ``verbs`` are actions of its own. ``replaces``
    are entries of the data in whose place they stand, such as ``zoc.limits.stop`` or
    ``combat.attack.unit_once``.
    """

    section: Section | None = None
    verbs: tuple[Verb, ...] = ()
    replaces: tuple[str, ...] = ()


def file_of(game: Game) -> Path | None:
    """Return the file with a game's own rules, None if it has none."""
    path = game.folders[0] / FILE if game.folders else None
    return path if path is not None and path.is_file() else None


def own_rules(game: Game) -> Own:
    """Run a game's rules in Python, if it has any, and return them; BadInput if that fails."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and seldom needed

    path = file_of(game)
    if path is not None:
        return _own(_run(path, path.stat().st_mtime_ns), str(path))
    found = [entry for entry in entry_points(group=ENTRY_POINTS) if entry.name == game.id]
    if not found:
        return Own()
    try:
        return _own(found[0].load(), found[0].value)
    except Exception as error:
        raise BadInput(Problem(game.id, f"entry point {found[0].value}", f"fails: {error}")) from error


@cache
def _run(path: Path, changed: int) -> ModuleType:
    """Run the file, once for each version of its contents."""
    spec = importlib.util.spec_from_file_location(f"rules_of_{path.parent.name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        line = getattr(error, "lineno", None) or _line(error, path)
        place = f"line {line}" if line else ""
        raise BadInput(
            Problem(str(path), place, f"fails: {error}", "a Python file that can be run")
        ) from error
    return module


def _line(error: BaseException, path: Path) -> int:
    trace, found = error.__traceback__, 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            found = trace.tb_lineno
        trace = trace.tb_next
    return found


def _own(module: Any, file: str) -> Own:
    section, verbs = getattr(module, "rules", None), tuple(getattr(module, "VERBS", ()))
    replaces = tuple(getattr(module, "REPLACES", ()))
    problems = []
    if section is not None and not isinstance(section, Section):
        problems.append(Problem(file, "rules", "is not a Section", 'rules = Section("Rules of our own")'))
    problems += [
        Problem(file, "VERBS", f"holds {verb!r}", 'Verb("name", "name PIECES", "what it is")')
        for verb in verbs
        if not isinstance(verb, Verb)
    ]
    if problems:
        raise BadInput(problems)
    return Own(section, verbs, replaces)


def without(rules: Families, entries: Iterable[str], file: str) -> Families:
    """Return the rules without some entries, named as in the file; BadInput for entries that do not exist."""
    for entry in entries:
        rules = cast(Families, _left_out(rules, entry.split("."), entry, file))
    return rules


def _left_out(value: Any, path: list[str], entry: str, file: str) -> Any:
    name, rest = path[0], path[1:]
    if isinstance(value, Mapping):
        if name not in value:
            raise BadInput(Problem(file, "REPLACES", f"there is no entry {entry!r}", unknown(name, value)))
        below = {key: below for key, below in value.items() if rest or key != name}
        if rest:
            below[name] = _left_out(below[name], rest, entry, file)
        return below
    kind: Any = type(value)
    known = {each.name: each for each in fields(kind)} if has(kind) else {}
    if name not in known or getattr(value, name) is None:
        raise BadInput(Problem(file, "REPLACES", f"there is no entry {entry!r}", unknown(name, known)))
    if rest:
        changed = _left_out(getattr(value, name), rest, entry, file)
    else:
        default: Any = known[name].default
        if default is NOTHING:
            right = "an entry that may be left out"
            raise BadInput(Problem(file, "REPLACES", f"{entry!r} cannot be left out", right))
        make = getattr(default, "factory", None)
        changed = make() if make else default
    return evolve(value, **{name: changed})
