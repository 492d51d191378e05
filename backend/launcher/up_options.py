"""The flags of `vnfm up`."""

from dataclasses import dataclass
from pathlib import Path

from launcher import ports
from launcher.layout import Checkout
from launcher.tls import TlsFiles


@dataclass(frozen=True)
class UpOptions:
    state: Path
    port: int | None
    """The port of the web; None for DEFAULT_PORT, or for the port on which it already runs."""
    cloud: str | None = None
    detached: bool = False
    empty: bool = False
    """It says whether to leave the simulated routers unregistered."""
    listen: str = ports.LOOPBACK
    tls: TlsFiles | None = None
    web_processes: int = 1
    guests: str = ""
    """One of `guests.NAMES`, or `guests.BEST`."""
    roles: tuple[str, ...] = ()
    """The `layout.ROLES` that this host runs of another host's installation; () runs all and starts a new one."""

    @property
    def down_command(self) -> str:
        usual = self.state == Checkout.here().default_state
        return "./vnfm down" if usual else f"./vnfm down --state-dir {self.state}"

    def runs(self, role: str) -> bool:
        return not self.roles or role in self.roles
