"""What all ways of configuring an element have, whether it speaks at a command line or NETCONF."""

from collections.abc import Mapping
from typing import Protocol


class Language(Protocol):
    """How configurations of a family are written, for those who show them and who switch parts of it."""

    @property
    def name(self) -> str:
        """For people."""

    @property
    def atomic(self) -> bool:
        """Whether what is refused leaves nothing behind."""

    @property
    def sees_candidate(self) -> bool:
        """Whether the element says what a change would come to; else that is foreseen from the texts."""

    @property
    def admin_lines(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        """What brings a part up or down, by equipment class and UP | DOWN; `{name}` is its name, `{slot}` its slot."""

    def quoted(self, name: str) -> str:
        """A part's name as it stands in the language."""

    def masked(self, text: str) -> str:
        """The text with a mask in place of every secret."""

    def masked_diff(self, diff: str) -> str:
        """As `masked`, of a difference, whose lines begin with a sign."""
