import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();
const dialogOf = async (name: string | RegExp) => within(await screen.findByRole("dialog", { name }));

it("adds a client and shows its secret once", async () => {
  const { changesTo } = renderApp(pb.administration("api-clients"));
  await user.click(await screen.findByRole("button", { name: "Add an API client" }));
  const dialog = await dialogOf(/Add/);
  expect(dialog.queryByLabelText("Certificate")).toBeNull();
  await user.type(dialog.getByLabelText(/^Client id/), "onap");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  const secret = await dialogOf("Secret of onap");
  expect(secret.getByText("Copy now: shown only once", { exact: false })).toBeVisible();
  await user.click(secret.getByRole("button", { name: "I have copied it" }));
  await screen.findByRole("row", { name: /onap Operator secret Active never/ });
  const [added] = changesTo("").filter(({ path }) => path.startsWith("/api/v1/api_clients"));
  expect(added?.body).toMatchObject({ clientId: "onap", role: "operator" });
});

it("makes a new secret, revokes and enables a client", async () => {
  const { changesTo } = renderApp(pb.administration("api-clients"));
  await screen.findByRole("row", { name: /reports Viewer secret or certificate Active never/ });
  await user.click(screen.getByRole("button", { name: "New secret for nfvo" }));
  await user.click((await dialogOf(/New secret/)).getByRole("button", { name: "Make a new secret" }));
  await user.click((await dialogOf("Secret of nfvo")).getByRole("button", { name: "I have copied it" }));
  await user.click(await screen.findByRole("button", { name: "Revoke nfvo" }));
  await user.click((await dialogOf(/Revoke nfvo/)).getByRole("button", { name: "Revoke" }));
  await screen.findByRole("row", { name: /nfvo.* Disabled/ });
  await user.click(screen.getByRole("button", { name: "Enable nfvo" }));
  await user.click((await dialogOf(/Enable nfvo/)).getByRole("button", { name: "Enable" }));
  await screen.findByRole("row", { name: /nfvo.* Active/ });
  const changes = changesTo("").filter(({ path }) => path.startsWith("/api/v1/api_clients"));
  expect(changes.map(({ body }) => body)).toMatchObject([undefined, { isActive: false }, { isActive: true }]);
});
