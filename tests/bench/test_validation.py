"""Validation of a mobile gateway's templates: 18 VMs in three groups, everything that is checked offline.

Measured in the CPU time of this process, which neighbours on the machine do not change; and, for scale, what
PyYAML's own C parser takes to read the same files once.
"""

import json
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time

import pytest
import yaml

from tests.factories.templates import HOT, findings

ROUNDS = 30
BUDGETS = json.loads((Path(__file__).parent / "budgets.json").read_text())["validation"]
ROLES = {"oam": 2, "lb": 6, "mg": 10}
NICS = 6

pytestmark = pytest.mark.bench


def gateway() -> dict[str, bytes]:
    """18 VMs written out one by one, as vendors do: each with its ports, addresses and user data."""
    parameters, resources = ["parameters:"], ["resources:"]
    parameters += [f"  net{net}: {{type: string, description: Network {net}}}" for net in range(NICS)]
    for role, count in ROLES.items():
        parameters += [f"  {role}_{what}: {{type: string, description: Of {role} VMs}}" for what in ("image", "flavor")]
        for number in range(count):
            name = f"{role}_{number}"
            for nic in range(NICS):
                parameters.append(
                    f"  {name}_ip{nic}: {{type: string, default: 10.{nic}.0.{number + 10}, description: Address}}"
                )
                resources += [
                    f"  {name}_port{nic}:",
                    "    type: OS::Neutron::Port",
                    "    properties:",
                    f"      network: {{get_param: net{nic}}}",
                    f"      fixed_ips: [{{ip_address: {{get_param: {name}_ip{nic}}}}}]",
                    f"      binding:vnic_type: {'direct' if nic > 1 else 'normal'}",
                ]
            ports = ", ".join(f"{{port: {{get_resource: {name}_port{nic}}}}}" for nic in range(NICS))
            resources += [
                f"  {name}:",
                "    type: OS::Nova::Server",
                "    properties:",
                f"      image: {{get_param: {role}_image}}",
                f"      flavor: {{get_param: {role}_flavor}}",
                f"      networks: [{ports}]",
                "      config_drive: true",
                "      user_data_format: RAW",
                f"      user_data: {{str_replace: {{template: 'slot=$slot', params: {{$slot: {number}}}}}}}",
                f"      metadata: {{slot: '{number}', role: {role}}}",
            ]
    return {"base.yaml": (HOT + "\n".join([*parameters, *resources]) + "\n").encode()}


def milliseconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return (process_time() - start) * 1000


def test_eighteen_vms(record_property: Callable[[str, object], None]) -> None:
    files = gateway()
    found = findings(files)
    assert [finding for finding in found if finding.severity == "error"] == []
    assert sum(finding.code == "NIC_ORDER" for finding in found) == sum(ROLES.values())
    taken = median(milliseconds(lambda: findings(files)) for _ in range(ROUNDS))
    reading = median(
        milliseconds(lambda: [yaml.load(data, yaml.CSafeLoader) for data in files.values()]) for _ in range(ROUNDS)
    )
    figures = {"cpu_ms": taken, "times_reading": taken / reading}
    record_property("validation", figures)
    print(f"\n18 VMs, {sum(map(len, files.values()))} bytes:", {key: round(value, 1) for key, value in figures.items()})
    assert {key: value for key, value in figures.items() if value > BUDGETS[key]} == {}
