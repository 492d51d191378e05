"""Packages that are refused, with the faults that the refusal names."""

from hashlib import sha256

import pytest

from tests.factories.packages import schema
from vnfm.catalog.domain.content import Content, FileInfo
from vnfm.catalog.domain.errors import PackageError
from vnfm.catalog.domain.package import check_package

MANIFEST, VNFD = schema("manifest"), schema("vnfd")


def content(files):
    return Content({p: FileInfo(sha256(d).hexdigest(), len(d)) for p, d in files.items()}, files.__getitem__)


def refused(files, code):
    with pytest.raises(PackageError) as caught:
        check_package(content(files), MANIFEST, VNFD)
    assert caught.value.code == code, caught.value
    return caught.value.faults
