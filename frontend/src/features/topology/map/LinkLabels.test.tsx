import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { ReactFlow, ReactFlowProvider } from "@xyflow/react";
import { useRef } from "react";
import { beforeAll, expect, it } from "vitest";
import type { MapLink, MapNode, TopologyMap } from "@/api/topology";
import { stubLayoutForFlow } from "@/testing/flow";
import { LinkLabels } from "./LinkLabels";
import { sceneOf } from "./scene";

// The window is as large as the map.
beforeAll(() => {
  stubLayoutForFlow();
  Element.prototype.getBoundingClientRect = () => new DOMRect(0, 0, 800, 800);
});

const node = (id: string): MapNode => ({
  ...{ id, kind: "ELEMENT", name: id.toUpperCase(), detail: "", parentId: null, objectId: null, state: "UP" },
  ...{ since: null, reason: "", message: "", alarms: 0, severity: null, group: null },
});
const link = (source: string, target: string): MapLink => ({
  ...{ id: `${source} ${target}`, kind: "LLDP", source, target, sourcePort: "1/1/1", targetPort: "1/1/2" },
  ...{
    state: "UP",
    since: null,
    reason: "",
    message: "",
    oneSided: false,
    detail: "",
    count: 1,
    states: {},
    utilisation: 12,
  },
});
const NODES = ["a", "b", "c"].map(node);
const LINKS = [link("a", "b"), link("b", "c")];
const SIZE = { width: 100, height: 40 };
const SPOTS = { a: { x: 0, y: 0, ...SIZE }, b: { x: 400, y: 0, ...SIZE }, c: { x: 400, y: 400, ...SIZE } };
const MAP: TopologyMap = { nodes: NODES, links: LINKS, totals: {}, notes: [] };

function Drawing() {
  const frame = useRef<HTMLDivElement>(null);
  const inView = { area: { x: -50, y: -50, width: 800, height: 800 }, zoom: 1 };
  return (
    <ReactFlowProvider>
      <div ref={frame} data-testid="frame">
        <ReactFlow nodes={[]} edges={[]}>
          <div className="react-flow__node" data-id="b" tabIndex={0} role="button">
            box of b
          </div>
          <LinkLabels map={MAP} scene={sceneOf(NODES, SPOTS)} inView={inView} now={0} frame={frame} />
        </ReactFlow>
      </div>
    </ReactFlowProvider>
  );
}

const labels = (root: Element) =>
  [...root.querySelectorAll(".vm-map-link-label > div")].map((each) => each.textContent);

function draw() {
  const { container } = render(<Drawing />);
  const pane = container.querySelector(".react-flow__pane");
  if (!pane) throw new Error("React Flow draws a pane");
  const moveTo = (clientX: number, clientY: number) => fireEvent.pointerMove(pane, { clientX, clientY, buttons: 0 });
  return { container, moveTo };
}

it("names the link under the pointer, and none beside it, over a box or outside the map", () => {
  const { container, moveTo } = draw();
  moveTo(250, 24);
  expect(labels(container)).toEqual(["Physical link (LLDP): A 1/1/1 – B 1/1/2, up, load 12 %"]);
  moveTo(250, 60);
  expect(labels(container)).toEqual([]);
  moveTo(450, 200);
  expect(labels(container)).toEqual(["Physical link (LLDP): B 1/1/1 – C 1/1/2, up, load 12 %"]);
  moveTo(450, 30); // This point is within box b, where both links end.
  expect(labels(container)).toEqual([]);
  moveTo(450, 200);
  fireEvent.pointerLeave(screen.getByTestId("frame"));
  expect(labels(container)).toEqual([]);
});

it("names all links of the box that the keyboard is at, for the eye alone", async () => {
  const user = userEvent.setup();
  const { container } = draw();
  await user.tab();
  expect(screen.getByRole("button", { name: "box of b" })).toHaveFocus();
  expect(labels(container)).toEqual([
    "Physical link (LLDP): A 1/1/1 – B 1/1/2, up, load 12 %",
    "Physical link (LLDP): B 1/1/1 – C 1/1/2, up, load 12 %",
  ]);
  expect(container.querySelector(".vm-map-link-label")).toHaveAttribute("aria-hidden", "true");
  await user.tab();
  expect(labels(container)).toEqual([]);
});
