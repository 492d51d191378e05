"""Whether an NFVO is asked, and how. `config.wiring` decides it once."""

from vnfm.nfvo.ports import Nfvo

_installed: list[Nfvo] = []


def install(nfvo: Nfvo | None) -> None:
    """Choose the NFVO, or None to grant by ourselves; called by `config.wiring` at start, and by tests."""
    _installed[:] = [] if nfvo is None else [nfvo]


def nfvo() -> Nfvo | None:
    """The NFVO to ask; None where we grant by ourselves."""
    return _installed[0] if _installed else None
