"""What our records account for in a cloud. Read after the cloud was looked at, so that nothing newly made is missed."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from vnfm.inventory.models import StackSnapshot, UnclaimedResource, Vnfc, VnfInstance
from vnfm.kit import clock
from vnfm.lcm.domain.adoption import ADOPT_STACK
from vnfm.lcm.domain.unclaimed import Claims, Found
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.sagas.stack import stack_name
from vnfm.lcm.selectors import UNDER_WAY
from vnfm.vims.models import Vim, VimArtefact


def claims_of(vim: Vim, *, with_parameters: bool) -> Claims:
    """`with_parameters` reads what all stacks were given, too: needed to judge images and flavors."""
    deployed = VnfInstance.objects.filter(vim=vim).exclude(stack_id="")
    live = LcmOpOcc.objects.filter(UNDER_WAY, instance__vim=vim).select_related("instance").only("params", "instance")
    running = [(op, op.instance) for op in live if op.instance is not None]
    adopting = {str((op.params.get("additionalParams") or {}).get(ADOPT_STACK, "")) for op, _ in running}
    used: set[str] = set()
    if with_parameters:
        snapshots = StackSnapshot.objects.filter(instance__in=deployed).values_list("parameters", flat=True)
        used = {value for parameters in snapshots for value in _texts(parameters)}
    return Claims(
        stack_ids={*deployed.values_list("stack_id", flat=True), *adopting},
        stack_names={stack_name(instance, instance.generation) for _, instance in running},
        server_ids=set(Vnfc.objects.filter(instance__vim=vim).values_list("server_id", flat=True)),
        busy={*(str(instance.id) for _, instance in running), *_owners(vim, adopting)},
        artefacts=set(VimArtefact.objects.filter(vim=vim).values_list("kind", "key")),
        used=used,
    )


def _owners(vim: Vim, stack_ids: Collection[str]) -> set[str]:
    """Whose the stacks that are being adopted say they are: their servers say the same."""
    rows = UnclaimedResource.objects.filter(vim=vim, kind=UnclaimedResource.Kind.STACK, resource_id__in=stack_ids)
    return set(rows.exclude(owner="").values_list("owner", flat=True))


def _texts(parameters: Mapping[str, Any]) -> Iterator[str]:
    for value in parameters.values():
        if isinstance(value, Mapping):
            yield from _texts(value)
        elif isinstance(value, str):
            yield value


def is_claimed(row: UnclaimedResource) -> bool:
    """Whether somebody of ours has come to own it since it was found."""
    found = Found(
        kind=row.kind,  # type: ignore[arg-type]  # the model has the same choices
        resource_id=row.resource_id,
        name=row.name,
        ours=row.ours,
        seen_at=clock.now(),
        owner=row.owner,
    )
    return claims_of(row.vim, with_parameters=row.kind in ("image", "flavor")).claim(found)
