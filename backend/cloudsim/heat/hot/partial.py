"""Resolves functions as far as possible before anything exists; other values are LATER."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.heat.errors import UserParameterMissing
from hot.functions import as_call, calls, resolve

if TYPE_CHECKING:
    from hot.functions import Json, Scope

LATER = "\0later"
"""The placeholder for a value that exists only at run time."""
_RUNTIME = ("get_attr", "get_resource", "Ref")


def is_later(value: Json) -> bool:
    """Return whether a value contains LATER."""
    if isinstance(value, dict):
        return any(is_later(item) for item in value.values())
    if isinstance(value, list):
        return any(is_later(item) for item in value)
    return isinstance(value, str) and LATER in value


async def resolve_partly(scope: Scope, snippet: Json, *, strict: bool) -> Json:
    """Resolve a snippet with LATER for references to resources and, unless `strict`, for parameters without value."""
    if as_call(snippet, scope.version):
        if is_later(snippet) or any(call.name in _RUNTIME for call in calls(snippet, scope.version)):
            return LATER
        try:
            return await resolve(scope, snippet)
        except UserParameterMissing:
            if strict:
                raise
            return LATER
    if isinstance(snippet, dict):
        return {key: await resolve_partly(scope, value, strict=strict) for key, value in snippet.items()}
    if isinstance(snippet, list):
        return [await resolve_partly(scope, value, strict=strict) for value in snippet]
    return snippet
