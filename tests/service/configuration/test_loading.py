"""Loading and pinging as the last steps of a deployment do, at simulated routers over SSH."""

from __future__ import annotations

import pytest

from tests.service.configuration.jobs import BAD, TEXTS, Router, versions
from vnfm.configuration import push
from vnfm.configuration.contact import session
from vnfm.configuration.models import ConfigurationVersion
from vnfm.configuration.ping import unreached
from vnfm.devices.errors import Busy, DeviceRejected, NotSupported
from vnfm.kit import lease

pytestmark = pytest.mark.django_db


def test_loading_for_a_deployment(router: Router) -> None:
    element = router()
    tried = push.load(element, TEXTS["7750-SR-12"], dry_run=True)
    assert (tried.changed, tried.version_id) == (True, None)
    loaded = push.load(element, TEXTS["7750-SR-12"])
    assert loaded.changed
    assert "to the core" in loaded.diff
    assert "hush" not in loaded.diff + tried.diff, "callers show it"
    assert versions(element) == [(1, "BEFORE_PUSH", "deployment"), (2, "PUSH", "deployment")]
    assert loaded.version_id == ConfigurationVersion.objects.get(element=element, number=2).id
    again = push.load(element, TEXTS["7750-SR-12"])
    assert (again.changed, again.diff, again.version_id) == (False, "", loaded.version_id)
    with pytest.raises(DeviceRejected) as refusal:
        push.load(element, BAD["7750-SR-12"])
    assert (refusal.value.line, refusal.value.words) == (2, "Error: Bad command.")


def test_what_cannot_be_loaded_into(router: Router) -> None:
    with pytest.raises(NotSupported, match="SSH policy"):
        push.load(router(ssh_policy=None), "x")
    with pytest.raises(NotSupported, match="not been read"):
        push.load(router(driver=""), "x")


def test_who_waits_too_long_for_another_is_told(router: Router) -> None:
    element = router()
    with (
        lease.hold(f"configuration:{element.id}"),
        pytest.raises(Busy, match=element.name),
        session(element, patience=0),
    ):
        pass


def test_who_has_it_ping_is_alone_at_it_too(router: Router) -> None:
    element = router()
    with lease.hold(f"configuration:{element.id}"), pytest.raises(Busy, match=element.name):
        unreached(element, ["192.0.2.77"])
    assert unreached(element, ["192.0.2.77"]) == ["192.0.2.77"]
    element.refresh_from_db()
    assert element.ssh_host_key.startswith("ssh-ed25519 ")
