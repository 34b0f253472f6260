"""The best assignment of pieces to counters: the one with the highest total score."""

from __future__ import annotations

from collections.abc import Sequence


def assign(scores: Sequence[Sequence[float]]) -> list[int]:
    """Return the column for each row, -1 for a row that is better left unassigned.

    Uses the Hungarian method; each column is used at most once, and a pair must score more than 0.
    """
    if len(scores) > len(scores[0] if scores else ()):
        chosen = [-1] * len(scores)
        for column, row in enumerate(assign(list(zip(*scores, strict=True)))):
            if row >= 0:
                chosen[row] = column
        return chosen
    rows = len(scores)
    columns = len(scores[0]) if rows else 0
    width = columns + rows  # a column of its own for each row that remains unassigned
    infinity = float("inf")
    cost = [[-max(value, 0.0) for value in row] + [0.0] * rows for row in scores]
    u, v = [0.0] * (rows + 1), [0.0] * (width + 1)
    owner, way = [0] * (width + 1), [0] * (width + 1)
    for row in range(1, rows + 1):
        owner[0] = row
        column = 0
        least = [infinity] * (width + 1)
        used = [False] * (width + 1)
        while True:
            used[column] = True
            here, delta, following = owner[column], infinity, 0
            for other in range(1, width + 1):
                if used[other]:
                    continue
                reduced = cost[here - 1][other - 1] - u[here] - v[other]
                if reduced < least[other]:
                    least[other], way[other] = reduced, column
                if least[other] < delta:
                    delta, following = least[other], other
            for other in range(width + 1):
                if used[other]:
                    u[owner[other]] += delta
                    v[other] -= delta
                else:
                    least[other] -= delta
            column = following
            if owner[column] == 0:
                break
        while column:
            owner[column], column = owner[way[column]], way[column]
    found = [-1] * rows
    for column in range(1, columns + 1):
        if owner[column] and scores[owner[column] - 1][column - 1] > 0:
            found[owner[column] - 1] = column - 1
    return found
