import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import MapMarkerIcon from "@patternfly/react-icons/dist/esm/icons/map-marker-icon";
import { siteCreate, siteDelete, siteUpdate } from "@/api/callsElements";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { Site, SiteInput } from "@/api/types";
import type { FieldSpec, NewRecord } from "@/records/fields";
import type { RecordKind } from "@/records/Records";

const place = ({ latitude, longitude }: Site): string =>
  latitude == null || longitude == null ? "—" : `${latitude}°, ${longitude}°`;

const create = (input: Record<string, unknown>) => siteCreate(input as unknown as SiteInput);
const FIELDS: readonly FieldSpec[] = [
  { kind: "text", name: "name", label: t`Name`, required: true },
  { kind: "text", name: "description", label: t`Description` },
  { kind: "number", name: "latitude", label: t`Latitude`, help: t`Degrees north, such as 50.11.` },
  { kind: "number", name: "longitude", label: t`Longitude`, help: t`Degrees east, such as 8.68.` },
];

/** The form of an element can create a site in place. */
export const NEW_SITE: NewRecord = { title: t`New site`, fields: FIELDS, fresh: {}, create, queryKey: keys.sites };

export const SITES: RecordKind<Site> = {
  toAdd: t`Add a site`,
  noneYet: t`No sites yet`,
  isGone: t`This site no longer exists`,
  many: t`Sites`,
  name: "sites",
  nameOf: ({ name }) => name,
  lead: t`Locations of network elements.`,
  icon: MapMarkerIcon,
  empty: t`A site groups the network elements of one location and places them on the map.`,
  useList: () => useQuery(q.sites()),
  queryKey: keys.sites,
  columns: [
    { title: t`Name`, isName: true, sort: ({ name }) => name, cell: ({ name }) => name },
    { title: t`Description`, width: 40, cell: ({ description }) => description || "—" },
    { title: t`Latitude, longitude`, cell: place },
  ],
  fields: () => FIELDS,
  fresh: {},
  create,
  update: ({ id, version }, input) => siteUpdate(id, input as unknown as SiteInput, version),
  remove: ({ id, version }) => siteDelete(id, version),
  removal: t`The site is deleted. A site in use by network elements or discovery rules cannot be deleted.`,
};
