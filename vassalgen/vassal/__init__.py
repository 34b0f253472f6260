"""VASSAL's own file formats, reading and writing. Knows nothing about games."""
