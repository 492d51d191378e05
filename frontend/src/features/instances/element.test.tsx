import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { Db } from "../../../mock-api/db";
import { makeElement } from "../../../mock-api/fixtures/elements";
import { renderApp } from "@/testing/app";

vi.setConfig({ testTimeout: 20_000 });
const user = userEvent.setup();

function open(name: string, prepare?: (db: Db) => void) {
  let id = "";
  return renderApp(() => `/instances/${id}?tab=element`, {
    prepare: (db) => {
      id = db.instances.find((each) => each.name === name)?.id ?? "";
      prepare?.(db);
    },
  });
}
const virtual = ({ elements }: Db) => elements.find((each) => each.name === "edge-fra-1");
const part = (name: string) => screen.findByRole("tab", { name });

it("has the tabs of the element's own page, each with an address and a history entry", async () => {
  const { router } = open("edge-fra-1");
  const tree = await screen.findByRole("tree", { name: "Equipment of edge-fra-1" });
  await user.click(within(tree).getByRole("treeitem", { name: /^Port 1\/1\/1/ }));
  const port = within(await screen.findByRole("region", { name: "Port 1/1/1" }));
  expect(await port.findByRole("region", { name: "Interface" })).toHaveTextContent("10 Gbit/s");
  await user.click(await part("Interfaces"));
  await user.click(await screen.findByRole("link", { name: "1/1/2" }));
  expect(await screen.findByRole("complementary", { name: "Interface 1/1/2" })).toBeVisible();
  expect(router.state.location.pathname).toMatch(/^\/instances\//);
  await user.click(await part("Configuration"));
  expect(await screen.findByRole("table", { name: "Versions" })).toBeVisible();
  await user.click(await part("Counters"));
  await waitFor(() => expect(router.state.location.search).toContain("sub=counters"));
  await act(() => router.navigate(-1));
  expect(await screen.findByRole("table", { name: "Versions" })).toBeVisible();
  expect(await part("Element")).toHaveAttribute("aria-selected", "true");
  expect(await part("Configuration")).toHaveAttribute("aria-selected", "true");
});

it("does not mistake a selection in the drawing for equipment", async () => {
  const { router } = open("edge-fra-1");
  const { pathname } = router.state.location;
  await act(() => router.navigate(`${pathname}?tab=element&part=vm-7`));
  expect(await screen.findByRole("region", { name: /^Equipment/ })).toBeVisible();
  expect(screen.queryByRole("region", { name: "Part not found" })).toBeNull();
});

it.each([
  ["rr-lab", /Instantiate it with an SNMP policy/],
  ["edge-muc-1", /register it with this VNF instance/],
])("says why %s has no element, and what to do about it", async (name, words) => {
  const { router } = open(name);
  expect(await screen.findByText("No network element")).toBeVisible();
  expect(screen.getByText(words)).toBeVisible();
  await act(() => router.navigate(`${router.state.location.pathname}?tab=performance`));
  expect(await screen.findByText("No metrics")).toBeVisible();
  expect(screen.getByText(words)).toBeVisible();
});

it("shows what probes lost of the traffic through the instance", async () => {
  const { router } = open("edge-fra-1");
  await act(() => router.navigate(`${router.state.location.pathname}?tab=performance`));
  const table = await screen.findByRole("table", { name: "Traffic of customers, last hour" });
  expect(table).toHaveTextContent(/customer-1 → customer-2.*41.*41 ms/);
  expect(table).toHaveTextContent(/customer-2 → customer-1.*42.*42 ms/);
});

it("says since when the element cannot be reached", async () => {
  open("edge-fra-1", (db) => {
    const element = virtual(db);
    const [reachable] = element?.conditions ?? [];
    if (!reachable) return;
    Object.assign(reachable, { status: "False", reason: "Timeout", message: "172.16.10.20 does not answer." });
  });
  expect(await screen.findByRole("heading", { name: /The states below are unknown since/ })).toBeVisible();
  expect(screen.getAllByText(/172\.16\.10\.20 does not answer/)[0]).toBeVisible();
});

it("says that elements are not permitted", async () => {
  const { setScenario } = open("edge-fra-1");
  setScenario("forbidden-403:/api/v1/elements");
  expect(await screen.findByText("You are not allowed to do this")).toBeVisible();
});

/** The instance consists of two routers. */
function withSecond(db: Db) {
  const element = virtual(db);
  if (!element) return;
  const own = { kind: "VIRTUAL", vnfInstanceId: element.vnfInstanceId } as const;
  db.elements.push(makeElement({ ...own, name: "edge-fra-1b", managementAddress: "172.16.10.21" }));
}

it("shows one of several elements, named in the address", async () => {
  const { router } = open("edge-fra-1", withSecond);
  await user.selectOptions(await screen.findByRole("combobox", { name: "Element" }), "edge-fra-1b");
  expect(await screen.findByRole("region", { name: "edge-fra-1b" })).toBeVisible();
  expect(await screen.findByText("No equipment")).toBeVisible();
  await act(() => router.navigate(-1));
  expect(await screen.findByRole("region", { name: "edge-fra-1" })).toBeVisible();
});

it("never shows a version of one element as another's", async () => {
  const { router } = open("edge-fra-1", withSecond);
  await user.click(await part("Configuration"));
  await user.click(await screen.findByRole("button", { name: "Show version 3" }));
  expect(await screen.findByRole("region", { name: "Version 3" })).toBeVisible();
  const { pathname, search } = router.state.location;
  await user.selectOptions(screen.getByRole("combobox", { name: "Element" }), "edge-fra-1b");
  expect(await screen.findByRole("region", { name: "edge-fra-1b" })).toBeVisible();
  expect(await screen.findByRole("region", { name: "Compare versions" })).toBeVisible();
  const params = new URLSearchParams(router.state.location.search);
  expect(params.has("version")).toBe(false);
  await act(() => router.navigate(`${pathname}${search}&element=${params.get("element") ?? ""}`));
  expect(await within(screen.getByRole("region", { name: "Compare versions" })).findByRole("alert")).toBeVisible();
  expect(screen.queryByRole("region", { name: "Version 3" })).toBeNull();
});
