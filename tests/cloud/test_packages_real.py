"""Every package in `catalog/` on a real OpenStack: as small as can be, SR-IOV ports as those of virtual switches."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import openstack
import pytest
from openstack.connection import Connection

from tests.factories.catalog import onboarded
from tests.factories.packages import shipped_folders, shipped_zip
from tests.service.lcm.full_lifecycle import leaving_nothing, small, swept, whole_life, without_special_hosts
from tests.service.lcm.lifecycle import Lifecycle
from vnfm.catalog.selectors import vnfd_of
from vnfm.clouds import registry
from vnfm.kit import clock
from vnfm.vims.models import Vim
from vnfm.vims.reconcilers.probe import probe_vim

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.real_cloud,
    pytest.mark.long,
    pytest.mark.timeout(1500),
]

FOLDERS = shipped_folders()


@pytest.mark.parametrize("folder", FOLDERS, ids=["-".join(folder.parts[-3:]) for folder in FOLDERS])
def test_package_instantiates_scales_heals_and_terminates(
    real_vim: Vim, folder: Path, record_property: Callable[[str, Any], None]
) -> None:
    config = openstack.config.OpenStackConfig(config_files=[os.environ["VNFM_TEST_CLOUDS_YAML"]])
    cloud = Connection(config=config.get_one(os.environ["VNFM_TEST_CLOUD"]))
    probe_vim(real_vim.id, registry.provider(), clock.now())
    real_vim.refresh_from_db()
    life = Lifecycle(real_vim, onboarded(shipped_zip(folder)), patience=600)
    vnfd = vnfd_of(life.package)
    image = life.cloud.images.find("tiny")
    assert image is not None
    images = {vdu.image_parameter: image.id for vdu in vnfd.vdus}
    name = f"package-{uuid4().hex[:8]}"
    settings = {**small(vnfd), **without_special_hosts(vnfd), **images}
    with swept(life), leaving_nothing(cloud, name):
        for operation, seconds in whole_life(life, name, **settings).items():
            record_property(operation, seconds)
