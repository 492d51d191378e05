"""URLs that packages, and files that their templates name, are fetched from."""

from dataclasses import dataclass, field, replace

from vnfm.kit.outgoing.addresses import OutboundPurpose

PACKAGES = OutboundPurpose(
    code="SOURCE",
    title="The VNF package is not fetched",
    called="Packages are fetched",
    way="from",
    setting="VNFM_PACKAGE_SOURCES_ALLOWED",
    login="userName and password",
    slow="has not sent the whole package",
    otherwise="upload the package yourself",
)

TEMPLATE_FILES = replace(
    PACKAGES,
    title="A file of the templates is not fetched",
    called="Files of templates are fetched",
    login="",
    slow="has not sent the whole file",
    otherwise="put the file into the package",
)


@dataclass(frozen=True, slots=True)
class PackageUri:
    """URL and login. The URL's query may contain a secret, so it is never shown or logged."""

    url: str = field(repr=False)
    user_name: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
