import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import "@/features/topology/map/map.css";
import { Alert, Button } from "@patternfly/react-core";
import TopologyIcon from "@patternfly/react-icons/dist/esm/icons/topology-icon";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { mapQueries, type MapNode, type Point, type TopologyMap } from "@/api/topology";
import { pb } from "@/paths";
import { Changing } from "@/features/topology/map/changing";
import { queryOf, useMapView, type MapView } from "@/features/topology/map/mapView";
import { EVERYTHING, toggled } from "@/features/topology/map/groups";
import { Legend } from "@/features/topology/map/Legend";
import { GroupButtons } from "@/features/topology/map/GroupButtons";
import { MapBar } from "@/features/topology/map/MapBar";
import { MapList } from "@/features/topology/map/MapList";
import { MapPanel } from "@/features/topology/map/MapPanel";
import type { Task } from "@/features/topology/map/place";
import { itemsOf } from "@/features/topology/map/shape";
import { useFocusedNode } from "@/features/topology/map/useFocusedNode";
import { usePlaces } from "@/features/topology/map/usePlaces";
import { usePositions } from "@/features/topology/map/usePositions";
import { ViewToggle } from "@/features/topology/map/ViewToggle";
import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";
import { Loading } from "@/ui/Loading";
import { ProblemAlert } from "@/ui/Problem";
import { Screen } from "@/ui/Screen";
import { useChangingInstances } from "@/ui/useChangingInstances";

const SITE = "site:";
const SitesView = lazy(() => import("@/features/topology/sites/SitesView"));
const MapCanvas = lazy(() => import("@/features/topology/map/MapCanvas"));

interface MapPaneProps {
  map: TopologyMap;
  /** Milliseconds. */
  seenAt: number;
  shown: MapView;
  positions: Record<string, Point>;
  goTo: { id: string } | undefined;
  fitTo: object | undefined;
  onSelect: (id: string) => void;
  onToggle: (id: string, open: boolean) => void;
  onMove: (moved: Record<string, Point>) => void;
}

function MapPane({ map, seenAt, shown, positions, goTo, fitTo, onSelect, onToggle, onMove }: MapPaneProps) {
  const task = useMemo<Task>(
    () => ({
      items: itemsOf(map.nodes),
      links: map.links.map(({ source, target }) => ({ source, target })),
      chosen: positions,
    }),
    [map, positions],
  );
  const spots = usePlaces(task);
  if (!spots) return null;
  return (
    <Suspense fallback={<Loading />}>
      <MapCanvas
        {...{ map, spots, goTo, fitTo, onSelect, onToggle, onMove }}
        filter={shown}
        selected={shown.node}
        now={seenAt}
      />
    </Suspense>
  );
}

