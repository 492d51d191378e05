import { t } from "@lingui/core/macro";
import { ToggleGroup, ToggleGroupItem } from "@patternfly/react-core";
import ListIcon from "@patternfly/react-icons/dist/esm/icons/list-icon";
import MapMarkerIcon from "@patternfly/react-icons/dist/esm/icons/map-marker-alt-icon";
import TopologyIcon from "@patternfly/react-icons/dist/esm/icons/topology-icon";
import type { MapView } from "./mapView";

export function ViewToggle({ view, onChange }: { view: MapView["view"]; onChange: (view: MapView["view"]) => void }) {
  return (
    <ToggleGroup aria-label={t`View`}>
      <ToggleGroupItem
        buttonId="view-map"
        icon={<TopologyIcon />}
        text={t`Map`}
        isSelected={view === "map"}
        onChange={() => onChange("map")}
      />
      <ToggleGroupItem
        buttonId="view-sites"
        icon={<MapMarkerIcon />}
        text={t`Sites`}
        isSelected={view === "sites"}
        onChange={() => onChange("sites")}
      />
      <ToggleGroupItem
        buttonId="view-list"
        icon={<ListIcon />}
        text={t`List`}
        isSelected={view === "list"}
        onChange={() => onChange("list")}
      />
    </ToggleGroup>
  );
}
