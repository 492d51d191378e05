import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

vi.setConfig({ testTimeout: 30_000 });
const user = userEvent.setup();

async function selected(...names: string[]) {
  const app = renderApp(pb.instances());
  for (const name of names) await user.click(await screen.findByRole("checkbox", { name: `Choose ${name}` }));
  return app;
}
const bar = () => within(screen.getByRole("group", { name: "Selected VNF instances" }));
const tasks = (sent: Awaited<ReturnType<typeof selected>>["sent"], end: string) =>
  sent.filter(({ method, path }) => method === "POST" && path.endsWith(end));

it("terminates several after one plan that names what is deleted, confirmed by their number", async () => {
  const { sent } = await selected("edge-fra-1", "edge-muc-1");
  expect(bar().getByText("2 instances selected")).toBeVisible();
  await user.click(bar().getByRole("button", { name: "Terminate" }));
  const dialog = within(await screen.findByRole("dialog", { name: /Terminate 2 VNF instances/ }));
  const plans = within(dialog.getByRole("table", { name: "Plan of each instance" }));
  await waitFor(() => expect(plans.getAllByText(/^Ready:/)).toHaveLength(2));
  expect(plans.getByRole("row", { name: /^edge-fra-1 .*Slot 1 \(Data path VM\)/ })).toBeVisible();
  expect(dialog.getByText(/^Deleted or replaced: \d+ VNFCs/)).toBeVisible();
  const go = dialog.getByRole("button", { name: "Terminate 2 VNF instances" });
  expect(go).toBeDisabled();
  await user.type(dialog.getByLabelText(/^Number of instances/), "2");
  expect(tasks(sent, "/terminate")).toHaveLength(0);
  await user.click(go);
  await waitFor(() => expect(tasks(sent, "/terminate")).toHaveLength(2));
  const going = within(await dialog.findByRole("table", { name: "Operations" }));
  await waitFor(() => expect(going.getAllByText(/^\d+ of \d+ steps$/)).toHaveLength(2));
  expect(tasks(sent, "/terminate").map(({ body }) => body)).toEqual(
    Array.from({ length: 2 }, () => ({ terminationType: "GRACEFUL", gracefulTerminationTimeout: 60 })),
  );
});

it("leaves out an instance that cannot, and says why", async () => {
  const { sent } = await selected("edge-fra-1", "rr-lab");
  await user.click(bar().getByRole("button", { name: "Heal" }));
  const dialog = within(await screen.findByRole("dialog", { name: /Heal/ }));
  const plans = within(dialog.getByRole("table", { name: "Plan of each instance" }));
  expect(await plans.findByRole("row", { name: /^rr-lab Left out: ./ })).toBeVisible();
  await user.click(await dialog.findByRole("button", { name: "Heal 1 VNF instance" }));
  await waitFor(() => expect(tasks(sent, "/heal")).toHaveLength(1));
  expect(tasks(sent, "/heal")[0]?.body).toEqual({ additionalParams: { method: "auto" } });
});

it("plans to scale once a level is chosen", async () => {
  const { sent } = await selected("edge-fra-1");
  await user.click(bar().getByRole("button", { name: "Scale to level" }));
  const dialog = within(await screen.findByRole("dialog", { name: /Scale/ }));
  const level = await dialog.findByLabelText("Instantiation level");
  expect(tasks(sent, "/plans")).toHaveLength(0);
  await waitFor(() => expect(within(level).getAllByRole("option").length).toBeGreaterThan(1));
  const last = within(level).getAllByRole<HTMLOptionElement>("option").at(-1)?.value ?? "";
  await user.selectOptions(level, last);
  await waitFor(() => expect(tasks(sent, "/plans")).toHaveLength(1));
  expect(tasks(sent, "/plans")[0]?.body).toMatchObject({ request: { instantiationLevelId: last } });
});

it("clears the selection", async () => {
  await selected("edge-fra-1");
  await user.click(bar().getByRole("button", { name: "Clear selection" }));
  expect(screen.queryByRole("group", { name: "Selected VNF instances" })).toBeNull();
});
