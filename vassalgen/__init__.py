"""Builds VASSAL wargame modules from text files."""
