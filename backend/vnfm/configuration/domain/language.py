"""The common part of command-line dialects and NETCONF data models."""

from collections.abc import Mapping
from typing import Protocol


class Language(Protocol):
    """The language of a family's configurations: for displaying them, and for admin states."""

    @property
    def name(self) -> str:
        """For display."""

    @property
    def atomic(self) -> bool:
        """Return whether a refused change leaves nothing in force."""

    @property
    def can_preview(self) -> bool:
        """Whether the element itself computes the result of a change; else it is predicted from the texts."""

    @property
    def admin_lines(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        """Lines that set a part's admin state, by equipment class and UP | DOWN; with `{name}` and `{slot}`."""

    def quoted(self, name: str) -> str:
        """A part's name, escaped for this language."""

    def masked(self, text: str) -> str:
        """The text with every secret masked."""

    def masked_diff(self, diff: str) -> str:
        """As `masked`, for a difference, whose lines begin with a sign."""
