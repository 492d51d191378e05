import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { vsrPe } from "../../../mock-api/fixtures/vnfds";
import { emptyDraft, type Draft } from "./draft";
import { clearDraft, storeDraft, loadDraft } from "./draftStorage";

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.restoreAllMocks());

const draft: Draft = {
  ...emptyDraft(vsrPe.vnfdId),
  ...{ name: "edge-1", vimId: "v", raw: { fabric_mtu: "1500", admin_password: "do not keep me" } },
  errors: { name: "taken" },
};

it("keeps the input, but no secret", () => {
  storeDraft("me", draft, vsrPe);
  expect(JSON.stringify(Object.values(sessionStorage))).not.toContain("do not keep me");
  expect(loadDraft("me")).toEqual({
    ...draft,
    raw: { fabric_mtu: "1500" },
    secretsToEnter: ["admin_password"],
    errors: {},
  });
});

it("stores nothing while it is unknown which settings are secret", () => {
  storeDraft("me", draft, undefined);
  expect(loadDraft("me")).toBeUndefined();
});

it("belongs to one user and one wizard, and is deleted with it", () => {
  storeDraft("me", draft, vsrPe);
  expect(loadDraft("another user")).toBeUndefined();
  clearDraft();
  expect(loadDraft("me")).toBeUndefined();
  sessionStorage.setItem("vnfm.instantiate", "{nonsense");
  expect(loadDraft("me")).toBeUndefined();
});

it("stores no draft where the browser refuses, and removes an older one", () => {
  storeDraft("me", draft, vsrPe);
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  storeDraft("me", { ...draft, name: "edge-2" }, vsrPe);
  expect(loadDraft("me")).toBeUndefined();
});

it("works without browser storage", () => {
  vi.spyOn(globalThis, "sessionStorage", "get").mockImplementation(() => {
    throw new DOMException("denied", "SecurityError");
  });
  storeDraft("me", draft, vsrPe);
  clearDraft();
  expect(loadDraft("me")).toBeUndefined();
});

it("completes a draft of an older console, and ignores what is no draft", () => {
  const kept = (older: unknown) =>
    sessionStorage.setItem("vnfm.instantiate", JSON.stringify({ of: "me", draft: older }));
  kept({ vnfdId: vsrPe.vnfdId, name: "edge-1", raw: { fabric_mtu: "1500" } });
  expect(loadDraft("me")).toEqual({ ...emptyDraft(vsrPe.vnfdId), name: "edge-1", raw: { fabric_mtu: "1500" } });
  for (const nonsense of ["edge-1", null, 7]) {
    kept(nonsense);
    expect(loadDraft("me")).toBeUndefined();
  }
});
