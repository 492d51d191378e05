"""Derives our VNFD from a CSAR, by its SOL001 VNFD and its HOT."""

from dataclasses import replace

from vnfm.catalog.domain.content import Content
from vnfm.catalog.domain.csar.definitions import load_definitions, mapping
from vnfm.catalog.domain.csar.hot_files import find_hot, flavours_served, has_hot, no_hot
from vnfm.catalog.domain.csar.matching import copied_resources
from vnfm.catalog.domain.csar.meta import META, Csar
from vnfm.catalog.domain.csar.refinement import Refinement
from vnfm.catalog.domain.csar.sol001 import read_descriptor
from vnfm.catalog.domain.csar.tosca import text
from vnfm.catalog.domain.csar.user_data import find_user_data
from vnfm.catalog.domain.derive.descriptor import Derived, derive_from
from vnfm.catalog.domain.findings import errors_of, sort_findings
from vnfm.catalog.domain.hot.templates import OLDEST, HeatTarget

_METADATA = {"template_author": "provider", "template_name": "product_name", "template_version": "descriptor_version"}
"""Metadata in the definition of a CSAR without TOSCA.meta (SOL004 clause 4.1.3)."""


def derive_csar(
    content: Content, csar: Csar, target: HeatTarget = OLDEST, *, product: dict[str, str], root: str = ""
) -> Derived:
    """Deterministic. `product`: metadata of the manifest, used where SOL001 has none; `root`: chosen by the user."""
    definitions, findings = load_definitions(content, csar.definitions)
    if definitions is None:
        findings += [] if has_hot(content) else [no_hot(content)]
        return Derived("", {}, tuple(sort_findings(findings)))
    descriptor = read_descriptor(definitions)
    findings += descriptor.findings
    metadata = mapping(definitions.documents[0].data, "metadata")
    own = {_METADATA[key]: text(value) for key, value in metadata.items() if key in _METADATA and text(value)}
    descriptor = replace(descriptor, identity={**product, **own, **descriptor.identity})
    found, root_findings = find_hot(content, {document.path for document in definitions.documents}, descriptor, root)
    findings += [*root_findings, *find_user_data(content)]
    if found is None or errors_of(findings):
        return Derived("", {}, tuple(sort_findings(findings)))
    served = flavours_served(found.template, content, descriptor)
    mapped = Refinement(content, descriptor, served, csar.definitions)
    copied = copied_resources(content.yaml(found.template), mapped.flavours)
    known = {csar.definitions, csar.manifest, csar.certificate, META, *(each.path for each in definitions.documents)}
    return derive_from(content, found, findings, target, mapped.refine, copied=copied, known=known)
