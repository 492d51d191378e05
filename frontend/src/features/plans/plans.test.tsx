import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Db } from "../../../mock-api/db";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();

/** The mock's first instance has slots A, B, 1 and 2; the last one is stopped. */
async function dialogOf(action: string, prepare: (db: Db) => void = () => undefined) {
  let name = "";
  renderApp(pb.instances(), {
    prepare: (db) => {
      prepare(db);
      name = db.instances[0]?.name ?? "";
    },
  });
  await user.click(await screen.findByRole("link", { name }));
  await screen.findByRole("heading", { name, level: 1 });
  const button = screen.queryByRole("button", { name: action });
  if (button) await user.click(button);
  else {
    await user.click(screen.getByRole("button", { name: "Actions" }));
    await user.click(await screen.findByRole("menuitem", { name: action }));
  }
  const dialog = within(await screen.findByRole("dialog"));
  const steps = await dialog.findByRole("list", { name: "Planned steps" });
  const plan = steps.closest<HTMLElement>(".vm-plan");
  if (!plan) throw new Error("no plan is shown");
  return { dialog, plan };
}
const rowsOf = (table: HTMLElement) => within(table).getAllByRole("row").slice(1);

it("begins with one line, which describes the button, too, and with what changes", async () => {
  const { dialog, plan } = await dialogOf("Scale out");
  const summary = "+1 VM (slot 3), +8 vCPUs, no interruption";
  expect(plan.firstElementChild).toHaveTextContent(summary);
  expect(dialog.getByRole("button", { name: "Scale out" })).toHaveAccessibleDescription(summary);
  const [row, ...others] = rowsOf(dialog.getByRole("table", { name: "Planned changes" }));
  expect(row).toHaveTextContent(/^CreateSlot 3 \(Data path VM\)VNFC/);
  expect(others).toEqual([]);
  const titles = within(plan)
    .getAllByRole("heading", { level: 3 })
    .map((each) => each.textContent);
  expect(titles.slice(0, 2)).toEqual(["Changes1", "Steps"]);
});

it("folds what stays, with its number", async () => {
  const { dialog } = await dialogOf("Scale out");
  const toggle = dialog.getByRole("button", { name: "Unchanged (4)" });
  expect(toggle).toHaveAttribute("aria-expanded", "false");
  await user.click(toggle);
  expect(rowsOf(dialog.getByRole("table", { name: "Unchanged resources" }))).toHaveLength(4);
});

it("says that Heat's preview does not see the plan, and lists no rows of it", async () => {
  const { dialog } = await dialogOf("Scale out");
  const preview = within(dialog.getByRole("region", { name: "Heat's preview" }));
  expect(preview.getByText(/Its preview shows the root stack alone/)).toBeVisible();
  expect(preview.queryByRole("button")).toBeNull();
  expect(dialog.queryByRole("region", { name: "Templates" })).toBeNull();
});

it("terminates the servers that there are, and says which is gone already", async () => {
  const { dialog, plan } = await dialogOf("Terminate", (db) => {
    const vnfc = db.instances[0]?.vnfcs[3];
    if (vnfc) vnfc.status = "MISSING";
  });
  expect(plan.firstElementChild).toHaveTextContent("−3 VMs, −8 vCPUs, 1 already gone, the service ends");
  const heading = dialog.getByRole("heading", { name: /3 VNFCs will be deleted/ });
  expect(heading.parentElement).not.toHaveTextContent("Slot 2");
  const gone = dialog.getByRole("row", { name: /Slot 2/ });
  expect(gone).toHaveTextContent("already gone");
  expect(dialog.getByText("58 − 8 of 120")).toBeVisible();
});

it("lists of a stop only what it touches", async () => {
  const { dialog } = await dialogOf("Stop");
  const rows = rowsOf(dialog.getByRole("table", { name: "Planned changes" }));
  expect(rows.map((row) => row.textContent)).toEqual(
    ["A", "B", "1"].map((slot) => expect.stringMatching(`^UpdateSlot ${slot} `) as string),
  );
  expect(dialog.queryByRole("region", { name: "Networks" })).toBeNull();
  await waitFor(() => expect(dialog.getByRole("button", { name: "Unchanged (1)" })).toBeVisible());
});
