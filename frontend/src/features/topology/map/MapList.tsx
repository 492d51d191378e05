import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import { useMemo } from "react";
import type { MapLink, MapNode, TopologyMap } from "@/api/topology";
import { DataTable, type Column } from "@/table/DataTable";
import { Panel } from "@/ui/Panel";
import { lookOf, MAP_STATE, SEVERITIES, SEVERITY } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Since } from "@/ui/Time";
import { useNodeLook } from "./changing";
import { matches, type Filter } from "./shape";
import { alarmsText, carries, isFull, KIND, LINK_KIND, loadText } from "./nodeText";

const DASH = <span className="vm-quiet">—</span>;
const since = (at: string | null) => (at ? <Since at={at} /> : DASH);

interface NodeRow {
  node: MapNode;
  where: string;
  onSelect: (id: string) => void;
}
interface LinkRow {
  link: MapLink;
  source: string;
  target: string;
}

function NodeState({ node }: { node: MapNode }) {
  return <StateLabel look={useNodeLook(node).look} title={node.message} />;
}

const NODES: Column<NodeRow>[] = [
  {
    title: t`Name`,
    isName: true,
    sort: ({ node }) => node.name,
    cell: ({ node, onSelect }) => (
      <Button variant="link" isInline onClick={() => onSelect(node.id)}>
        {node.name}
      </Button>
    ),
  },
  { title: t`Kind`, sort: ({ node }) => KIND[node.kind], cell: ({ node }) => KIND[node.kind] },
  { title: t`In`, sort: ({ where }) => where, cell: ({ where }) => where || DASH },
  {
    title: t`State`,
    sort: ({ node }) => node.state,
    cell: ({ node }) => <NodeState node={node} />,
  },
  { title: t`Since`, sort: ({ node }) => node.since ?? "", cell: ({ node }) => since(node.since) },
  {
    title: t`Alarms`,
    sort: ({ node }) => (node.severity ? SEVERITIES.indexOf(node.severity) : SEVERITIES.length),
    cell: ({ node }) => {
      if (!node.severity)
        return (
          <span className="vm-quiet">
            <Trans>None</Trans>
          </span>
        );
      const look = lookOf(SEVERITY, node.severity);
      return <StateLabel look={{ ...look, text: alarmsText(node) }} />;
    },
  },
  { title: t`Details`, cell: ({ node }) => node.detail || DASH },
];

function Load({ link }: { link: MapLink }) {
  if (loadText(link) === undefined) return DASH;
  return link.utilisation === null ? (
    <span className="vm-quiet">
      <Trans>Unknown</Trans>
    </span>
  ) : (
    <span className={`vm-number${isFull(link) ? " vm-link-load-full" : ""}`}>{link.utilisation} %</span>
  );
}

const LINKS: Column<LinkRow>[] = [
  { title: t`Link`, sort: ({ link }) => link.kind, cell: ({ link }) => LINK_KIND[link.kind] },
  {
    title: t`From`,
    isName: true,
    sort: ({ source }) => source,
    cell: ({ link, source }) => `${source} ${link.sourcePort}`,
  },
  { title: t`To`, sort: ({ target }) => target, cell: ({ link, target }) => `${target} ${link.targetPort}` },
  {
    title: t`State`,
    sort: ({ link }) => link.state,
    cell: ({ link }) => <StateLabel look={lookOf(MAP_STATE, link.state)} title={link.message} />,
  },
  { title: t`Since`, sort: ({ link }) => link.since ?? "", cell: ({ link }) => since(link.since) },
  { title: t`Load`, sort: ({ link }) => link.utilisation ?? -1, cell: ({ link }) => <Load link={link} /> },
  { title: t`Reported by`, cell: ({ link }) => (link.oneSided ? t`One end` : t`Both ends`) },
];

interface Props {
  map: TopologyMap;
  filter: Filter;
  onSelect: (id: string) => void;
}

export function MapList({ map, filter, onSelect }: Props) {
  const names = useMemo(() => new Map(map.nodes.map(({ id, name }) => [id, name])), [map]);
  const nodes = map.nodes
    .filter((node) => matches(node, filter))
    .map((node): NodeRow => ({ node, where: names.get(node.parentId ?? "") ?? "", onSelect }));
  const links = map.links
    .filter((link) => carries(link) && (!filter.state || link.state === filter.state))
    .map((link): LinkRow => ({ link, source: names.get(link.source) ?? "", target: names.get(link.target) ?? "" }));
  return (
    <div className="vm-stack">
      <Panel title={t`Members`} count={nodes.length}>
        <DataTable
          label={t`Nodes`}
          name="nodes"
          rows={nodes}
          columns={NODES}
          rowKey={({ node }) => node.id}
          searchText={({ node, where }) => `${node.name} ${KIND[node.kind]} ${node.detail} ${where}`}
          initialSort={{ column: 5, direction: "asc" }}
        />
      </Panel>
      <Panel title={t`Links`} count={links.length}>
        <DataTable
          label={t`Links`}
          name="links"
          rows={links}
          columns={LINKS}
          rowKey={({ link }) => link.id}
          searchText={({ link, source, target }) => `${LINK_KIND[link.kind]} ${source} ${target} ${link.sourcePort}`}
          initialSort={{ column: 3, direction: "asc" }}
        />
      </Panel>
    </div>
  );
}
