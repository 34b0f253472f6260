"""Replays VASSAL logs and judges the moves in them."""
