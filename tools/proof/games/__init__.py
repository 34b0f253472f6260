"""How the rules of each game are broken: a folder for each game, named as the game is, with a BREAKER."""
