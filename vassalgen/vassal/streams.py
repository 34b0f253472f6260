r"""The command stream: what ``savedGame`` says once it is unpacked.

A stream is one tree of commands. A node is its own text and its children, packed with ESC by
:mod:`~vassalgen.vassal.sequences` once a level, so an ESC at depth *n* shows *n* backslashes: splitting at
ESC alone miscounts nearly every real file. VASSAL executes a tree in pre-order.
[build.module.GameModule.encode, decode; command.Command.execute]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs
from attrs import field, frozen

from vassalgen.problems import FormatError
from vassalgen.vassal import sequences
from vassalgen.vassal.sequences import BACKSLASH, QUOTE

if TYPE_CHECKING:
    from vassalgen.vassal.commands import Command

ESC = "\x1b"
LOG = "LOG\t"
"""The prefix of every node that a player's action wrote. [build.module.BasicLogger]"""

MAX_DEPTH = 500
"""Deeper nesting than this is refused: real files stay below ten."""


@frozen
class Node:
    """One command as text, with the commands that belong to it."""

    text: str
    children: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        """This node and all below it in the order VASSAL executes them."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    @property
    def logged(self) -> bool:
        """Whether a player's action wrote this, so that it waits for the step button."""
        return self.text.startswith(LOG)

    @property
    def command(self) -> Command:
        """The command itself, without ``LOG`` in front of it.

        Raises :exc:`~vassalgen.problems.FormatError` for a known command that is broken.
        """
        from vassalgen.vassal import commands  # noqa: PLC0415 - most readers want the text alone

        return commands.decode(self.text.removeprefix(LOG))


@frozen
class Stream:
    """A whole stream. ``written`` is its spelling in the file where VASSAL would now spell it otherwise."""

    root: Node
    written: str | None = field(default=None, eq=False, repr=False)

    def encode(self) -> str:
        """Write the stream: as it was read, to the byte, if that still says the same."""
        if self.written is not None and _parse(self.written) == self.root:
            return self.written
        return encode(self.root)

    @property
    def setup(self) -> Iterator[Node]:
        """Every command that VASSAL executes on loading, in order."""
        yield attrs.evolve(self.root, children=())
        for entry in self.root.children:
            if not is_step(entry):
                yield from entry.walk()

    @property
    def steps(self) -> list[Node]:
        """What was logged: one tree for each press of the step button."""
        return [entry for entry in self.root.children if is_step(entry)]


def is_step(entry: Node) -> bool:
    """Whether a top-level entry waits for the step button: any of its nodes carries ``LOG``."""
    return entry.logged or any(node.logged for node in entry.walk())


def decode(text: str) -> Stream:
    """Read a stream. Raises :exc:`FormatError` only for nesting deeper than :data:`MAX_DEPTH`."""
    root = _parse(text)
    try:
        canonical = encode(root) == text
    except FormatError:
        canonical = False
    return Stream(root, None if canonical else text)


def _parse(text: str) -> Node:
    texts, depths = _split(text)
    if text.startswith(QUOTE) or ESC + QUOTE in text:
        _strip_quotes(texts, depths)
    return _grow(texts, depths)


def _split(text: str) -> tuple[list[str], list[int]]:
    """All texts in pre-order, and before each the number of backslashes on its ESC (-1 for the root)."""
    texts = text.split(ESC)
    depths = [-1] * len(texts)
    for position in range(len(texts) - 1):
        piece = texts[position]
        if piece.endswith(BACKSLASH):
            texts[position] = bare = piece.rstrip(BACKSLASH)
            depths[position + 1] = len(piece) - len(bare)
        else:
            depths[position + 1] = 0
    return texts, depths


def _strip_quotes(texts: list[str], depths: Sequence[int]) -> None:
    """Take off the quotes around tokens: around single texts, and around whole branches."""
    for start in range(len(texts)):
        if not texts[start].startswith(QUOTE):
            continue
        for end, levels in _tokens_from(depths, start):
            while levels and texts[start].startswith(QUOTE) and texts[end].endswith(QUOTE):
                if start == end:
                    if len(texts[start]) == 1:
                        break
                    texts[start] = texts[start][1:-1]
                else:
                    texts[start], texts[end] = texts[start][1:], texts[end][:-1]
                levels -= 1  # noqa: PLW2901 - one pair for each level that splits off this very token


def _tokens_from(depths: Sequence[int], start: int) -> list[tuple[int, float]]:
    """The tokens that begin at ``start``, widest first: where each ends, and at how many levels it does."""
    widest = max(depths[start], 0)
    narrowest = float("inf")
    found: list[tuple[int, float]] = []
    for position in range(start + 1, len(depths)):
        depth = depths[position]
        if depth < narrowest:
            level = max(depth, widest)
            found.append((position - 1, narrowest - level))
            narrowest = level
        if depth <= widest:
            return found[::-1]
    return [(len(depths) - 1, narrowest - widest), *found[::-1]]


def _grow(texts: list[str], depths: list[int]) -> Node:
    """Make the tree: a text belongs to the nearest one before it whose ESC shows fewer backslashes."""
    parents = [0] * len(texts)
    path = [0]
    for position in range(1, len(texts)):
        depth = depths[position]
        while len(path) > 1 and depths[path[-1]] >= depth:
            path.pop()
        parents[position] = path[-1]
        path.append(position)
        if len(path) > MAX_DEPTH:
            raise FormatError(f"commands are nested more than {MAX_DEPTH} deep", "real files stay below ten")
    branches: list[list[Node]] = [[] for _ in texts]
    for position in range(len(texts) - 1, 0, -1):
        branches[parents[position]].append(_node(texts[position], branches[position]))
    return _node(texts[0], branches[0])


def _node(text: str, reversed_children: list[Node]) -> Node:
    return Node(text, tuple(reversed(reversed_children))) if reversed_children else Node(text)


def encode(root: Node) -> str:
    """Write a tree as VASSAL writes it.

    Raises :exc:`FormatError` where a text that ends with a backslash is followed by another: VASSAL would
    read the two as one.
    """
    plain: list[str] = []
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        if (depth and node.text.startswith((BACKSLASH, QUOTE))) or ESC in node.text:
            return _encode_literally(root)
        if depth:
            if plain[-1].endswith(BACKSLASH):
                raise FormatError(f"a command ends with a backslash and more follows: {plain[-1][-40:]!r}")
            plain.append(BACKSLASH * (depth - 1) + ESC)
        plain.append(node.text)
        waiting.extend((child, depth + 1) for child in reversed(node.children))
    return "".join(plain)


def _encode_literally(root: Node) -> str:
    """Encode level by level, as the definition says; slow, for trees with texts that want quotes."""
    order = list(root.walk())
    done: dict[int, str] = {}
    for node in reversed(order):
        if node.children:
            tokens = [node.text, *(done[id(child)] for child in node.children)]
            done[id(node)] = sequences.encode(tokens, ESC)
        else:
            done[id(node)] = node.text
    return done[id(root)]
