"""Every package in `catalog/` by the plainest request of SOL003: the flavour `default`, a cloud, and nothing else. Then
a template of public shape with its own defaults.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import openstack
import pytest
from openstack.connection import Connection
from rest_framework.test import APIClient

from tests.factories.catalog import onboarded
from tests.factories.packages import shipped_folders, shipped_zip, zipped
from tests.service.lcm.full_lifecycle import leaving_nothing
from tests.service.lcm.heals import took
from tests.service.lcm.lifecycle import Lifecycle
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.clouds.ports import CloudProvider
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation
from vnfm.vims.models import Vim
from vnfm.vims.reconcilers.probe import probe_vim
from vnfm.vims.services import vim_register_from_clouds_yaml

pytestmark = pytest.mark.django_db(transaction=True)

FOLDERS = shipped_folders()
Recorder = Callable[[str, Any], None]


@pytest.fixture(scope="module")
def operators_cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CloudsimProcess]:
    """With an operator's flavors, where no member may create more."""
    with CloudsimProcess(tmp_path_factory.mktemp("operator"), seed="operator") as process:
        yield process


def registered(cloudsim: CloudsimProcess, provider: CloudProvider) -> Vim:
    vim = vim_register_from_clouds_yaml(path=cloudsim.clouds_yaml, name="cloudsim")
    probe_vim(vim.id, provider, clock.now())
    vim.refresh_from_db()
    return vim


def connected(cloudsim: CloudsimProcess) -> Connection:
    config = openstack.config.OpenStackConfig(config_files=[str(cloudsim.clouds_yaml)])
    return Connection(config=config.get_one("cloudsim"))


def plainest(vim: Vim) -> dict[str, Any]:
    return {"flavourId": "default", "vimConnectionInfo": {"vim1": {"vimId": str(vim.id)}}}


@pytest.mark.parametrize("folder", FOLDERS, ids=["-".join(folder.parts[-3:]) for folder in FOLDERS])
def test_instantiate_and_terminate_with_the_plainest_body(
    folder: Path, operators_cloud: CloudsimProcess, provider: CloudProvider, record_property: Recorder
) -> None:
    life = Lifecycle(registered(operators_cloud, provider), onboarded(shipped_zip(folder)))
    instance = life.create()
    with leaving_nothing(connected(operators_cloud)):
        op = life.done(instance, Operation.INSTANTIATE, plainest(life.vim))
        record_property("instantiate", took(op))
        assert op.plan is not None
        assert {flavor["source"] for flavor in op.plan["flavors"]} == {"matched"}
        instance.refresh_from_db()
        assert (instance.flavour_id, instance.instantiation_level_id) == ("default", "default")
        op = life.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
        record_property("terminate", took(op))


STRANGER = """
heat_template_version: 2013-05-23
parameters:
  image: {type: string, default: cirros}
  flavor: {type: string, default: m1.xlarge}
  key_name: {type: string, default: default}
  public_net: {type: string, default: public}
  private_net: {type: string, default: private}
  private_subnet: {type: string, default: private-subnet}
resources:
  port:
    type: OS::Neutron::Port
    properties:
      network_id: {get_param: private_net}
      fixed_ips: [{subnet_id: {get_param: private_subnet}}]
  server:
    type: OS::Nova::Server
    properties:
      image: {get_param: image}
      flavor: {get_param: flavor}
      key_name: {get_param: key_name}
      networks: [{port: {get_resource: port}}]
  floating_ip:
    type: OS::Neutron::FloatingIP
    properties:
      floating_network_id: {get_param: public_net}
      port_id: {get_resource: port}
"""
"""The template has the shape of most public ones, with the names that they have as defaults."""


def test_a_strangers_template_is_deployed_with_its_own_defaults(
    operators_cloud: CloudsimProcess, provider: CloudProvider
) -> None:
    life = Lifecycle(registered(operators_cloud, provider), onboarded(zipped({"stranger.yaml": STRANGER.encode()})))
    instance, cloud = life.create(), connected(operators_cloud)
    with leaving_nothing(cloud):
        life.done(instance, Operation.INSTANTIATE, plainest(life.vim))
        assert [server.key_name for server in cloud.compute.servers()] == ["default"]
        assert [address.fixed_ip_address[:7] for address in cloud.network.ips()] == ["10.0.0."]
        life.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})


def test_the_api_takes_the_plainest_body(lifecycle: Lifecycle, operator_api: APIClient) -> None:
    url = f"/vnflcm/v2/vnf_instances/{lifecycle.create().id}/instantiate"
    answer = operator_api.post(url, plainest(lifecycle.vim), format="json")
    assert answer.status_code == 202, answer.content


def test_without_flavors_they_are_created_where_the_user_may_and_else_nothing_is_touched(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, provider: CloudProvider
) -> None:
    life = lifecycle
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    for flavor in life.cloud.flavors.list():
        life.cloud.flavors.delete(flavor.id)
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "admin"})
    life.vim = registered(cloudsim, provider)
    request = {**plainest(life.vim), "additionalParams": {"createFlavors": True}}
    refused = life.run(life.start(life.create(), Operation.INSTANTIATE, request).id)
    assert refused.state == "ROLLED_BACK"
    assert not refused.steps.exists()
    missing = refused.problem["missingFlavors"]
    assert [flavor["vduId"] for flavor in missing] == ["control", "data-path"]
    assert all(flavor["command"] in refused.problem["detail"] for flavor in missing)
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    life.vim = registered(cloudsim, provider)
    op = life.done(life.create(), Operation.INSTANTIATE, plainest(life.vim))
    assert [step.kind for step in op.steps.order_by("seq")][:2] == ["create_flavor@1"] * 2
    assert {flavor.name for flavor in life.cloud.flavors.list()} == {flavor["flavorName"] for flavor in missing}
    life.vim.refresh_from_db()
    known = {flavor["name"]: flavor["id"] for flavor in life.vim.resources["flavors"]}
    assert known == {flavor.name: flavor.id for flavor in life.cloud.flavors.list()}, "before the next probe"
