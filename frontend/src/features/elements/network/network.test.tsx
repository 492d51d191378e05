import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { alarm, type Db } from "../../../../mock-api/db";
import { makeElement } from "../../../../mock-api/fixtures/elements";
import { countedUp } from "@/features/faults/AlarmNumbers";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import { siteLook } from "@/ui/states";

vi.setConfig({ testTimeout: 20_000 });
const user = userEvent.setup();

const treeIs = () => screen.findByRole("tree", { name: "Network" });
const line = async (name: RegExp) => within(await treeIs()).findByRole("treeitem", { name });
const open = async (name: RegExp) => {
  const found = await line(name);
  act(() => found.focus());
  await user.keyboard("{ArrowRight}");
  await waitFor(() => expect(found).toHaveAttribute("aria-expanded", "true"));
};

/** A port of the first element has an alarm in addition to the one of the removed card. */
function withPortAlarm({ alarms, elements: [element], equipment }: Db) {
  const port = element && equipment.get(element.id)?.find(({ name }) => name === "1/1/3");
  if (!element || !port) return;
  const own = { faultyResource: port.fdn, faultyResourceName: "Port 1/1/3", faultType: "PortDown" };
  alarms.push(alarm(element, { managedObjectType: "NETWORK_ELEMENT", ...own, perceivedSeverity: "CRITICAL" }));
}

it("counts of each part what is in it", () => {
  const one = { CRITICAL: 0, MAJOR: 1, MINOR: 0, WARNING: 0, INDETERMINATE: 0 };
  const sums = countedUp([
    { faultyResource: "network:10.0.0.1:shelf-1:cardSlot-1:card", ...one },
    { faultyResource: "network:10.0.0.1:shelf-1:cardSlot-10:card", ...one, CRITICAL: 2 },
    { faultyResource: "", ...one },
  ]);
  const of = (fdn: string) => [sums.get(fdn)?.CRITICAL, sums.get(fdn)?.MAJOR];
  expect(of("network:10.0.0.1:shelf-1")).toEqual([2, 2]);
  expect(of("network:10.0.0.1:shelf-1:cardSlot-1:card")).toEqual([0, 1]);
  expect(of("")).toEqual([2, 3]);
});

it("loads a level when it is opened, and sums alarms from port to network", async () => {
  const { sent, router } = renderApp(pb.elements(), { prepare: withPortAlarm });
  await user.click(await screen.findByRole("button", { name: "Tree" }));
  await waitFor(() => expect(router.state.location.search).toBe("?view=tree"));
  const requestsTo = (end: string) => sent.filter(({ path }) => path.endsWith(end)).length;
  const before = requestsTo("/api/v1/elements");
  const site = await line(/^Frankfurt/);
  expect(site).toHaveTextContent(/2 elements.*Reachable.*1 critical, 1 major/);
  expect(await line(/^No site/)).toHaveTextContent(/1 element.*1 unreachable/);
  expect([
    requestsTo("/api/v1/elements") - before,
    requestsTo("/equipment"),
    requestsTo("/alarm_summary/sites"),
  ]).toEqual([0, 0, 1]);
  await open(/^Frankfurt/);
  expect(await line(/^fra-pe-1/)).toHaveTextContent(/7750 SR-12.*Reachable.*1 critical, 1 major/);
  expect(requestsTo("/equipment")).toBe(0);
  await open(/^fra-pe-1/);
  expect(await line(/^Shelf 1/)).toHaveTextContent("1 critical, 1 major");
  expect(await line(/^Card 2/)).toHaveTextContent(/Provisioned, missing.*1 major/);
  await open(/^Card 1/);
  await open(/^MDA 1\/1/);
  expect(await line(/^Port 1\/1\/3/)).toHaveTextContent(/In service.*1 critical/);
  expect((await line(/^Port 1\/1\/1/)).textContent).not.toMatch(/critical|major/);
  expect(requestsTo("/alarm_summary/parts")).toBe(1);
});

