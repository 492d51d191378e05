"""The loop that evaluates what no poll of a VIM covers: run by one process of several."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from django.db import connection

from tests.factories.deployed import make_deployed, make_vnfc
from tests.support.waiting import until
from vnfm.elements.models import Equipment, NetworkElement
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.element_alarm_loop import run_alarm_loop
from vnfm.faults.reconcilers.evaluation import evaluate_vim
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.lcm.reconcilers.forget import forget_instance
from vnfm.lcm.services.instances import vnf_instance_delete
from vnfm.vims.models import Vim
from vnfm.vims.services import vim_delete

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)


@pytest.fixture
def card() -> Equipment:
    element = NetworkElement.objects.create(
        name="sr-12", kind="PHYSICAL", management_address="10.0.0.1", reachable="True", resync_state="DONE"
    )
    return Equipment.objects.create(
        element=element,
        fdn="card-1",
        parent_fdn="",
        equipment_class="CARD",
        admin_state="UP",
        oper_state="IN_SERVICE",
        since=NOW,
    )


@pytest.fixture
def two_loops(card: Equipment) -> Iterator[None]:
    stop = threading.Event()
    threads = [threading.Thread(target=run_alarm_loop, args=(stop, threading.Event()), daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    yield
    stop.set()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def set_state(card: Equipment, state: str, version: int) -> None:
    """Write it as the poller does: with a new version of the element."""
    Equipment.objects.filter(id=card.id).update(oper_state=state)
    NetworkElement.objects.filter(id=card.element_id).update(version=version)


def count() -> int:
    return Alarm.objects.filter(fault_type="CardDown", cleared_at=None).count()


@pytest.mark.usefixtures("two_loops")
def test_a_card_that_fails_and_comes_back(card: Equipment) -> None:
    set_state(card, "FAILED", 2)
    until(lambda: count() == 1, "the alarm")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    set_state(card, "IN_SERVICE", 3)
    until(lambda: count() == 0, "the alarm to clear")


@pytest.fixture
def instance() -> VnfInstance:
    """Return an element with an open alarm."""
    made = make_deployed()
    vnfc = make_vnfc(made, "iom-1")
    Vnfc.objects.filter(id=vnfc.id).update(status="SHUTOFF", status_since=NOW)
    evaluate_vim(vim_id=made.vim_id, changed=[made.id], now=NOW)
    assert open_types() == {"VmDown"}
    return made


def open_types() -> set[str]:
    return set(Alarm.objects.filter(cleared_at=None).values_list("fault_type", flat=True))


@pytest.mark.usefixtures("two_loops")
def test_alarms_of_an_instance_clear_with_its_cloud_resources(instance: VnfInstance) -> None:
    forget_instance(instance_id=instance.id, actor="admin")
    until(lambda: not open_types(), "the alarms to clear")


@pytest.mark.usefixtures("two_loops")
def test_alarms_of_deleted_objects_clear(instance: VnfInstance) -> None:
    vim = instance.vim
    assert vim is not None
    Vim.objects.filter(id=vim.id).update(reachable="False", reachable_reason="Unreachable", reachable_since=NOW)
    evaluate_vim(vim_id=vim.id, changed=(), now=NOW)
    lost = Alarm.objects.filter(cleared_at=None, fault_type="VimUnreachable")
    assert set(lost.values_list("managed_object_type", flat=True)) == {"VIM", "VNF_INSTANCE"}
    forget_instance(instance_id=instance.id, actor="admin")
    vnf_instance_delete(instance_id=instance.id)
    vim_delete(vim=vim)
    until(lambda: not open_types(), "the alarms to clear")
