"""All settings, from the environment; what must not be guessed has no default and says so when it is missing.

VNFM_TRUSTED_PROXY names the proxies in front of us, as addresses or networks with commas between (10.0.0.5,
172.18.0.0/16). Only from them are X-Forwarded-For and X-Forwarded-Proto believed: a client that could write them would
choose the address by which logins are throttled and audited. Unset, no proxy is trusted; `none` says that there is
none, and that no warning is needed. uvicorn itself must not look at these headers (`--no-proxy-headers`).
"""

import os
import re
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from kombu import Queue

from vnfm.config import logs  # noqa: F401 - configures logging
from vnfm.config.audited_objects import AUDITED_OBJECTS  # noqa: F401 - a setting
from vnfm.config.database_settings import database
from vnfm.config.etsi_settings import ETSI_APIS  # noqa: F401 - a setting
from vnfm.config.installation_settings import BACKUP_DIR, BACKUP_HOURS, VERSION  # noqa: F401 - settings
from vnfm.config.login_settings import (  # noqa: F401 - settings
    API_LOGINS,
    AUTH_PASSWORD_VALIDATORS,
    PASSWORD_HASHERS,
    TOKEN_MAX_DAYS,
)
from vnfm.config.nfvo_settings import (  # noqa: F401 - settings
    CLIENT_CERT,
    CLIENT_KEY,
    EM_ACTION,
    EM_CACERT,
    EM_CLIENT_ID,
    EM_COORD_URL,
    EM_SECONDS,
    EM_SECRET_FILE,
    EM_TOKEN_FILE,
    EM_TOKEN_URL,
    NFVO_CACERT,
    NFVO_CLIENT_ID,
    NFVO_GRANT_URL,
    NFVO_SECRET_FILE,
    NFVO_TOKEN_FILE,
    NFVO_TOKEN_URL,
)

BACKEND_DIR = Path(__file__).resolve().parent.parent.parent
REPOSITORY_DIR = BACKEND_DIR.parent


def _secret(variable: str) -> str:
    path = os.environ.get(variable)
    if path is None:
        raise ImproperlyConfigured(f"{variable} must name a file with the secret; ./vnfm up makes one.")
    return Path(path).read_text().strip()


def _host(url: str) -> str:
    """The header Host has it like this, without a port."""
    name = urlsplit(url).hostname or ""
    return f"[{name}]" if ":" in name else name


DEBUG = False
LOGGING_CONFIG = None
SECRET_KEY = _secret("VNFM_SECRET_KEY_FILE")
SEAL_KEYS_FILE = os.environ.get("VNFM_SEAL_KEYS_FILE", "")
ARTIFACTS_DIR = Path(os.environ.get("VNFM_ARTIFACTS_DIR", REPOSITORY_DIR / ".vnfm" / "artifacts"))
CATALOG_DIR = Path(os.environ.get("VNFM_CATALOG_DIR", REPOSITORY_DIR / "catalog"))
HEAT_TEMPLATES_DIR = Path(os.environ.get("VNFM_HEAT_TEMPLATES_DIR", REPOSITORY_DIR / "heat_templates"))
PUBLIC_URL = os.environ.get("VNFM_PUBLIC_URL", "http://127.0.0.1:8080").rstrip("/")
_proxies = os.environ.get("VNFM_TRUSTED_PROXY", "").strip()
TRUSTED_PROXY = [part.strip() for part in _proxies.split(",") if part.strip() and _proxies != "none"]
POLL_SECONDS = float(os.environ.get("VNFM_POLL_SECONDS", "2"))
"""The interval of polls of a VIM where nothing moves: a fault is then seen within three seconds, nearly always."""
ELEMENT_POLL_SECONDS = float(os.environ.get("VNFM_ELEMENT_POLL_SECONDS", "2"))
"""The interval of polls of a network element's states: a change is judged within 3 s. Of many, quiet ones less."""
COUNTER_SECONDS = float(os.environ.get("VNFM_COUNTER_SECONDS", "60"))
"""The interval at which the counters of a network element are read."""
TRAP_LISTEN = os.environ.get("VNFM_TRAP_LISTEN", "127.0.0.1:9162")
"""Notifications of network elements arrive at this address:port or [address]:port; 162 would need root."""
TRAP_ADDRESS = os.environ.get("VNFM_TRAP_ADDRESS", "")
"""The address to which routers send notifications, if it is not that of TRAP_LISTEN, as behind NAT; else ""."""
OPERATION_DEADLINE_SECONDS = float(os.environ.get("VNFM_OPERATION_DEADLINE_SECONDS", str(4 * 3600)))
"""An operation waits at most this time for a cloud that does not answer, from its start or its last retry."""
VIM_CONCURRENCY = int(os.environ.get("VNFM_VIM_CONCURRENCY", "12"))
"""Threads of a worker that one cloud may have; less than all, so that a hung cloud leaves some to the others."""
LEASE_SECONDS = float(os.environ.get("VNFM_LEASE_SECONDS", "15"))
"""A dead worker's operation is picked up after at most this long plus one sweep; a live one renews at a third of it."""
if LEASE_SECONDS < 3:  # noqa: PLR2004 - a busy machine could not renew in time
    raise ImproperlyConfigured("VNFM_LEASE_SECONDS must be at least 3.")

