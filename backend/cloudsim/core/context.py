"""The caller of a request: the part of a token that handlers need."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class RequestContext:
    """The caller of one request, with the values that keystonemiddleware puts into headers.

    ``project_id`` is "" for an unscoped or domain-scoped token; ``request_id`` is the ``req-…`` of the answer.
    """

    project_id: str
    user_id: str
    roles: frozenset[str]
    is_admin: bool
    token_id: str
    request_id: str

    def elevated(self) -> RequestContext:
        """Return the same caller with administrator's rights, for work that a service does with its own account."""
        return replace(self, is_admin=True, roles=self.roles | {"admin"})


ANONYMOUS = RequestContext("", "", frozenset(), is_admin=False, token_id="", request_id="")
