"""``vassalgen adopt``: any hex module as a folder of game data, as far as a module says what its game is."""
