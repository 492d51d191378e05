import { expect, it } from "vitest";
import { makeDb } from "../../../../mock-api/db";
import { viewOf } from "../../../../mock-api/views";
import type { VnfInstance } from "@/api/types";
import { networkState, topologyOf } from "./graph";

function instance(change: (made: VnfInstance) => void): VnfInstance {
  const [first] = makeDb(true).instances;
  if (!first) throw new Error("the mock has instances");
  const made = viewOf(first);
  change(made);
  return made;
}
const none = () => ({ count: 0, ofWorst: 0, worst: undefined, atLeast: false });

it("distinguishes down from unknown ports by more than colour", () => {
  const drawn = topologyOf(
    instance(({ vnfcs: [one] }) => {
      const [down, unknown] = one?.ports ?? [];
      if (down) down.status = "DOWN";
      if (unknown) unknown.status = "UNKNOWN";
    }),
    none,
  );
  const [down, unknown, up] = drawn.edges;
  expect(down).toMatchObject({ className: expect.stringContaining("vm-port-down") as string, label: "Down" });
  expect(unknown).toMatchObject({ className: expect.stringContaining("vm-port-unknown") as string, label: "Unknown" });
  expect(up?.label).toBeUndefined();
  expect(down?.ariaLabel).toBe("Port mgmt of edge-fra-1-cpm-a on mgmt: Down");
});

it("names a VNFC's alarms with the VNFC", () => {
  const labels = (worst: "MAJOR" | undefined, count: number, atLeast = false) =>
    topologyOf(
      instance(() => undefined),
      () => ({ count, ofWorst: 1, worst, atLeast }),
    ).nodes.map(({ ariaLabel }) => ariaLabel);
  expect(labels("MAJOR", 2)[0]).toBe("VNFC edge-fra-1-cpm-a, Slot A (Control VM), Active, 2 alarms, worst major");
  expect(labels("MAJOR", 2, true)[0]).toMatch(/, at least 2 alarms, worst major$/);
  expect(labels(undefined, 0)[0]).toBe("VNFC edge-fra-1-cpm-a, Slot A (Control VM), Active");
});

it.each([
  [["ACTIVE", "ACTIVE"], "UP"],
  [["ACTIVE", "DOWN"], "DEGRADED"],
  [["UNKNOWN", "ERROR", "BUILD"], "DEGRADED"],
  [["DOWN", "MISSING"], "DOWN"],
  [["ACTIVE", "UNKNOWN", "BUILD"], "UNKNOWN"],
  [["ACTIVE", "N/A"], "UNKNOWN"],
  [["ACTIVE", "BUILD"], "CHANGING"],
  [[], "UNKNOWN"],
])("judges a network with the ports %j: %s", (statuses, state) => {
  const { vnfcs } = instance((made) => {
    const [first] = made.vnfcs;
    const [port] = first?.ports ?? [];
    if (!first || !port) throw new Error("the mock has ports");
    made.vnfcs = statuses.map((status) => ({ ...first, ports: [{ ...port, networkId: "net-mgmt", status }] }));
  });
  expect(networkState("net-mgmt", vnfcs)).toBe(state);
});

it("shows the state of each network", () => {
  const { nodes } = topologyOf(
    instance(({ vnfcs: [one] }) => {
      if (one) one.ports = one.ports.map((port) => ({ ...port, status: "DOWN" }));
    }),
    none,
  );
  const networks = nodes.filter(({ type }) => type === "network");
  expect(networks.find(({ id }) => id === "net-mgmt")?.data).toMatchObject({ name: "mgmt", state: "DEGRADED" });
  expect(networks.map(({ ariaLabel }) => ariaLabel)).toContain("Network mgmt, Degraded, 4 VNFCs attached");
  expect(networks.find(({ id }) => id === "net-data-a")?.data).toMatchObject({ state: "UP" });
});

it("counts attachments of a network with the right plural", () => {
  const words = (attached: number) => {
    const { nodes } = topologyOf(
      instance((made) => (made.vnfcs = made.vnfcs.slice(0, attached))),
      none,
    );
    return nodes.map(({ ariaLabel }) => ariaLabel).find((label) => label?.startsWith("Network mgmt"));
  };
  expect([words(1), words(2)]).toEqual(["Network mgmt, Up, 1 VNFC attached", "Network mgmt, Up, 2 VNFCs attached"]);
});
