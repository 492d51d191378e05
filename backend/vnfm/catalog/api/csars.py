"""Packages as SOL004 CSARs, for other managers."""

from collections.abc import AsyncIterator, Generator
from functools import partial
from uuid import UUID

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from vnfm.catalog.api.downloads import AnyAccept
from vnfm.catalog.exports import csar_of
from vnfm.catalog.selectors import package_onboarded


class PackageCsarApi(APIView):
    content_negotiation_class = AnyAccept

    @extend_schema(operation_id="package_csar_get", responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, package_id: UUID) -> StreamingHttpResponse:
        """The package as a SOL004 CSAR with a SOL001 VNFD; one that came as a CSAR goes as it came."""
        package = package_onboarded(package_id=package_id)
        name = f"{package.product_name}-{package.software_version}.csar".replace(" ", "-").replace('"', "")
        response = StreamingHttpResponse(_sent(csar_of(package=package)), content_type="application/zip")
        response["Content-Disposition"] = f'attachment; filename="{name}"'
        return response


async def _sent(chunks: Generator[bytes, None, None]) -> AsyncIterator[bytes]:
    """Asynchronous, since Django's ASGI handler would read a plain iterator to its end."""
    step = sync_to_async(partial(next, chunks, b""), thread_sensitive=False)
    while chunk := await step():
        yield chunk
