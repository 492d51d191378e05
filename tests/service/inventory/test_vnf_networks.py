"""/api/v1/vims/{id}/vnf_networks: networks that no other VNF should be attached to."""

import pytest
from rest_framework.test import APIClient

from tests.factories.inventory import make_instance
from tests.factories.vims import make_vim
from vnfm.inventory.models import VnfVirtualLink

pytestmark = pytest.mark.django_db


def test_networks_of_stacks_are_listed_with_their_instance(viewer_api: APIClient) -> None:
    vim = make_vim()
    pe, elsewhere = make_instance(name="pe-1", vim=vim), make_instance(vim=make_vim())
    VnfVirtualLink.objects.create(instance=pe, vl_id="fabric", network_id="n-1", name="fabric", created_by_stack=True)
    VnfVirtualLink.objects.create(instance=pe, vl_id="oam", network_id="n-2", name="oam", created_by_stack=False)
    VnfVirtualLink.objects.create(instance=elsewhere, vl_id="fabric", network_id="n-3", created_by_stack=True)
    assert viewer_api.get(f"/api/v1/vims/{vim.id}/vnf_networks").json() == [
        {"networkId": "n-1", "vnfInstanceId": str(pe.id), "vnfInstanceName": "pe-1"}
    ]
