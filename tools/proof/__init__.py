"""What the proof of a referee is made of: random play (``playing``), and rules broken on purpose
(``breaking``, with a file of mutators for each game under ``games``). Shared code knows no game by name."""
