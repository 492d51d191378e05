import { t } from "@lingui/core/macro";
import { Button } from "@patternfly/react-core";
import AngleDownIcon from "@patternfly/react-icons/dist/esm/icons/angle-down-icon";
import AngleUpIcon from "@patternfly/react-icons/dist/esm/icons/angle-up-icon";
import ChartLineIcon from "@patternfly/react-icons/dist/esm/icons/chart-line-icon";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { boardCreate, boardDelete, boardUpdate } from "@/api/callsBoards";
import { keys } from "@/api/keys";
import { asProblem } from "@/api/problem";
import { q } from "@/api/queries";
import type { Board, BoardInput } from "@/api/types";
import { Records, type RecordKind } from "@/records/Records";
import { pb } from "@/paths";
import { Panel } from "@/ui/Panel";
import { Screen } from "@/ui/Screen";
import { useToast } from "@/ui/toasts";

/** The server's limit. */
const MOST_CHARACTERS = 100;

/** The user's own boards come first, in their order. */
const inOrder = (boards: readonly Board[]): Board[] =>
  boards.toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn) || a.position - b.position);

function useBoards() {
  return useQuery({ ...q.boards(), select: inOrder });
}

const ownOf = (boards: readonly Board[] | undefined): Board[] => inOrder(boards ?? []).filter(({ isOwn }) => isOwn);

/** A move waits for the one before, because it needs the order and version after that one. */
function useMove(id: string) {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    scope: { id: "order of boards" },
    mutationFn: async (by: number) => {
      const own = ownOf(client.getQueryData(q.boards().queryKey));
      const at = own.findIndex((each) => each.id === id);
      const board = own[at];
      if (board && own[at + by]) await boardUpdate(id, { position: at + by }, board.version);
    },
    onError: (error) => toast({ variant: "danger", title: t`Board not moved`, body: asProblem(error).detail }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.boards }),
  });
}

function Order({ board }: { board: Board }) {
  const { data } = useBoards();
  const own = ownOf(data);
  const at = own.findIndex(({ id }) => id === board.id);
  const move = useMove(board.id);
  if (!board.isOwn) return null;
  return (
    <>
      <Button
        variant="plain"
        size="sm"
        icon={<AngleUpIcon />}
        aria-label={t`Move ${board.name} up`}
        isDisabled={at <= 0}
        onClick={() => move.mutate(-1)}
      />
      <Button
        variant="plain"
        size="sm"
        icon={<AngleDownIcon />}
        aria-label={t`Move ${board.name} down`}
        isDisabled={at < 0 || at === own.length - 1}
        onClick={() => move.mutate(1)}
      />
    </>
  );
}

const inputOf = ({ name, shared }: Record<string, unknown>): BoardInput & { name: string } => ({
  name: String(name),
  shared: shared === true,
});

const BOARDS: RecordKind<Board> = {
  many: t`Boards`,
  name: "boards",
  toAdd: t`Create a board`,
  noneYet: t`No boards yet`,
  isGone: t`There is no such board any more`,
  nameOf: ({ name }) => name,
  lead: t`A board shows charts together. It is yours; others may read it when it is shared.`,
  needs: "viewer",
  icon: ChartLineIcon,
  empty: t`A board keeps charts of any element or VNF: the pin at a chart, counter or port adds it.`,
  useList: useBoards,
  queryKey: keys.boards,
  columns: [
    { title: t`Name`, isName: true, cell: ({ id, name }) => <Link to={pb.board(id)}>{name}</Link> },
    { title: t`Charts`, cell: ({ charts }) => charts.length },
    { title: t`Owner`, cell: ({ ownerName }) => ownerName },
    { title: t`Shared`, cell: ({ shared }) => (shared ? t`read only` : t`no`) },
  ],
  fields: () => [
    { kind: "text", name: "name", label: t`Name`, required: true, most: MOST_CHARACTERS },
    { kind: "check", name: "shared", label: t`Shared, read only`, help: t`Every user may open its link.` },
  ],
  fresh: { name: "", shared: false },
  create: (input) => boardCreate(inputOf(input)),
  update: ({ id, version }, input) => boardUpdate(id, inputOf(input), version),
  remove: ({ id, version }) => boardDelete(id, version),
  removal: t`Its charts go with it; counters stay.`,
  isFixed: ({ isOwn }) => !isOwn,
  actions: (board) => <Order board={board} />,
};

function BoardsPage() {
  return (
    <Screen title={t`Boards`} crumbs={[{ text: t`Performance`, to: pb.performance() }]}>
      <Panel title={t`Own and shared`}>
        <Records kind={BOARDS} />
      </Panel>
    </Screen>
  );
}

export { BoardsPage as Component };
