"""Logs in the form in which the real VASSAL writes them, made without it.

``board`` holds the pieces and makes the commands; ``writer`` makes the steps for what players do, with the
module's reports; ``opening`` takes the set-up of the compiled module; ``game_logger`` lets players repeat a
game, played by the rules, at VASSAL's table.
"""
