"""The Heat templates of a CSAR, and which of them is the root."""

from collections.abc import Collection
from posixpath import dirname

from vnfm.catalog.domain.content import Content
from vnfm.catalog.domain.csar.meta import has_key
from vnfm.catalog.domain.csar.model import Descriptor
from vnfm.catalog.domain.derive.environments import paired_name
from vnfm.catalog.domain.derive.roots import Root, find_root
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.foreign_formats import recognise_package
from vnfm.catalog.domain.hot.check import listed
from vnfm.catalog.domain.hot.template import TEMPLATE_SUFFIXES

BASE = "BaseHOT/"
"""Tacker's folder: below it one for each deployment flavour, with the root in it and the rest in `nested/`."""
_OTHER_TOOLS = (
    "a Helm chart, for Kubernetes",
    "a template of Helm, for Kubernetes",
    "a tar.gz (gzip), not a zip",
    "a manifest of Kubernetes",
    "configuration of Terraform",
    "a playbook of Ansible",
)
_NEXT = (
    "This manager cannot run VNFs without a HOT, such as Helm charts. If there is a HOT, put it where Tacker has it "
    "(BaseHOT/<flavour>/x.yaml), or send the files with a vnfd.yaml of your own."
)


def find_hot(
    content: Content, definitions: set[str], descriptor: Descriptor, root: str = ""
) -> tuple[Root | None, list[Finding]]:
    """The root: chosen by the user, named by the VNFD, in Tacker's folders, or found as for plain templates."""
    if root:
        return find_root(content, root)
    template = next((flavour.template for flavour in descriptor.flavours if flavour.template), "")
    if template in content.files:
        return _root(content, template), []
    folders = _folders(content)
    named = [descriptor.identity.get("flavour_id", ""), *(flavour.id for flavour in descriptor.flavours)]
    chosen = next((flavour for flavour in (*named, *sorted(folders)) if flavour in folders), None)
    if chosen is not None and len(folders[chosen]) == 1:
        return _root(content, folders[chosen][0]), []
    below = f"{BASE}{chosen}/" if chosen else ""
    rest = {path: info for path, info in content.files.items() if path.startswith(below) and path not in definitions}
    if not any(_is_template(content, path) for path in rest):
        return None, [no_hot(content, definitions)]
    return find_root(Content(rest, content.read, content.open, content.parsed))


def no_hot(content: Content, definitions: Collection[str] = ()) -> Finding:
    """Report that the CSAR has no HOT, and which of its files are for other tools."""
    others = [path for path in content.files if path not in definitions and not path.startswith("TOSCA-Metadata/")]
    found = recognise_package(others, content.head)
    known = {path: each.format.what for path, each in found.items() if each.format.what in _OTHER_TOOLS}
    instead = f" (but {listed(f'{what} in {path}' for path, what in known.items())})" if known else ""
    return Finding("error", "CSAR_NO_HOT", f"There is no Heat template in the CSAR{instead}. {_NEXT}")


def has_hot(content: Content) -> bool:
    return any(_is_template(content, path) for path in content.files)


def flavours_served(root: str, content: Content, descriptor: Descriptor) -> set[str]:
    """The deployment flavours that the root is for: all, unless flavours have folders of their own."""
    all_flavours = {flavour.id for flavour in descriptor.flavours}
    if any(flavour.template for flavour in descriptor.flavours):
        return {flavour.id for flavour in descriptor.flavours if flavour.template == root}
    return {flavour for flavour, paths in _folders(content).items() if root in paths} & all_flavours or all_flavours


def _root(content: Content, template: str) -> Root:
    environment = paired_name(template)
    return Root(template, (environment,) if environment in content.files else ())


def _folders(content: Content) -> dict[str, list[str]]:
    """Flavour to the templates in its folder, without subfolders."""
    found: dict[str, list[str]] = {}
    for path in sorted(content.files):
        folder = dirname(path)
        if path.startswith(BASE) and folder.count("/") <= 1 and _is_template(content, path):
            found.setdefault(folder.removeprefix(BASE.rstrip("/")).strip("/"), []).append(path)
    return found


def _is_template(content: Content, path: str) -> bool:
    return path.endswith(TEMPLATE_SUFFIXES) and has_key(content, path, "heat_template_version")
