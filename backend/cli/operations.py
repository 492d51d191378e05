"""Operations that commands start, with or without waiting for the end."""

import sys
from argparse import Namespace

from cli.output import show_json
from demo.api import Api
from demo.operation import follow
from demo.screen import Screen

LONGEST = 24 * 3600.0
"""Seconds for which a command follows an operation; the operation itself continues after that."""


def follow_to_end(api: Api, options: Namespace, op_id: str, task: str) -> None:
    """Show the steps until the end, unless --no-wait is given. Raises DemoError unless the operation completes."""
    if not options.no_wait:
        follow(api, Screen(sys.stderr if options.json else sys.stdout), op_id, task, seconds=LONGEST)
    if options.json:
        show_json(api.get(f"/vnflcm/v2/vnf_lcm_op_occs/{op_id}"))
    elif options.no_wait:
        sys.stdout.write(f"{op_id}\n")
