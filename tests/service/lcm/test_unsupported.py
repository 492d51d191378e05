"""A template that needs what the cloud's Heat lacks is refused by the plan, with file and line, before anything is
touched."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from openstack.config import OpenStackConfig
from openstack.connection import Connection

from tests.factories.catalog import onboarded
from tests.factories.networks import make_network
from tests.factories.packages import vsr_next, zipped
from tests.service.lcm.heals import gone, heal_request
from tests.service.lcm.refusals import preview, refused
from vnfm.clouds import registry
from vnfm.clouds.errors import Rejected
from vnfm.kit import clock
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.reconcilers.preview import compute_preview
from vnfm.lcm.services.plans import plan_request
from vnfm.vims.reconcilers.probe import probe_vim

if TYPE_CHECKING:
    from tests.service.lcm.lifecycle import Lifecycle
    from tests.support.cloudsim_process import CloudsimProcess

pytestmark = pytest.mark.django_db(transaction=True)


def trunk(hot: Any) -> None:
    hot["resources"]["extra"] = {"type": "OS::Neutron::Trunk", "properties": {"port": "p"}}


def newer(hot: Any) -> None:
    hot["heat_template_version"] = "2018-08-31"


def swift(hot: Any) -> None:
    hot["resources"]["extra"] = {"type": "OS::Swift::Container"}


def shared(hot: Any) -> None:
    hot["resources"]["extra"] = {"type": "OS::Neutron::Net", "properties": {"shared": True}}


WITHOUT_NETWORKS = """heat_template_version: 2015-10-15
resources: {vm: {type: OS::Nova::Server, properties: {flavor: m1.tiny, image: tiny}}}
"""
HEAT = "heat of cloudsim"


def findings(report: list[dict[str, Any]]) -> dict[str, str]:
    """Code to speaker."""
    return {finding["code"]: finding["speaker"] for finding in report}


@pytest.fixture
def probed(lifecycle: "Lifecycle") -> "Lifecycle":
    probe_vim(lifecycle.vim.id, registry.provider(), clock.now())
    lifecycle.vim.refresh_from_db()
    return lifecycle


@pytest.mark.parametrize(
    ("change", "code"),
    [(trunk, "TYPE_NEWER"), (newer, "HOT_VERSION_NEWER"), (swift, "TYPE_LACKING"), (shared, "NETWORK_FORBIDDEN")],
)
def test_liberty_lacks_it(probed: "Lifecycle", change: Callable[[Any], None], code: str) -> None:
    probed.package = onboarded(vsr_next(hot=change))
    plan = preview(probed)
    assert plan.state == "FAILED"
    op = refused(probed)
    for problem in (plan.problem, op.problem):
        assert problem["code"] == "TEMPLATE_UNSUPPORTED"
        assert problem["detail"].startswith("base.yaml, line ")
        assert [finding["code"] for finding in problem["validationReport"]] == [code]
    assert op.steps.count() == 0


def test_a_new_package_that_the_cloud_lacks_leaves_the_instance_as_it_is(probed: "Lifecycle") -> None:
    instance = probed.instantiated()
    before = probed.cloud.stacks.show(instance.stack_id)
    package = onboarded(vsr_next(hot=trunk))
    op = probed.run(probed.start(instance, Operation.CHANGE_VNFPKG, {"vnfdId": str(package.vnfd_id)}).id)
    assert (op.state, op.problem["code"]) == ("ROLLED_BACK", "TEMPLATE_UNSUPPORTED")
    assert op.steps.count() == 0
    assert probed.cloud.stacks.show(instance.stack_id) == before


def test_a_cloud_that_lost_a_type_refuses_the_update(probed: "Lifecycle") -> None:
    instance = probed.instantiated()
    vim = probed.vim
    vim.features = {**vim.features, "resource_types": ["OS::Nova::Server"]}
    vim.save(update_fields=["features"])
    scale = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}
    op = probed.run(probed.start(instance, Operation.SCALE, scale).id)
    assert (op.state, op.problem["code"]) == ("ROLLED_BACK", "TEMPLATE_UNSUPPORTED")


def test_nothing_is_refused_before_the_first_probe(lifecycle: "Lifecycle") -> None:
    plan = preview(lifecycle)
    assert plan.state == "READY", plan.problem
    assert findings(plan.result["findings"]) == {"CLOUD_UNKNOWN": "", "HEAT_VALIDATES": HEAT, "HEAT_PREVIEW": HEAT}
    words = next(f["message"] for f in plan.result["findings"] if f["code"] == "HEAT_PREVIEW")
    assert "3 OS::Nova::Server" in words


def test_the_plan_has_heats_own_errors(lifecycle: "Lifecycle") -> None:
    lifecycle.package = onboarded(vsr_next(hot=swift))
    plan = preview(lifecycle)
    assert plan.state == "FAILED"
    op = refused(lifecycle)
    for problem in (plan.problem, op.problem):
        assert problem["code"] == "VIM_REJECTED"
        assert findings(problem["validationReport"]) == {"HEAT_REFUSES": HEAT}
        assert problem["validationReport"][0]["line"]
        assert problem["detail"].startswith("base.yaml, line ")
        assert "OS::Swift::Container" in problem["causes"][0]["message"]
    assert op.steps.count() == 0


def test_unsupported_types_warn_with_a_stand_in_and_fail_without(
    lifecycle: "Lifecycle", break_cloud: Callable[..., Any]
) -> None:
    error = Rejected("The image is too large for the flavor.", service="heat", http_status=400)
    break_cloud("stacks.preview_create", error, after=False)
    plan = preview(lifecycle)
    assert plan.state == "READY", plan.problem
    assert {"HEAT_PREVIEW_REFUSED": HEAT}.items() <= findings(plan.result["findings"]).items()
    lifecycle.instantiated()
    break_cloud("stacks.preview_create", error, after=False)
    plan = preview(lifecycle)
    assert plan.state == "FAILED"
    assert plan.problem["code"] == "VIM_REJECTED"


def test_heat_validates_for_a_heal_that_may_replace(probed: "Lifecycle", cloudsim: "CloudsimProcess") -> None:
    instance = probed.instantiated()
    gone(probed, cloudsim, instance, "B")
    request = heal_request("B")
    plan = plan_request(
        request=parse_request(Operation.HEAL, request), vnfd_id=None, instance_id=instance.id, actor="test"
    )
    compute_preview(plan.id)
    plan.refresh_from_db()
    assert plan.state == "READY", plan.problem
    assert findings(plan.result["findings"]) == {"HEAT_VALIDATES": HEAT}


def test_a_server_without_networks_where_the_cloud_has_several(
    lifecycle: "Lifecycle", cloudsim: "CloudsimProcess"
) -> None:
    """With one, Nova takes it; with more it would refuse in the middle of the stack's creation."""
    lifecycle.package = onboarded(zipped({"base.yaml": WITHOUT_NETWORKS.encode()}))
    probe_vim(lifecycle.vim.id, registry.provider(), clock.now())
    assert preview(lifecycle).state == "READY"
    config = OpenStackConfig(config_files=[str(cloudsim.clouds_yaml)]).get_one("cloudsim")
    make_network(Connection(config=config), "second", "10.9.0.0/24")
    probe_vim(lifecycle.vim.id, registry.provider(), clock.now())
    problem = preview(lifecycle).problem
    assert (problem["code"], problem["detail"]) == (
        "TEMPLATE_UNSUPPORTED",
        (
            "base.yaml, line 2: vm names no networks, and Nova of cloud cloudsim does not choose among several: "
            "public, second. Name one under networks."
        ),
    )
