import { expect, it } from "vitest";
import type { Setting } from "@/api/types";
import { resources } from "../../../mock-api/fixtures/vims";
import { vsrPe } from "../../../mock-api/fixtures/vnfds";
import { pickedNetworks, subnetError } from "./subnets";

const { settings } = vsrPe;
const formOf = (raw: Record<string, string>, defaults: Record<string, string> = {}) => ({
  vnfd: vsrPe,
  settings: settings.map((each) => ({ ...each, default: defaults[each.name] ?? each.default })),
  valueOf: ({ name, default: usual }: Setting) => raw[name] ?? String(usual),
  resources: resources(),
});
type Form = ReturnType<typeof formOf>;
const pickedOf = (form: Parameters<typeof pickedNetworks>[0]) => pickedNetworks(form).get("mgmt_cidr")?.id;
function complaintOf(form: Form): string | undefined {
  const network = pickedNetworks(form).get("mgmt_cidr");
  const setting = form.settings.find(({ name }) => name === "mgmt_cidr");
  return network && setting ? subnetError(form, setting, network) : "not judged";
}

it("takes the network of fixed addresses from their link's choice", () => {
  expect(pickedOf(formOf({ mgmt_net: "public" }))).toBe("n-public");
  expect(pickedOf(formOf({ mgmt_net: "n-peering-2" }))).toBe("n-peering-2");
  expect(pickedOf(formOf({ mgmt_net: "" }, { mgmt_net: "oam" }))).toBe("n-oam");
});

it("returns none where no network is chosen or known", () => {
  expect(pickedOf(formOf({}))).toBeUndefined();
  expect(pickedOf(formOf({ mgmt_net: "peering" }))).toBeUndefined();
  expect(pickedOf(formOf({ mgmt_net: "elsewhere" }))).toBeUndefined();
  const known = formOf({ mgmt_net: "public" });
  expect(pickedOf({ ...known, resources: undefined })).toBeUndefined();
  expect(pickedOf({ ...known, settings: settings.filter(({ format }) => format !== "network") })).toBeUndefined();
});

it("rejects a subnet that the network does not have, as the server does", () => {
  expect(complaintOf(formOf({ mgmt_net: "oam", mgmt_cidr: "172.16.10.0/24" }))).toBeUndefined();
  expect(complaintOf(formOf({ mgmt_net: "oam", mgmt_cidr: "172.16.10.0/25" }))).toBe(
    "Network oam has no subnet 172.16.10.0/25, but 172.16.10.0/24, 2001:db8:10::/64.",
  );
  // An empty field is deployed with its default.
  expect(complaintOf(formOf({ mgmt_net: "public", mgmt_cidr: "" }))).toBe(
    "Network public has no subnet 172.16.10.0/24, but 203.0.113.0/24.",
  );
});

it("validates neither invalid subnets, nor against a network without visible subnets", () => {
  expect(complaintOf(formOf({ mgmt_net: "oam", mgmt_cidr: "172.16.10" }))).toBeUndefined();
  expect(complaintOf(formOf({ mgmt_net: "peering-a" }))).toBeUndefined();
});
