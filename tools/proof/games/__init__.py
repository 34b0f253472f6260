"""How the rules of each game are broken: a package for each game, with the game's name, which
has a BREAKER.
"""
