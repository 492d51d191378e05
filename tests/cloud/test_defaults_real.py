"""On a real OpenStack: every package by the plainest request at its smallest level, with an administrator's help where
the plan says which flavors are missing.
"""

import os
import shlex
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import openstack
import pytest
from openstack.connection import Connection

from tests.factories.catalog import onboarded
from tests.factories.packages import shipped_folders, shipped_zip
from tests.service.lcm.full_lifecycle import leaving_nothing, swept
from tests.service.lcm.heals import took
from tests.service.lcm.lifecycle import Lifecycle
from vnfm.catalog.domain.vnfd import Flavour
from vnfm.catalog.selectors import vnfd_of
from vnfm.clouds import registry
from vnfm.clouds.openstack.compute import NovaFlavors
from vnfm.clouds.types import Flavor
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation
from vnfm.vims.models import Vim
from vnfm.vims.reconcilers.probe import probe_vim

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.real_cloud,
    pytest.mark.long,
    pytest.mark.timeout(1500),
]

FOLDERS = shipped_folders()


def connected(name: str) -> Connection:
    config = openstack.config.OpenStackConfig(config_files=[os.environ["VNFM_TEST_CLOUDS_YAML"]])
    return Connection(config=config.get_one(name))


def smallest_level(flavour: Flavour) -> str:
    return min(flavour.levels, key=lambda level: sum(level.scale_levels.values())).id


def as_administrator(flavors: NovaFlavors, command: str) -> str:
    """Do what the command says; the id of the flavor."""
    words = shlex.split(command)
    assert words[:3] == ["openstack", "flavor", "create"]
    pairs = list(zip(words[3:-1:2], words[4:-1:2], strict=True))
    size = {name: int(value) for name, value in pairs if name != "--property"}
    specs = dict(value.split("=", 1) for name, value in pairs if name == "--property")
    return flavors.create(Flavor("", words[-1], size["--vcpus"], size["--ram"], size["--disk"], specs))


@pytest.mark.parametrize("folder", FOLDERS, ids=["-".join(folder.parts[-3:]) for folder in FOLDERS])
def test_instantiate_and_terminate_on_defaults(
    real_vim: Vim, folder: Path, record_property: Callable[[str, Any], None], request: pytest.FixtureRequest
) -> None:
    cloud_name = os.environ["VNFM_TEST_CLOUD"]
    admin = NovaFlavors(connected(f"{cloud_name}-admin").compute, {})
    probe_vim(real_vim.id, registry.provider(), clock.now())
    real_vim.refresh_from_db()
    assert real_vim.capabilities["flavor_create"] is False
    life = Lifecycle(real_vim, onboarded(shipped_zip(folder)), patience=900)
    name = f"plain-{uuid4().hex[:8]}"
    body = {
        "flavourId": "default",
        "instantiationLevelId": smallest_level(vnfd_of(life.package).flavours[0]),
        "vimConnectionInfo": {"vim1": {"vimId": str(real_vim.id)}},
    }
    with swept(life), leaving_nothing(connected(cloud_name), name):
        instance = life.create(name)
        op = life.run(life.start(instance, Operation.INSTANTIATE, body).id)
        if op.state == "ROLLED_BACK":
            commands = [flavor["command"] for flavor in op.problem["missingFlavors"]]
            record_property("created by an administrator", commands)
            for command in commands:
                request.addfinalizer(partial(admin.delete, as_administrator(admin, command)))
            op = life.done(instance, Operation.INSTANTIATE, body)
        assert op.state == "COMPLETED", life.story(op)
        record_property("instantiate", took(op))
        record_property("VMs", instance.vnfcs.count())
        since = time.monotonic()
        life.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
        record_property("terminate", round(time.monotonic() - since, 1))
