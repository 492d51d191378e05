import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Db } from "../../../mock-api/db";
import { makeOcc } from "../../../mock-api/occurrences";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import type { OpOcc } from "@/api/types";

const user = userEvent.setup();

async function operationPage(patch: Partial<OpOcc>, prepare: (occ: OpOcc) => void = () => undefined) {
  let occ: OpOcc | undefined;
  let db: Db | undefined;
  const app = renderApp(() => pb.operation(occ?.vnfInstanceId ?? "", occ?.id ?? ""), {
    prepare: (made) => {
      db = made;
      const instance = made.instances[0];
      if (!instance) return;
      const steps = ["Ask for the grant", { title: "Delete the servers", oneWay: "Their UUIDs are gone for good." }];
      occ = makeOcc(made, instance, "HEAL", steps, patch);
      prepare(occ);
    },
  });
  if (!occ || !db) throw new Error("the mock has no instance");
  await screen.findByRole("heading", { name: "Heal edge-fra-1", level: 1 });
  return { ...app, occ, db };
}

it("is cancelled in the way that was chosen, after a question", async () => {
  const { changesTo } = await operationPage({ operationState: "PROCESSING" });
  await user.click(screen.getByRole("button", { name: "Cancel operation" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByRole("radio", { name: "Graceful" })).toBeChecked();
  await user.click(dialog.getByRole("radio", { name: "Forceful" }));
  await user.click(dialog.getByRole("button", { name: "Cancel operation" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(changesTo("/cancel")[0]?.body).toEqual({ cancelMode: "FORCEFUL" });
  expect(await screen.findByText("The operation was cancelled")).toBeVisible();
  expect(screen.getByRole("button", { name: "Retry" })).toBeEnabled();
});

it("says that it is being cancelled, and cannot be cancelled twice", async () => {
  await operationPage({ operationState: "PROCESSING", isCancelPending: true, cancelMode: "GRACEFUL" });
  expect(screen.getByText("Being cancelled: the running step finishes.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Cancel operation" })).toHaveAttribute("aria-disabled", "true");
});

it("offers no cancel when it has ended", async () => {
  await operationPage({ operationState: "COMPLETED" });
  expect(screen.queryByRole("button", { name: "Cancel operation" })).toBeNull();
  expect(screen.queryByRole("group", { name: "Decide" })).toBeNull();
});

it("shows since and until when it waits for an unreachable cloud", async () => {
  const now = new Date().toISOString();
  await operationPage({ operationState: "PROCESSING", waitingSince: now, deadline: now });
  const notice = screen.getByRole("heading", { name: /Waiting for the cloud since/ });
  expect(within(notice).getByText(/\d/)).toHaveAttribute("datetime", now);
});

const PENDING_GRANT = { at: "2026-01-02T03:04:05Z", grantId: "", failure: "" };

it.each([
  ["", /has not accepted the grant request yet/],
  ["grant-7", /The NFVO has accepted grant request grant-7 but has not decided yet/],
])("says since when the NFVO is asked for grant '%s', and how far it is", async (grantId, how) => {
  await operationPage({ operationState: "STARTING", grant: null, pendingGrant: { ...PENDING_GRANT, grantId } });
  const notice = screen.getByRole("heading", { name: /Waiting for NFVO grant since/ });
  expect(within(notice).getByText(/\d/)).toHaveAttribute("datetime", PENDING_GRANT.at);
  expect(screen.getByRole("region", { name: "Operation Heal" })).toHaveTextContent(how);
});

it("names the NFVO, not the cloud, when the NFVO is unreachable", async () => {
  const waitingSince = "2026-01-02T03:09:10Z";
  const pendingGrant = { ...PENDING_GRANT, failure: "ConnectTimeout: no answer" };
  await operationPage({ operationState: "STARTING", grant: null, waitingSince, pendingGrant });
  const notice = screen.getByRole("heading", { name: /Waiting for the NFVO since/ });
  expect(within(notice).getByText(/\d/)).toHaveAttribute("datetime", waitingSince);
  expect(screen.getByText(pendingGrant.failure)).toBeVisible();
  expect(screen.queryByRole("heading", { name: /Waiting for the cloud/ })).toBeNull();
});

it("shows why it cannot be rolled back", async () => {
  await operationPage({ operationState: "FAILED_TEMP" }, (occ) => {
    const step = occ.steps[1];
    if (step) step.state = "FAILED";
    occ.actions = [
      { action: "retry", enabled: true, disabledReason: "" },
      { action: "rollback", enabled: false, disabledReason: "Their UUIDs are gone for good. Retry it." },
      { action: "fail", enabled: true, disabledReason: "" },
    ];
  });
  expect(screen.getByText(/It cannot be rolled back: Their UUIDs are gone for good/)).toBeVisible();
});

it("is not decided on a stale state", async () => {
  const { changesTo, occ, db } = await operationPage({ operationState: "FAILED_TEMP" });
  const version = occ.version;
  for (const each of db.occs) {
    each.version += 1;
    each.steps = each.steps.map((step) => ({ ...step, title: `${step.title} (2nd)` }));
  }
  const confirm = async () => {
    await user.click(screen.getByRole("button", { name: "Roll back" }));
    const dialog = within(await screen.findByRole("dialog", { name: /Roll back: / }));
    expect(dialog.getByText(/VNFCs that it created are deleted/)).toBeVisible();
    await user.click(dialog.getByRole("button", { name: "Roll back" }));
  };
  await confirm();
  const conflict = within(await screen.findByRole("alert"));
  expect(conflict.getByText(/Changed since you opened this/)).toBeVisible();
  await user.click(conflict.getByRole("button", { name: "Reload" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(screen.getAllByText(/ \(2nd\)$/)[0]).toBeVisible());
  await confirm();
  expect(await screen.findByText("Rolled back")).toBeVisible();
  expect(changesTo("/rollback").map((each) => each.headers.get("If-Match"))).toEqual([
    `"${version}"`,
    `"${version + 1}"`,
  ]);
});

it("shows its story, its grant, and OpenStack's request ids", async () => {
  await operationPage({ operationState: "PROCESSING" }, (occ) => {
    const step = occ.steps[0];
    const at = occ.startTime;
    if (step)
      step.calls = [{ service: "nova", method: "DELETE", path: "/servers/1", status: 204, requestId: "req-77", at }];
  });
  await user.click(screen.getByRole("button", { name: "1 request to OpenStack" }));
  const row = screen.getByRole("row", { name: /req-77/ });
  expect(row).toHaveTextContent("DELETE /servers/1");
  expect(row).toHaveTextContent("204");
  await user.click(screen.getByRole("tab", { name: "Timeline" }));
  const story = await screen.findByRole("list", { name: "Timeline" });
  expect(within(story).getByText("HEAL of edge-fra-1 was requested by admin.")).toBeVisible();
  await user.click(screen.getByRole("tab", { name: "Grant" }));
  const checks = within(screen.getByRole("list", { name: "Grant checks" }));
  expect(checks.getAllByRole("listitem").map((each) => each.textContent)).toEqual([
    "MetQuota What is added fits the project's quotas.",
    "UnknownCapacity Host capacity: not visible (needs the admin role). For information only.",
  ]);
});

it("shows the failed step once, with its duration", async () => {
  const at = (hoursAgo: number, seconds = 0) =>
    new Date(Date.now() - hoursAgo * 3_600_000 + seconds * 1000).toISOString();
  const error = { title: "Heat failed", status: 502, detail: "Resource UPDATE failed: no valid host" };
  await operationPage({ operationState: "FAILED_TEMP", error, stateEnteredTime: at(1, 7) }, ({ steps: [step] }) => {
    Object.assign(step ?? {}, { state: "FAILED", problem: error, startedAt: at(1), finishedAt: null });
  });
  expect(screen.getAllByRole("heading", { name: /Heat failed/ })).toHaveLength(1);
  expect(screen.getByRole("list", { name: "Steps" })).toHaveTextContent(/Failed.*7 s/);
});

it("shows a problem that did not stop the operation at its step", async () => {
  const before = { title: "Nova is busy", status: 503, detail: "Try later" };
  await operationPage({ operationState: "PROCESSING" }, ({ steps: [step] }) => {
    Object.assign(step ?? {}, { state: "WAITING", problem: before });
  });
  const steps = screen.getByRole("list", { name: "Steps" });
  expect(within(steps).getByRole("heading", { name: /Nova is busy/ })).toBeVisible();
});

async function instancePanel(patch: Partial<OpOcc>) {
  let found: { id: string } | undefined;
  renderApp(() => pb.instance(found?.id ?? ""), {
    prepare: ({ instances, ...db }) => {
      const [instance] = instances;
      if (!instance) return;
      found = instance;
      const occ = makeOcc({ ...db, instances }, instance, "HEAL", ["Ask for the grant", "Delete the servers"], patch);
      if (occ.operationState !== "FAILED_TEMP") instance.runningOpOccId = occ.id;
    },
  });
  const panel = await screen.findByRole("region", { name: "Operation Heal" });
  return { panel, toggle: () => user.click(within(panel).getByRole("button", { name: "Steps of Heal" })) };
}

it("is one line on the page of its instance, which opens", async () => {
  const { panel, toggle } = await instancePanel({ operationState: "PROCESSING" });
  expect(within(panel).queryByRole("list", { name: "Steps" })).toBeNull();
  await toggle();
  expect(within(panel).getByRole("list", { name: "Steps" })).toBeVisible();
});

it("opens by itself on the page of its instance when it needs a decision", async () => {
  const error = { title: "Heat failed", status: 502, detail: "no valid host" };
  const { panel, toggle } = await instancePanel({ operationState: "FAILED_TEMP", error });
  expect(within(panel).getByRole("list", { name: "Steps" })).toBeVisible();
  expect(panel).toHaveTextContent("no valid host");
  await toggle();
  expect(within(panel).queryByRole("list", { name: "Steps" })).toBeNull();
  expect(panel).toHaveTextContent("Heat failed");
  expect(within(panel).getByRole("button", { name: "Retry" })).toBeVisible();
});

it.each([
  [{ waitingSince: PENDING_GRANT.at }, /Waiting for the cloud since/],
  [{ pendingGrant: PENDING_GRANT, grant: null }, /Waiting for NFVO grant since/],
])("opens by itself while it waits, and its line says since when: %o", async (patch, words) => {
  const { panel, toggle } = await instancePanel({ operationState: "STARTING", ...patch });
  expect(within(panel).getByRole("heading", { name: words })).toBeVisible();
  await toggle();
  expect(within(panel).queryByRole("heading", { name: words })).toBeNull();
  expect(within(panel).getByText(words)).toHaveTextContent(/\d/);
});
