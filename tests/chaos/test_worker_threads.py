"""A cloud that takes every call and answers none must not hold up the operations of another cloud.

It is the last file, since what it leaves in the installation would slow the others.
"""

from collections.abc import Iterator

import pytest
import yaml

from tests.chaos.harness import Harness
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.installation import OVER, VIM_TYPE, Product

CROWD = 20
"""More operations on the hung cloud than a worker has threads."""

pytestmark = [pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CloudsimProcess]:
    with CloudsimProcess(tmp_path_factory.mktemp("other")) as cloud:
        yield cloud


def register(product: Product, cloud: CloudsimProcess) -> str:
    auth = yaml.safe_load(cloud.clouds_yaml.read_text())["clouds"]["cloudsim"]["auth"]
    body = {
        "name": "hung",
        "vimType": VIM_TYPE,
        "authUrl": auth["auth_url"],
        "username": auth["username"],
        "password": auth["password"],
        "projectName": auth["project_name"],
    }
    return str(product.post("/api/v1/vims", body).json()["id"])


def test_the_other_cloud_goes_on(harness: Harness, other: CloudsimProcess) -> None:
    product = harness.product
    good, vnfd = product.vim_id(), product.vnfd_id()
    hung = register(product, other)
    other.control("POST", "/failures", {"service": "*", "effect": "hang", "times": 100000})
    stuck = [product.instantiate(product.create(f"stuck-{n}", vnfd), hung) for n in range(CROWD)]
    ended = [product.over(product.instantiate(product.create(f"free-{n}", vnfd), good)) for n in range(3)]
    assert [op["operationState"] for op in ended] == ["COMPLETED"] * 3, ended
    assert not {product.get(location)["operationState"] for location in stuck} & OVER
    other.control("DELETE", "/failures")
    ends = [product.over(location) for location in stuck]
    assert {op["operationState"] for op in ends} == {"COMPLETED"}
