"""./vnfm demo: EANTC's flow of 2016, step by step, checked against the cloud; exits non-zero on any difference."""

import argparse
import os
import sys
import uuid

from demo.api import Api, DemoError
from demo.cloud import CloudSide
from demo.flow import Flow
from demo.guest_flow import GuestFlow
from demo.routers import Routers
from demo.screen import Screen


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="vnfm demo", description="Run the main workflow and check it.")
    parser.add_argument("--cloud", help="a cloud of your clouds.yaml (default: the instance's own)")
    parser.add_argument("--product", default="VSR-PE", help="VNF product to deploy (default: %(default)s)")
    parser.add_argument(
        "--guests", nargs="?", const="frr-router.qcow2", metavar="IMAGE",
        help="use FRR routers that forward packets, after `up --guests` as root; their image file (%(const)s)",
    )  # fmt: skip
    parser.add_argument("--keep", action="store_true", help="leave the VNF running at the end")
    return parser.parse_args()


def _with_guests(api: Api, cloud: CloudSide, screen: Screen, arguments: argparse.Namespace) -> int:
    traps = os.environ.get("VNFM_GUEST_TRAP_PORT", "")
    flow = GuestFlow(api, cloud, screen, f"demo-{uuid.uuid4().hex[:6]}", traps)
    try:
        flow.run(image=arguments.guests, keep=arguments.keep)
    except DemoError as failure:
        screen.bad(str(failure))
        screen.note(f"{flow.name}, its neighbours and its networks are left as they are.")
        return 1
    finally:
        flow.close()
    screen.note(f"\nAll steps are as they should be, in {screen.seconds():.1f} s.")
    return 0


def main() -> int:
    arguments = _arguments()
    url, token = os.environ.get("VNFM_URL", ""), os.environ.get("VNFM_TOKEN", "")
    if not url or not token:
        sys.stderr.write("Run it as ./vnfm demo, or set VNFM_URL and VNFM_TOKEN.\n")
        return 2
    own = os.environ.get("VNFM_CLOUD", "")
    cloud = arguments.cloud or own
    clouds_yaml = (
        os.environ.get("VNFM_CLOUDS_YAML", "") if cloud == own else os.environ.get("OS_CLIENT_CONFIG_FILE", "")
    )
    screen = Screen()
    api = Api(url, token, os.environ.get("VNFM_TLS_CERT", ""))
    if arguments.guests:
        return _with_guests(api, CloudSide(cloud, clouds_yaml), screen, arguments)
    simulated = os.environ.get("VNFM_ROUTERSIM", "") if cloud == own else ""
    routers = Routers(simulated, api, screen) if simulated else None
    flow = Flow(api, CloudSide(cloud, clouds_yaml), screen, name=f"demo-{uuid.uuid4().hex[:6]}", routers=routers)
    done = False
    try:
        flow.run(product=arguments.product, clouds_yaml=clouds_yaml, keep=arguments.keep)
        done = True
    except DemoError as failure:
        screen.bad(str(failure))
        return 1
    finally:
        if flow.instance_id and not done:
            screen.note(
                f"The VNF {flow.name} (VNF instance {flow.instance_id}) is left as it is. Terminate it in {url}."
            )
    screen.note(f"\nAll steps are as they should be, in {screen.seconds():.1f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
