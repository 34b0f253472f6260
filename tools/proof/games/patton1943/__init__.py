"""How Patton's First Victory is talked about: attackers and defenders throw by declarations of their own."""

from __future__ import annotations

from tools.proof.logs.telling import Talk

__all__ = ["TALK"]

TALK = Talk()
