"""Reading counters.csv: one counter per line, its factors one value per step, separated by slashes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import define, field

from vassalgen.game.counters import Column, Counter, Face, Factor, Kind, Printed
from vassalgen.game.game import unknown
from vassalgen.game.origins import Origin
from vassalgen.game.provenance import PRINTED, RECONSTRUCTION, Provenance
from vassalgen.game.reading.documents import CsvDocument
from vassalgen.game.reading.nodes import ID, Notes
from vassalgen.game.values import Value, Values
from vassalgen.problems import BadInput, Problem

CORE = (
    *("id", "kind", "side", "nation", "formation", "name", "label", "symbol", "size"),
    *("stack", "steps", "pieces", "count", "provenance", "note"),
)
NOTHING = "-"
_FLAGS = {"1": True, "0": False, "yes": True, "no": False, "true": True, "false": False}

MOST = 1_000
"""More than any counter can have of steps, pieces or copies."""


@define
class _Row:
    """A counter's cells by column, with overlays applied, and their places."""

    id: str
    origin: Origin
    notes: Notes
    cells: dict[str, str] = field(factory=dict)
    origins: dict[str, Origin] = field(factory=dict)
    layer: int = 0
    said: int = 0
    document_says: Provenance | None = None

    def cell(self, column: str) -> str:
        """The cell; empty if there is none or it says so."""
        text = self.cells.get(column, "")
        return "" if text == NOTHING else text

    def wrong(self, column: str, wrong: str, right: str = "") -> None:
        self.notes.wrong(self.origins.get(column, self.origin), wrong, right)

    def integer(self, column: str, default: int) -> int:
        text = self.cell(column)
        if not text:
            return default
        if not re.fullmatch(r"-?\d{1,12}", text):
            self.wrong(column, f"is {text[:20]!r}", "expected a whole number")
            return default
        if int(text) > MOST:
            self.wrong(column, f"is {text}", f"expected at most {MOST}")
            return default
        return int(text)


