"""Unclaimed resources: have one removed from the cloud, or have a package adopt a stack."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from vnfm.catalog import selectors as catalog
from vnfm.inventory import selectors as inventory
from vnfm.inventory.models import UnclaimedResource
from vnfm.kit import clock
from vnfm.kit.durable import outbox, tasks
from vnfm.kit.problem import FieldError, Problem, ProblemError, conflict, unprocessable
from vnfm.lcm.domain.adoption import missing_resources
from vnfm.lcm.domain.request_params import ADOPT_STACK
from vnfm.lcm.domain.requests import InstantiateVnfRequest
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.claims import is_claimed
from vnfm.lcm.services.instances import vnf_instance_create
from vnfm.lcm.services.operations import op_start

REMOVE = "lcm.remove_unclaimed"
TOPIC = "unclaimed.changed"
"""The list of unclaimed resources of a VIM has changed."""

Removal = UnclaimedResource.Removal


def claimed_problem(row: UnclaimedResource) -> Problem:
    detail = f"{row.kind} {row.name} is no longer unclaimed: a VNF instance or an operation of ours has it."
    return Problem(409, "CLAIMED", "Conflict", detail, "Reload the list.")


@transaction.atomic
def unclaimed_remove(*, unclaimed_id: UUID, confirm: str, actor: str) -> UnclaimedResource:
    """Have a worker remove it from the cloud; a repetition while that is under way changes nothing.

    Raises 404 when it is not there (any more), 422 when `confirm` is not its name, 409 when it does not carry our tag
    or has been claimed.
    """
    row = _locked(unclaimed_id)
    if confirm != row.name:
        message = f"To remove it, repeat its name: {row.name}."
        raise unprocessable("NOT_CONFIRMED", message, [FieldError("/confirm", message)], "Repeat its name.")
    if not row.ours:
        detail = f"{row.kind} {row.name} does not carry our tag: only its owner may remove it."
        raise conflict("NOT_OURS", detail, "Ask its owner, or remove it with the tools of the cloud.")
    if row.removal in (Removal.REQUESTED, Removal.REMOVED):
        return row
    if is_claimed(row):
        raise ProblemError(claimed_problem(row))
    row.removal, row.removal_problem, row.removal_by, row.removal_requested_at = Removal.REQUESTED, None, actor, None
    row.save(update_fields=["removal", "removal_problem", "removal_by", "removal_requested_at"])
    outbox.publish(TOPIC, row.vim_id, int(clock.now().timestamp()))
    tasks.enqueue_on_commit(REMOVE, row.id)
    return row


@transaction.atomic
def unclaimed_adopt(*, unclaimed_id: UUID, vnfd_id: UUID, name: str, params: Mapping[str, Any], actor: str) -> LcmOpOcc:
    """Make a VNF instance of an unclaimed stack: a new identifier, and an instantiation that adopts instead of making.

    Raises 404 for what does not exist, 409 when it is another resource, is being removed or has been claimed, or the
    name is in use, 422 when the package cannot adopt it, as far as that is known without a call to the cloud.
    """
    row = _locked(unclaimed_id)
    if row.kind != UnclaimedResource.Kind.STACK:
        raise conflict("NOT_A_STACK", f"{row.name} is no stack but a {row.kind}.", "Adopt the stack that it is of.")
    if row.removal in (Removal.REQUESTED, Removal.REMOVED):
        raise conflict("BEING_REMOVED", f"Stack {row.name} is being removed.", "Reload the list.")
    if is_claimed(row):
        raise ProblemError(claimed_problem(row))
    instance = vnf_instance_create(vnfd_id=vnfd_id, name=name or row.name, actor=actor)
    body = {
        "flavourId": "",
        "vimConnectionInfo": {"vim1": {"vimId": str(row.vim_id), "vimType": row.vim.vim_type}},
        "additionalParams": {**params, ADOPT_STACK: row.resource_id},
    }
    return op_start(instance_id=instance.id, request=InstantiateVnfRequest.of(body), actor=actor)


def adoptable_by(rows: Iterable[UnclaimedResource]) -> dict[UUID, list[UUID]]:
    """VNFDs that could adopt each stack, by the names and types of its resources."""
    stacks = [row for row in rows if row.pieces]
    if not stacks:
        return {}
    vnfds = [catalog.vnfd_of(package) for package in catalog.packages_usable()]
    return {row.id: [v.vnfd_id for v in vnfds if not missing_resources(v, row.pieces or {})] for row in stacks}


def _locked(unclaimed_id: UUID) -> UnclaimedResource:
    """Locked until the transaction ends: a removal and an adoption of the same resource exclude each other."""
    rows = UnclaimedResource.objects.select_for_update(no_key=True).filter(id=unclaimed_id)
    list(rows.values_list("id"))
    return inventory.unclaimed_get(unclaimed_id=unclaimed_id)
