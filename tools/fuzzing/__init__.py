"""Files as a stranger would send them, for ``tools/fuzz.py``."""