function Notes({ map }: { map: TopologyMap }) {
  if (map.notes.length === 0) return null;
  return (
    <details className="vm-map-notes">
      <summary>
        <Trans>The map is incomplete</Trans>
      </summary>
      <ul>
        {map.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  );
}

function Nothing() {
  return (
    <Empty
      title={t`The map is empty`}
      icon={TopologyIcon}
      action={
        <LinkButton needs="admin" to={pb.vimRegister()}>
          <Trans>Register a cloud</Trans>
        </LinkButton>
      }
    >
      <Trans>Register a cloud to see it with its VNFs, and network elements to see them with their sites.</Trans>
    </Empty>
  );
}

/** The address names a node that is hidden or does not exist. */
function NotThere({ shown, onAll }: { shown: MapView; onAll: () => void }) {
  const isPart = shown.scope !== "all" || shown.site !== "" || shown.instance !== "" || shown.kinds.length > 0;
  return (
    <Alert
      isInline
      variant="info"
      component="h2"
      className="vm-alert"
      title={t`Not on the map`}
      {...(isPart
        ? {
            actionLinks: (
              <Button variant="link" isInline onClick={onAll}>
                <Trans>Show everything</Trans>
              </Button>
            ),
          }
        : {})}
    >
      {isPart
        ? t`It is not in the part of the network that is shown.`
        : t`The map shows instantiated VNF instances with their VMs, and registered network elements.`}
    </Alert>
  );
}

function useMap(shown: MapView) {
  const asked = queryOf(shown);
  const query = useQuery(mapQueries.map(shown.view === "list" ? { ...asked, expand: EVERYTHING } : asked));
  if (query.error && !query.data) throw query.error;
  return query;
}

function TopologyPage() {
  const [shown, change, close] = useMapView();
  const { data: map, dataUpdatedAt } = useMap(shown);
  // A refetch without changes renders nothing.
  const [fitTo, setFitTo] = useState<object>();
  const [seen, setSeen] = useState({ map, at: dataUpdatedAt });
  if (seen.map !== map) setSeen({ map, at: dataUpdatedAt });
  const { positions, move, forget, error: unsaved } = usePositions(shown.scope);
  const named = useFocusedNode(map, shown, change);
  const select = useCallback((node: string) => (node === "" ? close() : change({ node })), [change, close]);
  const changing = useChangingInstances();
  const { expand } = shown;
  const nodes = map?.nodes;
  const toggle = useCallback(
    (id: string, open: boolean) => {
      if (nodes?.some((node) => node.id === id && node.group)) change({ expand: toggled(nodes, expand, id, open) });
    },
    [nodes, expand, change],
  );
  if (!map) return <Loading />;
  const find = (node: MapNode, groups: string[]) => {
    change({ node: node.id, expand: [...new Set([...expand, ...groups])] });
    named.go(node.id);
  };
  const all = () => change({ scope: "all", site: "", instance: "", kinds: [], expand: [] });
  const selected = map.nodes.find(({ id }) => id === shown.node);
  const empty = Object.keys(map.totals).length === 0;
  return (
    <Screen
      title={t`Topology`}
      labels={<Notes map={map} />}
      actions={!empty && <ViewToggle view={shown.view} onChange={(view) => change({ view })} />}
    >
      {unsaved && <ProblemAlert error={unsaved} variant="warning" level="h2" />}
      {named.error && <ProblemAlert error={named.error} level="h2" />}
      {named.missing && !empty && <NotThere shown={shown} onAll={all} />}
      {empty ? (
        <Nothing />
      ) : shown.view === "sites" ? (
        <Suspense fallback={<Loading />}>
          <SitesView
            selected={shown.node.startsWith(SITE) ? shown.node.slice(SITE.length) : ""}
            onSelect={(id) => select(id && SITE + id)}
          />
        </Suspense>
      ) : (
        <Changing value={changing}>
          <MapBar
            shown={shown}
            onChange={change}
            onFind={find}
            end={
              shown.view === "map" && (
                <>
                  <GroupButtons
                    map={map}
                    onExpand={(groups) => {
                      setFitTo({});
                      change({ expand: groups });
                    }}
                    onForget={forget}
                  />
                  <Legend />
                </>
              )
            }
          />
          <div className={`vm-map${selected ? " vm-map-with-panel" : ""}`}>
            <div className="vm-map-main">
              {map.nodes.length === 0 ? (
                <Empty
                  title={t`No matches on the map`}
                  icon={TopologyIcon}
                  action={
                    <Button onClick={all}>
                      <Trans>Show everything</Trans>
                    </Button>
                  }
                >
                  <Trans>The selected object is not on the map, or the filters exclude it.</Trans>
                </Empty>
              ) : shown.view === "list" ? (
                <MapList map={map} filter={shown} onSelect={select} />
              ) : (
                <MapPane
                  {...{ map, shown, positions }}
                  goTo={named.goTo}
                  fitTo={fitTo}
                  seenAt={seen.at}
                  onSelect={select}
                  onToggle={toggle}
                  onMove={move}
                />
              )}
            </div>
            {selected && <MapPanel node={selected} map={map} onSelect={select} onToggle={toggle} onClose={close} />}
          </div>
        </Changing>
      )}
    </Screen>
  );
}

export { TopologyPage as Component };
