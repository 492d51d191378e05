"""The error taxonomy of network elements: what an adapter meets is mapped once, here, with the element's own words."""

from typing import ClassVar


class DeviceError(Exception):
    """Base of all. `code` is for programs, the message is a sentence for people; `address` is who it was."""

    code: ClassVar[str] = "DEVICE_ERROR"

    def __init__(self, message: str, *, address: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.address = address


class Unreachable(DeviceError):
    """Nothing comes back. SNMPv2c agents are silent to a wrong community as well: they look the same."""

    code = "UNREACHABLE"


class Refused(DeviceError):
    """It answers, and does not let us in: credentials, or a host key that is not the pinned one."""

    code = "REFUSED"


class NotSupported(DeviceError):
    """It does not have what was asked for, or we have no common algorithm."""

    code = "NOT_SUPPORTED"


class Busy(Unreachable):
    """Somebody else of us is at it, and only one may be. Like silence, it passes by itself."""

    code = "BUSY"


class Locked(Unreachable):
    """Somebody else edits its configuration, it says, or tries it out: for a moment, or until asked to stop."""

    code = "LOCKED"


class DeviceRejected(DeviceError):
    """It understood, and said no; the message holds its words.

    `words` are the element's alone, `line` is the number of the line of a text that it refused, where there is one.
    """

    code = "REJECTED"

    def __init__(self, message: str, *, address: str = "", words: str = "", line: int | None = None) -> None:
        super().__init__(message, address=address)
        self.words = words
        self.line = line


class CutOff(DeviceError):
    """A change has cut us off, and the element took it back, or is to; the message says what of that is known.

    `running` is its configuration then, where that is known to be another than before.
    """

    code = "CUT_OFF"

    def __init__(self, message: str, *, address: str = "", running: str = "") -> None:
        super().__init__(message, address=address)
        self.running = running


class Garbled(DeviceError):
    """Its answer makes no sense: cannot be decoded, goes round in circles, or does not end within the bounds."""

    code = "GARBLED"
