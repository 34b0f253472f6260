"""Steps on the table read as actions of the game, each saying how it was read.

``facts`` is what a log holds in the words of the game; ``fact_finder`` takes it from the table, with
``places`` and ``roster``; ``idiom`` is what a game says of its own actions; ``scribe`` reads one into the
other.
"""
