import type { SearchKind } from "@/api/frame";

/** A place that somebody chose in the palette. */
export interface Recent {
  text: string;
  detail: string;
  to: string;
  kind: SearchKind | "COMMAND";
}

const STORED = "vnfm.recent";
const KEPT = 5;

function isRecent(value: unknown): value is Recent {
  const row = value as Partial<Recent> | null;
  return [row?.text, row?.detail, row?.to, row?.kind].every((each) => typeof each === "string");
}

/** What was chosen lately, the latest first. */
export function recent(): Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, KEPT) : [];
  } catch {
    return [];
  }
}
export function remember(chosen: Recent): void {
  const others = recent().filter(({ to }) => to !== chosen.to);
  localStorage.setItem(STORED, JSON.stringify([chosen, ...others].slice(0, KEPT)));
}
