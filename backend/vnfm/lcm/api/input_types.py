"""Data types that the requests of SOL003 5.5.2 share (SOL003 4.4.1 and 5.5.3)."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rest_framework import serializers

from vnfm.kit.wire import Reasons, StrictSerializer, unsupported
from vnfm.lcm.wire.dialects import managed_link, vim_connection
from vnfm.lcm.wire.editions import V2, Edition

MAX_ID = 255
MAX_SECRET = 500
MAX_ACCOUNT = 100
MAX_PROJECT_ID = 64
"""Of names in Keystone, as a VIM keeps them."""
MAX_COUNT = 2**31 - 1
"""Of what is counted, such as levels of a scaling aspect: that of PostgreSQL's integer."""

DIRECT_MODE = "We manage resources in direct mode only (SOL003 4.4.1.6): name the VIM."
OWN_PORTS = "The ports of a VNF are made by its package; none that exists already can be taken."
CHOSEN_BY_PACKAGE = "Addresses are what the package's settings say: give them in additionalParams."


def edition_of(field: serializers.Field[Any, Any, Any, Any]) -> Edition:
    """The edition in which the request was sent; plan previews speak the newest."""
    edition = field.context.get("edition", V2)
    assert isinstance(edition, Edition)
    return edition


class WireSerializer(StrictSerializer):
    """A type of SOL003, without the attributes that the request's edition does not have."""

    def known(self) -> set[str]:
        return super().known() - edition_of(self).missing


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


class IdField(serializers.UUIDField):
    """An identifier of ours, kept as it is written on the wire."""

    def to_internal_value(self, data: Any) -> Any:
        return str(super().to_internal_value(data))


