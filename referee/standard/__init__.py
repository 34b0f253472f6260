"""The standard rulebook: families of rules that a game's ``rules.toml`` binds to its clauses and its data.

A family makes the same sections of rules that are written by hand in ``referee.games``; nothing else of the
referee knows where a rule came from. ``docs/rules-as-data.md`` says what the file may say.
"""
