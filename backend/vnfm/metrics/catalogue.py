"""Every metric that processes count. Names follow Prometheus: base units, `_total` for counters.

Label values come from small sets: clouds, drivers, verbs, routes; never from VNFs or network elements.
"""

from vnfm.metrics.recorder import Counter, Gauge, Histogram, Metric

UNKNOWN_DRIVER = "(unknown)"
"""The label of an element that has not answered a poll yet."""
_MINUTES = (1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 900.0, 3600.0)

OPERATIONS = Counter(
    "vnfm_operations_total", "LCM operations that entered a state, by verb and state.", ("operation", "state")
)
OPERATION_SECONDS = Histogram(
    "vnfm_operation_duration_seconds",
    "From the request to a state without further work, by verb and state.",
    ("operation", "state"),
    _MINUTES,
)
STEP_DURATION_SECONDS = Histogram(
    "vnfm_step_duration_seconds", "From the start of a step to its end, by kind and state.", ("step", "state"), _MINUTES
)
STEP_RETRIES = Counter(
    "vnfm_step_retries_total", "Runs of a step that met an error of the cloud and are repeated.", ("step", "error")
)
CLOUD_REQUESTS = Counter(
    "vnfm_cloud_requests_total",
    'HTTP requests to a cloud, by service and class of the error taxonomy ("ok" without an error).',
    ("vim", "service", "result"),
)
CLOUD_SECONDS = Histogram("vnfm_cloud_request_duration_seconds", "Time of HTTP requests to clouds.", ("vim", "service"))
VIM_POLLS = Counter("vnfm_vim_polls_total", "Polls of a cloud.", ("vim", "result"))
VIM_POLL_SECONDS = Histogram("vnfm_vim_poll_duration_seconds", "Time of a poll of a cloud.", ("vim",))
ELEMENT_POLLS = Counter(
    "vnfm_element_polls_total",
    "Polls of network elements, by driver and class of the error taxonomy.",
    ("driver", "result"),
)
ELEMENT_POLL_SECONDS = Histogram(
    "vnfm_element_poll_duration_seconds", "Time of a poll of a network element.", ("driver",)
)
ELEMENT_SESSIONS = Counter(
    "vnfm_element_sessions_total",
    "Sessions with network elements, by driver, protocol and class of the error taxonomy.",
    ("driver", "protocol", "result"),
)
NOTIFICATIONS = Counter(
    "vnfm_notifications_total",
    "Attempts to deliver a notification, by interface and outcome.",
    ("interface", "result"),
)
HTTP_REQUESTS = Counter("vnfm_http_requests_total", "HTTP requests.", ("method", "route", "status"))
HTTP_SECONDS = Histogram(
    "vnfm_http_request_duration_seconds", "From the request to the first byte of its answer.", ("method", "route")
)
PROCESS_CPU = Counter("vnfm_process_cpu_seconds_total", "Processor time, by process.", ("process",))
PROCESS_MEMORY = Gauge("vnfm_process_resident_memory_bytes", "Resident memory, summed up by process.", ("process",))
SSE_STREAMS = Gauge("vnfm_sse_streams", "Open streams of server-sent events.")

CATALOGUE: tuple[Metric, ...] = (
    OPERATIONS,
    OPERATION_SECONDS,
    STEP_DURATION_SECONDS,
    STEP_RETRIES,
    CLOUD_REQUESTS,
    CLOUD_SECONDS,
    VIM_POLLS,
    VIM_POLL_SECONDS,
    ELEMENT_POLLS,
    ELEMENT_POLL_SECONDS,
    ELEMENT_SESSIONS,
    NOTIFICATIONS,
    HTTP_REQUESTS,
    HTTP_SECONDS,
    PROCESS_CPU,
    PROCESS_MEMORY,
    SSE_STREAMS,
)
