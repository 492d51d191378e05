"""A registration that is repeated because its answer was lost: the view waits for a worker, inside the transaction."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from vnfm.kit.models import IdempotentAnswer, WorkerRequest
from vnfm.vims.models import Vim

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("worker")]
VIMS = "/api/v1/vims"
KEY = {"Idempotency-Key": "k-1"}


def test_it_registers_once(api: APIClient, form: Callable[..., dict[str, Any]]) -> None:
    first, again = (api.post(VIMS, form(), format="json", headers=KEY) for _ in range(2))
    assert first.status_code == 201, first.json()
    assert again.json() == first.json()
    assert again.headers["Location"] == first.headers["Location"]
    assert again.headers["Idempotency-Replayed"] == "true"
    assert Vim.objects.count() == 1
    assert not WorkerRequest.objects.exists()
    assert form()["password"].encode() not in bytes(IdempotentAnswer.objects.get().sealed_answer)


def test_one_that_the_cloud_refused_is_tried_again(api: APIClient, form: Callable[..., dict[str, Any]]) -> None:
    wrong = api.post(VIMS, form(password="wrong"), format="json", headers=KEY)
    right = api.post(VIMS, form(), format="json", headers=KEY)
    assert (wrong.status_code, right.status_code) == (422, 201)


def test_an_instantiation_that_brings_its_own_cloud_happens_once(
    api: APIClient, form: Callable[..., dict[str, Any]]
) -> None:
    """Trying the cloud, registering it and accepting the operation are one transaction, with a worker in its middle."""
    from tests.factories.catalog import onboarded
    from tests.factories.packages import shipped_zip
    from vnfm.lcm.models import LcmOpOcc

    vnfd_id = onboarded(shipped_zip()).vnfd_id
    instance = api.post("/vnflcm/v2/vnf_instances", {"vnfdId": str(vnfd_id)}, format="json").json()
    cloud = form()
    access = {"username": cloud["username"], "password": cloud["password"], "project": cloud["projectName"]}
    info = {
        "vimType": "ETSINFV.OPENSTACK_KEYSTONE.V_3",
        "interfaceInfo": {"endpoint": cloud["authUrl"]},
        "accessInfo": access | {"region": cloud["region"]},
    }
    body = {"flavourId": "default", "vimConnectionInfo": {"mine": info}}
    path = f"/vnflcm/v2/vnf_instances/{instance['id']}/instantiate"
    answers = [api.post(path, body, format="json", headers=KEY) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [202, 202], answers[0].json()
    assert answers[0].headers["Location"] == answers[1].headers["Location"]
    assert (Vim.objects.count(), LcmOpOcc.objects.count()) == (1, 1)
