"""The state and helpers that all services share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cloudsim.core.bus import ChangeBus
from cloudsim.core.clock import Clock
from cloudsim.core.dispatch import Dispatcher
from cloudsim.core.injection import Injector
from cloudsim.core.notifications import Notifier
from cloudsim.core.stats import Stats
from cloudsim.core.store import Store
from cloudsim.core.timers import Timers

if TYPE_CHECKING:
    from pathlib import Path

    from cloudsim.core.service import Service


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command line; the control API can change the times and the policy while the cloud runs.

    Only the control API sets ``heat_mark_unhealthy``, a feature of Heat after Liberty, and ``max_stacks_per_tenant`` of
    heat.conf. ``distinct_update_times`` makes each ``updated_time`` of a stack at least a second later than the last,
    for clients that otherwise wait for Heat's clock.
    ``seed`` selects the contents of a new cloud: those of the lab, or those of an operator.
    ``guests`` names the hypervisor of servers with a real image, see `cloudsim.guests.hypervisors`; "" for none.
    ``notify_url`` is the URL of an AMQP broker; "" turns notifications off.
    """

    boot_seconds: float = 2.0
    action_seconds: float = 0.5
    latency: float = 0.0
    hosts: int = 10
    token_seconds: float = 4 * 3600.0
    flavor_create_role: str = "admin"
    seed: str = "lab"
    heat_mark_unhealthy: bool = False
    max_stacks_per_tenant: int = 1000
    distinct_update_times: bool = False
    password: str = "vnfm"  # noqa: S105 - a simulated cloud has no secrets
    admin_password: str = "admin"  # noqa: S105 - as above
    region: str = "RegionOne"
    notify_url: str = ""
    guests: str = ""


class Cloud:
    """The state and helpers that every service handler uses.

    ``store`` documents; ``bus`` change notices; ``clock`` time; ``timers`` deferred work that survives restarts;
    ``dispatcher`` calls between services; ``base_url`` the cloud's ``http://host:port``; ``state_dir`` for files (None
    in tests without disk); ``parts`` objects that the control API needs. Where ``public_url`` is "", links and the
    catalog follow each request's Host header.
    """

    def __init__(
        self, options: Options, state_dir: Path | None, base_url: str, public_url: str = "", clock: Clock | None = None
    ) -> None:
        self.options = options
        self.public_url = public_url
        self.state_dir = state_dir
        self.base_url = public_url or base_url
        self.clock = clock or Clock()
        self.bus = ChangeBus()
        self.store = Store(state_dir / "cloud.sqlite" if state_dir else None, self.bus)
        self.timers = Timers(self.store, self.clock)
        self.injector = Injector()
        self.stats = Stats()
        self.notifier = Notifier(options.notify_url, self.clock)
        self.services: dict[str, Service] = {}
        self.parts: dict[str, Any] = {}
        self.dispatcher = Dispatcher(self.services, self.base_url, self.injector)

    def setting(self, name: str) -> Any:
        """Return a setting of the control API, else the command line's."""
        changed = self.store.get("setting", name)
        return changed["value"] if changed else getattr(self.options, name)

    def set(self, name: str, value: Any) -> None:
        """Change a setting, which survives restarts. Raises AttributeError for an unknown name."""
        getattr(self.options, name)
        self.store.put("setting", name, {"name": name, "value": value})
