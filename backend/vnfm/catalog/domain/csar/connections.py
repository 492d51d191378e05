"""Gives connection points and virtual links SOL001's names."""

from collections.abc import Mapping
from typing import Any

from vnfm.catalog.domain.csar.matching import normalized
from vnfm.catalog.domain.csar.model import Attachment, DeploymentFlavour
from vnfm.catalog.domain.csar.tosca import Entity, text
from vnfm.catalog.domain.derive.naming import identifier
from vnfm.catalog.domain.findings import Finding

Json = dict[str, Any]


class Connections:
    def __init__(
        self, flavour: DeploymentFlavour, data: Json, pairs: Mapping[str, Json], findings: list[Finding]
    ) -> None:
        self.flavour, self.data, self.pairs, self.findings = flavour, data, pairs, findings
        self.links: dict[str, Json] = {link["id"]: link for link in data["virtualLinks"]}
        self.named: dict[str, str] = {}
        """Derived link to SOL001's name."""

    def map(self) -> None:
        used: set[str] = set()
        for name, vdu in self.pairs.items():
            attachments = {n: each for n, each in self.flavour.attachments.items() if each.vdu == name}
            for point, (outer, attachment) in _pair(vdu["connectionPoints"], attachments):
                self._point(point, outer, attachment)
                used.add(outer)
        for name, attachment in self.flavour.attachments.items():
            if name not in used:
                message = f"The HOT has no port in a server's template for {name}: the connection point is left out."
                self._report(attachment.part, message)
        self._rename()

    def _point(self, point: Json, name: str, attachment: Attachment) -> None:
        others = [each["id"] for vdu in self.data["vdus"] for each in vdu["connectionPoints"] if each is not point]
        point |= {"id": identifier(name, others), "name": name[:100]}
        where, link = point["virtualLink"], attachment.link or self.flavour.outer.get(name, "")
        known = self.named.get(where) or link
        self.named[where] = known
        if link and known != link:
            self._report(
                attachment.part, f"{name} is on {link}, but in the HOT its network {where} is that of {known}."
            )

    def _rename(self) -> None:
        """Rename links, also in their connection points."""
        taken = [link for link in self.links if not self.named.get(link)]
        renamed: dict[str, str] = {}
        for old, name in self.named.items():
            if name:
                renamed[old] = identifier(name, taken)
                self._link(old, name, renamed[old], again=name in taken)
                taken.append(renamed[old])
        for vdu in self.data["vdus"]:
            for point in vdu["connectionPoints"]:
                point["virtualLink"] = renamed.get(point["virtualLink"], point["virtualLink"])
        for name, part in self.flavour.links.items():
            if name not in self.named.values():
                self._report(part, f"No connection point of the HOT is on {name}: the virtual link is left out.")

    def _link(self, old: str, name: str, new: str, *, again: bool) -> None:
        link, part = self.links[old], self.flavour.links.get(name)
        link |= {"id": new, "name": name[:100]}
        if part is None:
            return
        if again:
            self._report(part, f"In the HOT, {name} is several networks: {old} is called {new}.")
        if part.mapping("vl_profile") and "networkParameter" not in link:
            link["internal"] = True
        about = text(part.get("description"))
        if about:
            link["description"] = about[:2000]

    def _report(self, part: Entity, message: str) -> None:
        self.findings.append(part.finding("warning", "SOL001_CONNECTION", message))


def _pair(points: list[Json], attachments: Mapping[str, Attachment]) -> list[tuple[Json, tuple[str, Attachment]]]:
    """Pairs of ports and SOL001's connection points: by name, the rest in their order."""
    remaining, found = dict(attachments), []
    for point in points:
        name = next((n for n in remaining if normalized(n) in (normalized(point["port"]), normalized(point["id"]))), "")
        if name:
            found.append((point, (name, remaining.pop(name))))
    rest = [point for point in points if not any(point is each for each, _ in found)]
    ordered = sorted(remaining.items(), key=lambda item: item[1].order)
    return [*found, *zip(rest, ordered, strict=False)]
