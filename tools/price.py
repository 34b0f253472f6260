"""The price of a game: the lines of Python that its rules, its proof and its oracles take.

    python3 tools/price.py [GAME ...]

For each game, and for all of them: all lines, and of these the lines of code, which leave out blank lines,
comments, docstrings and imports. What games share (``referee/engine``, ``referee/standard``) is not counted.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PARTS = {"rules": "referee/games", "proof": "tools/proof/games", "oracles": "tools/oracles/games"}


def count(text: str) -> tuple[int, int]:
    """Return the lines of a program, and how many of them are lines of code."""
    lines = text.splitlines()
    code = {
        number for number, line in enumerate(lines, 1) if line.strip() and not line.strip().startswith("#")
    }
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Expr, ast.Import, ast.ImportFrom)) and _is_no_code(node):
            code -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines), len(code)


def _is_no_code(node: ast.Expr | ast.Import | ast.ImportFrom) -> bool:
    return not isinstance(node, ast.Expr) or isinstance(node.value, ast.Constant)


def price(game: str, part: str) -> tuple[int, int]:
    """Return the lines of one part of a game, and its lines of code."""
    files = sorted((ROOT / PARTS[part] / game).rglob("*.py"))
    counts = [count(file.read_text(encoding="utf-8")) for file in files]
    return sum(lines for lines, _ in counts), sum(code for _, code in counts)


def table(games: Sequence[str]) -> Iterator[str]:
    """Yield the prices of some games, and of all of them together, a line each."""
    yield f"{'':14}" + "".join(f"{part:>17}" for part in (*PARTS, "all"))
    totals = dict.fromkeys(PARTS, (0, 0))
    for game in games:
        found = {part: price(game, part) for part in PARTS}
        totals = {part: (totals[part][0] + one[0], totals[part][1] + one[1]) for part, one in found.items()}
        yield _line(game, list(found.values()))
    yield _line("all", list(totals.values()))
    yield "lines (lines of code)"


def _line(name: str, parts: Sequence[tuple[int, int]]) -> str:
    whole = (sum(lines for lines, _ in parts), sum(code for _, code in parts))
    return f"{name:14}" + "".join(f"{f'{lines:,} ({code:,})':>17}" for lines, code in (*parts, whole))


if __name__ == "__main__":
    shipped = sorted(path.parent.name for path in (ROOT / PARTS["rules"]).glob("*/__init__.py"))
    print("\n".join(table(sys.argv[1:] or shipped)))
