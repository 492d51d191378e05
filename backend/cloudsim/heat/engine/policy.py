"""The types that a caller may use (`resource_types:` of Heat's policy.json)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.heat.errors import Forbidden

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.heat.engine.stack import Stack

ADMIN_TYPES = frozenset({"OS::Nova::Flavor"})


def may_use(cloud: Cloud, ctx: RequestContext, type_name: str) -> bool:
    """Return whether the caller may use a type; `flavor_create_role` also allows the types of administrators."""
    return type_name not in ADMIN_TYPES or ctx.is_admin or cloud.setting("flavor_create_role") in ctx.roles


def enforce(stack: Stack) -> None:
    """Raise Forbidden for the first type of the stack's template that its owner may not use."""
    for definition in stack.template.resources.values():
        if not may_use(stack.engine.cloud, stack.client.ctx, definition.type):
            raise Forbidden(definition.type)
