const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Rounds to the minute, so that the query stays the same for a while. Returns "" without a number. */
export function beginOf(hours: number | undefined): string {
  if (hours === undefined) return "";
  return new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - hours * HOUR_MS).toISOString();
}
