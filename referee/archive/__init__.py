"""``referee archive``: the logs of a club, sorted into games, judged once, and shown as a site.

| file | what it does |
| --- | --- |
| `files.py` | finds logs, saves and modules in folders and zips, and knows those again that did not change |
| `file_facts.py` | what a file is, who plays in it, and how the table is when it begins and ends |
| `corrections.py` | `archive.toml` beside the logs, which corrects the sorting |
| `sorting.py` | logs into games: joints, branches, duplicates |
| `tasks.py` | the audit of a game as a task, and the fingerprint of everything that its verdict rests on |
| `game_tasks.py` | by which rules, module, map and data each game is judged |
| `judging.py` | a task carried out: the verdict as plain values, with what the tables of the site count |
| `heat_map.py` | where units stood, attacked and were lost |
| `database.py` | everything as SQLite |
| `changes.py` | what changed between two verdicts on a game |
| `workers.py`, `cluster.py` | tasks carried out by processes with limits of time and memory, or by Dask |
| `running.py`, `command.py` | a run of the archive; the command |
| `tables.py`, `chances.py`, `site.py` | the tables, the dice against chance, and the pages of the site |
"""
