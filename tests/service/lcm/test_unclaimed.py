"""Things in the cloud that belong to no record are found without a call of its own, never while we make it, removed
only when asked for by name."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from rest_framework.test import APIClient

from tests.service.lcm.lifecycle import Lifecycle
from tests.service.lcm.stack_watch import listed, remove, removed, stack, watch, watch_twice
from tests.support.waiting import until
from vnfm.accounts.models import AuditEntry
from vnfm.clouds import registry
from vnfm.clouds.errors import Rejected
from vnfm.clouds.types import Image
from vnfm.inventory.models import UnclaimedResource, VimPollState, VnfInstance
from vnfm.inventory.reconcilers.vim_poll import poll_vim
from vnfm.inventory.selectors import UNCLAIMED_GRACE
from vnfm.kit import clock
from vnfm.kit.models import OutboxEvent
from vnfm.lcm.domain.states import DRIVEN_STATES, Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.driver import drive
from vnfm.lcm.reconcilers.unclaimed import KEEP_RESULT, update_unclaimed
from vnfm.vims.models import Vim, VimArtefact
from vnfm.vims.reconcilers.probe import probe_vim

pytestmark = pytest.mark.django_db(transaction=True)


def looks_at(op_id: UUID) -> Iterator[None]:
    """Each time that the worker lets go of the operation for a while."""
    while LcmOpOcc.objects.get(id=op_id).state in DRIVEN_STATES:
        drive(op_id)
        yield


def test_unmanaged_stacks_are_listed_and_only_ours_may_be_removed(
    lifecycle: Lifecycle, operator_api: APIClient
) -> None:
    instance = lifecycle.instantiated()
    stack(lifecycle, "strangers")
    stack(lifecycle, "leftover", "vnfm", "vnf-instance-5f0c1c2e-0000-4f0a-9a53-6d1f3b8f2a10")
    watch(lifecycle)
    assert listed(operator_api, lifecycle) == {}, "one scan is not enough: it may be claimed in a moment"
    watch(lifecycle, later=UNCLAIMED_GRACE)
    found = listed(operator_api, lifecycle)
    assert {name: (item["kind"], item["ours"]) for name, item in found.items()} == {
        "strangers": ("stack", False),
        "leftover": ("stack", True),
    }
    assert "no record" in found["leftover"]["detail"]
    assert found["strangers"]["status"] == "CREATE_COMPLETE"
    assert found["strangers"]["adoptableBy"] == []
    assert instance.stack_name not in found

    answer = remove(operator_api, found["strangers"])
    assert (answer.status_code, answer.json()["code"]) == (409, "NOT_OURS")
    answer = remove(operator_api, found["leftover"], confirm="leftovers")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "/confirm")
    assert remove(operator_api, found["leftover"]).status_code == 202
    assert remove(operator_api, found["leftover"]).status_code == 202, "asked for twice, removed once"
    assert removed(operator_api, lifecycle, "leftover")["state"] == "REMOVED"
    assert "leftover" not in [s.name for s in lifecycle.cloud.stacks.list()]
    entry = AuditEntry.objects.get(action="unclaimed_remove REMOVED")
    assert (entry.detail["name"], entry.actor) == ("leftover", AuditEntry.objects.earliest("at").actor)
    watch(lifecycle, later=2 * UNCLAIMED_GRACE)
    assert listed(operator_api, lifecycle)["leftover"]["removal"]["state"] == "REMOVED", "listed for a while"
    watch(lifecycle, later=2 * UNCLAIMED_GRACE + KEEP_RESULT)
    assert set(listed(operator_api, lifecycle)) == {"strangers"}


def test_a_cloud_without_orphans_costs_no_call_and_few_queries(
    lifecycle: Lifecycle, django_assert_max_num_queries: Any
) -> None:
    lifecycle.instantiated()
    VimPollState.objects.update(full_at=None)
    vim = Vim.objects.get(id=lifecycle.vim.id)
    seen = poll_vim(vim=vim, cloud=lifecycle.cloud, now=clock.now())
    with django_assert_max_num_queries(18):
        update_unclaimed(vim_id=vim.id, result=seen, now=clock.now())
    assert not UnclaimedResource.objects.exists()


def test_nothing_that_an_operation_is_making_or_removing_is_ever_listed(
    lifecycle: Lifecycle, operator_api: APIClient
) -> None:
    instance = lifecycle.create()
    op = lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    for _ in looks_at(op.id):
        watch_twice(lifecycle)
        assert listed(operator_api, lifecycle) == {}
    instance.refresh_from_db()
    assert instance.instantiation_state == "INSTANTIATED"
    op = lifecycle.start(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
    for _ in looks_at(op.id):
        watch_twice(lifecycle)
        assert listed(operator_api, lifecycle) == {}
    assert lifecycle.stacks_of(instance) == []


def test_an_unrecorded_server_tagged_with_an_instance_is_drift(lifecycle: Lifecycle, operator_api: APIClient) -> None:
    instance = lifecycle.instantiated()
    template = {
        "heat_template_version": "2015-10-15",
        "resources": {
            "net": {"type": "OS::Neutron::Net"},
            "subnet": {
                "type": "OS::Neutron::Subnet",
                "properties": {"network": {"get_resource": "net"}, "cidr": "198.18.0.0/24"},
            },
            "vm": {
                "type": "OS::Nova::Server",
                "depends_on": "subnet",
                "properties": {
                    "name": "stray",
                    "image": "tiny",
                    "flavor": "m1.tiny",
                    "networks": [{"network": {"get_resource": "net"}}],
                    "metadata": {"vnf_instance": str(instance.id)},
                },
            },
        },
    }
    stack(lifecycle, "by-hand", template=template)
    watch_twice(lifecycle)
    found = listed(operator_api, lifecycle)
    assert (found["stray"]["kind"], found["stray"]["ours"]) == ("server", True)
    assert found["stray"]["vnfInstanceId"] == str(instance.id)
    drift = operator_api.get(f"/api/v1/vnf_instances/{instance.id}/drift").json()
    assert [(item["kind"], item["subject"]) for item in drift["differences"]] == [("extra", "stray")]
    assert remove(operator_api, found["stray"]).status_code == 202
    assert removed(operator_api, lifecycle, "stray")["state"] == "REMOVED"
    watch(lifecycle)
    assert operator_api.get(f"/api/v1/vnf_instances/{instance.id}/drift").json()["inSync"] is True


def test_unclaimed_images_and_flavors_of_ours(lifecycle: Lifecycle, operator_api: APIClient) -> None:
    instance = lifecycle.instantiated()
    known = lifecycle.images()
    image = Image("", "vnfm-old-router-abc", "", 0, "", "qcow2", "bare")
    image_id = lifecycle.cloud.images.create(image)
    probe_vim(lifecycle.vim.id, registry.provider(), clock.now())
    watch_twice(lifecycle)
    assert listed(operator_api, lifecycle) == {}, "only one probe has seen it"
    probe_vim(lifecycle.vim.id, registry.provider(), clock.now() + UNCLAIMED_GRACE)
    watch(lifecycle)
    assert set(listed(operator_api, lifecycle)) == {"vnfm-old-router-abc"}
    VimArtefact.objects.all().delete()
    watch(lifecycle)
    assert len(known) == 1
    assert set(listed(operator_api, lifecycle)) == {"vnfm-old-router-abc"}, "the instance still names the other"
    assert remove(operator_api, listed(operator_api, lifecycle)["vnfm-old-router-abc"]).status_code == 202
    assert removed(operator_api, lifecycle, "vnfm-old-router-abc")["state"] == "REMOVED"
    assert image_id not in [found.id for found in lifecycle.cloud.images.list()]
    assert instance.vnfcs.count() == 3


def test_a_project_registered_twice_claims_its_own_resources(
    lifecycle: Lifecycle, operator_api: APIClient, cloudsim: Any
) -> None:
    lifecycle.instantiated()
    twin = lifecycle.vim
    twin.id, twin.name = None, "twin"
    twin.save(force_insert=True)
    probe_vim(twin.id, registry.provider(), clock.now())
    watch_twice(lifecycle)
    assert listed(operator_api, lifecycle) == {}


def test_missing_resources_leave_the_list(lifecycle: Lifecycle, operator_api: APIClient) -> None:
    ids = {name: stack(lifecycle, name, "vnfm") for name in ("one", "two")}
    watch_twice(lifecycle)
    found = listed(operator_api, lifecycle)
    for stack_id in ids.values():
        lifecycle.cloud.stacks.delete(stack_id)
    until(lambda: lifecycle.cloud.stacks.list() == [], "the stacks to go")
    assert remove(operator_api, found["one"]).status_code == 202
    assert removed(operator_api, lifecycle, "one")["state"] == "REMOVED"
    events = OutboxEvent.objects.filter(topic="unclaimed.changed")
    before = events.count()
    watch(lifecycle, later=2 * UNCLAIMED_GRACE)
    assert set(listed(operator_api, lifecycle)) == {"one"}
    assert events.count() == before + 1
    watch(lifecycle, later=2 * UNCLAIMED_GRACE)
    assert events.count() == before + 1, "nothing new, nothing published"


def test_a_resource_claimed_meanwhile_is_not_removed(lifecycle: Lifecycle, operator_api: APIClient) -> None:
    stack_id = stack(lifecycle, "wanted", "vnfm")
    watch_twice(lifecycle)
    item = listed(operator_api, lifecycle)["wanted"]
    assert remove(operator_api, item).status_code == 202
    owner = lifecycle.create()
    VnfInstance.objects.filter(id=owner.id).update(stack_id=stack_id, vim=lifecycle.vim)
    removal = removed(operator_api, lifecycle, "wanted")
    assert (removal["state"], removal["problem"]["code"]) == ("FAILED", "CLAIMED")
    assert lifecycle.cloud.stacks.status(stack_id).status == "CREATE_COMPLETE"
    assert remove(operator_api, item).status_code == 409


def test_a_refusal_of_the_cloud_is_listed_and_the_removal_can_be_repeated(
    lifecycle: Lifecycle, operator_api: APIClient, break_cloud: Any
) -> None:
    stack(lifecycle, "leftover", "vnfm")
    watch_twice(lifecycle)
    item = listed(operator_api, lifecycle)["leftover"]
    break_cloud("stacks.delete", Rejected("sabotage", service="heat", http_status=400), after=False)
    assert remove(operator_api, item).status_code == 202
    removal = removed(operator_api, lifecycle, "leftover")
    assert removal["state"] == "FAILED"
    assert "sabotage" in removal["problem"]["detail"]
    assert remove(operator_api, item).status_code == 202
    assert removed(operator_api, lifecycle, "leftover")["state"] == "REMOVED"


def test_an_incomplete_poll_reports_nothing_unclaimed(
    lifecycle: Lifecycle, operator_api: APIClient, cloudsim: Any
) -> None:
    stack(lifecycle, "leftover", "vnfm")
    watch_twice(lifecycle)
    VimPollState.objects.update(full_at=None)
    cloudsim.control("POST", "/failures", {"service": "orchestration", "effect": "status", "times": 1})
    vim = Vim.objects.get(id=lifecycle.vim.id)
    seen = poll_vim(vim=vim, cloud=lifecycle.cloud, now=clock.now())
    assert seen.error
    update_unclaimed(vim_id=vim.id, result=seen, now=clock.now())
    assert set(listed(operator_api, lifecycle)) == {"leftover"}


def test_roles(lifecycle: Lifecycle, viewer_api: APIClient, operator_api: APIClient) -> None:
    stack(lifecycle, "leftover", "vnfm")
    watch_twice(lifecycle)
    item = listed(viewer_api, lifecycle)["leftover"]
    assert remove(viewer_api, item).status_code == 403
    assert operator_api.get(f"/api/v1/vims/{item['id']}/unclaimed").status_code == 404
    missing = {**item, "id": str(lifecycle.vim.id)}
    assert remove(operator_api, missing).status_code == 404
    answer = operator_api.get(f"/api/v1/vims/{lifecycle.vim.id}/unclaimed", {"filter": "(eq,kind,server)"})
    assert answer.json() == []
