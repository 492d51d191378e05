"""Recognises by their content files that are none of ours, so that a refusal says what was sent and what to do.

FORMATS is the one list: the first row that recognises a file counts. Patterns are RE2's, in the first HEAD_BYTES.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

import re2

HEAD_BYTES = 64 * 1024
"""Formats are recognised by this many bytes of a file; ISO 9660 has its mark at 32 KiB."""
Find = Callable[[str, bytes], int | None]
"""From path and head to the line where the format shows (from 1; 0: as a whole); None: it is another format."""


@dataclass(frozen=True, slots=True)
class Format:
    find: Find
    what: str
    """It completes "This is …", and says why the format is not ours, where the name alone does not."""
    advice: str
    """It tells the user in a sentence what to send instead."""


@dataclass(frozen=True, slots=True)
class Recognised:
    format: Format
    line: int

    @property
    def sentence(self) -> str:
        place = f" (line {self.line})" if self.line else ""
        return f"This is {self.format.what}{place}. {self.format.advice}"


def recognise(path: str, head: bytes) -> Recognised | None:
    """The first format of FORMATS that the file has; None where none is recognised."""
    return _first(FORMATS, path, head)


def recognise_upload(head: bytes) -> Recognised | None:
    """Recognise the format of an upload that is not a zip."""
    return _first((_HOT, *FORMATS), "", head)


def recognise_unreadable(path: str, content: bytes, line: int) -> Recognised | None:
    """Recognise a file that YAML refuses at `line` (from 1; 0: unknown).

    The signs of another tool's template are text in a file that YAML can read, so they count near that line alone.
    """
    lines = content.splitlines(keepends=True)
    before = max(line - _LINES_BEFORE, 0)
    unrendered = _first(UNRENDERED, path, b"".join(lines[before : line or None]))
    if unrendered:
        return Recognised(unrendered.format, unrendered.line + before)
    is_hot = _is_hot(path, content[:HEAD_BYTES]) is not None
    return _first((_MERGE,) if is_hot else (_MERGE, *FORMATS), path, content)


def recognise_package(paths: Iterable[str], head: Callable[[str, int], bytes]) -> dict[str, Recognised]:
    """The files of a package that has no template, by path: of each format the first, in the order of FORMATS."""
    found: dict[Format, tuple[str, Recognised]] = {}
    for path in sorted(paths, key=lambda path: (path.count("/"), path))[:_MOST_FILES]:
        recognised = recognise(path, head(path, HEAD_BYTES))
        if recognised:
            found.setdefault(recognised.format, (path, recognised))
    return dict(found[known] for known in FORMATS if known in found)


def _first(formats: Iterable[Format], path: str, head: bytes) -> Recognised | None:
    for known in formats:
        line = known.find(path, head[:HEAD_BYTES])
        if line is not None:
            return Recognised(known, line)
    return None


def yaml_mistake(text: str, line: int, column: int) -> str:
    """Name the mistake at this place (line from 1, column from 0) of a text that YAML refuses; "" for any other."""
    written = next(islice(text.splitlines(), line - 1, line), "") if line else ""
    if "\t" in written[: len(written) - len(written.lstrip())] or written[column : column + 1] == "\t":
        return f"Line {line} has a tab where YAML takes blanks only: indent it with blanks."
    sign = written[column : column + 1]
    if sign and sign in "@`%":
        return (
            f"Line {line} has a value that begins with {sign}, which YAML reserves: put it between quotes; or, where "
            "it is a placeholder of another tool, write the value."
        )
    return ""


_MOST_FILES = 300
_LINES_BEFORE = 3
_TEMPLATE_SUFFIXES = (".erb", ".mustache", ".tpl", ".tmpl", ".gotmpl")


def _magic(*begins: bytes, at: int = 0) -> Find:
    return lambda _path, head: 0 if head[at:].startswith(begins) else None


def _named(*names: str, holds: str = "") -> Find:
    """By the file's own name, and a pattern that it must hold."""
    pattern = _pattern(holds)

    def find(path: str, head: bytes) -> int | None:
        return 0 if PurePosixPath(path).name.lower() in names and pattern.search(head) else None

    return find


