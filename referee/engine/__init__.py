"""What the rules of all games share; knows no game by name and nothing about VASSAL.

``position`` is the state of a game as a value, ``actions`` are what players do to it; a rulebook is written
with ``rules`` as small predicates, and their results are ``rulings``. ``clock`` and ``machine`` run the
sequence of play; ``movement``, ``zones``, ``supply`` and ``combat`` are the searches and calculations used by
rules.
"""
