import { expect, it } from "vitest";
import { makePolicy } from "../../../mock-api/fixtures/elements";
import { hasAddress, presetPolicies } from "./presetPolicies";

it.each([
  ["10.1.2.3", ["10.1.0.0/16"], true],
  ["10.2.0.1", ["10.1.0.0/16", "10.2.0.0/30"], true],
  ["10.2.0.4", ["10.1.0.0/16", "10.2.0.0/30"], false],
  ["192.0.2.7", ["192.0.2.7/32"], true],
  ["255.255.255.255", ["128.0.0.0/8", "255.0.0.0/8"], true],
  ["2001:db8::7", ["2001:db8::/32"], true],
  ["2001:db9::7", ["2001:db8::/32"], false],
  ["2001:DB8:0:0:0:0:0:1", ["2001:db8::1/128"], true],
  ["::ffff:10.1.2.3", ["10.1.0.0/16"], false],
  ["10.1.2", ["10.1.0.0/16"], false],
  ["10.1.2.300", ["10.1.0.0/16"], false],
  ["router:1", ["10.1.0.0/16"], false],
  ["", ["10.1.0.0/16"], false],
])("knows whether %j is in %j", (address, networks, expected) => {
  expect(hasAddress(networks, address)).toBe(expected);
});

const lab = makePolicy({ id: "lab", networks: ["127.0.0.0/8"] });
const core = makePolicy({ id: "core", networks: ["10.0.0.0/8"] });
const edge = makePolicy({ id: "edge", networks: ["10.0.0.0/8"] });
const login = makePolicy({ id: "login", protocol: "SSH", networks: ["10.0.0.0/8"] });
const netconf = makePolicy({ id: "netconf", protocol: "NETCONF", networks: ["10.0.0.0/8"] });
const none = { snmpPolicyId: "", sshPolicyId: "", netconfPolicyId: "" };
const simulated = { snmpPolicyId: "lab", sshPolicyId: null, netconfPolicyId: null };

it("presets no policy whose secrets may not be sent to the address", () => {
  expect(presetPolicies("10.0.0.1", [lab], simulated)).toEqual(none);
  expect(presetPolicies("127.0.0.1", [lab, core], simulated)).toEqual({ ...none, snmpPolicyId: "lab" });
  expect(presetPolicies("", [lab], simulated)).toEqual(none);
});

it("presets the only policy of a protocol that fits, and none of several", () => {
  expect(presetPolicies("10.0.0.1", [lab, core, login, netconf], simulated)).toEqual({
    ...{ snmpPolicyId: "core", sshPolicyId: "login", netconfPolicyId: "" },
  });
  expect(presetPolicies("10.0.0.1", [core, edge], undefined)).toEqual(none);
  expect(presetPolicies("10.0.0.1", [core, edge], { ...simulated, snmpPolicyId: "edge" }).snmpPolicyId).toBe("edge");
});
