import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Title } from "@patternfly/react-core";
import TimesIcon from "@patternfly/react-icons/dist/esm/icons/times-icon";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { mapQueries, type MapLink, type MapNode, type TopologyMap } from "@/api/topology";
import { pb } from "@/paths";
import { Facts, type Fact } from "@/ui/Facts";
import { ProblemAlert } from "@/ui/Problem";
import { lookOf, MAP_STATE, SEVERITY } from "@/ui/states";
import { faultText } from "@/ui/names";
import { StateLabel } from "@/ui/StateLabel";
import { Since } from "@/ui/Time";
import { useDetails } from "@/ui/useDetails";
import { boxOf } from "./box";
import { useNodeLook } from "./changing";
import { alarmsText, carries, KIND, LINK_KIND, loadText, membersText, statesText } from "./nodeText";

const MAX_LINKS = 40;
const MAX_ALARMS = 8;

/** The alarms of a VM belong to its VNF instance, those of a host to its cloud. */
function ownerOf(node: MapNode, map: TopologyMap): string {
  if (node.kind === "HOST") return node.id.split(":")[1] ?? "";
  if (node.kind !== "VM") return ["ELEMENT", "INSTANCE", "CLOUD"].includes(node.kind) ? (node.objectId ?? "") : "";
  const member = map.links.find(({ kind, source }) => kind === "MEMBERSHIP" && source === node.id)?.target;
  return (member ?? node.parentId ?? "").replace(/^instance:/, "");
}

function pageOf(node: MapNode, owner: string): { to: string; text: string } | undefined {
  if (node.kind === "ELEMENT") return { to: pb.element(node.objectId ?? ""), text: t`Open the network element` };
  if (node.kind === "INSTANCE") return { to: pb.instance(node.objectId ?? ""), text: t`Open the VNF instance` };
  if (node.kind === "VM")
    return { to: pb.vnfcs(owner, ...(node.objectId ? [node.objectId] : [])), text: t`Open its VNF instance` };
  if (node.kind === "CLOUD" || node.kind === "HOST") return { to: pb.vim(owner), text: t`Open the cloud` };
  return undefined;
}

function NodeAlarms({ node, owner }: { node: MapNode; owner: string }) {
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
        {mine?.slice(0, MAX_ALARMS).map((alarm) => (
          <li key={alarm.id}>
            <StateLabel look={lookOf(SEVERITY, alarm.perceivedSeverity)} />{" "}
            <Link to={pb.alarm(alarm.id)}>{faultText(alarm.faultType)}</Link>{" "}
            <span className="vm-quiet">
              <Trans>
                {alarm.faultyResourceName} since <Since at={alarm.alarmRaisedTime} />
              </Trans>
            </span>
          </li>
        ))}
      </ul>
      <Link to={pb.alarmsFor(owner)}>
        <Trans>All alarms</Trans>
      </Link>
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
              <Trans>
                since <Since at={link.since} />
              </Trans>
            </span>
          )}
          {loadText(link) && <span className="vm-quiet"> · {loadText(link)}</span>}
          {link.oneSided && (
            <span className="vm-quiet">
              {" "}
              <Trans>· reported by one end only</Trans>
            </span>
          )}
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

export function MapPanel({ node, map, onSelect, onToggle, onClose }: Props) {
  const heading = useDetails(node.id, onClose, () => boxOf(node.id));
  const { look } = useNodeLook(node);
  const owner = ownerOf(node, map);
  const page = pageOf(node, owner);
  const names = new Map(map.nodes.map(({ id, name }) => [id, name]));
  const links = map.links.filter((link) => link.source === node.id || link.target === node.id);
  const facts: Fact[] = [
    [t`Kind`, KIND[node.kind]],
    ...(node.detail ? [[t`Details`, node.detail] as Fact] : []),
    ...(node.parentId ? [[t`In`, names.get(node.parentId) ?? "—"] as Fact] : []),
    ...(node.group
      ? [
          [t`Contains`, membersText(node.group)] as Fact,
          [t`States`, statesText(node.group.states) || "—"] as Fact,
          [t`Links`, statesText(node.group.links) || "—"] as Fact,
        ]
      : []),
  ];
  return (
    <aside className="vm-map-panel" aria-label={t`Details of ${node.name}`}>
      <div className="vm-map-panel-head">
        <Title headingLevel="h2" size="lg" tabIndex={-1} ref={heading}>
          {node.name}
        </Title>
        <Button variant="plain" aria-label={t`Close the details`} icon={<TimesIcon />} onClick={onClose} />
      </div>
      <p>
        <StateLabel look={look} />{" "}
        {node.since && (
          <span className="vm-quiet">
            <Trans>
              since <Since at={node.since} />
            </Trans>
          </span>
        )}
      </p>
      {node.message && <p>{node.message}</p>}
      <Facts facts={facts} isStacked />
      <p className="vm-buttons">
        {page && <Link to={page.to}>{page.text}</Link>}
        {node.group && (
          <Button variant="secondary" size="sm" onClick={() => onToggle(node.id, !node.group?.open)}>
            {node.group.open ? t`Close the group` : t`Open the group`}
          </Button>
        )}
      </p>
      <Title headingLevel="h3">
        <Trans>Alarms</Trans>
      </Title>
      <NodeAlarms node={node} owner={owner} />
      <Title headingLevel="h3">
        <Trans>Links ({links.length})</Trans>
      </Title>
      <ul className="vm-map-rows">
        {links.slice(0, MAX_LINKS).map((link) => (
          <LinkRow key={link.id} {...{ link, node, names, onSelect }} />
        ))}
      </ul>
      {links.length > MAX_LINKS && (
        <p className="vm-quiet">
          <Trans>and {links.length - MAX_LINKS} more in the list</Trans>
        </p>
      )}
    </aside>
  );
}
