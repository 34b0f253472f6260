"""The literal readings of the games, a folder each."""
