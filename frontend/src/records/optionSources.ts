/** Options of which the server has too many to list. */
import { elementPage, elementView, policyPage, policyView, sitePage, siteView } from "@/api/callsElements";
import { vimList, vimView, vnfdList, vnfdView, vnfInstancePage, vnfInstanceView } from "@/api/calls";
import type { Page } from "@/api/client";
import type { ManagedObjectType, Protocol } from "@/api/types";
import { OBJECT_TYPE } from "@/ui/names";
import { filterText, type Clause } from "@/api/filter";
import { vnfdTitle } from "@/ui/names";
import type { Option, OptionSource } from "@/ui/SearchSelect";

/** A longer list is not easy to read; the user finds the rest by typing. */
const MAX_OPTIONS = 20;

interface Named {
  id: string;
  name: string;
}
interface ListQuery {
  filter?: string;
}

function sourceOf(
  key: string,
  list: (query: ListQuery) => Promise<Page<Named>>,
  view: (id: string) => Promise<Named>,
  ...always: Clause[]
): OptionSource {
  return {
    key,
    find: async (text) => {
      const filter = filterText([["cont", "name", text], ...always]);
      const { rows, next } = await list(filter ? { filter } : {});
      const options = rows.map(({ id, name }): Option => [id, name]).sort(([, a], [, b]) => a.localeCompare(b));
      return { options: options.slice(0, MAX_OPTIONS), more: next !== undefined || rows.length > MAX_OPTIONS };
    },
    nameOf: async (id) => (await view(id)).name,
  };
}

export const SITES = sourceOf("sites", sitePage, siteView);
export const ELEMENTS = sourceOf("elements", (query) => elementPage({ ...query, sort: "name" }), elementView);
export const HOSTS = sourceOf("hosts", (query) => elementPage({ ...query, sort: "name" }), elementView, [
  "eq",
  "kind",
  "PHYSICAL",
]);
export const INSTANCES = sourceOf("instances", vnfInstancePage, vnfInstanceView);
/** Searches a list that is short enough to be read whole. */
const shortListSource = (
  key: string,
  list: () => Promise<readonly Option[]>,
  nameOf: (value: string) => Promise<string>,
): OptionSource => ({
  key,
  find: async (text) => {
    const found = (await list()).filter(([, name]) => name.toLowerCase().includes(text.toLowerCase()));
    return { options: found, more: false };
  },
  nameOf,
});
export const CLOUDS = shortListSource(
  "clouds",
  async () => (await vimList()).map(({ id, name }): Option => [id, name]),
  async (id) => (await vimView(id)).name,
);
export const VNFS = shortListSource(
  "vnfs",
  async () => (await vnfdList()).map((vnfd): Option => [vnfd.vnfdId, vnfdTitle(vnfd)]),
  async (vnfdId) => vnfdTitle(await vnfdView(vnfdId)),
);
export const policies = (...protocols: Protocol[]): OptionSource =>
  sourceOf(`policies ${protocols.join()}`, policyPage, policyView, ["in", "protocol", protocols.join(",")]);

/** The manager has alarms of its own but cannot be chosen. */
type Choosable = Exclude<ManagedObjectType, "MANAGER">;
const OF_TYPE: Record<Choosable, OptionSource> = {
  NETWORK_ELEMENT: ELEMENTS,
  VNF_INSTANCE: INSTANCES,
  VIM: CLOUDS,
};

/** The value of an option contains type and id: "VIM/…". */
export const OBJECTS: OptionSource = {
  key: "objects",
  find: async (text) => {
    const types = Object.keys(OF_TYPE) as Choosable[];
    const found = await Promise.all(types.map((type) => OF_TYPE[type].find(text)));
    const options = found.flatMap((each, index) => {
      const type = types[index];
      return type ? each.options.map(([id, name]): Option => [`${type}/${id}`, `${OBJECT_TYPE[type]} ${name}`]) : [];
    });
    return { options, more: found.some(({ more }) => more) };
  },
  nameOf: async (value) => {
    const [type = "", id = ""] = value.split("/");
    const known = type as Choosable;
    return `${OBJECT_TYPE[known]} ${await OF_TYPE[known].nameOf(id)}`;
  },
};
