"""CSARs of other managers' shapes, onboarded as they are: they deploy, scale, heal and end like any package."""

import pytest

from tests.factories.catalog import onboarded
from tests.factories.csars import csar_files, tacker_files
from tests.factories.packages import zipped
from tests.service.lcm.lifecycle import Lifecycle
from vnfm.inventory.models import Vnfc
from vnfm.lcm.domain.states import Operation

pytestmark = pytest.mark.django_db(transaction=True)


def vnfcs(instance):
    return sorted((v.vdu_id, v.slot) for v in Vnfc.objects.filter(instance=instance))


def test_tacker_s_shape(lifecycle: Lifecycle) -> None:
    lifecycle.package = onboarded(zipped(tacker_files()))
    flavors = {"firewall_computeFlavourId": "m1.tiny", "control_computeFlavourId": "m1.tiny"}
    images = {"firewall_vcImageId": "tiny", "control_vcImageId": "tiny"}
    instance = lifecycle.instantiated(**flavors, **images, firewall_outside_network="public")
    assert vnfcs(instance) == [("control", "1"), ("firewall", "1")]
    lifecycle.done(instance, Operation.SCALE_TO_LEVEL, {"instantiationLevelId": "all"})
    assert vnfcs(instance) == [("control", "1"), *(("firewall", str(number)) for number in (1, 2, 3))]
    named = {"additionalParams": {"vnfcToRemove": ["firewall/2"]}}
    lifecycle.done(
        instance, Operation.SCALE, {"type": "SCALE_IN", "aspectId": "throughput", "numberOfSteps": 1, **named}
    )
    assert vnfcs(instance) == [("control", "1"), ("firewall", "1"), ("firewall", "3")]
    lifecycle.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
    assert lifecycle.cloud.servers.list() == []


def test_nokia_s_shape(lifecycle: Lifecycle) -> None:
    lifecycle.package = onboarded(zipped(csar_files("cbam")))
    chosen = {"cache_imageId": "tiny", "cache_flavorId": "m1.tiny", "cacheOutside_networkId": "public"}
    instance = lifecycle.instantiated(**chosen)
    assert len(vnfcs(instance)) == 2
    one = {"type": "SCALE_OUT", "aspectId": "caches", "numberOfSteps": 1}
    lifecycle.done(instance, Operation.SCALE, one)
    assert len(vnfcs(instance)) == 4
    server = Vnfc.objects.filter(instance=instance).first()
    assert server is not None
    lifecycle.done(instance, Operation.HEAL, {"additionalParams": {"vnfcToHeal": [server.name], "method": "reboot"}})
    lifecycle.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
    assert lifecycle.cloud.servers.list() == []
