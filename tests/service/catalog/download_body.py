"""The body of a download, whose content is streamed."""

from asgiref.sync import async_to_sync

URL = "/vnfpkgm/v1/vnf_packages"


def body(response):
    async def read_all():
        return b"".join([chunk async for chunk in response.streaming_content])

    return async_to_sync(read_all)()
