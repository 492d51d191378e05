import { useState } from "react";
import { withDropped, type ChosenFile } from "./files";

/** Files and VNFD to onboard. The draft outlives the dialog, so that closing loses nothing. */
export interface Draft {
  files: readonly ChosenFile[];
  /** Another number for every other set of files; queries are keyed by it. */
  generation: number;
  /** The descriptor in the editor; undefined as long as the derived one stands. */
  vnfd?: string | undefined;
  /** The root template that was chosen; undefined as long as none was. */
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
    /** Another root is another VNF: what was edited belongs to the one before. */
    choose: (root: string) => setDraft((now) => ({ ...now, root: root || undefined, vnfd: undefined })),
    allow: (fetch: readonly string[]) => setDraft((now) => ({ ...now, fetch })),
    clear: () => setDraft(newDraft([])),
  };
  return [draft, changes] as const;
}
