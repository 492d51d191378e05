"""FRR by files: a change is uploaded to a shell of the router, checked and loaded as a whole by vtysh.

The shell is the login shell: Debian's vtysh starts none. While a change is on trial, a process there waits
to restore what ran before, by `frr-reload.py` of FRR's own tools: it works when the router cannot be reached any more.
"""

import base64
from collections.abc import Sequence
from dataclasses import replace

from vnfm.configuration.domain.file_load import file_text, line_errors, outer_exit_before
from vnfm.configuration.domain.statements import Line, predicted_difference
from vnfm.configuration.session.cli_session import LINE_SECONDS, LONG_SECONDS, AsyncCliSession
from vnfm.configuration.session.confirmed_commit import CONFIRM_SECONDS, ConfirmedCommit
from vnfm.devices.errors import DeviceError, DeviceRejected, Garbled, Locked, NotReady, NotSupported
from vnfm.devices.ports import Cli
from vnfm.kit.patterns import pattern

_PROMPT = "vnfm-shell# "
_AT_PROMPT = pattern(f"^{_PROMPT}$")
_DIRECTORY = "/tmp/vnfm-trial"  # noqa: S108 - made with mode 700; where it exists, the change is refused
_CHUNK = 2_000
"""Octets of a line that is typed; a terminal takes 4,096 characters."""
_RELOAD = "$(command -v frr-reload.py || echo /usr/lib/frr/frr-reload.py)"
_KEEP = "vtysh -c 'show running-config' | grep -v '^Building configuration\\|^Current configuration'"
_RESTORE = f"""\
echo $$ >{_DIRECTORY}/timer
sleep $1
rm {_DIRECTORY}/armed && $2 {_RELOAD} --reload {_DIRECTORY}/before
rm -rf {_DIRECTORY}
"""
_NO_DAEMON = "failed to connect to any daemons"
"""vtysh, while FRR starts, or when it does not."""
_ANY_PROMPT = pattern(r"[#$>] ?$")
_SHELL_PROMPT = pattern(r"[#$] ?$")


class _NothingChangedError(Exception):
    """The change is in force, and the running configuration is what it was."""


async def is_shell(cli: Cli) -> bool:
    """Whether a shell answers, and not vtysh."""
    output = await cli.say("echo $((40 + 2))", until=_ANY_PROMPT, seconds=LINE_SECONDS)
    return "42" in output.split()


