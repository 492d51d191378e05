"""Making the rows of an element those that were read, touching only what differs."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from django.db.models import Q

from vnfm.elements.models import Adjacency, BgpPeer, ElementFact, Equipment, Interface, NetworkElement

Model = type[Equipment] | type[Interface] | type[BgpPeer] | type[ElementFact] | type[Adjacency]
Key = tuple[Any, ...]


def sync_rows(
    model: Model,
    element: NetworkElement,
    key: Sequence[str],
    seen: Mapping[Key, Mapping[str, Any]],
    *,
    states: Sequence[str],
    now: datetime,
    untouched: Q | None = None,
) -> bool:
    """Whether anything differed. `since` of a row moves with the columns `states`; `untouched` rows are others' own."""
    rows: Any = model.objects.filter(element=element)
    if untouched is not None:
        rows = rows.exclude(untouched)
    known = {tuple(getattr(row, name) for name in key): row for row in rows}
    gone = [row.pk for name, row in known.items() if name not in seen]
    fresh: list[Any] = []  # of `model`, as are the changed
    changed: list[Any] = []
    columns: set[str] = set()
    for name, told in seen.items():
        row, values = known.get(name), _fitting(model, told)
        if row is None:
            fresh.append(model(element=element, since=now, **values))
            continue
        news = {column: value for column, value in values.items() if getattr(row, column) != value}
        if not news:
            continue
        if any(column in news for column in states):
            news["since"] = now
        for column, value in news.items():
            setattr(row, column, value)
        columns |= news.keys()
        changed.append(row)
    if gone:
        model.objects.filter(pk__in=gone).delete()
    if changed:
        model.objects.bulk_update(changed, [column.removesuffix("_id") for column in columns], batch_size=500)
    if fresh:
        model.objects.bulk_create(fresh, batch_size=500, ignore_conflicts=True)
    return bool(gone or changed or fresh)


def _fitting(model: Model, values: Mapping[str, Any]) -> dict[str, Any]:
    """Words of the element are cut to their columns: a long one must not lose all the others."""
    limits = _limits(model)
    return {name: value[: limits[name]] if isinstance(value, str) else value for name, value in values.items()}


@cache
def _limits(model: Model) -> Mapping[str, int | None]:
    """How many characters each column takes; a thousand elements have a quarter of a million rows."""
    fields = model._meta.concrete_fields  # noqa: SLF001 - documented
    return {name: field.max_length for field in fields for name in (field.name, field.attname)}
