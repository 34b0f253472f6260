"""Counters, symbols, boards and charts, drawn from a game's data alone."""
