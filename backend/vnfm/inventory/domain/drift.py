"""Drift: how observed state differs from desired state. A pure function of the two."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from vnfm.inventory.domain.observation import ACTIVE, MISSING, TRANSITIONAL, UNKNOWN, status_text
from vnfm.inventory.domain.views import InstanceView, StackView, StrayServer, VimView, VnfcView

DriftKind = Literal[
    "missing",
    "extra",
    "stopped",
    "started",
    "renamed",
    "resized",
    "moved",
    "port_removed",
    "stack_updated",
    "stack_gone",
]

ERROR = "ERROR"
NOTHING = "nothing"
STALE_PORT = "This cloud's Heat cannot replace a lost port: to have it again, remove the VNFC and add one."


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference between desired and observed state, in sentences, and what can be done about it."""

    kind: DriftKind
    subject: str
    """Name of the VNFC, stray server or stack; id of the VDU when it is a matter of how many there are."""
    message: str
    expected: str
    found: str
    since: datetime | None
    """When a poll first found it, as far as known."""
    vnfc_id: str = ""
    resources: tuple[str, ...] = ()
    """Things that a repair needs of it: ids in the cloud, such as the server's, or flavor wanted and flavor found."""
    accept: str = ""
    """The effect of accepting it; "" when it cannot be accepted."""
    why_not: str = ""
    """Why it cannot be accepted."""
    repair: str = ""
    """The effect of a repair; "" when no repair can."""
    alarmed: bool = False
    """An alarm of its own (VmDown, VmMissing, PortDown, StackMissing …) reports it already."""

    @property
    def acceptable(self) -> bool:
        return bool(self.accept)


def drift(instance: InstanceView) -> list[Difference]:
    """Every difference, by what was last observed.

    `conditions.in_sync` decides whether that is current, and no operation is changing it.
    """
    found = [item for vnfc in instance.vnfcs for item in _of_vnfc(vnfc, instance.vim)]
    found += [_stray(stray) for stray in instance.strays]
    found += _of_counts(instance)
    if instance.stack is None:
        return found
    if instance.stack.status == MISSING:  # no repair runs without the stack: promise none
        found = [replace(item, repair="") for item in found]
    return [*_of_stack(instance.stack), *found]


def _of_counts(instance: InstanceView) -> Iterator[Difference]:
    """A server that is gone is drift of its own, not of the count as well."""
    if instance.wanted is None:
        return
    recorded = Counter(vnfc.vdu_id for vnfc in instance.vnfcs)
    for vdu_id in sorted(instance.wanted.keys() | recorded.keys()):
        have, want = recorded[vdu_id], instance.wanted.get(vdu_id, 0)
        if have == want:
            continue
        yield Difference(
            kind="missing" if have < want else "extra",
            subject=vdu_id,
            message=f"{vdu_id} has {have} VNFCs; its level asks for {want}.",
            expected=str(want),
            found=str(have),
            since=None,
            why_not="How many there are is a matter of the scale level: scale in or out.",
            repair="The stack is brought back to what the level asks for.",
        )


def _of_vnfc(vnfc: VnfcView, vim: VimView | None) -> Iterator[Difference]:
    if vnfc.status == UNKNOWN:
        return
    if vnfc.status == MISSING:
        yield _missing(vnfc)
        return
    if (power := _power(vnfc)) is not None:
        yield power
    if vnfc.server_name != vnfc.name:
        yield _renamed(vnfc)
    if vnfc.expected_flavor_id and vnfc.flavor_id and vnfc.flavor_id != vnfc.expected_flavor_id:
        yield _resized(vnfc)
    if vnfc.expected_host and vnfc.host and vnfc.host != vnfc.expected_host:
        yield _moved(vnfc)
    yield from _lost_ports(vnfc, vim)


def _missing(vnfc: VnfcView) -> Difference:
    return Difference(
        kind="missing",
        subject=vnfc.name,
        message=f"{vnfc.name} is missing from the cloud.",
        expected=f"server {vnfc.server_id}",
        found=NOTHING,
        since=vnfc.status_since,
        vnfc_id=vnfc.vnfc_id,
        why_not="A VNFC without a server cannot be what is wanted: repair it, or scale in.",
        repair="It gets a new server, in the same slot.",
        alarmed=True,
    )


def _power(vnfc: VnfcView) -> Difference | None:
    """A server that passes from one state to another is not drift: where it gets stuck, an alarm says so."""
    if vnfc.desired == "STARTED" and vnfc.status != ACTIVE and vnfc.status not in TRANSITIONAL:
        broken = vnfc.status == ERROR
        return Difference(
            kind="stopped",
            subject=vnfc.name,
            message=f"{vnfc.name} is {status_text(vnfc.status)}; it should run.",
            expected=ACTIVE,
            found=vnfc.status,
            since=vnfc.status_since,
            vnfc_id=vnfc.vnfc_id,
            accept="" if broken else "It should be stopped from now on.",
            why_not="A server in ERROR cannot be what is wanted: repair it, or scale in." if broken else "",
            repair="It is healed." if broken else "It is started.",
            alarmed=True,
        )
    if vnfc.desired == "STOPPED" and vnfc.status == ACTIVE:
        return Difference(
            kind="started",
            subject=vnfc.name,
            message=f"{vnfc.name} runs; it should be stopped.",
            expected="SHUTOFF",
            found=ACTIVE,
            since=vnfc.status_since,
            vnfc_id=vnfc.vnfc_id,
            accept="It should run from now on.",
            repair="It is stopped.",
        )
    return None


