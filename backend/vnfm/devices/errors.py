"""The error taxonomy of network elements: adapters map all errors to these classes, with the element's own message."""

from vnfm.kit.problem import ForeignError, Source


class DeviceError(ForeignError):
    """The base of all errors of network elements; `address` is the element's."""

    code = "DEVICE_ERROR"
    title = "The network element failed"
    next_step = "Log in to the element and look: a banner or a question may stand in the way."
    source: Source = "element"

    def __init__(self, message: str, *, address: str = "") -> None:
        super().__init__(message)
        self.address = address


class Unreachable(DeviceError):
    """No answer. SNMPv2c agents do not answer a wrong community either: the two cannot be distinguished."""

    code = "UNREACHABLE"
    next_step = "Check that the element is up and its SSH or NETCONF port reachable from here; then try again."


class Refused(DeviceError):
    """It answers, but access fails: wrong credentials, or a host key that is not the pinned one."""

    code = "REFUSED"
    next_step = (
        "Correct the login in the element's policy, or have its host key forgotten if it was changed on purpose."
    )


class NotSupported(DeviceError):
    """The element lacks the requested function, or there is no common algorithm."""

    code = "NOT_SUPPORTED"
    next_step = "Give the element an SSH or NETCONF policy that fits, and let it be polled by SNMP first."


class Busy(Unreachable):
    """Another worker of ours uses the element, and only one may. Temporary, as no answer is."""

    code = "BUSY"
    next_step = "It starts when the other job is done."


class Locked(Unreachable):
    """Another session edits its configuration, or holds an unconfirmed commit; mostly temporary."""

    code = "LOCKED"
    next_step = "Have the other user of the element commit or discard, and unlock it; then try again."


class NotReady(Unreachable):
    """Its command line answers, and what it leads to does not run, or not yet. Temporary, as no answer is."""

    code = "NOT_READY"
    next_step = "Start the element's routing software, or see its log for why it does not run; then try again."


class DeviceRejected(DeviceError):
    """The element understood the request and rejected it; the message holds its reason.

    `words`: only the element's text. `line`: number of the rejected line of a configuration, where known.
    """

    code = "REJECTED"
    status = 422
    title = "The network element reported an error"
    next_step = "Correct what the element refuses, and try it in a dry run."

    def __init__(self, message: str, *, address: str = "", words: str = "", line: int | None = None) -> None:
        super().__init__(message, address=address)
        self.words = words
        self.line = line

    def cause_text(self) -> str:
        return self.words or self.message


class CutOff(DeviceError):
    """A change broke our connectivity, and the element rolled it back, or will; the message says what is known.

    `running`: its configuration afterwards, if that differs from the one before.
    """

    code = "CUT_OFF"
    next_step = "Correct the part of the change that cuts the path to the element, and back it up before you try again."

    def __init__(self, message: str, *, address: str = "", running: str = "") -> None:
        super().__init__(message, address=address)
        self.running = running


class Garbled(DeviceError):
    """Its answer cannot be decoded, repeats itself, or exceeds the bounds."""

    code = "GARBLED"
