"""How long a service that died waits for its next start."""

FIRST_SECONDS = 0.5
LONGEST_SECONDS = 30.0
STABLE_SECONDS = 60.0  # a service that ran so long has recovered: its next death is a first one


def delay(failures: int) -> float:
    """Seconds before the start that follows the given number of failures in a row (1, 2, ...)."""
    doublings = min(failures - 1, 16)
    return min(LONGEST_SECONDS, FIRST_SECONDS * float(2**doublings))
