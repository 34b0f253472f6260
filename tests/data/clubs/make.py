"""Build modules as members of clubs make them by hand in VASSAL's editor.

    python tests/data/clubs/make.py

What is on counters and map is in the TOML file of each module. Nothing here knows the game's data.
"""

from __future__ import annotations

import io
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))

from attrs import evolve  # noqa: E402
from PIL import Image, ImageDraw  # noqa: E402

from vassalgen.vassal import archives, buildfile  # noqa: E402
from vassalgen.vassal.components import (  # noqa: E402
    BasicCommandEncoder,
    Board,
    BoardPicker,
    Chatter,
    Component,
    CounterDetailViewer,
    CounterTurnLevel,
    DiceButton,
    Entry,
    ForwardToChatter,
    ForwardToKeyBuffer,
    GameModule,
    GlobalOptions,
    HexGrid,
    HexGridNumbering,
    HighlightLastMoved,
    KeyBufferer,
    KeyNamer,
    Language,
    ListTurnLevel,
    Map,
    MapCenterer,
    MenuDisplayer,
    PanelWidget,
    PieceMover,
    PieceSlot,
    PieceWindow,
    PlayerRoster,
    PrototypeDefinition,
    PrototypesContainer,
    Region,
    RegionGrid,
    Scroller,
    SetupStack,
    SpecialDiceButton,
    SpecialDie,
    SpecialDieFace,
    StackExpander,
    StackMetrics,
    TabWidget,
    TurnTracker,
    Zone,
    ZonedGrid,
)
from vassalgen.vassal.metadata import ModuleData  # noqa: E402
from vassalgen.vassal.pieces import Piece, slot_text  # noqa: E402
from vassalgen.vassal.scalars import ALT, Key  # noqa: E402
from vassalgen.vassal.traits.base import Trait  # noqa: E402
from vassalgen.vassal.traits.basic_piece import BasicPiece, BasicPieceState  # noqa: E402
from vassalgen.vassal.traits.delete import Delete  # noqa: E402
from vassalgen.vassal.traits.embellishment import Embellishment  # noqa: E402
from vassalgen.vassal.traits.movement_markable import MovementMarkable  # noqa: E402
from vassalgen.vassal.traits.replace import Replace  # noqa: E402
from vassalgen.vassal.traits.send_to_location import SendToLocation  # noqa: E402
from vassalgen.vassal.traits.use_prototype import UsePrototype  # noqa: E402

WHEN = datetime(2026, 1, 1, tzinfo=UTC)
COUNTER = 48
FLIPPED = "Flipped"


