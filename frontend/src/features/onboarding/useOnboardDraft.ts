import { useState } from "react";
import { withDropped, type ChosenFile } from "./files";

/** The draft outlives the dialog, so that closing it loses nothing. */
export interface Draft {
  files: readonly ChosenFile[];
  /** Query keys contain this number, which is new for each set of files. */
  generation: number;
  /** Undefined while the derived VNFD is unchanged. */
  vnfd?: string | undefined;
  /** Undefined unless the user chose a root template. */
  root?: string | undefined;
  /** URLs in the templates that may be fetched. */
  fetch: readonly string[];
}

let generations = 0;

const newDraft = (files: readonly ChosenFile[], vnfd?: string): Draft => {
  generations += 1;
  return { files, generation: generations, fetch: [], ...(files.length > 0 ? { vnfd } : {}) };
};

export type DraftChanges = ReturnType<typeof useOnboardDraft>[1];

export function useOnboardDraft() {
  const [draft, setDraft] = useState<Draft>(() => newDraft([]));
  const changes = {
    add: (dropped: readonly File[]) => setDraft((now) => newDraft(withDropped(now.files, dropped), now.vnfd)),
    remove: (path: string) =>
      setDraft((now) =>
        newDraft(
          now.files.filter((each) => each.path !== path),
          now.vnfd,
        ),
      ),
    edit: (vnfd: string | undefined) => setDraft((now) => ({ ...now, vnfd })),
    /** Another root is another VNF, so the edited VNFD no longer applies. */
    choose: (root: string) => setDraft((now) => ({ ...now, root: root || undefined, vnfd: undefined })),
    allow: (fetch: readonly string[]) => setDraft((now) => ({ ...now, fetch })),
    clear: () => setDraft(newDraft([])),
  };
  return [draft, changes] as const;
}
