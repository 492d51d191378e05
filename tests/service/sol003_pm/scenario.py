"""A VNF instance whose router is counted, and a callback."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from tests.factories.catalog import onboarded
from tests.factories.deployed import make_deployed, make_vnfc
from tests.factories.elements import make_element
from tests.factories.packages import vsr_zip
from vnfm.catalog import selectors as catalog
from vnfm.counters.domain.counters import SYSTEM
from vnfm.elements.models import Interface, NetworkElement
from vnfm.history import counters
from vnfm.inventory.models import Vnfc, VnfcPort, VnfInstance
from vnfm.kit import clock
from vnfm.kit.durable import outbox
from vnfm.notifications.models import Subscription
from vnfm.notifications.reconcilers import delivery
from vnfm.notifications.services.queueing import NOTIFICATION_QUEUER

JOBS, THRESHOLDS = "/vnfpm/v2/pm_jobs", "/vnfpm/v2/thresholds"
MINUTE = timedelta(minutes=1)
Create = Callable[..., Any]


@dataclass(frozen=True)
class Router:
    """A VNF of one VNFC, which is a network element; its port `external` is the element's interface 1/1/1."""

    instance: VnfInstance
    vnfc: Vnfc
    element: NetworkElement
    external: str

    def count(self, begin: datetime, *values: dict[str, float | None], name: str = SYSTEM) -> None:
        """Rates of a minute each; percentages of the element, or what an interface counted a second."""
        counters.write(
            (
                self.element.id,
                name,
                begin + n * MINUTE,
                60.0,
                {k: None if v is None else v * 60 for k, v in each.items()},
            )
            for n, each in enumerate(values)
        )

    def load(self, begin: datetime, *cpus: float | None) -> None:
        self.count(begin, *({"cpu": cpu, "memory": 50.0} for cpu in cpus))


def make_router() -> Router:
    package = onboarded(vsr_zip())
    vnfd = catalog.vnfd_of(package)
    outside = {link.id for link in vnfd.virtual_links if not link.internal}
    cps = [cp.id for vdu in vnfd.vdus for cp in vdu.connection_points]
    external = next(cp for cp in cps if set(vnfd.links_of(cp)) & outside)
    internal = next(cp for cp in cps if not set(vnfd.links_of(cp)) & outside)
    instance = make_deployed(package=package)
    vnfc = make_vnfc(instance, "vsr-1")
    for number, cp in enumerate((external, internal)):
        VnfcPort.objects.create(
            vnfc=vnfc,
            port_id=f"port-{number}",
            cp_id=cp,
            network_id=f"net-{number}",
            mac_address=f"FA:16:3E:00:00:0{number}",
        )
    element = make_element(name="vsr-1", kind="VIRTUAL", vnf_instance=instance, vnfc=vnfc)
    for number, mac in ((1, "fa:16:3e:00:00:00"), (2, "")):
        Interface.objects.create(
            element=element, if_index=number, name=f"1/1/{number}", mac=mac, admin="UP", oper="UP", since=clock.now()
        )
    return Router(instance, vnfc, element, "port-0")


def job(router: Router, callback: str, **more: Any) -> dict[str, Any]:
    criteria = {"performanceMetric": ["VCpuUsageMeanVnf"], "collectionPeriod": 60, "reportingPeriod": 180}
    body = {"objectType": "Vnf", "objectInstanceIds": [str(router.instance.id)], "criteria": criteria}
    return body | {"callbackUri": callback} | more


def threshold(router: Router, callback: str, value: float = 80, hysteresis: float = 5) -> dict[str, Any]:
    details = {"thresholdValue": value, "hysteresis": hysteresis}
    criteria = {
        "performanceMetric": "VCpuUsageMeanVnf",
        "thresholdType": "SIMPLE",
        "simpleThresholdDetails": details,
    }
    body = {"objectType": "Vnf", "objectInstanceId": str(router.instance.id), "criteria": criteria}
    return body | {"callbackUri": callback}


def send() -> None:
    """Relays the outbox and delivers, as the workers do."""
    while outbox.deliver_pending([NOTIFICATION_QUEUER]):
        pass
    for subscription in Subscription.objects.all():
        delivery.deliver(subscription.id)
