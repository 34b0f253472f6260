"""Reading a whole game: its folder, the overlay folders, and all problems in them."""

from __future__ import annotations

from collections.abc import Sequence as Listed
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from vassalgen.game.art import Art
from vassalgen.game.game import Game, HelpPage, unknown
from vassalgen.game.provenance import Provenance
from vassalgen.game.reading.art_file import read_art
from vassalgen.game.reading.counters_file import CounterReader, empty_problem
from vassalgen.game.reading.documents import CsvDocument, Folder, TomlDocument, shown
from vassalgen.game.reading.game_file import read_game_file
from vassalgen.game.reading.map_file import read_map
from vassalgen.game.reading.nodes import Node, Notes
from vassalgen.game.reading.rules_files import read_clauses, read_help, read_rulings
from vassalgen.game.reading.scenario_file import ScenarioReader
from vassalgen.game.reading.tables_file import read_tables
from vassalgen.game.scenarios import Scenario
from vassalgen.problems import BadInput, Problem


@frozen
class Loaded:
    """The result of reading: the game if there is one, files that could not be read, and other problems."""

    game: Game | None
    unreadable: tuple[Problem, ...]
    problems: tuple[Problem, ...]


def load(folder: Path, overlays: Listed[Path] = ()) -> Loaded:
    """Load a game's folder with overlay folders, later ones overriding earlier ones. Raises nothing."""
    return _Reader([Folder(path, layer) for layer, path in enumerate((folder, *overlays))]).load()


def read(folder: Path, overlays: Listed[Path] = ()) -> Game:
    """Read a game; BadInput with all problems if anything in its files is wrong."""
    loaded = load(folder, overlays)
    if loaded.game is None or loaded.unreadable or loaded.problems:
        raise BadInput((*loaded.unreadable, *loaded.problems))
    return loaded.game


