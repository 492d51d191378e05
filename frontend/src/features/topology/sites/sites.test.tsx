import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Site } from "@/api/types";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import type { Db } from "../../../../mock-api/db";
import { colourOf, siteNodes } from "./siteNodes";

const user = userEvent.setup();
const SITES = `${pb.topology()}?view=sites`;

function openApp(prepare: (db: Db) => void = () => undefined, scenario = "") {
  const found: Db[] = [];
  const app = renderApp(SITES, {
    scenario,
    prepare: (db) => {
      prepare(db);
      found.push(db);
    },
  });
  const [db] = found;
  if (!db) throw new Error("the mock did not start");
  return { ...app, db };
}
const open = (): Db => openApp().db;

it("draws a site with its elements and alarms, and lists its elements", async () => {
  open();
  const site = await screen.findByRole("button", { name: /^Frankfurt, \d+ elements.* alarms?, worst / });
  await user.click(site);
  fireEvent.keyDown(site, { key: "Enter" });
  const panel = await screen.findByRole("region", { name: "Frankfurt" });
  expect(within(panel).getByText("50.11° N, 8.68° E")).toBeVisible();
  expect((await within(panel).findAllByRole("listitem")).length).toBeGreaterThan(0);
});

it("moves a site by the arrow keys and stores its place", async () => {
  const db = open();
  const site = await screen.findByRole("button", { name: /^Frankfurt/ });
  fireEvent.keyDown(site, { key: "ArrowUp" });
  await waitFor(() => expect(db.sites.find(({ name }) => name === "Frankfurt")?.latitude).toBeGreaterThan(50.11));
});

it("stores many moves as one change, and later ones on the version that it made", async () => {
  const { db, changesTo } = openApp();
  const frankfurt = db.sites.find(({ name }) => name === "Frankfurt");
  if (!frankfurt) throw new Error("the mock has no such site");
  const site = await screen.findByRole("button", { name: /^Frankfurt/ });
  const box = site.getAttribute("transform");
  for (const key of ["ArrowUp", "ArrowUp", "ArrowRight"]) fireEvent.keyDown(site, { key });
  expect(screen.getByRole("button", { name: /^Frankfurt/ }).getAttribute("transform")).not.toBe(box);
  await waitFor(() => expect(changesTo(frankfurt.id)).toHaveLength(1));
  fireEvent.keyDown(site, { key: "ArrowRight" });
  await waitFor(() => expect(changesTo(frankfurt.id)).toHaveLength(2), { timeout: 3000 });
  await waitFor(() => expect(frankfurt.version).toBe(3));
  expect(screen.queryByRole("alert")).toBeNull();
});

it("stores a drop, and nothing of a drag that the system takes away", async () => {
  const { db, changesTo } = openApp();
  const frankfurt = db.sites.find(({ name }) => name === "Frankfurt");
  const site = await screen.findByRole("button", { name: /^Frankfurt/ });
  Object.assign(site, { setPointerCapture: () => undefined });
  const drag = (end: "pointerCancel" | "pointerUp") => {
    fireEvent.pointerDown(site, { clientX: 10, clientY: 10 });
    fireEvent.pointerMove(site, { clientX: 60, clientY: 10 });
    fireEvent[end](site);
  };
  const box = site.getAttribute("transform");
  drag("pointerCancel");
  expect(site.getAttribute("transform")).toBe(box);
  drag("pointerUp");
  await waitFor(() => expect(frankfurt?.longitude).toBeGreaterThan(8.68));
  expect(changesTo(frankfurt?.id ?? "")).toHaveLength(1);
});

