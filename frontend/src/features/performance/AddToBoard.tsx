import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Divider, Dropdown, DropdownItem, DropdownList, MenuToggle } from "@patternfly/react-core";
import ThumbtackIcon from "@patternfly/react-icons/dist/esm/icons/thumbtack-icon";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link } from "react-router";
import { boardChartAdd, boardCreate } from "@/api/callsBoards";
import { keys } from "@/api/keys";
import { asProblem } from "@/api/problem";
import { q } from "@/api/queries";
import type { Board, SeriesSource } from "@/api/types";
import { pb } from "@/paths";
import { sourceKey } from "./boardSeries";
import { useToast } from "@/ui/toasts";

interface Props {
  /** Names what is added. */
  name: string;
  series: readonly SeriesSource[];
  /** "": the chart is named after its series. */
  title?: string;
}

/** The server's limit. */
const MOST_TITLE = 100;

function freshName(boards: readonly Board[]): string {
  const taken = new Set(boards.map(({ name }) => name));
  const names = [
    t`My board`,
    ...boards.map((_board, index) => t`My board ${index + 2}`),
    t`My board ${boards.length + 2}`,
  ];
  return names.find((name) => !taken.has(name)) ?? "";
}

function useAdd({ name, series, title = "" }: Props, own: readonly Board[]) {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (board: Board | undefined) => {
      const chart = { title: Array.from(title).slice(0, MOST_TITLE).join(""), series: [...series] };
      return board ? boardChartAdd(board.id, chart) : boardCreate({ name: freshName(own), charts: [chart] });
    },
    onSuccess: (board) => {
      client.setQueryData(keys.board(board.id), board);
      void client.invalidateQueries({ queryKey: keys.boards });
      toast({
        variant: "success",
        title: t`${name} added to ${board.name}`,
        link: (
          <Link to={pb.board(board.id)}>
            <Trans>Open the board</Trans>
          </Link>
        ),
      });
    },
    onError: (error) => toast({ variant: "danger", title: t`Not added`, body: asProblem(error).detail }),
  });
}

/** A second chart of the same series would show nothing new. */
const hasChart = ({ charts }: Board, series: readonly SeriesSource[]): boolean =>
  charts.some(({ series: drawn }) => drawn.length === series.length && series.every((one) => drawn.some(isSame(one))));

const isSame = (one: SeriesSource) => (other: SeriesSource) => sourceKey(one) === sourceKey(other);

/** Adds a chart of these series to the chosen board. */
export function AddToBoard(props: Props) {
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const { data } = useQuery({ ...q.boards(), enabled: open });
  const own = (data ?? []).filter(({ isOwn }) => isOwn);
  const add = useAdd(props, own);
  return (
    <Dropdown
      isOpen={open}
      onOpenChange={setOpen}
      onSelect={() => {
        setOpen(false);
        toggle.current?.focus();
      }}
      popperProps={{ position: "right" }}
      shouldFocusFirstItemOnOpen
      toggle={{
        toggleRef: toggle,
        toggleNode: (
          <MenuToggle
            ref={toggle}
            variant="plain"
            size="sm"
            icon={<ThumbtackIcon />}
            aria-label={t`Add ${props.name} to a board`}
            title={t`Add to a board`}
            isExpanded={open}
            onClick={() => setOpen(!open)}
          />
        ),
      }}
    >
      <DropdownList aria-label={t`Boards`}>
        {own.map((board) => (
          <DropdownItem
            key={board.id}
            {...(hasChart(board, props.series) ? { isDisabled: true, description: t`Already on this board` } : {})}
            onClick={() => add.mutate(board)}
          >
            {board.name}
          </DropdownItem>
        ))}
        {own.length > 0 && <Divider component="li" />}
        <DropdownItem isDisabled={!data} onClick={() => add.mutate(undefined)}>
          <Trans>New board</Trans>
        </DropdownItem>
      </DropdownList>
    </Dropdown>
  );
}
