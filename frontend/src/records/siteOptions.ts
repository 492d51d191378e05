import { t } from "@lingui/core/macro";
import { SITES } from "./optionSources";
import { filterText } from "@/api/filter";
import type { OptionSource } from "@/ui/SearchSelect";

/** Stands in addresses and choices for elements without a site. */
export const NO_SITE = "none";
export const NO_SITE_TEXT = t`No site`;

export const elementsAt = (site: string, others?: string): string | undefined =>
  [others, site === NO_SITE ? "(eq,siteName,'')" : filterText([["eq", "siteId", site]])].filter(Boolean).join(";") ||
  undefined;

export const SITES_OR_NONE: OptionSource = {
  key: "places",
  find: async (text) => {
    const { options, more } = await SITES.find(text);
    const none = NO_SITE_TEXT.toLowerCase().includes(text.toLowerCase()) ? [[NO_SITE, NO_SITE_TEXT] as const] : [];
    return { options: [...none, ...options], more };
  },
  nameOf: (value) => (value === NO_SITE ? Promise.resolve(NO_SITE_TEXT) : SITES.nameOf(value)),
};
