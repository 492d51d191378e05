"""Every alarm that can be raised is in the dictionary, and every row of it can be raised."""

from collections.abc import Iterator
from dataclasses import replace

from tests.unit.faults import elements as ne
from tests.unit.faults import test_evaluate_instance as vnf
from tests.unit.faults import test_evaluate_vim as cloud
from tests.unit.faults import test_threshold_faults as threshold
from tests.unit.inventory.views import instance as view
from tests.unit.inventory.views import vnfc as observed_vnfc
from vnfm.elements.domain.part_states import FactState
from vnfm.faults.domain.dictionary import DICTIONARY
from vnfm.faults.domain.evaluate_element import evaluate_element
from vnfm.faults.domain.evaluate_instance import AntiAffinity, MissingFilters, ObservedInstance, evaluate_instance
from vnfm.faults.domain.evaluate_manager import ObservedBackups, ObservedDisk, ObservedProcess, evaluate_manager
from vnfm.faults.domain.evaluate_vim import ObservedQuota, ObservedVim, evaluate_vim
from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.faults.domain.observed_element import ObservedElement, ObservedNeighbour

TRAP_ONLY = ("LicenceExpiring", "FibOverload", "RoutesNearLimit", "OutOfMemory", "WrongCard", "Overheated", "TrapStorm")
"""Fault types that no polled table shows, only traps."""


def vims() -> Iterator[ObservedVim]:
    for reason in ("Unreachable", "CredentialsRefused"):
        yield replace(cloud.VIM, reachable=False, reason=reason)
    for odd in (
        {"hypervisor_state": "down"},
        {"service_state": "down"},
        {"forced_down": True},
        {"service_status": "disabled"},
    ):
        yield replace(cloud.VIM, hosts=(replace(cloud.HOST, **odd),))  # type: ignore[arg-type]  # fields of it
    yield replace(cloud.VIM, quotas=(ObservedQuota("cores", 4, 4),), cloud_alarms=(vnf.CLOUD_ALARM,))


def instances() -> Iterator[ObservedInstance]:
    for status in ("SHUTOFF", "ERROR", "MISSING", "REBOOT"):
        yield vnf.instance(replace(vnf.IOM, status=status, nova_fault="No valid host was found."))
    for stack in ("MISSING", "UPDATE_FAILED"):
        yield vnf.instance(stack=stack)
    for port in (vnf.PORT, replace(vnf.PORT, vif_type="binding_failed")):
        yield vnf.instance(replace(vnf.IOM, ports=(port,)))
    yield replace(vnf.instance(), stalled_since=vnf.NOW)
    yield replace(vnf.instance(replace(vnf.IOM, host="b", expected_host="a")), cloud_alarms=(vnf.CLOUD_ALARM,))
    pair = tuple(replace(each, host="a") for each in (vnf.CPM_A, vnf.CPM_B))
    yield replace(
        vnf.instance(*pair),
        anti_affinity=(AntiAffinity("cpm", frozenset({"s-a", "s-b"})),),
        missing_filters=(MissingFilters("cpm", ("NUMATopologyFilter",)),),
    )
    yield vnf.drifting(view(observed_vnfc("iom-1", server_name="mine")))
    for reason in ("Unreachable", "CredentialsRefused"):
        yield vnf.instance(vim=replace(vnf.VIM, reachable=False, reason=reason))


def elements() -> Iterator[ObservedElement]:
    for odd in ({"reachable": "False"}, {"state": "UNMANAGED"}, {"state": "SUSPENDED"}):
        yield replace(ne.VSR, **odd)  # type: ignore[arg-type]  # fields of it
    fan = ne.part("fan-1", "FAN", oper_state="FAILED")
    yield replace(
        ne.with_part(
            ne.with_part(ne.VSR, replace(ne.CARD, oper_state="FAILED")), replace(ne.PORT, oper_state="FAILED")
        ),
        resync_state="FAILED",
        trap_gap_since=ne.NOW,
        unread_tables=("ifTable could not be read.",),
        peers=(replace(ne.PEER, state="IDLE"),),
        neighbours=(ObservedNeighbour("OSPF", "1/1/1", "192.0.2.9", if_index=11, state="LOST", since=ne.NOW),),
    )
    facts = (
        FactState("licence", "", "invalid", ne.NOW),
        FactState("redundancy_sync", "", "configFail", ne.NOW),
        *(FactState(name, "", "raised", ne.NOW) for name in (*TRAP_ONLY, "acmeDoorOpen")),
    )
    yield replace(ne.VSR, parts=(*ne.VSR.parts, fan), facts=facts)
    yield replace(ne.VSR, thresholds=(threshold.BUSY,))


def raised() -> set[tuple[str, str]]:
    """Fault types, each with the type of object that had it."""
    found = {(fault.key.fault_type, ObjectType.VIM) for vim in vims() for fault in evaluate_vim(vim).faults}
    for instance in instances():
        found |= {(f.key.fault_type, ObjectType.VNF_INSTANCE) for f in evaluate_instance(instance, vnf.NOW).faults}
    for element in elements():
        found |= {(f.key.fault_type, ObjectType.NETWORK_ELEMENT) for f in evaluate_element(element, ne.NOW).faults}
    own = evaluate_manager(
        [ObservedProcess("worker", "host", ne.NOW, 31.0)],
        [ObservedDisk("artifacts", low=True, critical=False)],
        silent_after=30.0,
        backups=ObservedBackups(None, "No room.", late=False),
        clocks={"host": 11.0},
    )
    found |= {(fault.key.fault_type, ObjectType.MANAGER) for fault in own.faults}
    return {(name, object_type.value) for name, object_type in found}


def test_the_dictionary_has_exactly_the_alarms_that_can_be_raised() -> None:
    assert raised() == {
        (entry.fault_type, each) for entry in DICTIONARY.values() for each in entry.managed_object_types
    }


def test_no_row_lacks_a_text() -> None:
    for entry in DICTIONARY.values():
        conditions = entry.raising_condition, entry.clearing_condition
        words = (*conditions, entry.remedial_action, entry.severity_rule, entry.probable_cause)
        assert all(words), entry.fault_type
        assert entry.clearable_by_hand or not entry.clears_on_acknowledgement, entry.fault_type


def test_rows_are_keyed_by_their_name() -> None:
    assert all(name == entry.fault_type for name, entry in DICTIONARY.items())
