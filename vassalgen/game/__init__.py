"""What a game is: its map, counters, tables, scenarios, rules in words, and looks. Knows no VASSAL."""
