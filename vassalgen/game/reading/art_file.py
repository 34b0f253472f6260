"""Reading art.toml: colours, symbols and layouts."""

from __future__ import annotations

from vassalgen.game.art import Art, Board, FaceLayout, Style
from vassalgen.game.reading.nodes import Node

_STYLED = (
    "terrain",
    "hexsides",
    "roads",
    "sides",
    "nations",
    "formations",
    "states",
    "places",
    "zones",
    "markers",
)


def read_art(root: Node) -> Art:
    """Return the art of the game."""
    usual = Board()
    root.remember("art")
    board = root.node("board")
    board.remember("art/board")
    grid = board.node("grid")
    styles = {
        part: {name: _style(node) for name, node in root.tables(part, f"art/{part}")} for part in _STYLED
    }
    art = Art(
        Board(
            across=board.integer("across", usual.across),
            counter=board.integer("counter", usual.counter),
            margin=board.integer("margin", usual.margin),
            title=board.text("title", ""),
            background=board.text("background", usual.background),
            grid=_style(grid) if "grid" in board else usual.grid,
        ),
        faces={name: _face(node) for name, node in root.tables("faces", "art/faces")},
        symbols=_words(root, "symbols"),
        sizes={name: " ".join(words) for name, words in _words(root, "sizes").items()},
        **styles,
    )
    board.finish("the board")
    root.finish("art.toml")
    return art


def _style(node: Node) -> Style:
    style = Style(
        fill=node.text("fill", ""),
        ink=node.text("ink", ""),
        line=node.text("line", ""),
        width=node.number("width", 0.0),
        pattern=node.text("pattern", ""),
        text=node.text("text", ""),
    )
    node.finish("a style")
    return style


def _face(node: Node) -> FaceLayout:
    face = FaceLayout(
        top=node.text("top", ""),
        left=node.text("left", ""),
        right=node.text("right", ""),
        bottom=node.text("bottom", ""),
        underline=node.text("underline", ""),
        boxed=node.text("boxed", ""),
        symbol=node.flag("symbol", True),
    )
    node.finish("a face")
    return face


def _words(root: Node, key: str) -> dict[str, tuple[str, ...]]:
    node = root.node(key)
    node.remember(f"art/{key}")
    return {name: node.words(name) for name in node}
