import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Db } from "../../../mock-api/db";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();

function withPolicy(db: Db): void {
  const [instance] = db.instances;
  const at = new Date().toISOString();
  if (!instance) return;
  db.automationPolicies.push({
    ...{ id: "p1", name: "heal the edge", description: "", kind: "HEAL", state: "ENABLED", dryRun: true },
    ...{ vnfInstanceId: instance.id, vnfInstanceName: instance.name, vnfPkgId: null, vnfProductName: null },
    ...{ coolDownSeconds: 600, actionsPerHour: 3, heal: { forSeconds: 60 }, scale: null, conditions: [] },
    ...{ createdAt: at, createdBy: "admin", changedAt: at, version: 1 },
  });
  db.decisions.set("p1", [
    {
      ...{ id: 7, at, vnfInstanceId: instance.id, vnfInstanceName: instance.name, rule: "heal" },
      ...{ outcome: "WOULD_ACT", reason: "DUE", message: "edge-fra-1-iom-2 has been down for 61 s.", seen: [] },
      ...{ actionType: "HEAL", request: null, vnfLcmOpOccId: null },
    },
  ]);
}

it("creates a policy of an instance, as a dry run by default", async () => {
  const { changesTo } = renderApp(pb.instances());
  await user.click(await screen.findByRole("link", { name: "edge-fra-1" }));
  await user.click(await screen.findByRole("tab", { name: "Automation" }));
  await user.click(await screen.findByRole("button", { name: "Add an automation policy" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText(/^Name/), "grow");
  await user.selectOptions(dialog.getByLabelText(/^Action(?!s)/), "SCALE");
  expect(dialog.queryByLabelText(/^Heal after/)).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(dialog.getByLabelText(/^Scaling aspect/)).toHaveFocus());
  await user.selectOptions(dialog.getByLabelText(/^Scaling aspect/), "datapath");
  await user.selectOptions(dialog.getByLabelText(/^Measured by/), "CLOUD_ALARM");
  await user.type(dialog.getByLabelText(/^Measure\b(?!d)/), "cpu-high");
  await user.type(dialog.getByLabelText(/^Out when above/), "0.5");
  await user.type(dialog.getByLabelText("Out after (s)"), "120");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  expect(await screen.findByText(/Scale datapath out when cpu-high is above 0.5 for 120 s/)).toBeVisible();
  expect(changesTo("/automation_policies")[0]?.body).toMatchObject({
    ...{ kind: "SCALE", dryRun: true, vnfPkgId: null },
    scale: { aspectId: "datapath", out: { above: 0.5, forSeconds: 120 }, in: null },
  });
});

it("asks for one instance, or for the package whose instances it applies to", async () => {
  const { changesTo } = renderApp(pb.automation());
  await user.click(await screen.findByRole("button", { name: "Add an automation policy" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByLabelText(/^VNF instance/)).toBeVisible();
  await user.selectOptions(dialog.getByLabelText(/^Applies to/), "All instances of a package");
  expect(dialog.queryByLabelText(/^VNF instance/)).toBeNull();
  await user.type(dialog.getByLabelText(/^Name/), "all of them");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(dialog.getByLabelText(/^VNF package/)).toHaveFocus());
  const [, packageId = ""] = within(dialog.getByLabelText(/^VNF package/))
    .getAllByRole<HTMLOptionElement>("option")
    .map(({ value }) => value);
  await user.selectOptions(dialog.getByLabelText(/^VNF package/), packageId);
  await user.click(dialog.getByRole("button", { name: "Add" }));
  expect(await screen.findByRole("row", { name: /all of them/ })).toBeVisible();
  const { body } = changesTo("/automation_policies")[0] ?? {};
  expect(body).toMatchObject({ vnfInstanceId: null, vnfPkgId: packageId });
  expect(body).not.toHaveProperty("target");
});

it("shows a policy's decisions with reasons", async () => {
  renderApp(pb.automation(), { prepare: withPolicy });
  const row = await screen.findByRole("row", { name: /heal the edge/ });
  expect(row).toHaveTextContent("Heal a VNFC that has been down for 60 s");
  expect(row).toHaveTextContent("dry run");
  await user.click(within(row).getByRole("button", { name: "Decisions of heal the edge" }));
  const decisions = within(await screen.findByRole("region", { name: "Decisions of heal the edge" }));
  const decision = await decisions.findByRole("row", { name: /Would act.*Heal/ });
  expect(decision).toHaveTextContent("edge-fra-1-iom-2 has been down for 61 s.");
});

it("shows on an instance's tab what its package has, to be changed elsewhere", async () => {
  renderApp(pb.instances(), {
    prepare: (db) => {
      withPolicy(db);
      const instance = db.instances.find(({ name }) => name === "edge-fra-1");
      const [mine] = db.automationPolicies;
      if (!instance || !mine) return;
      const condition = {
        ...({ type: "Watching", status: "False", reason: "LimitReached", message: "It stopped." } as const),
        lastTransitionTime: mine.createdAt,
      };
      Object.assign(mine, { vnfInstanceId: instance.id, vnfInstanceName: instance.name, conditions: [condition] });
      db.automationPolicies.push({
        ...{ ...mine, id: "p2", name: "heal them all", vnfInstanceId: null, vnfInstanceName: null },
        ...{ vnfPkgId: instance.vnfd.packageId, vnfProductName: "vsr" },
      });
    },
  });
  await user.click(await screen.findByRole("link", { name: "edge-fra-1" }));
  await user.click(await screen.findByRole("tab", { name: "Automation" }));
  const row = within(await screen.findByRole("row", { name: /heal them all/ }));
  expect(row.getByRole("link", { name: "all instances of vsr" })).toBeVisible();
  expect(row.queryByRole("button", { name: /^(Edit|Delete)/ })).toBeNull();
  expect(row.getByRole("link", { name: /Edit under Automation/ })).toHaveAttribute("href", pb.automation());
  expect(row.getByRole("button", { name: "Resume heal them all" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Edit heal the edge" })).toBeVisible();
});
