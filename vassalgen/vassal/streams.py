r"""The command stream: the content of ``savedGame`` after decoding.

A stream is one tree of commands. A node is its own text and its children, packed with ESC by
:mod:`~vassalgen.vassal.sequences` once per level, so an ESC at depth *n* shows *n* backslashes: splitting at
ESC alone goes wrong in nearly every real file. VASSAL executes a tree in pre-order.
[build.module.GameModule.encode, decode; command.Command.execute]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import repeat
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
"""The prefix of every node written by a player's action. [build.module.BasicLogger]"""

_LOST = "null"
_NOTHING = ("", _LOST)
_LONGEST_NOTHING = len(LOG) + max(map(len, _NOTHING))
MAX_DEPTH = 500
"""Deeper nesting than this is rejected: real files stay below ten."""


@frozen(eq=False, repr=False)
class Node:
    """One command as text, with the commands that belong to it.

    The text may contain a player's password, so ``repr`` does not show it.
    """

    text: str
    children: tuple[Node, ...] = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        pairs = zip(self.walk(), other.walk(), strict=False)  # no recursion: a tree may be deep
        return all(one.text == two.text and len(one.children) == len(two.children) for one, two in pairs)

    def __hash__(self) -> int:
        return hash((self.text, len(self.children)))

    def __repr__(self) -> str:
        return f"<Node with {len(self.children)} children>"

    def walk(self) -> Iterator[Node]:
        """This node and all nodes below it in the order in which VASSAL executes them."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    @property
    def logged(self) -> bool:
        """Whether a player's action wrote this, so that it is executed by the step button."""
        return self.text.startswith(LOG)

    @property
    def says_nothing(self) -> bool:
        """Whether it only groups its children, or is a command that does nothing."""
        return len(self.text) <= _LONGEST_NOTHING and self.bare in _NOTHING

    @property
    def is_lost(self) -> bool:
        """Whether VASSAL could not write this command or any below it: they are ``null``."""
        return all(len(node.text) <= _LONGEST_NOTHING and node.bare == _LOST for node in self.walk())

    @property
    def bare(self) -> str:
        """The text of the command, without ``LOG`` in front."""
        return self.text.removeprefix(LOG)

    def begins(self, prefix: str | tuple[str, ...]) -> bool:
        """Whether the bare text begins with a prefix, or with one of several."""
        return self.text.startswith(prefix, len(LOG) if self.text.startswith(LOG) else 0)

    @property
    def command(self) -> Command:
        """The command itself, without ``LOG`` in front.

        Raises :exc:`~vassalgen.problems.FormatError` for a known command that is damaged.
        """
        from vassalgen.vassal import commands  # noqa: PLC0415 - most readers want the text alone

        return commands.decode(self.bare)


@frozen
class Stream:
    """A whole stream. ``written`` is its spelling in the file, if that is not the plain one."""

    root: Node
    written: str | None = field(default=None, eq=False, repr=False)

    def encode(self) -> str:
        """Write the stream: as it was read, to the byte, if its content is unchanged."""
        if self.written is not None and _parse(self.written) == self.root:
            return self.written
        return encode(self.root)

    @property
    def setup(self) -> Iterator[Node]:
        """Every command that VASSAL executes when loading, in order."""
        yield attrs.evolve(self.root, children=())
        for entry in self.root.children:
            if not is_step(entry):
                yield from entry.walk()

    @cached_property
    def steps(self) -> list[Node]:
        """The logged steps: one tree for each press of the step button.

        Entries that contain only commands that VASSAL could not write are not steps: VASSAL decodes them to
        nothing and does not count them. [build.module.BasicLogger.decode]
        """
        return [entry for entry in self.root.children if is_step(entry) and not entry.is_lost]


def is_step(entry: Node) -> bool:
    """Whether a top-level entry is executed by the step button: any of its nodes has ``LOG`` in front."""
    return entry.logged or (bool(entry.children) and any(node.logged for node in entry.walk()))


def decode(text: str) -> Stream:
    """Read a stream. Raises :exc:`FormatError` only for nesting deeper than :data:`MAX_DEPTH`."""
    root = _parse(text)
    return Stream(root, None if _is_plain(text, root) else text)


def read(pieces: Iterable[str]) -> Stream:
    """Read the content of a stream like :func:`decode`, but without its spelling.

    It comes in chunks of any size, so that the whole text need not be in memory.
    """
    return Stream(_tree(_split_pieces(pieces)))


def _parse(text: str) -> Node:
    return _tree(text.split(ESC))


def _tree(texts: list[str]) -> Node:
    """The tree of the texts between all ESC; the list is consumed."""
    depths = _depths(texts)
    parents = _parents(depths)
    if any(map(str.startswith, texts, repeat(QUOTE))):
        texts = _without_quotes(texts, depths)
    return _grow(texts, parents)


def _split_pieces(pieces: Iterable[str]) -> list[str]:
    """The texts between all ESC of a stream that comes in chunks."""
    texts: list[str] = []
    begun: list[str] = []
    for piece in pieces:
        end, *following = sequences.split(piece, ESC)
        begun.append(end)
        if following:
            texts.append("".join(begun))
            begun = [following.pop()]
            texts += following
    return [*texts, "".join(begun)]


