"""VASSAL's own file formats, both ways. Knows no game."""
