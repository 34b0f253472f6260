"""Zones: the hexes that pieces threaten or control, as sets of bits, and the pieces that exert them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from vassalgen.game.game import Game
from vassalgen.game.hexes import NOWHERE
from vassalgen.game.tables import Feature


def bits(indices: Iterable[int]) -> int:
    """Return a set of hexes, given by index, as bits."""
    mask = 0
    for index in indices:
        mask |= 1 << index
    return mask


def indices(mask: int) -> Iterator[int]:
    """Return the indices in a set of bits, in ascending order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def hex_names(game: Game, mask: int) -> tuple[str, ...]:
    """Return the names of the hexes in a set of bits."""
    names = game.map.grid.names
    return tuple(names[at] for at in indices(mask))


def reaches(adjacent: Sequence[Sequence[int]], costs: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return for each hex the neighbours into which a step leads, as bits: the zone of a piece that can step
    there.
    """
    return tuple(
        bits(to for to, cost in zip(around, steps, strict=True) if to >= 0 and cost >= 0)
        for around, steps in zip(adjacent, costs, strict=True)
    )


def zone(standing: Iterable[tuple[int, Sequence[int]]]) -> int:
    """Return the hexes controlled by pieces, each given by its position and its zones from ``reaches``."""
    mask = 0
    for at, zones in standing:
        mask |= zones[at]
    return mask


def open_steps(
    game: Game, land: int, stops: Callable[[Feature], bool] = lambda feature: feature.closed
) -> tuple[int, ...]:
    """The neighbours of each hex to which a step is possible, as bits: in ``land`` and not across a blocking
    feature.
    """
    shut = {name for name, feature in game.features.items() if stops(feature)}
    return tuple(
        bits(
            to
            for to, features in zip(around, game.map.features[at], strict=True)
            if to != NOWHERE and land >> to & 1 and shut.isdisjoint(features)
        )
        for at, around in enumerate(game.map.grid.adjacent)
    )