class Club:
    """A module as its TOML file describes it."""

    def __init__(self, file: Path) -> None:
        self.typed: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
        self.images: dict[str, bytes] = {}
        self.gpid = 0
        self.other_sides: dict[str, PieceSlot] = {}

    def write(self, path: Path) -> None:
        """Write the module."""
        build = buildfile.write(self._module())
        facts = ModuleData(
            version=self.typed["version"],
            extra1="",
            extra2="",
            vassal_version="3.7.26",
            date_saved=int(WHEN.timestamp()) * 1000,
            description="",
            name=self.typed["name"],
        )
        entries = [
            (facts.ENTRY, facts.to_xml()),
            ("buildFile.xml", build),
            *((f"images/{name}", content) for name, content in sorted(self.images.items())),
        ]
        archives.write(path, entries, when=WHEN)

    def _module(self) -> GameModule:
        palette = self._palette()
        maps = tuple(self._maps())
        return GameModule(
            name=self.typed["name"],
            version=self.typed["version"],
            vassal_version="3.7.26",
            next_piece_slot_id=self.gpid + 1,
            children=(
                BasicCommandEncoder(),
                PlayerRoster(children=tuple(Entry(content=side["tab"]) for side in self.typed["side"])),
                GlobalOptions(),
                PrototypesContainer(children=self._prototypes()),
                palette,
                *maps,
                *self._turns(),
                self._die(),
                Chatter(),
                KeyNamer(),
                Language(),
            ),
        )

    def _prototypes(self) -> tuple[Component, ...]:
        layers = tuple(
            Embellishment(
                activate_text=command,
                activate_key=Key.ctrl(letter),
                always_active=False,
                images=(self._marker(image),),
                level_names=("",),
                name=name,
            )
            for command, (name, image, letter) in self.typed.get("layers", {}).items()
        )
        dead = self.typed.get("dead")
        gone = (
            (SendToLocation(text="Eliminated", key=Key.ctrl("E"), map=dead["name"], x="200", y="150"),)
            if dead
            else ()
        )
        unit = Piece.of(*layers, *gone, Delete(), MovementMarkable(), BasicPiece(image="", name=""))
        marker = Piece.of(Delete(), BasicPiece(image="", name=""))
        return (
            PrototypeDefinition(name="Unit", content=slot_text(unit)),
            PrototypeDefinition(name="Info", content=slot_text(marker)),
        )

    def _palette(self) -> PieceWindow:
        tabs: list[Component] = []
        for number, side in enumerate(self.typed["side"]):
            slots = [
                self._unit(name, image, printed, number, *steps)
                for name, image, printed, _, *steps in side["units"]
            ] + [self._unit(name, image, "air", number) for name, image, _ in side.get("air", ())]
            tabs.append(PanelWidget(name=side["tab"], fixed=True, n_columns=3, children=tuple(slots)))
        markers = tuple(
            self._slot(name, self._marker(image), "Info") for name, image in self.typed["markers"].items()
        )
        tabs.append(PanelWidget(name="Misc", fixed=True, n_columns=3, children=markers))
        if self.other_sides:
            flipped = tuple(self.other_sides.values())
            tabs.append(PanelWidget(name=FLIPPED, fixed=True, n_columns=3, children=flipped))
        return PieceWindow(name="Counters", text="Counters", children=(TabWidget(children=tuple(tabs)),))

    def _unit(self, name: str, image: str, printed: str, side: int, steps: int = 1) -> PieceSlot:
        colour = self.typed["colours"][1 + side]
        self.images[image] = _counter(colour, [name[:9], name[9:18], printed])
        if "flip" in self.typed and printed != "air":
            return self._with_flip(name, image, printed, side)
        if steps == 1:
            return self._slot(name, image, "Unit")
        if self.typed["reduced"] == "replace":
            return self._slot(name, image, "Unit", self._other_side(name, image, printed, colour))
        levels = [image, *(f"{Path(image).stem}_{step}.png" for step in range(2, steps + 1))]
        for step, level in enumerate(levels[1:], 1):
            self.images[level] = _counter(colour, [name[:9], name[9:18], f"({printed}) -{step}"])
        loss = Embellishment(
            increase_text="Loss", increase_key=Key.ctrl("L"), images=tuple(levels), loop=False, name="Losses"
        )
        return self._slot(name, image, "Unit", loss)

    def _with_flip(self, name: str, image: str, printed: str, side: int) -> PieceSlot:
        """A counter and its other side: slots of the palette, each of which names the other as its
        replacement.
        """
        stem, tab = image.removesuffix(".png"), self.typed["side"][side]["tab"]
        state, back = self.typed["flip"]["state"], f"{stem}_2.png"
        if stem not in self.other_sides:
            self.images[back] = _counter("#c9c2a2", [name[:9], state, printed])
            over = Replace(text="Flip", key=Key.ctrl("F"), definition=_slot_path(tab, stem), gpid="")
            slot = self._slot(f"{name} {state}", back, "Unit", over)
            self.other_sides[stem] = evolve(slot, name=f"{stem} {state}")
        over = Replace(
            text="Flip", key=Key.ctrl("F"), definition=_slot_path(FLIPPED, f"{stem} {state}"), gpid=""
        )
        return evolve(self._slot(name, image, "Unit", over), name=stem)

    def _other_side(self, name: str, image: str, printed: str, colour: str) -> Replace:
        """The reduced side of a counter as a piece that takes its place."""
        self.gpid += 1
        back = f"{Path(image).stem}_back.png"
        self.images[back] = _counter(colour, [name[:9], name[9:18], f"({printed})"])
        basic = BasicPiece(image=back, name=f"{name} (reduced)"), BasicPieceState(gpid=str(self.gpid))
        piece = slot_text(Piece.of(UsePrototype(name="Unit"), basic))
        return Replace(text="Loss", key=Key.ctrl("L"), definition=piece, gpid=str(self.gpid))

    def _marker(self, image: str) -> str:
        self.images[image] = _counter("#f5f2e6", [Path(image).stem[3:]])
        return image

    def _slot(self, name: str, image: str, prototype: str, *traits: Trait) -> PieceSlot:
        self.gpid += 1
        basic = BasicPiece(image=image, name=name), BasicPieceState(gpid=str(self.gpid))
        piece = Piece.of(*traits, UsePrototype(name=prototype), basic)
        return PieceSlot(
            name=name, gpid=str(self.gpid), width=COUNTER, height=COUNTER, content=slot_text(piece)
        )

    def _maps(self) -> Iterator[Map]:
        board = self.typed["map"]
        others = [self.typed[name] for name in ("reserves", "dead", "track") if name in self.typed]
        yield self._map(board["name"], self._main_board(board), edge=board["edge"])
        for number, one in enumerate(others):
            self.images[f"off{number}.png"] = _plain(
                one["size"], self.typed["colours"][0], one.get("boxes", {})
            )
            regions = tuple(Region(name=name, x=x, y=y) for name, (x, y) in one.get("boxes", {}).items())
            grid = (RegionGrid(children=regions),) if regions else ()
            found = Board(name=one["name"], image=f"off{number}.png", children=grid)
            yield self._map(one["name"], found, launch=True)

    def _map(self, name: str, board: Board, *, edge: int = 0, launch: bool = False) -> Map:
        return Map(
            name=name,
            edge_width=edge,
            edge_height=edge,
            launch=launch,
            button_name=name if launch else "",
            children=(
                BoardPicker(children=(board,)),
                StackMetrics(),
                ForwardToKeyBuffer(),
                Scroller(),
                ForwardToChatter(),
                MenuDisplayer(),
                MapCenterer(),
                StackExpander(),
                PieceMover(),
                KeyBufferer(),
                HighlightLastMoved(),
                CounterDetailViewer(),
                *self._at_start(name),
            ),
        )

    def _at_start(self, map_name: str) -> Iterator[SetupStack]:
        boxes = {*self.typed.get("reserves", {}).get("boxes", {})}
        stacks: dict[str, list[PieceSlot]] = {}
        for number, side in enumerate(self.typed["side"]):
            air = ((name, image, "air", at) for name, image, at in side.get("air", ()))
            for name, image, printed, at, *steps in (*side["units"], *air):
                home = self.typed["reserves"]["name"] if at in boxes else self.typed["map"]["name"]
                if at and home == map_name:
                    stacks.setdefault(at, []).append(self._unit(name, image, printed, number, *steps))
        track = self.typed.get("track", {})
        if track.get("name") == map_name:
            first = {track["marker"]: next(iter(track["boxes"]))} if "marker" in track else {}
            for marker, box in track.get("markers", first).items():
                image = self._marker(self.typed["markers"][marker])
                stacks[box] = [self._slot(marker, image, "Info")]
        for at, slots in stacks.items():
            found = SetupStack(name=at, owning_board=map_name, children=tuple(slots))
            if "," in at:
                x, y = map(int, at.split(","))
                yield evolve(found, x=x, y=y)
            else:
                yield evolve(found, use_grid_location=True, location=at)

    def _main_board(self, typed: dict[str, Any]) -> Board:
        self.images[typed["image"]] = _board(typed, self.typed["colours"][0], self.typed.get("boxes", {}))
        if typed["numbers"] == "none":
            return Board(name=typed["name"], image=typed["image"])
        letters = typed["numbers"] in ("letter row", "letters")
        columns = typed["numbers"] == "letter column"
        numbering = HexGridNumbering(
            first="V" if letters or typed["numbers"] == "row column" else "H",
            h_leading=0 if letters or columns else 1,
            h_type="A" if columns else "N",
            h_off=0 if columns else 1,
            v_type="A" if letters else "N",
            v_leading=0 if letters or columns else 1,
            v_off=0 if letters else 1,
            stagger=False,
        )
        x, y = typed["first"]
        grid: Component = HexGrid(
            x0=x, y0=y, dx=typed["steps"][0], dy=typed["steps"][1], children=(numbering,)
        )
        if typed["zones"]:
            right = 660
            hexes = Zone(
                name="Tunisia",
                location_format="$gridLocation$",
                path=((0, 0), (right, 0), (right, typed["size"][1]), (0, typed["size"][1])),
                children=(grid,),
            )
            boxes = (
                Zone(name=name, path=((left, top), (to, top), (to, down), (left, down)))
                for name, (left, top, to, down) in self.typed["boxes"].items()
            )
            grid = ZonedGrid(children=(hexes, *boxes))
        return Board(name=typed["name"], image=typed["image"], children=(grid,))

    def _turns(self) -> Iterator[TurnTracker]:
        typed = self.typed.get("turns")
        if not typed:
            return
        level = ListTurnLevel(name="Phase", property="Ph", list=tuple(typed["phases"]))
        if "players" in typed:
            level = ListTurnLevel(
                name="Player", property="Pl", list=tuple(typed["players"]), children=(level,)
            )
        turn = CounterTurnLevel(name="Turn", property="TurnNo", turn_format="Turn $value$", children=(level,))
        yield TurnTracker(
            next_hotkey=Key(ord("N"), ALT), turn_format="$level1$ $level2$ $level3$", children=(turn,)
        )

    def _die(self) -> Component:
        typed = self.typed["dice"]
        if not typed.get("symbolic"):
            return DiceButton(name=typed["name"], text=typed["name"], n_dice=1, n_sides=typed["faces"])
        faces = tuple(SpecialDieFace(text=f"[{face}]", value=face) for face in range(1, typed["faces"] + 1))
        die = SpecialDie(name="die", children=faces)
        return SpecialDiceButton(name=typed["name"], text=typed["name"], children=(die,))


