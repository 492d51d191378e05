"""Attribute selectors (SOL013 5.3): which of a resource's complex attributes a GET of its list shows."""

from collections.abc import Collection
from dataclasses import dataclass

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from vnfm.kit.problem import FieldError, bad_request

ALL, FIELDS, EXCLUDE, DEFAULT = "all_fields", "fields", "exclude_fields", "exclude_default"


@dataclass(frozen=True, slots=True)
class Selection:
    """What of a resource is to be in the answer, by path, such as instantiatedVnfInfo/vnfcResourceInfo."""

    wanted: frozenset[str] | None
    """None: everything."""

    def wants(self, path: str) -> bool:
        """True if the attribute, or a part of it, is wanted: what is not needs not be fetched."""
        return self.wanted is None or path in self.wanted


EVERYTHING = Selection(None)
"""As a GET of a single resource shows it."""


def _within(path: str, ancestor: str) -> bool:
    return path == ancestor or path.startswith(f"{ancestor}/")


def selection(request: Request, *, optional: Collection[str], default: Collection[str]) -> Selection:
    """The query's selectors. `optional` are the paths that may be left out, `default` those that are unless asked for.

    `fields` may come with `exclude_default`, every other selector alone. Raises a 400 problem for other combinations
    and for names that are none of `optional`.
    """
    given = [name for name in (ALL, FIELDS, EXCLUDE, DEFAULT) if name in request.query_params]
    if len(given) > 1 and set(given) != {FIELDS, DEFAULT}:
        raise _invalid(given[1], f"{' and '.join(given)} exclude each other.")
    if ALL in given:
        return EVERYTHING
    left_out = optional if given == [FIELDS] else _names(request, EXCLUDE, optional) if EXCLUDE in given else default
    shown = _names(request, FIELDS, optional) if FIELDS in given else ()
    return Selection(frozenset(path for path in optional if _chosen(path, left_out, shown)))


def _chosen(path: str, left_out: Collection[str], shown: Collection[str]) -> bool:
    """Shown are what is named, all of it, and what leads there; of the rest, what is not left out."""
    if any(_within(path, name) or _within(name, path) for name in shown):
        return True
    return not any(_within(path, name) for name in left_out)


def _names(request: Request, parameter: str, optional: Collection[str]) -> set[str]:
    names = {name.strip() for name in request.query_params[parameter].split(",") if name.strip()}
    if parameter == FIELDS:  # what lies below comes with the attribute that may be left out as a whole
        names = {max((path for path in optional if _within(name, path)), key=len, default=name) for name in names}
    unknown = sorted(names - set(optional))
    if unknown:
        raise _invalid(parameter, f"Cannot select {', '.join(unknown)}; possible are {', '.join(sorted(optional))}.")
    return names


def _invalid(parameter: str, message: str) -> Exception:
    return bad_request("INVALID_SELECTOR", message, [FieldError(f"/{parameter}", message)], "Correct the named fields.")


def selection_parameters(optional: Collection[str], default: Collection[str]) -> list[OpenApiParameter]:
    """The query parameters that `selection` reads."""
    return [
        OpenApiParameter(ALL, str, allow_blank=True, description="Show every attribute."),
        OpenApiParameter(FIELDS, str, description="Show these, of " + ", ".join(sorted(optional)) + "."),
        OpenApiParameter(EXCLUDE, str, description="Show all but these."),
        OpenApiParameter(
            DEFAULT, str, allow_blank=True, description="As without a selector: not " + ", ".join(sorted(default)) + "."
        ),
    ]