def _text(*patterns: str) -> Find:
    """By patterns that the text must all hold; the line is that of the first."""
    compiled = [_pattern(pattern) for pattern in patterns]

    def find(_path: str, head: bytes) -> int | None:
        places = [pattern.search(head) for pattern in compiled]
        if not all(places):
            return None
        return head.count(b"\n", 0, places[0].start()) + 1

    return find


def _suffixed(suffixes: tuple[str, ...], find: Find) -> Find:
    return lambda path, head: find(path, head) if path.lower().endswith(suffixes) else None


def _either(*finds: Find) -> Find:
    def find(path: str, head: bytes) -> int | None:
        return next((line for each in finds if (line := each(path, head)) is not None), None)

    return find


def _pattern(text: str) -> Any:  # re2 has no types
    options = re2.Options()
    options.max_mem, options.log_errors, options.encoding = 1 << 20, False, re2.Options.Encoding.LATIN1
    return re2.compile(f"(?m){text}".encode(), options)


def _empty(path: str, head: bytes) -> int | None:
    """Only where something was expected in it: tools keep many empty files, such as Python's `__init__.py`."""
    is_expected = not path or path.endswith((".yaml", ".yml", ".template", ".hot", ".env", ".zip", ".csar"))
    return 0 if is_expected and not head.strip(b"\xef\xbb\xbf \t\r\n") else None


def _utf16(_path: str, head: bytes) -> int | None:
    wide = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    return 0 if wide or (len(head) > 1 and head[1:2] == b"\0" and head[3:4] == b"\0" and head[:1].isascii()) else None


def _tar(_path: str, head: bytes) -> int | None:
    return 0 if head[257:262] == b"ustar" else None


def _ova(path: str, head: bytes) -> int | None:
    is_ova = head[:100].rstrip(b"\0").endswith(b".ovf") or path.lower().endswith(".ova")
    return 0 if is_ova and _tar(path, head) == 0 else None


