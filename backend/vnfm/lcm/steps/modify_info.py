"""The step that writes modified attributes of an instance."""

from typing import Any

from django.db import transaction

from vnfm.catalog import selectors as catalog
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.services import instance_record
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.modification import merge_patch
from vnfm.lcm.domain.requests import VnfInfoModificationRequest
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt
from vnfm.lcm.steps.base import Context, Step


class ModifyInfo(Step):
    """Write the modified attributes."""

    kind = "modify_info@1"

    def submit(self, ctx: Context) -> Receipt:
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        request = VnfInfoModificationRequest.of(ctx.op.params)
        try:
            with transaction.atomic():
                instance_record(instance=ctx.instance, **_columns(request, ctx.instance))
        except ProblemError as error:
            return Blocked(error.problem)
        return Done("Saved")

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """It fails only while writing, in one transaction."""
        return Done("Nothing had been saved")


def _columns(request: VnfInfoModificationRequest, instance: InstanceRecord) -> dict[str, Any]:
    texts = {"name": request.name, "description": request.description}
    values: dict[str, Any] = {column: text for column, text in texts.items() if text is not None}
    if request.metadata:
        values["metadata"] = merge_patch(instance.metadata, request.metadata)
    if request.vnfd_id:
        values["package_id"] = catalog.package_by_vnfd(vnfd_id=request.vnfd_id).id
    return values
