"""``python -m vassalgen``."""

from vassalgen.cli import main

main()
