"""Modify VNF instance information (SOL003 5.4.3.3.4): a change of the record alone."""

from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from vnfm.catalog import selectors as catalog
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.modification import Information, information, merged
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt, StepSpec
from vnfm.lcm.sagas.base import Context, Step, step_kind
from vnfm.lcm.sagas.desired import information_store
from vnfm.lcm.sagas.planning import Planned, Planning, standing_plan
from vnfm.lcm.services.instances import name_conflict


def plan(planning: Planning) -> Planned:
    planning.asked(Information)
    return Planned(standing_plan(planning.instance), [StepSpec("modify_info@1", "Write down the new information")])


def _values(ctx: Context) -> dict[str, Any]:
    values = information(ctx.op.params)
    if "metadata" in values:
        values["metadata"] = merged(ctx.instance.metadata, values["metadata"])
    if "vnfdId" in ctx.op.params:
        values["package"] = catalog.package_by_vnfd(vnfd_id=UUID(ctx.op.params["vnfdId"]))
    return values


@step_kind
class ModifyInfo(Step):
    """Writes the modified attributes; a name that somebody took meanwhile stops the operation."""

    kind = "modify_info@1"

    def submit(self, ctx: Context) -> Receipt:
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        try:
            with transaction.atomic():
                information_store(ctx.instance, _values(ctx))
        except ProblemError as error:
            return Blocked(error.problem)
        except IntegrityError:
            return Blocked(name_conflict(ctx.op.params["vnfInstanceName"]))
        return Done("Written down")

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """It stops only at writing, in one transaction: nothing was written."""
        return Done("Nothing had been written")
