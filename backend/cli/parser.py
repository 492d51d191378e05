"""The commands, their arguments and their help."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from cli import alarms, completion, instances, packages, snapshots
from demo.api import Api

SEVERITIES = ("CRITICAL", "MAJOR", "MINOR", "WARNING", "INDETERMINATE")
ENVIRONMENT = (
    "Without VNFM_URL the commands use the instance that ./vnfm up started here. For another one set VNFM_URL, "
    "VNFM_TOKEN or VNFM_TOKEN_FILE, and VNFM_TLS_CERT for a certificate that this machine does not trust. Exit codes: "
    "0 done, 1 refused, 2 wrong usage, 3 the operation did not complete, 4 no answer or no right to log in."
)

Handler = Callable[[Api, argparse.Namespace], None]
if TYPE_CHECKING:
    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - it has no public name


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="vnfm", description=__doc__, epilog=ENVIRONMENT, allow_abbrev=False)
    nouns = top.add_subparsers(dest="noun", required=True, metavar="vnf|alarm|package|completion")
    _vnf(_verbs(nouns, "vnf", "VNF instances"))
    _alarm(_verbs(nouns, "alarm", "alarms of all objects"))
    _package(_verbs(nouns, "package", "VNF packages"))
    shells = nouns.add_parser("completion", help="print the completion for a shell: . <(./vnfm completion bash)")
    shells.add_argument("shell", choices=completion.SHELLS)
    return top


def _verbs(nouns: "Verbs", noun: str, description: str) -> "Verbs":
    return nouns.add_parser(
        noun, help=description, description=description, epilog=ENVIRONMENT, allow_abbrev=False
    ).add_subparsers(dest="verb", required=True, metavar="VERB")


def _verb(verbs: "Verbs", name: str, description: str, handler: Handler) -> argparse.ArgumentParser:
    verb = verbs.add_parser(name, help=description, description=description, epilog=ENVIRONMENT, allow_abbrev=False)
    verb.add_argument("--json", action="store_true", help="print JSON as the API has it")
    verb.set_defaults(handler=handler)
    return verb


def _operation(verbs: "Verbs", name: str, description: str, handler: Handler) -> argparse.ArgumentParser:
    verb = _verb(verbs, name, description, handler)
    verb.add_argument("vnf", metavar="VNF", help="name or id")
    verb.add_argument("--no-wait", action="store_true", help="print the operation's id and do not wait for its end")
    return verb


def _vnf(verbs: "Verbs") -> None:
    _verb(verbs, "list", "all VNF instances", instances.vnf_list)
    one = _verb(verbs, "show", "one VNF instance", instances.vnf_show)
    one.add_argument("vnf", metavar="VNF", help="name or id")
    start = _operation(verbs, "instantiate", "create and instantiate a VNF", instances.vnf_instantiate)
    start.add_argument("--vnfd", metavar="VNFD", help="id, product or 'product version'; else VNF exists already")
    start.add_argument("--vim", default="", metavar="CLOUD", help="name or id; optional if there is only one cloud")
    start.add_argument("--flavour", default="default", metavar="ID", help="deployment flavour (default)")
    start.add_argument("--level", metavar="ID", help="instantiation level")
    start.add_argument("--param", action="append", metavar="NAME=VALUE", help="a setting of the VNFD; repeatable")
    scale = _operation(verbs, "scale", "add or remove VNFCs", instances.vnf_scale)
    scale.add_argument("direction", choices=("out", "in"))
    scale.add_argument("aspect", metavar="ASPECT", help="scaling aspect")
    scale.add_argument("--steps", type=int, default=1, metavar="N", help="scaling steps (1)")
    heal = _operation(verbs, "heal", "repair what is down", instances.vnf_heal)
    heal.add_argument("--vnfc", action="append", metavar="VNFC", help="id, name or slot; repeatable; else all down")
    end = _operation(verbs, "terminate", "shut down and remove the VNF's servers", instances.vnf_terminate)
    end.add_argument("--force", action="store_true", help="terminate without a graceful shutdown")
    end.add_argument("--delete", action="store_true", help="also delete the VNF instance afterwards")
    _snapshot(_verbs(verbs, "snapshot", "snapshots of the disks of a VNF"))


def _snapshot(verbs: "Verbs") -> None:
    every = _verb(verbs, "list", "snapshots of a VNF, the latest first", snapshots.snapshot_list)
    every.add_argument("vnf", metavar="VNF", help="name or id")
    _operation(verbs, "take", "image each VNFC, and take snapshots of volumes", snapshots.snapshot_take)
    back = _operation(verbs, "revert", "rebuild the servers from a snapshot's images", snapshots.snapshot_revert)
    back.add_argument("snapshot", metavar="SNAPSHOT", help="id; all data written to the disks since then are lost")
    gone = _verb(verbs, "delete", "delete snapshots, and their images in the cloud", snapshots.snapshot_delete)
    gone.add_argument("snapshot", nargs="+", metavar="SNAPSHOT", help="id; repeatable")


def _alarm(verbs: "Verbs") -> None:
    every = _verb(verbs, "list", "open alarms", alarms.alarm_list)
    every.add_argument("--severity", choices=SEVERITIES)
    acknowledge = _verb(verbs, "ack", "acknowledge alarms", alarms.alarm_ack)
    acknowledge.add_argument("alarm", nargs="+", metavar="ID")


def _package(verbs: "Verbs") -> None:
    _verb(verbs, "list", "all VNF packages", packages.package_list)
    upload = _verb(verbs, "upload", "onboard a zip or CSAR", packages.package_upload)
    upload.add_argument("file", metavar="FILE")
