"""Findings told: as text for people, as JSON for programs."""
