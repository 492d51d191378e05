"""Loading and pinging by the last steps of a deployment, at simulated routers over SSH."""

from __future__ import annotations

import pytest

from tests.service.configuration.jobs import BAD, TEXTS, Router, versions
from vnfm.configuration.models import ConfigurationVersion
from vnfm.configuration.reconcilers import push
from vnfm.configuration.session.ping import PingTarget, unreachable_from
from vnfm.configuration.session.session import open_session
from vnfm.devices.errors import Busy, DeviceRejected, NotSupported
from vnfm.kit.durable import lease

pytestmark = pytest.mark.django_db

FAR = PingTarget("192.0.2.77")


def test_loading_for_a_deployment(router: Router) -> None:
    element = router()
    foreseen = push.load(element, TEXTS["7750-SR-12"], dry_run=True)
    assert (foreseen.changed, foreseen.version_id) == (True, None)
    loaded = push.load(element, TEXTS["7750-SR-12"])
    assert loaded.changed
    assert "to the core" in loaded.diff
    assert "hush" not in loaded.diff + foreseen.diff, "callers display it"
    assert versions(element) == [(1, "BEFORE_PUSH", "deployment"), (2, "PUSH", "deployment")]
    assert loaded.version_id == ConfigurationVersion.objects.get(element=element, number=2).id
    again = push.load(element, TEXTS["7750-SR-12"])
    assert (again.changed, again.diff, again.version_id) == (False, "", loaded.version_id)
    with pytest.raises(DeviceRejected) as refusal:
        push.load(element, BAD["7750-SR-12"])
    assert (refusal.value.line, refusal.value.words) == (2, "Error: Bad command.")


def test_elements_that_cannot_be_loaded(router: Router) -> None:
    with pytest.raises(NotSupported, match="SSH policy"):
        push.load(router(ssh_policy=None), "x")
    with pytest.raises(NotSupported, match="not been polled"):
        push.load(router(driver=""), "x")


def test_a_session_times_out_while_another_is_open(router: Router) -> None:
    element = router()
    with (
        lease.hold(f"configuration:{element.id}"),
        pytest.raises(Busy, match=element.name),
        open_session(element, timeout=0),
    ):
        pass


def test_a_ping_needs_an_exclusive_session(router: Router) -> None:
    element = router()
    with lease.hold(f"configuration:{element.id}"), pytest.raises(Busy, match=element.name):
        unreachable_from(element, [FAR])
    assert unreachable_from(element, [FAR]) == [FAR]
    element.refresh_from_db()
    assert element.ssh_host_key.startswith("ssh-ed25519 ")
