import { useQuery } from "@tanstack/react-query";
import MapMarkerIcon from "@patternfly/react-icons/dist/esm/icons/map-marker-icon";
import { siteCreate, siteDelete, siteUpdate } from "@/api/calls-elements";
import { keys } from "@/api/keys";
import { q } from "@/api/queries";
import type { Site, SiteInput } from "@/api/types";
import type { RecordKind } from "@/records/Records";

const place = ({ latitude, longitude }: Site): string =>
  latitude == null || longitude == null ? "—" : `${latitude}°, ${longitude}°`;

export const SITES: RecordKind<Site> = {
  toAdd: "Add a site",
  noneYet: "No site yet",
  isGone: "There is no such site any more",
  many: "Sites",
  nameOf: ({ name }) => name,
  lead: "Where network elements are.",
  icon: MapMarkerIcon,
  empty: "A site groups the network elements of one place, and gives that its position on the map.",
  useList: () => useQuery(q.sites()),
  queryKey: keys.sites,
  columns: [
    { title: "Name", isName: true, sort: ({ name }) => name, cell: ({ name }) => name },
    { title: "Description", width: 40, cell: ({ description }) => description || "—" },
    { title: "Latitude, longitude", cell: place },
  ],
  fields: () => [
    { kind: "text", name: "name", label: "Name", required: true },
    { kind: "text", name: "description", label: "Description" },
    { kind: "number", name: "latitude", label: "Latitude", help: "Degrees north, such as 50.11." },
    { kind: "number", name: "longitude", label: "Longitude", help: "Degrees east, such as 8.68." },
  ],
  fresh: {},
  create: (input) => siteCreate(input as unknown as SiteInput),
  update: ({ id, version }, input) => siteUpdate(id, input as unknown as SiteInput, version),
  remove: ({ id, version }) => siteDelete(id, version),
  removal: "The site leaves the list. One that network elements or discovery rules belong to is refused.",
};
