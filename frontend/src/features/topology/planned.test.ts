import { expect, it } from "vitest";
import { vsrPe } from "../../../mock-api/fixtures/vnfds";
import type { Descriptor, Flavour, Vdu } from "@/api/types";
import { plannedVnfcs } from "./planned";
import { plannedGraph } from "./plannedGraph";

const [flavour] = vsrPe.flavours;
const [cpm, iom] = vsrPe.vdus;
if (!flavour || !cpm || !iom) throw new Error("the fixture has flavours and VDUs");

const ids = (vnfd: Descriptor, of: Flavour, scale: Record<string, number>) =>
  plannedVnfcs(vnfd, of, scale).map(({ id }) => id);

it("counts by minimum, aspects and level, in the slots of the VNFD", () => {
  expect(ids(vsrPe, flavour, {})).toEqual(["cpm/A", "cpm/B", "iom/1"]);
  expect(ids(vsrPe, flavour, { datapath: 2 })).toEqual(["cpm/A", "cpm/B", "iom/1", "iom/2", "iom/3"]);
});

it("gives each slot of a chassis once", () => {
  const cards: Vdu = { ...iom, id: "card", minimum: 2, maximum: 4 };
  expect(ids({ ...vsrPe, vdus: [cpm, iom, cards] }, flavour, {})).toEqual([
    ...["cpm/A", "cpm/B", "iom/1", "card/2", "card/3"],
  ]);
});

it("links a chain to its neighbours only, and its end to the end's network", () => {
  const cp = (id: string, virtualLinkId: string) => ({ id, name: id, virtualLinkId, vnicType: "normal" });
  const head: Vdu = { ...cpm, id: "ece", minimum: 1, maximum: 1, slots: [], connectionPoints: [cp("network", "wan")] };
  const row: Vdu = { ...iom, id: "router", minimum: 0, connectionPoints: [cp("in", "chain1"), cp("out", "wan")] };
  const chain = { head: "network", vduId: "router", inward: "in", outward: "out", links: ["chain1", "chain2"] };
  const links = (routers: number) => {
    const vnfd = { ...vsrPe, vdus: [head, { ...row, minimum: routers }], chains: [chain] };
    return plannedVnfcs(vnfd, flavour, {}).map(({ ports }) => ports.map(({ linkId }) => linkId).join(" "));
  };
  expect(links(0)).toEqual(["wan"]);
  expect(links(1)).toEqual(["chain1", "chain1 wan"]);
  expect(links(2)).toEqual(["chain1", "chain1 chain2", "chain2 wan"]);
});

it("draws few VNFCs one by one, and many that are linked alike as one", () => {
  const boxes = (scale: number) => {
    const vnfcs = plannedVnfcs(vsrPe, flavour, { datapath: scale });
    return plannedGraph(vsrPe, flavour, vnfcs).nodes.map(({ ariaLabel }) => ariaLabel?.split(";")[0]);
  };
  expect(boxes(0)).toEqual([
    "Slot A (Control VM), 2 ports",
    "Slot B (Control VM), 2 ports",
    "Slot 1 (Data path VM), 3 ports",
    "External network Management, 2 VNFCs attached",
    "Internal network Fabric, 3 VNFCs attached",
    "External network Data ports, 1 VNFC attached",
  ]);
  expect(boxes(7)[1]).toBe("Data path VM, 8 VNFCs, slots 1, 2, 3, 4, 5, 6, 7, 8, 3 ports");
});
