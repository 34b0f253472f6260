"""Skirmish at the Ford: a small module of our own, and games that were played with it. See README.md."""
