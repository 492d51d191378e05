"""Every package in `catalog/` on the simulated Liberty cloud."""

from collections.abc import Callable
from os.path import normpath
from pathlib import Path
from typing import Any

import openstack
import pytest
from openstack.connection import Connection

from tests.factories.catalog import onboarded
from tests.factories.packages import VMG, shipped_folders, shipped_zip
from tests.service.lcm.full_lifecycle import leaving_nothing, small, whole_life
from tests.service.lcm.lifecycle import Lifecycle
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.waiting import until
from tests.support.yaml_text import load_yaml
from vnfm.catalog.selectors import hot_bundle, vnfd_of
from vnfm.clouds.ports import CloudProvider
from vnfm.clouds.types import StackInput
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation
from vnfm.vims.models import Vim
from vnfm.vims.reconcilers.probe import probe_vim

pytestmark = pytest.mark.django_db(transaction=True)

FOLDERS = shipped_folders()
Onboarding = Callable[[Path], Lifecycle]


@pytest.fixture
def life_with(vim: Vim, provider: CloudProvider, cloudsim: CloudsimProcess) -> Onboarding:
    """Operations on instances of one package, in a cloud that is empty at the start."""

    def onboard(folder: Path) -> Lifecycle:
        cloudsim.control("POST", "/reset")
        probe_vim(vim.id, provider, clock.now())
        vim.refresh_from_db()
        return Lifecycle(vim, onboarded(shipped_zip(folder)))

    return onboard


@pytest.fixture
def cloud(cloudsim: CloudsimProcess) -> Connection:
    config = openstack.config.OpenStackConfig(config_files=[str(cloudsim.clouds_yaml)])
    return Connection(config=config.get_one("cloudsim"))


@pytest.mark.matrix(2)
@pytest.mark.parametrize("folder", FOLDERS, ids=["-".join(folder.parts[-3:]) for folder in FOLDERS])
def test_package_instantiates_scales_heals_and_terminates(
    folder: Path, life_with: Onboarding, cloud: Connection
) -> None:
    life = life_with(folder)
    with leaving_nothing(cloud):
        whole_life(life, **small(vnfd_of(life.package)))


@pytest.mark.matrix(1)
@pytest.mark.parametrize("folder", FOLDERS, ids=["-".join(folder.parts[-3:]) for folder in FOLDERS])
def test_no_choice_is_needed_where_flavors_may_be_created(
    folder: Path, life_with: Onboarding, cloudsim: CloudsimProcess, provider: CloudProvider
) -> None:
    """With what each VDU needs, SR-IOV ports and hosts of their own."""
    life = life_with(folder)
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    probe_vim(life.vim.id, provider, clock.now())
    instance = life.instantiated()
    life.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})


ENVIRONMENTS = [file for folder in FOLDERS for file in sorted((folder / "environments").glob("*.env"))]


@pytest.mark.parametrize("file", ENVIRONMENTS, ids=["-".join(file.parts[-5:]) for file in ENVIRONMENTS])
def test_heat_alone_takes_every_environment(file: Path, life_with: Onboarding) -> None:
    """Create the stack as the `openstack` CLI does: without the manager, which sets what environments set."""
    life = life_with(file.parents[1])
    bundle, variant = hot_bundle(package=life.package), load_yaml(file.read_text())
    chosen = {
        kind: normpath(file.parent.name + "/" + path) for kind, path in variant.pop("resource_registry", {}).items()
    }
    registry = {**bundle.environment["resource_registry"], **chosen}
    images = {vdu.image_parameter: "tiny" for vdu in vnfd_of(life.package).vdus}
    parameters = {**small(vnfd_of(life.package)), **images, **variant.pop("parameters")}
    assert variant == {}
    given = StackInput(bundle.template, {"resource_registry": registry}, parameters, bundle.files)
    stack = life.cloud.stacks.create("by-hand", given)

    def created() -> bool:
        found = life.cloud.stacks.status(stack)
        assert not found.failed, found.status_reason
        return found.status == "CREATE_COMPLETE"

    until(created, "the stack")


def test_the_gateway_that_eantc_tested(
    life_with: Onboarding, cloudsim: CloudsimProcess, provider: CloudProvider
) -> None:
    """2 OAM, 6 LB and 10 MG VMs of 11 cores, the MGs as five groups (EANTC, February 2016)."""
    life = life_with(VMG)
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    probe_vim(life.vim.id, provider, clock.now())
    instance = life.create()
    request = {**life.instantiate_request(), "instantiationLevelId": "eantc"}
    life.done(instance, Operation.INSTANTIATE, request)
    slots: dict[str, dict[str, Any]] = {"oam": {}, "lb": {}, "mg": {}}
    flavors = {flavor.id: flavor for flavor in life.cloud.flavors.list()}
    for server in life.cloud.servers.list():
        assert flavors[server.flavor].vcpus == 11
        slots[server.metadata["vdu"]][server.metadata["slot"]] = server.metadata
    assert sorted(slots["oam"]) == ["A", "B"]
    assert sorted(map(int, slots["lb"])) == list(range(1, 7))
    assert sorted(map(int, slots["mg"])) == list(range(7, 17))
    for working in range(7, 17, 2):
        first, second = slots["mg"][str(working)], slots["mg"][str(working + 1)]
        assert (first["role"], first["mate"]) == ("working", str(working + 1))
        assert (second["role"], second["mate"]) == ("protect", str(working))
    life.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
