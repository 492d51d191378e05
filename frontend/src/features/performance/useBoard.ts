import { t } from "@lingui/core/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { boardUpdate, boardView } from "@/api/callsBoards";
import { keys } from "@/api/keys";
import { asProblem } from "@/api/problem";
import type { Board, BoardChart } from "@/api/types";
import { useToast } from "@/ui/toasts";

/** Makes other charts of the present ones. */
export type Arrange = (charts: readonly BoardChart[]) => readonly BoardChart[];

/** Replaces the charts of a board: shown at once, sent one after the other, each on the version that the one before made. */
export function useArrange(id: string): (change: Arrange) => void {
  const client = useQueryClient();
  const toast = useToast();
  const send = useMutation({
    scope: { id: `board ${id}` },
    mutationFn: async (charts: readonly BoardChart[]) => {
      const { version } = client.getQueryData<Board>(keys.board(id)) ?? (await boardView(id));
      const body = charts.map(({ id: chartId, title, series }) => ({ id: chartId, title, series }));
      return boardUpdate(id, { charts: body }, version);
    },
    onSuccess: ({ version }) => {
      // Its charts may have been moved again meanwhile: those shown are the newer ones.
      client.setQueryData<Board>(keys.board(id), (board) => board && { ...board, version });
      void client.invalidateQueries({ queryKey: keys.boards });
    },
    onError: (error) => {
      toast({ variant: "danger", title: t`Board not changed`, body: asProblem(error).detail });
      void client.invalidateQueries({ queryKey: keys.board(id) });
    },
  });
  return (change) => {
    const board = client.getQueryData<Board>(keys.board(id));
    if (!board) return;
    const charts = [...change(board.charts)];
    void client.cancelQueries({ queryKey: keys.board(id) });
    client.setQueryData<Board>(keys.board(id), { ...board, charts });
    send.mutate(charts);
  };
}
