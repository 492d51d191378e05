import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { makeVim } from "../../../mock-api/fixtures/vims";
import { makeOcc } from "../../../mock-api/occurrences";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

it("is the start page, with counts by state", async () => {
  renderApp("/");
  expect(await screen.findByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  const alarms = screen.getByRole("list", { name: "Alarms by state" });
  expect(within(alarms).getByRole("link", { name: /1\s*critical/ })).toHaveAttribute("href", pb.alarmsOf("CRITICAL"));
  const linkOf = (list: string, name: RegExp) =>
    within(screen.getByRole("list", { name: list })).getByRole("link", { name });
  expect(linkOf("Network elements by state", /unreachable/)).toHaveAttribute("href", pb.elementsReachable("False"));
  expect(linkOf("VNF instances by state", /1\s*unknown/)).toHaveAttribute("href", pb.instancesByHealth("UNKNOWN"));
  await userEvent.click(linkOf("Clouds by state", /1\s*unreachable|1\s*unknown/));
  const clouds = await screen.findByRole("table", { name: "Clouds" });
  expect(within(clouds).getAllByRole("row")).toHaveLength(2);
});

it("names the worst object first, with the way to it, its alarm and all of its alarms", async () => {
  renderApp("/");
  const table = await screen.findByRole("table", { name: "Top problems" });
  const [, first] = within(table).getAllByRole("row");
  expect(first).toHaveTextContent("edge-muc-1");
  expect(within(first as HTMLElement).getByRole("link", { name: "VNFC missing" })).toBeVisible();
  expect(within(first as HTMLElement).getByRole("link", { name: "1 critical, 1 warning" })).toBeVisible();
});

it("does not show the last quotas of a cloud that does not answer", async () => {
  renderApp("/");
  const clouds = await screen.findByRole("list", { name: "Clouds" });
  const [here, lost] = within(clouds).getAllByRole("listitem");
  const memory = within(here as HTMLElement).getByRole("progressbar", { name: "Memory (GiB)" });
  expect(memory).toHaveAttribute("aria-valuetext", expect.stringMatching(/^[\d.]{1,5} of [\d.,]{1,5}$/));
  expect(lost).toHaveTextContent(/unknown since/);
  expect(within(lost as HTMLElement).queryByRole("progressbar")).toBeNull();
});

it("draws the alarms of the last day", async () => {
  renderApp("/");
  expect(await screen.findByText(/alarms? raised\.$/)).toBeVisible();
  expect(screen.getByText(/Alarms raised per hour/)).toBeVisible();
});

it("leads from the operations that it does not list to the drawer that does", async () => {
  renderApp("/", {
    prepare: (db) => {
      const [instance] = db.instances;
      if (!instance) throw new Error("The mock has one.");
      for (let n = 0; n < 7; n += 1) makeOcc(db, instance, "HEAL", ["Heal"], { operationState: "PROCESSING" });
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "and 2 more" }));
  const drawer = await screen.findByRole("list", { name: "Operations in progress" });
  expect(within(drawer).getAllByRole("listitem")).toHaveLength(7);
  expect(within(drawer).getAllByText(/, by admin$/)).toHaveLength(7);
});

it("explains how to begin without data", async () => {
  renderApp("/", {
    prepare: (db) => {
      Object.assign(db, { vims: [], instances: [], elements: [], alarms: [] });
    },
  });
  expect(await screen.findByRole("link", { name: "Register a cloud" })).toBeVisible();
  expect(screen.getByText("No active alarms.")).toBeVisible();
});

it("says why it cannot be shown, and what to do", async () => {
  renderApp("/", { prepare: (db) => db.vims.push(makeVim({ name: "overview-fails" })) });
  expect(await screen.findByRole("alert")).toHaveTextContent("The overview could not be put together.");
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

it("suggests first steps, ticks off a viewed element, and goes when it is dismissed", async () => {
  const { router } = renderApp("/");
  const steps = await screen.findByRole("list", { name: "First steps" });
  expect(screen.getByText("1 of 5 done")).toBeVisible();
  const [first, second] = within(steps).getAllByRole("listitem");
  expect(within(first as HTMLElement).queryByRole("img", { name: "Done" })).toBeNull();
  expect(within(second as HTMLElement).getByRole("img", { name: "Done" })).toBeVisible();
  await userEvent.click(within(steps).getByRole("link", { name: "Look at a router" }));
  expect(await screen.findByRole("tab", { name: "Interfaces" })).toBeVisible();
  await act(() => router.navigate("/"));
  expect(await screen.findByText("2 of 5 done")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  await waitFor(() => expect(screen.queryByRole("list", { name: "First steps" })).toBeNull());
});

it("says after a restore what differs, and holds everything until an administrator releases it", async () => {
  renderApp("/", {
    prepare: (db) => {
      const [instance] = db.instances;
      if (!instance) throw new Error("The mock has one.");
      db.restoration = {
        takenAt: new Date(2026, 2, 1, 14, 2).toISOString(),
        restoredAt: new Date().toISOString(),
        backup: "night.backup",
        releasedAt: null,
        releasedBy: "",
        clouds: 2,
        cloudsCompared: 1,
        elements: 3,
        elementsCompared: 0,
        differences: [
          { kind: "INSTANCE_DRIFTED", objectId: instance.id, name: instance.name, message: "Heat no longer has it." },
        ],
        differenceCount: 12,
      };
    },
  });
  const panel = await screen.findByRole("region", { name: "Restored from a backup" });
  const banner = screen.getByRole("status", { name: "Restored from a backup" });
  expect(banner).toHaveTextContent(/Restored from a backup of .*02.*12 differences.*on hold/);
  expect(within(panel).getByText(/Heat no longer has it/)).toBeVisible();
  expect(within(panel).getByText(/Compared since: 1 of 2 clouds, 0 of 3/)).toBeVisible();
  expect(within(panel).getByText("and 11 more")).toBeVisible();
  await userEvent.click(within(panel).getByRole("button", { name: "Release" }));
  const dialog = await screen.findByRole("dialog", { name: /Release what is on hold$/ });
  await userEvent.click(within(dialog).getByRole("button", { name: "Release" }));
  await waitFor(() => expect(banner).toBeEmptyDOMElement());
  expect(screen.queryByRole("region", { name: "Restored from a backup" })).toBeNull();
});
