"""Absolute links (SOL013: Link "shall be an absolute URI"), also where no request is at hand."""

from django.conf import settings


def link(path: str) -> dict[str, str]:
    """A Link to a resource of ours, at the address that VNFM_PUBLIC_URL names."""
    return {"href": f"{settings.PUBLIC_URL}{path}"}
