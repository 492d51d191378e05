import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

vi.setConfig({ testTimeout: 20_000 });
const user = userEvent.setup();

async function registering() {
  const app = renderApp(pb.elements());
  await user.click(await screen.findByRole("button", { name: /^Register/ }));
  const form = await screen.findByRole("dialog");
  await user.type(within(form).getByRole("textbox", { name: /^Name/ }), "core-9");
  return app;
}

it("makes a site from the form that needs one, and keeps what was typed", async () => {
  const { changesTo } = await registering();
  await user.click(screen.getByRole("button", { name: "New site" }));
  const site = within(await screen.findByRole("dialog", { name: "New site" }));
  await user.type(site.getByRole("textbox", { name: /^Name/ }), "Leipzig");
  await user.click(site.getByRole("button", { name: "Add" }));
  const form = within(await screen.findByRole("dialog", { name: /Register/ }));
  expect(form.getByRole("textbox", { name: /^Name/ })).toHaveValue("core-9");
  await waitFor(() => expect(form.getByRole("combobox", { name: /^Site/ })).toHaveValue("Leipzig"));
  expect(changesTo("/sites")).toHaveLength(1);
  expect(changesTo("/elements")).toHaveLength(0);
});

it("offers the protocols of the field for a new policy, and goes back without one", async () => {
  const { changesTo } = await registering();
  await user.click(screen.getByRole("button", { name: "New SNMP policy" }));
  const policy = within(await screen.findByRole("dialog", { name: "New SNMP policy" }));
  const protocol = policy.getByRole("combobox", { name: /^Protocol/ });
  expect(
    within(protocol)
      .getAllByRole("option")
      .map((option) => option.textContent),
  ).toEqual(["SNMPv2c", "SNMPv3 (USM)"]);
  await user.click(policy.getByRole("button", { name: "Cancel" }));
  const form = within(await screen.findByRole("dialog", { name: /Register/ }));
  expect(form.getByRole("textbox", { name: /^Name/ })).toHaveValue("core-9");
  expect(changesTo("/mediation_policies")).toHaveLength(0);
});
