"""The tables of the site, as plain values: games, players, clauses, dice, scenarios, changes, files, maps."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from attrs import define, field, frozen

from referee.archive.chances import chances, corrected, interval
from referee.archive.corrections import Corrections
from referee.archive.database import Database, unpacked
from referee.archive.files import Place
from vassalgen.game.finding import open_game
from vassalgen.problems import BadInput

Row = dict[str, Any]


@frozen
class Names:
    """The displayed names of players, logs and games, or their pseudonyms if they are redacted."""

    corrections: Corrections
    pseudonyms: Mapping[str, str] | None = None

    @property
    def redacts(self) -> bool:
        """Whether players have pseudonyms."""
        return self.pseudonyms is not None

    def player(self, name: str) -> str:
        """The displayed name of a player."""
        known = self.corrections.player(name)
        return known if self.pseudonyms is None or not known else self.pseudonyms[known]

    def title(self, number: int, title: str) -> str:
        """The title of a game; a title written by a person may contain any name."""
        return f"Game {number}" if self.redacts or not title else title


@frozen
class _Kept:
    """A game in the database; ``report`` is that of its verdict, packed."""

    number: int
    title: str
    season: str
    module: str
    version: str
    branch_of: int | None
    shared: int
    moved: str
    status: str
    wrong: str
    report: bytes | None


@define
class Tables:
    """All tables of an archive."""

    database: Database
    names: Names
    folders: tuple[Path, ...] = ()
    games: list[Row] = field(factory=list)
    players: list[Row] = field(factory=list)
    clauses: list[Row] = field(factory=list)
    dice: list[Row] = field(factory=list)
    scenarios: list[Row] = field(factory=list)
    changes: list[Row] = field(factory=list)
    files: list[Row] = field(factory=list)
    heat: dict[str, dict[str, dict[str, dict[str, int]]]] = field(factory=dict)
    sides: dict[str, dict[str, str]] = field(factory=dict)
    titles: dict[str, str] = field(factory=dict)

    def make(self) -> None:
        """Calculate everything."""
        seats = self._games()
        self._players(seats)
        self._clauses()
        self._dice()
        self._scenarios()
        self._changes()
        self._files()

    @property
    def all(self) -> dict[str, list[Row]]:
        """The tables by name."""
        names = ("games", "players", "clauses", "dice", "scenarios", "changes", "files")
        return {name: getattr(self, name) for name in names}

    def _games(self) -> dict[str, Counter[str]]:
        """The games; and how many each player has played, by side."""
        known = {
            digest: (json.loads(players), saved)
            for digest, players, saved in self.database.rows(
                "SELECT sha256, players, saved FROM file_facts WHERE kind = 'log'"
            )
        }
        logs: dict[int, list[str]] = defaultdict(list)
        for game, digest in self.database.rows("SELECT game, sha256 FROM game_logs ORDER BY game, place"):
            logs[game].append(digest)
        seats: dict[str, Counter[str]] = defaultdict(Counter)
        query = (
            "SELECT number, title, season, module, module_version, branch_of, shared, moved, status, wrong,"
            " report FROM games LEFT JOIN verdicts ON verdicts.id = games.verdict WHERE gone = 0"
            " ORDER BY number"
        )
        for row in self.database.rows(query):
            kept = _Kept(*row)
            verdict = unpacked(kept.report) if kept.report else {}
            if verdict.get("players"):
                self.titles[verdict["game"]] = verdict["title"]
                self.sides[verdict["game"]] = verdict["sides"]
                self._add_heat(verdict)
            own = [known[log] for log in logs[kept.number]]
            players = self._seats(verdict, {name: side for seen, _ in own for name, side in seen})
            for name, side in players.items() if kept.branch_of is None else ():
                seats[name][side] += 1
            self.games.append(self._game(kept, verdict, players, [saved for _, saved in own]))
        return seats

    def _seats(self, verdict: Mapping[str, Any], seen: Mapping[str, str]) -> dict[str, str]:
        """The sides of the players: according to the audit, or else according to the logs (``seen``)."""
        if verdict.get("players"):
            titles = verdict["sides"]
            seen = {one["name"]: titles.get(one["side"], "both sides") for one in verdict["players"]}
        return {self.names.player(name): side.strip("<>") for name, side in seen.items()}

    def _game(
        self, kept: _Kept, verdict: Mapping[str, Any], players: Mapping[str, str], saved: Sequence[int]
    ) -> Row:
        """The row of a game; ``saved`` are the times of its logs, in milliseconds since 1970."""
        result, summary = verdict.get("result", {}), verdict.get("summary", {})
        last = max(saved, default=0)
        return {
            "number": kept.number,
            "title": self.names.title(kept.number, kept.title),
            "game": verdict.get("title") or kept.module or "unknown",
            "module_version": kept.version,
            "scenario": verdict.get("scenario_title", ""),
            "season": kept.season,
            "players": [{"name": name, "side": side} for name, side in players.items()],
            "saved": datetime.fromtimestamp(last / 1000, UTC).date().isoformat() if last > 0 else "",
            "logs": len(saved),
            "shared": kept.shared,
            "branch_of": kept.branch_of,
            "moved_between": sum(json.loads(kept.moved)),
            "steps": verdict.get("steps"),
            "turn": result.get("turn"),
            "turns": result.get("turns"),
            "winner": _winner(verdict),
            **{grade: summary.get(grade) for grade in ("illegal", "unproven", "slip", "agreed")},
            "withheld": verdict.get("withheld"),
            "judged": _share(verdict.get("judged", {}).get("changes", {})),
            "status": kept.wrong or ("" if verdict else kept.status),
            "page": "",
        }

    def _add_heat(self, verdict: Mapping[str, Any]) -> None:
        mine = self.heat.setdefault(verdict["game"], {})
        for kind, sides in verdict["heat"].items():
            for side, hexes in sides.items():
                at = mine.setdefault(kind, {}).setdefault(side, {})
                for name, count in hexes.items():
                    at[name] = at.get(name, 0) + count

    def _by_player(self, query: str) -> Iterable[tuple[str, str, int]]:
        for player, what, count in self.database.rows(query):
            if player:
                yield self.names.player(player), what, count

    def _players(self, seats: Mapping[str, Counter[str]]) -> None:
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        actions = (
            "SELECT player, 'actions', count(*) FROM actions JOIN games ON games.verdict = actions.verdict"
            " WHERE gone = 0 GROUP BY player"
        )
        findings = (
            "SELECT player, grade, count(*) FROM findings JOIN games ON games.verdict = findings.verdict"
            " WHERE gone = 0 GROUP BY player, grade"
        )
        for query in (actions, findings):
            for player, what, count in self._by_player(query):
                counts[player][what] += count
        for name in sorted({*seats, *counts}, key=str.casefold):
            mine, judged = counts[name], counts[name]["actions"]
            low, high = interval(mine["illegal"], judged)
            self.players.append(
                {
                    "player": name,
                    "games": seats[name].total() if name in seats else 0,
                    "actions": judged,
                    **{grade: mine[grade] for grade in ("illegal", "unproven", "slip", "agreed")},
                    "per_hundred": _hundredth(mine["illegal"], judged),
                    "per_hundred_with_unproven": _hundredth(mine["illegal"] + mine["unproven"], judged),
                    "between": [round(100 * low, 1), round(100 * high, 1)] if judged else None,
                }
            )

    def _clauses(self) -> None:
        query = (
            "SELECT verdicts.game, clause, sum(grade = 'illegal'), sum(grade = 'unproven'),"
            " sum(grade = 'slip'), count(DISTINCT games.number)"
            " FROM findings JOIN games ON games.verdict = findings.verdict"
            " JOIN verdicts ON verdicts.id = findings.verdict WHERE gone = 0"
            " GROUP BY verdicts.game, clause ORDER BY 3 DESC, 4 DESC"
        )
        played = Counter(one["game"] for one in self.games if not one["status"])
        clauses = {game: _clauses_of(game) for game in self.titles}
        for game, clause, illegal, unproven, slip, games in self.database.rows(query).fetchall():
            title = self.titles.get(game, game)
            known = clauses.get(game, {}).get(clause, ("", ""))
            self.clauses.append(
                {
                    "game": title,
                    "clause": clause,
                    "title": known[0],
                    "illegal": illegal,
                    "unproven": unproven,
                    "slip": slip,
                    "games": games,
                    "in_per_cent_of_games": round(100 * games / played[title], 1) if played[title] else None,
                    "text": known[1],
                }
            )

    def _dice(self) -> None:
        faces: dict[tuple[str, int], list[int]] = {}
        query = (
            "SELECT player, sides, counts FROM dice JOIN games ON games.verdict = dice.verdict WHERE gone = 0"
        )
        for player, sides, counts in self.database.rows(query):
            mine = faces.setdefault((self.names.player(player), sides), [0] * sides)
            for place, count in enumerate(json.loads(counts)):
                mine[place] += count
        rows = sorted((key for key in faces if key[0]), key=lambda key: (key[0].casefold(), key[1]))
        series = [(sides, sum(faces[name, sides]), _total(faces[name, sides])) for name, sides in rows]
        chance = chances(series)
        corrections = corrected([chance[one] for one in series])
        for (name, sides), one, after in zip(rows, series, corrections, strict=True):
            _, rolled, total = one
            self.dice.append(
                {
                    "player": name,
                    "sides": sides,
                    "rolled": rolled,
                    "mean": round(total / rolled, 3) if rolled else None,
                    "fair_mean": (sides + 1) / 2,
                    "chance": round(chance[one], 4),
                    "corrected": round(after, 4),
                    "counts": faces[name, sides],
                }
            )

    def _scenarios(self) -> None:
        groups: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for one in self.games:
            if not one["status"] and one["branch_of"] is None:
                groups[one["game"], one["scenario"]].append(one)
        for (game, scenario), games in sorted(groups.items()):
            won = Counter(one["winner"] for one in games if one["winner"])
            turns = [one["turn"] for one in games if one["winner"]]
            self.scenarios.append(
                {
                    "game": game,
                    "scenario": scenario,
                    "games": len(games),
                    "finished": won.total(),
                    "won": dict(won.most_common()),
                    "turns": games[0]["turns"],
                    "turns_played": median(turns) if turns else None,
                    "turn_reached": median(one["turn"] for one in games),
                    "steps": median(one["steps"] for one in games),
                }
            )

    def _changes(self) -> None:
        last = self.database.last_change()
        if last is None:
            return
        known = {one["number"]: one for one in self.games}
        for number, changes in self.database.changes(last[0]).items():
            if number not in known:
                continue
            hide = self.private(number)
            for change in changes:
                one = change.new or change.old or {}
                row = {
                    "number": number,
                    "title": known[number]["title"],
                    "change": change.kind,
                    "why": change.why,
                    "step": one.get("steps", [None])[-1],
                    "moment": one.get("moment", ""),
                }
                for name, finding in (("old", change.old), ("new", change.new)):
                    row[f"{name}_grade"] = finding.get("grade", "") if finding else ""
                    row[f"{name}_clause"] = finding.get("clause", "") if finding else ""
                    row[f"{name}_text"] = hide(finding["says"]) if finding else ""
                self.changes.append(row)

    def private(self, number: int) -> Callable[[str], str]:
        """Return a function that removes the names of a game's players and logs from a text, if they are
        redacted.
        """
        if not self.names.redacts:
            return lambda text: text
        from referee.archive.redacting import hiding  # noqa: PLC0415 - only then

        return hiding(instead_of(self.database, self.names, number))

    def _files(self) -> None:
        of_game: dict[str, int] = {}
        for game, digest in self.database.rows(
            "SELECT game, sha256 FROM game_logs JOIN games ON number = game WHERE gone = 0 ORDER BY game DESC"
        ):
            of_game[digest] = game
        aside = {
            digest: (why, of) for digest, why, of in self.database.rows("SELECT sha256, why, of FROM aside")
        }
        query = (
            "SELECT path, inside, files.sha256, files.wrong, file_facts.wrong, kind, module, module_version,"
            " steps FROM files LEFT JOIN file_facts ON file_facts.sha256 = files.sha256 ORDER BY path, inside"
        )
        first: dict[str, str] = {}
        for place, row in enumerate(self.database.rows(query).fetchall(), 1):
            path, inside, digest, bad, unreadable, kind, module, version, steps = row
            if self.names.corrections.ignores(Place(path, inside).posix):
                continue
            name = f"file {place}" if self.names.redacts else self._shown(path, inside)
            remark = bad or ("" if not unreadable else unreadable.splitlines()[0].removeprefix(f"{path}: "))
            game = of_game.get(digest)
            if self.names.redacts and remark:
                remark = "cannot be read"
            if digest in aside:
                why, of = aside[digest]
                game = of_game.get(of)
                remark = "the same as another log" if why == "copy" else "the beginning of a longer log"
            elif digest and digest in first:
                remark = f"the same as {first[digest]}"
            first.setdefault(digest, name)
            self.files.append(
                {
                    "file": name,
                    "kind": "unreadable" if bad or unreadable else kind,
                    "module": module or "",
                    "version": version or "",
                    "steps": steps or None,
                    "number": game,
                    "remark": remark,
                    "sha256": digest,
                }
            )

    def _shown(self, path: str, inside: str) -> str:
        """A path relative to the folder that was given."""
        for folder in self.folders:
            if Path(path).is_relative_to(folder.resolve()):
                path = Path(path).relative_to(folder.resolve()).as_posix()
                break
        return f"{path}/{inside}" if inside else path


def instead_of(database: Database, names: Names, number: int) -> dict[str, str]:
    """The pseudonyms of the players and logs of a game, if they are redacted."""
    rows = database.rows(
        "SELECT players, path, inside FROM game_logs JOIN file_facts ON file_facts.sha256 = game_logs.sha256"
        " JOIN files ON files.sha256 = file_facts.sha256 WHERE game = ? ORDER BY place",
        number,
    )
    found: dict[str, str] = {}
    logs: dict[str, str] = {}
    for players, path, inside in rows:
        name = Path(inside or path).name
        logs.setdefault(name, f"game-{number}-{len(logs) + 1}.vlog")
        for player, _ in json.loads(players):
            found[player] = names.player(player)
            found[names.corrections.player(player)] = names.player(player)
    return {**logs, **found}


def _clauses_of(game: str) -> dict[str, tuple[str, str]]:
    """The titles and texts of the clauses of a game."""
    try:
        return {name: (one.title, one.text) for name, one in open_game(game).clauses.items()}
    except BadInput:
        return {}


def _winner(verdict: Mapping[str, Any]) -> str:
    winner = verdict.get("result", {}).get("winner", "")
    return verdict["sides"].get(winner, winner) if winner else ""


def _share(judged: Mapping[str, int]) -> float | None:
    """The percentage of the changes on the table that was judged."""
    if not judged or not judged["total"]:
        return None
    ruled = judged["certain"] + judged["inferred"] + judged["doubtful"]
    return round(100 * ruled / judged["total"], 1)


def _hundredth(count: int, of: int) -> float | None:
    return round(100 * count / of, 2) if of else None


def _total(counts: Iterable[int]) -> int:
    return sum(face * count for face, count in enumerate(counts, 1))
