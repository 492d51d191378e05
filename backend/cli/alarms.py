"""`alarm`: open alarms of all objects."""

from argparse import Namespace

from cli.output import show
from demo.api import Api

ROW = {
    "SEVERITY": "perceivedSeverity",
    "ACK": "ackState",
    "OBJECT": "managedObjectName",
    "ALARM": "faultType",
    "RAISED": "alarmRaisedTime",
    "ID": "id",
}


def alarm_list(api: Api, options: Namespace) -> None:
    wanted = f"&filter=(eq,perceivedSeverity,{options.severity})" if options.severity else ""
    show(api.pages(f"/api/v1/alarms?list=current{wanted}"), ROW, as_json=options.json)


def alarm_ack(api: Api, options: Namespace) -> None:
    changed = [api.patch(f"/api/v1/alarms/{each}", {"ackState": "ACKNOWLEDGED"}) for each in options.alarm]
    show(changed, ROW, as_json=options.json)
