import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import type { InstanceSnapshot } from "@/api/types";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();
afterEach(() => vi.restoreAllMocks());

async function openDialog() {
  const app = renderApp(pb.instances());
  await user.click(await screen.findByRole("link", { name: "edge-fra-1" }));
  await user.click(await screen.findByRole("tab", { name: "Snapshots" }));
  const panel = within(await screen.findByRole("region", { name: "Snapshots" }));
  await user.click(panel.getByRole("button", { name: "Take a snapshot" }));
  const dialog = within(await screen.findByRole("dialog"));
  const take = async () => {
    const button = dialog.getByRole("button", { name: "Take a snapshot" });
    await waitFor(() => expect(button).toBeEnabled());
    await user.click(button);
  };
  const keysSent = () => app.changesTo("/create_snapshot").map(({ headers }) => headers.get("Idempotency-Key"));
  const idsSent = () => app.changesTo("/create_snapshot").map(({ body }) => JSON.stringify(body));
  return { ...app, dialog, take, keysSent, idsSent };
}

it("sends the same request again after a failure of the server", async () => {
  const { dialog, take, keysSent, idsSent, changesTo, setScenario } = await openDialog();
  setScenario("error-503:create_snapshot");
  await take();
  await dialog.findByRole("alert");
  setScenario("");
  await take();
  await waitFor(() => expect(keysSent()).toHaveLength(2));
  expect(new Set(keysSent()).size).toBe(1);
  expect(new Set(idsSent()).size).toBe(1);
  expect(changesTo("/vnf_snapshots")).toHaveLength(1);
});

it("deletes the record of a refused snapshot, and makes a request of its own of the next try", async () => {
  const { dialog, take, keysSent, idsSent, sent, setScenario } = await openDialog();
  setScenario("conflict-409:create_snapshot");
  await take();
  await dialog.findByRole("alert");
  expect(sent.filter(({ method, path }) => method === "DELETE" && path.includes("/vnf_snapshots/"))).toHaveLength(1);
  setScenario("");
  await take();
  await waitFor(() => expect(keysSent()).toHaveLength(2));
  expect(new Set(keysSent()).size).toBe(2);
  expect(new Set(idsSent()).size).toBe(2);
});

it("lists the snapshots of all pages", async () => {
  const vnfcs = { name: "a", vduId: "v", slot: "1", imageId: "i", bootsFromVolume: false, volumes: 0 };
  renderApp(pb.instances(), {
    prepare: ({ instances, snapshots }) => {
      const first = instances.find(({ name }) => name === "edge-fra-1");
      if (!first) throw new Error("no instance");
      const row = (index: number): InstanceSnapshot => ({
        ...{ id: `snapshot-${index}`, state: "AVAILABLE", createdBy: `user ${index}`, vnfdId: first.vnfd.vnfdId },
        ...{ startedAt: "2026-11-26T10:00:00Z", finishedAt: null, userDefinedData: {}, vnfcs: [vnfcs] },
        ...{ bootedVnfcs: [], removalProblem: null },
      });
      snapshots.set(
        first.id,
        Array.from({ length: 150 }, (_, index) => row(index)),
      );
    },
  });
  await user.click(await screen.findByRole("link", { name: "edge-fra-1" }));
  await user.click(await screen.findByRole("tab", { name: "Snapshots" }));
  expect(await screen.findByText("user 149")).toBeVisible();
});

it("takes a snapshot, and reverts to it once the name is typed", async () => {
  const { changesTo } = renderApp(pb.instances());
  await user.click(await screen.findByRole("link", { name: "edge-fra-1" }));
  await user.click(await screen.findByRole("tab", { name: "Snapshots" }));
  const panel = within(await screen.findByRole("region", { name: "Snapshots" }));
  expect(await panel.findByText("No snapshots.")).toBeVisible();
  await user.click(panel.getByRole("button", { name: "Take a snapshot" }));
  const taking = within(await screen.findByRole("dialog"));
  expect(await taking.findByText("Take an image of each VNFC")).toBeVisible();
  expect(taking.getByText(/^Disks are saved/)).toBeVisible();
  expect(changesTo("/vnf_snapshots")).toHaveLength(0);
  await user.click(taking.getByRole("button", { name: "Take a snapshot" }));
  const revert = await panel.findByRole("button", { name: /^Revert to the snapshot of/ }, { timeout: 10_000 });
  const [taken] = changesTo("/create_snapshot");
  expect(panel.getByText("Available")).toBeVisible();

  await waitFor(() => expect(revert).not.toHaveAttribute("aria-disabled", "true"), { timeout: 10_000 });
  await user.click(revert);
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText(/What was written to its disk since is lost/)).toBeVisible();
  const button = dialog.getByRole("button", { name: "Revert" });
  expect(button).toBeDisabled();
  await user.type(dialog.getByLabelText(/Name of the instance/), "edge-fra-1");
  await waitFor(() => expect(button).toBeEnabled());
  await user.click(button);
  await waitFor(() => expect(changesTo("/revert_to_snapshot")[0]?.body).toEqual(taken?.body));
});
