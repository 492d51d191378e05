import { expect, it } from "vitest";
import type { ManagementProfile } from "@/api/types";
import { profileFor } from "./managementProfile";

const profile = (name: string, patch: Partial<ManagementProfile> = {}): ManagementProfile => ({
  ...{ id: name, name, vimId: null, vimName: null, provider: "", productName: "", snmpPolicyId: "p" },
  ...{
    sshPolicyId: null,
    netconfPolicyId: null,
    addressRange: "",
    configureSnmp: null,
    createdAt: "",
    version: 1,
    ...patch,
  },
});
const any = profile("any");
const cloud = profile("cloud", { vimId: "here" });
const nokia = profile("nokia", { provider: "Nokia" });
const product = profile("product", { productName: "VSR-PE" });
const VSR = { provider: "Nokia", productName: "VSR-PE" };

it.each([
  [[], undefined],
  [[any], "any"],
  [[any, cloud], "cloud"],
  [[nokia, cloud], "nokia"],
  [[product, nokia, cloud], "product"],
  [[profile("elsewhere", { vimId: "there" }), profile("other", { provider: "Cisco" })], undefined],
  [[profile("first"), profile("second")], "first"],
])("applies the most specific of %j", (profiles, name) => {
  expect(profileFor(profiles, "here", VSR)?.name).toBe(name);
});
