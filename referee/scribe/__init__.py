"""Reads steps on the table as actions of the game, each with a note on how it was read.

``facts`` are the contents of a log in the terms of the game; ``fact_finder`` takes them from the table, with
``places`` and ``roster``; ``idiom`` maps what players do to a game's verbs; ``scribe`` turns facts into
actions.
"""
