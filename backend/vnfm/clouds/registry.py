"""The rest of the product gets its clouds from here. `config.wiring` decides, once, which adapter that is."""

from vnfm.clouds.ports import CloudProvider

_installed: list[CloudProvider] = []


def install(provider: CloudProvider) -> None:
    """Choose the adapter; called by `config.wiring` at start, and by tests that bring their own."""
    _installed[:] = [provider]


def provider() -> CloudProvider:
    """The installed adapter; raises RuntimeError when nothing was wired (a programming error)."""
    if not _installed:
        raise RuntimeError("No cloud adapter is installed: config.wiring.install() has not run.")
    return _installed[0]
