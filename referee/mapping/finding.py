"""Finds the map for a log: a file, or the one in a folder that belongs to the log's module."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from referee.mapping.modulemap import MappedModule, ModuleMap, read_map, wrong_names
from referee.table import Log, read_module
from vassalgen.game.game import Game
from vassalgen.problems import BadInput, FormatError, Problem
from vassalgen.vassal.limits import Limits

PATTERN = "*.map.toml"
MODULES = ("*.vmod", "*.mod")


@frozen
class Found:
    """A map, with remarks on how well it fits the logs."""

    names: ModuleMap
    remarks: tuple[str, ...] = ()


def find_map(path: Path, logs: Sequence[Log]) -> Found | None:
    """Read a map, or find the one in a folder for the module named by the first log; None if there is none.

    If there are several for the module, that of the log's version is chosen, or else the last by name.
    """
    log = logs[0]
    if path.is_dir():
        known = [read_map(file) for file in sorted(path.glob(PATTERN))]
        fitting = [one for one in known if log.module and one.module == log.module]
        if not fitting:
            return None
        names = next((one for one in fitting if one.version == log.version), fitting[-1])
    else:
        names = read_map(path)
    remarks = []
    if log.module and names.module and log.module != names.module:
        remarks.append(f"the map is of the module {names.module!r}; {log.name} was made with {log.module!r}")
    elif log.version and names.version and log.version != names.version:
        remarks.append(
            f"the map is of version {names.version} of the module; "
            f"{log.name} was made with version {log.version}"
        )
    if names.unsettled:
        remarks.append(f"the map does not say what these pieces are: {', '.join(names.unsettled)}")
    return Found(names, tuple(remarks))


def files_beside(path: Path) -> list[Path]:
    """The maps and modules that may be read with a map, or with a folder of maps."""
    folder = path if path.is_dir() else path.parent
    return [file for pattern in (PATTERN, *MODULES) for file in sorted(folder.glob(pattern))]


def find_module(names: ModuleMap, logs: Sequence[Log], limits: Limits) -> Path | None:
    """The module beside a map: if there are several, that of the log's version."""
    folder = Path(names.file).parent
    fitting = []
    for pattern in MODULES:
        for path in sorted(folder.glob(pattern)):
            with suppress(FormatError, OSError):
                plan = read_module(path, limits)
                if plan.name == names.module:
                    fitting.append((plan.version == logs[0].version, str(path), path))
    return max(fitting)[2] if fitting else None


def open_mapped(
    names: ModuleMap, module: Path | None, game: Game, logs: Sequence[Log], limits: Limits
) -> MappedModule:
    """The module of a map; BadInput if there is none, or if the map contains names that the game does not
    have.
    """
    problems = list(wrong_names(names, game))
    if problems:
        raise BadInput(problems)
    path = module or find_module(names, logs, limits)
    if path is None:
        wrong = f"the module {names.module!r} is not beside the map"
        raise BadInput(Problem(names.file, "", wrong, "name it with --module, or put it there"))
    return MappedModule.of(read_module(path, limits), names, path)
