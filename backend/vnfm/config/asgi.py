import gc
import os
from importlib import import_module
from typing import Any

import structlog
from django.conf import settings
from django.core.asgi import get_asgi_application
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from vnfm.config.body_guard import BodyGuard, BodyLimits
from vnfm.config.client_cert import ClientCertGuard
from vnfm.config.upload_tempdir import use_upload_tempdir
from vnfm.config.web_heartbeat import WebHeartbeat
from vnfm.kit.disk_quota import upload_refusal

PROXY_MISSING = (
    "VNFM_PUBLIC_URL is not a loopback address, and VNFM_TRUSTED_PROXY names no proxy. Behind a proxy all users have "
    "its address, so a few failed logins lock a name for all. Name the proxy."
)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "vnfm.config.settings")

if settings.PROXY_MISSING:
    structlog.get_logger("vnfm.config").warning(
        "proxy.not_named", public_url=settings.PUBLIC_URL, problem=PROXY_MISSING
    )
_incoming = settings.ARTIFACTS_DIR / "incoming"
use_upload_tempdir(_incoming)
_django: Any = get_asgi_application()  # Django's scope is a dict, uvicorn's a TypedDict
from vnfm.config.body_authorization import may_send_body  # noqa: E402 - reads models, which are loaded now

_limits = BodyLimits(
    _incoming,
    known=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
    package=settings.PACKAGE_MAX_BYTES,
    uploads=settings.UPLOADS_AT_ONCE,
    free_share=settings.DISK_LOW_PERCENT / 100,
    quota=upload_refusal,
)
_guarded: Any = BodyGuard(_django, may_send_body, _limits)
_proxied: Any = ProxyHeadersMiddleware(_guarded, settings.TRUSTED_PROXY)
application = WebHeartbeat(ClientCertGuard(_proxied, settings.TRUSTED_PROXY))

# All code is loaded now and stays: the garbage collector needs not look through it again and again. Each time it did, a
# request took some 100 ms longer (tests/bench/test_instance_list.py).
import_module(settings.ROOT_URLCONF)
gc.collect()
gc.freeze()
