"""Export of packages as SOL004 CSARs, for other managers."""

from collections.abc import AsyncIterator, Generator
from functools import partial
from uuid import UUID

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from vnfm.catalog.selectors import package_onboarded
from vnfm.catalog.services.csar_export import package_csar
from vnfm.kit.web.downloads import AnyAccept


class PackageCsarApi(APIView):
    content_negotiation_class = AnyAccept

    @extend_schema(operation_id="package_csar_get", responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, package_id: UUID) -> StreamingHttpResponse:
        """The package as a SOL004 CSAR with a SOL001 VNFD; one that was uploaded as a CSAR is returned unchanged."""
        package = package_onboarded(package_id=package_id)
        name = f"{package.product_name}-{package.software_version}.csar".replace(" ", "-").replace('"', "")
        response = StreamingHttpResponse(_async_chunks(package_csar(package=package)), content_type="application/zip")
        response["Content-Disposition"] = f'attachment; filename="{name}"'
        return response


async def _async_chunks(chunks: Generator[bytes, None, None]) -> AsyncIterator[bytes]:
    """Asynchronous, since Django's ASGI handler would read a plain iterator to its end."""
    step = sync_to_async(partial(next, chunks, b""), thread_sensitive=False)
    while chunk := await step():
        yield chunk
