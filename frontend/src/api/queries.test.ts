import { afterEach, expect, it, vi } from "vitest";
import { ProblemError } from "./problem";
import { createQueryClient } from "./queries";

afterEach(() => vi.useRealTimers());

it.each([
  [503, "TOO_MUCH_COUNTED", 1],
  [409, "CONFLICT", 1],
  [503, "DATABASE_UNAVAILABLE", 3],
  [502, undefined, 3],
])("reads what was answered with %i and the code %s so often: %i", async (status, code, times) => {
  vi.useFakeTimers();
  const problem = { status, title: "No", detail: "", ...(code ? { code } : {}) };
  const queryFn = vi.fn(() => Promise.reject(new ProblemError(problem)));
  const reading = createQueryClient().query({ queryKey: ["performance"], queryFn });
  const ended = expect(reading).rejects.toThrow("No");
  await vi.runAllTimersAsync();
  await ended;
  expect(queryFn).toHaveBeenCalledTimes(times);
});
