"""Compiles a game into a module: all names and contents of an archive."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import attrs
from attrs import frozen

from vassalgen.caching import Cache
from vassalgen.game.game import Game
from vassalgen.game.scenarios import Scenario
from vassalgen.parts import ids as ids_room
from vassalgen.parts import setups, versions, wording
from vassalgen.parts.charts import chart_window, charts
from vassalgen.parts.dice import dice_buttons
from vassalgen.parts.help import TUTORIAL, documentation, help_pages, tutorial_log
from vassalgen.parts.ids import Ids
from vassalgen.parts.maps import boxes_map, main_map
from vassalgen.parts.options import options, properties, roster
from vassalgen.parts.palette import palette
from vassalgen.parts.pictures import Pictures
from vassalgen.parts.pieces import Abilities, abilities, prototypes
from vassalgen.parts.sources import sources
from vassalgen.parts.toolbar import toolbar
from vassalgen.parts.turn_track import turn_track
from vassalgen.parts.versions import version_of
from vassalgen.problems import BadInput
from vassalgen.vassal import archives, buildfile
from vassalgen.vassal.components import (
    BasicCommandEncoder,
    Chatter,
    GameModule,
    KeyNamer,
    Language,
    SetupStack,
)
from vassalgen.vassal.metadata import ModuleData, SaveData
from vassalgen.vassal.obfuscation import Form
from vassalgen.vassal.savedgame import SavedGame

VASSAL = "3.7.26"
"""The version of VASSAL for which the modules are made."""
_SAVED = int(archives.EARLIEST.timestamp()) * 1000

Progress = Callable[[str], None]


@frozen
class Compiled:
    """A module: its entries in order, and the ids of its counters."""

    game: Game
    entries: tuple[tuple[str, bytes], ...]
    ids: Ids

    def to_bytes(self) -> bytes:
        """The whole file. All entries have the same fixed time."""
        return archives.pack(self.entries)

    def write(self, path: Path) -> None:
        """Write the file, completely or not at all, and save the ids of new counters."""
        ids_room.keep(self.game, self.ids)
        archives.replace_file(path, self.to_bytes())


def compile_game(
    game: Game,
    progress: Progress = lambda _: None,
    cache: Cache = Cache(),  # noqa: B008 - a frozen value
) -> Compiled:
    """Compile a game. BadInput if its data cannot become a module."""
    faults = wording.problems(game)
    if faults:
        raise BadInput(faults)
    ids = ids_room.ids_of(game)
    progress("drawing the boards")
    pictures = Pictures(game, cache)
    board, boxes = pictures.boards()
    progress("drawing the counters")
    drawn = pictures.svgs()
    progress("putting the module together")
    able = abilities(game)
    own = setups.own_pieces(game, ids, able)
    module = _module(game, able, setups.at_start(game, ids, own), ids, (board.name, boxes.name))
    progress("laying out the set-ups")
    maker = setups.SetUp.of(game, ids, own, module, {board.name: board.size, boxes.name: boxes.size}.get)
    moduledata = ModuleData(
        name=game.title,
        extra1="",
        extra2="",
        description=_description(game),
        version=version_of(game),
        vassal_version=VASSAL,
        date_saved=_SAVED,
    )
    tutorial = tutorial_log(game)
    saves = [_save(maker, scenario, moduledata) for scenario in game.scenarios.values()]
    entries = (
        (moduledata.ENTRY, moduledata.to_xml()),
        (archives.BUILD_FILE, buildfile.write(module)),
        *((f"images/{drawing.name}", drawing.content) for drawing in (board, boxes, pictures.title())),
        *((f"images/{name}", content) for name, content in drawn.items()),
        *((one.file, one.content) for one in (*charts(game), *help_pages(game))),
        *saves,
        *(((TUTORIAL, tutorial),) if tutorial else ()),
        *sources(game, ids),
    )
    return Compiled(game, entries, ids)


def _save(maker: setups.SetUp, scenario: Scenario, moduledata: ModuleData) -> tuple[str, bytes]:
    savedata = SaveData(
        version=moduledata.version,
        vassal_version=VASSAL,
        date_saved=_SAVED,
        description=scenario.title,
    )
    save = SavedGame.new(maker.stream(scenario), savedata, moduledata)
    return setups.file_of(scenario), save.to_bytes(Form.PLAIN)


def _description(game: Game) -> str:
    return ", ".join(part for part in (game.title, game.designer, game.edition) if part)


def _module(
    game: Game, able: Abilities, stacks: tuple[SetupStack, ...], ids: Ids, boards: tuple[str, str]
) -> GameModule:
    module = GameModule(
        name=game.title,
        version=version_of(game),
        description=_description(game),
        vassal_version=VASSAL,
        next_piece_slot_id=ids.next,
    )
    return attrs.evolve(
        module,
        children=(
            BasicCommandEncoder(),
            documentation(game),
            roster(game),
            options(),
            properties(game, able),
            prototypes(able),
            *turn_track(game, able.follow_phases),
            palette(game, ids),
            main_map(game, boards[0], stacks),
            boxes_map(game, boards[1], stacks),
            *dice_buttons(game),
            *toolbar(game),
            versions.warning(game, version_of(game)),
            chart_window(game),
            *setups.entries(game),
            Chatter(),
            KeyNamer(),
            Language(),
        ),
    )
