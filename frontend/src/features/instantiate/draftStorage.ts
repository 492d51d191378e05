import type { Vnfd } from "@/api/types";
import { emptyDraft, type Draft } from "./draft";

const STORAGE_KEY = "vnfm.instantiate";

interface StoredDraft {
  of: string;
  draft: Draft;
}

/** The browser must not store secrets, so only the names of typed secrets remain. */
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

/** The draft survives a reload of this tab. `of` identifies wizard and user. */
export function storeDraft(of: string, draft: Draft, vnfd: Vnfd | undefined): void {
  // Only the VNFD says which settings are secret.
  if (draft.vnfdId !== undefined && draft.vnfdId !== vnfd?.vnfdId) return;
  try {
    sessionStorage.setItem(
      STORAGE_KEY,
      JSON.stringify({ of, draft: withoutSecrets(draft, vnfd) } satisfies StoredDraft),
    );
  } catch {
    clearDraft(); // Storage is full or disabled. An older draft would lose what the user typed since, so it is removed.
  }
}

export function loadDraft(of: string): Draft | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "null") as Partial<StoredDraft> | null;
    // A draft of an older console lacks newer fields.
    return kept?.of === of && kept.draft instanceof Object ? { ...emptyDraft(), ...kept.draft } : undefined;
  } catch {
    return undefined;
  }
}

export function clearDraft(): void {
  try {
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // Storage is disabled, so there is no draft.
  }
}
