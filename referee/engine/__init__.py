"""What the rules of all games share; knows no game by name and sees no VASSAL.

``position`` is the state of a game as a value, ``actions`` what players do to it, ``rules`` how a game's
rulebook is written down as small predicates, ``rulings`` what they find. ``clock`` and ``machine`` run the
sequence of play; ``movement``, ``zones``, ``supply`` and ``combat`` are the searches and sums that rules use.
"""
