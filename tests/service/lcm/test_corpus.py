"""The corpus lives: each entry that can be placed is instantiated, healed, scaled, terminated, and leaves nothing."""

from typing import Any

import pytest
from django.db.models import QuerySet

from tests.factories.catalog import onboarded
from tests.factories.corpus import CorpusEntry, corpus
from tests.factories.packages import zipped
from tests.service.lcm.lifecycle import Lifecycle
from vnfm.catalog.selectors import vnfd_of
from vnfm.clouds import registry
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation
from vnfm.vims.reconcilers.probe import probe_vim

pytestmark = pytest.mark.django_db(transaction=True)


SAMPLE = ("hot-old-names", "hot-index-var", "hot-lists")


def placed() -> list[Any]:
    """Each stand-in once; of the plain templates a sample in the normal run."""
    entries = {entry.folder.name: entry for entry in corpus() if entry.deployed == "yes"}
    return [
        pytest.param(entry, id=name, marks=pytest.mark.long if entry.stand_in and name not in SAMPLE else ())
        for name, entry in entries.items()
    ]


def vnfcs(instance: VnfInstance) -> QuerySet[Vnfc]:
    return Vnfc.objects.filter(instance=instance)


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


@pytest.mark.parametrize("entry", placed())
def test_an_entry_lives(lifecycle: Lifecycle, entry: CorpusEntry) -> None:
    probe_vim(lifecycle.vim.id, registry.provider(), clock.now())
    lifecycle.vim.refresh_from_db()
    lifecycle.package = onboarded(zipped(entry.files()))
    vnfd = vnfd_of(lifecycle.package)
    flavour = vnfd.flavours[0]
    instance = lifecycle.create("corpus")
    request = {**lifecycle.instantiate_request(**entry.settings), "flavourId": flavour.id}
    request["instantiationLevelId"] = flavour.default_level
    lifecycle.done(instance, Operation.INSTANTIATE, request)
    before = vnfcs(instance).count()
    assert before == len(lifecycle.cloud.servers.list()) > 0
    ports = {vdu.id: len(vdu.connection_points) for vdu in vnfd.vdus}
    assert all(vnfc.ports.count() == ports[vnfc.vdu_id] for vnfc in vnfcs(instance))
    one = vnfcs(instance).order_by("vdu_id", "slot")[0]
    recreate = {"cause": "test", "vnfcInstanceId": [str(one.id)], "additionalParams": {"method": "recreate"}}
    lifecycle.done(instance, Operation.HEAL, recreate)
    assert one.server_id not in {vnfc.server_id for vnfc in vnfcs(instance)}
    for aspect in flavour.aspects:
        step = {"aspectId": aspect.id, "numberOfSteps": 1}
        if dict(flavour.level(flavour.default_level).scale_levels)[aspect.id] < aspect.max_scale_level:
            lifecycle.done(instance, Operation.SCALE, {**step, "type": "SCALE_OUT"})
            assert vnfcs(instance).count() == before + aspect.step
            lifecycle.done(instance, Operation.SCALE, {**step, "type": "SCALE_IN"})
        assert vnfcs(instance).count() == before
    lifecycle.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
    assert lifecycle.cloud.servers.list() == []
    assert lifecycle.cloud.stacks.list() == []
