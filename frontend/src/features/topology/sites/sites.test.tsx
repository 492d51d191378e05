import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import type { Db } from "../../../../mock-api/db";

const user = userEvent.setup();
const SITES = `${pb.topology()}?view=sites`;

function open(prepare: (db: Db) => void = () => undefined): Db {
  const found: Db[] = [];
  renderApp(SITES, {
    prepare: (db) => {
      prepare(db);
      found.push(db);
    },
  });
  const [db] = found;
  if (!db) throw new Error("the mock did not start");
  return db;
}

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

it("places a site that has no place yet", async () => {
  const db = open(({ sites }) => sites.forEach((each) => Object.assign(each, { latitude: null, longitude: null })));
  await user.click(await screen.findByRole("button", { name: "Place Frankfurt" }));
  await waitFor(() => expect(db.sites.find(({ name }) => name === "Frankfurt")?.latitude).toBe(0));
  expect(await screen.findByRole("button", { name: /^Frankfurt, / })).toBeVisible();
});
