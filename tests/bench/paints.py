"""The browser itself measures: interactions until their next paint, frames, and tasks that are too long for one.

Chromium draws in software in tests.
"""

from collections.abc import Callable

from playwright.sync_api import Page

OBSERVE = """
globalThis.interactions = [];
new PerformanceObserver(list => {
  for (const { interactionId, duration } of list.getEntries()) if (interactionId) interactions.push(duration);
}).observe({ type: "event", durationThreshold: 16 });
"""
TAKE = """() => new Promise(resolve => setTimeout(() => resolve(interactions.splice(0)), 100))"""
"""Entries come after the paint."""

COUNT = """() => {
  const begun = performance.now();
  const times = [];
  let running = true;
  const frame = now => { times.push(now); if (running) requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  globalThis.counted = () => {
    running = false;
    const gaps = times.slice(1).map((time, index) => time - times[index]);
    return { frames: gaps.length, seconds: (performance.now() - begun) / 1000, longest_ms: Math.max(...gaps) };
  };
}"""

LONG_TASKS = """
globalThis.longTasks = [];
new PerformanceObserver(list => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: "longtask" });
"""
"""Tasks of more than 50 ms, during which nothing is drawn or answered."""
REQUESTS = """() => {
  const calls = performance.getEntriesByType("resource").filter(({ initiatorType, name }) =>
    initiatorType === "fetch" && !name.includes("/events"));
  performance.clearResourceTimings();
  return calls.map(({ duration }) => duration);
}"""
"""Milliseconds of each request to the API since the last call."""
UNDER_WAY = """
const request = globalThis.fetch;
globalThis.underWay = 0;
globalThis.restingSince = 0;
globalThis.fetch = (...given) => {
  underWay += 1;
  return request(...given).finally(() => { underWay -= 1; restingSince = performance.now(); });
};
"""
"""Init script for `quiet`."""
QUIET_MS = 600
"""Longer than a search waits for the next letter."""
_QUIET = f"() => !underWay && performance.now() - restingSince > {QUIET_MS} && !document.querySelector('.vm-waiting')"

Interaction = Callable[[Page], object]


def measured(page: Page, interaction: Interaction) -> float:
    """Milliseconds to the next paint; the longest of what the interaction consists of (key down, key up)."""
    page.evaluate(TAKE)
    interaction(page)
    durations: list[float] = page.evaluate(TAKE)
    return max(durations, default=0)


def quiet(page: Page) -> None:
    """No request is under way, and none will be begun: nothing was asked for in the last `QUIET_MS`."""
    page.evaluate("restingSince = performance.now()")
    page.wait_for_function(_QUIET)
