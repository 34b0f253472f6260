"""Replays VASSAL logs and rules on the moves in them."""
