"""Reads the requests of SOL003 in each edition, and in the dialects of clients (ADR-0091)."""

from collections.abc import Callable, Mapping
from typing import Any

from rest_framework import serializers
from rest_framework_dataclasses.field_utils import TypeInfo

from vnfm.kit.web.shapes import ShapeRequest
from vnfm.kit.web.wire import unsupported
from vnfm.lcm.domain import requests
from vnfm.lcm.domain.request_types import (
    AccessInfo,
    ExtManagedVirtualLink,
    InterfaceInfo,
    IpAddresses,
    VimConnectionInfo,
)
from vnfm.lcm.wire.dialects import connectivity, level, managed_link, snapshot_task, vim_connection
from vnfm.lcm.wire.editions import V2, Edition

DIALECTS: Mapping[type, Callable[[Any], Any]] = {
    requests.InstantiateVnfRequest: connectivity,
    requests.ChangeVnfFlavourRequest: connectivity,
    requests.ChangeExtVnfConnectivityRequest: connectivity,
    requests.ChangeCurrentVnfPkgRequest: connectivity,
    requests.ScaleVnfToLevelRequest: level,
    requests.CreateVnfSnapshotRequest: snapshot_task,
    requests.RevertToVnfSnapshotRequest: snapshot_task,
    ExtManagedVirtualLink: managed_link,
    VimConnectionInfo: vim_connection,
}
"""Some clients write these types otherwise; it is put right before the JSON is read."""


def edition_of(field: serializers.Field[Any, Any, Any, Any]) -> Edition:
    """The edition in which the request was sent; plan previews speak the newest."""
    edition = field.context.get("edition", V2)
    assert isinstance(edition, Edition)
    return edition


class KeyedField(serializers.DictField):
    """A map; in 2.6.1 an array, whose entries carry their key as `key`, or go by their place. A map inside."""

    def __init__(self, *, key: str = "", **kwargs: Any) -> None:
        self.key = key
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> dict[Any, Any]:
        if data in ({}, []):
            return {}  # none, in either edition's way
        if edition_of(self).maps:
            return super().to_internal_value(data)
        if not isinstance(data, list) or not all(isinstance(entry, Mapping) for entry in data):
            raise serializers.ValidationError("An array of objects is expected.")
        keys = [str(entry.get(self.key, "")) if self.key else str(place) for place, entry in enumerate(data)]
        if not all(keys) or len(set(keys)) < len(keys):
            raise serializers.ValidationError(f"Every entry needs an {self.key} of its own.")
        entries = [{name: value for name, value in entry.items() if name != self.key} for entry in data]
        try:
            return super().to_internal_value(dict(zip(keys, entries, strict=True)))
        except serializers.ValidationError as error:
            raise serializers.ValidationError(_by_place(error.detail, keys)) from error


def _by_place(detail: Any, keys: list[str]) -> Any:
    """Errors of a map's entries where the client finds them: in an array."""
    return {str(keys.index(name)): errors for name, errors in detail.items()} if isinstance(detail, dict) else detail


class Text(serializers.CharField):
    """A string as it is given: no number is taken for one, and no space at its ends is lost."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class WireSerializer(ShapeRequest):
    """Reads a type of SOL003, without the attributes that the request's edition does not have."""

    @property
    def shape(self) -> type:
        shape: type = self.dataclass_definition.dataclass_type
        return shape

    def known(self) -> set[str]:
        missing = edition_of(self).missing
        return {name for name, field in self.fields.items() if field.required or name not in missing}

    def to_internal_value(self, data: Any) -> Any:
        dialect = DIALECTS.get(self.shape)
        return super().to_internal_value(dialect(data) if dialect else data)

    def validate(self, attrs: Any) -> Any:
        if isinstance(attrs, IpAddresses) and (attrs.num_dynamic_addresses or 1) > 1:
            raise serializers.ValidationError(
                {"numDynamicAddresses": [unsupported("A port gets one address of a kind.")]}
            )
        return super().validate(attrs)

    def build_standard_field(self, field_name: str, type_info: TypeInfo) -> tuple[type[Any], dict[str, Any]]:
        field_class, kwargs = super().build_standard_field(field_name, type_info)
        is_exact = field_class is serializers.CharField and self.shape in (AccessInfo, InterfaceInfo)
        return (Text if is_exact else field_class), kwargs

    def build_composite_field(
        self, field_name: str, type_info: TypeInfo, extra_kwargs: dict[str, Any]
    ) -> tuple[type[Any], dict[str, Any]]:
        field_class, kwargs = super().build_composite_field(field_name, type_info, extra_kwargs)
        is_keyed = type_info.is_mapping and isinstance(kwargs.get("child"), ShapeRequest)
        return (KeyedField if is_keyed else field_class), kwargs
