"""The NFVO that grants and the foreign EM that coordinates, if there are any; `config.wiring` installs them."""

from vnfm.nfvo.ports import ElementManager, Nfvo

_installed: list[Nfvo] = []
_managers: list[ElementManager] = []


def install(nfvo: Nfvo | None) -> None:
    """Set the NFVO, or None to grant ourselves; called by `config.wiring` at start, and by tests."""
    _installed[:] = [] if nfvo is None else [nfvo]


def nfvo() -> Nfvo | None:
    """The NFVO that grants; None where we grant ourselves."""
    return _installed[0] if _installed else None


def install_em(em: ElementManager | None) -> None:
    """Set the foreign EM, or None to drain ourselves; called as `install`."""
    _managers[:] = [] if em is None else [em]


def element_manager() -> ElementManager | None:
    """The foreign EM that VNFs may name; None where there is none."""
    return _managers[0] if _managers else None
