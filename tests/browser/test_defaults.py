"""Every package of the catalog by clicks on defaults only: nothing is chosen, nothing is typed."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.operations import LONG
from tests.browser.steps import picture
from tests.factories.packages import shipped_folders, shipped_package
from tests.support.installation import Product

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

FOLDERS = shipped_folders()


@pytest.mark.matrix(1)
@pytest.mark.parametrize("folder", FOLDERS, ids=["-".join(folder.parts[-3:]) for folder in FOLDERS])
def test_it_is_deployed_by_three_clicks(
    operator: Page, product: Product, folder: Any, record_property: Callable[[str, Any], None]
) -> None:
    page, vnfd = operator, shipped_package(folder).vnfd
    page.goto("/catalog")
    began = time.monotonic()
    page.get_by_role("link", name=f"Instantiate {vnfd.provider} {vnfd.product_name}", exact=True).click()
    expect(page.get_by_role("radio", name="cloudsim")).to_be_checked()
    page.get_by_role("button", name="Skip to plan").click()
    deploy = page.get_by_role("button", name="Create and deploy")
    expect(deploy).to_be_enabled(timeout=LONG)
    picture(page, f"plan-{vnfd.product_name}")
    deploy.click()
    page.wait_for_url(re.compile(r"/instances/[0-9a-f-]{36}"))
    instance_id = page.url.rpartition("/")[2].partition("?")[0]
    occurrences = product.get(f"/vnflcm/v2/vnf_lcm_op_occs?filter=(eq,vnfInstanceId,{instance_id})")
    op = product.over(f"/vnflcm/v2/vnf_lcm_op_occs/{occurrences[0]['id']}")
    record_property("deployed", round(time.monotonic() - began, 1))
    assert op["operationState"] == "COMPLETED", op
    over = product.over(product.terminate(instance_id))
    assert over["operationState"] == "COMPLETED", over
