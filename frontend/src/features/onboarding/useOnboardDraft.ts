import { useState } from "react";
import { withDropped, type Chosen } from "./files";

/** What somebody is about to onboard. It outlives the dialog, so that closing that loses nothing. */
export interface Draft {
  files: readonly Chosen[];
  /** Another number for every other set of files; queries are keyed by it. */
  generation: number;
  /** The descriptor in the editor; undefined as long as the derived one stands. */
  vnfd?: string | undefined;
}

let generations = 0;

const made = (files: readonly Chosen[], vnfd?: string): Draft => {
  generations += 1;
  return { files, generation: generations, ...(files.length > 0 ? { vnfd } : {}) };
};

export type DraftChanges = ReturnType<typeof useDraft>[1];

export function useDraft() {
  const [draft, setDraft] = useState<Draft>(() => made([]));
  const changes = {
    add: (dropped: readonly File[]) => setDraft((now) => made(withDropped(now.files, dropped), now.vnfd)),
    remove: (path: string) =>
      setDraft((now) =>
        made(
          now.files.filter((each) => each.path !== path),
          now.vnfd,
        ),
      ),
    edit: (vnfd: string | undefined) => setDraft((now) => ({ ...now, vnfd })),
    clear: () => setDraft(made([])),
  };
  return [draft, changes] as const;
}
