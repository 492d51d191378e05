import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Label, Switch, Toolbar, ToolbarContent } from "@patternfly/react-core";
import ChartLineIcon from "@patternfly/react-icons/dist/esm/icons/chart-line-icon";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "react-router";
import { q } from "@/api/queries";
import type { Board } from "@/api/types";
import { BoardCharts } from "@/features/performance/BoardCharts";
import { RangeFields } from "@/features/performance/RangeFields";
import { RenameDialog } from "@/features/performance/RenameDialog";
import { useRange } from "@/features/performance/series";
import { useBoardEdit } from "@/features/performance/useBoard";
import { pb } from "@/paths";
import { Copy } from "@/ui/Copy";
import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";
import { ProblemAlert } from "@/ui/Problem";
import { Screen } from "@/ui/Screen";

interface Props {
  board: Board;
  edit: ReturnType<typeof useBoardEdit>;
}

function OwnerActions({ board, edit: { change } }: Props) {
  const [renaming, setRenaming] = useState(false);
  return (
    <>
      <Switch
        id="board-shared"
        label={t`Shared, read only`}
        isChecked={board.shared}
        onChange={(_event, shared) => void change({ shared })}
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
          onSave={(name) => change({ name })}
          onClose={() => setRenaming(false)}
        />
      )}
    </>
  );
}

function Charts({ board, edit: { arrange } }: Props) {
  const [range, setRange] = useRange();
  // The key depends on the counters and not on their order, so that moving a chart reads nothing again.
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
      <BoardCharts board={board} values={data} isFailed={error !== null} onArrange={arrange} />
    </div>
  );
}

function BoardPage() {
  const { id = "" } = useParams();
  const { data: stored } = useSuspenseQuery(q.board(id));
  const edit = useBoardEdit(id);
  const board = edit.draft ? { ...stored, charts: [...edit.draft] } : stored;
  return (
    <Screen
      title={board.name}
      crumbs={[
        { text: t`Performance`, to: pb.performance() },
        { text: t`Boards`, to: pb.boards() },
      ]}
      labels={board.isOwn ? undefined : <Label isCompact>{t`Of ${board.ownerName}, read only`}</Label>}
      actions={board.isOwn ? <OwnerActions board={board} edit={edit} /> : undefined}
    >
      <Charts board={board} edit={edit} />
    </Screen>
  );
}

export { BoardPage as Component };
