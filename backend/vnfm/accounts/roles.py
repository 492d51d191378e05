"""The roles of people and programs."""

from django.db import models


class Role(models.TextChoices):
    """Ascending rights: each may do what the ones before may."""

    VIEWER = "viewer", "Viewer"
    OPERATOR = "operator", "Operator"
    ADMIN = "admin", "Administrator"

    @property
    def includes(self) -> "list[Role]":
        """The roles whose rights this one has, itself last."""
        ascending = list(Role)
        return ascending[: ascending.index(self) + 1]
