"""The map of 2,000 VMs and 500 network elements over HTTP from PostgreSQL: folded, all open, and when nothing changed.

Next to the clock is the web process's own time (user and system): neighbours on the machine do not change it.
"""

import json
import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from statistics import quantiles
from time import perf_counter

import pytest
import requests

from tests.support.product import web_process

VMS, INSTANCES, ELEMENTS, SITES, HOSTS, ALARMS = 2000, 200, 500, 25, 100, 5000
LOOKS = 20
BUDGETS = json.loads((Path(__file__).parent / "budgets.json").read_text())["topology"]
QUERIES = {
    "folded": "",
    "one site open": "?expand={site}",
    "all open": "?expand=all",
    "hosts": "?scope=hosts&expand=all",
}

pytestmark = [pytest.mark.bench, pytest.mark.django_db(transaction=True), pytest.mark.timeout(600)]


@pytest.fixture
def park(telemetry: object) -> str:
    """Rows as a running network leaves them, with five minutes of counters; the id of a site."""
    from tests.factories.alarms import alarm_row
    from tests.factories.catalog import make_package
    from tests.factories.deployed import make_reachable_vim
    from vnfm.elements.models import Adjacency, BgpPeer, Interface, NetworkElement, Site
    from vnfm.faults.models import Alarm
    from vnfm.history import counters
    from vnfm.inventory.models import Host, VimPollState, Vnfc, VnfcPort, VnfInstance, VnfVirtualLink
    from vnfm.kit import clock

    now, package = clock.now(), make_package()
    vims = [make_reachable_vim(name=f"cloud-{number}", reachable_observed_at=now) for number in range(4)]
    for vim in vims:
        VimPollState.objects.create(vim=vim, servers_at=now, hosts_at=now)
    Host.objects.bulk_create(
        Host(vim=vims[n % 4], name=f"host-{n}", state="up", service="up", status="enabled", since=now)
        for n in range(HOSTS)
    )
    instances = VnfInstance.objects.bulk_create(
        VnfInstance(name=f"vnf-{n}", package=package, vim=vims[n % 4], instantiation_state="INSTANTIATED")
        for n in range(INSTANCES)
    )
    VnfVirtualLink.objects.bulk_create(
        VnfVirtualLink(instance=row, vl_id=vl, network_id=f"{vl}-{row.vim_id if vl == 'mgmt' else row.id}", name=vl,
                       created_by_stack=vl == "fabric")
        for row in instances for vl in ("mgmt", "fabric")
    )  # fmt: skip
    vnfcs = Vnfc.objects.bulk_create(
        Vnfc(instance=instances[n % INSTANCES], vdu_id="iom", name=f"vm-{n}", server_id=f"server-{n}", status="ACTIVE",
             status_since=now, observed_at=now, host=f"host-{n % HOSTS}")
        for n in range(VMS)
    )  # fmt: skip
    VnfcPort.objects.bulk_create(
        VnfcPort(vnfc=row, port_id=f"{row.id}-{vl}", status="ACTIVE", status_since=now,
                 network_id=f"{vl}-{row.instance.vim_id if vl == 'mgmt' else row.instance_id}")
        for row in vnfcs for vl in ("mgmt", "fabric")
    )  # fmt: skip
    sites = Site.objects.bulk_create(Site(name=f"site-{n}") for n in range(SITES))
    elements = NetworkElement.objects.bulk_create(
        NetworkElement(name=f"ne-{n}", sys_name=f"ne-{n}", kind="PHYSICAL", site=sites[n % SITES], reachable="True",
                       management_address=f"127.20.{n // 250}.{n % 250 + 1}", observed_at=now, resync_state="DONE")
        for n in range(ELEMENTS)
    )  # fmt: skip
    Interface.objects.bulk_create(
        (Interface(element=row, if_index=p, name=f"1/1/{p}", admin="UP", oper="UP", since=now,
                   addresses=[f"10.{n // 250}.{n % 250}.{p}/31"])
         for n, row in enumerate(elements) for p in range(100)),
        batch_size=5000,
    )  # fmt: skip
    counters.write(
        (row.id, f"1/1/{p}", now - timedelta(minutes=minute), 60.0, {"octets_in": 1e9 * p, "capacity": 7.5e11})
        for minute in range(1, 6) for row in elements for p in range(100)
    )  # fmt: skip
    ends = [(n, (n + step) % ELEMENTS, step) for n in range(ELEMENTS) for step in (1, 25)]
    Adjacency.objects.bulk_create(
        Adjacency(element=elements[here], protocol="LLDP", local_port=f"1/1/{port}", if_index=port, since=now,
                  remote_id=f"chassis-{there}", remote_port=f"1/1/{far}", remote_name=f"ne-{there}", state="FULL")
        for one, other, step in ends
        for here, there, port, far in ((one, other, step, step + 1), (other, one, step + 1, step))
    )  # fmt: skip
    BgpPeer.objects.bulk_create(
        BgpPeer(element=row, peer_address=f"10.0.{hub}.7", admin_state="UP", state="ESTABLISHED", since=now)
        for row in elements for hub in (1, 2)
    )  # fmt: skip
    affected = [vnfcs[number % VMS] for number in range(ALARMS)]
    Alarm.objects.bulk_create(
        alarm_row(managed_object_id=vnfc.instance_id, vnfc_ids=[str(vnfc.id)], faulty_resource=f"resource-{number}")
        for number, vnfc in enumerate(affected)
    )
    return str(sites[0].id)


