import { act, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { setAnswering, setConnection } from "@/api/connection";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

afterEach(() => setConnection({ state: "connecting" }));

async function open() {
  let id = "";
  const app = renderApp(() => pb.instance(id), { prepare: (db) => (id = db.instances[0]?.id ?? "") });
  const actions = await screen.findByRole("button", { name: "Terminate" });
  await screen.findByRole("table", { name: "VNFCs" });
  return { ...app, actions };
}
const frame = () => document.querySelector(".pf-v6-c-page");

it("says once that the server is away, greys what is old, and switches off what cannot be done", async () => {
  const { actions, setScenario } = await open();
  expect(actions).not.toHaveAttribute("aria-disabled", "true");
  setScenario("offline");
  act(() => setConnection({ state: "lost", since: new Date().toISOString() }));
  await act(async () => {
    await fetch("/api/v1/overview").catch(() => undefined);
    setAnswering(false);
  });
  const banner = screen.getByRole("status", { name: "Connection" });
  expect(within(banner).getByText(/^Connection to the VNF manager lost\. Data may be stale since/)).toBeVisible();
  expect(screen.queryByText(/could not be (?:refreshed|loaded)/)).toBeNull();
  expect(frame()).toHaveClass("vm-offline");
  expect(screen.getByRole("button", { name: "Terminate" })).toHaveAttribute("aria-disabled", "true");
  act(() => setConnection({ state: "live" }));
  expect(frame()).not.toHaveClass("vm-offline");
  expect(screen.getByRole("button", { name: "Terminate" })).not.toHaveAttribute("aria-disabled", "true");
});

it("keeps everything possible while the events alone are lost", async () => {
  await open();
  act(() => setConnection({ state: "lost", since: new Date().toISOString() }));
  expect(screen.getByRole("status", { name: "Connection" })).toHaveTextContent(/^Connection/);
  expect(frame()).not.toHaveClass("vm-offline");
  expect(screen.getByRole("button", { name: "Terminate" })).not.toHaveAttribute("aria-disabled", "true");
});
