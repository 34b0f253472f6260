"""The parts of a module, one file for each part. :mod:`vassalgen.compile` combines them.

A part takes the game and returns components, pieces or pages. No game is known here by name; the names of
pieces in VASSAL and the announcements are defined in :mod:`vassalgen.announcements`.
"""
