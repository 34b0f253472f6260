"""The files of the game folder."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter as Count
from collections.abc import Iterator, Mapping, Sequence

from attrs import Factory, define

from vassalgen.adopting.boards import board_picture
from vassalgen.adopting.controls import Track, dice_of, papers_of, squares_of, track_of
from vassalgen.adopting.field import ACROSS, Field, Places
from vassalgen.adopting.roster import MARKER, UNIT, Roster, Row, images_of
from vassalgen.adopting.source import Module, Position
from vassalgen.adopting.words import Ids, inline, quoted, slug, wrapped
from vassalgen.plurals import count

_LOST = re.compile(r"\b(dead|lost|loss|losses|eliminated|casualt\w*|killed|destroyed)\b|dead ?pile", re.I)
_COLOURS = (("#3f6ea5", "#ffffff"), ("#b5492f", "#ffffff"), ("#5d7a3a", "#ffffff"), ("#7a5a8a", "#ffffff"))
_UNKNOWN = "unknown"


@define
class Writer:
    """Writes the contents of a module as game data."""

    module: Module
    field: Field
    with_pictures: bool
    positions: tuple[Position, ...] = ()
    summary: str = ""
    remarks: list[str] = Factory(list)

    def write(self) -> dict[str, bytes]:
        """All files of the folder."""
        module = self.module
        names = module.sides or self._sides_of_palette()
        if not module.sides:
            self.remarks.append(f"the module has no sides; taken: {', '.join(names)}")
        ids = Ids()
        sides = {name: ids.new(name) for name in names}
        places = Places(module, self.field)
        saved = tuple(one for one in module.positions if one.file)
        self.positions = saved or module.positions  # a set-up began with what stands on the bare maps
        roster = Roster(module, self.positions, sides)
        squares = squares_of(place.title for place in places.boxes.values())
        track = track_of(module, tuple(sides), squares)
        scenarios = dict(self._scenarios(roster, places, track))
        texts = {f"scenarios/{name}.toml": text for name, text in scenarios.items()}
        texts["game.toml"] = self._game(roster, sides, track)
        texts["map.toml"] = self._map(places, sides)
        texts["counters.csv"] = _counters(roster)
        texts["tables.toml"] = _TABLES
        texts["art.toml"] = self._art(roster, sides)
        files = {name: text.encode("utf-8", "replace") for name, text in texts.items()}
        papers = papers_of(module)
        for folder, kept in papers.items():
            files.update({f"papers/{folder}/{name}": content for name, content in kept.items()})
        if self.with_pictures:
            files.update(self._pictures(roster))
        self._note_unknown(roster, track, papers)
        files["ADOPTED.md"] = self._report().encode("utf-8", "replace")
        self.summary = ", ".join(
            (
                count(len(self.field.grid.names), "hex", "hexes"),
                count(len(roster.rows), "counter"),
                count(len(scenarios), "scenario"),
            )
        )
        return files

    def _sides_of_palette(self) -> tuple[str, ...]:
        """The two parts of the palette with the most pieces, for a module without a roster."""
        firsts = [one.headings[1] for one in self.module.found if one.in_palette and len(one.headings) > 1]
        often = sorted(dict.fromkeys(firsts), key=firsts.count, reverse=True)
        named = [name for name in often if "marker" not in name.lower()]
        return tuple(named[:2]) if len(named) > 1 else ("Blue", "Red")

    def _game(self, roster: Roster, sides: Mapping[str, str], track: Track) -> str:
        root = self.module.root
        lines = [
            "# Read out of a module by vassalgen adopt; ADOPTED.md lists what must be filled in by hand.",
            "",
            f"title = {quoted(root.name or 'Unnamed game')}",
            'provenance = "printed; as the module has it"',
            f"version = {quoted(root.version or '0')}",
            *([f"edition = {quoted(root.description)}"] if root.description else []),
            "",
            "[sides]",
            *(f"{name} = {inline({'title': quoted(title)})}" for title, name in sides.items()),
        ]
        formations = _formations(roster)
        if formations:
            lines += ["", "[formations]"]
            lines += [
                f"{name} = {inline({'title': quoted(title), 'side': quoted(side)})}"
                for (title, side), name in formations.items()
            ]
        factors = roster.written_factors
        known = ", ".join(map(quoted, factors))
        lines += ["", "[kinds]", f'unit = {{ title = "unit", factors = [{known}] }}']
        lines += ['marker = { title = "marker", marker = true }', "", "[factors]"]
        lines += [f"{name} = {inline({'title': quoted(name)})}" for name in factors]
        if roster.states:
            lines += ["", "[states]"]
            state_ids = Ids()
            for title, levels in roster.states.items():
                values = {"title": quoted(title), "kinds": quoted(UNIT)}
                if levels > 1:
                    values["levels"] = str(levels)
                lines.append(f"{state_ids.new(title)} = {inline(values)}")
        lines += ["", "[sequence]", f"order = {quoted(' '.join(sides[side] for side in track.order))}"]
        lines += _phases(track)
        lines += [
            "",
            "[turns]",
            *(f'{turn} = {{ label = "Turn {turn}" }}' for turn in range(1, track.last + 1)),
        ]
        dice = dice_of(self.module) or {"Die": (1, 6)}
        lines += ["", "[dice]"]
        dice_ids = Ids()
        for title, (number, faces) in dice.items():
            values = {"title": quoted(title), "count": str(number), "sides": str(faces)}
            lines.append(f"{dice_ids.new(title)} = {inline(values)}")
        return "\n".join(lines) + "\n"

    def _map(self, places: Places, sides: Mapping[str, str]) -> str:
        grid = self.field.grid
        lines = [
            "[grid]",
            f"orientation = {quoted(grid.orientation)}",
            f"shifted = {quoted(grid.shifted)}",
            f"columns = {list(grid.columns)}",
            f"rows = {list(grid.rows)}",
            f"numbering = {quoted(grid.numbering.pattern)}",
        ]
        if grid.missing:
            lines.append(f"missing = {wrapped(sorted(grid.missing))}")
        lines += [
            "",
            "[terrain]",
            f"default = {quoted(_UNKNOWN)}   # a module does not contain the terrain of its hexes",
        ]
        ids = Ids()
        for title, hexes in self.field.zones.items():
            lines += [
                "",
                f"[zones.{ids.new(title)}]",
                f"title = {quoted(title)}",
                f"hexes = {wrapped(list(hexes))}",
            ]
        if places.boxes:
            lines += ["", "[boxes]"]
        losing: set[str] = set()
        for place in places.boxes.values():
            values = {"title": quoted(place.title)}
            side = next((id_ for name, id_ in sides.items() if slug(name) in slug(place.title)), "")
            if side:
                values["side"] = quoted(side)
                if _LOST.search(place.title) and side not in losing:
                    losing.add(side)
                    values["losses"] = "true"
            lines.append(f"{place.id} = {inline(values)}")
        return "\n".join(lines) + "\n"

    def _scenarios(self, roster: Roster, places: Places, track: Track) -> Iterator[tuple[str, str]]:
        everywhere = {
            key for position in self.positions for key in (one.piece.key for one in position.placed)
        }
        ids = Ids()
        for position in self.positions:
            used: dict[tuple[str, str, str], int] = {}
            at: dict[str, list[str]] = {}
            for placed in position.placed:
                rows = roster.by_key.get(placed.piece.key, ())
                place = places.at(placed)
                if not rows:
                    continue
                number = used.get(placed.piece.key, 0)
                used[placed.piece.key] = number + 1
                if rows[0].kind == MARKER:
                    if not number:
                        at.setdefault(place, []).append(rows[0].id)
                    continue
                at.setdefault(place, []).append(rows[min(number, len(rows) - 1)].id)
            absent = [
                row.id
                for key in everywhere
                for number, row in enumerate(roster.by_key.get(key, ()))
                if row.kind == UNIT and number >= used.get(key, 0)
            ]
            yield ids.new(position.title), _scenario(position, at, sorted(absent), track)
        if not self.positions:
            self.remarks.append("no set-up: the module has none, and no piece is on its maps")
            yield "free", 'title = "Free set-up"\n'

    def _art(self, roster: Roster, sides: Mapping[str, str]) -> str:
        lines = [
            "[board]",
            f"across = {self.field.across if self.with_pictures else ACROSS}",
            f"counter = {self._counter_size(roster) if self.with_pictures else 76}",
            f"title = {quoted(self.module.root.name or 'Unnamed game')}",
            'grid = { line = "#8a8464", width = 1, ink = "#6a6448" }',
            "",
            "[sides]",
        ]
        for number, name in enumerate(sides.values()):
            fill, ink = _COLOURS[number % len(_COLOURS)]
            lines.append(f'{name} = {{ fill = "{fill}", ink = "{ink}", line = "{ink}" }}')
        if roster.states:
            lines += ["", "[states]"]
            ids = Ids()
            for title in roster.states:
                lines.append(
                    f'{ids.new(title)} = {{ fill = "#777777", ink = "#ffffff", text = {quoted(title[:1])} }}'
                )
        markers = [row for row in roster.rows if row.kind == MARKER]
        if markers:
            lines += ["", "[markers]"]
            lines += [
                f'{row.id} = {{ fill = "#f2e6c2", ink = "#2b2113", text = {quoted(row.label)} }}'
                for row in markers
            ]
        factors = roster.written_factors
        written = "-".join(f"{{{name}}}" for name in factors)
        lines += ["", "[faces]", f'unit = {{ top = "{{label}}", bottom = "{written}", symbol = false }}']
        lines += ['marker = { bottom = "{label}", symbol = false }']
        return "\n".join(lines) + "\n"

    def _pictures(self, roster: Roster) -> dict[str, bytes]:
        """The module's pictures of the board and of each counter and step."""
        found: dict[str, bytes] = {}
        for name, pictures in images_of(roster.rows).items():
            for step, picture in enumerate(pictures):
                self._take(found, picture, f"{name}@{step + 1}" if step else name)
        board = board_picture(self.module, self.field)
        if board is None:
            self.remarks.append("the board: its picture cannot be read, so it is drawn")
        else:
            found["pictures/board.png"] = board
        return found

    def _counter_size(self, roster: Roster) -> int:
        """The most frequent size of the module's counter pictures, in pixels."""
        fronts = (pictures[0] for pictures in images_of(roster.rows).values() if pictures)
        sides = Count(max(size) for picture in fronts if (size := self.module.size_of(picture)))
        return min(max(sides.most_common(1)[0][0] if sides else 76, 20), 2 * self.field.across)

    def _take(self, found: dict[str, bytes], picture: str, name: str) -> None:
        entry = self.module.entry_of(picture)
        if entry is None:
            self.remarks.append(f"the picture {picture} is not in the module")
            return
        file = entry.rpartition("/")[2]
        ending = slug(file.rpartition(".")[2]) if "." in file else "png"
        found[f"pictures/{name}.{ending}"] = self.module.archive.read(entry)

    def _note_unknown(self, roster: Roster, track: Track, papers: Mapping[str, Mapping[str, bytes]]) -> None:
        """Note what could not be read from the module."""
        if self.field.own_numbers:
            self.remarks.append(f"the hexes are numbered from 0101: {self.field.reason}")
        self.remarks.append("terrain, hexsides and roads: a module has only a picture of them")
        units = [row for row in roster.rows if row.kind == UNIT]
        bare = [row for row in units if len(row.factors) < len(roster.written_factors)]
        if bare:
            self.remarks.append(
                f"factors of {len(bare)} of {len(units)} units: no name, property or marker has them"
            )
        self.remarks += track.remarks
        reduced = [row for row in units if row.steps > 1]
        if reduced:
            self.remarks.append(
                f"factors of the lower steps of {len(reduced)} units: they are on pictures only"
            )
        sideless = [row for row in roster.rows if row.kind == MARKER]
        if sideless:
            shown = ", ".join(row.name for row in sideless[:12]) + (" …" if len(sideless) > 12 else "")
            self.remarks.append(f"{len(sideless)} pieces without a side are taken for markers: {shown}")
        kept = sum(map(len, papers.values()))
        if kept:
            self.remarks.append(f"charts and help: {kept} files are kept in papers/ unchanged")
        self.remarks.append("stacking limits, tables, rules and victory: a module does not contain them")
        self.remarks += self.module.remarks

    def _report(self) -> str:
        title = self.module.root.name or "Unnamed module"
        lines = [f"# {title} {self.module.root.version}, read by vassalgen adopt", ""]
        lines += [
            "Points that need your attention; `vassalgen check` lists what is missing, line by line.",
            "",
        ]
        return "\n".join([*lines, *(f"- {remark}" for remark in self.remarks)]) + "\n"


