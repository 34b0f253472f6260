"""A game as data: its map, counters, tables, scenarios, rules in words, and looks. Knows nothing about
VASSAL.

``finding.open_game`` reads a game by its folder or name, ``commands.run`` checks one. The values are in
``game`` (the whole), ``maps``, ``hexes``, ``lines`` and ``layout`` (the map and its geometry), ``counters``,
``sides``, ``tables``, ``sequence``, ``scenarios``, ``rules``, ``art``, ``values`` and ``provenance``. Reading
is in ``reading``, one file for each file of a game, and checking in ``checking``. The format is described in
docs/game-data.md.
"""