@define
class _Reader:
    folders: list[Folder]
    notes: Notes = field(factory=Notes)
    unreadable: list[Problem] = field(factory=list)

    def load(self) -> Loaded:
        for folder in self.folders:
            if not folder.path.is_dir():
                wrong = "there is no such folder" if not folder.path.exists() else "is not a folder"
                layer = "--data names a folder of corrections"
                right = layer if folder.layer else "name a folder with the files of a game"
                self.unreadable.append(Problem(shown(folder.path), "", wrong, right))
        game = None if self.unreadable else self._game()
        return Loaded(game, tuple(dict.fromkeys(self.unreadable)), tuple(dict.fromkeys(self.notes.problems)))

    def _game(self) -> Game | None:
        about = self._union("game.toml")
        self.notes.provenance = about.document.provenance if about else None
        tables = self._union("tables.toml")
        maps = self._layers("map.toml")
        clauses, rulings = self._union("clauses.toml", False), self._union("rulings.toml", False)
        art = self._union("art.toml", False)
        found: dict[str, Any] = read_game_file(about) if about else {}
        charts = read_tables(tables) if tables else None
        sections, clause = read_clauses(clauses) if clauses else ({}, {})
        found |= {"sections": sections, "clauses": clause}
        found |= {"rulings": read_rulings(rulings) if rulings else {}}
        found |= {"art": read_art(art) if art else Art()}
        rules = self._union("rules.toml", False)
        if rules:
            from vassalgen.game.reading.families_file import read_families  # noqa: PLC0415 - slow; most games lack it

            found |= {"families": read_families(rules)}
        kinds = tuple(charts.road_kinds) if charts else ()
        map_ = read_map(maps, _merged(maps), kinds) if maps else None
        if about:
            found["id"] = about.text("id", self.folders[0].path.resolve().name)
            found["help"] = self._help(about)
            about.finish("game.toml")
            found["counters"] = self._counters(found)
        if map_ and about:
            reader = ScenarioReader(map_, found["turns"], found["sequence"].order)
            found["scenarios"] = self._scenarios(reader)
        self.notes.report_unsourced()
        if not self.unreadable:
            self._strangers()
        if not (about and charts and map_):
            return None
        return Game(
            map=map_,
            terrain=charts.terrain,
            features=charts.features,
            road_kinds=charts.road_kinds,
            tables=charts.tables,
            modifiers=charts.modifiers,
            values=charts.values,
            folders=tuple(folder.path for folder in self.folders),
            origins=self.notes.origins,
            **found,
        )

    def _layers(self, name: str, needed: bool = True) -> list[Node]:
        """The tables of a file: of the game itself first, then of each overlay that has the file."""
        layers = []
        for folder in self.folders:
            try:
                text = folder.read(name)
                if text is None:
                    if needed and not folder.layer:
                        right = "every game has game.toml, map.toml, tables.toml and counters.csv"
                        self.unreadable.append(folder.origin(name).problem("is missing", right))
                    continue
                document = TomlDocument(shown(folder.path / name), text, folder.layer)
                layers.append(self._node(document))
            except BadInput as error:
                self.unreadable += error.problems
        return layers

    def _node(self, document: TomlDocument) -> Node:
        data = document.parse()
        node = Node.of(data, document, self.notes)
        if "provenance" in data:
            try:
                document.provenance = Provenance.parse(str(data["provenance"]))
            except ValueError as error:
                node.wrong("provenance", str(error))
        elif not document.layer:
            document.provenance = self.notes.provenance
        node.used.add("provenance")
        return node

    def _union(self, name: str, needed: bool = True) -> Node | None:
        layers = self._layers(name, needed)
        return _merged(layers) if layers else None

    def _counters(self, found: dict[str, Any]) -> dict[str, Any]:
        documents = []
        for folder in self.folders:
            try:
                text = folder.read("counters.csv")
                if text is not None:
                    documents.append(CsvDocument(shown(folder.path / "counters.csv"), text, folder.layer))
                elif not folder.layer:
                    problem = folder.origin("counters.csv").problem(
                        "is missing", "a table of the game's counters"
                    )
                    self.unreadable.append(problem)
            except BadInput as error:
                self.unreadable += error.problems
        reader = CounterReader(found["kinds"], found["factors"], found["columns"], self.notes)
        try:
            counters = reader.read(documents)
        except BadInput as error:
            self.unreadable += error.problems
            return {}
        if documents and not counters:
            self.notes.problems.append(empty_problem(documents[0]))
        return counters

    def _scenarios(self, reader: ScenarioReader) -> dict[str, Scenario]:
        names = sorted({name for folder in self.folders for name in folder.names("scenarios", ".toml")})
        files = {Path(name).stem: self._layers(name, needed=False) for name in names}
        waiting = {name: layers for name, layers in files.items() if layers}
        done: dict[str, Scenario] = {}
        while waiting:
            ready = [name for name, layers in waiting.items() if self._base(layers) in ("", *done)]
            for name in ready or list(waiting):
                layers = waiting.pop(name)
                root, base = _merged(layers), self._base(layers)
                if base in files and base not in done:
                    root.wrong(
                        "based_on", f"{base} is itself based on this scenario", "choose another base, or none"
                    )
                elif base and base not in done:
                    root.wrong("based_on", f"there is no scenario {base!r}", unknown(base, (*files,)))
                done[name] = reader.read(name, layers, root, done.get(base))
        return {name: done[name] for name in files if name in done}

    def _base(self, layers: list[Node]) -> str:
        return next((str(layer.entries["based_on"]) for layer in layers if "based_on" in layer), "")

    def _help(self, about: Node) -> dict[str, HelpPage]:
        node = about.node("help")
        pages = {}
        for page in node.words("pages", ()):
            text = None
            for folder in self.folders:
                try:
                    text = folder.read(f"help/{page}.md") or text
                except BadInput as error:
                    self.unreadable += error.problems
                    text = ""
            if text is None:
                node.wrong("pages", f"there is no help/{page}.md", "add a page of that name")
            else:
                pages[page] = read_help(page, text)
        node.finish("the help")
        return pages

    def _strangers(self) -> None:
        """Report files that are not read. A game's own folder may contain others, unless they look like
        misspelt names.
        """
        for folder in self.folders:
            for name in folder.strangers():
                right = unknown(name, tuple(sorted(folder.asked)))
                if folder.layer or name.startswith("help/") or right.startswith("did you mean"):
                    problem = Problem(shown(folder.path / name), "", "is not a file of the game", right)
                    self.notes.problems.append(problem)


def _merged(layers: list[Node]) -> Node:
    root = layers[0]
    for layer in layers[1:]:
        root = root.under(layer)
    root.used.add("provenance")
    return root
