import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { emptyInstance, type Db, type Instance } from "../../../mock-api/db";
import { vsrPe } from "../../../mock-api/fixtures/vnfds";
import { makeOcc } from "../../../mock-api/occurrences";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import { changingLook } from "@/ui/operationText";
import type { OperationState } from "@/api/types";

vi.setConfig({ testTimeout: 20_000 });

const STEPS = ["Check the plan", "Provide the images", "Create the stack"];
let instance: Instance;
/** Two of three steps are done. */
function instantiating(db: Db) {
  instance = emptyInstance("edge-new", vsrPe);
  db.instances.push(instance);
  const occ = makeOcc(db, instance, "INSTANTIATE", STEPS);
  occ.operationState = "PROCESSING";
  occ.steps.forEach((step, index) => (step.state = index < 2 ? "DONE" : "RUNNING"));
}

it("shows the operation's state in the header, and no verdict of conditions", async () => {
  renderApp(() => pb.instance(instance.id), { prepare: instantiating });
  const heading = await screen.findByRole("region", { name: "Page heading" });
  expect(await within(heading).findByText("Instantiating 2/3")).toBeVisible();
  expect(within(heading).queryByText(/Not instantiated|In sync|[Aa]vailable/)).toBeNull();
  expect(screen.queryByText(/Not available|not instantiated/i)).toBeNull();
});

it("shows it in the list, whose availability is being changed", async () => {
  renderApp(pb.instances(), { prepare: instantiating });
  const row = await screen.findByRole("row", { name: /edge-new/ });
  expect(await within(row).findByRole("link", { name: "Instantiating 2/3" })).toBeVisible();
  expect(within(row).getByText("Being changed")).toBeVisible();
  expect(within(row).queryByText(/Not available|Not instantiated/)).toBeNull();
});

it("finds it by its availability", async () => {
  renderApp(pb.instancesByHealth("CHANGING"), { prepare: instantiating });
  expect(await screen.findByRole("row", { name: /edge-new/ })).toBeVisible();
  expect(screen.queryByRole("row", { name: /edge-fra-1/ })).toBeNull();
});

it.each([
  ["INSTANTIATE", {}, "PROCESSING", "Instantiating 4/7"],
  ["OPERATE", { changeStateTo: "STOPPED" }, "STARTING", "Stopping 4/7"],
  ["OPERATE", { changeStateTo: "STARTED" }, "PROCESSING", "Starting 4/7"],
  ["SCALE", { type: "SCALE_IN" }, "PROCESSING", "Scaling in 4/7"],
  ["HEAL", {}, "FAILED_TEMP", "Heal: action required"],
  ["TERMINATE", {}, "ROLLING_BACK", "Terminate: rolling back"],
])("says what %s %j in %s does", (operation, operationParams, operationState, text) => {
  const occ = { operation, operationParams, operationState: operationState as OperationState };
  expect(changingLook(occ, { done: 4, all: 7 }).text).toBe(text);
});

it("leaves out steps that are not known", () => {
  expect(changingLook({ operation: "HEAL", operationState: "PROCESSING" }).text).toBe("Healing");
});

it("says nothing of the conditions of what was never instantiated", async () => {
  renderApp(() => pb.instance(instance.id), {
    prepare: (db) => db.instances.push((instance = emptyInstance("idle", vsrPe))),
  });
  expect(await screen.findByText("Not instantiated")).toBeVisible();
  expect(screen.queryByText(/[Aa]vailable|In sync|reachable/)).toBeNull();
});
