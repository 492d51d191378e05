"""The corpus lives: each entry that can be placed is instantiated, healed, scaled, terminated, and leaves nothing."""

import pytest

from tests.factories.catalog import onboarded
from tests.factories.corpus import CorpusEntry, placed
from tests.factories.packages import zipped
from tests.service.lcm.corpus_life import corpus_life, lifecycle_of
from tests.service.lcm.lifecycle import Lifecycle
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.lcm.domain.states import Operation

pytestmark = pytest.mark.django_db(transaction=True)


def test_copies_of_files_from_urls_live(lifecycle: Lifecycle) -> None:
    """The root and the registry name URLs; Heat gets the copies under these names, and fetches nothing."""
    address, folder = "https://files.invalid/hot/node.yaml", "fetched/https/files.invalid"
    hot = "heat_template_version: 2015-10-15\n"
    node = hot + (
        "parameters: {image: {type: string}, flavor: {type: string}}\n"
        "resources:\n  port: {type: My::Port}\n  vm: {type: OS::Nova::Server, properties: {image: {get_param: image}, "
        "flavor: {get_param: flavor}, networks: [{port: {get_attr: [port, id]}}], user_data_format: RAW, "
        "user_data: {get_file: init.sh}}}\n"
    )
    root = hot + (
        "parameters: {image: {type: string}, flavor: {type: string}}\n"
        f"resources: {{node: {{type: '{address}', properties: "
        "{image: {get_param: image}, flavor: {get_param: flavor}}}}\n"
    )
    net = "resources: {net: {type: OS::Neutron::Net}, subnet: {type: OS::Neutron::Subnet, properties: "
    net += "{network: {get_resource: net}, cidr: 10.9.0.0/24}}, port: {type: OS::Neutron::Port, properties: "
    net += "{network: {get_resource: net}}}}\noutputs: {id: {value: {get_resource: port}}}\n"
    files = {
        "base.yaml": root,
        "base.env": "resource_registry:\n  base_url: https://files.invalid/types\n  Our::Port: port.yaml\n"
        "  'My::*': 'Our::*'\n",
        f"{folder}/hot/node.yaml": node,
        f"{folder}/hot/init.sh": "#!/bin/sh\n",
        f"{folder}/types/port.yaml": hot + net,
    }
    lifecycle.package = onboarded(zipped({path: text.encode() for path, text in files.items()}))
    instance = lifecycle.create("copies")
    request = {**lifecycle.instantiate_request(image="tiny", flavor="m1.tiny"), "flavourId": "default"}
    request["instantiationLevelId"] = "default"
    lifecycle.done(instance, Operation.INSTANTIATE, request)
    assert len(lifecycle.cloud.servers.list()) == 1
    lifecycle.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
    assert lifecycle.cloud.stacks.list() == []


@pytest.mark.parametrize("entry", placed("simulated"))
def test_an_entry_lives(lifecycle: Lifecycle, cloudsim: CloudsimProcess, entry: CorpusEntry) -> None:
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"} if entry.needs == "flavors" else {})
    corpus_life(lifecycle_of(entry, lifecycle.vim), entry)
    assert lifecycle.cloud.servers.list() == []
    assert lifecycle.cloud.stacks.list() == []
