"""The error of backups and restores."""


class RecoveryError(Exception):
    """A failure that the operator can act on; `str()` is the whole message. Existing data are unchanged."""
