import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { vsrPe } from "../../../mock-api/fixtures/vnfds";
import { makeOcc } from "../../../mock-api/occurrences";
import { basicSettings } from "@/features/settings/basicSettings";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

vi.setConfig({ testTimeout: 20_000 });
const user = userEvent.setup();
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
const next = () => user.click(screen.getByRole("button", { name: "Next" }));

async function toSettings(address = pb.instantiate(vsrPe.vnfdId), options: Parameters<typeof renderApp>[1] = {}) {
  const app = renderApp(address, options);
  await user.click(await screen.findByRole("radio", { name: /lab-east/ }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Next" })).toBeEnabled());
  await next();
  await screen.findByRole("heading", { name: "Check and change settings" });
  return app;
}

it("shows basic settings first, all on demand, and remembers which", async () => {
  await toSettings();
  const basic = basicSettings(vsrPe);
  const hidden = vsrPe.settings.filter(({ name }) => !basic.has(name));
  expect(hidden.length).toBeGreaterThan(0);
  expect(screen.getByText(`${hidden.length} more settings have their defaults`)).toBeVisible();
  expect(screen.queryByLabelText(new RegExp(`^${hidden[0]?.label}`))).toBeNull();
  await user.click(screen.getByRole("button", { name: "Advanced" }));
  expect(screen.getByLabelText(new RegExp(`^${hidden[0]?.label}`))).toBeVisible();
  expect(localStorage.getItem("vnfm.settings.advanced")).toBe("true");
});

it("begins with the settings of another instance's failed attempt", async () => {
  const { sent } = await toSettings(pb.instantiate(vsrPe.vnfdId), {
    prepare: (db) => {
      const failed = db.instances.find(({ name }) => name === "rr-lab");
      if (!failed) throw new Error("The mock has rr-lab.");
      failed.vnfd = vsrPe;
      makeOcc(db, failed, "INSTANTIATE", ["Create the stack"], {
        operationState: "ROLLED_BACK",
        operationParams: { flavourId: vsrPe.flavours[0]?.id, additionalParams: { mgmt_net: "public" } },
      });
    },
  });
  await user.click(screen.getByRole("button", { name: "Back" }));
  await user.selectOptions(await screen.findByLabelText("Start from"), "rr-lab");
  await waitFor(() => expect(screen.queryByText("Applying the settings…")).toBeNull());
  await next();
  expect(await screen.findByLabelText("Management network")).toHaveValue("public");
  expect(sent.every(({ method }) => method === "GET" || method === "POST")).toBe(true);
});
