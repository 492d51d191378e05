"""Plain Heat templates onboarded as they are: what is derived from them deploys, scales and ends like any package."""

import openstack.config
import pytest
from openstack.connection import Connection

from tests.factories.catalog import onboarded
from tests.factories.networks import make_network
from tests.factories.packages import zipped
from tests.factories.templates import fixture_files
from tests.service.lcm.lifecycle import Lifecycle
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.inventory.models import Vnfc
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.states import Operation

pytestmark = pytest.mark.django_db(transaction=True)


def vnfcs(instance):
    return sorted((v.vdu_id, v.slot) for v in Vnfc.objects.filter(instance=instance))


def attached(life, instance):
    """Port counts by VDU and slot, as they were recorded."""
    return {(v.vdu_id, v.slot): len(v.ports.all()) for v in Vnfc.objects.filter(instance=instance)}


def test_a_base_template_with_environment_and_manifest(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    lifecycle.package = onboarded(zipped(fixture_files("vcpe")))
    instance = lifecycle.create("cpe-1")
    with pytest.raises(ProblemError) as refused:
        lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    assert {error.field for error in refused.value.problem.errors} == {
        "/additionalParams/vcpe_image_name",
        "/additionalParams/public_net_id",
        "/additionalParams/mux_gw_private_net_id",
    }, "what the environment only holds the place of is asked for"
    config = openstack.config.OpenStackConfig(config_files=[str(cloudsim.clouds_yaml)])
    make_network(Connection(config=config.get_one("cloudsim")), "mux", "10.5.0.0/24")
    chosen = {"vcpe_image_name": "tiny", "public_net_id": "public", "mux_gw_private_net_id": "mux"}
    lifecycle.done(instance, Operation.INSTANTIATE, lifecycle.instantiate_request(**chosen))
    assert vnfcs(instance) == [("vgw_0", "1")]
    (server,) = lifecycle.cloud.servers.list()
    assert (server.name, server.metadata["vnf_id"]) == ("zdcpe1cpe01vgw01", str(instance.id))
    assert attached(lifecycle, instance) == {("vgw_0", "1"): 3}
    lifecycle.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
    assert lifecycle.cloud.servers.list() == []


def test_values_of_the_environment_are_enough(lifecycle: Lifecycle) -> None:
    lifecycle.package = onboarded(zipped(fixture_files("vfw")))
    instance = lifecycle.instantiated()
    assert vnfcs(instance) == [("vfw_0", "1"), ("vsn_0", "1")]
    names = {server.name for server in lifecycle.cloud.servers.list()}
    assert names == {f"{instance.name}-fw", f"{instance.name}-sink"}


def test_a_group_scales_out_in_and_out_again(lifecycle: Lifecycle) -> None:
    lifecycle.package = onboarded(zipped(fixture_files("scaling")))
    chosen = {"image": "tiny", "control_flavor": "m1.tiny", "card_flavor": "m1.tiny", "uplink": "public"}
    instance = lifecycle.instantiated(**chosen)
    cards = [("line_cards", str(number)) for number in (1, 2, 3)]
    assert vnfcs(instance) == [("control", "1"), *cards[:2]]
    one = {"aspectId": "line_cards", "numberOfSteps": 1}
    lifecycle.done(instance, Operation.SCALE, {**one, "type": "SCALE_OUT"})
    assert vnfcs(instance) == [("control", "1"), *cards]
    named = {**one, "type": "SCALE_IN", "additionalParams": {"vnfcToRemove": ["line_cards/1"]}}
    with pytest.raises(ProblemError, match="which VNFC of line_cards goes"):
        lifecycle.start(instance, Operation.SCALE, named)
    kept = {v.server_id for v in Vnfc.objects.filter(instance=instance, vdu_id="line_cards", slot__in=["1", "2"])}
    lifecycle.done(instance, Operation.SCALE, {**one, "type": "SCALE_IN"})
    assert vnfcs(instance) == [("control", "1"), *cards[:2]]
    lifecycle.done(instance, Operation.SCALE, {**one, "type": "SCALE_OUT"})
    assert vnfcs(instance) == [("control", "1"), *cards], "Heat gives the index again, and so does the roster"
    assert kept < {v.server_id for v in Vnfc.objects.filter(instance=instance, vdu_id="line_cards")}
    assert set(attached(lifecycle, instance).values()) == {1, 2}
    lifecycle.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})


def test_layers_of_provider_templates(lifecycle: Lifecycle) -> None:
    """Images and flavors are parameters of templates below the root alone, which the environment sets for all."""
    lifecycle.package = onboarded(zipped(fixture_files("vmx")))
    instance = lifecycle.instantiated(vcp_flavor="m1.medium", vfp_flavor="m1.medium")
    assert vnfcs(instance) == [("fpc_vm", "1"), ("re_vm", "1")]
    medium = lifecycle.cloud.flavors.find("m1.medium")
    assert medium is not None
    assert {server.flavor for server in lifecycle.cloud.servers.list()} <= {medium.id, medium.name}
    assert attached(lifecycle, instance) == {("fpc_vm", "1"): 2, ("re_vm", "1"): 2}
    lifecycle.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
