"""Where the rest of the product gets its network elements from; `config.wiring` decides, once, by which adapters."""

from vnfm.devices.ports import DeviceProvider

_installed: list[DeviceProvider] = []


def install(provider: DeviceProvider) -> None:
    """Choose the adapters; called by `config.wiring` at start, and by tests that bring their own."""
    _installed[:] = [provider]


def provider() -> DeviceProvider:
    """The installed adapters; raises RuntimeError when nothing was wired (a programming error)."""
    if not _installed:
        raise RuntimeError("No device adapter is installed: config.wiring.install() has not run.")
    return _installed[0]
