"""`package`: VNF packages."""

from argparse import Namespace
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from cli.output import show
from demo.api import Api, DemoError, explain_problem, unless_away, wait_for

PACKAGES = "/vnfpkgm/v2/vnf_packages"
ROW = {
    "PRODUCT": "vnfProductName",
    "VERSION": "vnfSoftwareVersion",
    "PROVIDER": "vnfProvider",
    "STATE": "onboardingState",
    "USE": "usageState",
    "ID": "id",
}
LONGEST = 3600.0
"""Seconds to wait for the validation of a package."""


def package_list(api: Api, options: Namespace) -> None:
    show(api.pages(PACKAGES), ROW, as_json=options.json)


def package_upload(api: Api, options: Namespace) -> None:
    """Create a package and onboard the file; a rejected package is deleted again."""
    path = Path(options.file)
    with path.open("rb") as content:  # opened before the package is created, since the file may not exist
        package = f"{PACKAGES}/{api.post(PACKAGES, {}).json()['id']}"
        try:
            api.put_file(f"{package}/package_content", content, "application/zip")
        except DemoError:
            with suppress(DemoError):
                api.delete(package)
            raise
    found = wait_for(f"{path.name} is validated", unless_away(lambda: _settled(api, package)), LONGEST, every=0.5)
    if found["onboardingState"] != "ONBOARDED":
        api.delete(package)
        raise DemoError(f"{path.name} was rejected: {explain_problem(found.get('onboardingFailureDetails', {}))}")
    show([found], ROW, as_json=options.json)


def _settled(api: Api, package: str) -> Mapping[str, Any] | None:
    found: Mapping[str, Any] = api.get(package)
    return found if found["onboardingState"] in ("ONBOARDED", "ERROR") else None
