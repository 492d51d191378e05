"""The step that writes modified attributes of an instance."""

from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from vnfm.catalog import selectors as catalog
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.modification import merge_patch, modified_attributes
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt
from vnfm.lcm.services.instances import name_conflict
from vnfm.lcm.steps.base import Context, Step
from vnfm.lcm.steps.instance_record import store_values


class ModifyInfo(Step):
    """Write the modified attributes; blocks when another instance took the name meanwhile."""

    kind = "modify_info@1"

    def submit(self, ctx: Context) -> Receipt:
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        try:
            with transaction.atomic():
                store_values(ctx.instance, **_values(ctx))
        except ProblemError as error:
            return Blocked(error.problem)
        except IntegrityError:
            return Blocked(name_conflict(ctx.op.params["vnfInstanceName"]))
        return Done("Saved")

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """It fails only while writing, in one transaction."""
        return Done("Nothing had been saved")


def _values(ctx: Context) -> dict[str, Any]:
    values = modified_attributes(ctx.op.params)
    if "metadata" in values:
        values["metadata"] = merge_patch(ctx.instance.metadata, values["metadata"])
    if "vnfdId" in ctx.op.params:
        values["package"] = catalog.package_by_vnfd(vnfd_id=UUID(ctx.op.params["vnfdId"]))
    return values