it("leads from names to pages, from counts to those alarms, and back to the tree unchanged", async () => {
  const { router, sent } = renderApp(pb.network(), { prepare: withPortAlarm });
  await open(/^Frankfurt/);
  await open(/^fra-pe-1/);
  await user.click(within(await line(/^Card 1/)).getByRole("link", { name: "Card 1" }));
  expect(await screen.findByRole("region", { name: "Card 1" })).toBeVisible();
  expect(router.state.location.pathname).toMatch(/^\/elements\/.+/);
  await act(() => router.navigate(-1));
  const card = await line(/^Card 1/);
  await user.click(within(card).getByRole("link", { name: "1 critical: active alarms of Card 1 of fra-pe-1" }));
  expect(await screen.findByRole("link", { name: "Port down" })).toBeVisible();
  expect(screen.queryByRole("link", { name: "Card down" })).toBeNull();
  const filter = () => sent.findLast(({ path }) => path === "/api/v1/alarms")?.query;
  expect(filter()?.get("part")).toMatch(/:cardSlot-1:card$/);
  await user.click(screen.getByRole("button", { name: "Remove the filter In" }));
  expect(await screen.findByRole("link", { name: "Card down" })).toBeVisible();
  await act(() => router.navigate(pb.network()));
  await user.click(within(await line(/^Frankfurt/)).getByRole("link", { name: /active alarms of Frankfurt/ }));
  await waitFor(() => expect(filter()?.get("siteId")).toBeTruthy());
  expect(await screen.findByRole("link", { name: "Port down" })).toBeVisible();
  await act(() => router.navigate(pb.network()));
  await user.click(within(await line(/^No site/)).getByRole("link", { name: "No site" }));
  expect(await screen.findByRole("row", { name: /muc-pe-9/ })).toBeVisible();
  expect(screen.queryByRole("row", { name: /fra-pe-1/ })).toBeNull();
});

it("is walked by keys alone: letters jump, Enter opens the page, Tab reaches the count", async () => {
  const { router } = renderApp(pb.network());
  const root = await line(/^Network/);
  act(() => root.focus());
  await user.keyboard("f");
  expect(await line(/^Frankfurt/)).toHaveFocus();
  await user.keyboard("{ArrowRight}");
  await line(/^fra-pe-1/);
  await user.keyboard("{ArrowRight}");
  expect(await line(/^edge-fra-1/)).toHaveFocus();
  await user.keyboard("{ArrowLeft}");
  expect(await line(/^Frankfurt/)).toHaveFocus();
  await user.tab();
  expect(screen.getByRole("link", { name: "Frankfurt" })).toHaveFocus();
  await user.tab();
  expect(screen.getByRole("link", { name: /active alarms of Frankfurt/ })).toHaveFocus();
  await user.keyboard("{End}{Home}");
  expect(root).toHaveFocus();
  await user.keyboard("{ArrowLeft}");
  expect(root).toHaveAttribute("aria-expanded", "false");
  expect(router.state.location.search).toContain("-network");
  await user.keyboard("{ArrowRight}{End}{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/elements\/.+/));
});

/** Adds elements to the first site. */
const withMore =
  (count: number) =>
  ({ elements, sites: [site] }: Db) => {
    for (let n = 1; n <= count; n += 1) {
      const name = `pe-${String(n).padStart(3, "0")}`;
      elements.push(makeElement({ name, siteId: site?.id ?? null, siteName: site?.name ?? null }));
    }
  };

it("shows the first hundred of a large site, and more when that is asked for", async () => {
  const { router, sent } = renderApp(pb.network(), { prepare: withMore(150) });
  await open(/^Frankfurt/);
  const more = await line(/^The first 100 of 152\./);
  expect(screen.queryByRole("treeitem", { name: /^pe-150/ })).toBeNull();
  await user.click(within(more).getByRole("button", { name: "Show more" }));
  expect(await line(/^pe-150/)).toHaveAttribute("aria-setsize", "152");
  expect(more).not.toBeInTheDocument();
  expect(document.activeElement).toHaveTextContent(/^pe-099/);
  expect(sent.filter(({ path }) => path.endsWith("/alarm_summary/objects"))).toHaveLength(2);
  expect(new URLSearchParams(router.state.location.search).get("pages")).toMatch(/^[^:,]+:2$/);
});

it("shows as much of a large site as the address says", async () => {
  let site = "";
  renderApp(() => `${pb.network(site)}&pages=${site}:2`, {
    prepare: (db) => {
      withMore(150)(db);
      site = db.sites[0]?.id ?? "";
    },
  });
  expect(await screen.findByText("pe-150")).toBeVisible();
  expect(screen.queryByText(/^The first/)).toBeNull();
});

it("reports a failed load, and retries it", async () => {
  const { setScenario } = renderApp(pb.network());
  await line(/^Frankfurt/);
  setScenario("error-500:/equipment,error-500:/objects");
  await open(/^Frankfurt/);
  await waitFor(async () => expect(await line(/^fra-pe-1/)).toHaveTextContent("alarms unknown"));
  await open(/^fra-pe-1/);
  const problem = await line(/^Could not be loaded/);
  setScenario("");
  await user.click(within(problem).getByRole("button", { name: "Try again" }));
  expect(await line(/^Shelf 1/)).toBeVisible();
  await waitFor(async () => expect(await line(/^Shelf 1/)).toHaveFocus());
});

it("counts unknown elements of a site apart from unreachable ones", () => {
  const words = (unreachable: number, unknown: number) => siteLook({ elements: 3, unreachable, unknown })?.text;
  expect([words(1, 2), words(1, 0), words(0, 2), words(0, 0)]).toEqual([
    "1 unreachable, 2 unknown",
    "1 unreachable",
    "2 unknown",
    "Reachable",
  ]);
});
