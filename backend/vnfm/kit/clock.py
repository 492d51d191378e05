from datetime import UTC, datetime


def now() -> datetime:
    """The current time, aware, in UTC. Read once at the edge and passed down; domain code gets it as an argument."""
    return datetime.now(UTC)
