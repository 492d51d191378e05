from pathlib import Path, PurePosixPath

import pytest

from tests.arch.house_rules import EXCEPTIONS, ROOMS, RULES, broken

BACKEND = Path(__file__).parents[2] / "backend"

BAD = {
    "naive_time": ("datetime.now()", "now = datetime.datetime.utcnow()", "date.today()", "time.time()"),
    "sleeping": ("time.sleep(1)", "sleep(0.1)"),
    "bare_except": ("try: pass\nexcept: pass", "try: pass\nexcept BaseException: pass"),
    "direct_send": ("drive.delay(1)", "task.apply_async((1,))", "current_app.send_task('x')"),
    "signal_receiver": ("from django.dispatch import receiver", "from django.db.models.signals import post_save"),
    "printing": ("print('here')",),
    "backtracking": ("_X = re.compile(r'^\\s*Error')", "re.sub(r'<[^>]+>', '', text)", "re.search(made(), text)"),
}
GOOD = {
    "naive_time": "clock.now()",
    "sleeping": "stop.wait(1)",
    "bare_except": "try: pass\nexcept Exception: pass",
    "direct_send": "tasks.enqueue_on_commit('lcm.drive', op.id)",
    "signal_receiver": "import signal",
    "printing": "self.stdout.write('here')",
    "backtracking": "re.sub(r'[^\\w.-]+', '-', name); pattern(r'^\\s*Error')",
}


@pytest.mark.parametrize("name", RULES)
def test_the_product_keeps_the_rule(name: str) -> None:
    files = (
        path for root in ("vnfm", "hot") for path in (BACKEND / root).rglob("*.py") if "migrations" not in path.parts
    )
    places = [
        place for path in files for place in broken(name, path.read_text(), PurePosixPath(path.relative_to(BACKEND)))
    ]
    assert places == [], RULES[name].__doc__


@pytest.mark.parametrize(("name", "source"), [(name, source) for name, sources in BAD.items() for source in sources])
def test_the_rule_finds_its_violations(name: str, source: str) -> None:
    assert broken(name, source, _path(name))


def _path(name: str) -> PurePosixPath:
    """A file in which the rule holds."""
    return PurePosixPath(ROOMS.get(name, ("vnfm/",))[0]) / "x.py"


@pytest.mark.parametrize(("name", "source"), GOOD.items())
def test_the_rule_allows_the_replacement(name: str, source: str) -> None:
    assert not broken(name, source, _path(name))


@pytest.mark.parametrize(("name", "path"), [(name, path) for name, paths in EXCEPTIONS.items() for path in paths])
def test_exceptions_are_needed(name: str, path: str) -> None:
    source = (BACKEND / path).read_text()
    assert broken(name, source, _path(name))