STACK_SILENT_SECONDS = float(os.environ.get("VNFM_STACK_SILENT_SECONDS", "180"))
"""Heat may work on a stack without change of a resource and event for this time; then its engine may have died."""
IMAGE_STALL_SECONDS = float(os.environ.get("VNFM_IMAGE_STALL_SECONDS", "60"))
"""Glance may take nothing of an image that is being uploaded for this time."""

DISK_LOW_PERCENT = float(os.environ.get("VNFM_DISK_LOW_PERCENT", "10"))
"""Below this much free space, in percent, an alarm is raised and uploads are refused."""
DISK_CRITICAL_PERCENT = float(os.environ.get("VNFM_DISK_CRITICAL_PERCENT", "5"))
"""Below this much, in percent, the alarm is critical."""


def _quota(variable: str, default: str) -> str:
    """Bytes, or a share of the file system such as 40%."""
    text = os.environ.get(variable, "").strip() or default
    if not re.fullmatch(r"\d+|\d{1,2}(\.\d+)?%|100%", text):
        raise ImproperlyConfigured(f"{variable} must be bytes, such as 20000000000, or a share, such as 40%.")
    return text


ARTIFACTS_QUOTA = _quota("VNFM_ARTIFACTS_QUOTA", "50%")
"""The limit of packages and images together; beyond it uploads are refused with 507."""
SPOOL_QUOTA = _quota("VNFM_SPOOL_QUOTA", "40%")
"""The limit of uploads together while they are received."""
LOGS_QUOTA = _quota("VNFM_LOGS_QUOTA", "600000000")
"""The limit of logs; the launcher removes the oldest."""

WATCHED_DISKS = {"artifacts": ARTIFACTS_DIR} | {
    name.strip(): Path(path.strip())
    for name, _, path in (part.partition("=") for part in os.environ.get("VNFM_WATCHED_DISKS", "").split(",") if part)
}
"""Names and folders of the disks that are watched for free space; the first of several on one file system counts."""
HEARTBEAT_DIR = os.environ.get("VNFM_HEARTBEAT_DIR", "")
"""Folder of the files by which a supervisor sees that processes work; "" writes none."""
WEB_PROCESSES = int(os.environ.get("VNFM_WEB_PROCESSES", "1"))
"""The number of web processes: /readyz and the alarm ManagerProcessSilent miss each of them."""
if WEB_PROCESSES < 1:
    raise ImproperlyConfigured("VNFM_WEB_PROCESSES must be at least 1.")
PROCESS_SILENT_SECONDS = float(os.environ.get("VNFM_PROCESS_SILENT_SECONDS", "30"))
"""A process without a heartbeat for this time counts as silent: alarm, readiness, banner. The launcher restarts it
after VNFM_PROCESS_RESTART_SECONDS."""

