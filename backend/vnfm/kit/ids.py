from uuid import UUID, uuid4


def new_id() -> UUID:
    """A fresh identifier for anything that we store."""
    return uuid4()
