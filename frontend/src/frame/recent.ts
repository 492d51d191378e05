import type { SearchKind } from "@/api/frame";
import { useStored } from "@/ui/stored";

export interface Recent {
  text: string;
  detail: string;
  to: string;
  kind: SearchKind | "COMMAND" | "ACTION";
}

const MAX_RECENT = 5;

function isRecent(value: unknown): value is Recent {
  const row = value as Partial<Recent> | null;
  return [row?.text, row?.detail, row?.to, row?.kind].every((each) => typeof each === "string");
}
const recentOf = (found: unknown): Recent[] =>
  Array.isArray(found) ? found.filter(isRecent).slice(0, MAX_RECENT) : [];

/** Destinations are kept for each user of this browser, the latest first. */
export function useRecent(username: string): [Recent[], (chosen: Recent) => void] {
  const [recent, keep] = useStored(`vnfm.recent.${username}`, recentOf);
  const remember = (chosen: Recent) =>
    keep([chosen, ...recent.filter(({ to }) => to !== chosen.to)].slice(0, MAX_RECENT));
  return [recent, remember];
}
