"""``referee archive``: the logs of a club, sorted into games, judged once, and shown as a site.

| file | what it does |
| --- | --- |
| `files.py` | finds logs, saves and modules in folders and zips, and recognises unchanged ones |
| `file_facts.py` | what a file is, its players, and the table at its beginning and end |
| `corrections.py` | `archive.toml` beside the logs, which corrects the sorting |
| `sorting.py` | logs into games: joints, branches, duplicates |
| `tasks.py` | the audit of a game as a task, and the fingerprint of everything on which its verdict depends |
| `game_tasks.py` | the rules, module, map and data with which each game is judged |
| `judging.py` | carrying out a task: the verdict as plain values, with counts for the tables of the site |
| `heat_map.py` | where units were, attacked and were lost |
| `database.py` | everything, in SQLite |
| `changes.py` | what changed between two verdicts on a game |
| `workers.py`, `cluster.py` | tasks carried out by processes with limits of time and memory, or by Dask |
| `running.py`, `command.py` | a run of the archive; the command |
| `tables.py`, `chances.py`, `site.py` | the tables, the dice against chance, and the pages of the site |
| `redacting.py` | pseudonyms in place of the names of players |
"""
