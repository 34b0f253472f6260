"""How Patton's First Victory is talked about: attackers and defenders throw by declarations of their own."""

from __future__ import annotations

from tools.proof.games.patton1943.talking import TALK

__all__ = ["TALK"]
