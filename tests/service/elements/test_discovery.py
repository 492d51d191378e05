"""Discovery rules: the poller's process scans ranges and registers the elements that answer."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.factories.elements import make_element, make_policy, make_site
from tests.support.routersim_process import RoutersimProcess
from tests.support.waiting import until
from vnfm.elements.models import DiscoveryRule, NetworkElement
from vnfm.kit import clock

pytestmark = pytest.mark.django_db(transaction=True)
RULES = "/api/v1/discovery_rules"
PORT = 21161


def fleet(sim: RoutersimProcess, network: str, number: int = 5, **wish: Any) -> None:
    """Elements on one port, as real ones have it: a rule has one policy for all."""
    sim.control(
        "POST",
        "/fleets",
        {
            "name": f"f{network.replace('/', '-')}",
            "kind": "7750-SR-12",
            "count": number,
            "network": network,
            "snmpPort": PORT,
            **wish,
        },
    )


def ended(rule_id: str) -> DiscoveryRule:
    return until(
        lambda: (rule := DiscoveryRule.objects.get(id=rule_id)).scan_state in ("DONE", "FAILED") and rule,
        "the scan to end",
        seconds=90,
    )


def test_a_scan_registers_the_elements_that_answer(
    routersim: RoutersimProcess, poll: Callable[..., None], operator_api: APIClient
) -> None:
    fleet(routersim, "127.88.1.0/29")
    policy = make_policy(port=PORT, settings={"timeout_seconds": 0.3})
    known = make_element(name="known", management_address="127.88.1.2", state="UNMANAGED")
    body = {
        "name": "lab",
        "include": ["127.88.1.0/28"],
        "exclude": ["127.88.1.3"],
        "snmpPolicyId": str(policy.id),
        "siteId": str(make_site(name="Lab").id),
        "scanInterval": 3600,
    }
    poll()
    made = operator_api.post(RULES, body, format="json")
    assert made.status_code == 201, made.json()
    rule = ended(made.json()["id"])
    assert (rule.scan_state, rule.scan_total, rule.scan_probed) == ("DONE", 13, 13)
    shown = operator_api.get(f"{RULES}/{rule.id}").json()
    outcomes = {row["address"]: row["outcome"] for row in shown["results"]}
    found = ("127.88.1.1", "127.88.1.4", "127.88.1.5")
    assert outcomes == {"127.88.1.2": "KNOWN", **dict.fromkeys(found, "REGISTERED")}
    element = NetworkElement.objects.get(management_address="127.88.1.4")
    assert (element.kind, element.site.name if element.site else "", element.snmp_policy_id) == (
        "PHYSICAL",
        "Lab",
        policy.id,
    )
    until(lambda: NetworkElement.objects.get(id=element.id).first_full_resync_at, "it to be read")
    known.refresh_from_db()
    assert known.state == "UNMANAGED"
    again = operator_api.post(f"{RULES}/{rule.id}/scan")
    assert again.status_code == 202
    assert {row["outcome"] for row in ended(str(rule.id)).results} == {"KNOWN"}
    assert NetworkElement.objects.count() == 4


def test_a_rule_is_scanned_when_its_interval_is_over_and_not_before(
    routersim: RoutersimProcess, poll: Callable[..., None]
) -> None:
    policy = make_policy(port=PORT, settings={"timeout_seconds": 0.1, "retries": 0})
    now = clock.now()
    common = {"include": ["127.88.2.1"], "snmp_policy": policy, "scan_interval": 60}
    due = DiscoveryRule.objects.create(name="due", scan_ended_at=now - timedelta(seconds=61), **common)
    early = DiscoveryRule.objects.create(name="early", scan_ended_at=now, **common)
    off = DiscoveryRule.objects.create(name="off", enabled=False, **common)
    crashed = DiscoveryRule.objects.create(name="crashed", scan_state="RUNNING", scan_ended_at=now, **common)
    poll()
    ended(str(due.id))
    ended(str(crashed.id))
    for rule in (early, off):
        rule.refresh_from_db()
        assert rule.scan_state == "NEVER"


@pytest.mark.parametrize(
    ("include", "status"),
    [(["10.0.0.0/8"], 422), (["192.0.2.1-192.0.2.0"], 422), (["router"], 422), ([], 400)],
)
def test_invalid_ranges_are_rejected(operator_api: APIClient, include: list[str], status: int) -> None:
    body = {"name": "x", "include": include, "snmpPolicyId": str(make_policy().id)}
    refused = operator_api.post(RULES, body, format="json")
    assert refused.status_code == status
    assert refused.json()["errors"][0]["field"] == "/include"


def test_a_policy_in_use_stays(operator_api: APIClient, viewer_api: APIClient) -> None:
    policy = make_policy()
    rule = DiscoveryRule.objects.create(name="lab", include=["192.0.2.1"], snmp_policy=policy)
    refused = operator_api.delete(f"/api/v1/mediation_policies/{policy.id}")
    assert (refused.status_code, refused.json()["usedBy"]) == (409, ["lab"])
    where = f"{RULES}/{rule.id}"
    assert viewer_api.post(f"{where}/scan").status_code == 403
    assert operator_api.patch(where, {"enabled": False}, format="json", headers={"If-Match": '"9"'}).status_code == 412
    assert operator_api.patch(where, {"enabled": False}, format="json").json()["enabled"] is False
    assert operator_api.post(f"{where}/scan").status_code == 202
    assert operator_api.post(f"{where}/scan").json()["code"] == "SCAN_UNDER_WAY"
    assert operator_api.delete(where).status_code == 204
