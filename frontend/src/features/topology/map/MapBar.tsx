import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import type { MapNode, MapScope, MapState, NodeKind } from "@/api/topology";
import type { Severity } from "@/api/types";
import { INSTANCES } from "@/records/optionSources";
import { SITES_OR_NONE } from "@/records/siteOptions";
import { ListBar, type FilterField } from "@/table/ListBar";
import type { FilterView } from "@/ui/listView";
import { MAP_STATE, SEVERITIES, SEVERITY } from "@/ui/states";
import { EVERYTHING } from "./groups";
import { queryOf, SCOPES, type MapView } from "./mapView";
import { MapSearch } from "./MapSearch";
import { KIND, NODE_KINDS } from "./nodeText";

const { all: EVERY_SCOPE, ...PARTS } = SCOPES;
const FIELDS: readonly FilterField[] = [
  { name: "scope", label: t`Scope`, every: EVERY_SCOPE, options: Object.entries(PARTS) },
  { name: "site", label: t`Site`, every: t`All sites`, source: SITES_OR_NONE },
  { name: "instance", label: t`VNF instance`, every: t`All VNF instances`, source: INSTANCES },
  { name: "kinds", label: t`Kinds`, isMulti: true, options: NODE_KINDS.map((kind) => [kind, KIND[kind]] as const) },
  {
    name: "state",
    label: t`State`,
    every: t`All states`,
    options: Object.entries(MAP_STATE).map(([state, { text }]) => [state, text] as const),
  },
  {
    name: "severity",
    label: t`Alarms`,
    every: t`Any alarms`,
    options: SEVERITIES.filter((each) => each !== "CLEARED").map(
      (each) => [each, t`${SEVERITY[each].text} or worse`] as const,
    ),
  },
];

/**
 * The map shows one site or one instance with its groups open: everything of an instance, which is little, but only
 * the elements of a site.
 */
function changeOf(name: string, value: string): Partial<MapView> {
  switch (name) {
    case "scope":
      return { scope: (value || "all") as MapScope, expand: [], node: "" };
    case "site":
      return { site: value, instance: "", node: "", expand: value ? [`site:${value}`] : [] };
    case "instance":
      return { instance: value, site: "", node: "", expand: value ? EVERYTHING : [] };
    case "kinds":
      return { kinds: value.split(",").filter(Boolean) as NodeKind[] };
    case "state":
      return { state: value as MapState | "" };
    default:
      return { severity: value as Severity | "" };
  }
}

const textOf = (shown: MapView, name: string): string => {
  const value = shown[name as keyof MapView];
  const text = typeof value === "string" ? value : value.join(",");
  return name === "scope" && text === "all" ? "" : text;
};

interface Props {
  shown: MapView;
  onChange: (change: Partial<MapView>) => void;
  onFind: (node: MapNode, groups: string[]) => void;
  /** These buttons act on the whole map. */
  end: ReactNode;
}

/** The line above the map: the same as above every list. */
export function MapBar({ shown, onChange, onFind, end }: Props) {
  const view: FilterView = {
    get: (name) => textOf(shown, name),
    set: (changes) => {
      const parts = Object.entries(changes).map(([name, value]) => changeOf(name, value));
      onChange(Object.assign({}, ...parts) as Partial<MapView>);
    },
  };
  return (
    <div className="vm-map-bar">
      <ListBar
        label={t`Map`}
        view={view}
        fields={FIELDS}
        // Each table of the list has its own search.
        search={shown.view === "map" && <MapSearch query={queryOf(shown)} onFind={onFind} />}
        end={end}
      />
    </div>
  );
}
