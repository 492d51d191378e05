"""Content in and out as the server does it: through Django's ASGI handler."""

from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient

from tests.factories.accounts import make_user
from tests.factories.packages import vsr_zip
from vnfm.accounts.tokens import token_issue
from vnfm.catalog.models import VnfPackage

pytestmark = pytest.mark.django_db


async def download(client, url, **extra):
    response = await client.get(url, **extra)
    assert response.status_code == 200
    return b"".join([chunk async for chunk in response.streaming_content])


def test_a_package_goes_in_and_out(settings, tmp_path):
    settings.ARTIFACTS_DIR = tmp_path / "artifacts"
    _, secret = token_issue(user=make_user(role="operator"), name="test")
    client, bearer = AsyncClient(), {"headers": {"authorization": f"Bearer {secret}"}}
    url = f"/vnfpkgm/v1/vnf_packages/{VnfPackage.objects.create().id}"
    content = vsr_zip(str(uuid4()))
    answer = async_to_sync(client.put)(f"{url}/package_content", content, content_type="application/zip", **bearer)
    assert answer.status_code == 202, answer.content
    assert async_to_sync(download)(client, f"{url}/package_content", **bearer) == content
    assert b"heat_template_version" in async_to_sync(download)(client, f"{url}/artifacts/base.yaml", **bearer)