ITSELF_A_ZIP = "itself a zip"
_ARCHIVE = "Unpack it, and send its files as a zip: zip -r vnf.zip . in the folder of the template."
_TO_GLANCE = "Upload it to Glance, and send the HOT whose servers boot from it; the image may lie beside it in the zip."
_ONLY_HEAT = "This manager runs VNFs by Heat: send a HOT (heat_template_version) and its files, as a zip."
_RENDER = "Render it first, and send the result."
FORMATS: tuple[Format, ...] = (
    Format(_empty, "an empty file", "Send it with its content."),
    Format(_ova, "an OVA, VMware's archive of disks, which Heat does not deploy",
           "Convert its disk (qemu-img convert -O qcow2), upload that to Glance, and send a HOT for it."),
    Format(_magic(b"PK\x03\x04", b"PK\x05\x06"), ITSELF_A_ZIP, "Send that one."),
    Format(_suffixed((".tgz", ".tar.gz", ".gz"), _magic(b"\x1f\x8b")), "a tar.gz (gzip), not a zip", _ARCHIVE),
    Format(_magic(b"\x1f\x8b"), "packed by gzip, not a zip", _ARCHIVE),
    Format(_magic(b"BZh"), "packed by bzip2, not a zip", _ARCHIVE),
    Format(_magic(b"\xfd7zXZ\0"), "packed by xz, not a zip", _ARCHIVE),
    Format(_magic(b"\x28\xb5\x2f\xfd"), "packed by zstd, not a zip", _ARCHIVE),
    Format(_magic(b"7z\xbc\xaf\x27\x1c"), "an archive of 7-Zip (7z), not a zip", _ARCHIVE),
    Format(_magic(b"Rar!\x1a\x07"), "an archive of RAR, not a zip", _ARCHIVE),
    Format(_tar, "a tar, not a zip", _ARCHIVE),
    Format(_magic(b"QFI\xfb"), "a disk image (qcow2), not a package", _TO_GLANCE),
    Format(_magic(b"KDMV", b"# Disk DescriptorFile"), "a disk image (VMDK), not a package", _TO_GLANCE),
    Format(_magic(b"vhdxfile", b"conectix"), "a disk image (VHD), not a package", _TO_GLANCE),
    Format(_magic(b"\x7f\x10\xda\xbe", at=64), "a disk image (VDI), not a package", _TO_GLANCE),
    Format(_magic(b"CD001", at=32769), "a disk image (ISO 9660), not a package", _TO_GLANCE),
    Format(_magic(b"%PDF-"), "a PDF, not a package", _ONLY_HEAT),
    Format(_magic(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "a document of Microsoft Office, not a package", _ONLY_HEAT),
    Format(_utf16, "text in UTF-16", "Save it as UTF-8, and send it again."),
    Format(_magic(b"version https://git-lfs.github.com/spec/"), "a pointer of Git LFS, not the file itself",
           "Fetch the file (git lfs pull), and send that."),
    Format(_text(r"(?i)\A\s*(?:<!doctype html|<html|<head|<body)"), "a page of HTML, as of a download that failed",
           "Download the file itself (on a web page of a repository: Raw), and send that."),
    Format(_text(r"\A\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)?<(?:\w+:)?Envelope\b", "(?i)ovf"),
           "a descriptor of OVF, which VMware's products deploy",
           "Convert its disk (qemu-img convert -O qcow2), upload that to Glance, and send a HOT for it."),
    Format(_text(r"\A\s*(?:<\?xml[^>]*>\s*)?<(?:\w+:)?(?:rpc|rpc-reply|config|data|hello)\b", "urn:ietf:params:xml:ns"),
           "XML of NETCONF, a router's configuration",
           "A configuration is pushed to a running router; to create its VMs, send a HOT."),
    Format(_text(r"\A\s*<\?xml"), "XML", _ONLY_HEAT),
    Format(_text(r"^\s*(?:sub)?module\s+[\w.-]+\s*\{", r"^\s*(?:namespace|belongs-to|prefix|yang-version)\b"),
           "a module of YANG", _ONLY_HEAT),
    Format(_text(r'^(?:Heat|AWS)TemplateFormatVersion\s*:|^\s*"(?:Heat|AWS)TemplateFormatVersion"\s*:'),
           "a template of CloudFormation, not HOT",
           "Rewrite it as HOT (heat_template_version, and OS:: types): the manager reads servers, sizes and networks "
           "from HOT alone."),
    Format(_text(r"^Resources\s*:", r"^\s+Type\s*:\s*['\"]?(?:AWS|OS)::"), "a template of CloudFormation, not HOT",
           "Rewrite it as HOT (heat_template_version, and OS:: types)."),
    Format(_text(r"^tosca_definitions_version\s*:\s*['\"]?cloudify"), "a blueprint of Cloudify", _ONLY_HEAT),
    Format(_text(r"^tosca_definitions_version\s*:"), "a TOSCA definition, and the zip is no CSAR with a HOT",
           "Send a CSAR of SOL004 whose TOSCA-Metadata/TOSCA.meta names it and which has a HOT (Tacker's BaseHOT/), or "
           "the HOT and its files alone."),
    Format(_either(
        _text(r"""^[\s{]*["']?(?:etsi-nfv-descriptors:|etsi-nfv:|nfv:|vnfd:|nsd:)?(?:vnfd|nsd|nfv|vnfd-catalog|nsd-catalog)"""
              r"""(?:-catalog)?["']?\s*:""",
              r"""["']?(?:vdu|df|ext-cpd|constituent-vnfd|int-virtual-link-desc|sw-image-desc)["']?\s*:""")),
        "a descriptor of SOL006 (YANG), such as OSM's",
        "This manager reads HOT, or a CSAR of SOL004 with SOL001 and a HOT: send one of these."),
    Format(_suffixed((".tf", ".tf.json", ".tofu"), _text(r"\S")), "configuration of Terraform", _ONLY_HEAT),
    Format(_text(r'^(?:terraform|provider\s+"[^"]+"|resource\s+"\w+"\s+"[\w-]+")\s*\{'), "configuration of Terraform",
           _ONLY_HEAT),
    Format(_named("chart.yaml", "chart.yml", holds=r"^apiVersion\s*:"), "a Helm chart, for Kubernetes", _ONLY_HEAT),
    Format(_text(r"\{\{-?\s*(?:\.Values|\.Release|include)\b"), "a template of Helm, for Kubernetes", _ONLY_HEAT),
    Format(_named("docker-compose.yaml", "docker-compose.yml", "compose.yaml", "compose.yml", holds=r"^services\s*:"),
           "a file of Docker Compose", _ONLY_HEAT),
    Format(_text(r"^services\s*:", r"^\s+(?:image|build)\s*:"), "a file of Docker Compose", _ONLY_HEAT),
    Format(_named("dockerfile", holds=r"^FROM\s"), "a Dockerfile", _ONLY_HEAT),
    Format(_text(r"^['\"]?apiVersion['\"]?\s*:", r"^['\"]?kind['\"]?\s*:"), "a manifest of Kubernetes", _ONLY_HEAT),
    Format(_named("galaxy.yml", "galaxy.yaml", holds=r"^namespace\s*:"), "a collection of Ansible", _ONLY_HEAT),
    Format(_text(r'"collection_info"\s*:'), "a collection of Ansible", _ONLY_HEAT),
    Format(_text(r"^\s*-\s+(?:name\s*:.*\n\s+)?hosts\s*:"), "a playbook of Ansible", _ONLY_HEAT),
    Format(_named("charmcraft.yaml", "charmcraft.yml", holds=r"^\w"), "a charm of Juju", _ONLY_HEAT),
    Format(_named("metadata.yaml", holds=r"^(?:summary|series|maintainer|provides|requires|peers)\s*:"),
           "a charm of Juju", _ONLY_HEAT),
    Format(_text(r"^(?:applications|machines)\s*:", r"^\s+charm\s*:"), "a bundle of Juju", _ONLY_HEAT),
    Format(_text(r"\A#cloud-config\b"), "a cloud-config, which a server reads at its first boot",
           "Send the HOT whose servers get it as user_data; the file may lie beside it."),
    Format(_text(r"\AVagrant\.configure|^Vagrant\.configure"), "a Vagrantfile", _ONLY_HEAT),
    Format(_text(r"\A(?:diff --git |Index: |--- a/)"), "a patch, not the file itself", "Apply it to the file."),
    Format(_suffixed((".j2", ".jinja", ".jinja2"), _text(r"\{[{%#]")), "a template of Jinja", _RENDER),
    Format(_suffixed(_TEMPLATE_SUFFIXES, _text(r"\{\{|<%|\$\{")), "a template that another tool renders", _RENDER),
)  # fmt: skip
UNRENDERED: tuple[Format, ...] = (
    Format(_text(r"\{%|\{\{[^{}]*\}\}|(?:^|[^$])\{#"), "a template of Jinja", _RENDER),
    Format(_text(r"<%[=-]?.*%>"), "a template of ERB", _RENDER),
)  # fmt: skip
"""Their signs count only in files that YAML refuses."""
_MERGE = Format(_text(r"^<<<<<<< ", r"^>>>>>>> "), "a file with Git's marks of an unresolved merge",
                "Resolve the merge, and send the result.")  # fmt: skip
_is_hot = _text(r"^heat_template_version\s*:")
_HOT = Format(_is_hot, "a HOT itself, not a zip",
              "Zip it with its environment and the files that it names; or send them as files of a form.")  # fmt: skip
