import type { Vnfd } from "@/api/types";
import { emptyDraft, type Draft } from "./draft";

const STORAGE_KEY = "vnfm.instantiate";

interface StoredDraft {
  of: string;
  draft: Draft;
}

/** The draft as it may lie in the browser: no secret is in it, but which were typed. */
function withoutSecrets(draft: Draft, vnfd: Vnfd | undefined): Draft {
  const secret = new Set(vnfd?.settings.filter((each) => each.hidden).map(({ name }) => name));
  const raw = Object.fromEntries(Object.entries(draft.raw).filter(([name]) => !secret.has(name)));
  const typed = Object.keys(draft.raw).filter((name) => secret.has(name) && draft.raw[name] !== "");
  return {
    ...draft,
    raw,
    secretsToEnter: [...new Set([...draft.secretsToEnter, ...typed])],
    errors: {},
    focus: undefined,
  };
}

/** Keeps the draft over a reload of the page, in this tab alone. `of` tells wizards and people apart. */
export function storeDraft(of: string, draft: Draft, vnfd: Vnfd | undefined): void {
  // What is secret only the VNFD says.
  if (draft.vnfdId !== undefined && draft.vnfdId !== vnfd?.vnfdId) return;
  try {
    sessionStorage.setItem(
      STORAGE_KEY,
      JSON.stringify({ of, draft: withoutSecrets(draft, vnfd) } satisfies StoredDraft),
    );
  } catch {
    clearDraft(); // it is full, or switched off: what is typed is more than what an older draft would give back
  }
}

export function loadDraft(of: string): Draft | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "null") as Partial<StoredDraft> | null;
    // One that an older console kept lacks what has come since.
    return kept?.of === of && kept.draft instanceof Object ? { ...emptyDraft(), ...kept.draft } : undefined;
  } catch {
    return undefined;
  }
}

export function clearDraft(): void {
  try {
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // Where storage is switched off there is none.
  }
}
