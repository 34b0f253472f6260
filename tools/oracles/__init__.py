"""Slow literal readings of the rules, for comparison with the fast searches.

``comparing`` has what all games share; under ``games`` each game has its readings, written from the catalogue
of its clauses and never from the rules that they check. Nothing in them is optimised.
"""
