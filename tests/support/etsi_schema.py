"""ETSI's own schemas of SOL003 and SOL005 V3.7.1, which validate our answers.

`etsi/*.json` have the definitions as published, without their descriptions. Some of them contradict
the text of the standard, which prevails; they are put right here. ETSI's schemas let any further attribute pass; these
do not, unless `extended`: a misspelt one would otherwise count as none.
"""

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

PUBLISHED: dict[str, Any] = {
    name: definition
    for document in sorted((Path(__file__).parents[1] / "etsi").glob("*.json"))
    for name, definition in json.loads(document.read_text())["$defs"].items()
}


def properties(name: str) -> set[str]:
    """The attributes of a type in V3.7.1."""
    return set(PUBLISHED[name]["properties"])


def errors(name: str, body: Any, edition: str = "v2", *, extended: bool = False) -> list[str]:
    """Return what is wrong with `body` as a `name`, each with its place. `extended`: it may have attributes of our
    own.
    """
    found = _validator(name, edition, extended).iter_errors(body)
    return [f"/{'/'.join(str(step) for step in error.path)}: {error.message}" for error in found]


@cache
def _validator(name: str, edition: str, extended: bool) -> Draft202012Validator:
    definitions = _corrected()
    if edition == "v1":
        _as_in_261(definitions)
    definitions = definitions if extended else closed(definitions)
    schema = {"$ref": f"#/$defs/{name}", "$defs": definitions}
    return Draft202012Validator(schema, format_checker=FormatChecker())


def _corrected() -> dict[str, Any]:
    definitions: dict[str, Any] = deepcopy(PUBLISHED)
    # 5.5.2.13: at most one of changedInfo and modificationsTriggeredByVnfPkgChange; the schema demands one.
    del definitions["VnfLcmOpOcc"]["oneOf"]
    # 4.4.1.4: the attribute is scaleLevel, an integer; the schema requires it, but describes a scaleToLevel.
    levels = definitions["ScaleInfo"]["properties"]
    levels["scaleLevel"] = {"type": "integer", "minimum": 0}
    del levels["scaleToLevel"]
    # 5.5.3.10 and 4.4.1.10c: what excludes each other are members of ipAddresses, not of the type.
    del definitions["IpOverEthernetAddressInfo"]["oneOf"]
    del definitions["IpOverEthernetAddressData"]["oneOf"]
    # 4.4.1.5: all attributes are optional; the schema demands some, one of them by a name that it does not have.
    del definitions["VnfInstanceSubscriptionFilter"]["anyOf"]
    # SOL005 9.5.3.5: a checksum is an object; the definition published with SOL003 is a string.
    strings = {"algorithm": {"type": "string"}, "hash": {"type": "string"}}
    definitions["Checksum"] = {"type": "object", "required": ["algorithm", "hash"], "properties": strings}
    _correct_pm(definitions)
    _correct_snapshots(definitions)
    # 8.5.3.2: notificationTypes is an array. 8.5.2.6: the type's own name; the schema has that of the other.
    kinds = definitions["VnfIndicatorNotificationsFilter"]["properties"]
    kinds["notificationTypes"] = {"type": "array", "items": kinds["notificationTypes"]}
    supported = definitions["SupportedIndicatorsChangeNotification"]["properties"]
    supported["notificationType"] = {"enum": ["SupportedIndicatorsChangeNotification"]}
    # RFC 7807 lets problems be extended.
    definitions["ProblemDetails"]["additionalProperties"] = True
    return definitions


def _correct_snapshots(definitions: dict[str, Any]) -> None:
    # 5.5.2.23 and 5.5.3.26: the schema demands names that neither type has.
    names = {"triggeredAt": "creationStartedAt", "vnfInfo": "vnfInstance", "vnfcResourceId": "vnfcResourceInfoId"}
    for name in ("VnfSnapshot", "VnfcSnapshotInfo"):
        definitions[name]["required"] = [names.get(each, each) for each in definitions[name]["required"]]
    # 5.5.3.26: a reference to a resource is a ResourceHandle, as it is of the compute snapshot.
    storage = definitions["VnfcSnapshotInfo"]["properties"]["storageSnapshotResources"]["items"]["properties"]
    storage["storageSnapshotResource"] = {"$ref": "#/$defs/ResourceHandle"}


