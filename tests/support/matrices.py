"""The rows of a test marked `matrix` that the normal run has."""


def spread(rows: int, kept: int) -> frozenset[int]:
    """Return the places of `kept` rows, the first among them, spread over all; all if there are fewer."""
    if kept >= rows:
        return frozenset(range(rows))
    return frozenset(index * (rows - 1) // max(kept - 1, 1) for index in range(kept))
