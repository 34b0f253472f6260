"""The standard rulebook: families of rules that a game's ``rules.toml`` binds to its clauses and its data.

A family makes the same kind of sections that are written by hand in ``referee.games``; the rest of the
referee does not distinguish them. ``docs/rules-as-data.md`` describes the file.
"""
