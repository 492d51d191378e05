import { t } from "@lingui/core/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { boardUpdate } from "@/api/callsBoards";
import { keys } from "@/api/keys";
import { asProblem } from "@/api/problem";
import type { Board, BoardChart, BoardInput } from "@/api/types";
import { useToast } from "@/ui/toasts";

export type Arrange = (charts: readonly BoardChart[]) => readonly BoardChart[];

/** Changes are sent one after the other, because each is based on what the one before has stored. */
interface Batch {
  /** The version on which the next change is based. */
  version: number;
  waiting: number;
  refused: boolean;
}

/**
 * Changed charts are shown at once, as a draft over the server's board, which may be read again at any time. A
 * change names the version of its charts, so that it does not overwrite another session's change; a refusal drops
 * the changes after it as well.
 */
export function useBoardEdit(id: string) {
  const client = useQueryClient();
  const toast = useToast();
  const [draft, setDraft] = useState<readonly BoardChart[]>();
  const latest = useRef<readonly BoardChart[]>(undefined);
  const present = useRef<Batch>(undefined);
  const key = keys.board(id);
  function show(charts: readonly BoardChart[] | undefined) {
    latest.current = charts;
    setDraft(charts);
  }
  function end(batch: Batch) {
    if (present.current !== batch) return;
    present.current = undefined;
    show(undefined);
  }
  const send = useMutation({
    scope: { id: `board ${id}` },
    mutationFn: ({ changes, batch }: { changes: BoardInput; batch: Batch }) => {
      if (batch.refused) throw new Error(t`A change before this one was refused.`);
      return boardUpdate(id, changes, batch.version);
    },
    onSuccess: async (stored, { batch }) => {
      batch.version = stored.version;
      batch.waiting -= 1;
      // A read that began before the change would restore the old version.
      await client.cancelQueries({ queryKey: key });
      client.setQueryData<Board>(key, (board) => (board && board.version > stored.version ? board : stored));
      void client.invalidateQueries({ queryKey: keys.boards });
      if (batch.waiting > 0) return;
      end(batch);
      void client.invalidateQueries({ queryKey: key });
    },
    onError: (error, { batch }) => {
      if (batch.refused) return;
      batch.refused = true;
      end(batch);
      toast({ variant: "danger", title: t`Board not changed`, body: asProblem(error).detail });
      void client.invalidateQueries({ queryKey: key });
    },
  });
  function change(changes: BoardInput): Promise<unknown> {
    const version = client.getQueryData<Board>(key)?.version ?? 0;
    const batch = (present.current ??= { version, waiting: 0, refused: false });
    batch.waiting += 1;
    const answer = send.mutateAsync({ changes, batch });
    // The hook returns the error, so a caller that does not wait need not handle it.
    answer.catch(() => undefined);
    return answer;
  }
  function arrange(by: Arrange): Promise<unknown> {
    const charts = [...by(latest.current ?? client.getQueryData<Board>(key)?.charts ?? [])];
    show(charts);
    return change({ charts: charts.map(({ id: chartId, title, series }) => ({ id: chartId, title, series })) });
  }
  return { draft, change, arrange };
}
