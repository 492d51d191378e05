import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import { RecordField } from "./RecordField";

const user = userEvent.setup();
const dialogOf = async () => within(await screen.findByRole("dialog"));

it("adds, changes and removes a site", async () => {
  const { asked } = renderApp(pb.administration("sites"));
  await user.click(await screen.findByRole("button", { name: "Add a site" }));
  let dialog = await dialogOf();
  await user.click(dialog.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(dialog.getByLabelText(/^Name/)).toHaveAccessibleDescription(/This is needed/));
  await user.type(dialog.getByLabelText(/^Name/), "Munich");
  await user.type(dialog.getByLabelText("Latitude"), "48.14");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  await user.click(await screen.findByRole("button", { name: "Edit Munich" }));
  dialog = await dialogOf();
  expect(dialog.getByLabelText("Latitude")).toHaveValue(48.14);
  await user.type(dialog.getByLabelText("Description"), "South");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByRole("row", { name: /Munich.*South/ })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Delete Munich" }));
  await user.click((await dialogOf()).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryByText("Munich")).toBeNull());
  const [added, ...others] = asked("");
  expect(added?.body).toEqual({ name: "Munich", description: "", latitude: 48.14, longitude: null });
  expect(others.map(({ method, headers }) => [method, headers.get("If-Match")])).toEqual([
    ["PATCH", '"1"'],
    ["DELETE", '"2"'],
  ]);
});

it("asks of a mediation policy what its protocol needs, and never shows a secret", async () => {
  const { asked } = renderApp(pb.administration("policies"));
  expect(await screen.findByRole("row", { name: /operators.*SSH.*password: set/ })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Add a mediation policy" }));
  let dialog = await dialogOf();
  expect(dialog.queryByLabelText("Private key")).toBeNull();
  await user.type(dialog.getByLabelText(/^Name/), "lab");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(dialog.getByLabelText("Community")).toHaveAccessibleDescription(/needs a community/));
  await user.type(dialog.getByLabelText("Community"), "s3cret");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  await user.click(await screen.findByRole("button", { name: "Edit lab" }));
  dialog = await dialogOf();
  expect(dialog.getByLabelText("Community")).toHaveValue("");
  expect(dialog.getByLabelText("Community")).toHaveAccessibleDescription("Set. Empty keeps it.");
  expect(dialog.getByLabelText(/^Protocol/)).toBeDisabled();
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("").at(-1)?.body).not.toHaveProperty("community");
  expect(document.body.textContent).not.toContain("s3cret");
});

it("takes a private key as it is pasted, line by line", async () => {
  const { asked } = renderApp(pb.administration("policies"));
  await user.click(await screen.findByRole("button", { name: "Edit operators" }));
  const dialog = await dialogOf();
  const key = dialog.getByLabelText("Private key");
  expect(key).toHaveValue("");
  await user.click(key);
  await user.paste("-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("").at(-1)?.body).toMatchObject({ privateKey: "-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n" });
});

it("shows the choice that a select has, once, also one that is not offered any more", () => {
  const shown = (value: string) => {
    const options = [
      ["", "None"],
      ["SHA", "SHA"],
    ] as const;
    const spec = { kind: "select", name: "auth", label: "Authentication", options } as const;
    const { unmount } = render(
      <RecordField spec={spec} value={value} error={undefined} disabled={false} onChange={() => undefined} />,
    );
    const words = [screen.getByLabelText<HTMLSelectElement>("Authentication").selectedOptions[0]?.text];
    words.push(...screen.getAllByRole("option").map(({ textContent }) => textContent));
    unmount();
    return words;
  };
  expect(shown("")).toEqual(["None", "None", "SHA"]);
  expect(shown("MD5")).toEqual(["kept: MD5", "None", "SHA", "kept: MD5"]);
});

it("runs a discovery rule and shows what it registered", async () => {
  renderApp(pb.administration("discovery"));
  await user.click(await screen.findByRole("button", { name: "Run Frankfurt loopbacks now" }));
  await user.click(await screen.findByRole("button", { name: "Show what Frankfurt loopbacks found" }));
  const found = within(await screen.findByRole("region", { name: "Found by Frankfurt loopbacks" }));
  expect(await found.findByRole("row", { name: /192\.0\.2\.77.*Registered/ })).toBeVisible();
  expect(found.getByRole("link", { name: "fra-pe-1" })).toBeVisible();
});

it("says at its field what is wrong in a list", async () => {
  renderApp(pb.administration("discovery"));
  await user.click(await screen.findByRole("button", { name: "Add a discovery rule" }));
  const dialog = await dialogOf();
  await user.type(dialog.getByLabelText(/^Name/), "odd");
  await user.type(dialog.getByLabelText(/^Look in/), "the cellar");
  await user.selectOptions(dialog.getByLabelText(/^SNMP policy/), "public-v2c");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(dialog.getByLabelText(/^Look in/)).toHaveAccessibleDescription(/no range of addresses/));
});

it("plans a maintenance window for an element", async () => {
  const { asked } = renderApp(pb.administration("maintenance"));
  await user.click(await screen.findByRole("button", { name: "Add a maintenance window" }));
  const dialog = await dialogOf();
  await user.selectOptions(dialog.getByLabelText(/^Object/), await dialog.findByRole("option", { name: /fra-pe-1/ }));
  await user.type(dialog.getByLabelText(/^Reason/), "New line card");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  expect(await screen.findByRole("row", { name: /fra-pe-1.*Now.*New line card/ })).toBeVisible();
  expect(asked("/maintenance_windows")[0]?.body).toMatchObject({ managedObjectType: "NETWORK_ELEMENT" });
});
