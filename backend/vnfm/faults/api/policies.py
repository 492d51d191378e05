"""/api/v1/alarm_policies."""

from vnfm.accounts.roles import Role
from vnfm.faults.api.shapes import AlarmPolicyOut, AlarmPolicyWrite
from vnfm.faults.models import AlarmPolicy
from vnfm.faults.selectors import policy_list
from vnfm.faults.services.policies import policy_create, policy_delete, policy_update
from vnfm.kit import clock
from vnfm.kit.web.resource import Resource, Sentences, Values
from vnfm.kit.web.shapes import answer


def _change(policy: AlarmPolicy, values: Values, by: str) -> AlarmPolicy:
    settings = {name: value for name, value in values.items() if name != "fault_type"}
    return policy_update(policy=policy, values=settings, by=by, now=clock.now())


POLICIES = Resource(
    name="alarm_policy",
    noun="alarm policy",
    key="policy_id",
    write_role=Role.ADMIN,
    rows=policy_list,
    order=("fault_type", "id"),
    filters={"faultType": "fault_type"},
    shape=answer(AlarmPolicyOut),
    creates=AlarmPolicyWrite,
    changes=AlarmPolicyWrite,
    create=lambda values, user: policy_create(values=values, by=user.username, now=clock.now()),
    change=lambda policy, values, user: _change(policy, values, user.username),
    delete=lambda policy, user: policy_delete(policy=policy, by=user.username, now=clock.now()),
    sentences=Sentences(
        list="The global policy, which has no fault type, and the policies of single fault types.",
        create="Add a policy.",
        view="One policy.",
        change="Change its settings, not its fault type; honours If-Match.",
        delete="Delete it: the global policy applies instead. Honours If-Match.",
    ),
)
