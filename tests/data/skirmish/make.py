"""Build ``skirmish.vmod``, the module "Skirmish at the Ford", beside this script.

    python tests/data/skirmish/make.py

The same every time, except that another Pillow or zlib may pack the same pixels and texts differently.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODULE = HERE / "skirmish.vmod"
WHEN = datetime(2026, 1, 1, tzinfo=UTC)


def entries() -> list[tuple[str, bytes]]:
    """Everything in the module, as names and contents."""
    from tests.data.skirmish import art, counters, module, setup
    from vassalgen.vassal import buildfile
    from vassalgen.vassal.metadata import ModuleData, SaveData
    from vassalgen.vassal.savedgame import SavedGame

    game = module.skirmish()
    moduledata = ModuleData(
        version=module.VERSION,
        extra1="",
        extra2="",
        vassal_version=module.VASSAL,
        date_saved=int(WHEN.timestamp()) * 1000,
        description=module.DESCRIPTION,
        name=module.NAME,
    )
    savedata = SaveData(
        version=module.VERSION,
        vassal_version=module.VASSAL,
        date_saved=moduledata.date_saved,
        description="Before the first turn",
    )
    dawn = SavedGame.new(setup.stream(game), savedata, moduledata)
    images = art.images()
    for unit in counters.UNITS:
        images.update(art.unit_images(unit.kind, unit.side, unit.strengths))
    return [
        (moduledata.ENTRY, moduledata.to_xml()),
        ("buildFile.xml", buildfile.write(game.module)),
        *((f"images/{name}", content) for name, content in images.items()),
        (module.HELP, (HERE / "help.html").read_bytes()),
        (module.SETUP, dawn.to_bytes(when=WHEN)),
    ]


def main() -> None:
    """Write the module."""
    from vassalgen.vassal import archives

    archives.write(MODULE, entries(), when=WHEN)


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parents[2]))
    main()
