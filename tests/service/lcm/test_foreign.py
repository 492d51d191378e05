"""Templates as strangers write them: what is fixed in them stays, and all else of their life is the manager's."""

from typing import Any

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import zipped
from tests.factories.templates import HOT
from tests.service.lcm.lifecycle import Lifecycle
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.inventory.models import Vnfc
from vnfm.lcm.domain.states import Operation

pytestmark = pytest.mark.django_db(transaction=True)

FIXED = (
    HOT
    + """
resources:
  port: {type: OS::Neutron::Port, properties: {network: public}}
  router:
    type: OS::Nova::Server
    properties: {flavor: m1.tiny, image: tiny, networks: [{port: {get_resource: port}}]}
  probe:
    type: OS::Nova::Server
    properties: {flavor: {list_join: [., [m1, tiny]]}, image: tiny, networks: [{network: public}]}
"""
)
NODE = (
    HOT
    + """
parameters: {image: {type: string}}
resources:
  port: {type: OS::Neutron::Port, properties: {network: public}}
  vm:
    type: OS::Nova::Server
    properties: {flavor: m1.tiny, image: {get_param: image}, networks: [{port: {get_resource: port}}]}
"""
)
SCALED = (
    HOT
    + """
parameters: {image: {type: string}}
resources:
  web:
    type: OS::Heat::AutoScalingGroup
    properties:
      min_size: 1
      max_size: 3
      desired_capacity: 2
      resource: {type: node.yaml, properties: {image: {get_param: image}}}
"""
)


def vnfcs(instance):
    return sorted((v.vdu_id, v.slot) for v in Vnfc.objects.filter(instance=instance))


def heal(life, instance, vdu):
    """Recreate one VNFC; returns the ids of its server before and after."""
    before = Vnfc.objects.get(instance=instance, vdu_id=vdu, slot="1")
    request = {"cause": "test", "vnfcInstanceId": [str(before.id)], "additionalParams": {"method": "recreate"}}
    life.done(instance, Operation.HEAL, request)
    return before.server_id, Vnfc.objects.get(instance=instance, vdu_id=vdu, slot="1").server_id


def terminate(life, instance):
    life.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
    assert life.cloud.servers.list() == []
    assert life.cloud.stacks.list() == []


def test_fixed_values_of_the_template_stay(lifecycle: Lifecycle) -> None:
    lifecycle.package = onboarded(zipped({"base.yaml": FIXED}))
    instance = lifecycle.instantiated()
    assert vnfcs(instance) == [("probe", "1"), ("router", "1")]
    before, after = heal(lifecycle, instance, "router")
    assert before != after
    terminate(lifecycle, instance)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("m1.tiny", "huge", "The template gives Router the flavor 'huge' itself, and this cloud has none such."),
        (
            "{network: public}}\n  router",
            "{network: nowhere}}\n  router",
            "which is no network that this project may use",
        ),
    ],
)
def test_a_resource_that_the_cloud_lacks_is_an_error_before_the_start(
    lifecycle: Lifecycle, old: str, new: str, words: str
) -> None:
    assert old in FIXED
    lifecycle.package = onboarded(zipped({"base.yaml": FIXED.replace(old, new)}))
    instance = lifecycle.create("one")
    op = lifecycle.run(lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request()).id)
    assert (op.state, words in str(op.problem)) == ("ROLLED_BACK", True), lifecycle.story(op)
    assert lifecycle.stacks_of(instance) == []


def test_a_group_that_heat_would_scale(lifecycle: Lifecycle) -> None:
    lifecycle.package = onboarded(zipped({"base.yaml": SCALED, "node.yaml": NODE}))
    instance = lifecycle.instantiated(image="tiny")
    assert vnfcs(instance) == [("web", "1"), ("web", "2")]
    one = {"aspectId": "web", "numberOfSteps": 1}
    lifecycle.done(instance, Operation.SCALE, {**one, "type": "SCALE_OUT"})
    named = {**one, "type": "SCALE_IN", "additionalParams": {"vnfcToRemove": ["web/1"]}}
    lifecycle.done(instance, Operation.SCALE, named)
    assert vnfcs(instance) == [("web", "2"), ("web", "3")]
    terminate(lifecycle, instance)


BOOTED = (
    HOT
    + """
parameters: {image: {type: string}, flavor: {type: string}}
resources:
  disk: {type: OS::Cinder::Volume, properties: {image: {get_param: image}, size: 3}}
  vm:
    type: OS::Nova::Server
    properties:
      flavor: {get_param: flavor}
      block_device_mapping_v2: [{boot_index: 0, volume_id: {get_resource: disk}}]
      networks: [{network: public}]
"""
)


def test_volumes_are_counted_against_the_quota(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    lifecycle.package = onboarded(zipped({"base.yaml": BOOTED}))
    request = lifecycle.instantiate_request(image="tiny", flavor="m1.tiny")
    cloudsim.control("PUT", f"/quotas/{lifecycle.vim.project_name}", {"volume": {"volumes": 10, "gigabytes": 2}})
    op = lifecycle.run(lifecycle.start(lifecycle.create("one"), Operation.INSTANTIATE, request).id)
    assert (op.state, "gigabytes" in str(op.problem)) == ("ROLLED_BACK", True), lifecycle.story(op)
    cloudsim.control("PUT", f"/quotas/{lifecycle.vim.project_name}", {"volume": {"volumes": 1, "gigabytes": 3}})
    instance = lifecycle.create("two")
    op = lifecycle.done(instance, Operation.INSTANTIATE, request)
    quota = {row["resource"]: row["needed"] for row in op.plan["quota"]}
    assert (quota["volumes"], quota["gigabytes"]) == (1, 3)
    before, after = heal(lifecycle, instance, "vm")
    assert before != after, "another server boots from the same volume"
    terminate(lifecycle, instance)


@pytest.mark.parametrize(
    ("right", "params", "words"),
    [(False, {}, "may create none"), (True, {"createFlavors": False}, "the request allows no creation")],
    ids=["no right", "declined"],
)
def test_a_flavor_of_the_stack_needs_right_and_consent(
    lifecycle: Lifecycle, right: bool, params: dict[str, Any], words: str
) -> None:
    own = "resources:\n  big: {type: OS::Nova::Flavor, properties: {vcpus: 1, ram: 512, disk: 1}}"
    text = FIXED.replace("resources:", own).replace("flavor: m1.tiny", "flavor: {get_resource: big}")
    lifecycle.package = onboarded(zipped({"base.yaml": text}))
    lifecycle.vim.capabilities = {**lifecycle.vim.capabilities, "flavor_create": right}
    lifecycle.vim.save()
    request = lifecycle.instantiate_request(**params)
    op = lifecycle.run(lifecycle.start(lifecycle.create("one"), Operation.INSTANTIATE, request).id)
    assert (op.state, words in str(op.problem)) == ("ROLLED_BACK", True), lifecycle.story(op)
