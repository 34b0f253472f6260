"""Games that ``vassalgen new`` writes: a small complete one, and its skeleton."""
