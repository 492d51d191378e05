import gc
import os
from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.asgi import get_asgi_application
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from vnfm.config.body_limit import BodyLimit
from vnfm.config.upload_tempdir import use_upload_tempdir
from vnfm.config.web_heartbeat import WebHeartbeat

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "vnfm.config.settings")

use_upload_tempdir(settings.ARTIFACTS_DIR / "incoming")
_django: Any = get_asgi_application()  # Django's scope is a dict, uvicorn's a TypedDict
application = WebHeartbeat(
    BodyLimit(
        ProxyHeadersMiddleware(_django, settings.TRUSTED_PROXY),
        most=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
        most_of_package=settings.PACKAGE_MAX_BYTES,
    )
)

# All code is loaded now and stays: the garbage collector needs not look through it again and again. Each time it did, a
# request took some 100 ms longer (tests/bench/test_instance_list.py).
import_module(settings.ROOT_URLCONF)
gc.collect()
gc.freeze()
