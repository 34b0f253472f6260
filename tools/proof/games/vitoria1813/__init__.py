"""How Vitoria 1813 is talked about and its rules are broken."""

from __future__ import annotations

from tools.proof.games.vitoria1813.talking import TALK

__all__ = ["TALK"]
