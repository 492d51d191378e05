"""Attribute selectors (SOL013 5.3): which of a resource's complex attributes a GET of its list shows."""

from collections.abc import Collection
from dataclasses import dataclass

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from vnfm.kit.problem import FieldError, bad_request

ALL, FIELDS, EXCLUDE, DEFAULT = "all_fields", "fields", "exclude_fields", "exclude_default"


@dataclass(frozen=True, slots=True)
class Selection:
    """What is left out, and what is shown all the same; both by path, such as instantiatedVnfInfo/vnfcResourceInfo."""

    left_out: frozenset[str] = frozenset()
    shown: frozenset[str] = frozenset()

    def wants(self, path: str) -> bool:
        """Whether the attribute, or a part of it, is to be in the answer: what is not needs not be fetched."""
        if any(_within(path, name) for name in self.shown):
            return True
        if any(_within(name, path) for name in self.shown):
            return True
        return not any(_within(path, name) for name in self.left_out)


EVERYTHING = Selection()
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
    if EXCLUDE in given:
        return Selection(left_out=_names(request, EXCLUDE, optional))
    left_out = optional if given == [FIELDS] else default
    return Selection(frozenset(left_out), _names(request, FIELDS, optional) if FIELDS in given else frozenset())


def _names(request: Request, parameter: str, optional: Collection[str]) -> frozenset[str]:
    names = frozenset(name.strip() for name in request.query_params[parameter].split(",") if name.strip())
    unknown = sorted(names - frozenset(optional))
    if unknown:
        raise _invalid(parameter, f"Cannot select {', '.join(unknown)}; possible are {', '.join(sorted(optional))}.")
    return names


def _invalid(parameter: str, message: str) -> Exception:
    return bad_request("INVALID_SELECTOR", message, [FieldError(f"/{parameter}", message)], "Correct what is named.")


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
