import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();

async function open(item: string) {
  renderApp(pb.instances());
  await user.click(await screen.findByRole("link", { name: "edge-fra-1" }));
  await user.click(await screen.findByRole("button", { name: "Actions" }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
  return within(await screen.findByRole("dialog"));
}

it("validates a changed subnet against the instance's network", async () => {
  const dialog = await open("Change deployment flavour");
  await user.selectOptions(await dialog.findByLabelText("Deployment flavour"), "dense");
  await user.click(dialog.getByRole("button", { name: "Settings (unchanged)" }));
  const subnet = dialog.getByRole("textbox", { name: "Management subnet" });
  const take = within(await dialog.findByRole("group", { name: "Use a subnet of oam:" }));
  await user.clear(subnet);
  await user.type(subnet, "10.0.0.0/24");
  expect(subnet).toHaveAccessibleDescription(/Network oam has no subnet 10\.0\.0\.0\/24, but 172\.16\.10\.0\/24/);
  await user.click(take.getByRole("button", { name: "172.16.10.0/24" }));
  expect(subnet).toHaveValue("172.16.10.0/24");
  expect(subnet).not.toHaveAccessibleDescription(/has no subnet/);
});

it("validates addresses of a changed connection against the chosen network", async () => {
  const dialog = await open("Change connectivity");
  const network = await dialog.findByLabelText("Management");
  await user.selectOptions(network, await dialog.findByRole("option", { name: /^public / }));
  await user.click(dialog.getByRole("button", { name: "Addresses (unchanged)" }));
  const subnet = dialog.getByRole("textbox", { name: "Management subnet" });
  expect(subnet).toHaveAccessibleDescription(/Network public has no subnet 172\.16\.10\.0\/24/);
  await user.click(dialog.getByRole("button", { name: "203.0.113.0/24" }));
  expect(subnet).toHaveValue("203.0.113.0/24");
  const address = dialog.getByRole("textbox", { name: /^Management IP, active/ });
  expect((address as HTMLInputElement).value).toMatch(/^203\.0\.113\.\d+$/);
  await waitFor(() => expect(dialog.getByRole("button", { name: "Change connectivity" })).toBeEnabled());
  expect(subnet).not.toHaveAccessibleDescription(/has no subnet/);
});

it("moves the addresses of a connection into the subnet of a network that is made for it", async () => {
  const dialog = await open("Change connectivity");
  await user.click(await dialog.findByRole("button", { name: "New network for Management" }));
  const network = within(await screen.findByRole("dialog", { name: "New network" }));
  await user.type(network.getByRole("textbox", { name: /^Name/ }), "oam-2");
  await user.type(network.getByRole("textbox", { name: /^Subnet/ }), "10.9.0.0/24");
  await user.click(network.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "New network" })).toBeNull());
  await user.click(dialog.getByRole("button", { name: /^Addresses/ }));
  const [subnet, ...addresses] = dialog.getAllByRole("textbox", { name: /^Management (subnet|IP)/ });
  expect(subnet).toHaveValue("10.9.0.0/24");
  expect(addresses.map((each) => (each as HTMLInputElement).value)).toEqual(["10.9.0.10", "10.9.0.11"]);
});