def _slot_path(tab: str, name: str) -> str:
    """The path to a slot of the palette, as VASSAL writes it into a trait."""
    widgets = ("module.PieceWindow:Counters", "widget.TabWidget", f"widget.PanelWidget:{tab}")
    parts = (*widgets, f"widget.PieceSlot:{name.replace('/', chr(92) + '/')}")
    return "/".join(f"VASSAL.build.{part}" for part in parts)


def _counter(colour: str, lines: list[str]) -> bytes:
    picture = Image.new("RGB", (COUNTER, COUNTER), colour)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, COUNTER - 1, COUNTER - 1), outline="black")
    for number, line in enumerate(one for one in lines if one.strip()):
        draw.text((2, 3 + 14 * number), line.strip(), fill="black")
    return _png(picture)


def _board(typed: dict[str, Any], colour: str, boxes: dict[str, list[int]]) -> bytes:
    picture = Image.new("RGB", tuple(typed["size"]), colour)
    draw = ImageDraw.Draw(picture)
    (x0, y0), (dx, dy), (columns, rows) = typed["first"], typed["steps"], typed["lines"]
    for column in range(columns):
        for row in range(rows):
            x, y = x0 + column * dx, y0 + row * dy + (column % 2) * dy / 2
            outline = [(-0.667, 0), (-0.333, -0.5), (0.333, -0.5), (0.667, 0), (0.333, 0.5), (-0.333, 0.5)]
            draw.polygon([(x + u * dx, y + v * dy) for u, v in outline], outline="#7a745c")
    for name, (left, top, right, down) in boxes.items():
        draw.rectangle((left, top, right, down), outline="black")
        draw.text((left + 4, top + 4), name, fill="black")
    return _png(picture)


def _plain(size: list[int], colour: str, boxes: dict[str, list[int]]) -> bytes:
    picture = Image.new("RGB", (size[0], size[1]), colour)
    draw = ImageDraw.Draw(picture)
    for name, (x, y) in boxes.items():
        draw.rectangle((x - 95, y - 70, x + 95, y + 70), outline="black")
        draw.text((x - 90, y - 66), name, fill="black")
    return _png(picture)


def _png(picture: Image.Image) -> bytes:
    stream = io.BytesIO()
    picture.quantize(16).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def main() -> None:
    """Write the modules beside this file."""
    for file in sorted(HERE.glob("*.toml")):
        if file.name == "expected.toml" or file.name.endswith(".map.toml"):
            continue
        Club(file).write(file.with_suffix(".vmod"))


if __name__ == "__main__":
    main()
