"""Modify VNF instance information (SOL003 5.4.3.3.4): changes the record only."""

from vnfm.lcm.domain.requests import VnfInfoModificationRequest
from vnfm.lcm.sagas.planning import Planned, Planning, unchanged_plan
from vnfm.lcm.steps.modify_info import ModifyInfo


def plan(planning: Planning) -> Planned:
    planning.validated(VnfInfoModificationRequest)
    return Planned(unchanged_plan(planning.instance), [ModifyInfo.spec("Save the new information")])
