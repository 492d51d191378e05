"""Uploads of packages over HTTP: a zip as the body, or a form with a zip or with files."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.request import Request

from vnfm.catalog.domain.documents import MAX_BYTES
from vnfm.catalog.services.content import MAX_FETCHED
from vnfm.catalog.services.package_checks import Choices
from vnfm.catalog.services.uploads import UploadSource
from vnfm.kit.outgoing.addresses import MAX_URL
from vnfm.kit.problem import Problem, ProblemError, bad_request

ZIP = "file"
"""The form's field with a zip."""
FILES = "files"
"""The form's field with files for the package's root."""
VNFD = "vnfd"
"""The form's field with a descriptor that replaces the derived one."""
LONGEST_PATH = 300
MAX_NAMED = 5
"""Parts of a form that an error names."""
_ARCHIVES = ("gzip", "tar", "7z", "rar", "bzip", "xz", "zstd")
_BINARY = {"type": "string", "format": "binary"}
UPLOAD: Mapping[str, Any] = {
    "application/zip": OpenApiTypes.BINARY,
    "multipart/form-data": {
        "type": "object",
        "properties": {
            ZIP: {**_BINARY, "description": "The package, or Heat templates, as a zip."},
            FILES: {"type": "array", "items": _BINARY, "description": "Instead of a zip: files, each at the root."},
            VNFD: {"type": "string", "description": "vnfd.yaml, for templates that have none of their own."},
        },
        "additionalProperties": {**_BINARY, "description": "A file; the part's name is its path in the package."},
    },
}


class ZipParser(BaseParser):
    """Passes the body on unread, so that a package of gigabytes is never in memory."""

    media_type = "application/zip"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        return {ZIP: stream}


UPLOAD_PARSERS = (MultiPartParser, ZipParser)


ROOT = OpenApiParameter(
    "root",
    {"type": "string", "maxLength": LONGEST_PATH},
    description="The root template, by its path among the files, where several can be it.",
)


def root_of(request: Request) -> str:
    """Return the root template that the request names; "" when it names none. Raises 400 for anything but a path."""
    root = request.query_params.get(ROOT.name, "")
    if len(root) > LONGEST_PATH or not root.isprintable():
        raise bad_request("ROOT_INVALID", f"root is no path of at most {LONGEST_PATH} printable characters.")
    return root


FETCH = OpenApiParameter(
    "fetch",
    {"type": "array", "items": {"type": "string", "maxLength": MAX_URL}, "maxItems": MAX_FETCHED},
    description="A URL that templates name, which is to be fetched and stored with the package: that of a finding "
    "FILE_OUTSIDE. Repeat it for each; what is not named is not fetched.",
)


QUERY = frozenset({ROOT.name, FETCH.name})


def choices_of(request: Request, vnfd: bytes | None = None) -> Choices:
    """Return the choices of the query and of the descriptor sent; raises 400 for anything but paths and URLs."""
    urls = request.query_params.getlist(FETCH.name)
    if len(urls) > MAX_FETCHED or any(len(url) > MAX_URL or not url.isprintable() for url in urls):
        raise bad_request("FETCH_INVALID", f"fetch names at most {MAX_FETCHED} URLs of {MAX_URL} printable characters.")
    return Choices(vnfd, root_of(request), urls)


def read_upload(request: Request) -> tuple[UploadSource, bytes | None]:
    """The upload, and the descriptor that was sent with it; 400 for a form without files, or with text."""
    try:
        data = request.data
    except UnsupportedMediaType as error:
        raise _no_upload(request) from error
    body: Mapping[str, Any] = data if isinstance(data, dict) else {}
    if isinstance(body, QueryDict) and len(body.getlist(VNFD)) > 1:
        raise bad_request("FILE_TWICE", f"The form has two fields {VNFD}.", next_step="Send it once.")
    texts = [field for field, value in body.items() if field != VNFD and isinstance(value, str)]
    if texts:
        named = ", ".join(texts[:MAX_NAMED])[:LONGEST_PATH]
        raise bad_request(
            "FILE_EXPECTED",
            f"Each part of the form but {VNFD} is a file; these are text: {named}.",
            next_step="Send each with a filename, as curl -F part=@path does.",
        )
    sent = [(field, file) for field, files in request.FILES.lists() for file in files if field != VNFD]
    files: dict[str, Any] = {}
    for field, file in sent:
        path = file.name if field in (ZIP, FILES) else field
        if path in files:
            raise bad_request("FILE_TWICE", f"The form has two files {path}.", next_step="Send each file once.")
        files[path] = file
    archive: Any = body.get(ZIP)
    if hasattr(archive, "read") and len(files) <= 1:
        return archive, _vnfd(body)
    if not files:
        raise bad_request("FILE_MISSING", "The form has no file.", next_step="Send the zip as the form's field file.")
    return files, _vnfd(body)


def _no_upload(request: Request) -> ProblemError:
    """415 with what to send instead: an archive of another format is to be packed again."""
    kind = (request.content_type or "no media type")[:100]
    archive = "Unpack it, and zip its files." if any(name in kind for name in _ARCHIVES) else ""
    step = f"{archive} Send a zip as application/zip, or files as multipart/form-data.".strip()
    detail = f"A package is no {kind}: it is a zip, or the files of a form."
    return ProblemError(Problem(415, "UNSUPPORTED_MEDIA_TYPE", "Unsupported media type", detail, step))


def _vnfd(body: Mapping[str, Any]) -> bytes | None:
    sent = body.get(VNFD)
    if not sent:
        return None
    return sent.read(MAX_BYTES + 1) if hasattr(sent, "read") else str(sent).encode()
