"""Statistics of requests by service, method and route."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class RouteStats:
    count: int = 0
    seconds: float = 0.0
    statuses: dict[int, int] = field(default_factory=dict)


class Stats:
    """The counts since the process started or since ``reset``."""

    def __init__(self) -> None:
        self._routes: dict[tuple[str, str, str], RouteStats] = {}

    def record(self, service: str, method: str, pattern: str, status: int, seconds: float) -> None:
        entry = self._routes.setdefault((service, method, pattern), RouteStats())
        entry.count += 1
        entry.seconds += seconds
        entry.statuses[status] = entry.statuses.get(status, 0) + 1

    def reset(self) -> None:
        self._routes.clear()

    def report(self) -> dict[str, object]:
        """Return ``{"total", "services": {name}, "routes": [{service, method, route, count, seconds, statuses}]}``."""
        services: dict[str, int] = {}
        routes = []
        for (service, method, pattern), entry in sorted(self._routes.items()):
            services[service] = services.get(service, 0) + entry.count
            routes.append(
                {
                    "service": service,
                    "method": method,
                    "route": pattern,
                    "count": entry.count,
                    "seconds": round(entry.seconds, 6),
                    "statuses": {str(status): count for status, count in sorted(entry.statuses.items())},
                }
            )
        return {"total": sum(services.values()), "services": services, "routes": routes}
