import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { makeConfigured, makeVersion } from "../../../mock-api/configuration";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();

/** A colleague's change, which the page does not make. */
const sendAs = (method: string, path: string, body: object) =>
  fetch(path, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

async function tab(name: string) {
  const app = renderApp(pb.elements());
  await user.click(await screen.findByRole("link", { name: "fra-pe-1" }));
  await user.click(await screen.findByRole("tab", { name }));
  return app;
}

it("shows the versions of a configuration, and how they differ", async () => {
  await tab("Configuration");
  expect(await screen.findByText(/Backed up every 24 hours and when the element reports/)).toBeVisible();
  await user.click(await screen.findByRole("button", { name: "Compare with 1: version 2" }));
  const diff = await screen.findByRole("table", { name: "Differences by lines" });
  expect(diff).toHaveTextContent("Added: port 1/1/2");
});

it("says when it is backed up, with the right plural", async () => {
  let id = "";
  renderApp(() => pb.elementTab(id, "configuration"), {
    prepare: (db) => {
      id = db.elements[0]?.id ?? "";
      const made = makeConfigured();
      Object.assign(made.plan, { keepVersions: 1, onChange: false });
      db.configured.set(id, made);
    },
  });
  expect(await screen.findByText(/^Backed up every 24 hours; 1 version is kept\./)).toBeVisible();
});

it("lets a viewer read, and says why not more", async () => {
  renderApp(pb.elements(), {
    prepare: (db) => {
      if (db.session) Object.assign(db.session, { roles: ["viewer"] });
    },
  });
  await user.click(await screen.findByRole("link", { name: "fra-pe-1" }));
  await user.click(await screen.findByRole("tab", { name: "Configuration" }));
  for (const name of ["Back up now", "Push configuration", "Backup schedule"]) {
    expect(await screen.findByRole("button", { name })).toHaveAttribute("aria-disabled", "true");
  }
  expect(screen.getByRole("button", { name: "Show version 1" })).toBeEnabled();
});

it("compares any two versions, and the address says which", async () => {
  const { router } = await tab("Configuration");
  const to = await screen.findByLabelText("Compare to");
  await user.selectOptions(to, within(to).getByRole("option", { name: /^Version 3/ }));
  expect(await screen.findByRole("region", { name: "Version 3" })).toHaveTextContent("port 1/1/3");
  const from = screen.getByLabelText("Compare from");
  expect(within(from).queryByRole("option", { name: /^Version 3/ })).toBeNull();
  await user.selectOptions(from, within(from).getByRole("option", { name: /^Version 1/ }));
  const diff = await screen.findByRole("table", { name: "Differences by lines" });
  expect(diff).toHaveTextContent("Added: port 1/1/2");
  expect(diff).toHaveTextContent("Added: port 1/1/3");
  expect(screen.getByRole("region", { name: "Versions 1 and 3" })).toBeVisible();
  expect(router.state.location.search).toMatch(/version=[^&]+&with=[^&]+/);
  await user.selectOptions(from, within(from).getByRole("option", { name: "Compare from…" }));
  expect(await screen.findByRole("region", { name: "Version 3" })).toBeVisible();
  await act(() => router.navigate(`${router.state.location.pathname}?tab=configuration&version=forgotten`));
  expect(await within(screen.getByRole("region", { name: "Compare versions" })).findByRole("alert")).toBeVisible();
});

it("pushes exactly what a dry run has shown", async () => {
  const { changesTo } = await tab("Configuration");
  await user.click(await screen.findByRole("button", { name: "Push configuration" }));
  const dialog = within(await screen.findByRole("dialog"));
  const lines = dialog.getByLabelText("Lines to push");
  await user.type(lines, "bogus");
  await user.click(dialog.getByRole("button", { name: "Dry run" }));
  expect(await dialog.findByText(/Bad command, line 1/)).toBeVisible();
  expect(dialog.getByRole("button", { name: "Push" })).toBeDisabled();
  await user.clear(lines);
  await user.type(lines, "port 1/1/3 no shutdown");
  await user.click(dialog.getByRole("button", { name: "Dry run" }));
  const diff = await dialog.findByRole("list", { name: "Changes" });
  expect(diff).toHaveTextContent("Added: +port 1/1/3 no shutdown");
  expect(dialog.getByText(/has no automatic rollback/)).toBeVisible();
  await user.type(lines, " # and more");
  expect(dialog.getByRole("button", { name: "Push" })).toBeDisabled();
  await user.click(dialog.getByRole("button", { name: "Dry run" }));
  await waitFor(() => expect(dialog.getByRole("button", { name: "Push" })).toBeEnabled());
  await user.click(dialog.getByRole("button", { name: "Push" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(changesTo("/push").at(-1)?.body).toEqual({ text: "port 1/1/3 no shutdown # and more", dryRun: false });
  const jobs = within(await screen.findByRole("table", { name: "Jobs" }));
  expect(await jobs.findByRole("row", { name: /^Push Done/ })).toBeVisible();
  expect(jobs.getByText(/Bad command, line 1/)).not.toBeVisible();
  await user.click(jobs.getByText("Refused"));
  expect(jobs.getByText(/Bad command, line 1/)).toBeVisible();
});

it("rolls back only after the difference was shown", async () => {
  const { changesTo } = await tab("Configuration");
  await user.click(await screen.findByRole("button", { name: "Roll back to version 1" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Dry run" }));
  expect(await dialog.findByText(/port 1\/1\/2/)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Roll back" }));
  await waitFor(() =>
    expect(changesTo("/rollback").map(({ body }) => (body as { dryRun: boolean }).dryRun)).toEqual([true, false]),
  );
});

it("shuts a port down after a confirmation", async () => {
  const { changesTo } = await tab("Equipment");
  const tree = within(await screen.findByRole("tree"));
  await user.click(tree.getByRole("treeitem", { name: /^Port 1\/1\/2/ }));
  await user.click(await screen.findByRole("button", { name: "Shut down" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/Traffic over it stops/)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Shut down" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(changesTo("/admin_state")[0]?.body).toMatchObject({ adminState: "DOWN" });
});

it("shuts down a possible management path only after a confirmation", async () => {
  const { changesTo } = await tab("Equipment");
  const tree = within(await screen.findByRole("tree"));
  await user.click(tree.getByRole("treeitem", { name: /^Port 1\/1\/3/ }));
  await user.click(await screen.findByRole("button", { name: "Shut down" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Shut down" }));
  await user.click(await dialog.findByRole("checkbox", { name: "Not the management port" }));
  await user.click(dialog.getByRole("button", { name: "Shut down" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(changesTo("/admin_state").map(({ body }) => body)).toEqual([
    expect.not.objectContaining({ evenIfManagementPathUnknown: true }),
    expect.objectContaining({ evenIfManagementPathUnknown: true }),
  ]);
});

it("draws counters, with the same values in a table, unknown steps included", async () => {
  await tab("Counters");
  expect(await screen.findByRole("region", { name: "Load" })).toBeVisible();
  const table = await screen.findByRole("table", { name: "Counters as a table" });
  expect(within(table).getAllByRole("cell", { name: "unknown" })).toHaveLength(2);
  await user.selectOptions(screen.getByLabelText("Object"), "1/1/1");
  expect(await screen.findByRole("region", { name: "Traffic" })).toBeVisible();
});

it("draws what watches a counter of a VNF's router", async () => {
  let id = "";
  renderApp(() => pb.elementTab(id, "counters"), {
    prepare: ({ elements }) => {
      id = elements.find(({ vnfInstanceId }) => vnfInstanceId)?.id ?? "";
    },
  });
  const load = await screen.findByRole("region", { name: "Load" });
  expect(await within(load).findByText(/CPU, scale out by follow the load/)).toHaveTextContent(/70 %/);
  expect(within(load).getByText(/CPU, threshold of VCpuUsageMeanVnf/)).toHaveTextContent(/90 % *± 5 %/);
});

it("lists received traps", async () => {
  await tab("Traps");
  expect(
    await screen.findByRole("row", { name: /linkDown.*ifIndex.1002 = 1\/1\/3.*ifOperStatus.1002 = down/ }),
  ).toBeVisible();
});

it("keeps the requested target though another user was faster, and says so", async () => {
  let [id, fdn] = ["", ""];
  const { changesTo } = renderApp(pb.elements(), {
    prepare: ({ elements, equipment }) => {
      id = elements.find(({ name }) => name === "fra-pe-1")?.id ?? "";
      const port = equipment.get(id)?.find(({ name, slot }) => `${name} ${slot}`.includes("1/1/2"));
      fdn = port?.fdn ?? "";
    },
  });
  await user.click(await screen.findByRole("link", { name: "fra-pe-1" }));
  const tree = within(await screen.findByRole("tree"));
  await user.click(tree.getByRole("treeitem", { name: /^Port 1\/1\/2/ }));
  await user.click(await screen.findByRole("button", { name: "Shut down" }));
  const dialog = within(await screen.findByRole("dialog"));
  await sendAs("POST", `/api/v1/elements/${id}/admin_state`, { fdn, adminState: "DOWN" });
  expect(await dialog.findByText("Its state has changed: it is down now.")).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Shut down" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(changesTo("/admin_state").map(({ body }) => (body as { adminState: string }).adminState)).toEqual([
    "DOWN",
    "DOWN",
  ]);
});

it("overwrites no plan that another user saved while the dialog was open", async () => {
  const { sent } = await tab("Configuration");
  await user.click(await screen.findByRole("button", { name: "Backup schedule" }));
  const dialog = within(await screen.findByRole("dialog"));
  const path = sent.find((each) => each.path.endsWith("/configuration"))?.path ?? "";
  await sendAs("PATCH", path, { keepVersions: 7 });
  expect(await screen.findByText(/7 versions are kept/)).toBeInTheDocument();
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await dialog.findByText(/Changed since you opened this/)).toBeVisible();
});

it("pushes no text whose dry run was on another configuration", async () => {
  const { sent } = await tab("Configuration");
  await user.click(await screen.findByRole("button", { name: "Push configuration" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText("Lines to push"), "port 1/1/3 no shutdown");
  await user.click(dialog.getByRole("button", { name: "Dry run" }));
  await waitFor(() => expect(dialog.getByRole("button", { name: "Push" })).toBeEnabled());
  const path = sent.find((each) => each.path.endsWith("/configuration"))?.path ?? "";
  await sendAs("PATCH", path, { latestVersion: makeVersion(3, "system name other") });
  expect(await dialog.findByText(/has changed since: run it again/)).toBeVisible();
  expect(dialog.getByRole("button", { name: "Push" })).toBeDisabled();
  await user.click(dialog.getByRole("button", { name: "Dry run" }));
  await waitFor(() => expect(dialog.getByRole("button", { name: "Push" })).toBeEnabled());
});

it("keeps objects and time span of counters in the address and the history", async () => {
  const { router } = await tab("Counters");
  await user.selectOptions(await screen.findByLabelText("Period"), "Last 24 hours");
  await waitFor(() => expect(router.state.location.search).toBe("?tab=counters&hours=24"));
  await user.selectOptions(await screen.findByLabelText("Period"), "Last hour");
  await waitFor(() => expect(router.state.location.search).toBe("?tab=counters"));
  await act(() => router.navigate(-1));
  await waitFor(() => expect(screen.getByLabelText("Period")).toHaveValue("24"));
});
