"""The delay before a service that died is started again."""

FIRST_SECONDS = 0.5
LONGEST_SECONDS = 30.0
STABLE_SECONDS = 60.0  # a service that ran for this time has recovered: its next failure counts as the first


def delay(failures: int) -> float:
    """Return the seconds before the next start after this number of failures in a row (1, 2, ...)."""
    doublings = min(failures - 1, 16)
    return min(LONGEST_SECONDS, FIRST_SECONDS * float(2**doublings))
