import { expect, it } from "vitest";
import { CLOSED, LEAF, place, type Item, type Spot } from "./place";

const item = (id: string, parentId: string | null = null, patch: Partial<Item> = {}): Item => ({
  ...{ id, parentId, open: false, group: false, kind: "VM" },
  ...patch,
});
const leaves = (n: number, parentId: string | null = null): Item[] =>
  Array.from({ length: n }, (_, index) => item(`${parentId ?? "top"}-${index}`, parentId));

function overlaps(a: Spot, b: Spot): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
function clashes(items: readonly Item[], spots: Record<string, Spot>): number {
  let found = 0;
  for (const [index, one] of items.entries()) {
    for (const other of items.slice(index + 1)) {
      const [a, b] = [spots[one.id], spots[other.id]];
      if (one.parentId === other.parentId && a && b && overlaps(a, b)) found += 1;
    }
  }
  return found;
}

it("packs what has no links into the shape of a screen", () => {
  const items = leaves(200);
  const spots = place({ items, links: [], chosen: {} });
  expect(clashes(items, spots)).toBe(0);
  const width = Math.max(...Object.values(spots).map((spot) => spot.x + spot.width));
  const height = Math.max(...Object.values(spots).map((spot) => spot.y + spot.height));
  expect(width / height).toBeGreaterThan(1);
  expect(width / height).toBeLessThan(3);
});

it("places linked nodes side by side, and wraps a rank that is too tall", () => {
  const items = [item("hub"), ...leaves(24)];
  const links = leaves(24).map(({ id }) => ({ source: "hub", target: id }));
  const spots = place({ items, links, chosen: {} });
  expect(clashes(items, spots)).toBe(0);
  const columns = new Set(leaves(24).map(({ id }) => spots[id]?.x));
  expect(columns.size).toBeGreaterThan(1);
  expect(Math.min(...leaves(24).map(({ id }) => spots[id]?.x ?? 0))).toBeGreaterThan(spots["hub"]?.x ?? 0);
});

it("draws an open group as a frame around its members, however deep", () => {
  const items = [
    item("cloud", null, { open: true, group: true }),
    item("vnf", "cloud", { open: true, group: true }),
    ...leaves(7, "vnf"),
    item("closed", "cloud", { group: true }),
  ];
  const spots = place({ items, links: [{ source: "vnf-0", target: "closed" }], chosen: {} });
  expect(clashes(items, spots)).toBe(0);
  for (const { id, parentId } of items) {
    const [inner, outer] = [spots[id], parentId === null ? undefined : spots[parentId]];
    if (!inner || !outer) continue;
    expect(inner.x + inner.width).toBeLessThan(outer.width);
    expect(inner.y + inner.height).toBeLessThan(outer.height);
  }
  expect(spots["closed"]).toMatchObject(CLOSED);
  expect(spots["vnf-0"]).toMatchObject(LEAF);
});

it("keeps boxes at their saved positions and makes room", () => {
  const items = [item("site", null, { open: true, group: true }), item("pe", "site")];
  const spots = place({ items, links: [], chosen: { pe: { x: 900, y: 700 } } });
  expect(spots["pe"]).toMatchObject({ x: 900, y: 700 });
  expect(spots["site"]?.width).toBeGreaterThan(900 + LEAF.width);
});

it("places two thousand boxes in a moment", () => {
  const groups = Array.from({ length: 200 }, (_, index) => item(`g${index}`, null, { open: true, group: true }));
  const items = [...groups, ...groups.flatMap(({ id }) => leaves(10, id))];
  const links = groups.slice(1).map(({ id }, index) => ({ source: `${id}-1`, target: `g${index}-2` }));
  const began = performance.now();
  place({ items, links, chosen: {} });
  expect(performance.now() - began).toBeLessThan(5000);
});

it("packs a long chain into rows: a strip cannot be read", () => {
  const items = leaves(20);
  const links = items.slice(1).map(({ id }, index) => ({ source: `top-${index}`, target: id }));
  const spots = Object.values(place({ items, links, chosen: {} }));
  expect(Math.max(...spots.map(({ x }) => x))).toBeLessThan(4 * Math.max(...spots.map(({ y, height }) => y + height)));
});