class Web:
    """The running web process, as a client meets it."""

    def __init__(self, url: str, pid: int, secret: str) -> None:
        self._url, self._pid = f"{url}/api/v1/topology", pid
        self._client = requests.Session()
        self._client.headers["Authorization"] = f"Bearer {secret}"

    def look(self, query: str, **headers: str) -> requests.Response:
        answer = self._client.get(self._url + query, headers=headers, timeout=60)
        answer.raise_for_status()
        return answer

    def figures(self, query: str, **headers: str) -> dict[str, float]:
        """In milliseconds: the 95th percentile by the clock, and the mean of the process's own time."""
        taken, busy = [], self._cpu()
        for _ in range(LOOKS):
            start = perf_counter()
            answer = self.look(query, **headers)
            taken.append((perf_counter() - start) * 1000)
        own = (self._cpu() - busy) * 1000 / LOOKS
        return {"p95_ms": quantiles(taken, n=20)[-1], "cpu_ms": own, "kib": len(answer.content) / 1024}

    def _cpu(self) -> float:
        fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_large_map(park: str, product_env: dict[str, str], record_property: Callable[[str, object], None]) -> None:
    from tests.factories.accounts import make_user
    from vnfm.accounts.tokens import token_issue

    _, secret = token_issue(user=make_user(role="viewer"), name="bench")
    with web_process(product_env) as (url, process):
        web = Web(url, process.popen.pid, secret)
        found = web.look("?expand=all").json()
        cloud_side = {"CLOUD": 4, "HOST": HOSTS, "INSTANCE": INSTANCES, "VM": VMS, "NETWORK": 4 + INSTANCES}
        assert found["totals"] == cloud_side | {"SITE": SITES, "ELEMENT": ELEMENTS}
        cables = [link for link in found["links"] if link["kind"] == "LLDP" and not link["oneSided"]]
        assert len(cables) == 2 * ELEMENTS
        assert {link["utilisation"] for link in cables} == {0, 3}  # of the ports 1 and 2, and of 25 and 26
        figures = {name: web.figures(query.format(site=f"site:{park}")) for name, query in QUERIES.items()}
        tag = web.look("").headers["ETag"]
        figures["unchanged"] = web.figures("", **{"If-None-Match": tag})
    record_property("topology", figures)
    for name, figure in figures.items():
        print(f"\n{name:14}", {key: round(value, 1) for key, value in figure.items()}, end="")
    for name, figure in figures.items():
        budget = BUDGETS["all open" if name in ("all open", "hosts") else "folded"]
        assert {key: figure[key] for key in budget if figure[key] > budget[key]} == {}, name
