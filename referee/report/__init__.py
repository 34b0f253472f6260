"""Findings as text for people, as JSON for programs."""
