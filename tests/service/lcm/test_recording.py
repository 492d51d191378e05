"""What an operation writes down of a cloud that is not as it should be."""

from typing import Any

import pytest

from tests.service.lcm.driving import Lifecycle
from vnfm.lcm import services
from vnfm.lcm.domain.states import Operation

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_network_stays_on_record_when_the_last_vnfc_on_it_is_gone(lifecycle: Lifecycle, cloudsim: Any) -> None:
    instance = lifecycle.instantiated()
    links = sorted(instance.virtual_links.values_list("vl_id", "network_id", "name", "created_by_stack"))
    cloudsim.control("POST", f"/servers/{lifecycle.servers_of(instance)['1']}/delete")
    request = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}
    op = lifecycle.run_out(lifecycle.start(instance, Operation.SCALE, request).id)
    assert op.state == "FAILED_TEMP"
    cloudsim.control("POST", f"/servers/{lifecycle.servers_of(instance)['2']}/delete")
    services.op_handle_error(op_id=op.id, task="retry", actor="test")
    assert lifecycle.run_out(op.id).state == "FAILED_TEMP"
    assert {vnfc.slot for vnfc in instance.vnfcs.all()} == {"A", "B"}
    assert sorted(instance.virtual_links.values_list("vl_id", "network_id", "name", "created_by_stack")) == links
