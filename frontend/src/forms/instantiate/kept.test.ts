import { beforeEach, expect, it } from "vitest";
import { vsrPe } from "../../../mock-api/fixtures/vnfds";
import { emptyDraft, type Draft } from "./draft";
import { dropDraft, keepDraft, keptDraft } from "./kept";

beforeEach(() => sessionStorage.clear());

const draft: Draft = {
  ...emptyDraft(vsrPe.vnfdId),
  ...{ name: "edge-1", vimId: "v", raw: { fabric_mtu: "1500", admin_password: "do not keep me" } },
  errors: { name: "taken" },
};

it("keeps what was typed, and no secret", () => {
  keepDraft("me", draft, vsrPe);
  expect(JSON.stringify(Object.values(sessionStorage))).not.toContain("do not keep me");
  expect(keptDraft("me")).toEqual({ ...draft, raw: { fabric_mtu: "1500" }, again: ["admin_password"], errors: {} });
});

it("keeps nothing while nobody knows what is secret", () => {
  keepDraft("me", draft, undefined);
  expect(keptDraft("me")).toBeUndefined();
});

it("is of one person and one wizard, and goes when that is over", () => {
  keepDraft("me", draft, vsrPe);
  expect(keptDraft("somebody else")).toBeUndefined();
  dropDraft();
  expect(keptDraft("me")).toBeUndefined();
  sessionStorage.setItem("vnfm.instantiate", "{nonsense");
  expect(keptDraft("me")).toBeUndefined();
});
