"""Checks the element block of vnfd.yaml and its templates against the rest of the package."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from ipaddress import ip_address
from typing import Any

from vnfm.catalog.domain.config_template import names
from vnfm.catalog.domain.content import Content
from vnfm.catalog.domain.documents import Document, Path
from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.hot.template import Template
from vnfm.kit.xml import is_xml

Json = Mapping[str, Any]
ELEMENT_NAMES = ("instance.id", "instance.name", "element.name", "element.address")
COMPONENT_NAMES = ("component.vdu", "component.slot", "component.name")
ITEM_NAMES = ("item.number", "item.value")
"""Names that a template with `forEach` may use in addition."""
PLAIN = ("string", "number", "boolean")
"""Types of settings that fit in a line of configuration."""
MAX_BYTES = 256 * 1024
"""Limit of one template: enough for any first configuration, small enough for a diff."""


class ElementChecks:
    """Checks `element` against the descriptor, the root template and the files of the package."""

    def __init__(self, document: Document, root: Template, content: Content) -> None:
        self.document = document
        self.data: Json = document.data
        self.spec: Json = self.data["element"]
        self.root = root
        self.content = content
        self.vdus: dict[str, Json] = {vdu["id"]: vdu for vdu in self.data["vdus"]}

    def faults(self) -> Iterator[PackageFault]:
        yield from self._shape()
        yield from self._address()
        for index, entry in enumerate(self.spec.get("dayOne", ())):
            yield from self._day_one(("element", "dayOne", index), entry)
        yield from self._one_language()
        known = self._known_names(self.spec.get("perComponentOf", ""))
        for index, entry in enumerate(self.spec.get("ping", ())):
            where: Path = ("element", "ping", index)
            if isinstance(entry, str):
                yield from self._ping(where, entry, known)
            else:
                yield from self._ping((*where, "address"), entry["address"], known)

    def _shape(self) -> Iterator[PackageFault]:
        single = self.spec.get("perComponentOf")
        if single is not None:
            yield from self._one_of(("element", "perComponentOf"), single, self.vdus, "VDU")
        for index, vdu_id in enumerate(self.spec.get("cards", ())):
            where = ("element", "cards", index)
            yield from self._one_of(where, vdu_id, self.vdus, "VDU")
            if vdu_id in self.vdus and not any(self.vdus[vdu_id].get(key) for key in ("slots", "members")):
                yield self.document.fault(where, f"{vdu_id} has no slots, so cards cannot be matched with VMs.")

    def _address(self) -> Iterator[PackageFault]:
        address, single = self.spec["managementAddress"], self.spec.get("perComponentOf")
        where = ("element", "managementAddress")
        if "setting" in address:
            if single is not None:
                message = "Several elements cannot share one address: name a connection point."
                yield self.document.fault((*where, "setting"), message)
            yield from self._one_of((*where, "setting"), address["setting"], self._plain_settings(), "plain setting")
        else:
            among = [self.vdus[single]] if single in self.vdus else [*self.vdus.values()]
            points = [cp["id"] for vdu in among for cp in vdu["connectionPoints"]]
            here = (*where, "connectionPoint")
            yield from self._one_of(here, address["connectionPoint"], points, "connection point of the element")

    def _day_one(self, where: Path, entry: Json) -> Iterator[PackageFault]:
        single, vdu_id = self.spec.get("perComponentOf"), entry.get("vdu", "")
        if vdu_id and single is not None:
            yield self.document.fault((*where, "vdu"), "Each component is an element: leave vdu out.")
        elif vdu_id:
            yield from self._one_of((*where, "vdu"), vdu_id, self.vdus, "VDU")
        elif "removal" in entry:
            message = "The configuration of the whole element is removed with it: name a vdu, or leave removal out."
            yield self.document.fault((*where, "removal"), message)
        known = self._known_names(vdu_id or single or "")
        if "forEach" in entry:
            yield from self._one_of((*where, "forEach"), entry["forEach"], self._plain_settings(), "plain setting")
            known += ITEM_NAMES
        for key in ("template", "removal"):
            if key in entry:
                yield from self._template((*where, key), entry[key], known)

    def _one_language(self) -> Iterator[PackageFault]:
        """An element is configured by its command line or by NETCONF, never by both."""
        first, first_in_xml = "", False
        for index, entry in enumerate(self.spec.get("dayOne", ())):
            for key in ("template", "removal"):
                text = self._text(entry.get(key, ""))
                if text is None:
                    continue
                path, in_xml = entry[key], is_xml(text)
                if first and in_xml != first_in_xml:
                    message = (
                        f"{path} is {_language(in_xml)} and {first} is {_language(first_in_xml)}: an element accepts "
                        "one of them, so write all templates in one."
                    )
                    yield self.document.fault(("element", "dayOne", index, key), message)
                first, first_in_xml = first or path, first_in_xml if first else in_xml

    def _text(self, path: str) -> str | None:
        """None when it is not a template; `_template` yields the fault."""
        info = self.content.files.get(path)
        if info is None or info.size > MAX_BYTES:
            return None
        try:
            return self.content.read(path).decode()
        except UnicodeDecodeError:
            return None

    def _template(self, where: Path, path: str, known: Sequence[str]) -> Iterator[PackageFault]:
        info = self.content.files.get(path)
        if info is None:
            yield self.document.fault(where, f"The package has no file {path!r}.")
            return
        if info.size > MAX_BYTES:
            message = f"{path} has {info.size} bytes; {MAX_BYTES} are allowed."
            yield self.document.fault(where, message)
            return
        try:
            text = self.content.read(path).decode()
        except UnicodeDecodeError as error:
            yield PackageFault(path, f"The file is not UTF-8 text: {error.reason} at byte {error.start}.")
            return
        for line, name in names(text):
            if name not in known:
                yield PackageFault(path, _undefined(name, known), line=line)

    def _ping(self, where: Path, text: str, known: Iterable[str]) -> Iterator[PackageFault]:
        found = [name for _, name in names(text)]
        yield from (self.document.fault(where, _undefined(name, known)) for name in found if name not in known)
        if not found:
            try:
                ip_address(text)
            except ValueError:
                yield self.document.fault(where, f"{text!r} is neither an address nor a template of an address.")

    def _known_names(self, vdu_id: str) -> list[str]:
        """Names that a template for this VDU's components may use; "" for a template of the whole element."""
        found = [*ELEMENT_NAMES, *(f"setting.{name}" for name in self._plain_settings())]
        if vdu_id in self.vdus:
            points = self.vdus[vdu_id]["connectionPoints"]
            found += [*COMPONENT_NAMES, *(f"address.{cp['id']}" for cp in points)]
        return found

    def _plain_settings(self) -> list[str]:
        """Settings that fit in a line. Without hidden ones, since loaded configuration is shown and stored."""
        listed = [setting["name"] for group in self.data["settings"] for setting in group["settings"]]
        parameters = self.root.parameters
        return [
            name
            for name in listed
            if name in parameters and parameters[name].type in PLAIN and not parameters[name].hidden
        ]

    def _one_of(self, where: Path, name: str, known: Iterable[str], what: str) -> Iterator[PackageFault]:
        names_ = sorted(known)
        if name not in names_:
            yield self.document.fault(where, f"There is no {what} {name!r}; there are {', '.join(names_) or 'none'}.")


def _language(in_xml: bool) -> str:
    return "XML" if in_xml else "commands"


def _undefined(name: str, known: Iterable[str]) -> str:
    return f"There is no ${{{name}}} here; there are {', '.join(sorted(known))}."
