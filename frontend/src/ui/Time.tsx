import { useSyncExternalStore } from "react";
import { dateTime, duration, exactTime, momentTime, relativeTime, sinceTime } from "./format";
import { useIsUtc } from "./zone";

/** One timer for the whole page, which ticks once a second while relative times are shown. */
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    listeners.forEach((each) => each());
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
function useNow<R>(read: (now: number) => R): R {
  return useSyncExternalStore(subscribe, () => read(now));
}

/** "3 minutes ago" with the exact time as tooltip; where times are in UTC, the exact time itself. */
export function Ago({ at }: { at: string }) {
  const isUtc = useIsUtc();
  const text = useNow((present) => (isUtc ? dateTime(at) : relativeTime(at, Math.max(present, Date.parse(at)))));
  return (
    <time dateTime={at} title={exactTime(at)}>
      {text}
    </time>
  );
}

/** "14:02:11" */
export function Since({ at }: { at: string }) {
  useIsUtc();
  const text = useNow((present) => sinceTime(at, present));
  return (
    <time dateTime={at} title={exactTime(at)}>
      {text}
    </time>
  );
}

/** "22 Nov 2026, 14:02" */
export function ExactTime({ at }: { at: string }) {
  useIsUtc();
  return (
    <time dateTime={at} title={exactTime(at)}>
      {dateTime(at)}
    </time>
  );
}

/** "26 Nov, 14:02:11 CET" */
export function Moment({ at }: { at: string }) {
  useIsUtc();
  return (
    <time dateTime={at} title={exactTime(at)} className="vm-number">
      {momentTime(at)}
    </time>
  );
}

/** Counts up to now if `to` is missing. */
export function Elapsed({ from, to }: { from: string; to?: string | null | undefined }) {
  const text = useNow((present) => duration(from, to ? new Date(to).getTime() : present));
  return <span className="vm-number">{text}</span>;
}
