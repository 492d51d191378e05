"""`manage.py rotate_seal_keys`: after a new key was put first in the file, re-seal every secret under it."""

from typing import Any

from django.apps import apps
from django.db import models

from vnfm.kit import seal
from vnfm.kit.commands import InstanceCommand

PREFIX = "sealed_"
"""Columns that hold what `kit.seal` made are named so, in whatever context they are."""


class Command(InstanceCommand):
    help = "Re-seal all secrets under the first key of VNFM_SEAL_KEYS_FILE. May be repeated; then drop the old keys."

    def handle(self, *args: Any, **options: Any) -> None:
        for model in apps.get_models():
            for field in model._meta.get_fields():  # noqa: SLF001  (Django's documented way to a model's fields)
                if isinstance(field, models.BinaryField) and field.name.startswith(PREFIX):
                    count = _reseal(model, field.name)
                    self.stdout.write(f"{model._meta.label}.{field.name}: {count} re-sealed")  # noqa: SLF001


def _reseal(model: type[models.Model], column: str) -> int:
    """Re-seal row by row, unless a newer secret was written since the read: that one is under the new key already."""
    count = 0
    rows = model._default_manager.exclude(**{f"{column}__isnull": True})  # noqa: SLF001  (documented)
    for key, token in rows.values_list("pk", column).iterator():
        old = bytes(token)
        if not seal.is_current(old):
            count += rows.filter(pk=key, **{column: old}).update(**{column: seal.rotate(old)})
    return count
