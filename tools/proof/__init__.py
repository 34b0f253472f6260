"""The parts of the proof of a referee: random play (``playing``), and rules broken on purpose (``breaking``,
with a package of mutators for each game under ``games``).

The shared code names no game.
"""
