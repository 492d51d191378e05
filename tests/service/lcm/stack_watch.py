"""Polls that find stacks without an instance, and the requests that remove them."""

import json
from datetime import timedelta
from typing import Any

from rest_framework.test import APIClient

from tests.service.lcm.lifecycle import Lifecycle
from tests.support.waiting import until
from vnfm.clouds.types import StackInput
from vnfm.inventory.models import VimPollState
from vnfm.inventory.reconcilers.vim_poll import poll_vim
from vnfm.inventory.selectors import UNCLAIMED_GRACE
from vnfm.kit import clock
from vnfm.lcm.reconcilers.removal import remove_unclaimed
from vnfm.lcm.reconcilers.unclaimed import update_unclaimed
from vnfm.vims.models import Vim

TINY = {"heat_template_version": "2015-10-15", "resources": {"net": {"type": "OS::Neutron::Net"}}}


def watch(life: Lifecycle, *, later: timedelta = timedelta()) -> None:
    """A full look, as if `later`."""
    VimPollState.objects.update(full_at=None)
    vim = Vim.objects.get(id=life.vim.id)
    seen = poll_vim(vim=vim, cloud=life.cloud, now=clock.now())
    assert seen.error == ""
    update_unclaimed(vim_id=vim.id, result=seen, now=clock.now() + later)


def watch_twice(life: Lifecycle) -> None:
    """Two full scans with so much between them that what the second still finds is unclaimed."""
    watch(life)
    watch(life, later=UNCLAIMED_GRACE)


def stack(life: Lifecycle, name: str, *tags: str, template: Any = TINY) -> str:
    stack_id = life.cloud.stacks.create(name, StackInput(json.dumps(template), {}, {}, {}, tags=tags))
    until(lambda: life.cloud.stacks.status(stack_id).status == "CREATE_COMPLETE", "the stack")
    return stack_id


def listed(client: APIClient, life: Lifecycle) -> dict[str, Any]:
    answer = client.get(f"/api/v1/vims/{life.vim.id}/unclaimed")
    assert answer.status_code == 200, answer.json()
    return {item["name"]: item for item in answer.json()}


def remove(client: APIClient, item: Any, confirm: str | None = None) -> Any:
    return client.post(f"/api/v1/unclaimed/{item['id']}/remove", {"confirm": confirm or item["name"]}, format="json")


def removed(client: APIClient, life: Lifecycle, name: str) -> Any:
    """Return what became of it, once the worker has done its work."""

    def over() -> Any:
        item = listed(client, life)[name]
        remove_unclaimed(item["id"])
        return item["removal"] if item["removal"]["state"] != "REQUESTED" else None

    return until(over, "the removal")
