"""Statements that players put in another order than the forms of a game's verbs."""

from __future__ import annotations

TURNED: tuple[tuple[str, str], ...] = (
    (r"^(?:i|we|they|he) (?=\w)", ""),
    (r"^(?:the )?(?:attackers? )?throws?(?= (?:an? )?\d)", "roll"),  # a rulebook's word
    (r"^the (turn|phase) ends$", r"end \1"),
    (r"^(?:begin|start|go(?: on)? to) (?:the )?(?=next phase)", ""),
    (r"^an? (\d+) is rolled$", r"roll \1"),
    (r"\b\d+ \((\d)\+(\d)\)", r"\1 \2"),
    (r"\b(\d)\+(\d)$", r"\1 \2"),
    (r"\bfrom a distance\b", ""),
    (r"^(\d+) (\w+) points? (?:from|of|by) (.+)$", r"\2 \3 \1"),
    (r"^die ([-+]\d)$", r"modifier \1"),
    (r"\b(?:flips?|turns?|is flipped|is turned) to (?:its|the) (?:reduced|weak(?:er)?) side$", "is reduced"),
    (r"^take (?:the )?(.+ marker) (?:off|from) (.+)$", r"remove \1 from \2"),
    (r"^(.+)'s (\w+) marker is (?:removed|taken off)$", r"remove \2 marker from \1"),
    (r"^(\w+) marker on (.+)$", r"mark \1 \2"),
    (r"^(.+)'s (\w+ roll) is (\d)$", r"\2 \3 for \1"),
    (r" for the turn$", ""),
    (r"^([-+]\d) (?:drm|modifier)$", r"modifier \1"),
    (r"^no (?:drm|modifiers?)$", "modifier 0"),
    (r"^(?:place|put) an? (\w+) marker on (.+)$", r"mark \2 \1"),
    (r"^bring (.+) on (?=at |in |to )", r"bring on \1 "),
    (r"^(?:an? )?(\w+) victory$", r"claim \1"),
    (r"^(?:it is )?(?:a )?draw$", "claim draw"),
    (r"^all(?: units)? (\w+)$", r"\1"),
    (r"\b(?:has|have) been\b|\bwas\b|\bwere\b", "is"),
    (r"\b(?:is |are )?no longer\b", "unmark"),
    (r"\b(?:oos|unsupplied)\b", "out of supply"),
    (r"^(?:turn|flip) (.+) (face (?:up|down))$", r"\2 \1"),
    (r"^(.+) (?:goes|turns|is turned|is flipped) (face (?:up|down))$", r"\2 \1"),
    (r"^(?:the )?attack (?:on (\S+) )?(?:is )?(?:cancelled|called off)$", r"call off \1"),
    (r"^(?:the )?attacker rolls? (?:a )?(?=\d)", "attack roll "),
    (r"^(?:the )?defender rolls? (?:a )?(?=\d)", "defence roll "),
    (r"^(?:it|that) (?:is )?(?:an? )?(\S+)$|^an? (\S+)$", r"\1\2"),
    (r"^(.+) each ((?:lose|take)s? .+)$", r"\1 \2 each"),
    (r"^(?:the )?(\w+) player ends (?:his|her|their|the) ", r"end \1 "),
    (r"^(\d+[-:/]\d+) odds$", r"odds \1"),
    (r"^(\S+) result$", r"result \1"),
    (r"^roll (?:a )?(\d+) (?:for|to) (.+)$", r"\2 roll \1"),
)
"""Patterns, each with what is said in its place; all of them are tried, in this order."""
