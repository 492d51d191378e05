"""Our operations take little more than Heat takes for the same: alternating pairs, the median of the ratios.

An operation's end is COMPLETED as a client of the API sees it. The same template and parameters are sent to
the same cloud by hand: bare Heat, looked at ten times a second; and `openstack stack create --wait`, as people do it.
"""

import json
import os
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.bench.bare_heat import BareStack, exported
from tests.factories.packages import edited, zipped
from tests.support.installation import VIM_TYPE, Product, stranger_environment

PAIRS = int(os.environ.get("BENCH_PAIRS", "10"))
BUDGETS = json.loads((Path(__file__).parent / "budgets.json").read_text())
CLI = Path(sys.executable).with_name("openstack")
EIGHTEEN = "eighteen"
"""A level of two control and 16 data path VMs, in a package of our own: as many VMs as the mobile gateway of 2016."""

Record = Callable[[str, object], None]

pytestmark = [pytest.mark.bench, pytest.mark.timeout(3600)]


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """On the real OpenStack when the environment names one, else on the simulated cloud."""
    env, cloud = {}, os.environ.get("VNFM_TEST_CLOUD")
    if cloud:
        env["OS_CLIENT_CONFIG_FILE"] = os.environ["VNFM_TEST_CLOUDS_YAML"]
    arguments = ("--cloud", cloud) if cloud else ()
    with Product(Path(tmp_path_factory.mktemp("overhead")), *arguments, env=env) as running:
        yield running


@pytest.fixture(scope="module")
def pairs(product: Product, tmp_path_factory: pytest.TempPathFactory) -> "Pairs":
    return Pairs(product, tmp_path_factory.mktemp("exports"))


@dataclass
class Pairs:
    """Our instances and their bare twins."""

    product: Product
    folder: Path
    vnfds: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cloud = self.product.cloud()
        self.vim = self.product.vim_id()
        self.vnfds = {"small": self.product.vnfd_id(), EIGHTEEN: self.product.onboard(_package_of_eighteen())}

    def instantiated(self, level: str) -> tuple[float, str]:
        """Seconds, and the instance."""
        instance = self.product.create(f"pair-{uuid.uuid4().hex[:8]}", self.vnfds[level])
        vims = {"vim1": {"vimId": self.vim, "vimType": VIM_TYPE}}
        body = {"flavourId": "default", "instantiationLevelId": level, "vimConnectionInfo": vims}
        return self.timed(instance, "instantiate", body), instance

    def timed(self, instance: str, task: str, body: dict[str, Any]) -> float:
        start = time.monotonic()
        op = self.product.over(
            self.product.post(f"/vnflcm/v2/vnf_instances/{instance}/{task}", body).headers["Location"]
        )
        seconds = time.monotonic() - start
        assert op["operationState"] == "COMPLETED", op
        return seconds

    def export(self, instance: str) -> Path:
        target = self.folder / uuid.uuid4().hex
        self.product.vnfm("manage", "stack_export", instance, str(target))
        return target

    def stack_body(self, instance: str) -> dict[str, Any]:
        return exported(self.export(instance))

    def scaled(self, instance: str, direction: str) -> float:
        return self.timed(instance, "scale", {"type": direction, "aspectId": "data-path"})

    def terminated(self, instance: str) -> None:
        self.timed(instance, "terminate", {"terminationType": "FORCEFUL"})


def _package_of_eighteen() -> bytes:
    def change(vnfd: Any) -> None:
        vnfd.update(vnfdId=str(uuid.uuid4()), productName="VSR-PE-18")
        level = {"id": EIGHTEEN, "description": "2 control and 16 data path VMs.", "scale": {"data-path": 15}}
        vnfd["flavours"][0]["levels"].append(level)

    return zipped(edited("vnfd.yaml", change))


