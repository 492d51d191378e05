"""Alarms of a cloud's hosts are the root causes of alarms of their VMs."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.factories.deployed import make_deployed, make_vnfc
from tests.factories.elements import make_card, make_element
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.evaluation import evaluate_elements, evaluate_vim
from vnfm.inventory.models import Host, ServerGroup, VimPollState, Vnfc, VnfInstance

pytestmark = pytest.mark.django_db
NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)


@pytest.fixture
def instance() -> VnfInstance:
    """Two control VMs on one host, a data path VM on another."""
    made = make_deployed()
    for name, host in (("cpm-A", "compute-1"), ("cpm-B", "compute-1"), ("iom-1", "compute-2")):
        make_vnfc(made, name, vdu=name.partition("-")[0], host=host)
    for name in ("compute-1", "compute-2"):
        Host.objects.create(vim=made.vim, name=name, state="up", service="up", status="enabled", since=NOW)
    VimPollState.objects.create(vim=made.vim, servers_at=NOW, hosts_at=NOW)
    return made


def poll(instance: VnfInstance, seconds: int = 0, *, hosts: bool = True) -> int:
    """As the VIM poller does it, which names the instances on hosts that changed."""
    now = NOW + timedelta(seconds=seconds)
    VimPollState.objects.update(servers_at=now, **({"hosts_at": now} if hosts else {}))
    assert instance.vim_id is not None
    return evaluate_vim(vim_id=instance.vim_id, changed=[instance.id], now=now)


def alarm(fault_type: str, name: str = "") -> Alarm:
    return Alarm.objects.get(fault_type=fault_type, faulty_resource_name__startswith=name, cleared_at=None)


def open_types() -> set[str]:
    return set(Alarm.objects.filter(cleared_at=None).values_list("fault_type", flat=True))


def test_a_dead_host_is_the_root_cause_of_its_vms_being_down(instance: VnfInstance) -> None:
    Host.objects.filter(name="compute-2").update(state="down", service="down")
    poll(instance)
    host = alarm("HypervisorDown")
    assert (host.managed_object_type, host.managed_object_id) == ("VIM", instance.vim_id)
    assert (host.faulty_resource, host.faulty_resource_type) == ("compute-2", "COMPUTE")
    Vnfc.objects.update(status="SHUTOFF", status_since=NOW)
    poll(instance, 5)
    assert alarm("VmDown", "iom-1").root_cause == host
    assert alarm("VmDown", "cpm-A").root_cause is None, "it runs elsewhere"
    Host.objects.update(state="up", service="up")
    poll(instance, 10)
    assert alarm("VmDown", "iom-1").root_cause is None, "it stays down, without a root cause"
    assert open_types() == {"VmDown"}


def test_a_dead_host_is_the_root_cause_of_cards_whose_vms_seem_to_run(instance: VnfInstance) -> None:
    """Liberty's Nova still reports them as ACTIVE."""
    vm = Vnfc.objects.get(name="iom-1")
    element = make_element(vnf_instance=instance, reachable="True", resync_state="DONE", version=7)
    make_card(element, vnfc=vm, oper_state="PROVISIONED")
    evaluate_elements(ids=[element.id], now=NOW)
    assert alarm("CardDown").root_cause is None
    Host.objects.filter(name="compute-2").update(state="down", service="down")
    poll(instance)
    assert alarm("CardDown").root_cause == alarm("HypervisorDown"), "the element itself has not changed"
    Host.objects.update(state="up", service="up")
    poll(instance, 5)
    assert alarm("CardDown").root_cause is None
    assert open_types() == {"CardDown"}


def test_a_host_alarm_raised_after_that_of_its_vm_becomes_the_root_cause(instance: VnfInstance) -> None:
    Vnfc.objects.filter(name="iom-1").update(status="SHUTOFF", status_since=NOW)
    poll(instance)
    assert alarm("VmDown").root_cause is None
    Host.objects.filter(name="compute-2").update(forced_down=True, state="down", service="down")
    poll(instance, 5)
    forced = alarm("ForcedDown")
    assert alarm("VmDown").root_cause == forced
    assert (forced.original_severity, forced.perceived_severity) == ("WARNING", "CRITICAL"), "as severe as its VM"
    Vnfc.objects.update(status="ACTIVE")
    poll(instance, 10)
    assert alarm("ForcedDown").perceived_severity == "CRITICAL", "it is not demoted"


def test_hosts_that_cannot_be_listed_keep_their_alarms(instance: VnfInstance) -> None:
    Host.objects.filter(name="compute-2").update(status="disabled", reason="new disks")
    poll(instance)
    assert alarm("HostDisabled").fault_details[-1] == "new disks"
    Host.objects.update(status="enabled", reason="")
    poll(instance, 3600, hosts=False)
    assert open_types() == {"HostDisabled"}
    poll(instance, 3605)
    assert open_types() == set()


def test_a_violated_server_group(instance: VnfInstance) -> None:
    members = list(Vnfc.objects.filter(vdu_id="cpm").values_list("server_id", flat=True))
    ServerGroup.objects.create(
        vim=instance.vim, group_id="g-1", name="control", policies=["anti-affinity"], members=members
    )
    poll(instance)
    assert alarm("AntiAffinityBroken").fault_details == ["cpm-A, cpm-B run on one host, compute-1."]
    Vnfc.objects.filter(name="cpm-B").update(host="compute-2")
    poll(instance, 5)
    assert open_types() == set()
