import { Button, Title } from "@patternfly/react-core";
import TimesIcon from "@patternfly/react-icons/dist/esm/icons/times-icon";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { mapQueries, type MapLink, type MapNode, type TopologyMap } from "@/api/topology";
import { pb } from "@/paths";
import { Facts, type Fact } from "@/ui/Facts";
import { ProblemAlert } from "@/ui/Problem";
import { lookOf, MAP_STATE, SEVERITY } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Since } from "@/ui/Time";
import { useDetails } from "@/ui/useDetails";
import { boxOf } from "./box";
import { alarmsText, carries, KIND, LINK_KIND, membersText, statesText } from "./words";

const LINKS_SHOWN = 40;
const ALARMS_SHOWN = 8;

/** The managed object whose alarms are the node's: of a VM its VNF instance, of a host its cloud. */
function ownerOf(node: MapNode, map: TopologyMap): string {
  if (node.kind === "HOST") return node.id.split(":")[1] ?? "";
  if (node.kind !== "VM") return ["ELEMENT", "INSTANCE", "CLOUD"].includes(node.kind) ? (node.objectId ?? "") : "";
  const member = map.links.find(({ kind, source }) => kind === "MEMBERSHIP" && source === node.id)?.target;
  return (member ?? node.parentId ?? "").replace(/^instance:/, "");
}

function pageOf(node: MapNode, owner: string): { to: string; text: string } | undefined {
  if (node.kind === "ELEMENT") return { to: pb.element(node.objectId ?? ""), text: "Open the network element" };
  if (node.kind === "INSTANCE") return { to: pb.instance(node.objectId ?? ""), text: "Open the VNF instance" };
  if (node.kind === "VM")
    return { to: pb.vnfcs(owner, ...(node.objectId ? [node.objectId] : [])), text: "Open its VNF instance" };
  if (node.kind === "CLOUD" || node.kind === "HOST") return { to: pb.vim(owner), text: "Open the cloud" };
  return undefined;
}

function AlarmsAt({ node, owner }: { node: MapNode; owner: string }) {
  const { data: all, error } = useQuery(mapQueries.alarmsOf(owner));
  if (!owner || node.alarms === 0) return <p>{alarmsText(node)}</p>;
  const mine = all?.filter(
    (alarm) =>
      alarm.managedObjectId === owner &&
      (node.kind !== "VM" || alarm.vnfcIds.includes(node.objectId ?? "")) &&
      (node.kind !== "HOST" || alarm.faultyResource === node.name),
  );
  return (
    <>
      <p>{alarmsText(node)}</p>
      {error && !all && <ProblemAlert error={error} />}
      <ul className="vm-map-rows">
        {mine?.slice(0, ALARMS_SHOWN).map((alarm) => (
          <li key={alarm.id}>
            <StateLabel look={lookOf(SEVERITY, alarm.perceivedSeverity)} />{" "}
            <Link to={pb.alarm(alarm.id)}>{alarm.faultType}</Link>{" "}
            <span className="vm-quiet">
              {alarm.faultyResourceName} since <Since at={alarm.alarmRaisedTime} />
            </span>
          </li>
        ))}
      </ul>
      <Link to={pb.alarmsFor(owner)}>All its alarms</Link>
    </>
  );
}

interface LinkRowProps {
  link: MapLink;
  node: MapNode;
  names: ReadonlyMap<string, string>;
  onSelect: (id: string) => void;
}

function LinkRow({ link, node, names, onSelect }: LinkRowProps) {
  const mine = link.source === node.id;
  const [port, farPort] = mine ? [link.sourcePort, link.targetPort] : [link.targetPort, link.sourcePort];
  const far = mine ? link.target : link.source;
  return (
    <li>
      <span>
        {LINK_KIND[link.kind]}
        {link.count > 1 && ` ×${link.count}`} {port && <code>{port}</code>}
      </span>
      <span>
        <Button variant="link" isInline onClick={() => onSelect(far)}>
          {names.get(far) ?? far}
        </Button>{" "}
        {farPort && <code>{farPort}</code>}
      </span>
      {carries(link) && (
        <span>
          <StateLabel look={lookOf(MAP_STATE, link.state)} title={link.message} />{" "}
          {link.since && (
            <span className="vm-quiet">
              since <Since at={link.since} />
            </span>
          )}
          {link.oneSided && <span className="vm-quiet"> · told by one end only</span>}
        </span>
      )}
    </li>
  );
}

interface Props {
  node: MapNode;
  map: TopologyMap;
  onSelect: (id: string) => void;
  onToggle: (id: string, open: boolean) => void;
  onClose: () => void;
}

/** What is known of one node; Escape closes it. */
export function MapPanel({ node, map, onSelect, onToggle, onClose }: Props) {
  const heading = useDetails(node.id, onClose, () => boxOf(node.id));
  const owner = ownerOf(node, map);
  const page = pageOf(node, owner);
  const names = new Map(map.nodes.map(({ id, name }) => [id, name]));
  const links = map.links.filter((link) => link.source === node.id || link.target === node.id);
  const facts: Fact[] = [
    ["Kind", KIND[node.kind]],
    ...(node.detail ? [["Details", node.detail] as Fact] : []),
    ...(node.parentId ? [["In", names.get(node.parentId) ?? "—"] as Fact] : []),
    ...(node.group
      ? [
          ["Holds", membersText(node.group)] as Fact,
          ["Of these", statesText(node.group.states) || "—"] as Fact,
          ["Its links", statesText(node.group.links) || "—"] as Fact,
        ]
      : []),
  ];
  return (
    <aside className="vm-map-panel" aria-label={`Details of ${node.name}`}>
      <div className="vm-map-panel-head">
        <Title headingLevel="h2" size="lg" tabIndex={-1} ref={heading}>
          {node.name}
        </Title>
        <Button variant="plain" aria-label="Close the details" icon={<TimesIcon />} onClick={onClose} />
      </div>
      <p>
        <StateLabel look={lookOf(MAP_STATE, node.state)} />{" "}
        {node.since && (
          <span className="vm-quiet">
            since <Since at={node.since} />
          </span>
        )}
      </p>
      {node.message && <p>{node.message}</p>}
      <Facts facts={facts} isStacked />
      <p className="vm-buttons">
        {page && <Link to={page.to}>{page.text}</Link>}
        {node.group && (
          <Button variant="secondary" size="sm" onClick={() => onToggle(node.id, !node.group?.open)}>
            {node.group.open ? "Close the group" : "Open the group"}
          </Button>
        )}
      </p>
      <Title headingLevel="h3">Alarms</Title>
      <AlarmsAt node={node} owner={owner} />
      <Title headingLevel="h3">Links ({links.length})</Title>
      <ul className="vm-map-rows">
        {links.slice(0, LINKS_SHOWN).map((link) => (
          <LinkRow key={link.id} {...{ link, node, names, onSelect }} />
        ))}
      </ul>
      {links.length > LINKS_SHOWN && <p className="vm-quiet">and {links.length - LINKS_SHOWN} more, see the list</p>}
    </aside>
  );
}