def _correct_pm(definitions: dict[str, Any]) -> None:
    # 6.5.2.7: reports are 0..N.
    reports = definitions["PmJob"]["properties"]["reports"]
    definitions["PmJob"]["properties"]["reports"] = {"type": "array", "items": reports}
    # 6.5.2.10: the attribute is performanceValues; values are of any type.
    entry = definitions["PerformanceReport"]["properties"]["entries"]["items"]
    entry["required"] = ["objectType", "objectInstanceId", "performanceMetric", "performanceValues"]
    entry["properties"]["performanceValues"]["items"]["properties"]["value"] = {}
    definitions["ThresholdCrossedNotification"]["properties"]["performanceValue"] = {}
    # 6.5.3.2: seconds, without an upper limit.
    for period in ("collectionPeriod", "reportingPeriod"):
        del definitions["PmJobCriteria"]["properties"][period]["maximum"]


def _as_in_261(definitions: dict[str, Any]) -> None:
    """Apply what SOL003 V2.6.1 has otherwise, see `vnfm.lcm.wire.editions`."""
    instance = definitions["VnfInstance"]["properties"]
    info = instance["instantiatedVnfInfo"]["properties"]
    info["virtualLinkResourceInfo"] = info.pop("vnfVirtualLinkResourceInfo")
    del info["maxScaleLevels"]
    instance["vnfPkgId"] = {"type": "string"}
    definitions["VimConnectionInfo"]["properties"]["id"] = {"type": "string"}
    definitions["VimConnectionInfo"]["required"].append("id")
    instance["vimConnectionInfo"] = {"type": "array", "items": {"$ref": "#/$defs/VimConnectionInfo"}}
    del instance["_links"]["properties"]["changeCurrentVnfPkg"]
    external = definitions["VnfExtCpInfo"]
    del external["properties"]["cpConfigId"]
    external["required"].remove("cpConfigId")
    link = definitions["ExtVirtualLinkInfo"]
    del link["properties"]["currentVnfExtCpData"]
    link["required"].remove("currentVnfExtCpData")
    del definitions["VnfLcmOpOcc"]["properties"]["warnings"]
    del definitions["LccnSubscription"]["properties"]["verbosity"]
    definitions["LccnSubscription"]["required"].remove("verbosity")
    for name in ("PmJob", "Threshold", "PerformanceInformationAvailableNotification", "ThresholdCrossedNotification"):
        for attribute in ("objectType", "subObjectInstanceId", "subObjectInstanceIds", "callbackUri", "pmJobId"):
            definitions[name]["properties"].pop(attribute, None)
        known = definitions[name]["properties"]
        definitions[name]["required"] = [each for each in definitions[name]["required"] if each in known]
    for name in ("PerformanceInformationAvailableNotification", "ThresholdCrossedNotification"):
        definitions[name]["properties"]["subscriptionId"] = {"type": "string"}
        definitions[name]["properties"]["_links"]["properties"]["subscription"] = {"$ref": "#/$defs/NotificationLink"}
        definitions[name]["required"].append("subscriptionId")
    affected = definitions["AffectedVirtualLink"]
    affected["properties"]["virtualLinkDescId"] = affected["properties"].pop("vnfVirtualLinkDescId")
    affected["required"] = [
        "virtualLinkDescId" if name == "vnfVirtualLinkDescId" else name for name in affected["required"]
    ]


def closed(schema: Any) -> Any:
    """The schema without room for attributes that it does not name."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    copy = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "type" in schema:
        copy.setdefault("additionalProperties", False)
    return copy
