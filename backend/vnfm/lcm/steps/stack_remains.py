"""Find resources in the cloud of an instance whose stack Heat no longer has."""

from collections.abc import Collection

from vnfm.clouds.errors import Failed
from vnfm.inventory.selectors import links_of, vnfcs_of
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.replacement import NETWORK, PORT, SERVER, retained_types
from vnfm.lcm.domain.steps import Blocked, Done, Outcome
from vnfm.lcm.domain.vnfc_names import label
from vnfm.lcm.steps.base import Context
from vnfm.lcm.steps.servers import servers_by_id
from vnfm.lcm.steps.stack_input import stack_snapshot

_NEXT_STEP = (
    "Heat has abandoned the stack, or it was deleted in Heat's database. Delete in the cloud what is named, servers "
    "first; then retry."
)


def without_stack(ctx: Context) -> Outcome:
    """Done only where the cloud has none of the recorded servers, ports and networks that the stack made.

    An abandoned stack leaves all of them. Types of which the template retains a resource are left out.
    """
    retained = _retained(ctx)
    servers = [] if SERVER in retained else _servers(ctx)
    others = [*([] if PORT in retained else _ports(ctx)), *([] if NETWORK in retained else _networks(ctx))]
    if not servers and not others:
        return Done(f"Heat no longer has the stack, {_checked(retained)}")
    words = [f"Nova still has {len(servers)} of its servers"] if servers else []
    words += [f"Neutron still has {len(others)} of its ports and networks"] if others else []
    return Blocked(
        Problem(
            Failed.status,
            "SERVERS_REMAIN" if servers else "RESOURCES_REMAIN",
            f"The cloud still has {'servers' if servers else 'resources'} of the VNF",
            f"Heat no longer has the stack {ctx.instance.stack_id}, and {' and '.join(words)}.",
            _NEXT_STEP,
            (*(Cause("nova", text) for text in servers), *(Cause("neutron", text) for text in others)),
        )
    )


def _checked(retained: Collection[str]) -> str:
    names = {SERVER: "servers", PORT: "ports", NETWORK: "networks"}
    checked = [name for kind, name in names.items() if kind not in retained]
    kept = [name for kind, name in names.items() if kind in retained]
    absent = f"and the cloud none of its {', '.join(checked)}" if checked else ""
    unknown = f"not checked, since the template retains some: {', '.join(kept)}" if kept else ""
    return "; ".join(filter(None, (absent, unknown)))


def _retained(ctx: Context) -> Collection[str]:
    snapshot = stack_snapshot(ctx.instance)
    if snapshot is None:
        return ()
    registry = snapshot["environment"].get("resource_registry", {})
    return retained_types(snapshot["template"], registry, snapshot["files"])


def _servers(ctx: Context) -> list[str]:
    names = {row.server_id: label(row) for row in vnfcs_of(instance_id=ctx.instance.id)}
    return [f"{names[i]}: {server.status}" for i, server in servers_by_id(ctx.cloud, names).items()]


def _ports(ctx: Context) -> list[str]:
    """One that the package does not name was made by Nova, and goes with its server, or by others."""
    names = {
        port.port_id: f"{label(row)} {port.cp_id}"
        for row in vnfcs_of(instance_id=ctx.instance.id)
        for port in row.ports
        if port.cp_id
    }
    present = ctx.cloud.networks.port_ids() if names else frozenset()
    return [f"port {names[i]} ({i})" for i in sorted(names.keys() & present, key=names.__getitem__)]


def _networks(ctx: Context) -> list[str]:
    links = links_of(instance_id=ctx.instance.id)
    names = {link.network_id: link.name or link.vl_id for link in links if link.created_by_stack}
    present = ctx.cloud.networks.network_ids() if names else frozenset()
    return [f"network {names[i]} ({i})" for i in sorted(names.keys() & present, key=names.__getitem__)]
