"""From the files of a game's folder, and of folders laid over it, to the game; every problem at once."""
