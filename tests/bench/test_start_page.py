"""Search and start page over HTTP from PostgreSQL: 1,000 VNFs of 10,000 VMs, 500 routers of 50,000 interfaces, 100,000
open alarms.
"""

import json
import random
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any

import pytest
import requests

from tests.product import web_process

VNFS, VMS_EACH, ROUTERS, PORTS_EACH, ALARMS, OPERATIONS, LOOKS = 1_000, 10, 500, 100, 100_000, 20_000, 60
BUDGETS = json.loads((Path(__file__).parent / "budgets.json").read_text())["start_page"]
SEED = 7
SEVERITIES = {"CRITICAL": 1, "MAJOR": 10, "MINOR": 30, "WARNING": 59}

pytestmark = [pytest.mark.bench, pytest.mark.django_db(transaction=True), pytest.mark.timeout(1800)]


def deployed() -> None:
    from tests.factories.deployed import make_reachable_vim
    from vnfm.catalog.models import VnfPackage
    from vnfm.catalog.services import shipped as catalog
    from vnfm.inventory.models import VimPollState, Vnfc, VnfcPort, VnfInstance
    from vnfm.kit import clock
    from vnfm.lcm.models import LcmOpOcc

    now = clock.now()
    catalog.shipped_packages_onboard(catalog_dir=Path(__file__).parents[2] / "catalog")
    package = VnfPackage.objects.get(product_name="VSR-PE")
    vims = [make_reachable_vim(name=f"cloud-{number}", reachable_observed_at=now) for number in range(4)]
    VimPollState.objects.bulk_create(VimPollState(vim=vim, servers_at=now) for vim in vims)
    instances = VnfInstance.objects.bulk_create(
        VnfInstance(name=f"vsr-{number:04}", package=package, vim=vims[number % 4], instantiation_state="INSTANTIATED")
        for number in range(VNFS)
    )
    vnfcs = Vnfc.objects.bulk_create(
        [
            Vnfc(
                instance=instance,
                vdu_id="control" if slot < 2 else "data-path",
                slot=str(slot),
                name=f"{instance.name}-slot-{slot}",
                server_name=f"{instance.name}-slot-{slot}",
                server_id=f"{number:08x}-0000-4000-8000-{slot:012}",
                status="SHUTOFF" if (number, slot) == (7, 3) else "ACTIVE",
                observed_at=now,
            )
            for number, instance in enumerate(instances)
            for slot in range(VMS_EACH)
        ],
        batch_size=2000,
    )
    VnfcPort.objects.bulk_create(
        [
            VnfcPort(
                vnfc=vnfc,
                port_id=f"port-{number}-{cp}",
                network_id="net",
                cp_id=f"cp-{cp}",
                ip_addresses=[f"10.{cp}.{number >> 8}.{number & 255}", f"2001:db8:{cp}::{number:x}"],
            )
            for number, vnfc in enumerate(vnfcs)
            for cp in range(3)
        ],
        batch_size=5000,
    )
    LcmOpOcc.objects.bulk_create(
        [
            LcmOpOcc(
                instance=instances[number] if number < 20 else None,
                instance_uuid=instances[number % VNFS].id,
                operation="HEAL",
                state="PROCESSING" if number < 20 else "COMPLETED",
                params={},
                deadline=now,
                start_time=now - timedelta(minutes=number),
                state_entered_time=now - timedelta(minutes=number),
            )
            for number in range(OPERATIONS)
        ],
        batch_size=5000,
    )


def routers() -> list[Any]:
    from vnfm.elements.models import Interface, NetworkElement
    from vnfm.kit import clock

    now = clock.now()
    elements = NetworkElement.objects.bulk_create(
        NetworkElement(
            name=f"pe-{number}",
            kind="PHYSICAL",
            management_address=f"172.16.{number >> 8}.{number & 255}",
            sys_name=f"pe-{number}.example.net",
            reachable="True",
            observed_at=now,
        )
        for number in range(ROUTERS)
    )
    Interface.objects.bulk_create(
        [
            Interface(
                element=element,
                if_index=port,
                name=f"1/1/{port}",
                admin="UP",
                oper="UP",
                addresses=[f"192.{port}.{number >> 8}.{number & 255}/31"],
                since=now,
            )
            for number, element in enumerate(elements)
            for port in range(PORTS_EACH)
        ],
        batch_size=5000,
    )
    return elements


