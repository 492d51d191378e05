"""Images that no package needs any more are removed; images that are in use, or existed before us, stay."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.factories.catalog import onboarded
from tests.factories.packages import shipped_zip, vsr_next
from tests.service.lcm.lifecycle import FORCEFUL, Lifecycle, Saboteur
from tests.service.lcm.stack_watch import listed, removed, watch_twice
from tests.service.lcm.step_control import away
from vnfm.accounts.models import AuditEntry
from vnfm.catalog.services.packages import package_delete, package_modify
from vnfm.clouds import registry
from vnfm.clouds.errors import Conflict
from vnfm.clouds.ports import CloudProvider
from vnfm.inventory.models import UnclaimedResource
from vnfm.kit import clock
from vnfm.kit.models import OutboxEvent
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.image_gc import AGAIN, collect_images
from vnfm.lcm.services.instances import vnf_instance_delete
from vnfm.vims.models import VimArtefact

pytestmark = pytest.mark.django_db(transaction=True)


def used_up(life: Lifecycle) -> str:
    """An instance of the package came and went; the image's name."""
    instance = life.instantiated()
    life.done(instance, Operation.TERMINATE, FORCEFUL)
    vnf_instance_delete(instance_id=instance.id)
    (name,) = life.images()
    return name


def forget_package(life: Lifecycle) -> None:
    off = {"operational_state": "DISABLED", "user_defined_data": None}
    package_modify(package_id=life.package.id, precondition=lambda _: None, **off)
    package_delete(package_id=life.package.id, precondition=lambda _: None)


def test_an_image_that_no_package_needs_is_removed_and_audited(lifecycle: Lifecycle, operator_api: APIClient) -> None:
    name = used_up(lifecycle)
    assert collect_images() == 0, "the package may want it again"
    forget_package(lifecycle)
    assert collect_images() == 1
    item = listed(operator_api, lifecycle)[name]
    assert (item["kind"], item["ours"], item["removal"]["state"]) == ("image", True, "REQUESTED")
    assert item["detail"] == "No package of the catalog needs it any more."
    assert collect_images() == 0, "asked for once"
    assert removed(operator_api, lifecycle, name)["state"] == "REMOVED"
    assert lifecycle.images() == []
    assert not VimArtefact.objects.filter(kind="image").exists()
    entry = AuditEntry.objects.get(action="unclaimed_remove REMOVED")
    assert (entry.actor, entry.detail["name"]) == ("vnfm", name)
    assert OutboxEvent.objects.filter(topic="unclaimed.changed").exists()


def test_an_image_that_was_there_before_us_stays(lifecycle: Lifecycle) -> None:
    used_up(lifecycle)
    VimArtefact.objects.all().delete()
    used_up(lifecycle)
    assert VimArtefact.objects.get(kind="image").made_id == ""
    forget_package(lifecycle)
    assert collect_images() == 0
    assert len(lifecycle.images()) == 1


def test_an_image_that_a_server_runs_from_stays(lifecycle: Lifecycle) -> None:
    """Such as a server of another user."""
    from vnfm.clouds.types import StackInput

    name = used_up(lifecycle)
    forget_package(lifecycle)
    template = (
        "heat_template_version: 2015-10-15\nresources:\n  net: {type: OS::Neutron::Net}\n"
        "  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 198.18.0.0/24}}\n"
        "  vm:\n    type: OS::Nova::Server\n    depends_on: subnet\n    properties: {image: %s, flavor: m1.tiny,"
        " networks: [{network: {get_resource: net}}]}\n"
    )
    from tests.support.waiting import until

    made = lifecycle.cloud.stacks.create("by-hand", StackInput(template % name, {}, {}, {}))
    until(lambda: lifecycle.cloud.stacks.status(made).status == "CREATE_COMPLETE", "the stack")
    assert collect_images() == 0
    assert lifecycle.images() == [name]


@pytest.mark.parametrize("column", ["plan", "stack_before"])
def test_an_image_that_an_operation_is_to_use_by_choice_stays(lifecycle: Lifecycle, column: str) -> None:
    """Or that it goes back to: it stands in the parameters alone, or in a map of images of slots among them."""
    name = used_up(lifecycle)
    forget_package(lifecycle)
    chosen = VimArtefact.objects.get(key=name).made_id
    other = Lifecycle(lifecycle.vim, onboarded(vsr_next()))
    op = other.start(other.create(), Operation.INSTANTIATE, other.instantiate_request())
    kept = {"parameters": {"images": {"1": chosen}}}
    LcmOpOcc.objects.filter(id=op.id).update(**{column: kept})
    assert collect_images() == 0
    LcmOpOcc.objects.filter(id=op.id).update(state="FAILED_TEMP")
    assert collect_images() == 0, "retry or rollback may come to it"
    LcmOpOcc.objects.filter(id=op.id).update(state="ROLLED_BACK")
    assert collect_images() == 1


def test_a_cloud_that_is_away_waits(lifecycle: Lifecycle, cloudsim: Any) -> None:
    used_up(lifecycle)
    forget_package(lifecycle)
    with away(cloudsim):
        assert collect_images() == 0
    assert not UnclaimedResource.objects.exists()
    assert collect_images() == 1


def test_onboarding_again_creates_the_image_again(lifecycle: Lifecycle, operator_api: APIClient) -> None:
    name = used_up(lifecycle)
    forget_package(lifecycle)
    assert collect_images() == 1
    again = Lifecycle(lifecycle.vim, onboarded(shipped_zip()))
    op = again.start(again.create(), Operation.INSTANTIATE, again.instantiate_request())
    assert removed(operator_api, lifecycle, name)["state"] == "REMOVED"
    op = again.run(op.id)
    assert op.state == "COMPLETED", again.story(op)
    assert again.images() == [name]


def refused(life: Lifecycle, api: APIClient, provider: CloudProvider) -> str:
    """The image, of which Glance says that something uses it."""
    name = used_up(life)
    forget_package(life)
    assert collect_images() == 1
    in_use = Conflict("Image could not be deleted because it is in use", service="glance", http_status=409)
    registry.install(Saboteur(provider, "images.delete", in_use, after=False))
    assert removed(api, life, name)["state"] == "FAILED"
    registry.install(provider)
    return name


def test_a_refused_removal_is_retried_later(
    lifecycle: Lifecycle, operator_api: APIClient, provider: CloudProvider
) -> None:
    name = refused(lifecycle, operator_api, provider)
    row = VimArtefact.objects.get(key=name)
    assert (row.going, row.made_id != "") == (False, True), "it is still ours"
    watch_twice(lifecycle)
    assert collect_images() == 0, "not every minute"
    UnclaimedResource.objects.update(last_seen_at=clock.now() - AGAIN)
    assert collect_images() == 1
    assert removed(operator_api, lifecycle, name)["state"] == "REMOVED"
    assert (lifecycle.images(), VimArtefact.objects.filter(kind="image").count()) == ([], 0)


def test_an_image_that_cannot_be_removed_is_used_again(
    lifecycle: Lifecycle, operator_api: APIClient, provider: CloudProvider
) -> None:
    name = refused(lifecycle, operator_api, provider)
    made = VimArtefact.objects.get(key=name).made_id
    again = Lifecycle(lifecycle.vim, onboarded(shipped_zip()))
    again.instantiated()
    row = VimArtefact.objects.get(key=name)
    assert (row.resource_id, row.made_id, again.images()) == (made, made, [name])
