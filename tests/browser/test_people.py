"""An administrator adds a user, who changes the password and makes a token; the audit trail tells of it."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.steps import in_both_themes
from tests.support.installation import Product

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

FIRST, OWN = "given by the administrator", "chosen by the user"


def _add(page: Page) -> None:
    page.goto("/administration?tab=users")
    page.get_by_role("button", name="Add a user").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("User name").fill("ann")
    dialog.get_by_label("Role").select_option("operator")
    dialog.get_by_label("Password").fill("short")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.get_by_label("Password")).to_have_attribute("aria-invalid", "true")
    in_both_themes(page, "user-refused")
    dialog.get_by_label("Password").fill(FIRST)
    dialog.get_by_role("button", name="Add").click()
    expect(page.get_by_role("row", name=re.compile("ann Operator Active never"))).to_be_visible()


def _change_password(page: Page) -> None:
    page.get_by_role("button", name="User menu of ann").click()
    page.get_by_role("menuitem", name="My account").click()
    page.get_by_role("button", name="Change the password").click()
    dialog = page.get_by_role("dialog")
    for label, text in (("Current password", "a guess"), ("New password", OWN), ("Repeat the new password", OWN)):
        dialog.get_by_label(re.compile(rf"^{label}(\W|$)(?!again)")).fill(text)
    dialog.get_by_role("button", name="Change").click()
    present = dialog.get_by_label("Current password")
    expect(present).to_have_attribute("aria-invalid", "true")
    present.fill(FIRST)
    dialog.get_by_role("button", name="Change").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("heading", name="My account", level=1)).to_be_visible()


def test_user_from_creation_to_disabling(operator: Page, browser: Browser, product: Product) -> None:
    _add(operator)
    context = browser.new_context(base_url=product.url)
    page = context.new_page()
    page.goto("/alarms")
    page.get_by_label("Username").fill("ann")
    page.get_by_label("Password", exact=True).fill(FIRST)
    page.get_by_role("button", name="Log in").click()
    _change_password(page)
    page.get_by_role("button", name="Create a token").click()
    page.get_by_role("dialog").get_by_label("Name").fill("ci")
    page.get_by_role("dialog").get_by_role("button", name="Create").click()
    secret = page.get_by_role("dialog", name="Token ci").get_by_text(re.compile("^vnfm_"))
    expect(secret).to_be_visible()
    page.get_by_role("button", name="I have copied it").click()
    expect(page.get_by_role("row", name=re.compile("^ci"))).to_be_visible()
    in_both_themes(page, "account")
    page.goto("/administration?tab=audit")
    expect(page.get_by_text("Administrators only: audit trail")).to_be_visible()
    operator.goto("/administration?tab=audit&object=ann")
    expect(operator.get_by_role("row", name=re.compile("ann.*Edit user.*password: changed")).first).to_be_visible()
    operator.goto("/administration?tab=users")
    operator.get_by_role("button", name="Disable ann").click()
    operator.get_by_role("dialog").get_by_role("button", name="Disable").click()
    page.reload()
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
    context.close()
