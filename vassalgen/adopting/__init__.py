"""``vassalgen adopt``: turns any hex module into a folder of game data, as far as the module describes its
game.
"""
