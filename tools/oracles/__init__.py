"""Slow literal readings of the rules, to hold the fast searches against.

``comparing`` holds what all games share; under ``games`` each game has its readings, written from the
catalogue of its clauses and never from the rules they are to check. Nothing in them is made to be fast.
"""
