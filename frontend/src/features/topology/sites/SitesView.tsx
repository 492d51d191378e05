import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import MapMarkerIcon from "@patternfly/react-icons/dist/esm/icons/map-marker-alt-icon";
import TimesIcon from "@patternfly/react-icons/dist/esm/icons/times-icon";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { siteUpdate } from "@/api/callsElements";
import { keys } from "@/api/keys";
import { networkQueries } from "@/api/network";
import { q } from "@/api/queries";
import { pb } from "@/paths";
import { ChangeButton } from "@/ui/ActionButton";
import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";
import { Loading } from "@/ui/Loading";
import { Panel } from "@/ui/Panel";
import { ProblemAlert } from "@/ui/Problem";
import { useDisabledReason } from "@/ui/rights";
import { Facts } from "@/ui/Facts";
import { latitudeText, longitudeText, type Place } from "./geography";
import { SitesCanvas } from "./SitesCanvas";
import { siteNodes, type SiteNode } from "./siteNodes";

/** Pages of the summary of sites that are read: a hundred sites each. */
const PAGES = 10;
/** Where a site begins that had no place: it is dragged from there. */
const BEGIN: Place = { latitude: 0, longitude: 0 };

function SitePanel({ node, onClose }: { node: SiteNode; onClose: () => void }) {
  const { site, elements, unreachable, unknown, alarms } = node;
  const { data } = useQuery(networkQueries.elements(`(eq,siteId,${site.id})`, 1));
  const { latitude, longitude } = site;
  return (
    <Panel
      title={site.name}
      actions={<Button variant="plain" aria-label={t`Close`} icon={<TimesIcon />} onClick={onClose} />}
    >
      <Facts
        facts={[
          [t`Description`, site.description || "—"],
          [
            t`Place`,
            latitude == null || longitude == null ? "—" : `${latitudeText(latitude)}, ${longitudeText(longitude)}`,
          ],
          [
            t`Elements`,
            <Link key="elements" to={pb.elementsAt(site.id)}>
              {elements}
            </Link>,
          ],
          [t`Unreachable`, unreachable],
          [t`Unknown`, unknown],
          [
            t`Alarms`,
            <Link key="alarms" to={pb.alarmsAtSite(site.id)}>
              {alarms}
            </Link>,
          ],
        ]}
      />
      <ul className="vm-site-list">
        {(data ?? [])
          .flatMap(({ rows }) => rows)
          .map(({ id, name }) => (
            <li key={id}>
              <Link to={pb.element(id)}>{name}</Link>
            </li>
          ))}
      </ul>
    </Panel>
  );
}

function Unplaced({ nodes, onPlace }: { nodes: readonly SiteNode[]; onPlace: (node: SiteNode) => void }) {
  if (nodes.length === 0) return null;
  return (
    <Panel title={t`Sites without a place`} count={nodes.length}>
      <ul className="vm-site-list">
        {nodes.map((node) => (
          <li key={node.site.id}>
            {node.site.name}{" "}
            <ChangeButton variant="link" isInline aria-label={t`Place ${node.site.name}`} onClick={() => onPlace(node)}>
              <Trans>Place</Trans>
            </ChangeButton>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function usePlacing() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ node: { site }, place }: { node: SiteNode; place: Place }) =>
      siteUpdate(site.id, { name: site.name, ...place }, site.version),
    onSettled: () => client.invalidateQueries({ queryKey: keys.sites }),
  });
}

interface Props {
  /** Id of the site whose details are open; "": none. */
  selected: string;
  onSelect: (siteId: string) => void;
}

/** The sites by latitude and longitude, with their elements and alarms. */
export default function SitesView({ selected, onSelect }: Props) {
  const { data: sites, error } = useQuery(q.sites());
  const { data: summary } = useQuery(networkQueries.sites(PAGES));
  const placing = usePlacing();
  const whyNot = useDisabledReason();
  if (error && !sites) return <ProblemAlert error={error} level="h2" />;
  if (!sites) return <Loading />;
  if (sites.length === 0)
    return (
      <Empty
        title={t`No sites yet`}
        icon={MapMarkerIcon}
        action={
          <LinkButton to={pb.administration()}>
            <Trans>Go to sites</Trans>
          </LinkButton>
        }
      >
        <Trans>A site groups the network elements of one location and places them on the map.</Trans>
      </Empty>
    );
  const summaries = (summary ?? []).flatMap(({ rows }) => rows);
  const nodes = siteNodes(sites, summaries);
  // Shown where it was dropped until the server says so.
  const dropped = placing.isPending ? placing.variables : undefined;
  const drawn = nodes.map((node) =>
    node.site.id === dropped?.node.site.id
      ? (siteNodes([{ ...node.site, ...dropped.place }], summaries)[0] ?? node)
      : node,
  );
  const open = drawn.find(({ site }) => site.id === selected);
  const place = (node: SiteNode, to: Place) => placing.mutate({ node, place: to });
  return (
    <div className={`vm-map${open || nodes.some(({ spot }) => !spot) ? " vm-map-with-panel" : ""}`}>
      <div className="vm-map-main">
        {placing.error && <ProblemAlert error={placing.error} level="h2" />}
        <SitesCanvas nodes={drawn} selected={selected} onSelect={onSelect} onPlace={whyNot ? undefined : place} />
      </div>
      <div className="vm-stack">
        {open && <SitePanel node={open} onClose={() => onSelect("")} />}
        <Unplaced nodes={drawn.filter(({ spot }) => !spot)} onPlace={(node) => place(node, BEGIN)} />
      </div>
    </div>
  );
}