_public = urlsplit(PUBLIC_URL)
PROXY_MISSING = not _proxies and _public.hostname not in ("127.0.0.1", "localhost", "::1")
"""A proxy is likely, but not named: a warning says so at the start."""
# The last is the address that it listens on: the launcher and load balancers call /healthz there.
ALLOWED_HOSTS = [_host(PUBLIC_URL), "127.0.0.1", "localhost", "[::1]", _host(os.environ.get("VNFM_LOCAL_URL", ""))]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _public.scheme == "https"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 12 * 3600  # a shift
# Cookies know no ports: two instances on one machine would log each other out.
SESSION_COOKIE_NAME = f"vnfm_session_{_public.port}" if _public.port else "vnfm_session"
CSRF_COOKIE_NAME = f"csrftoken_{_public.port}" if _public.port else "csrftoken"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if _public.scheme == "https" else 0
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self'; style-src-attr 'unsafe-inline'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "rest_framework",
    "drf_spectacular",
    "vnfm.kit",
    "vnfm.metrics",
    "vnfm.installation",
    "vnfm.accounts",
    "vnfm.catalog",
    "vnfm.vims",
    "vnfm.inventory",
    "vnfm.lcm",
    "vnfm.elements",
    "vnfm.configuration",
    "vnfm.faults",
    "vnfm.counters",
    "vnfm.automation",
    "vnfm.notifications",
    "vnfm.sol003_pm",
    "vnfm.sol003_pm.indicators",
    "vnfm.topology",
    "vnfm.search",
    "vnfm.overview",
    "vnfm.config",
]
MIDDLEWARE = [
    "vnfm.config.middleware.RequestId",
    "vnfm.config.middleware.SingleSlash",
    "vnfm.config.middleware.HttpMetrics",
    "vnfm.config.middleware.SecurityHeaders",
    "vnfm.config.middleware.NotModified",
    "vnfm.config.middleware.RefuseNul",
    "vnfm.kit.etsi.versions.VersionHeader",
    "vnfm.kit.etsi.query_guard.QueryGuard",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "vnfm.accounts.api.audit.AuditTrail",
    "vnfm.kit.web.idempotency.Idempotency",
]
ROOT_URLCONF = "vnfm.config.urls"
ASGI_APPLICATION = "vnfm.config.asgi.application"
TEMPLATES: list[dict[str, object]] = []
APPEND_SLASH = False
USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = False
STATIC_URL = "/static/"
WHITENOISE_ROOT = UI_DIR = Path(os.environ.get("VNFM_UI_DIR", REPOSITORY_DIR / "frontend" / "dist"))
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/assets/.+-[A-Za-z0-9_-]{8}\."
FILE_UPLOAD_TEMP_DIR = None
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024
PACKAGE_MAX_BYTES = int(os.environ.get("VNFM_PACKAGE_MAX_BYTES", str(12 * 1024**3)))
"""An image of 10 GiB, and all else."""
UPLOADS_AT_ONCE = int(os.environ.get("VNFM_UPLOADS_AT_ONCE", "4"))
"""The number of packages that the web processes of a machine receive at a time."""
if UPLOADS_AT_ONCE < 1:
    raise ImproperlyConfigured("VNFM_UPLOADS_AT_ONCE must be at least 1.")
PACKAGE_MAX_UNPACKED_BYTES = 2 * PACKAGE_MAX_BYTES
PACKAGE_CERTIFICATES_DIR = Path(os.environ.get("VNFM_PACKAGE_CERTIFICATES_DIR", ARTIFACTS_DIR.parent / "certificates"))
"""PEM files: certificates that may sign packages, directly or through certificates that they issued."""
PACKAGE_SIGNATURES = os.environ.get("VNFM_PACKAGE_SIGNATURES", "any")
"""`signed` refuses packages without a signature by the certificate store; shipped ones are exempt."""
if PACKAGE_SIGNATURES not in ("any", "signed"):
    raise ImproperlyConfigured("VNFM_PACKAGE_SIGNATURES must be any or signed.")


def _networks(variable: str) -> list[IPv4Network | IPv6Network]:
    try:
        return [ip_network(part.strip()) for part in os.environ.get(variable, "").split(",") if part.strip()]
    except ValueError as error:
        raise ImproperlyConfigured(f"{variable} must be as 10.1.0.0/16, fd00:1::/32: {error}.") from error


PACKAGE_SOURCES_ALLOWED = _networks("VNFM_PACKAGE_SOURCES_ALLOWED")
"""Networks that packages may be fetched from (upload_from_uri) though their addresses are not public; on any port."""
ELEMENTS_ALLOWED = _networks("VNFM_ELEMENTS_ALLOWED")
"""Networks of loopback, link-local or similar addresses that network elements may have all the same."""
PACKAGE_SOURCES_HTTP = os.environ.get("VNFM_PACKAGE_SOURCES_HTTP", "") == "1"
"""True if packages may be fetched in clear, too."""
PACKAGE_FETCH_SECONDS = 3600.0
"""Fetching a package may take this time, from the first byte to the last."""
SUBSCRIBERS_ALLOWED = _networks("VNFM_SUBSCRIBERS_ALLOWED")
"""Networks that notifications may be sent to though their addresses are not public; on any port."""
SUBSCRIBERS_HTTP = os.environ.get("VNFM_SUBSCRIBERS_HTTP", "") == "1"
"""True if notifications may be sent in clear, too."""

METRICS_ALLOWED = _networks("VNFM_METRICS_ALLOWED")
"""Networks from which /metrics may be read without a token."""

METRICS_MAX_SERIES = int(os.environ.get("VNFM_METRICS_MAX_SERIES", "50000"))
"""Series of one answer of /metrics/elements; interfaces beyond are left out."""

