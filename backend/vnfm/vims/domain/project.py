"""The name of the OpenStack project of a registered cloud."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Project:
    """The name and the id of a project; the last probe tells what the registration leaves out."""

    name: str
    """Empty for a cloud that is registered by the project's id, before its first probe."""
    id: str
    """Empty for a cloud that is registered by the project's name, before its first probe."""
    other_names: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The name, or else the id."""
        return self.name or self.id

    def is_called(self, text: str) -> bool:
        """Whether `text` is one of its names, or its id."""
        return bool(text) and text in (self.name, self.id, *self.other_names)
