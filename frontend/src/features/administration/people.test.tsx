import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Db } from "../../../mock-api/db";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import { auditAddress, auditObject } from "@/ui/auditText";

const user = userEvent.setup();
const dialogOf = async () => within(await screen.findByRole("dialog"));
const asViewer = (db: Db) => {
  if (db.session) db.session = { ...db.session, roles: ["viewer"] };
};

it("adds a user, changes the role, disables and enables the user", async () => {
  const { changesTo } = renderApp(pb.administration("users"));
  await user.click(await screen.findByRole("button", { name: "Add a user" }));
  let dialog = await dialogOf();
  await user.type(dialog.getByLabelText(/^User name/), "bob");
  await user.type(dialog.getByLabelText(/^Password/), "short");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(dialog.getByLabelText(/^Password/)).toHaveAccessibleDescription(/too short/));
  await user.type(dialog.getByLabelText(/^Password/), " and then some");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  const row = await screen.findByRole("row", { name: /bob Viewer Active never/ });
  await user.click(within(row).getByRole("button", { name: "Edit bob" }));
  dialog = await dialogOf();
  expect(dialog.getByLabelText(/^User name/)).toBeDisabled();
  expect(dialog.getByLabelText("New password")).toHaveValue("");
  await user.selectOptions(dialog.getByLabelText("Role"), "operator");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await screen.findByRole("row", { name: /bob Operator Active/ });
  await user.click(screen.getByRole("button", { name: "Disable bob" }));
  await user.click((await dialogOf()).getByRole("button", { name: "Disable" }));
  await screen.findByRole("row", { name: /bob Operator Disabled/ });
  await user.click(screen.getByRole("button", { name: "Enable bob" }));
  await user.click((await dialogOf()).getByRole("button", { name: "Enable" }));
  await screen.findByRole("row", { name: /bob Operator Active/ });
  const [refused, added, ...changes] = changesTo("").filter(({ path }) => path.startsWith("/api/v1/users"));
  expect(refused?.body).toMatchObject({ username: "bob", password: "short" });
  expect(added?.body).toEqual({ username: "bob", displayName: "", role: "viewer", password: "short and then some" });
  expect(changes.map(({ body, headers }) => [body, headers.get("If-Match")])).toEqual([
    [{ displayName: "", role: "operator" }, '"1"'],
    [{ isActive: false }, '"2"'],
    [{ isActive: true }, '"3"'],
  ]);
});

