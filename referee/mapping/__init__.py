"""Modules that were not built here: what their pieces, places, phases and dice are in a game. docs/map.md"""
