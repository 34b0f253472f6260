"""Modules that were not built here: the meaning of their pieces, places, phases and dice in a game. See
docs/map.md.
"""