it("lists and revokes the API tokens of a user", async () => {
  const { changesTo } = renderApp(pb.administration("users"));
  await user.click(await screen.findByRole("button", { name: "API tokens of admin" }));
  const dialog = await dialogOf();
  await user.click(await dialog.findByRole("button", { name: "Revoke backup script" }));
  await user.click(await screen.findByRole("button", { name: "Revoke" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Revoke backup script" })).toBeNull());
  expect(changesTo("").map(({ method, path }) => [method, path.split("/").at(-2)])).toEqual([["DELETE", "api_tokens"]]);
});

it("refuses to disable the user's own account and the last administrator", async () => {
  renderApp(pb.administration("users"));
  const row = await screen.findByRole("row", { name: /admin \(you\) Administrator Active/ });
  expect(within(row).getByRole("button", { name: "Disable admin" })).toHaveAttribute("aria-disabled", "true");
  await user.click(within(row).getByRole("button", { name: "Edit admin" }));
  const dialog = await dialogOf();
  expect(dialog.queryByLabelText("New password")).toBeNull();
  await user.selectOptions(dialog.getByLabelText("Role"), "viewer");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await dialog.findByText(/admin is the last active administrator/)).toBeVisible();
});

it.each([
  ["users", "Administrators only: users"],
  ["audit", "Administrators only: audit trail"],
  ["api-clients", "Administrators only: API clients"],
])("tells others why they do not see %s, and does not ask for them", async (part, words) => {
  const { sent } = renderApp(pb.administration(part), { prepare: asViewer });
  expect(await screen.findByRole("heading", { name: words })).toBeVisible();
  expect(screen.getByText(/This requires the role admin, which admin does not have/)).toBeVisible();
  expect(sent.some(({ path }) => path === `/api/v1/${part.replace("-", "_")}`)).toBe(false);
});

it("lists the audit trail by the address's filters, and exports the same", async () => {
  const { router, sent } = renderApp(pb.administration("audit"));
  const refused = await screen.findByRole("row", {
    name: /ann.*Create user.*This requires the role admin.*user zoe.*Refused$/,
  });
  expect(refused).toHaveTextContent("Token “night shift”from 192.0.2.7");
  expect(screen.queryByRole("row", { name: /Plan an operation/ })).toBeNull();
  expect(screen.getByRole("row", { name: /Edit user.*role: operator.*Done/ })).toBeVisible();
  await user.type(screen.getByRole("textbox", { name: "User" }), "unknown");
  await waitFor(() => expect(screen.queryByRole("row", { name: /Create user/ })).toBeNull());
  expect(screen.getByRole("row", { name: /unknown name.*Log in.*Refused/ })).toBeVisible();
  expect(router.state.location.search).toBe("?tab=audit&actor=unknown");
  await user.click(await screen.findByRole("button", { name: /^Filters/ }));
  await user.selectOptions(screen.getByLabelText("Period"), "Last 24 hours");
  await waitFor(() => {
    const filter = sent.findLast(({ path }) => path === "/api/v1/audit")?.query.get("filter");
    expect(filter).toMatch(/^\(cont,actor,'unknown'\);\(eq,dryRun,'false'\);\(eq,hasResult,'false'\);\(gte,at,'/);
  });
  const link = screen.getByRole("link", { name: "Export as CSV" });
  expect(link).toHaveAttribute("href", expect.stringContaining("/api/v1/audit.csv?filter=%28cont%2Cactor%2C"));
  await user.click(screen.getByRole("button", { name: "Clear all filters" }));
  expect(await screen.findByRole("row", { name: /Create user/ })).toBeVisible();
});

it("shows plans and dry runs when asked to", async () => {
  renderApp(pb.administration("audit"));
  await user.click(await screen.findByRole("button", { name: /^Filters/ }));
  await user.selectOptions(screen.getByLabelText("Plans and dry runs"), "Shown");
  expect(await screen.findByRole("row", { name: /ann.*Plan an operation.*Done/ })).toBeVisible();
});

it("names the object of a request by its kind and name, or the beginning of its id", () => {
  const path = "/vnflcm/v2/vnf_instances";
  const id = "49f94d86-a1f5-4ef6-97c2-9034bc2c54e1";
  const scaled = { action: "POST 201", object: `${path}/${id}/scale`, detail: { names: { vnf_instances: "pe-1" } } };
  expect([auditObject(scaled), auditAddress(scaled)]).toEqual(["VNF instance pe-1", pb.instance(id)]);
  const created = { action: "POST 201", object: path, detail: { id } };
  expect([auditObject(created), auditAddress(created)]).toEqual(["VNF instance 49f94d86", pb.instance(id)]);
  expect(auditObject({ action: "POST 201", object: "/api/v1/first_steps", detail: {} })).toBe("first steps");
  const event = { action: "POST 201", object: "ann", detail: {} };
  expect([auditObject(event), auditAddress(event)]).toEqual([undefined, undefined]);
});

it("explains an empty audit trail", async () => {
  renderApp(pb.administration("audit"), { prepare: (db) => (db.audit = []) });
  expect(await screen.findByText("No entries yet")).toBeVisible();
});

it("shows who started it in an instance's history, where permitted", async () => {
  const { sent } = renderApp(pb.instances());
  await user.click(await screen.findByRole("link", { name: "edge-fra-1" }));
  await user.click(await screen.findByRole("tab", { name: "History" }));
  expect(await screen.findByRole("row", { name: /ann: Scale VNF instance.*Audit trail.*Done/ })).toBeVisible();
  expect(sent.some(({ path }) => path === "/api/v1/audit")).toBe(true);
});

it("hides it from other roles in the same history", async () => {
  const { sent } = renderApp(pb.instances(), { prepare: asViewer });
  await user.click(await screen.findByRole("link", { name: "edge-fra-1" }));
  await user.click(await screen.findByRole("tab", { name: "History" }));
  expect(await screen.findByRole("table", { name: "History" })).toBeVisible();
  expect(screen.queryByText("Audit trail")).toBeNull();
  expect(sent.some(({ path }) => path === "/api/v1/audit")).toBe(false);
});