def _renamed(vnfc: VnfcView) -> Difference:
    return Difference(
        kind="renamed",
        subject=vnfc.name,
        message=f"{vnfc.name} is called {vnfc.server_name} in the cloud.",
        expected=vnfc.name,
        found=vnfc.server_name,
        since=vnfc.observed_at,
        vnfc_id=vnfc.vnfc_id,
        resources=(vnfc.server_id,),
        accept=f"It is called {vnfc.server_name} from now on; a new server gets the package's name again.",
        repair=f"It is called {vnfc.name} again.",
    )


def _resized(vnfc: VnfcView) -> Difference:
    wanted, found = vnfc.expected_flavor or vnfc.expected_flavor_id, vnfc.flavor or vnfc.flavor_id
    return Difference(
        kind="resized",
        subject=vnfc.name,
        message=f"{vnfc.name} has flavor {found}; it should have {wanted}.",
        expected=wanted,
        found=found,
        since=vnfc.observed_at,
        vnfc_id=vnfc.vnfc_id,
        resources=(vnfc.server_id, vnfc.expected_flavor_id, vnfc.flavor_id),
        accept=f"It should have {found} from now on; a new server gets the flavor of the settings again.",
        repair=f"It is resized back to {wanted}, which restarts it.",
    )


def _moved(vnfc: VnfcView) -> Difference:
    return Difference(
        kind="moved",
        subject=vnfc.name,
        message=f"{vnfc.name} runs on host {vnfc.host}; it was on {vnfc.expected_host}.",
        expected=vnfc.expected_host,
        found=vnfc.host,
        since=vnfc.observed_at,
        vnfc_id=vnfc.vnfc_id,
        accept=f"{vnfc.host} is its host from now on.",
    )


def _lost_ports(vnfc: VnfcView, vim: VimView | None) -> Iterator[Difference]:
    renewable = vim is not None and vim.renews_ports
    for port in vnfc.lost_ports:
        yield Difference(
            kind="port_removed",
            subject=vnfc.name,
            message=f"{vnfc.name} has lost its port {port.cp_id} ({port.port_id}).",
            expected=f"port {port.port_id}",
            found=NOTHING,
            since=port.since,
            vnfc_id=vnfc.vnfc_id,
            resources=(port.port_id,),
            accept=f"It has no port {port.cp_id} from now on. {'' if renewable else STALE_PORT}".rstrip(),
            repair="It gets a new port, with another address where the package fixes none." if renewable else "",
            alarmed=True,
        )


def _stray(stray: StrayServer) -> Difference:
    return Difference(
        kind="extra",
        subject=stray.name,
        message=f"Server {stray.name} says that it is of this instance; no operation made it.",
        expected=NOTHING,
        found=f"server {stray.server_id}",
        since=stray.since,
        why_not="Only an operation adds a VNFC: scale out; and remove the server under the VIM's unclaimed resources.",
        repair="It goes, if it came by an update of the stack; else remove it under the VIM's unclaimed resources.",
    )


def _of_stack(stack: StackView) -> Iterator[Difference]:
    if stack.status == MISSING:
        yield Difference(
            kind="stack_gone",
            subject=stack.name,
            message=f"Heat no longer has the stack {stack.name}.",
            expected=f"stack {stack.name}",
            found=NOTHING,
            since=stack.observed_at,
            why_not="Without its stack the instance can be neither scaled nor healed: terminate and instantiate it.",
            alarmed=True,
        )
    elif later(stack.updated_at, stack.left_at):
        yield Difference(
            kind="stack_updated",
            subject=stack.name,
            message=f"Another client had Heat update the stack {stack.name} at {stack.updated_at}.",
            expected=stack.left_at or "never updated",
            found=stack.updated_at,
            since=stack.observed_at,
            accept="It is taken for known; our next operation on the stack undoes what was changed in it.",
            repair="Heat is given again what our last operation gave it.",
        )


def later(theirs: str, ours: str) -> bool:
    """Whether Heat's time `theirs` is after `ours`; "" is before all others, and a time that is none is not judged."""
    if not theirs or theirs == ours:
        return False
    if not ours:
        return True
    try:
        return _instant(theirs) > _instant(ours)
    except ValueError:
        return False


def _instant(text: str) -> datetime:
    """Heat writes UTC, and says so by a Z or not at all."""
    at = datetime.fromisoformat(text)
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