def _depths(texts: list[str]) -> list[int]:
    """The number of backslashes on the ESC before each text (-1 for the root); they are removed."""
    depths = [-1] * len(texts)
    for position in range(len(texts) - 1):
        piece = texts[position]
        if piece.endswith(BACKSLASH):
            texts[position] = bare = piece.rstrip(BACKSLASH)
            depths[position + 1] = len(piece) - len(bare)
        else:
            depths[position + 1] = 0
    return depths


_MOST_QUOTED = 5_000_000
"""The maximum number of texts in branches with a quote in front, each counted once for each such branch."""


def _without_quotes(texts: Sequence[str], depths: Sequence[int]) -> list[str]:
    """Remove the quotes around tokens: around single texts, and around whole branches."""
    opening = [len(text) - len(text.lstrip(QUOTE)) for text in texts]
    closing = [len(text) - len(text.rstrip(QUOTE)) for text in texts]
    heads, tails = [0] * len(texts), [0] * len(texts)
    looked_at = 0
    for start, text in enumerate(texts):
        if not opening[start]:
            continue
        tokens = _tokens_from(depths, start)
        looked_at += tokens[0][0] - start
        if looked_at > _MOST_QUOTED:
            raise FormatError("quotes stand around branches in each other", "real files have few of them")
        for end, levels in tokens:  # a pair for each level that splits off this token
            pairs = int(min(levels, opening[start] - heads[start], closing[end] - tails[end]))
            if start == end:
                pairs = min(pairs, (len(text) - heads[start] - tails[start]) // 2)
            heads[start] += pairs
            tails[end] += pairs
    return [text[head : len(text) - tail] for text, head, tail in zip(texts, heads, tails, strict=True)]


def _tokens_from(depths: Sequence[int], start: int) -> list[tuple[int, float]]:
    """The tokens that begin at ``start``, widest first: where each ends, and at how many levels."""
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


def _parents(depths: Sequence[int]) -> list[int]:
    """The parent of each text: the nearest text before it whose ESC has fewer backslashes."""
    parents = [0] * len(depths)
    path = [0]
    for position in range(1, len(depths)):
        depth = depths[position]
        while len(path) > 1 and depths[path[-1]] >= depth:
            path.pop()
        parents[position] = path[-1]
        path.append(position)
        if len(path) > MAX_DEPTH:
            raise _too_deep()
    return parents


def _grow(texts: list[str], parents: Sequence[int]) -> Node:
    """Build the tree."""
    branches: dict[int, list[Node]] = {0: []}  # of those that have any, the last child first
    for position in range(len(texts) - 1, 0, -1):
        node = _node(texts[position], branches.pop(position, ()))
        branches.setdefault(parents[position], []).append(node)
    return _node(texts[0], branches[0])


def _too_deep() -> FormatError:
    return FormatError(f"commands are nested more than {MAX_DEPTH} deep", "real files stay below ten")


def _node(text: str, reversed_children: Sequence[Node]) -> Node:
    return Node(text, tuple(reversed(reversed_children))) if reversed_children else Node(text)


def encode(root: Node) -> str:
    """Write a tree as VASSAL writes it, so that reading gives the same tree. Raises :exc:`FormatError` for
    trees that cannot be written: a text ends with a backslash and another follows, so that VASSAL would read
    the two as one; a text contains an ESC, or is enclosed in single quotes; or the tree is deeper than
    :data:`MAX_DEPTH`.
    """
    plain = _encode_plainly(root)
    return _encode_literally(root) if plain is None else plain


class _NotPlainError(Exception):
    """A tree that needs quotes, or that cannot be written."""


def _is_plain(text: str, root: Node) -> bool:
    """Whether a text is the plain spelling of a tree, determined without writing it again."""
    offset = 0
    try:
        for part in _plain_parts(root):
            if not text.startswith(part, offset):
                return False
            offset += len(part)
    except _NotPlainError:
        return False
    return offset == len(text)


def _encode_plainly(root: Node) -> str | None:
    """The plain spelling of a tree; None if it has none."""
    try:
        return "".join(_plain_parts(root))
    except _NotPlainError:
        return None


def _plain_parts(root: Node) -> Iterator[str]:
    """All texts with the backslashes for their depths in between."""
    before = ""
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth >= MAX_DEPTH:
            raise _too_deep()
        if node.text.startswith((BACKSLASH, QUOTE)) or ESC in node.text:
            raise _NotPlainError
        if depth:
            if before.endswith(BACKSLASH):
                raise _NotPlainError
            yield BACKSLASH * (depth - 1) + ESC
        yield node.text
        before = node.text
        waiting.extend((child, depth + 1) for child in reversed(node.children))


def _encode_literally(root: Node) -> str:
    """Encode level by level, as the definition says; slow, for trees with texts that need quotes."""
    order = list(root.walk())
    done: dict[int, str] = {}
    for number in range(len(order), 0, -1):
        node = order[number - 1]
        done[id(node)] = node.text
        if node.children:
            tokens = [node.text, *(done[id(child)] for child in node.children)]
            try:
                done[id(node)] = sequences.encode(tokens, ESC)
            except FormatError:
                raise FormatError(
                    "a text ends with a backslash and another follows",
                    "texts without a backslash at their end",
                    place=f"in the branch of command {number} of {len(order)}",
                ) from None
    text = done[id(root)]
    if _parse(text) != root:
        raise FormatError("a text holds an ESC, or stands between single quotes", "texts without them")
    return text
