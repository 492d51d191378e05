"""Clouds that answer late: what took how long, and how long large requests wait for it."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

SLOW_SECONDS = 10.0
"""An answer that takes longer is late."""

FIRST_PAUSE, MAX_PAUSE = timedelta(seconds=15), timedelta(minutes=5)
"""Pauses of large requests after one without answer; twice as long after each further one."""

REQUESTS = {
    "servers": "the list of changed servers",
    "ports": "the list of ports that are not active",
    "port_ids": "the list of port ids",
    "stacks": "the list of stacks",
    "hosts": "the list of hosts",
    "full": "the list of all servers and ports",
    "resources": "the list of flavors, images, networks or quotas",
}
"""The words for the requests that `Vim.late` names."""


def after_answer(
    late: Mapping[str, Any], request: str, seconds: float, *, timed_out: bool, now: datetime
) -> dict[str, Any]:
    """`Vim.late` after a request that took `seconds`, `timed_out` without an answer."""
    others = {name: entry for name, entry in late.items() if name != request}
    if not timed_out and seconds < SLOW_SECONDS:
        return others
    before = late.get(request, {"since": now.isoformat(timespec="seconds"), "timeouts": 0})
    timeouts = before["timeouts"] + 1 if timed_out else 0
    return {**others, request: {"since": before["since"], "seconds": round(seconds), "timeouts": timeouts}}


def pause_until(late: Mapping[str, Any], now: datetime) -> datetime | None:
    """Until when large requests wait; None while all are answered, if late."""
    timeouts = max((entry["timeouts"] for entry in late.values()), default=0)
    return now + min(FIRST_PAUSE * 2.0 ** min(timeouts - 1, 10), MAX_PAUSE) if timeouts else None


def lateness(late: Mapping[str, Any]) -> str:
    """A sentence about the request that is late for longest."""
    name, entry = min(late.items(), key=lambda item: str(item[1]["since"]))
    what, since = REQUESTS.get(name, name), datetime.fromisoformat(entry["since"])
    how = f"got no answer in {entry['seconds']} s" if entry["timeouts"] else f"took {entry['seconds']} s"
    return f"It answers late since {since:%Y-%m-%d %H:%M:%S} UTC: {what} {how}. Large lists wait."
