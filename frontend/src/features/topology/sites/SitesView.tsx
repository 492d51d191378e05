import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import MapMarkerIcon from "@patternfly/react-icons/dist/esm/icons/map-marker-alt-icon";
import TimesIcon from "@patternfly/react-icons/dist/esm/icons/times-icon";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link } from "react-router";
import { networkQueries } from "@/api/network";
import { q } from "@/api/queries";
import { pb } from "@/paths";
import { ChangeButton } from "@/ui/ActionButton";
import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";
import { Loading } from "@/ui/Loading";
import { LoadingNote } from "@/ui/LoadingNote";
import { Panel } from "@/ui/Panel";
import { ProblemAlert } from "@/ui/Problem";
import { useDisabledReason } from "@/ui/rights";
import { Facts } from "@/ui/Facts";
import { latitudeText, longitudeText, type Place } from "./geography";
import { SitesCanvas, type SitesHandle } from "./SitesCanvas";
import { siteNodes, type SiteNode } from "./siteNodes";
import { usePlaces } from "./usePlaces";

/** Each page has a hundred sites. */
const PAGES = 10;
/** Shown instead of a count that failed or is not read yet. */
const notKnown = () => t`not known yet`;

function SiteElements({ siteId }: { siteId: string }) {
  const [count, setCount] = useState(1);
  const pagesOf = (number: number) => networkQueries.elements(`(eq,siteId,${siteId})`, number);
  const pages = useQuery(pagesOf(count));
  // Earlier pages stay visible if a further one fails.
  const before = useQuery({ ...pagesOf(count - 1), enabled: false });
  const data = pages.data ?? before.data;
  function more() {
    if (pages.isPending) return;
    if (pages.isLoadingError) void pages.refetch();
    else setCount(count + 1);
  }
  if (!data && pages.isPending)
    return (
      <LoadingNote>
        <Trans>Loading the elements…</Trans>
      </LoadingNote>
    );
  return (
    <>
      <ul className="vm-site-list">
        {(data ?? [])
          .flatMap(({ rows }) => rows)
          .map(({ id, name }) => (
            <li key={id}>
              <Link to={pb.element(id)}>{name}</Link>
            </li>
          ))}
      </ul>
      {pages.isLoadingError && <ProblemAlert error={pages.error} />}
      {data?.at(-1)?.next !== undefined && (
        <Button variant="link" isInline isLoading={pages.isPending} onClick={more}>
          <Trans>More elements</Trans>
        </Button>
      )}
    </>
  );
}

function SitePanel({ node, onClose }: { node: SiteNode; onClose: () => void }) {
  const { site, isKnown, elements, unreachable, unknown, alarms } = node;
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
              {isKnown ? elements : notKnown()}
            </Link>,
          ],
          [t`Unreachable`, isKnown ? unreachable : notKnown()],
          [t`Unknown`, isKnown ? unknown : notKnown()],
          [
            t`Alarms`,
            <Link key="alarms" to={pb.alarmsAtSite(site.id)}>
              {isKnown ? alarms : notKnown()}
            </Link>,
          ],
        ]}
      />
      <SiteElements key={site.id} siteId={site.id} />
    </Panel>
  );
}

interface UnplacedProps {
  nodes: readonly SiteNode[];
  /** Keys: id of the site; the places are not stored yet. */
  places: ReturnType<typeof usePlaces>["places"];
  onPlace: (siteId: string) => void;
  onStore: (siteId: string, place: Place) => void;
  onCancel: (siteId: string) => void;
}

function Unplaced({ nodes, places, onPlace, onStore, onCancel }: UnplacedProps) {
  if (nodes.length === 0) return null;
  return (
    <Panel title={t`Sites without a place`} count={nodes.length}>
      <ul className="vm-site-list">
        {nodes.map(({ site: { id, name } }) => {
          const place = places[id];
          if (!place)
            return (
              <li key={id}>
                {name}{" "}
                <ChangeButton variant="link" isInline aria-label={t`Place ${name}`} onClick={() => onPlace(id)}>
                  <Trans>Place</Trans>
                </ChangeButton>
              </li>
            );
          return (
            <li key={id}>
              {name}: <Trans>drag it to its place, or</Trans>{" "}
              <ChangeButton
                variant="link"
                isInline
                aria-label={t`Store the place of ${name}`}
                onClick={() => onStore(id, place)}
              >
                <Trans>store this place</Trans>
              </ChangeButton>{" "}
              <Button variant="link" isInline aria-label={t`Do not place ${name}`} onClick={() => onCancel(id)}>
                <Trans>Cancel</Trans>
              </Button>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

interface Props {
  /** "" when no details are open. */
  selected: string;
  onSelect: (siteId: string) => void;
}

export default function SitesView({ selected, onSelect }: Props) {
  const { data: sites, error } = useQuery(q.sites());
  const { data: summary, error: summaryError } = useQuery(networkQueries.sites(PAGES));
  const { places, error: placeError, move, propose, store, withdraw } = usePlaces();
  const canvas = useRef<SitesHandle>(null);
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
  const drawn = siteNodes(
    sites.map((site) => ({ ...site, ...places[site.id] })),
    summaries,
  );
  const open = drawn.find(({ site }) => site.id === selected);
  const place = ({ site }: SiteNode, to: Place, dropped: boolean) => move(site.id, to, dropped);
  return (
    <div className={`vm-map${open || nodes.some(({ spot }) => !spot) ? " vm-map-with-panel" : ""}`}>
      <div className="vm-map-main">
        {placeError && <ProblemAlert error={placeError} level="h2" />}
        {summaryError && !summary && <ProblemAlert error={summaryError} level="h2" />}
        <SitesCanvas
          ref={canvas}
          nodes={drawn}
          selected={selected}
          onSelect={onSelect}
          onPlace={whyNot ? undefined : place}
        />
      </div>
      <div className="vm-stack">
        {open && <SitePanel node={open} onClose={() => onSelect("")} />}
        <Unplaced
          nodes={nodes.filter(({ spot }) => !spot)}
          places={places}
          onPlace={(siteId) => canvas.current && propose(siteId, canvas.current.freeze())}
          onStore={store}
          onCancel={withdraw}
        />
      </div>
    </div>
  );
}
