from datetime import UTC, datetime
from itertools import count

from tests.factories.inventory import make_instance
from tests.factories.vims import make_vim
from vnfm.inventory.models import Vnfc, VnfcPort, VnfInstance
from vnfm.vims.models import Vim

_numbers = count(1)
DEPLOYED_AT = datetime(2016, 2, 9, 12, 0, tzinfo=UTC)


def make_reachable_vim(**fields: object) -> Vim:
    return make_vim(**{"reachable": "True", "reachable_reason": "Answers", "reachable_since": DEPLOYED_AT, **fields})


def make_deployed(vim: Vim | None = None, **fields: object) -> VnfInstance:
    """An instance that an operation has instantiated, without VNFCs yet."""
    number = next(_numbers)
    stack = {"stack_id": f"stack-{number}", "stack_name": f"vnf-{number}-g1", "stack_status": "CREATE_COMPLETE"}
    given = {"vim": vim or make_reachable_vim(), "instantiation_state": "INSTANTIATED", **stack, **fields}
    return make_instance(**given)


def make_vnfc(instance: VnfInstance, name: str, *, vdu: str = "iom", port: str | None = None, **fields: object) -> Vnfc:
    """A VNFC whose server runs; `port` gives it one port of that status."""
    given = {"vdu_id": vdu, "server_id": f"server-{name}-{instance.id}", "server_name": name, "status": "ACTIVE"}
    times = {"status_since": DEPLOYED_AT, "observed_at": DEPLOYED_AT}
    row = Vnfc.objects.create(instance=instance, name=name, **given | times | fields)
    if port is not None:
        VnfcPort.objects.create(
            vnfc=row, port_id=f"port-{name}", cp_id="mgmt", network_id="net-1", status=port, status_since=DEPLOYED_AT
        )
    return row
