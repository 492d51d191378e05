"""The known facts of an instance, as values; each test says only what matters to it."""

from datetime import UTC, datetime, timedelta

from vnfm.inventory.domain.views import InstanceView, StackView, VimView, VnfcView
from vnfm.vims.domain.reachability import Reachability

NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)
EARLIER = NOW - timedelta(minutes=10)
AT_14_02 = NOW.replace(minute=2)
ANSWERS = Reachability("True", "Answers", "vim1 answers.", EARLIER, NOW)
VIM = VimView("vim1", ANSWERS, NOW, timedelta(minutes=1))
STACK = StackView("vnf-vsr-g1", "UPDATE_COMPLETE", "2016-02-09T13:00:00Z", "2016-02-09T13:00:00Z", EARLIER)


def vnfc(name: str = "iom-1", vdu: str = "iom", status: str = "ACTIVE", **more: object) -> VnfcView:
    given = {"desired": "STARTED", "status_since": EARLIER, "observed_at": EARLIER, "server_name": name}
    return VnfcView(vdu_id=vdu, name=name, status=status, **given | more)  # type: ignore[arg-type]


def instance(*vnfcs: VnfcView, **more: object) -> InstanceView:
    """Instantiated, seen just now, as many VNFCs wanted as there are."""
    wanted = {item.vdu_id: sum(other.vdu_id == item.vdu_id for other in vnfcs) for item in vnfcs}
    given = {
        "instantiation_state": "INSTANTIATED",
        "created_at": EARLIER,
        "settled_at": EARLIER,
        "wanted": wanted,
        "vim": VIM,
        "running": None,
    }
    return InstanceView(vnfcs=vnfcs, **given | more)  # type: ignore[arg-type]