@define
class CounterReader:
    """Reads the lines of counters, as the game declares their columns and factors."""

    kinds: Mapping[str, Kind]
    factors: Mapping[str, Factor]
    columns: Mapping[str, Column]
    notes: Notes

    def read(self, documents: list[CsvDocument]) -> dict[str, Counter]:
        """Return the counters in the order of the files; later files override earlier ones."""
        rows: dict[str, _Row] = {}
        for document in documents:
            self._collect(document, rows)
        return {row.id: self._counter(row) for row in rows.values()}

    def _collect(self, document: CsvDocument, rows: dict[str, _Row]) -> None:
        heading, lines = document.rows()
        known = (*CORE, *self.factors, *self.columns)
        top = Origin(document, (1,))
        for column in heading:
            if column not in known:
                self.notes.wrong(top, f"there is no column {column!r}", unknown(column, known))
        for column in {column for column in heading if heading.count(column) > 1}:
            self.notes.wrong(top, f"the column {column!r} appears twice", "use each column once")
        if "id" not in heading:
            raise BadInput(top.problem("the column 'id' is missing", "a first column 'id'"))
        here: dict[str, int] = {}
        for line, cells in lines:
            name = cells[heading.index("id")] if len(cells) > heading.index("id") else ""
            origin = Origin(document, (line, name) if name else (line,))
            if len(cells) != len(heading):
                self.notes.wrong(
                    origin, f"has {len(cells)} cells", f"expected {len(heading)}, as in the heading"
                )
            if not ID.fullmatch(name):
                self.notes.wrong(origin, f"{name!r} is not an id", "use only letters, digits and . _ -")
            elif name in here:
                self.notes.wrong(
                    origin, f"the id {name} is already used on line {here[name]}", "give it an id of its own"
                )
            else:
                here[name] = line
                said = dict(zip(heading, cells, strict=False))
                if document.layer and name not in rows and not said.get("kind"):
                    right = f"a new one has a kind ({', '.join(self.kinds)}); {unknown(name, rows)}"
                    self.notes.wrong(origin, f"there is no counter {name!r} to correct", right)
                else:
                    row = rows.setdefault(name, _Row(name, origin, self.notes))
                    self._lay(row, said, origin, document)

    def _lay(self, row: _Row, cells: dict[str, str], origin: Origin, document: CsvDocument) -> None:
        for column, text in cells.items():
            if text or not document.layer:
                row.cells[column] = text
                row.origins[column] = Origin(document, (*origin.path, column))
                if text and column == "provenance":
                    row.said = document.layer
                elif text and column != "id":
                    row.layer = document.layer
                    row.document_says = document.provenance

    def _counter(self, row: _Row) -> Counter:
        self.notes.origins[f"counter/{row.id}"] = row.origin
        for column, origin in row.origins.items():
            if origin.document is not row.origin.document:
                self.notes.origins[f"counter/{row.id}/{column}"] = origin
        kind = self.kinds.get(row.cell("kind"))
        if not row.cell("kind"):
            row.wrong("kind", "'kind' is missing", f"expected one of {', '.join(self.kinds)}")
        if not row.cell("name"):
            row.wrong("name", "'name' is missing", "expected the counter's full name")
        marker = kind is not None and kind.marker
        return Counter(
            id=row.id,
            kind=row.cell("kind"),
            name=row.cell("name"),
            label=row.cell("label") or row.cell("name"),
            side=row.cell("side"),
            nation=row.cell("nation"),
            formation=row.cell("formation"),
            symbol=row.cell("symbol"),
            size=row.cell("size"),
            stack=row.integer("stack", 0 if marker else 1),
            count=row.integer("count", 1),
            pieces=row.integer("pieces", 1),
            faces=self._faces(row, kind),
            extra=self._extra(row),
            provenance=self._provenance(row),
            note=row.cell("note"),
        )

    def _faces(self, row: _Row, kind: Kind | None) -> tuple[Face, ...]:
        values = {name: self._steps(row, factor) for name, factor in self.factors.items() if row.cell(name)}
        if kind and kind.roster and kind.roster in values:
            first = values[kind.roster][0]
            full = first if isinstance(first, int) and first > 0 else 1
            if full > MOST:
                row.wrong(kind.roster, f"is {full}", f"expected at most {MOST}, as each is a step")
                full = 1
            values[kind.roster] = tuple(range(full, 0, -1))
        given = max((len(steps) for steps in values.values()), default=1)
        count = row.integer("steps", given)
        for name, steps in values.items():
            if len(steps) not in (1, count):
                row.wrong(
                    name,
                    f"has {len(steps)} values for {count} steps",
                    "give one for each step, or one for all",
                )
        faces = []
        for step in range(max(count, 1)):
            shown = {name: steps[min(step, len(steps) - 1)] for name, steps in values.items()}
            faces.append(Face({name: value for name, value in shown.items() if value is not None}))
        return tuple(faces)

    def _steps(self, row: _Row, factor: Factor) -> tuple[Printed | None, ...]:
        return tuple(self._printed(row, factor, part.strip()) for part in row.cell(factor.id).split("/"))

    def _printed(self, row: _Row, factor: Factor, text: str) -> Printed | None:
        if text in factor.special:
            return text
        if text in ("", NOTHING):
            return None
        if re.fullmatch(r"[+-]?\d{1,9}", text):
            return int(text)
        if re.fullmatch(r"[+-]?\d{1,9}\.\d{1,9}", text):
            return float(text)
        right = "expected a number" + "".join(f" or {sign}" for sign in factor.special)
        row.wrong(factor.id, f"is {text!r}", right)
        return 0

    def _extra(self, row: _Row) -> Values:
        found: dict[str, Value] = {}
        for column in self.columns.values():
            text = row.cell(column.id)
            value = self._typed(row, column, text) if text else False if column.type == "flag" else None
            if value is not None:
                found[column.id] = value
            elif column.type == "words":
                found[column.id] = ()
        return Values(found, f"counter {row.id}")

    def _typed(self, row: _Row, column: Column, text: str) -> Value | None:
        if column.type == "flag":
            if text.lower() not in _FLAGS:
                row.wrong(column.id, f"is {text!r}", "expected 1 or 0")
            return _FLAGS.get(text.lower(), False)
        if column.type == "integer":
            return row.integer(column.id, 0)
        if column.type == "number":
            if re.fullmatch(r"[+-]?\d{1,9}(\.\d{1,9})?", text):
                return float(text)
            row.wrong(column.id, f"is {text!r}", "expected a number")
            return None
        words = tuple(text.split()) if column.type == "words" else (text,)
        for word in words:
            if column.one_of and word not in column.one_of:
                row.wrong(column.id, f"{word!r} is not one of its words", unknown(word, column.one_of))
        return words if column.type == "words" else text

    def _provenance(self, row: _Row) -> Provenance:
        if row.cell("provenance") and row.said >= row.layer:
            try:
                return Provenance.parse(row.cell("provenance"))
            except ValueError as error:
                row.wrong("provenance", str(error))
                return RECONSTRUCTION
        if row.layer:
            return row.document_says or PRINTED
        if self.notes.provenance is None:
            self.notes.no_provenance(row.origins.get("provenance", row.origin))
        return self.notes.provenance or RECONSTRUCTION


def empty_problem(document: CsvDocument) -> Problem:
    """Return the problem of a file without counters."""
    return Problem(document.file, "", "has no counters", "add a line for each counter")
