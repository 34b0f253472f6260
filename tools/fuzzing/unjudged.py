"""What counts as an undeclared error although nothing was raised."""


class UnjudgedError(Exception):
    """Something could not be judged, because a rule or a reader failed; its text is the traceback."""
