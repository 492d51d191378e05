import { t } from "@lingui/core/macro";
import { ToolbarItem } from "@patternfly/react-core";
import { INSTANCES } from "@/records/optionSources";
import { SITES_OR_NONE } from "@/records/siteOptions";
import { SearchSelect } from "@/ui/SearchSelect";
import type { MapView } from "./mapView";
import { EVERYTHING } from "./groups";

interface Props {
  shown: MapView;
  onChange: (change: Partial<MapView>) => void;
}

/** One site, or one VNF instance, and what it is linked with: the map has the one or the other, with its groups open. */
export function MapFocus({ shown, onChange }: Props) {
  const look = (change: Pick<MapView, "site" | "instance">) => {
    const { site, instance } = change;
    // Of an instance all is wanted, which is little; of a site its elements.
    onChange({ ...change, node: "", expand: instance ? EVERYTHING : site ? [`site:${site}`] : [] });
  };
  return (
    <>
      <ToolbarItem className="vm-search-select">
        <SearchSelect
          label={t`Site`}
          source={SITES_OR_NONE}
          none={t`All sites`}
          value={shown.site}
          onChange={(site) => look({ site, instance: "" })}
        />
      </ToolbarItem>
      <ToolbarItem className="vm-search-select">
        <SearchSelect
          label={t`VNF instance`}
          source={INSTANCES}
          none={t`All VNF instances`}
          value={shown.instance}
          onChange={(instance) => look({ instance, site: "" })}
        />
      </ToolbarItem>
    </>
  );
}
