"""A HOT whose server depends on a condition, on a real OpenStack: the plan promises what Heat creates."""

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import zipped
from tests.service.lcm.full_lifecycle import swept
from tests.service.lcm.lifecycle import Lifecycle
from vnfm.clouds import registry
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation
from vnfm.vims.models import Vim
from vnfm.vims.reconcilers.probe import probe_vim

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.real_cloud, pytest.mark.timeout(1500)]

HOT = """\
heat_template_version: 2016-10-14
parameters:
  net: {type: string, constraints: [{custom_constraint: neutron.network}]}
  image: {type: string}
  flavor: {type: string}
  with_db: {type: boolean, default: false}
conditions:
  db_wanted: {equals: [{get_param: with_db}, true]}
resources:
  web_port: {type: OS::Neutron::Port, properties: {network: {get_param: net}}}
  web:
    type: OS::Nova::Server
    properties: {image: {get_param: image}, flavor: {get_param: flavor}, networks: [{port: {get_resource: web_port}}]}
  db_port: {type: OS::Neutron::Port, condition: db_wanted, properties: {network: {get_param: net}}}
  db:
    type: OS::Nova::Server
    condition: db_wanted
    properties: {image: {get_param: image}, flavor: {get_param: flavor}, networks: [{port: {get_resource: db_port}}]}
"""
SETTINGS = {"net": "public", "image": "tiny", "flavor": "m1.tiny"}


def servers(life: Lifecycle, instance: VnfInstance) -> dict[str, str]:
    """Return the servers of the stack, by the name of the resource."""
    resources = life.cloud.stacks.resources(instance.stack_id)
    return {one.name: one.physical_id for one in resources if one.type == "OS::Nova::Server"}


@pytest.mark.parametrize(("with_db", "expected"), [(False, {"web"}), (True, {"web", "db"})])
def test_the_servers_of_the_plan_are_those_that_heat_creates(
    real_vim: Vim, *, with_db: bool, expected: set[str]
) -> None:
    probe_vim(real_vim.id, registry.provider(), clock.now())
    life = Lifecycle(real_vim, onboarded(zipped({"base.yaml": HOT.encode()})), patience=600)
    with swept(life):
        instance = life.create()
        op = life.done(instance, Operation.INSTANTIATE, life.instantiate_request(**SETTINGS, with_db=with_db))
        assert op.plan is not None
        planned = {row["name"] for row in op.plan["resources"] if row["type"] == "vnfc"}
        assert planned == {f"Slot 1 ({name.capitalize()})" for name in expected}
        assert servers(life, instance).keys() == expected
        assert instance.vnfcs.count() == len(expected)

        life.done(instance, Operation.HEAL, {"additionalParams": {"method": "recreate", "vnfcToHeal": ["web/1"]}})
        assert servers(life, instance).keys() == expected

        life.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
        assert life.stacks_of(instance) == []
