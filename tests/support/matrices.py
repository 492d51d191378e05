"""Which rows of a test marked `matrix` the normal run has."""


def spread(rows: int, kept: int) -> frozenset[int]:
    """Places of so many of the rows, the first among them, spread over all; of fewer rows all."""
    if kept >= rows:
        return frozenset(range(rows))
    return frozenset(index * (rows - 1) // max(kept - 1, 1) for index in range(kept))
