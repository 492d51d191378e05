"""kill -9 of the worker in the middle of running instantiations: they go on, and nothing is made twice."""

from collections.abc import Iterator
from pathlib import Path

import openstack
import pytest

from tests.installation import Product, until

COUNT = 10

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with Product(Path(tmp_path_factory.mktemp("product"))) as running:
        yield running


def test_ten_instantiations_survive_their_worker(product: Product) -> None:
    vim, vnfd = product.vim_id(), product.vnfd_id()
    ids = [product.create(f"chaos-{number}", vnfd) for number in range(COUNT)]
    locations = [product.instantiate(instance, vim) for instance in ids]

    def half_way() -> bool | None:
        states = [product.get(location)["operationState"] for location in locations]
        return True if states.count("PROCESSING") >= COUNT // 2 else None

    until(half_way, 60, "most operations are being processed")
    killed = product.kill("worker")
    ends = [product.over(location) for location in locations]
    assert [op["operationState"] for op in ends] == ["COMPLETED"] * COUNT, ends
    worker = product.status()["services"]["worker"]
    assert worker["pid"] != killed
    assert worker["restarts"] >= 1

    status = product.status()
    config = openstack.config.OpenStackConfig(config_files=[status["clouds_yaml"]])
    cloud = openstack.connection.Connection(config=config.get_one(status["cloud"]))
    stacks = [stack.name for stack in cloud.orchestration.stacks()]
    assert len(stacks) == COUNT, stacks
    servers = [server.metadata["vnf_instance"] for server in cloud.compute.servers()]
    assert sorted(servers) == sorted(ids * 3)
