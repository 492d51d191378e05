"""The catalog: files dropped or chosen become packages, and packages show all that is in them."""

import re
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import in_both_themes, tab_to
from tests.factories.csars import tacker_files
from tests.factories.packages import zipped
from tests.factories.templates import fixture_files
from tests.support.installation import Product, until
from tests.support.package_source import PackageSource, serving

LONG = 60_000

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

_TRANSFER = """
files => {
    const transfer = new DataTransfer();
    for (const [name, base64] of Object.entries(files)) {
        transfer.items.add(new File([Uint8Array.from(atob(base64), each => each.charCodeAt(0))], name));
    }
    return transfer;
}
"""


@pytest.fixture(autouse=True)
def small_screen(operator: Page) -> None:
    operator.set_viewport_size({"width": 1280, "height": 720})


def drop(page: Page, target: Locator, files: Mapping[str, bytes]) -> None:
    """Files of the root, as dragged from a folder and let go of over the target."""
    encoded = {path: b64encode(data).decode() for path, data in files.items()}
    transfer = page.evaluate_handle(_TRANSFER, encoded)
    for event in ("dragenter", "dragover", "drop"):
        target.dispatch_event(event, {"dataTransfer": transfer})


def catalog(page: Page) -> Locator:
    page.goto("/catalog")
    heading = page.get_by_role("heading", name="Catalog", level=1)
    expect(heading).to_be_visible()
    return heading


def onboard(dialog: Locator) -> None:
    button = dialog.get_by_role("button", name="Onboard", exact=True)
    expect(button).to_be_enabled(timeout=LONG)
    button.click()
    expect(dialog.get_by_text("is onboarded")).to_be_visible(timeout=LONG)


def package_page(page: Page, product: Product, name: str) -> str:
    packages = product.get("/vnfpkgm/v2/vnf_packages")
    return next(f"/catalog/{each['id']}" for each in packages if each.get("vnfProductName") == name)


def test_plain_templates_are_dropped_and_their_vnfd_is_corrected(operator: Page, product: Product) -> None:
    page = operator
    drop(page, catalog(page), fixture_files("scaling"))
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text(re.compile("Ready to onboard: .*provider not set"))).to_be_visible(timeout=LONG)
    in_both_themes(page, "catalog-derived")

    dialog.get_by_role("tab", name="VNFD (derived)").click()
    editor = dialog.get_by_role("textbox", name="VNFD")
    derived = editor.input_value()
    editor.fill(derived.replace("minimum: 1", "minimum: none", 1))
    faults = dialog.get_by_role("list", name="Errors in the VNFD")
    expect(faults).to_be_visible(timeout=LONG)
    in_both_themes(page, "catalog-vnfd-fault")
    faults.get_by_role("button", name=re.compile("^Line")).first.click()
    expect(editor).to_be_focused()
    assert "minimum: none" in page.evaluate("() => window.getSelection().toString()")

    editor.fill(derived.replace("provider: Unknown", "provider: Acme"))
    expect(dialog.get_by_text(re.compile("Ready to onboard: Acme"))).to_be_visible(timeout=LONG)
    onboard(dialog)
    in_both_themes(page, "catalog-onboarded")
    dialog.get_by_role("button", name="Close").last.click()
    expect(page.get_by_role("article", name=re.compile("^Acme"))).to_be_visible()


def test_faulty_files_are_corrected_by_keyboard(operator: Page, product: Product) -> None:
    page = operator
    files = fixture_files("vcpe")
    root = next(path for path in files if path.endswith(".yaml"))
    faulty = {**files, root: files[root].replace(b"OS::Nova::Server", b"OS::Nova::Servr")}
    # A listener from the start catches the first request; adding one takes no round trip.
    page.on("filechooser", lambda chooser: None)
    catalog(page)
    tab_to(page, "button", "Onboard a VNF package")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    choose = dialog.get_by_role("button", name="Choose files…")
    expect(choose).to_be_focused()
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(payloads(faulty))
    expect(dialog.get_by_text(re.compile("It cannot be onboarded yet"))).to_be_visible(timeout=LONG)
    table = dialog.get_by_role("table", name=f"Findings in {root}")
    expect(table.get_by_text(re.compile("Servr")).first).to_be_visible()
    tab_to(page, "button", re.compile("warning"))
    page.keyboard.press("Enter")
    in_both_themes(page, "catalog-faulty")
    expect(dialog.get_by_role("button", name="Onboard", exact=True)).to_be_disabled()

    tab_to(page, "button", "Choose files…")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(payloads({root: files[root]}))
    expect(dialog.get_by_text(re.compile("Ready to onboard"))).to_be_visible(timeout=LONG)
    tab_to(page, "button", re.compile("^Onboard$"))
    page.keyboard.press("Enter")
    expect(dialog.get_by_text("is onboarded")).to_be_visible(timeout=LONG)
    tab_to(page, "link", "Show the package")
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Overview")).to_be_visible()