class AsyncFrrSession(AsyncCliSession):
    """As its base class, for dialects with `by_file`."""

    _sudo = ""
    _before = ""
    _lines: Sequence[Line] = ()

    async def disable_paging(self) -> None:
        """Enter a shell, as root where sudo gives that without a password."""
        await self._cli.say("exec sh", until=_SHELL_PROMPT, seconds=LINE_SECONDS)
        await self._cli.say(f"PS1='{_PROMPT[:4]}''{_PROMPT[4:]}' PS2=", until=_AT_PROMPT, seconds=LINE_SECONDS)
        status, _ = await self._shell('[ "$(id -u)" = 0 ]')
        if status:
            status, _ = await self._shell("sudo -n true")
            self._sudo = "" if status else "sudo -n "
        status, words = await self._shell("command -v vtysh")
        if status:
            raise NotSupported(f"{self._address} has no vtysh: {words.strip()}", address=self._address)
        status, _ = await self._shell(f"[ -x {_RELOAD} ]")
        if status:
            self._dialect = replace(self._dialect, restores_files=False)

    async def running(self) -> str:
        return self._configuration(await self._vtysh(self._dialect.show_running.text, LONG_SECONDS))

    async def output_of(self, command: str, seconds: float) -> str:
        return await self._vtysh(command, seconds)

    async def require_no_trial(self) -> None:
        """Raises Locked while a change waits for its confirmation; forgets one of before a restart of the router."""
        status, _ = await self._shell(
            f'[ ! -d {_DIRECTORY} ] || ! kill -0 "$(cat {_DIRECTORY}/timer)" 2>&1 && rm -rf {_DIRECTORY}'
        )
        if status:
            words = f"{self._address} runs a change that is tried out and may be taken back."
            raise Locked(words, address=self._address)

    async def _dry_run(self, before: str, lines: Sequence[Line]) -> str:
        await self._make_directory()
        try:
            await self._checked(lines)
        finally:
            await self._shell(f"rm -rf {_DIRECTORY}")
        return predicted_difference(self._dialect.syntax, before, lines)

    async def _edit(self, before: str, lines: Sequence[Line]) -> str:
        await self.stage(before, lines)
        try:
            return await ConfirmedCommit(self, self._address, CONFIRM_SECONDS).commit(before, 0)
        except _NothingChangedError:
            await self.confirm(LINE_SECONDS)
            return before

    async def stage(self, before: str, lines: Sequence[Line]) -> None:
        """Make all ready for `commit_trial`; nothing of it is in force yet."""
        await self._make_directory()
        self._before = before
        try:
            self._lines = await self._checked(lines)
            status, words = await self._shell(f"{self._sudo}{_KEEP} >{_DIRECTORY}/before")
            if status:
                raise Garbled(f"{self._address} does not keep what it runs: {words.strip()}", address=self._address)
            await self._upload("restore", _RESTORE)
        except DeviceError:
            await self._shell(f"rm -rf {_DIRECTORY}")
            raise

    async def commit_trial(self, seconds: int) -> None:
        """Load the file; the timer restores what ran before, and so does an error."""
        if self._dialect.takes_back:
            script = f"{_DIRECTORY}/restore {seconds} '{self._sudo}'"
            await self._shell(f"touch {_DIRECTORY}/armed; (setsid sh {script} </dev/null >/dev/null 2>&1 &)")
        _, output = await self._shell(f"{self._sudo}vtysh -f {_DIRECTORY}/change 2>&1", seconds / 2)
        errors = line_errors(output)
        if errors:
            await self.cancel()
            number, words = next(iter(errors.items()))
            in_force = 0 if self._dialect.takes_back else number - 1
            raise self._rejected(self._lines[number - 1], words, in_force=in_force)
        if await self.running() == self._before:
            raise _NothingChangedError

    async def confirm(self, seconds: float) -> None:
        """Without anything to confirm the timer has restored the configuration, as the running one shows."""
        await self._shell(
            f'rm -f {_DIRECTORY}/armed; kill "$(cat {_DIRECTORY}/timer)" 2>/dev/null; rm -rf {_DIRECTORY}', seconds
        )

    async def cancel(self) -> None:
        if not self._dialect.takes_back:
            return
        try:
            await self._shell(
                f"kill \"$(cat {_DIRECTORY}/timer)\" 2>/dev/null; sh {_DIRECTORY}/restore 0 '{self._sudo}' 2>&1",
                LONG_SECONDS,
            )
        except DeviceError:
            return

    async def _save(self) -> None:
        try:
            await self._vtysh(self._dialect.save.text, LONG_SECONDS)
        except DeviceRejected as error:
            words = f"{error.message} The configuration is in force, but would be lost at a restart."
            raise DeviceRejected(words, address=self._address, words=error.words) from error

    async def _checked(self, lines: Sequence[Line]) -> list[Line]:
        """Upload the lines, in the first of their forms that vtysh accepts, without those that leave the configuration.

        Raises DeviceRejected for one that it rejects in every form.
        """
        kept = [*lines]
        while True:
            await self._upload("change", file_text(kept))
            _, output = await self._shell(f"{self._sudo}vtysh -C -f {_DIRECTORY}/change 2>&1", LONG_SECONDS)
            errors = line_errors(output)
            if not errors:
                return kept
            number, words = next(iter(errors.items()))
            outer = outer_exit_before(self._dialect.syntax, kept, number)
            if outer is not None:
                del kept[outer]
                continue
            line = kept[number - 1]
            if not line.others:
                raise self._rejected(line, words)
            indent = line.text[: len(line.text) - len(line.text.lstrip())]
            kept[number - 1] = replace(line, text=indent + line.others[0], others=line.others[1:])

    async def _make_directory(self) -> None:
        status, words = await self._shell(f"mkdir -m 700 {_DIRECTORY} 2>&1")
        if status:
            raise Locked(f"{self._address} has another change on trial: {words.strip()}", address=self._address)

    async def _upload(self, name: str, text: str) -> None:
        octets = text.encode()
        await self._shell(f": >{_DIRECTORY}/{name}")
        for start in range(0, len(octets), _CHUNK):
            chunk = base64.b64encode(octets[start : start + _CHUNK]).decode()
            status, words = await self._shell(f"echo {chunk} | base64 -d >>{_DIRECTORY}/{name}")
            if status:
                raise Garbled(f"{self._address} does not take a file: {words.strip()}", address=self._address)

    async def _vtysh(self, command: str, seconds: float) -> str:
        """Output of a command. Raises DeviceRejected, and NotReady where no daemon of FRR runs."""
        quoted = command.replace("'", "'\\''")
        status, output = await self._shell(f"{self._sudo}vtysh -c '{quoted}' 2>&1", seconds)
        words = self._dialect.error_in(output) if command != self._dialect.show_running.text else ""
        if status or words:
            words = words or output.strip()[-300:] or f"exit status {status}"
            if _NO_DAEMON in output:
                raise NotReady(f"No daemon of FRR runs at {self._address}: {words}", address=self._address)
            message = f"{self._address} refuses {command!r}: {words}"
            raise DeviceRejected(message, address=self._address, words=words)
        return output

    async def _shell(self, command: str, seconds: float = LINE_SECONDS) -> tuple[int, str]:
        """Exit status and output of a command line of the shell."""
        output = await self._cli.say(f"{{ {command}; }}; printf '\\ndone=%d\\n' $?", until=_AT_PROMPT, seconds=seconds)
        printed, _, status = output.rstrip().rpartition("\n")
        number = status.removeprefix("done=")
        if number == status or not number.isdecimal():
            raise Garbled(f"{self._address} runs no commands in its shell: {output[-200:]!r}", address=self._address)
        return int(number), printed
