"""/api/v1/dimensioning: the size that a demand needs, and the measured figures behind it."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.catalog.api.dimensioning_outputs import DimensioningAnswer, answer_view
from vnfm.catalog.api.figure_outputs import FiguresOut, ReferenceFiguresOut, figures_view
from vnfm.catalog.domain.dimensioning.dimensions import DIMENSIONS, Demand
from vnfm.catalog.domain.dimensioning.figures import Figures, HostType
from vnfm.catalog.domain.dimensioning.sizing import dimension
from vnfm.catalog.domain.dimensioning.units import quantity
from vnfm.catalog.selectors import figures_of, package_by_vnfd, reference_figures, vnfd_of
from vnfm.kit.problem import FieldError, bad_request
from vnfm.kit.web.wire import StrictSerializer

SMALLEST_FRAME, LARGEST_FRAME = 64, 9216
LARGEST_AMOUNT = 10**18


class AmountSerializer(StrictSerializer):
    """A number with one of the dimension's units."""

    value = serializers.DecimalField(
        max_digits=None, decimal_places=None, min_value=0, max_value=LARGEST_AMOUNT, coerce_to_string=False
    )
    unit = serializers.CharField(max_length=20)


class DemandSerializer(StrictSerializer):
    frameSize = serializers.IntegerField(
        required=False,
        min_value=SMALLEST_FRAME,
        max_value=LARGEST_FRAME,
        help_text="Bytes of every Ethernet frame, with its FCS.",
    )
    imix = serializers.BooleanField(default=False, help_text="Instead: a mix of frame sizes, as the lab used it.")
    packetRate = AmountSerializer(required=False)
    throughput = AmountSerializer(required=False)
    wireRate = AmountSerializer(required=False)
    sessions = AmountSerializer(required=False)
    setupRate = AmountSerializer(required=False)
    bearers = AmountSerializer(required=False)
    routes = AmountSerializer(required=False)
    peers = AmountSerializer(required=False)
    macs = AmountSerializer(required=False)
    flows = AmountSerializer(required=False)
    services = AmountSerializer(required=False)
    vrouters = AmountSerializer(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["imix"] and "frameSize" in attrs:
            raise serializers.ValidationError({"imix": ["Either a mix of frame sizes or one frame size."]})
        amounts = [each for each in attrs if each in DIMENSIONS]
        if not amounts:
            raise serializers.ValidationError("Give the amount of at least one dimension.")
        for each in amounts:
            known = DIMENSIONS[each].units
            if attrs[each]["unit"] not in known:
                raise serializers.ValidationError({each: {"unit": [f"Allowed units: {', '.join(known)}."]}})
        return attrs


class DimensioningRequest(StrictSerializer):
    vnfdId = serializers.UUIDField()
    hostType = serializers.CharField(
        max_length=64, default="", allow_blank=True, help_text="Needed where there are several."
    )
    demand = DemandSerializer()


class VnfdFiguresApi(APIView):
    @extend_schema(operation_id="vnfd_figures", tags=["Dimensioning"], responses=FiguresOut)
    def get(self, request: Request, vnfd_id: UUID) -> Response:
        """Measured figures of the VNF, and the dimensions of a demand on it."""
        return Response(figures_view(figures_of(package_by_vnfd(vnfd_id=vnfd_id))))


class ReferenceFiguresApi(APIView):
    @extend_schema(operation_id="reference_figures", tags=["Dimensioning"], responses=ReferenceFiguresOut(many=True))
    def get(self, request: Request) -> Response:
        """Figures of products that are not VNF packages, such as physical routers."""
        return Response([{"id": each, **figures_view(figures)} for each, figures in reference_figures().items()])


class DimensioningApi(APIView):
    write_role = Role.VIEWER  # it changes nothing

    @extend_schema(
        operation_id="dimensioning",
        tags=["Dimensioning"],
        request=DimensioningRequest,
        responses=DimensioningAnswer,
    )
    def post(self, request: Request) -> Response:
        """The smallest size that carries the demand, by measured figures; nothing is stored."""
        body = DimensioningRequest(data=request.data)
        body.is_valid(raise_exception=True)
        data = body.validated_data
        package = package_by_vnfd(vnfd_id=data["vnfdId"])
        vnfd, figures = vnfd_of(package), figures_of(package)
        host = _host(figures, data["hostType"])
        answer = dimension(vnfd, figures, _demand(data["demand"]), host)
        units = {each: data["demand"][each]["unit"] for each in data["demand"] if each in DIMENSIONS}
        return Response(answer_view(answer, vnfd, host.id if host else "", units))


def _demand(data: Mapping[str, Any]) -> Demand:
    amounts = {each: quantity(data[each]["value"], data[each]["unit"]) for each in DIMENSIONS if each in data}
    return Demand(amounts, data.get("frameSize"), data["imix"])


def _host(figures: Figures, host_id: str) -> HostType | None:
    """The host type of that id, or the only one; None where there are none."""
    if not host_id and len(figures.hosts) <= 1:
        return next(iter(figures.hosts), None)
    host = figures.host(host_id)
    if host is None:
        known = ", ".join(each.id for each in figures.hosts) or "none"
        message = f"Figures are known for these host types: {known}."
        raise bad_request("INVALID_REQUEST", message, [FieldError("/hostType", message)], "Choose one of them.")
    return host