class Text(serializers.CharField):
    """A string as it is given: no number is taken for one, and no space at its ends is lost."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class InterfaceInfo(StrictSerializer):
    """How an OpenStack VIM is reached (SOL003 4.4.1.6: KeyValuePairs, by ETSI's registry of VIM types)."""

    cannot: ClassVar[Reasons] = {
        "skipCertificateHostnameCheck": "The name is checked wherever the certificate is: skip both, or none."
    }
    strange = unsupported("A VIM of this type needs no such member.")

    endpoint = Text(required=False, max_length=500)
    trustedCertificates = serializers.ListField(child=Text(), required=False)
    skipCertificateVerification = serializers.BooleanField(required=False)


class AccessInfo(StrictSerializer):
    """How we log in to an OpenStack VIM, from the same registry: with a user's name and password alone.

    `projectId` is not of the registry: Keystone's id of the project, in place of its name and domain.
    """

    strange = unsupported(
        "We log in with username, password, project or projectId, userDomain and projectDomain alone."
    )

    username = Text(required=False, max_length=MAX_ACCOUNT)
    password = Text(required=False, max_length=MAX_SECRET)
    project = Text(required=False, max_length=MAX_ACCOUNT)
    projectId = Text(required=False, max_length=MAX_PROJECT_ID)
    userDomain = Text(required=False, max_length=MAX_ACCOUNT)
    projectDomain = Text(required=False, max_length=MAX_ACCOUNT)
    region = Text(required=False, max_length=MAX_ACCOUNT, allow_blank=True)


class VimConnectionInfo(WireSerializer):
    """SOL003 4.4.1.6: a registered VIM by `vimId`, or full credentials in `interfaceInfo` and `accessInfo`."""

    cannot: ClassVar[Reasons] = {"extra": "This VIM type has no further parameters."}

    vimId = serializers.CharField(required=False, max_length=MAX_ID)
    vimType = serializers.ChoiceField(
        choices=["ETSINFV.OPENSTACK_KEYSTONE.V_3", "ETSINFV.OPENSTACK_KEYSTONE.v_3"], required=False
    )
    """SOL003 requires it; `vimId` says as much of a registered VIM."""
    interfaceInfo = InterfaceInfo(required=False)
    accessInfo = AccessInfo(required=False)

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(vim_connection(data))

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs.keys() & {"vimId", "vimType"}:
            raise serializers.ValidationError({"vimType": "This field is required without vimId."})
        return attrs


class ScaleInfo(WireSerializer):
    """SOL003 4.4.1.4."""

    cannot: ClassVar[Reasons] = {"vnfdId": "A VNF instance has one VNFD."}

    aspectId = serializers.CharField(max_length=100)
    scaleLevel = serializers.IntegerField(min_value=0, max_value=MAX_COUNT)


class IpAddresses(WireSerializer):
    """Of SOL003 4.4.1.10c IpOverEthernetAddressData: only that the VIM shall choose an address."""

    cannot: ClassVar[Reasons] = dict.fromkeys(("fixedAddresses", "addressRange", "subnetId"), CHOSEN_BY_PACKAGE)

    type = serializers.ChoiceField(choices=["IPV4", "IPV6"])
    numDynamicAddresses = serializers.IntegerField(required=False, min_value=1, max_value=MAX_COUNT)

    def validate_numDynamicAddresses(self, value: int) -> int:
        if value > 1:
            raise serializers.ValidationError([unsupported("A port gets one address of a kind.")])
        return value


class IpOverEthernet(WireSerializer):
    """SOL003 4.4.1.10c IpOverEthernetAddressData."""

    cannot: ClassVar[Reasons] = {
        "macAddress": "The VIM chooses MAC addresses.",
        "segmentationId": "Packages have no trunk ports.",
        "segmentationType": "Packages have no trunk ports.",
    }

    ipAddresses = IpAddresses(many=True, required=False)


class CpProtocolData(WireSerializer):
    """SOL003 4.4.1.10b."""

    layerProtocol = serializers.ChoiceField(choices=["IP_OVER_ETHERNET"])
    ipOverEthernet = IpOverEthernet(required=False)


class CpConfig(WireSerializer):
    """SOL003 4.4.1.10a VnfExtCpConfig: what says that we shall make a port with an address of the VIM's choice."""

    cannot: ClassVar[Reasons] = {
        "linkPortId": OWN_PORTS,
        "createExtLinkPort": OWN_PORTS,
        "cpInstanceId": "All CPs of a VL are connected alike: name the cpdId alone.",
        "parentCpConfigId": "Packages have no trunk ports.",
        "netAttDefResourceId": "That is for containers.",
    }

    cpProtocolData = CpProtocolData(many=True, required=False)


class ExtCp(WireSerializer):
    """SOL003 4.4.1.10 VnfExtCpData."""

    cpdId = serializers.CharField(max_length=100)
    cpConfig = KeyedField(child=CpConfig(), required=False)


class ExtVirtualLink(WireSerializer):
    """SOL003 4.4.1.11 ExtVirtualLinkData: an existing network for the connection points of a VL."""

    cannot: ClassVar[Reasons] = {"resourceProviderId": DIRECT_MODE, "extLinkPorts": OWN_PORTS}

    id = serializers.CharField(max_length=MAX_ID)
    resourceId = serializers.CharField(max_length=MAX_ID)
    vimConnectionId = serializers.CharField(required=False, max_length=MAX_ID)
    extCps = ExtCp(many=True, allow_empty=False)


class ExtManagedVirtualLink(WireSerializer):
    """SOL003 4.4.1.12 ExtManagedVirtualLinkData: an existing network for an internal VL of the VNFD."""

    cannot: ClassVar[Reasons] = {
        "resourceProviderId": DIRECT_MODE,
        "vnfLinkPort": OWN_PORTS,
        "extManagedMultisiteVirtualLinkId": "A VNF instance is in one VIM.",
        "netAttDefResourceId": "That is for containers.",
    }

    id = serializers.CharField(max_length=MAX_ID)
    vnfVirtualLinkDescId = serializers.CharField(max_length=100)
    vimConnectionId = serializers.CharField(required=False, max_length=MAX_ID)
    resourceId = serializers.CharField(max_length=MAX_ID)

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(managed_link(data))
