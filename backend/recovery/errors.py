"""Why a backup or a restore is refused or fails, as a sentence for the operator."""


class RecoveryError(Exception):
    """A failure that the operator can act on; `str()` is the whole message. What was there before is unchanged."""
