import { describe, expect, it } from "vitest";
import { vsrPe } from "../../../mock-api/fixtures/vnfds";
import {
  draftErrors,
  emptyDraft,
  firstError,
  problemFields,
  proposedName,
  reduce,
  toRequest,
  typedName,
  type Draft,
} from "./draft";
import { settingField, UNMANAGED } from "@/features/settings/settingFields";

const draft = (patch: Partial<Draft> = {}): Draft => ({ ...emptyDraft(vsrPe.vnfdId), vimId: "v", name: "n", ...patch });

const problemAt = (field: string) => ({ title: "", status: 422, detail: "", errors: [{ field, message: "a" }] });

describe("toRequest", () => {
  it("requires flavour and VIM only", () => {
    expect(toRequest(vsrPe, draft())).toEqual({
      flavourId: "default",
      instantiationLevelId: "small",
      vimConnectionInfo: { vim1: { vimId: "v", vimType: "ETSINFV.OPENSTACK_KEYSTONE.V_3" } },
    });
  });
  it("sends changes, typed by the VNFD, and the consent", () => {
    const raw = { fabric_mtu: "1500", static_routes: "a, b", anti_affinity: "false", system_name: "vsr-pe" };
    expect(toRequest(vsrPe, draft({ raw, createFlavors: true })).additionalParams).toEqual({
      fabric_mtu: 1500,
      static_routes: ["a", "b"],
      anti_affinity: false,
      createFlavors: true,
    });
  });
});

it("names the policies of a VNF's element, where the package says that it is one", () => {
  const chosen = draft({ raw: { snmpPolicy: "core-snmp", sshPolicy: "" } });
  expect(toRequest(vsrPe, chosen).additionalParams).toEqual({ snmpPolicy: "core-snmp" });
  expect(toRequest({ ...vsrPe, element: null }, chosen).additionalParams).toBeUndefined();
  const declined = draft({ raw: { snmpPolicy: UNMANAGED, sshPolicy: "core-ssh" } });
  expect(toRequest(vsrPe, declined).additionalParams).toEqual({ snmpPolicy: null });
  expect(problemFields(vsrPe, problemAt("/additionalParams/sshPolicy")).fields).toEqual({
    [settingField("sshPolicy")]: "a",
  });
});

describe("problems", () => {
  it("find their fields in any wrapping", () => {
    const errors = [
      { field: "/request/additionalParams/mgmt_cidr", message: "a" },
      { field: "/vimConnectionInfo/vim1/vimId", message: "b" },
      { field: "/additionalParams/unheard_of", message: "c" },
    ];
    const { fields, rest } = problemFields(vsrPe, { title: "", status: 422, detail: "", errors });
    expect(fields).toEqual({ [settingField("mgmt_cidr")]: "a", vimId: "b" });
    expect(rest.map((each) => each.message)).toEqual(["c"]);
  });
  it("lead to the earliest step, then to its first field", () => {
    const one = settingField("fabric_mtu");
    const two = settingField("mgmt_cidr");
    expect(firstError(vsrPe, { [one]: "x", [two]: "x" })).toEqual({ step: "settings", field: two });
    expect(firstError(vsrPe, { [one]: "x", vimId: "x" })).toEqual({ step: "cloud", field: "vimId" });
    expect(firstError(vsrPe, {})).toBeUndefined();
  });
});

describe("reduce", () => {
  it("keeps the input when the cloud changes, and drops the corrected error", () => {
    const before = draft({ raw: { mgmt_cidr: "x" }, errors: { vimId: "gone", name: "taken" } });
    const after = reduce(before, { type: "vim", vimId: "w" });
    expect(after).toMatchObject({ vimId: "w", raw: { mgmt_cidr: "x" }, errors: { name: "taken" } });
    expect(reduce(after, { type: "text", field: "name", value: "m" }).errors).toEqual({});
  });
  it("discards what was loaded for another VNF", () => {
    const origin = { kind: "instance", id: "i" } as const;
    const late = { type: "begin", vnfdId: "other", origin, patch: { flavourId: "big", raw: { a: "b" } } } as const;
    expect(reduce(draft({ raw: { mgmt_cidr: "x" } }), late)).toEqual(draft({ raw: { mgmt_cidr: "x" } }));
    expect(reduce(draft(), { ...late, vnfdId: vsrPe.vnfdId })).toMatchObject({ flavourId: "big", origin });
  });
  it("forgets settings, but not name and cloud, for another VNF", () => {
    const after = reduce(draft({ raw: { mgmt_cidr: "x" } }), { type: "vnfd", vnfdId: "other" });
    expect(after).toMatchObject({ vnfdId: "other", vimId: "v", name: "n", raw: {} });
  });
});

it("requires a name", () => {
  expect(Object.keys(draftErrors(vsrPe, draft({ name: " " })))).toEqual(["name"]);
});

it("proposes a free name, replaced with the VNF's; a typed one stays", () => {
  expect(proposedName({ ...vsrPe, productName: "IOS XRv (9000)" }, ["ios-xrv-9000-1"])).toBe("ios-xrv-9000-2");
  const proposed = reduce(draft({ name: "" }), { type: "proposal", name: "vsr-pe-1" });
  expect(typedName(proposed)).toBe("");
  expect(reduce(proposed, { type: "vnfd", vnfdId: "other" }).name).toBe("");
  const typed = reduce(proposed, { type: "text", field: "name", value: "edge-1" });
  expect(reduce(typed, { type: "vnfd", vnfdId: "other" }).name).toBe("edge-1");
});
