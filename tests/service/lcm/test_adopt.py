"""An unmanaged stack becomes a VNF instance as it is, and can be scaled and forgotten like any other."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from rest_framework.test import APIClient

from tests.factories.packages import edited, zipped
from tests.service.lcm.adoption import SCALE_IN, SCALE_OUT, by_hand, direct
from tests.service.lcm.lifecycle import Lifecycle
from tests.service.lcm.stack_watch import listed, stack, watch, watch_twice
from tests.support.waiting import until
from vnfm.catalog import selectors as catalog
from vnfm.catalog.models import VnfPackage
from vnfm.catalog.services.onboarding import package_onboard
from vnfm.catalog.services.packages import package_create
from vnfm.clouds.errors import Rejected
from vnfm.clouds.types import StackInput
from vnfm.inventory.models import StackSnapshot, VnfInstance
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc

pytestmark = pytest.mark.django_db(transaction=True)


def servers(life: Lifecycle) -> dict[str, str]:
    return {server.metadata["slot"]: server.id for server in life.cloud.servers.list() if "slot" in server.metadata}


def adopt(client: APIClient, item: Mapping[str, Any], life: Lifecycle, **body: Any) -> Any:
    given = {"vnfdId": str(life.package.vnfd_id), **body}
    return client.post(f"/api/v1/unclaimed/{item['id']}/adopt", given, format="json")


def accepted(answer: Any) -> LcmOpOcc:
    assert answer.status_code == 202, answer.json()
    return LcmOpOcc.objects.get(id=answer.headers["Location"].rpartition("/")[2])


def adopted(client: APIClient, life: Lifecycle, name: str, **body: Any) -> VnfInstance:
    op = life.run(accepted(adopt(client, listed(client, life)[name], life, **body)).id)
    assert op.state == "COMPLETED", life.story(op)
    assert op.instance is not None
    return VnfInstance.objects.get(id=op.instance_uuid)


def test_an_unmanaged_stack_becomes_an_instance_without_any_change(
    lifecycle: Lifecycle, operator_api: APIClient
) -> None:
    stack_id = by_hand(lifecycle, "handmade")
    watch_twice(lifecycle)
    item = listed(operator_api, lifecycle)["handmade"]
    assert (item["ours"], item["adoptableBy"]) == (False, [str(lifecycle.package.vnfd_id)])
    before, stack_before = servers(lifecycle), lifecycle.cloud.stacks.show(stack_id)
    seen = {server.id: server for server in lifecycle.cloud.servers.list()}

    instance = adopted(operator_api, lifecycle, "handmade", vnfInstanceName="mine")
    assert servers(lifecycle) == before
    assert lifecycle.cloud.stacks.show(stack_id) == stack_before
    assert {server.id: server for server in lifecycle.cloud.servers.list()} == seen
    assert (instance.name, instance.instantiation_state, instance.stack_id) == ("mine", "INSTANTIATED", stack_id)
    assert {v.slot: v.server_id for v in instance.vnfcs.all()} == before
    assert set(before) == {"A", "B", "3", "4"}
    assert instance.scale_levels == {"data-path": 1}
    assert instance.settings["fabric_mtu"] == 1500
    assert instance.settings["control_flavor"] == "m1.tiny"
    assert instance.settings["anti_affinity"] is False
    assert "management_cidr" not in instance.settings, "a default is no choice"
    assert {link.vl_id: link.created_by_stack for link in instance.virtual_links.all()} == dict.fromkeys(
        ("management", "fabric", "data1", "data2"), True
    )
    watch_twice(lifecycle)
    assert listed(operator_api, lifecycle) == {}
    assert operator_api.get(f"/api/v1/vnf_instances/{instance.id}/drift").json()["inSync"] is True


def test_an_adopted_stack_scales_without_touching_running_servers(
    lifecycle: Lifecycle, operator_api: APIClient
) -> None:
    by_hand(lifecycle, "handmade")
    watch_twice(lifecycle)
    instance = adopted(operator_api, lifecycle, "handmade", vnfInstanceName="mine")
    before = servers(lifecycle)
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    after = servers(lifecycle)
    assert before.items() <= after.items(), "a server was replaced"
    assert after.keys() - before.keys() == {"1"}, "the lowest free slot"
    names = {server.name for server in lifecycle.cloud.servers.list()}
    assert names == {"handmade-cpm-a", "handmade-cpm-b", "handmade-iom-1", "handmade-iom-3", "handmade-iom-4"}
    assert "vnfm" in lifecycle.cloud.stacks.status(instance.stack_id).tags, "from now on it carries our tag"
    lifecycle.done(instance, Operation.SCALE, SCALE_IN)
    assert servers(lifecycle).items() <= after.items()
    assert {v.slot: v.server_id for v in instance.vnfcs.all()} == servers(lifecycle)
    watch(lifecycle)
    assert operator_api.get(f"/api/v1/vnf_instances/{instance.id}/drift").json()["inSync"] is True
    lifecycle.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
    assert lifecycle.cloud.stacks.list() == []


def test_an_adopted_vnfc_is_healed_without_touching_running_servers(
    lifecycle: Lifecycle, operator_api: APIClient, cloudsim: Any
) -> None:
    by_hand(lifecycle, "handmade")
    watch_twice(lifecycle)
    instance = adopted(operator_api, lifecycle, "handmade", vnfInstanceName="mine")
    before = servers(lifecycle)
    cloudsim.control("POST", f"/servers/{before['3']}/delete")
    watch(lifecycle)
    lifecycle.done(instance, Operation.HEAL, {})
    after = servers(lifecycle)
    assert after.keys() == before.keys()
    assert {slot for slot in after if after[slot] != before[slot]} == {"3"}
    watch(lifecycle)
    assert operator_api.get(f"/api/v1/vnf_instances/{instance.id}/drift").json()["inSync"] is True


def test_existing_and_created_networks_are_distinguished(lifecycle: Lifecycle, operator_api: APIClient) -> None:
    network = {
        "heat_template_version": "2015-10-15",
        "resources": {
            "net": {"type": "OS::Neutron::Net", "properties": {"name": "plant"}},
            "subnet": {
                "type": "OS::Neutron::Subnet",
                "properties": {"network": {"get_resource": "net"}, "cidr": "172.16.9.0/24", "enable_dhcp": False},
            },
        },
    }
    stack(lifecycle, "plant", template=network)
    bundle = catalog.hot_bundle(package=lifecycle.package)
    bundle.environment["resource_registry"]["VSR::Data1Network"] = "fragments/vl_existing.yaml"
    registry = {**bundle.environment["resource_registry"], "VSR::ControlPlacement": "fragments/placement_any.yaml"}
    image = lifecycle.cloud.images.find("tiny")
    assert image is not None
    given = {"image": image.id, "control_flavor": "m1.tiny", "data_path_flavor": "m1.tiny", "anti_affinity": False}
    given |= {"data1_network": "plant", "data_vnic_type": "normal"}
    stack_id = lifecycle.cloud.stacks.create(
        "handmade", StackInput(bundle.template, {"resource_registry": registry}, given, bundle.files)
    )
    until(lambda: lifecycle.cloud.stacks.status(stack_id).status == "CREATE_COMPLETE", "the stack")
    op = direct(lifecycle, stack_id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    instance = VnfInstance.objects.get(id=op.instance_uuid)
    links = {link.vl_id: (link.created_by_stack, link.name) for link in instance.virtual_links.all()}
    assert links["data1"] == (False, "plant")
    assert links["data2"][0] is True
    before = servers(lifecycle)
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    assert before.items() <= servers(lifecycle).items(), "a port was replaced, and its server with it"


def test_a_stack_that_is_something_else_is_refused_with_every_missing_piece(
    lifecycle: Lifecycle, operator_api: APIClient
) -> None:
    stack(lifecycle, "other")
    watch_twice(lifecycle)
    item = listed(operator_api, lifecycle)["other"]
    assert item["adoptableBy"] == []
    op = lifecycle.run(accepted(adopt(operator_api, item, lifecycle)).id)
    assert op.state == "ROLLED_BACK"
    assert op.problem is not None
    assert {error["field"] for error in op.problem["errors"]} == {"/additionalParams/adoptStack"}
    for piece in ("cpm_a", "cpm_b", "cpm_a_fabric_port", "data_path", "VSR::FabricNetwork", "VSR::ControlPlacement"):
        assert piece in op.problem["detail"]
    watch_twice(lifecycle)
    assert set(listed(operator_api, lifecycle)) == {"other"}


def test_invalid_adoptions_are_refused_at_once(lifecycle: Lifecycle, operator_api: APIClient) -> None:
    stack(lifecycle, "other")
    watch_twice(lifecycle)
    item = listed(operator_api, lifecycle)["other"]
    answer = adopt(operator_api, item, lifecycle, additionalParams={"fabric_mtu": 1500})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "/additionalParams/fabric_mtu")
    assert adopt(operator_api, item, lifecycle, vnfdId=str(uuid4())).status_code == 404
    assert adopt(operator_api, {"id": str(uuid4())}, lifecycle).status_code == 404
    assert VnfInstance.objects.count() == 0, "a refusal leaves no identifier behind"
    accepted(adopt(operator_api, item, lifecycle))
    again = adopt(operator_api, item, lifecycle)
    assert (again.status_code, again.json()["code"]) == (409, "CLAIMED")


def test_hidden_settings_are_required_and_sealed(lifecycle: Lifecycle, operator_api: APIClient) -> None:
    def hide(hot: Any) -> None:
        hot["parameters"]["license_file"]["hidden"] = True

    files = edited("base.yaml", hide)
    files = edited("vnfd.yaml", lambda data: data.update(vnfdId=str(uuid4())), files)
    lifecycle.package = onboarded(zipped(files))
    by_hand(lifecycle, "handmade", license_file="cf3:/secret.txt")
    watch_twice(lifecycle)
    item = listed(operator_api, lifecycle)["handmade"]
    answer = adopt(operator_api, item, lifecycle)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "/additionalParams/license_file")
    before = servers(lifecycle)
    instance = adopted(operator_api, lifecycle, "handmade", additionalParams={"license_file": "cf3:/secret.txt"})
    assert "secret" not in str(StackSnapshot.objects.get(instance=instance).parameters)
    assert "secret" not in str(LcmOpOcc.objects.get().params)
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    assert before.items() <= servers(lifecycle).items()
    exported = operator_api.post(
        f"/api/v1/vnf_instances/{instance.id}/forget", {"confirm": instance.name}, format="json"
    ).json()
    assert exported["environment"]["parameters"]["license_file"] == "******"


def onboarded(content: bytes) -> VnfPackage:
    package = package_create(user_defined_data={})
    package_onboard(package_id=package.id, source=BytesIO(content))
    return VnfPackage.objects.get(id=package.id)


def test_a_different_template_is_a_warning(lifecycle: Lifecycle) -> None:
    def change(hot: Any) -> None:
        hot["resources"]["probe"] = {"type": "OS::Heat::RandomString"}
        hot["resources"]["fabric_vl"]["properties"]["gateway"] = "172.16.255.1"

    files = edited("base.yaml", change)
    files = edited("vnfd.yaml", lambda data: data.update(vnfdId=str(uuid4())), files)
    other = onboarded(zipped(files))
    op = direct(lifecycle, by_hand(lifecycle, "handmade", package=other))
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert op.plan is not None
    warnings = " ".join(op.plan["warnings"])
    assert "does not have probe: the next stack update deletes that" in warnings
    assert "fabric_vl" in warnings
    assert "By its own preview Heat would delete probe" in warnings


def test_the_rollback_of_an_adoption_only_forgets(
    lifecycle: Lifecycle, operator_api: APIClient, break_cloud: Any
) -> None:
    stack_id = by_hand(lifecycle, "handmade")
    before = servers(lifecycle)
    watch_twice(lifecycle)
    op = accepted(adopt(operator_api, listed(operator_api, lifecycle)["handmade"], lifecycle))
    break_cloud("networks.ports", Rejected("sabotage", service="neutron", http_status=400), after=False)
    op = lifecycle.run(op.id)
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    op = lifecycle.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    instance = VnfInstance.objects.get(id=op.instance_uuid)
    assert (instance.stack_id, instance.vim, instance.member_slots) == ("", None, {})
    assert not instance.vnfcs.exists()
    assert not StackSnapshot.objects.exists()
    assert lifecycle.cloud.stacks.status(stack_id).status == "CREATE_COMPLETE"
    assert servers(lifecycle) == before
    watch_twice(lifecycle)
    assert set(listed(operator_api, lifecycle)) == {"handmade"}
    request = lifecycle.instantiate_request(adoptStack=stack_id)
    lifecycle.done(instance, Operation.INSTANTIATE, request)
    assert servers(lifecycle) == before


def test_a_stack_that_is_managed_or_changing_or_gone_cannot_be_adopted(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    op = direct(lifecycle, instance.stack_id)
    assert op.state == "ROLLED_BACK"
    assert op.problem is not None
    assert instance.name in op.problem["detail"]
    op = direct(lifecycle, str(uuid4()))
    assert op.state == "ROLLED_BACK"
    assert op.problem is not None
    assert "Heat has no stack" in op.problem["detail"]
    instance.refresh_from_db()
    assert instance.instantiation_state == "INSTANTIATED"


def test_a_stack_whose_server_is_gone_is_refused_by_name(lifecycle: Lifecycle, cloudsim: Any) -> None:
    stack_id = by_hand(lifecycle, "handmade")
    lost = servers(lifecycle)["B"]
    cloudsim.control("POST", f"/servers/{lost}/delete")
    op = direct(lifecycle, stack_id)
    assert op.state == "ROLLED_BACK"
    assert op.problem is not None
    assert f"Nova no longer has the server of cpm_b ({lost})" in op.problem["detail"]


def test_a_forgotten_stack_can_be_adopted_again(lifecycle: Lifecycle, operator_api: APIClient) -> None:
    instance = lifecycle.instantiated(fabric_mtu=1500)
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT | {"numberOfSteps": 2})
    lifecycle.done(instance, Operation.SCALE, SCALE_IN)
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    rosters, settings, before = instance.member_slots, instance.settings, servers(lifecycle)
    stack_name, path = instance.stack_name, f"/api/v1/vnf_instances/{instance.id}/forget"
    answer = operator_api.post(path, {"confirm": "another"}, format="json")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "/confirm")
    exported = operator_api.post(path, {"confirm": instance.name}, format="json")
    assert exported.status_code == 200, exported.json()
    body = exported.json()
    assert {item["id"] for item in body["resources"] if item["type"] == "OS::Nova::Server"} == set(before.values())
    assert body["environment"]["parameters"]["fabric_mtu"] == 1500
    assert "nested/data_path.yaml" in body["files"]
    assert body["template"].startswith("heat_template_version")
    instance.refresh_from_db()
    assert (instance.instantiation_state, instance.stack_id) == ("NOT_INSTANTIATED", "")
    again = operator_api.post(path, {"confirm": instance.name}, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "WRONG_STATE")
    assert servers(lifecycle) == before, "what exists stays"

    watch_twice(lifecycle)
    found = listed(operator_api, lifecycle)
    assert set(found) == {stack_name}, "its servers go with it, its image is still known"
    assert (found[stack_name]["ours"], found[stack_name]["vnfInstanceId"]) == (True, str(instance.id))
    heir = adopted(operator_api, lifecycle, stack_name)
    assert heir.name == stack_name
    assert {vdu: roster["slots"] for vdu, roster in heir.member_slots.items()} == {
        vdu: roster["slots"] for vdu, roster in rosters.items()
    }
    assert settings.items() <= heir.settings.items()
    lifecycle.done(heir, Operation.SCALE, SCALE_OUT)
    assert before.items() <= servers(lifecycle).items(), "a server was replaced"
    assert UUID(str(heir.id)) != instance.id
