"""What the type of a message's attribute cannot say of it; see `kit.shapes`. Pure."""

from collections.abc import Mapping

INTERNAL: Mapping[str, bool] = {"internal": True}
"""Metadata of a dataclass field that is not on the wire."""
