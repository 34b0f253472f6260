"""Reads the files of a game's folder, and of folders on top of it; reports every problem at once."""
