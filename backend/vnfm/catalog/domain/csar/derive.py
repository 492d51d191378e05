"""From a CSAR to a VNFD of ours: SOL001 and the HOT together."""

from dataclasses import replace

from vnfm.catalog.domain.csar.definitions import load_definitions, mapping
from vnfm.catalog.domain.csar.flatten import flatten
from vnfm.catalog.domain.csar.hots import find_hot, flavours_served
from vnfm.catalog.domain.csar.mapping import Mapped
from vnfm.catalog.domain.csar.meta import Csar
from vnfm.catalog.domain.csar.sol001 import read_descriptor
from vnfm.catalog.domain.csar.tosca import text
from vnfm.catalog.domain.derive.descriptor import Derived, derive_from
from vnfm.catalog.domain.findings import errors_of, in_order
from vnfm.catalog.domain.hot.templates import OLDEST, Target
from vnfm.catalog.domain.sources import Content, with_added

_METADATA = {"template_author": "provider", "template_name": "product_name", "template_version": "descriptor_version"}
"""What the definition of a CSAR without TOSCA.meta says of itself (SOL004 clause 4.1.3)."""


def derive_csar(content: Content, csar: Csar, target: Target = OLDEST, *, product: dict[str, str]) -> Derived:
    """The VNFD of a CSAR, deterministic. `product` is what its manifest says of it, taken where SOL001 does not."""
    definitions, findings = load_definitions(content, csar.definitions)
    if definitions is None:
        return Derived("", {}, tuple(in_order(findings)))
    descriptor = read_descriptor(definitions)
    findings += descriptor.findings
    metadata = mapping(definitions.documents[0].data, "metadata")
    own = {_METADATA[key]: text(value) for key, value in metadata.items() if key in _METADATA and text(value)}
    descriptor = replace(descriptor, identity={**product, **own, **descriptor.identity})
    root, said = find_hot(content, {document.path for document in definitions.documents}, descriptor)
    findings += said
    if root is None or errors_of(findings):
        return Derived("", {}, tuple(in_order(findings)))
    served = flavours_served(root.template, content, descriptor)
    flat = flatten(content, root.template)
    findings += flat.findings
    added = {flat.path: flat.text} if flat.text else {}
    mapped = Mapped(content, descriptor, served, csar.definitions)
    derived = derive_from(
        with_added(content, added), replace(root, template=flat.path), findings, target, mapped.refine
    )
    return replace(derived, files={**added, **derived.files})
