import { describe, expect, it } from "vitest";
import { vsrPe, vsrRr } from "../../../mock-api/fixtures/vnfds";
import { emptyDraft, reduce, toRequest } from "./draft";
import { settingField, UNMANAGED } from "@/features/settings/settingFields";
import { prefilled, cloneName, fitChoices, type Choices } from "./prefill";
import { addressConflicts, conflictErrors } from "./addressConflicts";

const VIMS = [{ id: "v" }];
const chosen = (patch: Partial<Choices> = {}): Choices => ({
  ...{ vimId: "v", vimName: "lab", flavourId: "default", levelId: "medium", scale: {}, params: {} },
  ...patch,
});

describe("fit", () => {
  it("takes all of what was chosen for the same version", () => {
    const params = {
      mgmt_net: "oam",
      fabric_mtu: 1500,
      static_routes: ["a", "b"],
      anti_affinity: false,
      sshPolicy: "p",
    };
    expect(fitChoices(vsrPe, VIMS, chosen({ params, scale: { datapath: 4 } }))).toEqual({
      ...{ vimId: "v", flavourId: "default", levelId: "medium", scale: { datapath: 4 }, leftOut: [] },
      raw: { mgmt_net: "oam", fabric_mtu: "1500", static_routes: "a, b", anti_affinity: "false", sshPolicy: "p" },
    });
  });
  it("lists what of another version does not fit, and why", () => {
    const params = { flavor_iom: "big", fabric_mtu: 100, admin_password: "secret", system_name: "pe" };
    const found = fitChoices(vsrRr, VIMS, chosen({ params, scale: { datapath: 1 }, vimId: "gone" }));
    expect(found.raw).toEqual({ system_name: "pe" });
    expect(found.levelId).toBeUndefined();
    expect(Object.fromEntries(found.leftOut.map(({ name, why }) => [name, why]))).toEqual({
      "Instantiation level medium": "The flavour has no such level; its default level is used.",
      "Level 1 of datapath": "The flavour has no such scaling aspect.",
      flavor_iom: "This package has no such setting.",
      "Fabric MTU": "1400 to 9000.",
      "Administrator password": "It is a secret.",
      "Cloud lab": "It is no longer registered; choose another.",
    });
  });
  it("keeps that the router is not to be managed", () => {
    const found = fitChoices(vsrPe, VIMS, chosen({ params: { snmpPolicy: null } }));
    expect(found.raw).toEqual({ snmpPolicy: UNMANAGED });
  });
  it("leaves the size out where the flavour is unknown", () => {
    const found = fitChoices(vsrPe, VIMS, chosen({ flavourId: "huge", scale: { datapath: 1 } }));
    expect(found).toMatchObject({ flavourId: undefined, levelId: undefined, scale: {} });
    expect(found.leftOut.map(({ name }) => name)).toEqual(["Flavour huge and its size"]);
  });
});

describe("addresses of the instance that is copied", () => {
  const params = { mgmt_net: "oam", mgmt_ip_active: "172.16.10.20" };
  const taken = addressConflicts(vsrPe, chosen({ params }), "edge-1");
  it("are those on networks that the copy would share, defaults among them", () => {
    expect(Object.entries(taken).map(([name, { address }]) => [name, address])).toEqual([
      ["mgmt_ip_active", "172.16.10.20"],
      ["mgmt_ip_standby", "172.16.10.11"],
    ]);
    expect(addressConflicts(vsrPe, chosen({ params: { ...params, mgmt_net: "" } }), "edge-1")).toEqual({});
  });
  it("have to be replaced while cloud and network are the same", () => {
    const raw = { mgmt_net: "oam", mgmt_ip_active: "", mgmt_ip_standby: "172.16.10.12" };
    expect(Object.keys(conflictErrors(vsrPe, { addressConflicts: taken, raw, vimId: "v" }))).toEqual([
      "mgmt_ip_active",
    ]);
    expect(
      conflictErrors(vsrPe, { addressConflicts: taken, raw: { ...raw, mgmt_ip_active: "172.16.10.20" }, vimId: "v" }),
    ).not.toEqual({});
    expect(conflictErrors(vsrPe, { addressConflicts: taken, raw, vimId: "w" })).toEqual({});
    expect(conflictErrors(vsrPe, { addressConflicts: taken, raw: { ...raw, mgmt_net: "other" }, vimId: "v" })).toEqual(
      {},
    );
  });
  const patch = prefilled(vsrPe, VIMS, chosen({ params }), "a copy of edge-1", "edge-1");
  it("are kept and reported", () => {
    expect(patch.raw).toEqual({ mgmt_net: "oam", mgmt_ip_active: "172.16.10.20" });
    expect(patch.errors[settingField("mgmt_ip_active")]).toBe(
      "edge-1 uses 172.16.10.20 on network oam. Choose another address.",
    );
    expect(patch.secretsToEnter).toEqual(["admin_password"]);
  });
  it("are valid on another cloud or network: the shown ones are deployed", () => {
    const origin = { kind: "instance", id: "i" } as const;
    const copy = reduce(emptyDraft(vsrPe.vnfdId), { type: "begin", vnfdId: vsrPe.vnfdId, origin, patch });
    expect(Object.keys(copy.errors)).toHaveLength(2);
    const elsewhere = reduce(copy, { type: "vim", vimId: "w" });
    expect(elsewhere.errors).toEqual({});
    expect(toRequest(vsrPe, elsewhere).additionalParams).toMatchObject({ mgmt_ip_active: "172.16.10.20" });
    expect(reduce(copy, { type: "setting", name: "mgmt_net", raw: "other" }).errors).toEqual({});
    expect(Object.keys(reduce(copy, { type: "setting", name: "fabric_mtu", raw: "1500" }).errors)).toHaveLength(2);
  });
});

it("proposes the next free name", () => {
  expect(cloneName("edge-1", ["edge-1"])).toBe("edge-1-2");
  expect(cloneName("edge-1", ["edge-1-2", "edge-1-3"])).toBe("edge-1-4");
});