def payloads(files: Mapping[str, bytes]) -> list[dict[str, object]]:
    return [{"name": path, "mimeType": "text/yaml", "buffer": data} for path, data in files.items()]


def test_package_page_shows_all_parts(operator: Page, product: Product) -> None:
    page = operator
    page.goto(package_page(page, product, "VMG-SAEGW"))
    for name, part in (
        ("Overview", page.get_by_role("region", name="Overview")),
        ("Files", page.get_by_role("textbox", name=re.compile("^Text of README"))),
        ("VNFD", page.get_by_role("table", name="VDUs")),
        ("Topology", page.get_by_role("table", name="Ports")),
        ("Figures", page.get_by_role("table", name="Measured figures")),
        ("Validation", page.get_by_role("table", name="Quota per instance")),
        ("Versions", page.get_by_text("Only version in the catalog")),
        ("Instances", page.get_by_text("No VNF instances")),
    ):
        page.get_by_role("tab", name=name).click()
        expect(part).to_be_visible()
        in_both_themes(page, f"package-{name.lower()}")


def test_a_template_is_drawn_at_a_level_before_it_is_deployed(operator: Page, product: Product) -> None:
    page = operator
    page.goto(f"{package_page(page, product, 'VMG-SAEGW')}?tab=topology")
    page.get_by_role("combobox", name="Instantiation level").select_option("eantc")
    topology = page.get_by_role("region", name="Topology")
    mg = topology.get_by_label(
        re.compile("^VDU Mobile gateway VM, 10 VNFCs, slots 7, 8, 9, 10, 11, 12, 13, 14, 15, 16")
    )
    expect(mg).to_be_visible()
    tab_to(page, "group", re.compile("^VDU Mobile gateway VM"))
    in_both_themes(page, "package-topology-eantc")
    rows = page.get_by_role("table", name="Ports").get_by_role("row")
    expect(rows).to_have_count(1 + 2 * 2 + 6 * 6 + 10 * 4)


def test_two_versions_side_by_side(operator: Page, product: Product) -> None:
    page = operator
    files = fixture_files("vfw")
    root = next(path for path in files if path.endswith(".yaml"))
    changed = {**files, root: files[root] + b"# The next release.\n"}
    for version, content in (("1.0", files), ("2.0", changed)):
        drop(page, catalog(page), content)
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_text(re.compile("Ready to onboard"))).to_be_visible(timeout=LONG)
        dialog.get_by_role("tab", name="VNFD (derived)").click()
        editor = dialog.get_by_role("textbox", name="VNFD")
        text = re.sub("softwareVersion: .*", f"softwareVersion: '{version}'", editor.input_value())
        editor.fill(re.sub("productName: .*", "productName: Two-versions", text))
        ready = f"Ready to onboard: Two-versions {version} (provider not set)"
        expect(dialog.get_by_text(ready)).to_be_visible(timeout=LONG)
        onboard(dialog)
    page.goto(f"{package_page(page, product, 'Two-versions')}?tab=versions")
    page.get_by_role("combobox", name="Compare with").select_option(label="2.0 (VNFD 1.0)")
    changed_files = page.get_by_role("table", name="Files that differ")
    expect(changed_files.get_by_role("row", name=re.compile(f"{re.escape(root)} Changed"))).to_be_visible()
    changed_files.get_by_role("button", name=root).press("Enter")
    diff = page.get_by_role("table", name="Differences by lines")
    expect(diff.get_by_text("# The next release.")).to_be_visible()
    expect(diff.get_by_role("button", name=re.compile("equal lines")).first).to_be_visible()
    in_both_themes(page, "package-diff")


