"""Sites: create, change, delete."""

from collections.abc import Mapping
from typing import Any

from vnfm.elements.models import Site
from vnfm.elements.services.versioned_rows import delete_row, insert_row, update_row


def site_create(*, columns: Mapping[str, Any]) -> Site:
    """Raises 409 for a name in use."""
    return insert_row(Site, columns)


def site_update(*, site: Site, changes: Mapping[str, Any]) -> Site:
    """Raises as `site_create`."""
    return update_row(site, changes)


def site_delete(*, site: Site) -> None:
    """Raises 409 naming its elements and discovery rules."""
    delete_row(site, "SITE_IN_USE")
