"""The installed device adapters; `config.wiring` chooses them, once."""

from vnfm.devices.ports import DeviceProvider

_installed: list[DeviceProvider] = []


def install(provider: DeviceProvider) -> None:
    """Called by `config.wiring` at start, and by tests with adapters of their own."""
    _installed[:] = [provider]


def provider() -> DeviceProvider:
    """Raises RuntimeError when no adapter was installed (a programming error)."""
    if not _installed:
        raise RuntimeError("No device adapter is installed: config.wiring.install() has not run.")
    return _installed[0]
