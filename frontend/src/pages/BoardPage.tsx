import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Label, Switch, Toolbar, ToolbarContent } from "@patternfly/react-core";
import ChartLineIcon from "@patternfly/react-icons/dist/esm/icons/chart-line-icon";
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "react-router";
import { boardUpdate } from "@/api/callsBoards";
import { keys } from "@/api/keys";
import { asProblem } from "@/api/problem";
import { q } from "@/api/queries";
import type { Board, BoardInput } from "@/api/types";
import { BoardCharts } from "@/features/performance/BoardCharts";
import { RangeFields } from "@/features/performance/RangeFields";
import { RenameDialog } from "@/features/performance/RenameDialog";
import { useRange } from "@/features/performance/series";
import { useArrange } from "@/features/performance/useBoard";
import { pb } from "@/paths";
import { Copy } from "@/ui/Copy";
import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";
import { ProblemAlert } from "@/ui/Problem";
import { Screen } from "@/ui/Screen";
import { useToast } from "@/ui/toasts";

function useChange({ id, version }: Board) {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    scope: { id: `board ${id}` },
    mutationFn: (changes: BoardInput) => boardUpdate(id, changes, version),
    onSuccess: (board) => {
      client.setQueryData(keys.board(id), board);
      void client.invalidateQueries({ queryKey: keys.boards });
    },
    onError: (error) => toast({ variant: "danger", title: t`Board not changed`, body: asProblem(error).detail }),
  });
}

/** What the owner may do with the board as a whole. */
function OwnerActions({ board }: { board: Board }) {
  const change = useChange(board);
  const [renaming, setRenaming] = useState(false);
  return (
    <>
      <Switch
        id="board-shared"
        label={t`Shared, read only`}
        isChecked={board.shared}
        onChange={(_event, shared) => change.mutate({ shared })}
      />
      {board.shared && <Copy text={location.origin + pb.board(board.id)} label={t`Copy the link`} />}
      <Button variant="secondary" onClick={() => setRenaming(true)}>
        <Trans>Rename</Trans>
      </Button>
      {renaming && (
        <RenameDialog
          title={t`Rename the board`}
          label={t`Name`}
          value={board.name}
          onSave={(name) => change.mutateAsync({ name })}
          onClose={() => setRenaming(false)}
        />
      )}
    </>
  );
}

function Charts({ board }: { board: Board }) {
  const [range, setRange] = useRange();
  const arrange = useArrange(board.id);
  // Of the counters, not of the order: moving a chart reads nothing again.
  const drawn = board.charts.flatMap(({ series }) => series.map((each) => Object.values(each).join())).sort();
  const { data, error } = useQuery(q.boardSeries(board.id, drawn.join(";"), range.minutes, range.until));
  if (board.charts.length === 0)
    return (
      <Empty
        title={t`No charts yet`}
        icon={ChartLineIcon}
        action={
          <LinkButton to={pb.performance()}>
            <Trans>Choose counters</Trans>
          </LinkButton>
        }
      >
        <Trans>The pin at a chart, counter or port adds it to a board.</Trans>
      </Empty>
    );
  return (
    <div className="vm-stack">
      <Toolbar className="vm-toolbar" aria-label={t`Time range of all charts`}>
        <ToolbarContent>
          <RangeFields range={range} onChange={setRange} />
        </ToolbarContent>
      </Toolbar>
      {error && !data && <ProblemAlert error={error} level="h2" />}
      <BoardCharts board={board} values={data} onArrange={arrange} />
    </div>
  );
}

function BoardPage() {
  const { id = "" } = useParams();
  const { data: board } = useSuspenseQuery(q.board(id));
  return (
    <Screen
      title={board.name}
      crumbs={[
        { text: t`Performance`, to: pb.performance() },
        { text: t`Boards`, to: pb.boards() },
      ]}
      labels={board.isOwn ? undefined : <Label isCompact>{t`Of ${board.ownerName}, read only`}</Label>}
      actions={board.isOwn ? <OwnerActions board={board} /> : undefined}
    >
      <Charts board={board} />
    </Screen>
  );
}

export { BoardPage as Component };
