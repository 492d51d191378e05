"""/api/v1/maintenance_windows."""

from vnfm.faults.api.shapes import MaintenanceWindowOut, MaintenanceWindowUpdate, MaintenanceWindowWrite
from vnfm.faults.selectors import window_list
from vnfm.faults.services.maintenance import window_create, window_end, window_update
from vnfm.kit import clock
from vnfm.kit.web.resource import Resource, Sentences
from vnfm.kit.web.shapes import answer

WINDOWS = Resource(
    name="maintenance_window",
    noun="maintenance window",
    key="window_id",
    rows=window_list,
    order=("-starts_at", "id"),
    filters={
        "managedObjectType": "managed_object_type",
        "managedObjectId": "managed_object_id",
        "startsAt": "starts_at",
        "endsAt": "ends_at",
        "createdBy": "created_by",
    },
    shape=answer(MaintenanceWindowOut),
    creates=MaintenanceWindowWrite,
    changes=MaintenanceWindowUpdate,
    create=lambda values, user: window_create(**values, by=user.username, now=clock.now()),
    change=lambda window, values, user: window_update(window=window, values=values, by=user.username, now=clock.now()),
    delete=lambda window, user: window_end(window=window, by=user.username, now=clock.now()),
    sentences=Sentences(
        list="Maintenance windows, the latest first, ended ones included.",
        create="Open a window in which faults of the object are recorded, and published only if they outlast it.",
        view="One maintenance window.",
        change="Change its end or reason; 409 when it is over. Honours If-Match.",
        delete="End it now, or delete it if it has not begun. Honours If-Match.",
    ),
)
