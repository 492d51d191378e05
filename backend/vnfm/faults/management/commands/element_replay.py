"""Tries a recorded walk: what is shown of it, what is left out, and which alarms there would be."""

import asyncio
import json
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from vnfm.devices.errors import DeviceError
from vnfm.devices.registry import provider
from vnfm.devices.types import Community, SnmpTarget
from vnfm.faults.reconcilers.element_replay import ReplayReport, replay


class Command(BaseCommand):
    help = (
        "Answer the rows of FILE (YAML, the output of snmpwalk -On, or snmpsim's) by a simulated agent, read it once, "
        "and report what is shown and what is not. It ends with 1 where a row is left out without a reason."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--json", action="store_true", help="for programs")

    def handle(self, *args: Any, **options: Any) -> None:
        with _agent(options["file"]) as (address, port):
            target = SnmpTarget(address, port, Community("public"), timeout=10.0)
            try:
                report = asyncio.run(replay(provider(), target))
            except DeviceError as error:
                raise CommandError(error.message) from error
        text = json.dumps(report.json(), indent=1) if options["json"] else "\n".join(_lines(report))
        self.stdout.write(text)
        if report.unexplained:
            raise CommandError(f"{report.unexplained} rows are left out without a reason.", returncode=1)


@contextmanager
def _agent(file: Path) -> Iterator[tuple[str, int]]:
    """Run a simulated agent that answers the rows of the file; yields its address."""
    with tempfile.TemporaryDirectory(prefix="element-replay-") as folder:
        command = [sys.executable, "-m", "routersim", "--state-dir", folder, "--control-port", "0"]
        command += ["--snmp-port", "0", "--ssh-port", "0", "--rows", str(file.absolute())]
        process = subprocess.Popen(  # noqa: S603 - our own simulator
            command, cwd=settings.BACKEND_DIR, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        try:
            assert process.stdout is not None
            _, _, at = process.stdout.readline().partition(" answers at ")
            if not at:
                raise CommandError(process.communicate(timeout=10)[1].strip() or "The simulated agent did not start.")
            address, _, port = at.partition(",")[0].partition(":")
            yield address, int(port)
        finally:
            process.terminate()
            process.wait(20)


def _lines(report: ReplayReport) -> Iterator[str]:
    yield f"{report.sys_name or 'The element'} is read by the driver {report.driver}: {report.sys_descr[:100]}"
    yield f"Objects in the walk: {report.objects}"
    yield "Shown: " + ", ".join(f"{count} {kind}" for kind, count in report.shown.items())
    yield ""
    heads = ("objects", "rows", "shown", "by other", "left out", "no reason")
    yield f"{'table that is read':34}" + "".join(f"{head:>10}" for head in heads)
    for table in report.tables:
        yield (
            f"{table.table:34}{table.objects:10}{table.rows:10}{table.shown:10}{table.elsewhere:10}"
            f"{table.left_out:10}{len(table.unexplained):10}"
            + (f"  ({table.unchecked} not checked)" if table.unchecked else "")
        )
        yield from (f"    {count} rows: {reason}" for reason, count in table.reasons.most_common(10))
        if table.unexplained:
            yield f"    without a reason: {', '.join(table.unexplained[:10])}"
    yield from _listed("Left out", report.omissions)
    yield from _listed("Not read by this driver, objects", [f"{n:7} {group}" for group, n in report.unread.items()])
    yield from _listed("Alarms", report.alarms)


def _listed(title: str, lines: list[str]) -> Iterator[str]:
    yield ""
    yield f"{title}: {len(lines) or 'none'}"
    yield from (f"  {line}" for line in lines)
