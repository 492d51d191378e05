"""Shipped packages with their figures, and questions about their size."""

from functools import cache
from hashlib import sha256

from tests.factories.packages import LIBRARY, ROOT, schema
from vnfm.catalog.artifacts.packing import package_files
from vnfm.catalog.domain.content import Content, FileInfo
from vnfm.catalog.domain.dimensioning.answer import Answer, DimensionResult
from vnfm.catalog.domain.dimensioning.dimensions import Demand
from vnfm.catalog.domain.dimensioning.figures import Figures
from vnfm.catalog.domain.dimensioning.reader import NAME, check_figures
from vnfm.catalog.domain.dimensioning.sizing import dimension
from vnfm.catalog.domain.dimensioning.units import quantity
from vnfm.catalog.domain.package import read_package
from vnfm.catalog.domain.vnfd import Vnfd

VSR_PE = "nokia/vsr-pe/0.0.B2-4601"
VSR_I = "nokia/vsr-i/version-not-stated"
VSR_RR = "nokia/vsr-rr/13.0.R6"
SAEGW = "nokia/vmg-saegw/8.0"
EPDG = "nokia/vmg-epdg/8.0"
VEPC = "netronome/vepc/1.0"
VCPE = "overture/vcpe-chain/15.1.0.38"
XRV = "cisco/ios-xrv-9000/version-not-stated"


@cache
def shipped(folder: str) -> tuple[Vnfd, Figures]:
    """The package below `catalog/`, its figures checked."""
    files = {path: file.read_bytes() for path, file in package_files(ROOT / "catalog" / folder, LIBRARY).items()}
    infos = {path: FileInfo(sha256(data).hexdigest(), len(data)) for path, data in files.items()}
    vnfd = read_package(Content(infos, files.__getitem__)).vnfd
    return vnfd, check_figures(NAME, files[NAME], schema("figures"), vnfd)


def answer_for(
    folder: str, host: str = "", frame: int | None = None, imix: bool = False, **amounts: tuple[object, str]
):
    """The answer for a demand such as `sessions=(20_000_000, "session")`, on the only host or the one that is named."""
    vnfd, figures = shipped(folder)
    chosen = figures.host(host) or next(iter(figures.hosts), None)
    demand = Demand({name: quantity(*amount) for name, amount in amounts.items()}, frame, imix)
    return dimension(vnfd, figures, demand, chosen)


def row(answer: Answer, dimension_id: str) -> DimensionResult:
    """The fullest row of the dimension."""
    rows = [each for each in answer.rows if each.dimension == dimension_id]
    return max(rows, key=lambda each: each.used if each.used is not None else 0)


def vms(answer: Answer) -> dict[str, int]:
    """VDU to its number of VMs."""
    return {each.vdu: each.vms for each in answer.vdus}


def counted(answer: Answer) -> dict[str, int]:
    return {each.name: each.number for each in answer.counted}


def result(answer: Answer, name: str) -> tuple[float, str] | None:
    found = next(each for each in answer.results if each.name == name)
    return (found.figure.number, found.figure.unit) if found.figure else None
