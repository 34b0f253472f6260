"""Audits the genuine logs of each game as if its module had been made elsewhere, through a proposed map.

    python tools/mapped.py [GAME...]

The logs of modules of clubs (tests/data/clubs) are audited through the maps that the clubs settled. All
logs are honest but for those of breaches; whatever is illegal in the others is a wrong accusation.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from referee.audit import audit
from referee.engine.rulings import Grade
from referee.mapping.modulemap import MappedModule, read_map
from referee.mapping.proposing import propose
from referee.mapping.survey import survey
from referee.mapping.writing import write_map
from referee.table import read_log, read_module
from vassalgen.commandline import closed_pipes
from vassalgen.compile import compile_game
from vassalgen.game.finding import game_names, open_game

ROOT = Path(__file__).resolve().parents[1]
CLUBS = ROOT / "tests" / "data" / "clubs"
HONEST = ("clean", "messy", "mail", "next", "eighth", "modifiers", "headquarters", "moves")


def mapped(name: str, folder: Path) -> MappedModule:
    """The module of a game with the proposed map; uncertain entries are taken as proposed."""
    path, file = folder / f"{name}.vmod", folder / f"{name}.map.toml"
    compile_game(open_game(name)).write(path)
    file.write_text(
        write_map(propose(open_game(name), survey(path))).replace('= "? ', '= "'), encoding="utf-8"
    )
    return MappedModule.of(read_module(path), read_map(file))


def main(names: list[str]) -> int:
    """Print a line for each log; the number of wrong accusations is the exit code."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names or game_names():
            module = mapped(name, Path(folder))
            for path in sorted((ROOT / "tests" / "data" / name).glob("*.vlog")):
                if not path.name.startswith(HONEST):
                    continue
                wrong += audit_honest(name, path, module)
    for file in sorted(CLUBS.glob("*.map.toml")):
        known, club = read_map(file), file.name.removesuffix(".map.toml")
        if not names or known.game in names:
            module = MappedModule.of(read_module(CLUBS / f"{club}.vmod"), known)
            for kind in ("clean", "careless"):
                wrong += audit_honest(known.game, CLUBS / f"{club}-{kind}.vlog", module)
    return min(wrong, 100)


def audit_honest(name: str, path: Path, module: MappedModule) -> int:
    """Audit an honest log, print the findings, and return the number of illegal actions."""
    report = audit([read_log(path)], open_game(name), module)
    illegal = [one for one in report.findings if one.grade is Grade.illegal]
    doubts = report.count(Grade.unproven)
    print(f"{name} {path.name}: {len(illegal)} illegal, {doubts} unproven")
    for one in illegal:
        print(f"    {one.id} {one.says}")
    return len(illegal)


if __name__ == "__main__":
    with closed_pipes():
        sys.exit(main(sys.argv[1:]))
