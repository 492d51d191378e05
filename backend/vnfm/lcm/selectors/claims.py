"""Our records claim resources in a cloud. Read them after the scan of the cloud, so that no new one is missed.

Claims are identifiers, whichever VIM they are on record for: one project may be registered twice, under two names.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from vnfm.inventory.models import StackSnapshot, UnclaimedResource, Vnfc, VnfInstance
from vnfm.lcm.domain.requests import InstantiateVnfRequest
from vnfm.lcm.domain.snapshots import snapshot_named
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.unclaimed import Claims, FoundResource
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.instances import stack_name
from vnfm.lcm.selectors.operations import UNDER_WAY
from vnfm.lcm.selectors.snapshots import known_snapshots
from vnfm.vims.domain.vim_record import VimRecord
from vnfm.vims.selectors import artefacts_known

ARTEFACTS = ("image", "flavor")


def claims_on(found: Collection[FoundResource], vim: VimRecord) -> Claims:
    """The claims that there are on what was found in this VIM."""
    live = LcmOpOcc.objects.filter(UNDER_WAY, instance__isnull=False).select_related("instance")
    running = [(op, op.instance) for op in live.only("operation", "params", "instance") if op.instance is not None]
    new = [InstantiateVnfRequest.of(op.params) for op, _ in running if op.operation == Operation.INSTANTIATE]
    adopting = {stack_id for request in new if (stack_id := request.additional_params.adopt_stack)}
    ids = {kind: [item.resource_id for item in found if item.kind == kind] for kind in ("stack", "server")}
    stacks = VnfInstance.objects.filter(stack_id__in=ids["stack"]).values_list("stack_id", flat=True)
    servers = Vnfc.objects.filter(server_id__in=ids["server"]).values_list("server_id", flat=True)
    artefacts = [item for item in found if item.kind in ARTEFACTS]
    known = _artefacts(artefacts)
    return Claims(
        stack_ids={*stacks, *adopting},
        stack_names={stack_name(instance, instance.generation) for _, instance in running},
        server_ids=set(servers),
        busy={*(str(instance.id) for _, instance in running), *_owners(adopting)},
        artefacts=known,
        used=stack_parameter_values(vim)
        if any((item.kind, item.resource_id) not in known for item in artefacts)
        else set(),
    )


def _artefacts(found: Collection[FoundResource]) -> set[tuple[str, str]]:
    """Kind and id of images and flavors on record; of those that are just being made only the name is known yet."""
    if not found:
        return set()
    ids, names = [item.resource_id for item in found], [item.name for item in found]
    known = artefacts_known(resource_ids=ids, making=names)
    by_id = {(row.kind, row.resource_id) for row in known}
    making = {(row.kind, row.key) for row in known if row.ready_at is None}
    return (
        by_id
        | _of_snapshots(found)
        | {(item.kind, item.resource_id) for item in found if (item.kind, item.name) in making}
    )


def _of_snapshots(found: Collection[FoundResource]) -> set[tuple[str, str]]:
    """Kind and id of the images that snapshots have, or are just getting; their names say of which one."""
    named = {item.resource_id: snapshot_named(item.name) for item in found if item.kind == "image"}
    known = known_snapshots(each for each in named.values() if each is not None)
    return {("image", resource_id) for resource_id, snapshot_id in named.items() if snapshot_id in known}


def _owners(stack_ids: Collection[str]) -> set[str]:
    """Owners in the tags of stacks that are being adopted: their servers have the same."""
    rows = UnclaimedResource.objects.filter(kind=UnclaimedResource.Kind.STACK, resource_id__in=stack_ids)
    return set(rows.exclude(owner="").values_list("owner", flat=True))


def stack_parameter_values(vim: VimRecord) -> set[str]:
    """All texts in the parameters of our stacks in this cloud: names and ids of images and flavors among them."""
    deployed = VnfInstance.objects.filter(vim__auth_url=vim.auth_url).exclude(stack_id="")
    snapshots = StackSnapshot.objects.filter(instance__in=deployed).values_list("parameters", flat=True)
    return set(_texts(list(snapshots)))


def operation_parameter_values() -> set[str]:
    """All texts that operations under way may pass to stacks, also in a rollback, the user's choices included."""
    under_way = LcmOpOcc.objects.filter(UNDER_WAY)
    return set(_texts(list(under_way.values_list("params", "grant", "plan__parameters", "stack_before__parameters"))))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts(list(value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def is_claimed(row: UnclaimedResource) -> bool:
    """True if an instance or operation of ours has claimed it since it was found."""
    found = FoundResource(
        kind=row.kind,  # type: ignore[arg-type]  # the model has the same choices
        resource_id=row.resource_id,
        name=row.name,
        ours=row.ours,
        observed_at=row.last_seen_at,
        owner=row.owner,
    )
    return claims_on([found], row.vim).claim(found)
