"""Contents of packages that mean ill, and what each gets."""

import io
import random
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.factories.packages import edited, gateway_files, with_manifest, zipped
from tests.factories.templates import HOT

MIB = 1024 * 1024
MOST_BYTES, MOST_UNPACKED = 4 * MIB, 16 * MIB
"""The bounds of a package's size, packed and unpacked, while these are sent."""
TRAP = "TRAP"
"""Stands for the address of a socket that listens and must not be touched."""


@dataclass(frozen=True)
class Sent:
    """A body of PUT …/package_content."""

    what: str
    data: Callable[[str], bytes]
    """Made for the address of the trap."""
    code: str
    says: str
    status: int = 422


def built(*entries: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(target, "w", method) as packed:
        warnings.simplefilter("ignore", UserWarning)  # duplicates are meant
        for name, data in entries:
            packed.writestr(name, data)
    return target.getvalue()


def _noise(size: int) -> bytes:
    """Bytes that do not pack."""
    return random.Random(0).randbytes(size)


def _link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def _forged() -> bytes:
    """5 MiB that the zip's directory says are 10 bytes."""
    data = bytearray(built(("base.yaml", bytes(5 * MIB))))
    directory = data.rindex(b"PK\x01\x02")
    data[directory + 24 : directory + 28] = struct.pack("<I", 10)
    return bytes(data)


def _encrypted() -> bytes:
    data = bytearray(built(("a", b"x")))
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def _vnfd(change: Callable[[Any], None]) -> Callable[[str], bytes]:
    return lambda _: zipped(edited("vnfd.yaml", change, gateway_files()))


def _yaml(text: str | bytes) -> Callable[[str], bytes]:
    """A package with another vnfd.yaml."""
    data = text if isinstance(text, bytes) else text.encode()
    return lambda _: zipped(with_manifest({**gateway_files(), "vnfd.yaml": data}))


def _hot(
    resource: str = "{type: OS::Heat::None}", parameter: str = "{type: string}", environment: str = "{}", **more: str
) -> Callable[[str], bytes]:
    """Heat templates of a VM, with a parameter and a resource next to it; `more` are others, by name without suffix."""
    base = (
        f"{HOT}parameters:\n  image: {{type: string}}\n  flavor: {{type: string}}\n  network: {{type: string}}\n"
        f"  extra: {parameter}\nresources:\n  vm:\n    type: OS::Nova::Server\n    properties:\n"
        "      image: {get_param: image}\n      flavor: {get_param: flavor}\n"
        f"      networks: [{{network: {{get_param: network}}}}]\n  other: {resource}\n"
    )

    def build(trap: str) -> bytes:
        files = {"base.yaml": base, "base.env": environment, **{f"{name}.yaml": HOT + more[name] for name in more}}
        return zipped({path: text.replace(TRAP, trap).encode() for path, text in files.items()})

    return build


def _reads(name: str) -> Callable[[str], bytes]:
    return _hot(f"{{type: OS::Heat::SoftwareConfig, properties: {{config: {{get_file: '{name}'}}}}}}")


def _uses(kind: str, environment: str = "{}") -> Callable[[str], bytes]:
    return _hot(f"{{type: '{kind}'}}", environment=environment)


def _aliases() -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    return "\n".join(lines)


def _outside(file: str, line: int, name: str) -> str:
    packed = name.removeprefix("file://").lstrip("/")
    words = f"is on the disk of the template's author. Send it with the others, as {packed}."
    if name.startswith("http"):
        words = "lies outside of the package. Allow it to be fetched and stored with the package (in the API: fetch; "
        words += "not where only signed packages are accepted), or put the file into the package and write its path."
    return f"{file}, line {line}: {name} {words}"


NO_HOT = "There is no root HOT among the files: none has a heat_template_version, or another file names each."
ENCRYPTED = "a: The file is protected by a password (encrypted): zip the files again without one."
LEADS_OUT = "The path leads out of the package."
ZIPS = (
    Sent("zip slip: a file `../evil`", lambda _: built(("../evil", b"x")), "ZIP_REFUSED", f"../evil: {LEADS_OUT}"),
    Sent(
        "zip slip deeper: `a/../../evil`",
        lambda _: built(("a/../../evil", b"x")),
        "ZIP_REFUSED",
        f"a/../../evil: {LEADS_OUT}",
    ),
    Sent(
        "an absolute path `/etc/cron.d/x`",
        lambda _: built(("/etc/cron.d/x", b"x")),
        "ZIP_REFUSED",
        "/etc/cron.d/x: The path is absolute; it must start at the package's root.",
    ),
    Sent(
        "a drive `C:/evil`",
        lambda _: built(("C:/evil", b"x")),
        "ZIP_REFUSED",
        "C:/evil: The path is absolute; it must start at the package's root.",
    ),
    Sent(
        "backslashes `..\\..\\evil`",
        lambda _: built(("..\\..\\evil", b"x")),
        "ZIP_REFUSED",
        f"..\\..\\evil: {LEADS_OUT}",
    ),
    Sent(
        "a symbolic link to /etc/passwd",
        lambda _: built((_link("a"), b"/etc/passwd")),
        "ZIP_REFUSED",
        "a: Only files and folders are allowed, no links and no devices.",
    ),
    Sent(
        "a name with control characters",
        lambda _: built(("a\nb", b"x")),
        "ZIP_REFUSED",
        "a\\nb: The name holds control characters.",
    ),
    Sent(
        "a name that turns the writing's direction",
        lambda _: built(("a\u202egpj.exe", b"x")),
        "ZIP_REFUSED",
        "a\\u202egpj.exe: The name holds control characters.",
    ),
    Sent(
        "the same name twice",
        lambda _: built(("a", b"1"), ("a", b"2")),
        "ZIP_REFUSED",
        "a: The zip has this file twice.",
    ),
    Sent(
        "a file that is a folder, too",
        lambda _: built(("a", b"1"), ("a/b", b"2")),
        "ZIP_REFUSED",
        "a: This is a file and a folder at once.",
    ),
    Sent(
        "a bomb: 30 MiB of zeros",
        lambda _: built(("bomb", bytes(30 * MIB))),
        "ZIP_REFUSED",
        "bomb: The file unpacks to more than 200 times its packed size.",
    ),
    Sent(
        "a bomb in small pieces",
        lambda _: built(*((f"f{n}", bytes(MIB)) for n in range(11))),
        "ZIP_REFUSED",
        "All files together unpack to more than 200 times their packed size.",
    ),
    Sent(
        "a bomb in a zip in the zip: it is a file like others, never unpacked",
        lambda _: built(("inner.zip", built(("bomb", bytes(30 * MIB))))),
        "HOT_INVALID",
        "inner.zip: This is itself a zip. Send that one. (and 1 more)",
    ),
    Sent(
        "sizes that the directory lies about",
        lambda _: _forged(),
        "NOT_A_ZIP",
        "This is not a readable zip: Bad CRC-32 for file 'base.yaml'.",
    ),
    Sent(
        "more than may be unpacked",
        lambda _: built(*((f"f{n}", bytes(MIB)) for n in range(17))),
        "PACKAGE_TOO_LARGE",
        "Unpacked, the package has 17825792 bytes; 16777216 are allowed.",
        413,
    ),
    Sent(
        "more than may be uploaded",
        lambda _: built(("f", _noise(MOST_BYTES))),
        "PACKAGE_TOO_LARGE",
        "The upload has more than 4194304 bytes.",
        413,
    ),
    Sent(
        "1001 files",
        lambda _: built(*((f"f{n}", b"") for n in range(1001))),
        "ZIP_REFUSED",
        "The zip has 1001 entries; 1000 are allowed.",
    ),
    Sent("an encrypted file", lambda _: _encrypted(), "ZIP_REFUSED", ENCRYPTED),
    Sent(
        "another method of compression",
        lambda _: built(("a", b"x"), method=zipfile.ZIP_BZIP2),
        "ZIP_REFUSED",
        "a: Only the methods store and deflate are allowed: zip it again with the default method.",
    ),
    Sent(
        "no zip", lambda _: b"#!/bin/sh\nrm -rf /\n", "NOT_A_ZIP", "This is not a readable zip: File is not a zip file."
    ),
    Sent("nothing", lambda _: b"", "FILE_MISSING", "The form has no file.", 400),
    Sent("an empty zip", lambda _: built(), "HOT_INVALID", NO_HOT),
    Sent(
        "a file that the manifest does not have",
        lambda _: zipped(with_manifest(gateway_files()) | {"smuggled": b"x"}),
        "MANIFEST_MISMATCH",
        "smuggled: The package has the file, but MANIFEST.json does not list it.",
    ),
    Sent(
        "a file that the manifest does not have, where fetched files are stored",
        lambda _: zipped(with_manifest(gateway_files()) | {"fetched/https/files.example/init.sh": b"x"}),
        "MANIFEST_MISMATCH",
        "fetched/https/files.example/init.sh: The package has the file, but MANIFEST.json does not list it.",
    ),
)
DOCUMENTS = (
    Sent(
        "huge YAML: 1 MiB and a byte",
        _yaml("#" * (MIB + 1)),
        "YAML_INVALID",
        "vnfd.yaml: The file has 1048577 bytes; 1048576 are allowed for YAML.",
    ),
    Sent(
        "aliases that grow to 10⁹ nodes",
        _yaml(_aliases()),
        "YAML_INVALID",
        "vnfd.yaml: With its aliases resolved the file has more than 100000 nodes.",
    ),
    Sent(
        "an alias within itself",
        _yaml("a: &a [*a]"),
        "YAML_INVALID",
        "vnfd.yaml, line 1: An alias refers to what contains it.",
    ),
    Sent(
        "a hundred thousand levels",
        _yaml("a: " + "[" * 100_000),
        "YAML_INVALID",
        "vnfd.yaml, line 1: The file nests deeper than 40 levels.",
    ),
    Sent(
        "a key that is there twice",
        _yaml("vnfdId: a\nvnfdId: b\n"),
        "YAML_INVALID",
        "vnfd.yaml, line 2: The key 'vnfdId' is written twice.",
    ),
    Sent(
        "YAML that makes Python objects",
        _yaml("a: !!python/object/apply:os.system [id]\n"),
        "YAML_INVALID",
        "vnfd.yaml, line 1: Could not determine a constructor for the tag "
        "'tag:yaml.org,2002:python/object/apply:os.system'.",
    ),
    Sent(
        "bytes that are not text",
        _yaml(b"a: \xff\xfe"),
        "YAML_INVALID",
        "vnfd.yaml: The file is not UTF-8 text: invalid start byte at byte 3.",
    ),
    Sent(
        "a path that leads out, in the descriptor",
        _vnfd(lambda data: data["hot"].update(template="../../../etc/passwd")),
        "VNFD_INVALID",
        "vnfd.yaml, line 8: '../../../etc/passwd' does not match "
        r"'^(?!\\.{1,2}(/|$))[^/\\\\\\x00-\\x1f]+(/(?!\\.{1,2}(/|$))[^/\\\\\\x00-\\x1f]+)*$'. "
        "A file of the package, by its path from the root.",
    ),
)
TEMPLATES = (
    Sent(
        "`get_file: file:///etc/passwd`",
        _reads("file:///etc/passwd"),
        "HOT_INVALID",
        _outside("base.yaml", 14, "file:///etc/passwd"),
    ),
    Sent("`get_file: /etc/passwd`", _reads("/etc/passwd"), "HOT_INVALID", _outside("base.yaml", 14, "/etc/passwd")),
    Sent(
        "`get_file: ../../etc/passwd`",
        _reads("../../etc/passwd"),
        "HOT_INVALID",
        "base.yaml, line 14: '../../etc/passwd' lies above the folder that was sent. Send the folder around both as a "
        "whole.",
    ),
    Sent(
        "`get_file: http://…`", _reads(f"http://{TRAP}/x"), "HOT_INVALID", _outside("base.yaml", 14, f"http://{TRAP}/x")
    ),
    Sent(
        "`type: http://….yaml`",
        _uses(f"http://{TRAP}/x.yaml"),
        "HOT_INVALID",
        _outside("base.yaml", 14, f"http://{TRAP}/x.yaml"),
    ),
    Sent(
        "`type: file:///etc/passwd.yaml`",
        _uses("file:///etc/passwd.yaml"),
        "HOT_INVALID",
        _outside("base.yaml", 14, "file:///etc/passwd.yaml"),
    ),
    Sent(
        "a resource_registry that maps to http://…",
        _uses("My::Type", f"resource_registry: {{'My::Type': 'http://{TRAP}/x.yaml'}}"),
        "HOT_INVALID",
        _outside("base.env", 1, f"http://{TRAP}/x.yaml"),
    ),
    Sent(
        "a parameter with control characters",
        _hot(parameter='{type: string, default: "a\\0b\\e[2J"}'),
        "HOT_INVALID",
        "base.yaml, line 6: The text holds a control character (U+0000). Remove it.",
    ),
    Sent(
        "a pattern that would take for ever (ReDoS)",
        _hot(parameter=f"{{type: string, default: {'a' * 30}b, constraints: [{{allowed_pattern: '(a+)+$'}}]}}"),
        "HOT_INVALID",
        "base.yaml, line 6: The default: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' does not match the pattern (a+)+$.",
    ),
    Sent(
        "templates that contain each other",
        _hot("{type: a.yaml}", a="resources: {r: {type: a.yaml}}\n"),
        "HOT_INVALID",
        "a.yaml, line 1: These templates contain each other: a.yaml contains a.yaml. Heat would never finish.",
    ),
)
ODD_NAMES = (
    "a%2fb.txt",
    "..%2f..%2fetc%2fpasswd",
    "a#b.txt",
    "a?b=c.txt",
    "a b.txt",
    "a;b&c.txt",
    'a"b.txt',
    "ä/ö ü.txt",
    "<script>.txt",
    "%00.txt",
    "....txt",
)
"""Names that are harmless, unless they are used as parts of a URL."""
