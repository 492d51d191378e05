"""Commands that follow an operation, against a server that answers as the API does; completion."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from cli.__main__ import main
from demo.api import UNREACHABLE, Api, DemoError, unless_away, wait_for
from tests.support.http_standin import HttpStandIn, QuietHandler

AWAY = ["CLOSED", "503"]
"""While another release takes over: the connection is closed, and a proxy answers."""
OP, VNF = "/vnflcm/v2/vnf_lcm_op_occs/7", {"id": "1", "name": "pe-1", "conditions": []}
SNAPSHOT = {
    "id": "1",
    "state": "AVAILABLE",
    "startedAt": "2026-11-26T10:00:00Z",
    "createdBy": "op",
    "vnfcs": [{"volumes": 1}, {"volumes": 0}],
    "bootedVnfcs": [],
    "removalProblem": None,
}


def server(states: Sequence[str]) -> HttpStandIn:
    """The operation, or the package, is in these states one after the other, and stays in the last."""
    left = list(states)

    class Handler(QuietHandler):
        def do_GET(self) -> None:  # noqa: N802 - the name that http.server calls
            if self.path.startswith("/api/v1/vnf_instances"):
                self._answer(200, [SNAPSHOT if self.path.endswith("/snapshots") else VNF])
                return
            state = left.pop(0) if len(left) > 1 else left[0]
            if state == "CLOSED":
                return
            done = {"state": "DONE" if state == "COMPLETED" else "RUNNING", "title": "Delete the stack", "message": ""}
            op = {"operationState": state, "steps": [done], "error": {"detail": "Heat is not reached."}}
            self._answer(int(state) if state.isdecimal() else 200, {**op, "onboardingState": state})

        def do_POST(self) -> None:  # noqa: N802 - as above
            self.rfile.read(int(self.headers["Content-Length"]))
            self._answer(202, {"id": "1"})

        do_PUT = do_POST  # noqa: N815 - as above

        def do_DELETE(self) -> None:  # noqa: N802 - as above
            left[:] = ["deleted"]
            self._answer(200, {})

        def _answer(self, status: int, body: object) -> None:
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Location", f"{OP}")
            self.end_headers()
            self.wfile.write(content)

    return HttpStandIn(Handler)


@pytest.fixture(params=[("COMPLETED", 0), ("FAILED_TEMP", 3)], ids=["completed", "failed"])
def end(request: pytest.FixtureRequest) -> Iterator[tuple[str, str, int]]:
    state, code = request.param
    with server(["PROCESSING", "PROCESSING", state]) as standin:
        yield standin.base, state, code


def test_steps_are_followed_to_the_end(end: tuple[str, str, int], capsys: pytest.CaptureFixture[str]) -> None:
    url, state, code = end
    environment = {"VNFM_URL": url, "VNFM_TOKEN": "secret"}
    assert main(["vnf", "terminate", "pe-1", "--force"], environment) == code
    out, err = capsys.readouterr()
    assert "… Delete the stack" in out
    assert (f"terminate ended in {state}: Heat is not reached." in err) == (code == 3)
    if code == 0:
        assert main(["vnf", "heal", "pe-1", "--json"], environment) == 0
        out, err = capsys.readouterr()
        assert json.loads(out)["operationState"] == "COMPLETED"
        assert "✓ Delete the stack" in err


def test_a_snapshot_is_followed_to_its_end(end: tuple[str, str, int], capsys: pytest.CaptureFixture[str]) -> None:
    url, state, code = end
    environment = {"VNFM_URL": url, "VNFM_TOKEN": "secret"}
    assert main(["vnf", "snapshot", "take", "pe-1"], environment) == code
    out, err = capsys.readouterr()
    assert (f"create_snapshot ended in {state}" in err) == (code == 3)
    assert [line.split()[1:6] for line in out.splitlines() if line.endswith("-")] == (
        [["AVAILABLE", "2", "1", "op", "-"]] if code == 0 else []
    )
    assert main(["vnf", "snapshot", "revert", "pe-1", "1"], environment) == code


def test_an_operation_is_followed_while_the_server_is_away(capsys: pytest.CaptureFixture[str]) -> None:
    with server(["PROCESSING", *AWAY, "COMPLETED"]) as standin:
        assert main(["vnf", "heal", "pe-1"], {"VNFM_URL": standin.base, "VNFM_TOKEN": "secret"}) == 0
    assert "heal COMPLETED" in capsys.readouterr().out


def test_an_accepted_package_is_not_deleted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "vsr.zip").write_bytes(b"zip")
    command = ["package", "upload", str(tmp_path / "vsr.zip")]
    with server([*AWAY, "ONBOARDED"]) as standin:
        assert main(command, {"VNFM_URL": standin.base, "VNFM_TOKEN": "secret"}) == 0
    with server(["404", "ONBOARDED"]) as standin:  # what ends the wait is not a reason to delete it
        assert main(command, {"VNFM_URL": standin.base, "VNFM_TOKEN": "secret"}) == 1
        assert Api(standin.base, "secret").get("/")["onboardingState"] == "ONBOARDED"


@pytest.mark.parametrize(("error", "seconds"), [(DemoError("", UNREACHABLE), 0), (DemoError("", "", 404), 60)])
def test_an_outage_that_lasts_is_an_error(error: DemoError, seconds: float) -> None:
    def look() -> None:
        raise error

    with pytest.raises(DemoError) as caught:
        wait_for("nothing", unless_away(look, seconds), 20, every=0)
    assert caught.value is error


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["vnf", "te"], ["terminate"]),
        (["vnf", "terminate", "--f"], ["--force"]),
        (["pack"], ["package"]),
        (["vnf", "scale", "--st"], ["--steps"]),
        (["vnf", "scale", "pe-1", "o"], ["out"]),
        (["vnf", "snapshot", ""], ["list", "take", "revert", "delete", "-h", "--help"]),
        (["vnf", "snapshot", "take", "pe-1", "--no"], ["--no-wait"]),
        (["completion", "z"], ["zsh"]),
    ],
)
def test_completion_knows_commands_and_options(
    words: list[str], expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", "bash"], {}) == 0
    script = capsys.readouterr().out
    line = " ".join(f'"{word}"' for word in ("vnfm", *words))
    ask = f'COMP_WORDS=({line}); COMP_CWORD={len(words)}; _vnfm; echo "${{COMPREPLY[@]}}"'
    answer = subprocess.run(["bash", "-c", f"{script}\n{ask}"], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == expected
