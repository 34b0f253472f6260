"""Bridges on the board: they can be seen beside the road that runs over them, above the river."""

from __future__ import annotations

from vassalgen.drawing.hexsides import drawn_line
from vassalgen.game.art import Style


def test_a_bridge_has_a_side_to_the_left_and_the_right_of_its_road() -> None:
    style = Style(line="#4a3520", width=5, pattern="bridge")
    left, right = drawn_line(style, (0.0, -50.0), (0.0, 50.0), 100.0)
    heights = [[y for contour in one.path.contours(1.0) for _, y in contour] for one in (left, right)]
    road = 5.0  # half of a road's width, with its line
    assert max(heights[0]) < -road
    assert min(heights[1]) > road