it("places a site in the middle of the view, and stores that once it is confirmed", async () => {
  const { db, changesTo } = openApp(({ sites }) =>
    sites
      .filter(({ name }) => name === "Frankfurt")
      .forEach((each) => Object.assign(each, { latitude: null, longitude: null })),
  );
  const frankfurt = db.sites.find(({ name }) => name === "Frankfurt");
  await user.click(await screen.findByRole("button", { name: "Place Frankfurt" }));
  expect(await screen.findByRole("button", { name: /^Frankfurt, / })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Do not place Frankfurt" }));
  expect(screen.queryByRole("button", { name: /^Frankfurt, / })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Place Frankfurt" }));
  expect(changesTo(frankfurt?.id ?? "")).toHaveLength(0);
  await user.click(screen.getByRole("button", { name: "Store the place of Frankfurt" }));
  await waitFor(() => expect(frankfurt?.latitude).toBeGreaterThan(0));
  await waitFor(() => expect(screen.queryByRole("region", { name: /^Sites without a place/ })).toBeNull());
  expect(screen.getByRole("button", { name: /^Frankfurt, / })).toBeVisible();
});

it("zooms by two fingers, also where one is on a site, which stays where it is", async () => {
  const { db, changesTo } = openApp();
  const frankfurt = db.sites.find(({ name }) => name === "Frankfurt");
  const site = await screen.findByRole("button", { name: /^Frankfurt/ });
  const drawing = screen.getByRole("group", { name: "Sites by place" });
  for (const each of [site, drawing]) Object.assign(each, { setPointerCapture: () => undefined });
  const lines = () => drawing.querySelectorAll(".vm-graticule text").length;
  const degrees = () => drawing.querySelector(".vm-graticule")?.textContent;
  const before = degrees();
  expect(lines()).toBeGreaterThan(0);
  fireEvent.pointerDown(site, { pointerId: 1, clientX: 400, clientY: 300 });
  fireEvent.pointerDown(drawing, { pointerId: 2, clientX: 500, clientY: 300 });
  fireEvent.pointerMove(site, { pointerId: 1, clientX: 200, clientY: 300 });
  fireEvent.pointerMove(drawing, { pointerId: 2, clientX: 700, clientY: 300 });
  fireEvent.pointerUp(site, { pointerId: 1 });
  fireEvent.pointerUp(drawing, { pointerId: 2 });
  expect(degrees()).not.toBe(before);
  expect(screen.queryByRole("region", { name: "Frankfurt" })).toBeNull();
  expect(changesTo(frankfurt?.id ?? "")).toHaveLength(0);
});

it("takes a finger whose capture is lost for none, and moves nothing by the right button", async () => {
  open();
  const site = await screen.findByRole("button", { name: /^Frankfurt/ });
  const drawing = screen.getByRole("group", { name: "Sites by place" });
  for (const each of [site, drawing]) Object.assign(each, { setPointerCapture: () => undefined });
  const degrees = () => drawing.querySelector(".vm-graticule")?.textContent;
  const before = degrees();
  fireEvent.pointerDown(drawing, { pointerId: 1, clientX: 400, clientY: 300, button: 2 });
  fireEvent.pointerMove(drawing, { pointerId: 1, clientX: 100, clientY: 100 });
  expect(degrees()).toBe(before);
  fireEvent.pointerDown(drawing, { pointerId: 1, clientX: 400, clientY: 300 });
  fireEvent.lostPointerCapture(drawing, { pointerId: 1 });
  fireEvent.pointerDown(site, { pointerId: 2, clientX: 500, clientY: 300 });
  fireEvent.pointerUp(site, { pointerId: 2 });
  expect(await screen.findByRole("region", { name: "Frankfurt" })).toBeVisible();
});

it("lists the elements of a site page by page, also when one fails", async () => {
  const { setScenario } = openApp(({ elements, sites }) => {
    const [first] = elements;
    const site = sites.find(({ name }) => name === "Frankfurt");
    if (!first || !site) throw new Error("the mock has no element or no such site");
    for (let number = 0; number < 120; number += 1) {
      const name = `fra-${String(number).padStart(3, "0")}`;
      elements.push({
        ...first,
        id: `${first.id.slice(0, -3)}${String(number).padStart(3, "0")}`,
        name,
        siteId: site.id,
      });
    }
  });
  fireEvent.keyDown(await screen.findByRole("button", { name: /^Frankfurt/ }), { key: "Enter" });
  const panel = within(await screen.findByRole("region", { name: "Frankfurt" }));
  await panel.findByRole("link", { name: "fra-001" });
  expect(panel.queryByRole("link", { name: "fra-119" })).toBeNull();
  setScenario("forbidden-403:elements");
  await user.click(panel.getByRole("button", { name: "More elements" }));
  expect(await panel.findByRole("alert")).toBeVisible();
  expect(panel.getByRole("link", { name: "fra-001" })).toBeVisible();
  setScenario("");
  await user.click(panel.getByRole("button", { name: "More elements" }));
  expect(await panel.findByRole("link", { name: "fra-119" })).toBeVisible();
  expect(panel.queryByRole("alert")).toBeNull();
  expect(panel.queryByRole("button", { name: "More elements" })).toBeNull();
});

it("says that elements and alarms are not known while their summary fails", async () => {
  openApp(undefined, "error-500:summary");
  expect(await screen.findByRole("button", { name: "Frankfurt, elements and alarms not known yet" })).toBeVisible();
  expect(await screen.findByRole("alert")).toBeVisible();
});

it.each([
  [{ elements: 2, unknown: 2 }, "grey"],
  [{ elements: 2, unknown: 1 }, "green"],
  [{ elements: 2, unknown: 1, unreachable: 1 }, "red"],
  [{ elements: 0 }, "grey"],
])("colours a site with %o %s", (counts, colour) => {
  const site = { id: "s", name: "Frankfurt", version: 1 } as Site;
  const none = { CRITICAL: 0, MAJOR: 0, MINOR: 0, WARNING: 0, INDETERMINATE: 0, unreachable: 0, unknown: 0 };
  const [node] = siteNodes([site], [{ siteId: "s", siteName: "Frankfurt", ...none, ...counts }]);
  expect(node && colourOf(node)).toBe(colour);
});
