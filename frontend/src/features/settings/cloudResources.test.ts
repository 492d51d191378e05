import { expect, it } from "vitest";
import { resources } from "../../../mock-api/fixtures/vims";
import { imageChoices, resourceNamed, networkChoices, valueOf } from "./cloudResources";

const networks = networkChoices(resources());
const labelled = (start: string) => networks.filter(({ label }) => label.startsWith(start));

it("shows what distinguishes each network", () => {
  expect(networks.map(({ label }) => label)).toEqual([
    "oam (172.16.10.0/24, 2001:db8:10::/64; shared)",
    "peering (198.51.100.0/26; n-peering-1)",
    "peering (198.51.100.64/26; shared; n-peering-2)",
    "peering-a (no subnet)",
    "public (203.0.113.0/24; external; shared)",
  ]);
});

it("sends the name, and the id where the name means several or nothing", () => {
  expect(networks.map(valueOf)).toEqual(["oam", "n-peering-1", "n-peering-2", "peering-a", "public"]);
  const [plain] = resources().networks;
  const nameless = networkChoices({ ...resources(), networks: plain ? [{ ...plain, name: "" }] : [] });
  expect(nameless.map(valueOf)).toEqual(["n-oam"]);
  expect(nameless[0]?.label).toMatch(/^unnamed \(.*n-oam\)$/);
});

it("resolves a value by name or by id", () => {
  expect(resourceNamed("oam", networks)).toBe(labelled("oam")[0]);
  expect(resourceNamed("n-oam", networks)).toBe(labelled("oam")[0]);
  expect(resourceNamed("n-peering-2", networks)).toBe(labelled("peering (198.51.100.64")[0]);
  expect(resourceNamed("peering", networks)).toBe("many");
  expect(resourceNamed("elsewhere", networks)).toBeUndefined();
});

it("shows format and size of each image, and which state prevents its use", () => {
  const { images, ...rest } = resources();
  const [first] = images;
  const queued = first ? [{ ...first, size: 0, status: "queued" }, first] : [];
  expect(imageChoices({ ...rest, images: queued }).map(({ label }) => label)).toEqual([
    "vsr-placeholder-cpm (qcow2, queued; i-vsr-placeholder-cpm)",
    "vsr-placeholder-cpm (qcow2, 256 KiB; i-vsr-placeholder-cpm)",
  ]);
});
