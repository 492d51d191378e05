"""Makes the rows of an element those that were read, and writes only differences."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
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
    desired: Mapping[Key, Mapping[str, Any]],
    *,
    states: Sequence[str],
    now: datetime,
    since: Mapping[Key, datetime] | None = None,
    exclude: Q | None = None,
    losses_since: datetime | None = None,
    clock_tolerance: timedelta | None = None,
) -> bool:
    """Return whether anything differed.

    `since` changes with the columns `states`, to that of the key or to `now`; with a `clock_tolerance` also where it
    differs from that of the key by more. `exclude` rows belong to other writers; rows that entered their states since
    `losses_since` stay in them.
    """
    since = since or {}
    rows: Any = model.objects.filter(element=element)
    if exclude is not None:
        rows = rows.exclude(exclude)
    known = {tuple(getattr(row, name) for name in key): row for row in rows}
    obsolete = [row.pk for name, row in known.items() if name not in desired]
    new: list[Any] = []  # of `model`, as are the changed
    changed: list[Any] = []
    columns: set[str] = set()
    for name, columns_read in desired.items():
        row, values = known.get(name), _truncated(model, columns_read)
        if row is None:
            new.append(model(element=element, since=since.get(name, now), **values))
            continue
        fixed = states if losses_since is not None and row.since >= losses_since else ()
        differences = _differences(row, values, fixed)
        changes = any(column in differences for column in states)
        if changes or _is_otherwise(since.get(name, row.since), row.since, None if fixed else clock_tolerance):
            differences["since"] = since.get(name, now)
        if not differences:
            continue
        for column, value in differences.items():
            setattr(row, column, value)
        columns |= differences.keys()
        changed.append(row)
    if obsolete:
        model.objects.filter(pk__in=obsolete).delete()
    if changed:
        model.objects.bulk_update(changed, [column.removesuffix("_id") for column in columns], batch_size=500)
    if new:
        model.objects.bulk_create(new, batch_size=500, ignore_conflicts=True)
    return bool(obsolete or changed or new)


def _differences(row: Any, values: Mapping[str, Any], fixed: Sequence[str]) -> dict[str, Any]:
    return {column: value for column, value in values.items() if getattr(row, column) != value and column not in fixed}


def _is_otherwise(at: datetime, known: datetime, tolerance: timedelta | None) -> bool:
    """By more than a tolerance; without one, it is not compared."""
    return tolerance is not None and abs(at - known) > tolerance


def _truncated(model: Model, values: Mapping[str, Any]) -> dict[str, Any]:
    """Texts of the element are cut to their columns' lengths: a long one must not fail the whole write."""
    limits = _limits(model)
    return {name: value[: limits[name]] if isinstance(value, str) else value for name, value in values.items()}


@cache
def _limits(model: Model) -> Mapping[str, int | None]:
    """Maximal length by column; cached, as a thousand elements have a quarter of a million rows."""
    fields = model._meta.concrete_fields  # noqa: SLF001 - documented
    return {name: field.max_length for field in fields for name in (field.name, field.attname)}