def _record(record_property: Record, name: str, ours: list[float], theirs: list[float]) -> float:
    """One line, and the ratio; the first pair warmed both up."""
    ratios = [a / b for a, b in zip(ours[1:], theirs[1:], strict=True)]
    mine, other, ratio = map(statistics.median, (ours[1:], theirs[1:], ratios))
    print(f"\n{name}: ours {mine:.2f} s, theirs {other:.2f} s, median ratio {ratio:.3f} over {len(ratios)} pairs")
    record_property(name, {"ours": round(mine, 2), "theirs": round(other, 2), "ratio": round(ratio, 3)})
    return ratio


@pytest.mark.parametrize(("level", "vms"), [("small", 3), (EIGHTEEN, 18)])
def test_instantiation_against_bare_heat(pairs: Pairs, record_property: Record, level: str, vms: int) -> None:
    ours, theirs = [], []
    for _ in range(PAIRS + 1):
        seconds, instance = pairs.instantiated(level)
        ours.append(seconds)
        body = pairs.stack_body(instance)
        pairs.terminated(instance)
        twin = BareStack(pairs.cloud)
        theirs.append(twin.create(body))
        twin.delete()
    name = f"instantiate {vms} VMs"
    assert _record(record_property, name, ours, theirs) <= BUDGETS["overhead"][name]


def test_scale_out_against_bare_heat(pairs: Pairs, record_property: Record) -> None:
    _, instance = pairs.instantiated("small")
    twin = BareStack(pairs.cloud)
    twin.create(pairs.stack_body(instance))
    ours, theirs = [], []
    for _ in range(PAIRS + 1):
        ours.append(pairs.scaled(instance, "SCALE_OUT"))
        theirs.append(twin.update(pairs.stack_body(instance)))
        pairs.scaled(instance, "SCALE_IN")
        twin.update(pairs.stack_body(instance))
    pairs.terminated(instance)
    twin.delete()
    assert _record(record_property, "scale out", ours, theirs) <= BUDGETS["overhead"]["scale out"]


def test_heal_against_bare_heat(pairs: Pairs, record_property: Record) -> None:
    _, instance = pairs.instantiated("small")
    body = pairs.stack_body(instance)
    twin = BareStack(pairs.cloud)
    twin.create(body)
    can_mark = pairs.product.get("/api/v1/vims")[0]["capabilities"]["heat_mark_unhealthy"] is True
    recreate = {"vnfcInstanceId": ["data-path/1"], "additionalParams": {"method": "recreate"}}
    ours, theirs = [], []
    for _ in range(PAIRS + 1):
        ours.append(pairs.timed(instance, "heal", recreate))
        theirs.append(twin.heal("1", body, can_mark=can_mark))
    pairs.terminated(instance)
    twin.delete()
    assert _record(record_property, "heal", ours, theirs) <= BUDGETS["overhead"]["heal"]


def test_instantiation_against_the_command_line(pairs: Pairs, record_property: Record) -> None:
    status = pairs.product.status()
    env = {**stranger_environment(), "OS_CLIENT_CONFIG_FILE": status["clouds_yaml"]}
    ours, theirs = [], []
    for _ in range(PAIRS + 1):
        seconds, instance = pairs.instantiated("small")
        ours.append(seconds)
        folder = pairs.export(instance)
        pairs.terminated(instance)
        name = f"pair-{uuid.uuid4().hex[:8]}"
        command = [str(CLI), "--os-cloud", status["cloud"], "stack", "create", "--wait", name]
        command += ["-t", str(folder / "template.yaml"), "-e", str(folder / "environment.yaml")]
        start = time.monotonic()
        subprocess.run(command, env=env, check=True, capture_output=True, timeout=300)
        theirs.append(time.monotonic() - start)
        made = pairs.cloud.orchestration.find_stack(name, ignore_missing=False)
        pairs.cloud.orchestration.delete_stack(made)
        pairs.cloud.orchestration.wait_for_delete(made, interval=0.5, wait=120)
    ratio = _record(record_property, "instantiate 3 VMs against openstack --wait", ours, theirs)
    assert ratio <= BUDGETS["instantiate_overhead_ratio"]
