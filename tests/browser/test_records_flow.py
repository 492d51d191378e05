"""Each kind of record that an administrator keeps is made, changed and taken away by its dialogs."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.operations import LONG
from tests.browser.routers import element
from tests.browser.steps import in_both_themes, picture
from tests.support.installation import Product
from tests.support.subscriber import NotifiedEndpoint

WORKED_ON = "kept-ne"

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@dataclass(frozen=True)
class Kind:
    """A record of some kind is made and changed so; fields are named by their labels."""

    address: str
    table: str
    add: str
    name: str
    """Its buttons are named by this, and it is found by it in the list."""
    shown: str
    """In its row, once it is there."""
    change: Mapping[str, str]
    changed: str
    typed: Mapping[str, str] = field(default_factory=dict)
    selected: Mapping[str, str] = field(default_factory=dict)
    """The options of these are named by how they begin."""
    sought: Mapping[str, str] = field(default_factory=dict)
    remove: str = "Delete"
    renamed: str = ""
    """Its buttons are named by this when it has been changed, where that is something else."""


KINDS = {
    "site": Kind(
        address="/administration?tab=sites",
        table="Sites",
        add="Add a site",
        name="Kept hall",
        typed={"Name": "Kept hall", "Description": "By the river", "Latitude": "50.11", "Longitude": "8.68"},
        shown="50.11°, 8.68°",
        change={"Description": "On the hill", "Latitude": "51.5"},
        changed="On the hill",
    ),
    "maintenance-window": Kind(
        address="/administration?tab=maintenance",
        table="Maintenance windows",
        add="Add a maintenance window",
        name=f"{WORKED_ON}: new fans",
        sought={"Object": f"Network element {WORKED_ON}"},
        typed={"From": "2035-05-04T10:00", "To": "2035-05-04T12:00", "Reason": "new fans"},
        shown="Scheduled",
        change={"Reason": "new fans and filters"},
        changed="new fans and filters",
        remove="End",
        renamed=f"{WORKED_ON}: new fans and filters",
    ),
    "alarm-policy": Kind(
        address="/administration?tab=alarm-policies",
        table="Alarm policies",
        add="Add an alarm policy",
        name="FIB overload",
        selected={"Alarm": "FIB overload", "Severity": "Minor"},
        typed={"Escalate after (min)": "30"},
        shown="30 min",
        change={"Keep cleared alarms (days)": "3"},
        changed="3 days",
    ),
    "automation-policy": Kind(
        address="/automation",
        table="Automation policies",
        add="Add an automation policy",
        name="Kept healer",
        typed={"Name": "Kept healer", "Heal after (s)": "90"},
        selected={"Applies to": "All instances", "VNF package": "Nokia VSR-RR", "State": "Paused"},
        shown="Heal a VNFC that has been down for 90 s",
        change={"Heal after (s)": "300", "Actions per hour": "1"},
        changed="Heal a VNFC that has been down for 300 s",
    ),
}


@pytest.fixture(autouse=True, scope="module")
def _worked_on(product: Product) -> Iterator[str]:
    """Something that maintenance may be planned of."""
    with element(product, WORKED_ON, "127.77.9.1") as made:
        yield made


def _filled(page: Page, dialog: Locator, kind: Kind) -> None:
    for label, words in kind.sought.items():
        dialog.get_by_role("combobox", name=label).fill(words.rpartition(" ")[2])
        page.get_by_role("option", name=words, exact=True).click()
    for label, begin in kind.selected.items():
        choice = dialog.get_by_label(label, exact=True)
        option = choice.get_by_role("option", name=re.compile(f"^{begin}")).first
        choice.select_option(option.get_attribute("value"))
    _typed(dialog, kind.typed)


def _typed(dialog: Locator, texts: Mapping[str, str]) -> None:
    for label, text in texts.items():
        dialog.get_by_label(label, exact=True).fill(text)


@pytest.mark.matrix(3)
@pytest.mark.parametrize("name", KINDS)
def test_record_is_created_changed_and_deleted(operator: Page, name: str) -> None:
    page, kind = operator, KINDS[name]
    page.goto(kind.address)
    row = page.get_by_role("table", name=kind.table).get_by_role("row").filter(has_text=kind.name.partition(":")[0])
    page.get_by_role("button", name=kind.add).click()
    dialog = page.get_by_role("dialog", name=kind.add)
    _filled(page, dialog, kind)
    in_both_themes(page, f"{name}-add")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog).to_be_hidden()
    expect(row).to_contain_text(kind.shown)
    picture(page, f"{name}-made")

    page.get_by_role("button", name=f"Edit {kind.name}", exact=True).click()
    dialog = page.get_by_role("dialog", name=f"Edit {kind.name}")
    _typed(dialog, kind.change)
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    expect(row).to_contain_text(kind.changed)

    page.get_by_role("button", name=f"{kind.remove} {kind.renamed or kind.name}", exact=True).click()
    dialog = page.get_by_role("dialog", name=f"{kind.remove} {kind.renamed or kind.name}")
    in_both_themes(page, f"{name}-remove")
    dialog.get_by_role("button", name=kind.remove, exact=True).click()
    expect(dialog).to_be_hidden()
    expect(row).to_have_count(0)


def test_subscription_state_and_deletion(operator: Page, product: Product) -> None:
    """Subscriptions are created by the API (SOL003 clause 7); the page shows their delivery state and deletes them."""
    page = operator
    with NotifiedEndpoint() as endpoint:
        product.post("/vnffm/v1/subscriptions", {"callbackUri": endpoint.url})
        page.goto("/administration?tab=subscriptions")
        row = page.get_by_role("table", name="Subscriptions").get_by_role("row").filter(has_text=endpoint.base)
        expect(row).to_contain_text("Alarms", timeout=LONG)
        expect(row).to_contain_text(re.compile(r"by \w+"))
        in_both_themes(page, "subscriptions")
        row.get_by_role("button", name=re.compile("^Delete the subscription of")).click()
        dialog = page.get_by_role("dialog", name="Delete the subscription")
        in_both_themes(page, "subscription-delete")
        dialog.get_by_role("button", name="Delete", exact=True).click()
        expect(row).to_have_count(0)