def test_the_catalog_as_a_list_that_is_searched(operator: Page, product: Product) -> None:
    page = operator
    catalog(page)
    in_both_themes(page, "catalog-cards")
    page.get_by_role("button", name="List", exact=True).click()
    page.get_by_role("textbox", name="Search packages").fill("vmg")
    table = page.get_by_role("table", name="VNF packages")
    expect(table.get_by_role("row")).to_have_count(3)
    in_both_themes(page, "catalog-list")
    page.reload()
    expect(table.get_by_role("row")).to_have_count(3)
    page.get_by_role("combobox", name="State").select_option("Onboarding failed")
    expect(page.get_by_text("No package matches")).to_be_visible()
    in_both_themes(page, "catalog-no-match")


def test_forbidden_package_url_is_refused(operator: Page, product: Product) -> None:
    page = operator
    catalog(page)
    page.get_by_role("button", name="Onboard a VNF package").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Fetch from a URL instead").press("Enter")
    address = dialog.get_by_label("Address", exact=True)
    address.fill("https://169.254.169.254/package.zip")
    dialog.get_by_role("button", name="Fetch", exact=True).press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("169.254.169.254", timeout=LONG)
    expect(address).to_have_value("https://169.254.169.254/package.zip")
    in_both_themes(page, "catalog-fetch-refused")


def test_csar_is_dropped_and_validated_by_heat(operator: Page, product: Product) -> None:
    page = operator
    drop(page, catalog(page), {"edge.csar": zipped(tacker_files())})
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text(re.compile("Ready to onboard: Example Networks"))).to_be_visible(timeout=LONG)
    dialog.get_by_role("tab", name="On a cloud").click()
    dialog.get_by_role("combobox", name="Cloud").select_option(index=1)
    said = dialog.get_by_role("table", name=re.compile("^Findings in Heat's validation"))
    expect(said.get_by_text("HEAT_VALIDATES")).to_be_visible(timeout=LONG)
    in_both_themes(page, "catalog-csar-on-a-cloud")
    onboard(dialog)
    dialog.get_by_role("link", name="Show the package").click()
    expect(page.get_by_text("Not signed")).to_be_visible()


def test_a_long_upload_is_cancelled_and_loses_nothing(operator: Page, product: Product, tmp_path: Path) -> None:
    page = operator
    before = len(product.get("/vnfpkgm/v2/vnf_packages"))
    large = tmp_path / "large.zip"
    with large.open("wb") as file:
        file.truncate(200 << 20)
    catalog(page)
    page.get_by_role("button", name="Onboard a VNF package").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Files of the VNF package").set_input_files(large)
    expect(dialog.get_by_text("A package of this size is validated after the upload")).to_be_visible()
    slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 4 << 20}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    dialog.get_by_role("button", name="Onboard", exact=True).click()
    progress = dialog.get_by_role("progressbar", name=re.compile("^Sent"))
    expect(progress).to_have_attribute("aria-valuenow", re.compile("[1-9]"), timeout=LONG)
    in_both_themes(page, "catalog-uploading")
    dialog.get_by_role("button", name="Cancel the upload").press("Enter")
    expect(dialog.get_by_role("status")).to_have_text("The upload was cancelled. The files are kept.")
    expect(dialog.get_by_role("list", name="Selected files")).to_contain_text("large.zip")
    in_both_themes(page, "catalog-upload-cancelled")
    until(lambda: len(product.get("/vnfpkgm/v2/vnf_packages")) == before or None, 30, "nothing is left of the upload")


def test_a_package_is_fetched_from_an_address(operator: Page, product: Product) -> None:
    page = operator
    catalog(page)
    page.get_by_role("button", name="Onboard a VNF package").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Fetch from a URL instead").press("Enter")
    with PackageSource() as source:
        dialog.get_by_label("Address", exact=True).fill(source.at("/vmx.zip", serving(zipped(fixture_files("vmx")))))
        dialog.get_by_role("button", name="Fetch", exact=True).press("Enter")
        expect(dialog.get_by_text("is onboarded")).to_be_visible(timeout=LONG)
    in_both_themes(page, "catalog-fetched")
