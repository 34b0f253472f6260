"""The contents of a module or an extension, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve

from vassalgen.inspection.facts import (
    BoardFacts,
    DiceFacts,
    FileKind,
    Gridding,
    LevelFacts,
    MapFacts,
    ModuleFacts,
    PaletteFacts,
    PropertyFacts,
    SetupFacts,
    StackFacts,
    ZoneFacts,
)
from vassalgen.inspection.report_games import cards_in, named, written
from vassalgen.inspection.wording import Lister, alike, paragraph, size
from vassalgen.plurals import count

_NAMES_A_LINE = 6
_BRANCHES = 15
"""Line-drawing characters for the tree of the palette."""


def module_lines(facts: ModuleFacts, lister: Lister) -> Iterator[str]:
    """The lines about a module or an extension, without its findings."""
    name = " ".join(part for part in (facts.name or facts.file, facts.version) if part)
    yield from paragraph(f"{name}: {facts.kind}{written(facts.made)}", "")
    if facts.extends is not None:
        module = "any module" if facts.extends.name is None else named(facts.extends)
        yield from paragraph(f"Extends {module}", "")
    if facts.description or facts.made.comments:
        yield from paragraph(facts.description or facts.made.comments or "", "  ", " ")
    if facts.kind is FileKind.EXTENSION:
        added = alike(f"{one.what} to {one.target or 'the module'}" for one in facts.adds)
        yield from paragraph(f"Adds {lister.sentence(added) or 'nothing'}", "")
    yield from _maps(facts.maps, lister)
    if facts.sides:
        yield from paragraph(f"Sides: {lister.sentence(facts.sides)}", "")
    yield from _palette(facts.palette, lister)
    yield from _prototypes(facts, lister)
    yield from _setups(facts.setups, lister)
    for tracker in facts.turn_trackers:
        yield from paragraph(f"Turn tracker {tracker.name}: {_levels(tracker.levels, lister)}", "")
    if facts.dice:
        yield from paragraph(f"Dice: {lister.sentence([_dice(one, lister) for one in facts.dice])}", "")
    yield from _properties(facts.properties, lister)
    for heading, documents in (("Charts", facts.charts), ("Help", facts.help)):
        if documents:
            names = [one.name or one.file or one.kind for one in documents]
            yield from paragraph(f"{heading}: {lister.sentence(names)}", "")
    yield from paragraph(f"Also: {_others(facts)}", "")


def _others(facts: ModuleFacts) -> str:
    images = count(facts.images.count, "image")
    parts = [f"{images} of {size(facts.images.bytes)}" if facts.images.count else "no images"]
    if facts.sounds:
        parts.append(count(len(facts.sounds), "sound"))
    if facts.own_classes:
        parts.append(count(len(facts.own_classes), "class", "classes") + " of the module's own")
    return ", ".join(parts)


def _maps(maps: Sequence[MapFacts], lister: Lister) -> Iterator[str]:
    if maps:
        yield f"Maps: {len(maps)}"
    shown, others = lister.some(maps)
    for one in shown:
        yield from _map(one, lister)
    if others:
        yield f"  … and {count(others, 'more map')}"


def _map(one: MapFacts, lister: Lister) -> Iterator[str]:
    kind = "" if one.kind == "map" else f" ({one.kind}{' of ' + ', '.join(one.sides) if one.sides else ''})"
    head = f"{one.name}{kind}"
    boards, others = lister.some(one.boards, shown=3)
    placed = _placed(one.stacks, one.decks)
    if len(one.boards) == 1:
        yield from paragraph(
            "; ".join(part for part in (f"{head}: {_board(one.boards[0], lister)}", placed) if part), "  "
        )
        return
    some = f"{count(len(one.boards), 'board')}" if one.boards else "no boards"
    yield from paragraph("; ".join(part for part in (f"{head}: {some}", placed) if part), "  ")
    for board in boards:
        yield from paragraph(_board(board, lister), "    ")
    if others:
        yield f"    … and {count(others, 'more board')}"


def _placed(stacks: Sequence[StackFacts], decks: Sequence[StackFacts]) -> str:
    parts = []
    if stacks:
        pieces = sum(len(stack.pieces) for stack in stacks)
        parts.append(f"{count(pieces, 'piece')} in {count(len(stacks), 'at-start stack')}")
    if decks:
        parts.append(cards_in(sum(len(deck.pieces) for deck in decks), len(decks)))
    return ", ".join(parts)


def _board(board: BoardFacts, lister: Lister) -> str:
    pixels = f"{board.size[0]} × {board.size[1]} pixels" if board.size else "of unknown size"
    reserve = "" if board.in_play else ", not in play at the start"
    grid = _grid(board.grid, lister)
    return f"board {board.name or 'without a name'}, {pixels}{reserve}" + (f", {grid}" if grid else "")


def _grid(grid: Gridding | None, lister: Lister) -> str:
    if grid is None:
        return ""
    if grid.kind == "regions":
        return f"{count(len(grid.regions), 'region')} ({lister.sentence(grid.regions, _NAMES_A_LINE)})"
    if grid.kind == "zones":
        names = [_zone(zone, lister) for zone in grid.zones]
        zones = f"{count(len(grid.zones), 'zone')} ({lister.sentence(names, _NAMES_A_LINE)})"
        background = _grid(grid.background, lister)
        return f"{zones} on {background}" if background else zones
    some = f"{grid.columns} × {grid.rows} {grid.kind}" if grid.columns and grid.rows else grid.kind
    named_ones = f" {grid.first} to {grid.last}" if grid.first is not None else ""
    return f"{some}{' in rows' if grid.sideways else ''}{named_ones}"


def _zone(zone: ZoneFacts, lister: Lister) -> str:
    if zone.grid is None:
        return zone.name
    if zone.grid.kind == "regions" and not lister.everything:
        return f"{zone.name} of {count(len(zone.grid.regions), 'region')}"
    return f"{zone.name} of {_grid(zone.grid, lister)}"


def _palette(palette: Sequence[PaletteFacts], lister: Lister) -> Iterator[str]:
    """The tree of the palette, as deep as fits on a screen."""
    total = sum(part.count for part in palette)
    if not palette:
        return
    yield f"Pieces to take: {total:,}"
    palette = _named(palette)
    depth = _depth(palette)
    if not lister.everything:
        while depth > 1 and _lines_down_to(palette, depth) > _BRANCHES:
            depth -= 1
            lister.cut_short = True
    yield from _branches(palette, depth, 1, lister)


def _named(parts: Sequence[PaletteFacts]) -> list[PaletteFacts]:
    """The tree without parts that have no name and only wrap others."""
    found = []
    for part in parts:
        inside = _named(part.parts)
        if part.name or part.pieces or not inside:
            found.append(evolve(part, parts=tuple(inside)))
        else:
            found += inside
    return found


def _depth(parts: Sequence[PaletteFacts]) -> int:
    return 1 + max((_depth(part.parts) for part in parts if part.parts), default=0)


def _lines_down_to(parts: Sequence[PaletteFacts], depth: int) -> int:
    below = sum(_lines_down_to(part.parts, depth - 1) for part in parts) if depth > 1 else 0
    return len(parts) + below


def _branches(parts: Sequence[PaletteFacts], depth: int, level: int, lister: Lister) -> Iterator[str]:
    shown, others = lister.some(parts)
    for part in shown:
        pieces = alike(piece.name or "without a name" for piece in part.pieces)
        names = f": {lister.sentence(pieces, _NAMES_A_LINE)}" if pieces else ""
        yield from paragraph(f"{part.name or part.kind} {part.count:,}{names}", "  " * level)
        if depth > 1:
            yield from _branches(part.parts, depth - 1, level + 1, lister)
    if others:
        yield f"{'  ' * level}… and {others:,} more"


def _prototypes(facts: ModuleFacts, lister: Lister) -> Iterator[str]:
    if not facts.prototypes:
        return
    if not lister.everything:
        by_use = sorted(facts.prototypes, key=lambda one: (-one.used_by_pieces, one.name))
        most = [f"{one.name} by {count(one.used_by_pieces, 'piece')}" for one in by_use if one.used_by_pieces]
        used = f", used most: {', '.join(most[:_NAMES_A_LINE])}" if most else ""
        yield from paragraph(f"Prototypes: {len(facts.prototypes):,}{used}", "")
        return
    yield f"Prototypes: {len(facts.prototypes):,}"
    for one in facts.prototypes:
        by = [count(one.used_by_pieces, "piece")] if one.used_by_pieces else []
        by += [f"prototype {user}" for user in one.used_by_prototypes]
        by += [count(one.used_by_setups, "set-up")] if one.used_by_setups else []
        uses = f"; uses {', '.join(one.uses)}" if one.uses else ""
        yield from paragraph(f"{one.name}: used by {', '.join(by) or 'nothing'}{uses}", "  ")


def _setups(setups: Sequence[SetupFacts], lister: Lister) -> Iterator[str]:
    if not setups:
        return
    yield f"Set-ups: {len(setups):,}"
    shown, others = lister.some(setups)
    for one in shown:
        name = " > ".join(part for part in (one.menu, one.name) if part)
        if one.game is not None:
            holds = f"{one.file}, {count(one.game.pieces, 'piece')}"
            holds += f", {count(one.game.activity.steps, 'step')}" if one.game.activity else ""
        else:
            holds = f"{one.file}, not to be read" if one.file else "the module as it is"
        yield from paragraph(f"{name}: {holds}", "  ")
    if others:
        yield f"  … and {others:,} more"


def _levels(levels: Sequence[LevelFacts], lister: Lister) -> str:
    return " and ".join(_level(level, lister) for level in levels) or "no levels"


def _level(level: LevelFacts, lister: Lister) -> str:
    if level.words is None:
        end = f" to {level.last}" if level.last is not None else " on"
        counting = f"from {level.start}{end}"
    else:
        counting = lister.sentence(level.words, _NAMES_A_LINE)
    inside = f" with {_levels(level.levels, lister)}" if level.levels else ""
    return f"{level.name} ({counting}){inside}"


def _dice(one: DiceFacts, lister: Lister) -> str:
    if one.sides is not None:
        plain = f"{one.count}d{one.sides}"
        return one.name if one.name == plain else f"{one.name} ({plain})"
    if not one.faces:
        return one.name
    faces = lister.sentence(one.faces[0], _NAMES_A_LINE)
    return f"{one.name} ({count(one.count, 'die', 'dice')}: {faces})"


def _properties(properties: Sequence[PropertyFacts], lister: Lister) -> Iterator[str]:
    if not properties:
        return
    names = [one.name if one.container is None else f"{one.name} of {one.container}" for one in properties]
    yield from paragraph(f"Global properties: {len(names):,}: {lister.sentence(names, _NAMES_A_LINE)}", "")
