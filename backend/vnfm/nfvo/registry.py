"""The NFVO that grants, if there is one; `config.wiring` installs it."""

from vnfm.nfvo.ports import Nfvo

_installed: list[Nfvo] = []


def install(nfvo: Nfvo | None) -> None:
    """Set the NFVO, or None to grant ourselves; called by `config.wiring` at start, and by tests."""
    _installed[:] = [] if nfvo is None else [nfvo]


def nfvo() -> Nfvo | None:
    """The NFVO that grants; None where we grant ourselves."""
    return _installed[0] if _installed else None
