"""Logs in the shape that the real VASSAL gives them, written without it.

``board`` holds the pieces and makes the commands; ``writer`` makes the steps of what players do, in the
words of the module; ``opening`` takes the set-up of the compiled module; ``game_logger`` has a game that was
played by the rules done again by players at VASSAL's table.
"""
