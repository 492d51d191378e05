"""Calls the webhooks of alarms. Source of body and header: aodh/notifier/rest.py at liberty-eol."""

from __future__ import annotations

import asyncio
import json
import logging
import urllib.request
import uuid
from http.client import HTTPException
from typing import Any

log = logging.getLogger("cloudsim.aodh")

SCHEMES = ("http", "https", "trust+http", "trust+https", "log", "test")
TIMEOUT = 5.0
"""The timeout of a webhook in seconds."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirects, so that only the given address is called."""

    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        return None


_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect)


class Notifier:
    """Posts once, in the background; a failed webhook is only logged."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def notify(self, actions: list[str], alarm: dict[str, Any], previous: str, reason: str) -> None:
        """Call every action for an alarm that has left the state `previous`."""
        body = {
            "alarm_name": alarm["name"],
            "alarm_id": alarm["alarm_id"],
            "severity": alarm["severity"],
            "previous": previous,
            "current": alarm["state"],
            "reason": reason,
            "reason_data": {},
        }
        for action in actions:
            url = action.removeprefix("trust+")
            if not url.startswith(("http://", "https://")):
                log.info("alarm %s: %s", action, body)
                continue
            task = asyncio.get_running_loop().create_task(self._post(url, body))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _post(self, url: str, body: dict[str, Any]) -> None:
        try:
            await asyncio.to_thread(_send, url, json.dumps(body).encode())
        except (OSError, HTTPException, ValueError) as problem:
            log.warning("webhook %s failed: %s", url, problem)

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _send(url: str, body: bytes) -> None:
    headers = {"content-type": "application/json", "x-openstack-request-id": f"req-{uuid.uuid4()}"}
    request = urllib.request.Request(url, data=body, headers=headers, method="POST")  # noqa: S310 - scheme checked
    with _opener.open(request, timeout=TIMEOUT):
        pass
