"""The error taxonomy of network elements: adapters map all errors to these classes, with the element's own message."""

from typing import ClassVar


class DeviceError(Exception):
    """Base of all. `code` is for programs, the message for people; `address` is the element's."""

    code: ClassVar[str] = "DEVICE_ERROR"

    def __init__(self, message: str, *, address: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.address = address


class Unreachable(DeviceError):
    """No answer. SNMPv2c agents do not answer a wrong community either: the two cannot be distinguished."""

    code = "UNREACHABLE"


class Refused(DeviceError):
    """It answers, but access fails: wrong credentials, or a host key that is not the pinned one."""

    code = "REFUSED"


class NotSupported(DeviceError):
    """The element lacks the requested function, or there is no common algorithm."""

    code = "NOT_SUPPORTED"


class Busy(Unreachable):
    """Another worker of ours uses the element, and only one may. Temporary, as no answer is."""

    code = "BUSY"


class Locked(Unreachable):
    """Another session edits its configuration, or holds an unconfirmed commit; mostly temporary."""

    code = "LOCKED"


class NotReady(Unreachable):
    """Its command line answers, and what it leads to does not run, or not yet. Temporary, as no answer is."""

    code = "NOT_READY"


class DeviceRejected(DeviceError):
    """The element understood the request and rejected it; the message holds its reason.

    `words`: only the element's text. `line`: number of the rejected line of a configuration, where known.
    """

    code = "REJECTED"

    def __init__(self, message: str, *, address: str = "", words: str = "", line: int | None = None) -> None:
        super().__init__(message, address=address)
        self.words = words
        self.line = line


class CutOff(DeviceError):
    """A change broke our connectivity, and the element rolled it back, or will; the message says what is known.

    `running`: its configuration afterwards, if that differs from the one before.
    """

    code = "CUT_OFF"

    def __init__(self, message: str, *, address: str = "", running: str = "") -> None:
        super().__init__(message, address=address)
        self.running = running


class Garbled(DeviceError):
    """Its answer cannot be decoded, repeats itself, or exceeds the bounds."""

    code = "GARBLED"
