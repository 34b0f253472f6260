"""The parts of a module, one file for each thing a module has. :mod:`vassalgen.compile` puts them together.

A part takes the game, and gives components, pieces or pages. Nothing here knows any game by name; what the
pieces are called in VASSAL, and what they announce, is settled in :mod:`vassalgen.announcements`.
"""
