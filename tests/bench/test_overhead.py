"""Our instantiate against `openstack stack create --wait` of the same template and parameters on the same cloud.

Alternating pairs, the median of the ratios. The operation's end is COMPLETED as a client of the API sees it; the
command's is its exit. What Heat itself took (its own events) is recorded beside both.
"""

import json
import os
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import openstack
import pytest
from openstack.connection import Connection

from tests.installation import Product, stranger_environment

PAIRS = int(os.environ.get("BENCH_PAIRS", "10"))
BUDGETS = json.loads((Path(__file__).parent / "budgets.json").read_text())
CLI = Path(sys.executable).with_name("openstack")

Record = Callable[[str, object], None]

pytestmark = [pytest.mark.bench, pytest.mark.slow, pytest.mark.timeout(3600)]


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """On the real OpenStack when the environment names one, else on the simulated cloud."""
    env, cloud = {}, os.environ.get("VNFM_TEST_CLOUD")
    if cloud:
        env["OS_CLIENT_CONFIG_FILE"] = os.environ["VNFM_TEST_CLOUDS_YAML"]
    arguments = ("--cloud", cloud) if cloud else ()
    with Product(Path(tmp_path_factory.mktemp("overhead")), *arguments, env=env) as running:
        yield running


def _heat_seconds(cloud: Connection, stack: str) -> float:
    """From CREATE_IN_PROGRESS to CREATE_COMPLETE by Heat's own events of the root stack."""
    response = cloud.orchestration.get(f"/stacks/{stack}/events", headers={"Accept": "application/json"})
    times = {
        event["resource_status"]: datetime.fromisoformat(event["event_time"].rstrip("Z"))
        for event in response.json()["events"]
        if event["resource_name"] == stack
    }
    return (times["CREATE_COMPLETE"] - times["CREATE_IN_PROGRESS"]).total_seconds()


def _ours(product: Product, vim: str, vnfd: str) -> tuple[float, str]:
    instance = product.create(f"pair-{uuid.uuid4().hex[:8]}", vnfd)
    start = time.monotonic()
    op = product.over(product.instantiate(instance, vim))
    seconds = time.monotonic() - start
    assert op["operationState"] == "COMPLETED", op
    return seconds, instance


def _theirs(env: dict[str, str], cloud: str, folder: Path) -> tuple[float, str]:
    name = f"pair-{uuid.uuid4().hex[:8]}"
    command = [str(CLI), "--os-cloud", cloud, "stack", "create", "--wait", name]
    command += ["-t", str(folder / "template.yaml"), "-e", str(folder / "environment.yaml")]
    start = time.monotonic()
    subprocess.run(command, env=env, check=True, capture_output=True, timeout=300)
    return time.monotonic() - start, name


def test_overhead_of_an_instantiation(
    product: Product, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    status = product.status()
    env = {**stranger_environment(), "OS_CLIENT_CONFIG_FILE": status["clouds_yaml"]}
    config = openstack.config.OpenStackConfig(config_files=[status["clouds_yaml"]])
    cloud = Connection(config=config.get_one(status["cloud"]))
    vim, vnfd = product.vim_id(), product.vnfd_id()
    ours, theirs, heat = [], [], []
    for _ in range(PAIRS + 1):  # the first pair warms both up and uploads the image
        seconds, instance = _ours(product, vim, vnfd)
        ours.append(seconds)
        stack = product.get(f"/api/v1/vnf_instances/{instance}")["stack"]["name"]
        heat.append(_heat_seconds(cloud, stack))
        product.vnfm("manage", "stack_export", instance, str(tmp_path / instance))
        product.over(product.terminate(instance))
        seconds, name = _theirs(env, status["cloud"], tmp_path / instance)
        theirs.append(seconds)
        found = cloud.orchestration.find_stack(name, ignore_missing=False)
        cloud.orchestration.delete_stack(found)
        cloud.orchestration.wait_for_delete(found, interval=0.5, wait=120)
    ratios = [a / b for a, b in zip(ours[1:], theirs[1:], strict=True)]
    over_heat = [a / b for a, b in zip(ours[1:], heat[1:], strict=True) if b]
    ratio = statistics.median(ratios)
    print(f"\nours {statistics.median(ours[1:]):.2f} s, openstack --wait {statistics.median(theirs[1:]):.2f} s")
    over = statistics.median(over_heat or [0])
    print(f"median ratio {ratio:.2f} over {len(ratios)} pairs; to Heat's own time {over:.2f}")

    record_property("median_ratio", round(ratio, 3))
    assert ratio <= BUDGETS["instantiate_overhead_ratio"]
