"""Connection points and virtual links by SOL001's names."""

from collections.abc import Mapping
from typing import Any

from vnfm.catalog.domain.csar.matching import plain
from vnfm.catalog.domain.csar.model import Attachment, DeploymentFlavour
from vnfm.catalog.domain.csar.tosca import Part, text
from vnfm.catalog.domain.derive.words import identifier
from vnfm.catalog.domain.findings import Finding

Json = dict[str, Any]


class Connections:
    def __init__(
        self, flavour: DeploymentFlavour, data: Json, pairs: Mapping[str, Json], findings: list[Finding]
    ) -> None:
        self.flavour, self.data, self.pairs, self.findings = flavour, data, pairs, findings
        self.links: dict[str, Json] = {link["id"]: link for link in data["virtualLinks"]}
        self.named: dict[str, str] = {}
        """Derived link to SOL001's name of it."""

    def map(self) -> None:
        used: set[str] = set()
        for name, vdu in self.pairs.items():
            said = {n: each for n, each in self.flavour.attachments.items() if each.vdu == name}
            for point, (outer, attachment) in _paired(vdu["connectionPoints"], said):
                self._point(point, outer, attachment)
                used.add(outer)
        for name, attachment in self.flavour.attachments.items():
            if name not in used:
                message = f"The HOT has no port beside a server for {name}: the connection point is left out."
                self._say(attachment.part, message)
        self._rename()

    def _point(self, point: Json, name: str, attachment: Attachment) -> None:
        others = [each["id"] for vdu in self.data["vdus"] for each in vdu["connectionPoints"] if each is not point]
        point |= {"id": identifier(name, others), "name": name[:100]}
        where, link = point["virtualLink"], attachment.link or self.flavour.outer.get(name, "")
        known = self.named.get(where) or link
        self.named[where] = known
        if link and known != link:
            self._say(attachment.part, f"{name} is on {link}; by the HOT its network {where} is that of {known}.")

    def _rename(self) -> None:
        """Links, and the connection points that are on them."""
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
                self._say(part, f"No connection point of the HOT is on {name}: the virtual link is left out.")

    def _link(self, old: str, name: str, new: str, *, again: bool) -> None:
        link, part = self.links[old], self.flavour.links.get(name)
        link |= {"id": new, "name": name[:100]}
        if part is None:
            return
        if again:
            self._say(part, f"By the HOT, {name} is several networks: {old} of them is called {new}.")
        if part.mapping("vl_profile") and "networkParameter" not in link:
            link["internal"] = True
        about = text(part.get("description"))
        if about:
            link["description"] = about[:2000]

    def _say(self, part: Part, message: str) -> None:
        self.findings.append(part.say("warning", "SOL001_CONNECTION", message))


def _paired(points: list[Json], said: Mapping[str, Attachment]) -> list[tuple[Json, tuple[str, Attachment]]]:
    """Ports and SOL001's connection points: those of one name, the rest in their order."""
    left, found = dict(said), []
    for point in points:
        name = next((n for n in left if plain(n) in (plain(point["port"]), plain(point["id"]))), "")
        if name:
            found.append((point, (name, left.pop(name))))
    rest = [point for point in points if not any(point is each for each, _ in found)]
    ordered = sorted(left.items(), key=lambda item: item[1].order)
    return [*found, *zip(rest, ordered, strict=False)]
