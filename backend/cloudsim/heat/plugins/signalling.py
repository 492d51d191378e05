"""The URLs by which a guest or an alarm signals a resource without a token."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from cloudsim.heat.engine.handle import Handle

_KEY = "signature"


def prepare(res: Handle) -> None:
    """Create the secret in the resource's URLs."""
    res.data[_KEY] = secrets.token_hex(16)


def url(res: Handle) -> str:
    """Return the URL that signals the resource by an anonymous POST."""
    stack = res.stack
    path = "/".join(quote(part) for part in (stack.project_id, stack.name, stack.id, res.name))
    return f"{res.engine.cloud.base_url}/orchestration/v1/signal/{path}?Signature={res.data.get(_KEY, '')}"


def is_signed(data: dict[str, str], signature: str) -> bool:
    """Return whether `signature` is this resource's."""
    return bool(signature) and secrets.compare_digest(data.get(_KEY, ""), signature)
