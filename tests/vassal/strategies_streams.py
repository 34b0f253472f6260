"""Streams and commands, made up by hypothesis or read from real files, and slow literal ways to read them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from vassalgen.vassal import streams
from vassalgen.vassal.savedgame import read_saved_game
from vassalgen.vassal.streams import ESC, Node, Stream

Tree = tuple[str, list["Tree"]]

hostile_texts = st.text(alphabet="\\'\x1bab", max_size=40)
"""Texts made of what the encoding of streams turns on, and little else."""

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


@cache
def real_streams(shared: Path) -> dict[str, tuple[str, Stream]]:
    """Every save and log of the reference material: its text and its stream, by file name."""
    files = [*(shared / "corpus").glob("vsav/*"), *(shared / "corpus").glob("vlog/*")]
    files += [*(shared / "vassal-truth").glob("*.vsav"), *(shared / "vassal-truth").glob("*.vlog")]
    texts = {file.name: read_saved_game(file).text for file in sorted(files)}
    return {name: (text, streams.decode(text)) for name, text in texts.items()}
