"""The literal readings of the games, a package for each."""
