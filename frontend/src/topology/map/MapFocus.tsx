import { t } from "@lingui/core/macro";
import { ToolbarItem } from "@patternfly/react-core";
import { INSTANCES, SITES } from "@/administration/sources";
import type { Option, Source } from "@/ui/SearchSelect";
import { SearchSelect } from "@/ui/SearchSelect";
import type { Shown } from "./address";
import { EVERYTHING } from "./groups";

const NO_SITE: Option = ["none", t`No site`];

/** Sites, and the place of what stands at none. */
const PLACES: Source = {
  key: "places",
  find: async (text) => {
    const { options, more } = await SITES.find(text);
    const fits = NO_SITE[1].toLowerCase().includes(text.toLowerCase());
    return { options: fits ? [NO_SITE, ...options] : options, more };
  },
  nameOf: (id) => (id === NO_SITE[0] ? Promise.resolve(NO_SITE[1]) : SITES.nameOf(id)),
};

interface Props {
  shown: Shown;
  onChange: (change: Partial<Shown>) => void;
}

/** One site, or one VNF instance, and what it is linked with: the map has the one or the other, with its groups open. */
export function MapFocus({ shown, onChange }: Props) {
  const look = (change: Pick<Shown, "site" | "instance">) => {
    const { site, instance } = change;
    // Of an instance all is wanted, which is little; of a site its elements.
    onChange({ ...change, node: "", expand: instance ? EVERYTHING : site ? [`site:${site}`] : [] });
  };
  return (
    <>
      <ToolbarItem className="vm-search-select">
        <SearchSelect
          label={t`Site`}
          source={PLACES}
          none={t`Every site`}
          value={shown.site}
          onChange={(site) => look({ site, instance: "" })}
        />
      </ToolbarItem>
      <ToolbarItem className="vm-search-select">
        <SearchSelect
          label={t`VNF instance`}
          source={INSTANCES}
          none={t`Every VNF instance`}
          value={shown.instance}
          onChange={(instance) => look({ instance, site: "" })}
        />
      </ToolbarItem>
    </>
  );
}
