"""Rows of a large network for measurements over HTTP: VNFs with their VMs, routers with their interfaces, alarms."""

import random
from datetime import timedelta
from pathlib import Path
from typing import Any

VNFS, VMS_EACH, PORTS_EACH, ALARMS, OPERATIONS = 1_000, 10, 100, 100_000, 20_000
SEED = 7
SEVERITIES = {"CRITICAL": 1, "MAJOR": 10, "MINOR": 30, "WARNING": 59}


def deployed() -> None:
    """1,000 VNF instances of 10,000 VMs on four clouds, with operations of the past and twenty under way."""
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


def routers(number_of: int) -> list[Any]:
    """Reachable routers of a hundred interfaces each."""
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
        for number in range(number_of)
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
    """100,000 open alarms of their ports."""
    from tests.factories.alarms import alarm_row
    from vnfm.faults.domain.dictionary import DICTIONARY
    from vnfm.faults.models import Alarm
    from vnfm.faults.services.housekeeping import alarm_counts_compact
    from vnfm.kit import clock

    chance, now = random.Random(SEED), clock.now()
    types = [entry.fault_type for entry in DICTIONARY.values() if "NETWORK_ELEMENT" in entry.managed_object_types]
    for begin in range(0, ALARMS, 5000):
        Alarm.objects.bulk_create(
            alarm_row(
                managed_object_type="NETWORK_ELEMENT",
                managed_object_id=elements[number % len(elements)].id,
                managed_object_name=elements[number % len(elements)].name,
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


def analysed() -> None:
    """The database knows its statistics, as after hours of work."""
    from django.db import connection

    with connection.cursor() as cursor:
        for table in ("faults_alarm", "elements_interface", "inventory_vnfcport", "inventory_vnfc"):
            cursor.execute(f"VACUUM ANALYZE {table}")
        cursor.execute("ANALYZE")
