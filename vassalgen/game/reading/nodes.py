"""A table of a file being read: it returns typed values and notes everything that is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from attrs import define, field

from vassalgen.game.game import unknown
from vassalgen.game.origins import Origin
from vassalgen.game.provenance import PRINTED, RECONSTRUCTION, Provenance
from vassalgen.game.reading.documents import TextDocument
from vassalgen.game.values import Value, Values
from vassalgen.problems import Problem

Choice = TypeVar("Choice", bound=str)
SOURCES = "'rulebook <section>', 'printed' or 'reconstruction'"
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@define(eq=False)
class Notes:
    """The problems found by reading, and the place of each thing of the game.

    ``provenance`` is what game.toml says for all files; ``unsourced`` are the places that need one and have
    none.
    """

    problems: list[Problem] = field(factory=list)
    origins: dict[str, Origin] = field(factory=dict)
    provenance: Provenance | None = None
    unsourced: dict[str, list[Origin]] = field(factory=dict)

    def wrong(self, origin: Origin, wrong: str, right: str = "") -> None:
        """Note a problem at a place."""
        self.problems.append(origin.problem(wrong, right))

    def no_provenance(self, origin: Origin) -> None:
        """Note that the data at a place have no provenance."""
        self.unsourced.setdefault(origin.document.file, []).append(origin)

    def report_unsourced(self) -> None:
        """Note a problem for each file with places without a provenance; if there is only one such place,
        there.
        """
        for file, (first, *others) in self.unsourced.items():
            if not others:
                self.wrong(first, "'provenance' is missing", f"write {SOURCES}")
                continue
            place = first.document.place(first.path)
            wrong = f"'provenance' is missing in {len(others) + 1} places, first at {place}"
            head = "a column of that name" if file.endswith(".csv") else "at the head of the file"
            self.problems.append(
                Problem(file, "", wrong, f"{head}, or for all files in game.toml: {SOURCES}")
            )


@define(eq=False)
class Node:
    """A table: its entries by key, each with its origin. Subtables are nodes, lists of tables are lists of
    nodes.

    Missing or invalid values are noted as problems and replaced by harmless ones, so that reading continues
    and finds further problems.
    """

    entries: dict[str, Any]
    origin: Origin
    notes: Notes
    origins: dict[str, Origin]
    document: TextDocument
    used: set[str] = field(factory=set)

    @classmethod
    def of(
        cls, data: Mapping[str, Any], document: TextDocument, notes: Notes, path: tuple[str | int, ...] = ()
    ) -> Node:
        """Make a node of a parsed table."""
        entries = {key: _noded(value, document, notes, (*path, key)) for key, value in data.items()}
        origins = {key: Origin(document, (*path, key)) for key in entries}
        return cls(entries, Origin(document, path), notes, origins, document)

    def under(self, over: Node) -> Node:
        """Return this node with another on top: its values override, and tables are merged key by key."""
        entries, origins = dict(self.entries), dict(self.origins)
        for key, value in over.entries.items():
            below = entries.get(key)
            merged = below.under(value) if isinstance(below, Node) and isinstance(value, Node) else value
            entries[key] = merged
            origins[key] = self.origins[key] if merged is not value else over.origins[key]
        return Node(entries, self.origin, self.notes, origins, self.document)

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def wrong(self, key: str, wrong: str, right: str = "") -> None:
        """Note a problem with an entry, or with the whole table if the key is empty or missing."""
        self.notes.wrong(self.origins.get(key, self.origin), wrong, right)

    def _take(self, key: str, types: type | tuple[type, ...], right: str, default: Any) -> Any:
        self.used.add(key)
        if key not in self.entries:
            if default is None:
                self.wrong("", f"'{key}' is missing", f"expected {right}")
            return None
        value = self.entries[key]
        if not isinstance(value, types) or (isinstance(value, bool) and types is not bool):
            self.wrong(key, f"is {_described(value)}", f"expected {right}")
            return None
        return value

    def text(self, key: str, default: str | None = None, *, strip: bool = True, right: str = "a text") -> str:
        """Return a text; without a default it must be present and not empty. ``right`` is the
        expected form.
        """
        value = self._take(key, str, right, default)
        if value is None:
            return default or ""
        if default is None and not value.strip():
            self.wrong(key, "is empty", f"expected {right}")
        return str(value).strip() if strip else str(value)

    def integer(self, key: str, default: int | None = None) -> int:
        """Return a whole number; 1 if a required number is missing."""
        value = self._take(key, int, "a whole number", default)
        return (1 if default is None else default) if value is None else int(value)

    def number(self, key: str, default: float | None = None) -> float:
        """Return a number."""
        value = self._take(key, (int, float), "a number", default)
        return (default or 0.0) if value is None else float(value)

    def flag(self, key: str, default: bool | None = None) -> bool:
        """Return true or false."""
        value = self._take(key, bool, "true or false", default)
        return bool(default) if value is None else bool(value)

    def words(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """Return words: a text with spaces between them, or a list of texts."""
        value = self._take(key, (str, list), "words with spaces between them, or a list of texts", default)
        if value is None:
            return default or ()
        if isinstance(value, str):
            return tuple(value.split())
        if not all(isinstance(word, str) for word in value):
            self.wrong(key, "contains something that is not a text", "expected a list of texts")
        return tuple(str(word) for word in value)

    def lines(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """Return a list of texts; a single text is a list of one."""
        alone = isinstance(self.entries.get(key), str)
        return (self.text(key),) if alone else self.words(key, default)

    def integers(self, key: str, default: tuple[int, ...] | None = None) -> tuple[int, ...]:
        """Return a list of whole numbers."""
        value = self._take(key, list, "a list of whole numbers", default)
        if value is None:
            return default or ()
        if not all(isinstance(number, int) and not isinstance(number, bool) for number in value):
            self.wrong(
                key, "contains something that is not a whole number", "expected a list of whole numbers"
            )
            return default or ()
        return tuple(value)

    def choice(self, key: str, options: tuple[Choice, ...], default: Choice | None = None) -> Choice:
        """Return one of several words."""
        value = self.text(key, default)
        if value in options:
            return options[options.index(value)]
        if value or default is not None:
            self.wrong(key, f"is {value!r}", f"expected one of {', '.join(options)}")
        return default or options[0]

    def node(self, key: str) -> Node:
        """Return a subtable, an empty one where there is none."""
        value = self._take(key, Node, f"a table [{key}]", {})
        return (
            Node({}, self.origins.get(key, self.origin), self.notes, {}, self.document)
            if value is None
            else value
        )

    def nodes(self, key: str) -> list[Node]:
        """Return a list of tables."""
        value = self._take(key, list, f"tables [[{key}]]", [])
        if value is None:
            return []
        if not all(isinstance(node, Node) for node in value):
            self.wrong(key, "contains something that is not a table", f"expected tables [[{key}]]")
        return [node for node in value if isinstance(node, Node)]

    def tables(self, key: str = "", kind: str = "") -> list[tuple[str, Node]]:
        """Return the subtables of an entry, or of this node if no key is given, each with its id.

        ``kind`` is the word under which their origins are stored.
        """
        parent = self.node(key) if key else self
        found = []
        for name, value in parent.entries.items():
            if parent is self and name in self.used:
                continue
            parent.used.add(name)
            if not name.strip():
                parent.wrong(name, "has an empty name", "write a word in brackets, as in [word]")
                continue
            if not isinstance(value, Node):
                parent.wrong(
                    name,
                    f"is {_described(value)}",
                    f"expected a table [{key}.{name}]" if key else f"expected a table [{name}]",
                )
                continue
            if kind:
                value.remember(f"{kind}/{name}")
            found.append((name, value))
        return found

    def rest(self, place: str) -> Values:
        """Return all entries that have not been read, as values of the game's own."""
        free = {key: _value(value) for key, value in self.entries.items() if key not in self.used}
        self.used.update(free)
        return Values(free, place)

    def remember(self, thing: str) -> None:
        """Store where a thing of the game is defined; entries from other files are stored separately."""
        self.notes.origins[thing] = self.origin
        for key, origin in self.origins.items():
            if origin.document is not self.origin.document:
                self.notes.origins[f"{thing}/{key}"] = origin

    @property
    def layer(self) -> int:
        """The highest layer from which anything in the table comes."""
        keys = [key for key in self.entries if key != "provenance"]
        return max((self.layer_of(key) for key in keys), default=self.document.layer)

    def layer_of(self, key: str) -> int:
        """Return the layer of an entry (for a table, the highest in it); -1 if it is missing."""
        if key not in self.entries:
            return -1
        value, document = self.entries[key], self.origins[key].document
        own = document.layer if isinstance(document, TextDocument) else 0
        return max(own, value.layer) if isinstance(value, Node) else own

    def provenance(self, inherited: Provenance | None = None) -> Provenance:
        """Return the provenance of the table's data.

        Its own provenance counts, unless an overlay changed the data without giving one: then it is that of
        the overlay's file, or ``printed``. ``inherited`` is the default.
        """
        self.used.add("provenance")
        layer = self.layer
        if "provenance" in self.entries and self.layer_of("provenance") >= layer:
            try:
                return Provenance.parse(self.text("provenance"))
            except ValueError as error:
                self.wrong("provenance", str(error))
                return RECONSTRUCTION
        if layer > 0:
            return self._laid_over(layer).provenance or PRINTED
        if inherited is None and self.document.provenance is None:
            self.notes.no_provenance(self.origin)
        return inherited or self.document.provenance or RECONSTRUCTION

    def _laid_over(self, layer: int) -> TextDocument:
        for key, value in self.entries.items():
            document = self.origins[key].document
            if isinstance(value, Node) and value.layer == layer:
                return value._laid_over(layer)
            if isinstance(document, TextDocument) and document.layer == layer:
                return document
        return self.document

    def finish(self, what: str = "") -> None:
        """Note the keys that have not been read."""
        for key in self.entries:
            if key not in self.used:
                right = unknown(key, tuple(sorted(self.used)), len(self.used))
                self.wrong(key, f"{what or 'this table'} has no '{key}'", right)


def _noded(value: Any, document: TextDocument, notes: Notes, path: tuple[str | int, ...]) -> Any:
    if isinstance(value, dict):
        return Node.of(value, document, notes, path)
    if isinstance(value, list) and any(isinstance(member, dict) for member in value):
        return [_noded(member, document, notes, (*path, number)) for number, member in enumerate(value)]
    return value


def _value(value: Any) -> Value:
    if isinstance(value, Node):
        return {key: _value(entry) for key, entry in value.entries.items()}
    if isinstance(value, list):
        return tuple(_value(member) for member in value)
    return value if isinstance(value, bool | int | float | str) else str(value)


def _described(value: Any) -> str:
    if isinstance(value, Node):
        return "a table"
    if isinstance(value, list):
        return "a list"
    return str(value).lower() if isinstance(value, bool) else repr(value)