def storm(elements: list[Any]) -> None:
    from tests.factories.alarms import alarm_row
    from vnfm.faults.domain.dictionary import DICTIONARY
    from vnfm.faults.models import Alarm
    from vnfm.faults.services.housekeeping import alarm_counts_compact
    from vnfm.kit import clock

    chance, now = random.Random(SEED), clock.now()
    types = [entry.name for entry in DICTIONARY.values() if "NETWORK_ELEMENT" in entry.objects]
    for begin in range(0, ALARMS, 5000):
        Alarm.objects.bulk_create(
            alarm_row(
                managed_object_type="NETWORK_ELEMENT",
                managed_object_id=elements[number % ROUTERS].id,
                managed_object_name=elements[number % ROUTERS].name,
                faulty_resource=f"port-{number}",
                faulty_resource_name=f"port {number}",
                fault_type=chance.choice(types),
                perceived_severity=chance.choices(list(SEVERITIES), list(SEVERITIES.values()))[0],
                raised_at=now - timedelta(seconds=2 * number),
                fault_details=["administrative=UP, operational=FAILED", f"serial=NS{number:08}"],
            )
            for number in range(begin, begin + 5000)
        )
    alarm_counts_compact()


@pytest.fixture
def network() -> None:
    from django.db import connection

    deployed()
    storm(routers())
    with connection.cursor() as cursor:
        for table in ("faults_alarm", "elements_interface", "inventory_vnfcport", "inventory_vnfc"):
            cursor.execute(f"VACUUM ANALYZE {table}")
        cursor.execute("ANALYZE")


REQUESTS = {
    "one VM": ("vsr-0777-slot-3", "VM", 1),
    "all VMs": ("vsr", "VM", 8),
    "part of a name": ("slot-9", "VM", 8),
    "server id": ("000000ff-0000", "VM", 8),
    "address": ("10.1.7.9", "ADDRESS", 8),
    "interface": ("192.77.1.9/31", "ADDRESS", 1),
    "network": ("10.1.", "ADDRESS", 8),
    "word of all alarms": ("failed", "ALARM", 8),
    "word of one alarm": ("NS00030007", "ALARM", 1),
    "element": ("pe-77", "ELEMENT", 1),
    "nothing": ("elephant", "VM", 0),
}


def assert_indexes_serve() -> None:
    from vnfm.elements.models import Interface
    from vnfm.inventory.models import VnfcPort
    from vnfm.kit import clock
    from vnfm.overview.selectors.overview import alarms_by_hour
    from vnfm.search.selectors.addresses import with_address

    assert "port_by_address" in with_address(VnfcPort.objects.all(), "ip_addresses", "10.1.7.9").explain()
    assert "interface_by_address" in with_address(Interface.objects.all(), "addresses", "192.77.1.9").explain()
    assert "alarm_unsuppressed_by_time" in alarms_by_hour(clock.now() - timedelta(hours=24)).explain()


def p95_ms(client: requests.Session, url: str) -> float:
    taken = []
    for _ in range(LOOKS):
        start = perf_counter()
        client.get(url, timeout=60).raise_for_status()
        taken.append((perf_counter() - start) * 1000)
    return quantiles(taken, n=20)[-1]


@pytest.mark.usefixtures("network")
def test_ten_thousand_vms_and_a_hundred_thousand_alarms(
    product_env: dict[str, str], record_property: Callable[[str, object], None]
) -> None:
    from tests.factories.accounts import make_user
    from vnfm.accounts.services import token_issue

    assert_indexes_serve()
    _, secret = token_issue(user=make_user(role="viewer"), name="bench")
    client = requests.Session()
    client.headers["Authorization"] = f"Bearer {secret}"
    figures = {}
    with web_process(product_env) as (url, _):
        for name, (text, kind, least) in REQUESTS.items():
            asked = f"{url}/api/v1/search?q={text}"
            found = client.get(asked, timeout=60).json()["groups"]
            hits = next((group["hits"] for group in found if group["kind"] == kind), [])
            assert len(hits) >= least, (name, found)
            figures[f"search: {name}"] = round(p95_ms(client, asked), 1)
        for path in ("overview", "operations"):
            client.get(f"{url}/api/v1/{path}", timeout=60).raise_for_status()  # what is read once per process is read
            figures[path] = round(p95_ms(client, f"{url}/api/v1/{path}"), 1)
        page = client.get(f"{url}/api/v1/overview", timeout=60).json()
    record_property("start_page_p95_ms", figures)
    print(f"\n{figures}")
    assert page["instances"] == {"RUNNING": VNFS - 1, "DEGRADED": 1, "DOWN": 0, "UNKNOWN": 0, "NOT_INSTANTIATED": 0}
    assert (sum(page["alarms"].values()), len(page["problems"])) == (ALARMS, 8)
    assert {name: figure for name, figure in figures.items() if figure > BUDGETS["p95_ms"]} == {}
