import { expect, it } from "vitest";
import type { SearchHit, SearchKind } from "@/api/frame";
import { pb } from "@/paths";
import { sectionsOf } from "./searchResults";

const hit = (patch: Partial<SearchHit>): SearchHit => ({
  ...{ id: "h", name: "10.0.0.1/31", detail: "", matched: "", ownerKind: "ELEMENT", ownerId: "o", severity: "" },
  ...patch,
});
const choicesOf = (kind: SearchKind, ...hits: SearchHit[]) =>
  sectionsOf("10.0.0", [{ kind, hits, more: false }], []).flatMap(({ choices }) => choices);

it.each<[SearchKind, Partial<SearchHit>, string]>([
  ["ADDRESS", { id: "1001", ownerKind: "ELEMENT", ownerId: "pe-1" }, pb.elementInterface("pe-1", 1001)],
  ["ADDRESS", { id: "port-a", ownerKind: "INSTANCE", ownerId: "vsr" }, "/instances/vsr?tab=topology&part=port-a"],
  ["VM", { id: "vm-1", ownerKind: "INSTANCE", ownerId: "vsr" }, pb.vnfcs("vsr", "vm-1")],
  ["SITE", { id: "fra", ownerKind: "SITE", ownerId: "fra" }, "/elements?view=tree&open=fra"],
  ["CLOUD", { id: "lab", ownerKind: "CLOUD", ownerId: "lab" }, pb.vim("lab")],
])("leads from %s %j to %s", (kind, patch, to) => {
  expect(choicesOf(kind, hit(patch)).map((choice) => choice.to)).toEqual([to]);
});

it("names an alarm by its probable cause in words", () => {
  const [choice] = choicesOf("ALARM", hit({ name: "underlyingResourceUnavailable" }));
  expect(choice?.text).toBe("underlying resource unavailable");
});

it("distinguishes interfaces of two elements with one ifIndex and one address", () => {
  const both = ["pe-1", "pe-2"].map((ownerId) => hit({ id: "1", ownerId }));
  expect(new Set(choicesOf("ADDRESS", ...both).map(({ key }) => key)).size).toBe(2);
});
