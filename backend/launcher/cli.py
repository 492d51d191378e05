"""The command line of `./vnfm`. Each command imports its own modules, so that `status` is fast on a busy machine."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from launcher.console import Console
from launcher.errors import INTERRUPTED, LaunchError, Stop, explain_os_error
from launcher.layout import Checkout, Instance
from launcher.options import CLIENT, parser


def main(arguments: Sequence[str]) -> int:
    """Run one command; a failure prints one sentence to standard error."""
    try:
        return _dispatch(Checkout.here(), list(arguments))
    except LaunchError as error:
        print(error, file=sys.stderr)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone
    except OSError as error:
        print(explain_os_error(error), file=sys.stderr)
    except (KeyboardInterrupt, Stop):
        return INTERRUPTED
    return 1


@dataclass(frozen=True)
class _Call:
    """A parsed command line; `rest` has the arguments for the command's own parser."""

    checkout: Checkout
    options: argparse.Namespace
    rest: list[str]
    console: Console

    @property
    def instance(self) -> Instance:
        return Instance(self.options.state_dir.absolute())


def _dispatch(checkout: Checkout, arguments: list[str]) -> int:
    if arguments[:1] == ["test"]:
        return _test(checkout, arguments[1:])
    options, rest = parser(checkout).parse_known_args(arguments)
    if rest and options.command not in ("demo", "manage", "routersim", *CLIENT):
        parser(checkout).error(f"unrecognized arguments: {' '.join(rest)}")
    return _COMMANDS[options.command](_Call(checkout, options, rest, Console()))


def _test(checkout: Checkout, arguments: list[str]) -> int:
    if arguments[:1] == ["--changed"]:
        from launcher.changed import test_changed

        return test_changed(checkout, arguments[1:], Console())
    from launcher import checks

    return checks.test(checkout, arguments, Console())


def _up(call: _Call) -> int:
    from launcher.starting import up, up_options

    return up(call.checkout, up_options(call.options), call.console)


def _upgrade(call: _Call) -> int:
    from launcher.starting import upgrade

    return upgrade(call.checkout, call.options, call.console)


def _down(call: _Call) -> int:
    from launcher.status import down

    return down(call.instance, call.console)


def _status(call: _Call) -> int:
    from launcher.status import status

    return status(call.instance, call.console, as_json=call.options.json)


def _logs(call: _Call) -> int:
    from launcher.logs import logs

    options = call.options
    return logs(call.instance, call.console, name=options.name, lines=options.lines, follow=options.follow)


def _version(call: _Call) -> int:
    from launcher.version import version

    return version(call.checkout, call.console)


def _sbom(call: _Call) -> int:
    from launcher.sbom import write_sbom

    write_sbom(call.checkout, call.options.file)
    return 0


def _backup(call: _Call) -> int:
    from launcher.backup import backup

    file, passphrase, check = call.options.file, call.options.passphrase_file, call.options.check
    return backup(call.checkout, call.instance, call.console, file, passphrase=passphrase, check=check)


def _restore(call: _Call) -> int:
    from launcher.backup import restore

    file, passphrase, replace = call.options.file, call.options.passphrase_file, call.options.replace
    return restore(call.checkout, call.instance, call.console, file, passphrase=passphrase, replace=replace)


def _token(call: _Call) -> int:
    from launcher.inside import token

    return token(call.checkout, call.instance, call.console)


def _shell(call: _Call) -> int:
    from launcher.inside import shell

    return shell(call.checkout, call.instance)


def _manage(call: _Call) -> int:
    from launcher.inside import manage

    return manage(call.checkout, call.instance, call.rest or ["help"])


def _demo(call: _Call) -> int:
    from launcher.inside import demo

    return demo(call.checkout, call.instance, call.rest)


def _routersim(call: _Call) -> int:
    from launcher.inside import routersim

    return routersim(call.checkout, call.instance, call.rest)


def _client(call: _Call) -> int:
    from launcher.inside import client

    return client(call.checkout, call.instance, [call.options.command, *call.rest])


_COMMANDS: dict[str, Callable[[_Call], int]] = {
    "up": _up,
    "upgrade": _upgrade,
    "down": _down,
    "status": _status,
    "logs": _logs,
    "version": _version,
    "sbom": _sbom,
    "backup": _backup,
    "restore": _restore,
    "token": _token,
    "shell": _shell,
    "manage": _manage,
    "demo": _demo,
    "routersim": _routersim,
    **dict.fromkeys(CLIENT, _client),
}