DATABASES = {"default": database(LEASE_SECONDS)}
TELEMETRY_DATABASE_URL = os.environ.get("VNFM_TELEMETRY_DATABASE_URL", "")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "accounts.User"

_redis_url_file = os.environ.get("REDIS_URL_FILE", "")
REDIS_URL = (
    Path(_redis_url_file).read_text().strip()
    if _redis_url_file
    else os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/0")
)
CELERY_BROKER_URL = REDIS_URL
CELERY_BROKER_TRANSPORT = "vnfm.config.broker:Transport"
CELERY_TASK_QUEUES = [Queue("celery"), Queue("notifications"), Queue("endpoints")]
"""A worker takes from all of them in turn: a thousand deliveries that wait hold up no operation (ADR-0029)."""
CELERY_TASK_ROUTES = {
    "notifications.deliver": {"queue": "notifications"},
    "notifications.test_endpoint": {"queue": "endpoints"},
}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_RESULT_BACKEND_THREAD_SAFE = True
"""There is no result backend: one object can be that for all threads."""
CELERY_WORKER_PREFETCH_MULTIPLIER = 4
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# After a failover the broker's address may lead to a replica for a while: a worker goes on in spite of its refusals.
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
# A message that cannot be sent is given up at once: the sweeper finds the row (ADR-0001).
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_timeout": 5,
    "socket_connect_timeout": 5,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
    "interval_max": 0.1,
}
CELERY_BEAT_SCHEDULER = "vnfm.config.beat_scheduler.MonotonicScheduler"
CELERY_BEAT_SCHEDULE = {
    "sweep operations": {"task": "lcm.sweep", "schedule": 2.0, "options": {"expires": 2}},
    "probe vims": {"task": "vims.probe_due", "schedule": 30.0, "options": {"expires": 30}},
    "collect images": {"task": "lcm.collect_images", "schedule": 60.0, "options": {"expires": 60}},
    "sweep packages": {"task": "catalog.sweep", "schedule": 10.0, "options": {"expires": 10}},
    "maintain": {"task": "lcm.maintain", "schedule": 3600.0},
    "evaluate alarms": {"task": "faults.evaluate", "schedule": 60.0, "options": {"expires": 60}},
    "evaluate manager": {"task": "faults.evaluate_manager", "schedule": 10.0, "options": {"expires": 10}},
    "follow alarm policies": {"task": "faults.apply_policies", "schedule": 5.0, "options": {"expires": 5}},
    "prune alarms": {"task": "faults.prune", "schedule": 3600.0},
    "sweep automation": {"task": "automation.sweep", "schedule": 5.0, "options": {"expires": 5}},
    "sweep configuration": {"task": "configuration.sweep", "schedule": 5.0, "options": {"expires": 5}},
    "prune configuration": {"task": "configuration.prune", "schedule": 3600.0},
    "sweep notifications": {"task": "notifications.sweep", "schedule": 2.0, "options": {"expires": 2}},
    "prune notifications": {"task": "notifications.prune", "schedule": 3600.0},
    "prune automation": {"task": "automation.prune", "schedule": 3600.0},
    "report measurements": {"task": "pm.sweep", "schedule": 5.0, "options": {"expires": 5}},
    "compare indicators": {"task": "indicators.sweep", "schedule": 5.0, "options": {"expires": 5}},
    "prune reports": {"task": "pm.prune", "schedule": 3600.0},
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "vnfm.accounts.api.authentication.ProgramAuthentication",
        "vnfm.accounts.api.authentication.SessionAuthentication",
        "vnfm.accounts.api.authentication.UnusedCredentials",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["vnfm.accounts.api.permissions.ByRole"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["vnfm.kit.web.http.StrictJsonParser", "vnfm.kit.web.http.MergePatchParser"],
    "DEFAULT_SCHEMA_CLASS": "vnfm.config.openapi.Schema",
    "DEFAULT_METADATA_CLASS": "vnfm.kit.web.metadata.MethodTexts",
    "EXCEPTION_HANDLER": "vnfm.kit.web.http.problem_handler",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "VNF lifecycle and element manager",
    "VERSION": VERSION,
    "OAS_VERSION": "3.1.0",
    "GET_LIB_DOC_EXCLUDES": "vnfm.config.openapi.base_classes",
    "SERVE_INCLUDE_SCHEMA": False,
    "AUTHENTICATION_WHITELIST": [
        f"vnfm.accounts.api.authentication.{way}Authentication" for way in ("Program", "Session")
    ],
    "COMPONENT_SPLIT_REQUEST": True,
    "SCHEMA_PATH_PREFIX": r"/(api/v1|vnf[a-z]+/v[0-9])",
    "SORT_OPERATIONS": True,
    "ENUM_NAME_OVERRIDES": {
        "RoleEnum": "vnfm.accounts.roles.Role",
        "DifferenceKindEnum": "vnfm.lcm.api.drift.KINDS",
        "UnclaimedKindEnum": "vnfm.inventory.models.UnclaimedResource.Kind",
        "VnfOperationalStateType": "vnfm.inventory.models.Vnfc.Desired",
        "ScopeEnum": "vnfm.elements.domain.parts.PARTS",
        "ElementKindEnum": "vnfm.elements.models.NetworkElement.Kind",
        "ElementStateEnum": "vnfm.elements.models.NetworkElement.State",
        "ResyncStateEnum": "vnfm.elements.models.NetworkElement.ResyncState",
        "EquipmentAdminStateEnum": "vnfm.elements.models.Equipment.AdminState",
        "EquipmentOperStateEnum": "vnfm.elements.models.Equipment.OperState",
        "ConfigurationJobStateEnum": "vnfm.configuration.models.ConfigurationJob.State",
        "ConfigurationJobKindEnum": "vnfm.configuration.models.ConfigurationJob.Kind",
        "SwitchedStateEnum": "vnfm.configuration.api.shapes.ADMIN_STATES",
        "ConfigurationReasonEnum": "vnfm.configuration.models.ConfigurationVersion.Reason",
        "InterfaceStatusEnum": "vnfm.elements.models.Interface.Status",
        "BgpStateEnum": "vnfm.elements.models.BgpPeer.State",
        "AdjacencyProtocolEnum": "vnfm.elements.models.Adjacency.Protocol",
        "AdjacencyStateEnum": "vnfm.elements.models.Adjacency.State",
        "TopologyStateEnum": "vnfm.topology.api.shapes.STATES",
        "TopologyNodeKindEnum": "vnfm.topology.api.shapes.KINDS",
        "TopologyLinkKindEnum": "vnfm.topology.api.shapes.LINK_KINDS",
        "SearchKindEnum": "vnfm.search.selectors.search.SearchKind",
        "InitialSeverityEnum": "vnfm.topology.api.shapes.SEVERITIES",
        "SeverityEnum": ["error", "warning", "note"],
        "ProtocolEnum": "vnfm.elements.models.MediationPolicy.Protocol",
        "StopType": "vnfm.lcm.domain.requests.STOP_TYPES",
        "EventTypesEnum": "vnfm.notifications.api.shapes.EVENT_TYPES",
        "FaultyResourceTypeEnum": "vnfm.notifications.api.shapes.RESOURCE_TYPES",
        "InterfaceEnum": "vnfm.vims.api.shapes.INTERFACES",
        "FmNotificationTypeEnum": "vnfm.notifications.api.shapes.TYPES",
        "LccnNotificationTypeEnum": "vnfm.notifications.selectors.lccn_notifications.TYPES",
        "OperationEnum": "vnfm.lcm.domain.states.Operation",
        "OperationStateEnum": "vnfm.lcm.domain.states.OperationState",
        "SubscriptionInterfaceEnum": "vnfm.notifications.api.shapes.INTERFACES",
        "ManagedObjectTypeEnum": "vnfm.notifications.api.route_shapes.OBJECT_TYPES",
        "AlarmRouteChannelEnum": "vnfm.notifications.models.AlarmRoute.Channel",
        "DeliveryStateEnum": "vnfm.notifications.models.Delivery.State",
        "CounterEnum": "vnfm.counters.api.board_shapes.COUNTER_NAMES",
        "ThresholdCounterEnum": "vnfm.counters.api.threshold_rules.COUNTER_NAMES",
        "ThresholdSeverityEnum": "vnfm.counters.api.threshold_rules.SEVERITIES",
        "ThresholdDirectionEnum": "vnfm.counters.api.threshold_rules.DIRECTIONS",
        "ThresholdStateEnum": "vnfm.counters.api.threshold_rules.STATES",
        "AutomationKindEnum": "vnfm.automation.api.shapes.KINDS",
        "AutomationSourceEnum": "vnfm.automation.api.shapes.SOURCES",
        "AutomationStateEnum": "vnfm.automation.api.shapes.STATES",
        "AutomationOutcomeEnum": "vnfm.automation.api.shapes.OUTCOMES",
        "AutomationReasonEnum": "vnfm.automation.api.shapes.REASONS",
    },
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "vnfm.config.openapi.complete"],
}
SILENCED_SYSTEM_CHECKS = ["models.W042"]
