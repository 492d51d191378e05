"""Heat templates for tests: small ones written on the spot, and those of tests/fixtures/hot."""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

HOT = "heat_template_version: 2015-10-15\n"
FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "hot"


def content(files: Mapping[str, bytes | str]) -> Any:
    """The files as the content of a package."""
    from vnfm.catalog.domain.content import Content, FileInfo

    data = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    return Content({p: FileInfo(sha256(d).hexdigest(), len(d)) for p, d in data.items()}, data.__getitem__)


def template_set(files: Mapping[str, bytes | str], *, root: str = "base.yaml", target: Any = None) -> Any:
    """The templates, with what was found while they were read; `base.env` is the environment, if there is one."""
    from dataclasses import replace

    from vnfm.catalog.domain.documents import parse_yaml
    from vnfm.catalog.domain.hot.templates import FileReference, HeatTarget, load_templates

    anchor = parse_yaml("vnfd.yaml", f"template: {root}".encode())
    environment = "base.env" if "base.env" in files else ""
    templates, findings = load_templates(content(files), FileReference(anchor, ("template",), root), environment, {})
    return replace(templates, target=target or HeatTarget()) if templates else None, findings


def findings(files: Mapping[str, bytes | str] | str, *, target: Any = None) -> list[Any]:
    """Everything that is found in the files, or in one template without its first line."""
    from vnfm.catalog.domain.findings import sort_findings
    from vnfm.catalog.domain.hot.validate import validate

    named = {"base.yaml": HOT + files} if isinstance(files, str) else files
    templates, read = template_set(named, target=target)
    return sort_findings([*read, *(validate(templates) if templates else [])])


def fixture_files(name: str) -> dict[str, bytes]:
    folder = FIXTURES / name
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
