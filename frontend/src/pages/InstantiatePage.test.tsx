import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Db } from "../../mock-api/db";
import { vsrPe } from "../../mock-api/fixtures/vnfds";
import type { InstantiateRequest } from "@/api/types";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();
const next = () => user.click(screen.getByRole("button", { name: "Next" }));
const retype = async (label: RegExp, text: string) => {
  const input = screen.getByRole("textbox", { name: label });
  await user.clear(input);
  await user.type(input, text);
};

async function toPlan() {
  await next();
  await screen.findByRole("heading", { name: "Choose a size" });
  await next();
}

async function toSettings(cloud = "lab-east", prepare: (db: Db) => void = () => undefined) {
  const app = renderApp(pb.instantiate(vsrPe.vnfdId), { prepare });
  await user.click(await screen.findByRole("radio", { name: cloud }));
  await next();
  await screen.findByRole("heading", { name: "Check and change settings" });
  return app;
}

it("brings a complaint of the plan back to its field and loses nothing", async () => {
  await toSettings();
  await retype(/^Name/, "edge-1");
  await retype(/Management IP, active/, "172.16.10.66");
  await retype(/System name/, "pe-1");
  await toPlan();
  const field = await screen.findByRole("textbox", { name: /Management IP, active/ });
  await waitFor(() => expect(field).toHaveFocus());
  expect(field).toHaveAccessibleDescription(/Another port has 172\.16\.10\.66/);
  expect(screen.getByRole("textbox", { name: /^Name/ })).toHaveValue("edge-1");
  expect(screen.getByRole("textbox", { name: /System name/ })).toHaveValue("pe-1");
});

it("stays at settings that are wrong, at the first of them", async () => {
  const { sent } = await toSettings();
  await retype(/^Name/, "edge-1");
  await retype(/Management subnet/, "nonsense");
  await next();
  expect(screen.getByRole("textbox", { name: /Management subnet/ })).toHaveFocus();
  expect(screen.getByText("Give a network such as 172.16.10.0/24.")).toBeVisible();
  expect(sent.filter((each) => each.path === "/api/v1/plans" && each.method === "POST")).toHaveLength(1);
});

it("goes back to the cloud when the cloud is the trouble", async () => {
  await toSettings("lab-west");
  await retype(/^Name/, "edge-1");
  await toPlan();
  await screen.findByRole("heading", { name: "Choose a cloud" });
  expect(screen.getByText(/lab-west does not answer since/)).toBeVisible();
});

it("shows the plan, creates, deploys, and opens the instance", async () => {
  const { sent, router } = await toSettings();
  await retype(/^Name/, "edge-1");
  await toPlan();
  await screen.findByRole("list", { name: "Planned steps" });
  await user.click(screen.getByRole("button", { name: "Create and deploy" }));
  await screen.findByRole("heading", { name: "edge-1", level: 1 });
  expect(router.state.location.pathname).toMatch(/^\/instances\/[0-9a-f-]{36}$/);
  const posts = sent
    .filter((each) => each.method === "POST" && each.path.startsWith("/vnflcm"))
    .map((each) => each.path.split("/").at(-1));
  expect(posts).toEqual(["vnf_instances", "instantiate"]);
});

it("brings a taken name back to the name", async () => {
  await toSettings();
  await retype(/^Name/, "edge-fra-1");
  await toPlan();
  await user.click(await screen.findByRole("button", { name: "Create and deploy" }));
  const field = await screen.findByRole("textbox", { name: /^Name/ });
  await waitFor(() => expect(field).toHaveFocus());
  expect(field).toHaveAccessibleDescription(/is called edge-fra-1 already/);
});

it("picks a network by what tells it from the others, and sends its id where another has its name", async () => {
  const { asked } = await toSettings();
  await retype(/^Name/, "edge-1");
  const network = screen.getByRole("combobox", { name: "Management network" });
  await within(network).findByRole("option", { name: "public (203.0.113.0/24; external; shared)" });
  await user.selectOptions(network, "peering (198.51.100.64/26; shared; n-peering-2)");
  await toPlan();
  const table = await screen.findByRole("table", { name: "Planned networks" });
  expect(within(table).getByRole("row", { name: /^management peering/ })).toBeVisible();
  const plans = asked("/plans").map(({ body }) => (body as { request: InstantiateRequest }).request.additionalParams);
  expect(plans.at(-1)).toEqual({ mgmt_net: "n-peering-2" });
});

it("says at once of a name from elsewhere that several networks have it", async () => {
  const prepare = (db: Db) => {
    const settings = vsrPe.settings.map((each) => (each.name === "mgmt_net" ? { ...each, default: "peering" } : each));
    db.vnfds = [{ ...vsrPe, settings }, ...db.vnfds.slice(1)];
  };
  await toSettings("lab-east", prepare);
  const network = screen.getByRole("combobox", { name: "Management network" });
  await waitFor(() => expect(network).toHaveAccessibleDescription(/Several networks of this cloud are called peering/));
  expect(network).toHaveDisplayValue("peering (several networks are called so)");
  await user.selectOptions(network, "n-peering-1");
  expect(network).not.toHaveAccessibleDescription(/Several/);
});