_TABLES = """\
# The terrain chart: as soon as a terrain has an entry here, [terrain] of map.toml may name hexes of it.
#
# [terrain.clear]
# title = "Clear"
# move = 1
"""


def _formations(roster: Roster) -> dict[tuple[str, str], str]:
    """Ids of formations by title and side."""
    ids = Ids()
    pairs = dict.fromkeys((row.formation, row.side) for row in roster.rows if row.formation)
    return {pair: ids.new(pair[0]) for pair in pairs}


def _counters(roster: Roster) -> str:
    formations = _formations(roster)
    factors = roster.written_factors
    stream = io.StringIO()
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(["id", "kind", "side", "formation", "name", "label", *factors, "steps", "count"])
    for row in roster.rows:
        table.writerow(_cells(row, formations, factors))
    return stream.getvalue()


def _cells(row: Row, formations: Mapping[tuple[str, str], str], factors: Sequence[str]) -> list[str]:
    formation = formations.get((row.formation, row.side), "")
    divided = any("/" in value for value in row.factors.values())
    steps = str(row.steps) if row.steps > 1 and not divided else ""
    values = [row.factors.get(name, "") for name in factors]
    copies = str(row.count) if row.count > 1 else ""
    return [row.id, row.kind, row.side, formation, _line(row.name), _line(row.label), *values, steps, copies]


def _line(text: str) -> str:
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


def _phases(track: Track) -> list[str]:
    lines: list[str] = []
    ids = Ids()
    player_turn = track.player_turn or (() if track.opening else ("Player turn",))
    for key, phases in (("opening", track.opening), ("player_turn", player_turn), ("closing", track.closing)):
        for title in phases:
            lines += [f"[[sequence.{key}]]", f"id = {quoted(ids.new(title))}", f"title = {quoted(title)}"]
    return lines


def _scenario(
    position: Position, at: Mapping[str, Sequence[str]], absent: Sequence[str], track: Track
) -> str:
    lines = [f"title = {quoted(position.title)}", f"last_turn = {track.last}"]
    if position.text and position.text != position.title:
        lines.append(f"text = {quoted(position.text)}")
    if absent:
        lines.append(f"absent = {wrapped(list(absent))}")
    for place, names in at.items():
        lines += ["", "[[setup]]", f"at = {quoted(place)}", f"counters = {wrapped(list(names))}"]
    return "\n".join(lines) + "\n"
