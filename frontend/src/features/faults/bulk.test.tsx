import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { alarm, type Db } from "../../../mock-api/db";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();
const severe = pb.alarmsOf("MAJOR");

const now = Date.now();
/** Half of them are major, half minor; each is older than the one before. */
const alarms = (count: number) => (db: Db) => {
  const [object] = db.instances;
  if (!object) return;
  db.alarms = Array.from({ length: 2 * count }, (_, n) =>
    alarm(object, {
      ...{ faultType: `Fault${n}`, perceivedSeverity: n % 2 === 0 ? "MAJOR" : "MINOR" },
      alarmRaisedTime: new Date(now - n * 1000).toISOString(),
    }),
  );
};

// Queries by role are slow on a page of a hundred rows, so only the dialog is searched by role.
const dialogOf = async (title: string) => {
  const heading = await screen.findByText(title);
  return within(heading.closest<HTMLElement>('[role="dialog"]') ?? document.body);
};

async function chooseThePage() {
  await screen.findByText("Fault0");
  await user.click(screen.getByLabelText("Choose all on this page"));
}
async function chooseAll() {
  await chooseThePage();
  await user.click(await screen.findByText("Select all that match"));
}

it("offers it only where there are others than those on the page", async () => {
  renderApp(severe, { prepare: alarms(3) });
  await chooseThePage();
  expect(await screen.findByText("3 alarms selected")).toBeVisible();
  expect(screen.queryByText("Select all that match")).toBeNull();
});

it("selects a page, then all matches, which are counted, confirmed and acknowledged", async () => {
  const { changesTo, sent } = renderApp(severe, { prepare: alarms(105) });
  await chooseAll();
  expect(await screen.findByText("105 alarms match")).toBeVisible();
  await user.click(screen.getByText("Acknowledge all 105"));
  const dialog = await dialogOf("Acknowledge all 105 alarms that match");
  expect(dialog.getByText(/on all pages/)).toBeVisible();
  expect(changesTo("/alarms")).toHaveLength(0);
  await user.click(dialog.getByRole("button", { name: "Acknowledge 105 alarms" }));
  expect(await screen.findByText("105 alarms acknowledged")).toBeVisible();
  await waitFor(() => expect(screen.queryByText("50 alarms selected")).toBeNull());
  const [change] = changesTo("/alarms");
  expect(change?.method).toBe("PATCH");
  expect(change?.query.get("filter")).toBe("(in,perceivedSeverity,'MAJOR')");
  expect([...(change?.query.keys() ?? [])].sort()).toEqual(["filter", "list"]);
  expect(change?.body).toMatchObject({ action: "ACKNOWLEDGE", confirmed: 105 });
  const count = sent.find(({ path }) => path === "/api/v1/alarms/count");
  expect(count?.query.toString()).toBe(change?.query.toString());
});

it("says how many are too many, and what to do then", async () => {
  const { changesTo } = renderApp(severe, { prepare: alarms(5001) });
  await chooseAll();
  expect(await screen.findByText("More than 5,000 alarms match")).toBeVisible();
  expect(screen.getByText(/Narrow the filters/)).toBeVisible();
  expect(changesTo("/alarms")).toHaveLength(0);
});

it("reports that more alarms match than were confirmed, and counts again", async () => {
  let raise: () => void = () => undefined;
  renderApp(severe, {
    prepare: (db) => {
      alarms(105)(db);
      raise = () => alarms(106)(db);
    },
  });
  await chooseAll();
  await user.click(await screen.findByText("Acknowledge all 105"));
  raise();
  const dialog = await dialogOf("Acknowledge all 105 alarms that match");
  await user.click(dialog.getByRole("button", { name: "Acknowledge 105 alarms" }));
  expect(await dialog.findByText(/106 alarms match by now, and 105 were confirmed/)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  expect(await screen.findByText("Select all that match")).toBeVisible();
});

it("assigns those that are chosen", async () => {
  const { changesTo } = renderApp(severe, { prepare: alarms(3) });
  await screen.findByText("Fault0");
  await user.click(screen.getByRole("checkbox", { name: /^Choose Fault0 of / }));
  await user.click(screen.getByRole("button", { name: "Assign selected" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Assign 1 alarm" }));
  expect(dialog.getByLabelText("Assigned to")).toHaveValue("admin");
  await user.click(dialog.getByRole("button", { name: "Assign" }));
  expect(await screen.findByText("assigned to admin")).toBeVisible();
  expect(changesTo("/alarms/bulk")[0]?.body).toMatchObject({ action: "ASSIGN", assignedTo: "admin" });
});

it("assigns all that match, and says how many were so before", async () => {
  renderApp(severe, {
    prepare: (db) => {
      alarms(105)(db);
      if (db.alarms[0]) db.alarms[0].assignedTo = "ann";
    },
  });
  await chooseAll();
  await user.click(await screen.findByText("Assign all 105"));
  const dialog = await dialogOf("Assign 105 alarms");
  await user.clear(dialog.getByLabelText("Assigned to"));
  await user.paste("ann");
  await user.click(dialog.getByRole("button", { name: "Assign" }));
  expect(await screen.findByText("104 alarms assigned")).toBeVisible();
  expect(screen.getByText(/Unchanged: 1 alarm/)).toBeVisible();
});
