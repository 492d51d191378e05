import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "react-router";
import NetworkIcon from "@patternfly/react-icons/dist/esm/icons/network-icon";
import { q } from "@/api/queries";
import type { Adjacency, NetworkElement } from "@/api/types";
import { pb } from "@/paths";
import { DataTable, type Column } from "@/table/DataTable";
import { Empty } from "@/ui/Empty";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { AdjacencyState, adjacencyKey, Neighbour, useNeighbours, type ElementOf } from "./neighbourColumns";

const DASH = <span className="vm-quiet">—</span>;
const NONE: readonly Adjacency[] = [];

const columnsOf = (element: NetworkElement, elementOf: ElementOf): Column<Adjacency>[] => [
  {
    title: t`Port`,
    isName: true,
    sort: ({ localPort }) => localPort,
    cell: ({ localPort, ifIndex }) =>
      ifIndex === null ? (
        localPort || DASH
      ) : (
        <Link to={pb.elementInterface(element.id, ifIndex)}>{localPort || t`ifIndex ${ifIndex}`}</Link>
      ),
  },
  { title: t`Protocol`, sort: ({ protocol }) => protocol, cell: ({ protocol }) => protocol },
  {
    title: t`Neighbour`,
    sort: (row) => elementOf(row)?.name ?? (row.remoteName || row.remoteAddress || row.remoteId),
    cell: (row) => <Neighbour adjacency={row} elementOf={elementOf} />,
  },
  { title: t`Remote port`, sort: ({ remotePort }) => remotePort, cell: ({ remotePort }) => remotePort || DASH },
  {
    title: t`Remote identity`,
    cell: ({ remoteId, remoteAddress }) => {
      const words = [...new Set([remoteId, remoteAddress])].filter(Boolean);
      return words.length > 0 ? <code>{words.join(", ")}</code> : DASH;
    },
  },
  { title: t`State`, sort: ({ state }) => state, cell: (row) => <AdjacencyState adjacency={row} /> },
];

export function NeighboursTab({ element }: { element: NetworkElement }) {
  const { data, error } = useQuery(q.adjacencies(element.id));
  const elementOf = useNeighbours(data ?? NONE);
  const columns = useMemo(() => columnsOf(element, elementOf), [element, elementOf]);
  if (error && !data) return <ProblemAlert error={error} level="h2" />;
  if (!data)
    return (
      <LoadingNote>
        <Trans>Loading the neighbours…</Trans>
      </LoadingNote>
    );
  if (data.length === 0) {
    return (
      <Empty title={t`No neighbours`} icon={NetworkIcon}>
        <Trans>
          LLDP and OSPF neighbours are listed here. The element has none, supports neither protocol, or has not been
          polled yet.
        </Trans>
      </Empty>
    );
  }
  return (
    <DataTable
      label={t`Neighbours`}
      rows={data}
      columns={columns}
      rowKey={adjacencyKey}
      searchText={(row) => `${Object.values(row).join(" ")} ${elementOf(row)?.name ?? ""}`}
      initialSort={{ column: 0, direction: "asc" }}
    />
  );
}
