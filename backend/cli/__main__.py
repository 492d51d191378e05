"""`./vnfm vnf|alarm|package|completion …`. The token comes from the environment or a file, never from an argument."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import requests

from cli import completion
from cli.parser import parser
from demo.api import UNREACHABLE, Api, DemoError
from demo.operation import NOT_COMPLETED

DONE, REFUSED, USAGE, INCOMPLETE, NO_ACCESS, INTERRUPTED = 0, 1, 2, 3, 4, 130
UNAUTHORIZED = 401


def main(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run the command and return its exit code; failures are written to standard error as sentences."""
    options = parser().parse_args(arguments)
    if options.noun == "completion":
        sys.stdout.write(completion.script(parser(), options.shell))
        return DONE
    try:
        options.handler(_api(environment), options)
    except DemoError as error:
        sys.stderr.write(f"{error}\n{_renewed_next_time(error, environment)}")
        return _exit_code(error)
    except requests.RequestException as error:
        sys.stderr.write(f"The connection to the product was lost: {error}\n")
        return NO_ACCESS
    except OSError as error:
        sys.stderr.write(f"{error.filename}: {error.strerror}\n" if error.filename else f"{error}\n")
        return REFUSED
    except KeyboardInterrupt:
        sys.stderr.write("\nAn operation that has started continues in the product.\n")
        return INTERRUPTED
    return DONE


def _api(environment: Mapping[str, str]) -> Api:
    url, token, file = (environment.get(name, "").strip() for name in ("VNFM_URL", "VNFM_TOKEN", "VNFM_TOKEN_FILE"))
    if not token and file:
        token = Path(file).read_text().strip()
    if not url or not token:
        raise DemoError("Set VNFM_URL, and VNFM_TOKEN or VNFM_TOKEN_FILE.", "USAGE")
    return Api(url, token, environment.get("VNFM_TLS_CERT", ""))


def _renewed_next_time(error: DemoError, environment: Mapping[str, str]) -> str:
    """Delete the token that `./vnfm` keeps for its commands if it has expired; return a sentence about it, or ""."""
    if error.status != UNAUTHORIZED or "VNFM_TOKEN_RENEWABLE" not in environment:
        return ""
    Path(environment["VNFM_TOKEN_FILE"]).unlink(missing_ok=True)
    return "The stored token of these commands has expired. Run the command again: it creates a new token.\n"


def _exit_code(error: DemoError) -> int:
    if error.code == "USAGE":
        return USAGE
    if error.code == NOT_COMPLETED:
        return INCOMPLETE
    return NO_ACCESS if error.code == UNREACHABLE or error.status == UNAUTHORIZED else REFUSED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
