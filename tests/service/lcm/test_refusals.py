"""Only the cloud can know these, which are refused in the plan, with the cloud's words, before anything is touched."""

from typing import TYPE_CHECKING

import pytest

from tests.service.lcm.refusals import preview, refused

if TYPE_CHECKING:
    from tests.service.lcm.lifecycle import Lifecycle
    from tests.support.cloudsim_process import CloudsimProcess

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_plan_shows_new_resources_and_creates_none(lifecycle: "Lifecycle") -> None:
    plan = preview(lifecycle)
    assert plan.state == "READY", plan.problem
    made = {(r["type"], r["action"]) for r in plan.result["resources"]}
    assert ("vnfc", "create") in made
    assert ("OS::Nova::Server", "create") in made, "Heat's own preview is behind it"
    assert lifecycle.cloud.stacks.list() == []
    assert lifecycle.images() == []


def test_an_unknown_flavor_is_refused_at_its_field(lifecycle: "Lifecycle") -> None:
    plan = preview(lifecycle, control_flavor="no-such-flavor")
    assert plan.state == "FAILED"
    assert plan.problem["errors"][0]["field"] == "/additionalParams/control_flavor"
    op = refused(lifecycle, control_flavor="no-such-flavor")
    assert "no-such-flavor" in op.problem["detail"]


def test_an_unknown_network_is_refused_at_its_field(lifecycle: "Lifecycle") -> None:
    op = refused(lifecycle, fabric_network="nowhere")
    assert op.problem["errors"][0]["field"] == "/additionalParams/fabric_network"


def test_a_quota_that_is_too_small_is_reported_before_any_change(
    lifecycle: "Lifecycle", cloudsim: "CloudsimProcess"
) -> None:
    cloudsim.control("PUT", "/quotas/vnf", {"compute": {"instances": 2}})
    try:
        op = refused(lifecycle)
    finally:
        cloudsim.control("PUT", "/quotas/vnf", {"compute": {"instances": -1}})
    assert op.problem["code"] == "QUOTA_EXCEEDED"
    assert "instances" in op.problem["detail"]


def test_no_valid_host_ends_in_novas_own_words(lifecycle: "Lifecycle") -> None:
    from vnfm.lcm.domain.states import Operation

    instance = lifecycle.create("no-valid-host-1")
    op = lifecycle.run(lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request()).id)
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    words = " ".join(cause["message"] for cause in op.problem["causes"])
    assert "No valid host" in words
    assert op.problem["nextStep"]
    assert lifecycle.handle(op, "rollback").state == "ROLLED_BACK"
    assert lifecycle.stacks_of(instance) == []


OWN_NETWORK = """heat_template_version: 2015-10-15
resources:
  inside: {type: OS::Neutron::Net}
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: inside}, cidr: 10.8.0.0/24}}
  one:
    type: OS::Nova::Server
    depends_on: subnet
    properties: {flavor: m1.tiny, image: tiny, networks: [{network: {get_resource: inside}}]}
  two:
    type: OS::Nova::Server
    depends_on: subnet
    properties: {flavor: m1.tiny, image: tiny, networks: [{network: {get_resource: inside}}]}
"""


def test_a_derived_package_counts_the_ports_and_networks_of_its_templates(lifecycle: "Lifecycle") -> None:
    from tests.factories.catalog import onboarded
    from tests.factories.packages import zipped

    lifecycle.package = onboarded(zipped({"base.yaml": OWN_NETWORK}))
    plan = preview(lifecycle)
    assert plan.state == "READY", plan.problem
    quota = {row["resource"]: row["needed"] for row in plan.result["quota"]}
    assert (quota["instances"], quota["ports"], quota["networks"]) == (2, 2, 1)
