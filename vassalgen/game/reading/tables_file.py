"""Reading tables.toml: the terrain chart, combat tables, modifiers of battles, and other values."""

from __future__ import annotations

from typing import Any, TypeVar

from attrs import define

from vassalgen.game.modifiers import ACROSS, MODIFIED, BattleModifier, Test
from vassalgen.game.provenance import Provenance
from vassalgen.game.reading.nodes import Node
from vassalgen.game.reading.rules_files import flowing
from vassalgen.game.tables import NAMED, RETREATING, Feature, Result, RoadKind, Table, Terrain, ValueGroup

Row = TypeVar("Row", Terrain, RoadKind)


@define
class TablesFile:
    """The contents of tables.toml."""

    terrain: dict[str, Terrain]
    features: dict[str, Feature]
    road_kinds: dict[str, RoadKind]
    tables: dict[str, Table]
    modifiers: dict[str, BattleModifier]
    values: dict[str, ValueGroup]


def read_tables(root: Node) -> TablesFile:
    """Read the file; subtables without a provenance have that of the file."""
    found = TablesFile(
        terrain={name: _row(Terrain, name, node) for name, node in root.tables("terrain", "terrain")},
        features={name: _feature(name, node) for name, node in root.tables("hexside", "feature")},
        road_kinds={name: _row(RoadKind, name, node) for name, node in root.tables("road", "road-kind")},
        tables={name: _table(name, node) for name, node in root.tables("tables", "table")},
        modifiers={name: _modifier(name, node) for name, node in root.tables("modifiers", "modifier")},
        values={name: _group(name, node) for name, node in root.tables("values", "values")},
    )
    root.finish("tables.toml")
    return found


def _row(make: type[Row], name: str, node: Node) -> Row:
    title, closed, text = node.text("title"), node.flag("closed", False), flowing(node.text("text", ""))
    provenance = node.provenance()
    return make(name, title, closed, node.rest(f"{make.__name__.lower()} {name}"), text, provenance)


def _feature(name: str, node: Node) -> Feature:
    title, closed, text = node.text("title"), node.flag("closed", False), flowing(node.text("text", ""))
    opens, provenance = node.words("opens", ()), node.provenance()
    return Feature(
        id=name,
        title=title,
        closed=closed,
        effects=node.rest(f"hexside {name}"),
        text=text,
        provenance=provenance,
        opens=opens,
    )


def _table(name: str, node: Node) -> Table:
    provenance = node.provenance()
    rows = tuple(str(label) for label in _list(node, "rows"))
    columns = tuple(str(label) for label in _list(node, "columns"))
    table = Table(
        id=name,
        title=node.text("title"),
        columns=columns,
        rows=rows,
        cells=tuple(_cells(node, line) for line in _list(node, "cells")),
        column_title=node.text("column_title", ""),
        row_title=node.text("row_title", ""),
        dice=node.text("dice", ""),
        between=node.text("between", "", strip=False),
        results={code: _result(code, entry, provenance) for code, entry in _results(node, name)},
        below=node.text("below", ""),
        above=node.text("above", ""),
        beyond=node.integer("beyond", 0),
        shifts=node.lines("shifts", ()),
        modifiers=node.lines("modifiers", ()),
        text=node.text("text", ""),
        provenance=provenance,
    )
    node.finish("a table")
    return table


def _list(node: Node, key: str) -> list[Any]:
    node.used.add(key)
    value = node.entries.get(key)
    if value is None:
        node.wrong("", f"'{key}' is missing", "expected a list")
    elif not isinstance(value, list):
        node.wrong(key, f"is {value!r}", "expected a list")
    return value if isinstance(value, list) else []


def _cells(node: Node, line: Any) -> tuple[str, ...]:
    if not isinstance(line, list):
        node.wrong("cells", f"contains {line!r}", "expected a list for each row")
        return ()
    return tuple(str(cell).strip() for cell in line)


def _results(node: Node, name: str) -> list[tuple[str, Node]]:
    return node.tables("results", f"result/{name}")


def _result(code: str, node: Node, inherited: Provenance) -> Result:
    result = Result(
        code,
        node.text("title"),
        node.text("text", ""),
        node.provenance(inherited),
        node.choice("retreats", RETREATING, ""),
    )
    node.finish("a result")
    return result


def _modifier(name: str, node: Node) -> BattleModifier:
    modifier = BattleModifier(
        id=name,
        title=node.text("title"),
        to=node.choice("to", MODIFIED),
        terrain=node.text("terrain", ""),
        hexside=node.text("hexside", ""),
        across=node.choice("across", ACROSS, "all"),
        season=node.text("season", ""),
        places=_numbers(node.node("places")),
        worth=node.integer("worth", 0),
        highest=node.flag("highest", False),
        least=node.integer("least") if "least" in node else None,
        most=node.integer("most") if "most" in node else None,
        attacker=node.text("attacker", ""),
        defender=node.text("defender", ""),
        test=_test(node.node("test")) if "test" in node else None,
        times=node.flag("times", False),
        kinds=node.words("kinds", ()),
        best=node.text("best", ""),
        less=node.text("less", ""),
        twice_against=node.integer("twice_against", 0),
        halved=node.text("halved", ""),
        no_attacker=node.text("no_attacker", ""),
        no_defender=node.text("no_defender", ""),
        halved_into=node.text("halved_into", ""),
        also_attacker=node.text("also_attacker", ""),
        also_defender=node.text("also_defender", ""),
        halved_across=node.text("halved_across", ""),
    )
    node.finish("a modifier")
    return modifier


def _test(node: Node) -> Test:
    test = Test(
        dice=node.text("dice"),
        factor=node.text("factor"),
        passes=node.text("passes", ""),
        state=_numbers(node.node("state")),
        attackers=_numbers(node.node("attackers")),
        turn=node.text("turn", ""),
    )
    node.finish("a test")
    return test


def _numbers(node: Node) -> dict[str, int]:
    return {name: node.integer(name) for name in node}


def _group(name: str, node: Node) -> ValueGroup:
    title, provenance, text = node.text("title", name), node.provenance(), node.lines("text", ())
    group = ValueGroup(name, node.rest(f"values {name}"), title, provenance, text)
    for path in (path for sentence in text for path in NAMED.findall(sentence)):
        try:
            group.named(path)
        except KeyError:
            node.wrong(
                "text",
                f"names {path!r}, which is not a value here",
                f"expected one of {', '.join(group.values)}",
            )
    return group
