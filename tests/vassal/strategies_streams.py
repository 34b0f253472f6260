"""Streams and commands, made up by hypothesis or read from real files, and slow literal ways to read them."""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path

import attrs
from attrs import frozen
from hypothesis import strategies as st

from vassalgen.vassal import commands, streams
from vassalgen.vassal.commands import Command, PlacedBoard
from vassalgen.vassal.savedgame import read_saved_game
from vassalgen.vassal.streams import ESC, Node, Stream

Tree = tuple[str, list["Tree"]]

hostile_texts = st.text(alphabet="\\'\x1bab", max_size=40)
"""Texts of the characters that matter in the encoding of streams, and little else."""

staircases = st.lists(
    st.tuples(st.integers(0, 6), st.sampled_from(["a", "'", "''", "'a", "a'", "'a'", ""])), max_size=10
).map(lambda steps: "'a" + "".join("\\" * depth + ESC + text for depth, text in steps))
"""Texts with many levels, whose branches start and end with quotes more often than chance would have it."""


def _can_stand(text: str) -> bool:
    """Whether a text can stand anywhere in a stream."""
    return not text.endswith("\\") and not (len(text) > 1 and text[0] == text[-1] == "'")


node_texts = st.text(alphabet="a'\\\t/;|", max_size=4).filter(_can_stand)
"""Texts that can stand anywhere in a stream."""


def trees_of(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Node]:
    """Trees with such texts."""
    return st.recursive(
        texts.map(Node),
        lambda branch: st.builds(Node, texts, st.lists(branch, max_size=4).map(tuple)),
        max_leaves=12,
    )


trees = trees_of(node_texts)
any_trees = trees_of(st.text(alphabet="a'\\\x1b", max_size=3))
"""Trees of which many have no encoding."""


def as_tree(node: Node) -> Tree:
    """A node as :func:`naive_parse` gives it."""
    return node.text, [as_tree(child) for child in node.children]


def naive_decode(text: str, delimiter: str) -> list[str]:
    """Split a list character by character, as VASSAL's own decoder does. [tools.SequenceEncoder.Decoder]"""
    tokens, start, length = [], 0, len(text)
    while True:
        token, piece, place, ended = "", start, start, False
        while place < length:
            if text[place] == delimiter:
                if place > 0 and text[place - 1] == "\\":
                    token += text[piece : place - 1]
                    piece = place
                else:
                    ended = True
                    break
            place += 1
        token += text[piece:place]
        if len(token) > 1 and token[0] == "'" and token[-1] == "'":
            token = token[1:-1]
        tokens.append(token)
        if not ended:
            return tokens
        start = place + 1


def naive_parse(text: str) -> Tree:
    """Read a stream by the definition, level by level. [build.module.GameModule.decode]"""
    first, *others = naive_decode(text, ESC)
    if first == text:
        return text, []
    own, children = naive_parse(first)
    return own, children + [naive_parse(other) for other in others]


@frozen
class RealFile:
    """A save or log of the reference material, read as far as commands."""

    text: str
    stream: Stream
    nodes: tuple[Node, ...]
    commands: tuple[Command, ...]


@cache
def real_files(shared: Path) -> dict[str, RealFile]:
    """Every save and log of the reference material by file name; read once, as it takes a second."""
    paths = [*(shared / "corpus").glob("vsav/*"), *(shared / "corpus").glob("vlog/*")]
    paths += [*(shared / "vassal-truth").glob("*.vsav"), *(shared / "vassal-truth").glob("*.vlog")]
    return {path.name: _real_file(path) for path in sorted(paths)}


def _real_file(path: Path) -> RealFile:
    text = read_saved_game(path).text
    stream = streams.decode(text)
    nodes = tuple(stream.root.walk())
    return RealFile(text, stream, nodes, tuple(node.command for node in nodes))


def index_rows(shared: Path) -> list[dict[str, str]]:
    """What the reference material's index says of its saves and logs; it was made independently."""
    with (shared / "corpus" / "INDEX.tsv").open(encoding="utf-8", newline="") as index:
        rows = [row for row in csv.DictReader(index, delimiter="\t") if row["kind"] in ("vlog", "vsav")]
    assert len(rows) > 60
    return rows


raw_fields = st.text(alphabet="aB1'\\\t/;|,\n é", max_size=6)
"""What may stand in a field of a command that somebody else wrote."""
fields = raw_fields.filter(lambda text: not re.search(r"\\(\n|$)", text))
"""What may stand in any field: no line of it ends with a backslash."""
numbers = st.integers(-(2**31), 2**31 - 1)
nullable = st.none() | fields.filter(lambda text: text != "null")
map_names = st.text(alphabet="aB1'/;|, é", max_size=6).filter(lambda text: not text.startswith(("'", "/")))
boards = st.builds(PlacedBoard, fields, numbers, numbers, st.booleans())
lists = st.lists(fields, max_size=4).map(tuple)
_cut_off = st.tuples(fields, fields, fields) | st.tuples(fields, fields) | st.tuples(fields) | st.just(())
_BY_NAME: dict[tuple[type[Command], str], st.SearchStrategy[object]] = {
    (commands.AddPiece, "id"): nullable,
    (commands.SetBoards, "map"): map_names,
    (commands.SetBoards, "boards"): st.lists(boards, max_size=3).map(tuple),
    (commands.Unmask, "players"): st.none() | lists.filter(lambda ids: ids not in (("",), ("null",))),
    (commands.Unknown, "text"): fields.map("?".__add__),
    (commands.Null, "text"): st.sampled_from(["", "null"]),
}
_BY_TYPE: dict[str, st.SearchStrategy[object]] = {
    "str": fields,
    "int": numbers,
    "bool": st.booleans(),
    "str | None": nullable,
    "tuple[str, ...]": lists,
}


def classes_of_commands() -> list[type[Command]]:
    """Every class that a text can be read as."""
    found = [cls for cls in vars(commands).values() if isinstance(cls, type) and issubclass(cls, Command)]
    return [cls for cls in found if not cls.__name__.startswith("_") and cls is not Command]


def commands_of(cls: type[Command]) -> st.SearchStrategy[Command]:
    """Commands of a class."""
    if cls is commands.ChangeProperty:  # whose fields may be cut off at the end only
        return st.builds(_change_property, fields, _cut_off)
    wanted = [attribute for attribute in attrs.fields(cls) if attribute.name != "written"]
    made = [(one.name, _BY_NAME.get((cls, one.name), _BY_TYPE.get(str(one.type)))) for one in wanted]
    return st.builds(cls, **{name: strategy for name, strategy in made if strategy is not None})


def _change_property(name: str, values: tuple[str, ...]) -> Command:
    return commands.ChangeProperty(name=name, **dict(zip(("old", "new", "container"), values, strict=False)))
