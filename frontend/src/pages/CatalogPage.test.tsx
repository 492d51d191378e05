import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { vsrRr } from "../../mock-api/fixtures/vnfds";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();
const HOT = "heat_template_version: 2015-10-15\nresources:\n  server:\n    type: OS::Nova::Server\n";
const file = (name: string, text: string) => new File([text], name);

async function openDialog(...files: File[]) {
  const app = renderApp(pb.catalog());
  await user.click(await screen.findByRole("button", { name: "Onboard a VNF package" }));
  const dialog = within(await screen.findByRole("dialog"));
  if (files.length > 0) await user.upload(dialog.getByLabelText("Files of the VNF package"), files);
  return { ...app, dialog };
}
type Dialog = Awaited<ReturnType<typeof openDialog>>["dialog"];

async function onboard(dialog: Dialog) {
  const button = dialog.getByRole("button", { name: "Onboard" });
  await waitFor(() => expect(button).toBeEnabled());
  await user.click(button);
}

it("derives a VNFD for plain templates, lets it be edited, and onboards it as edited", async () => {
  const { dialog } = await openDialog(file("router.yaml", HOT), file("router.env", "parameters: {}"));
  expect(await dialog.findByText("Ready to onboard: router 1.0 (provider not set)")).toBeVisible();
  expect(dialog.getByText("External connection points")).toBeVisible();
  await user.click(dialog.getByRole("tab", { name: "VNFD (derived)" }));
  const editor = dialog.getByRole<HTMLTextAreaElement>("textbox", { name: "VNFD" });
  fireEvent.change(editor, { target: { value: editor.value.replace("provider: Unknown", "provider: Acme") } });
  expect(await dialog.findByText("Ready to onboard: Acme router 1.0")).toBeVisible();
  await onboard(dialog);
  expect(await dialog.findByText(/is onboarded/)).toHaveTextContent("Acme router 1.0 is onboarded.");
  await user.click(dialog.getAllByRole("button", { name: "Close" }).at(-1) ?? document.body);
  expect(await screen.findByRole("article", { name: "Acme router" })).toBeVisible();
});

it("has a cloud's Heat validate, which forbids nothing", async () => {
  const { dialog } = await openDialog(file("router.yaml", HOT));
  await user.click(await dialog.findByRole("tab", { name: "On a cloud" }));
  await user.selectOptions(dialog.getByRole("combobox", { name: "Cloud" }), "lab-east");
  const said = await dialog.findByRole("table", { name: "Findings in Heat's validation (lab-east)" });
  expect(within(said).getAllByRole("row")).toHaveLength(2);
  expect(said).toHaveTextContent("Heat has nothing against the templates.");
  expect(dialog.getByRole("button", { name: "Onboard" })).toBeEnabled();
});

it("shows a fault of the VNFD at its line", async () => {
  const { dialog } = await openDialog(file("router.yaml", HOT));
  await dialog.findByText(/Ready to onboard/);
  await user.click(dialog.getByRole("tab", { name: "VNFD (derived)" }));
  const editor = dialog.getByRole<HTMLTextAreaElement>("textbox", { name: "VNFD" });
  fireEvent.change(editor, { target: { value: editor.value.replace("  name: Server", "\tname: Server") } });
  const faults = within(await dialog.findByRole("list", { name: "Errors in the VNFD" }));
  await user.click(faults.getByRole("button", { name: "Line 9" }));
  expect(editor).toHaveFocus();
  expect(editor.value.slice(editor.selectionStart, editor.selectionEnd)).toBe("\tname: Server");
  expect(editor).toHaveAttribute("aria-invalid", "true");
  expect(dialog.getByRole("button", { name: "Onboard" })).toBeDisabled();
  await user.click(dialog.getByRole("button", { name: "Back to the derived VNFD" }));
  expect(await dialog.findByText(/Ready to onboard/)).toBeVisible();
});

it("links to the package that has the same VNFD id", async () => {
  const { dialog } = await openDialog(file("router.yaml", HOT));
  await dialog.findByText(/Ready to onboard/);
  await user.click(dialog.getByRole("tab", { name: "VNFD (derived)" }));
  const editor = dialog.getByRole<HTMLTextAreaElement>("textbox", { name: "VNFD" });
  const text = editor.value.replace(/^vnfdId: .*/m, `vnfdId: ${vsrRr.vnfdId}`);
  fireEvent.change(editor, { target: { value: text } });
  expect(await dialog.findByText("Already in the catalog")).toBeVisible();
  expect(dialog.getByRole("button", { name: "Onboard" })).toBeDisabled();
  const link = dialog.getByRole("link", { name: "Show the package" });
  expect(link).toHaveAttribute("href", pb.vnfPackage(vsrRr.packageId));
});

it("lists findings by file and line, and accepts corrected files", async () => {
  const faulty = `${HOT.replace("Server", "Servr")}# unused\n`;
  const { dialog, changesTo } = await openDialog(file("router.yaml", faulty), file("card.yaml", HOT));
  expect(await dialog.findByText("It cannot be onboarded yet: 1 error")).toBeVisible();
  const table = within(dialog.getByRole("table", { name: "Findings in router.yaml" }));
  expect(table.getByRole("row", { name: /Error 4 .*Servr/ })).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "1 error" }));
  expect(table.queryByText(/Servr/)).toBeNull();
  expect(dialog.getByRole("button", { name: "Onboard" })).toBeDisabled();

  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await user.click(await screen.findByRole("button", { name: "Onboard a VNF package" }));
  const again = within(await screen.findByRole("dialog"));
  expect(again.getByRole("list", { name: "Selected files" })).toHaveTextContent("router.yaml");
  await user.upload(again.getByLabelText("Files of the VNF package"), file("router.yaml", HOT));
  expect(await again.findByText(/Ready to onboard/)).toBeVisible();
  expect(changesTo("/vnf_packages")).toEqual([]);
});

it("keeps the files when an archive is rejected, at once or later", async () => {
  const { dialog } = await openDialog(file("junk.zip", "no zip"));
  expect(await dialog.findByRole("alert")).toHaveTextContent("The upload is no zip archive.");
  await user.click(dialog.getByRole("button", { name: "Remove junk.zip" }));
  await user.upload(dialog.getByLabelText("Files of the VNF package"), file("late.csar", "PK FAILS"));
  await onboard(dialog);
  expect(await dialog.findByRole("alert")).toHaveTextContent("base.yaml has another checksum");
  expect(dialog.getByRole("list", { name: "Selected files" })).toHaveTextContent("late.csar");
  expect(dialog.getByRole("button", { name: "Onboard" })).toBeEnabled();
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(3));
});

it("shows how far an upload is, and cancels it without losing the files", async () => {
  const { dialog, changesTo } = await openDialog(file("large.zip", "PK STALLS"));
  await onboard(dialog);
  const bar = await dialog.findByRole("progressbar", { name: "Sent 512 B of 1.0 KiB" });
  expect(bar).toHaveAttribute("aria-valuenow", "50");
  await user.click(dialog.getByRole("button", { name: "Cancel the upload" }));
  expect(await dialog.findByText(/The upload was cancelled/)).toBeVisible();
  expect(dialog.getByRole("list", { name: "Selected files" })).toHaveTextContent("large.zip");
  await waitFor(() => expect(changesTo("").filter(({ method }) => method === "DELETE")).toHaveLength(1));
});

it("has a package fetched, and shows at the field why the address is invalid", async () => {
  const { dialog, changesTo } = await openDialog();
  await user.click(dialog.getByRole("button", { name: "Fetch from a URL instead" }));
  const address = dialog.getByRole("textbox", { name: "Address" });
  await user.type(address, "ftp://files.example/vmx.zip{Enter}");
  await waitFor(() => expect(address).toHaveAccessibleDescription(/Give an https URL/));
  await user.clear(address);
  await user.type(address, "https://files.example/vmx.zip");
  await user.click(dialog.getByRole("button", { name: "Fetch" }));
  expect(await dialog.findByText("Nothing answers there.")).toBeVisible();
  expect(address).toHaveValue("https://files.example/vmx.zip");
  expect(changesTo("/upload_from_uri").at(-1)?.body).toMatchObject({
    addressInformation: "https://files.example/vmx.zip",
  });
});

it("lets the root be chosen where several templates can be it", async () => {
  const root = `${HOT}# a root\n`;
  const { dialog } = await openDialog(file("core.yaml", root), file("edge.yaml", root));
  const field = await dialog.findByRole("combobox", { name: "Root template" });
  expect(
    within(field)
      .getAllByRole("option")
      .map((each) => each.textContent),
  ).toEqual([...["Choose one of 2", "core.yaml", "edge.yaml"]]);
  expect(dialog.getByRole("button", { name: "Onboard" })).toBeDisabled();
  await user.selectOptions(field, "edge.yaml");
  expect(await dialog.findByText(/Ready to onboard/)).toBeVisible();
  await onboard(dialog);
  expect(await dialog.findByText(/is onboarded/)).toBeVisible();
});

it("offers no root template where there is one", async () => {
  const { dialog } = await openDialog(file("router.yaml", HOT));
  await dialog.findByText(/Ready to onboard/);
  expect(dialog.queryByRole("combobox", { name: "Root template" })).toBeNull();
});

it("names missing files, and accepts them", async () => {
  const { dialog } = await openDialog(file("router.yaml", `${HOT}    user_data:\n      get_file: init.sh\n`));
  expect(await dialog.findByText("Add the files that templates name: init.sh.")).toBeVisible();
  expect(dialog.getByRole("button", { name: "Onboard" })).toBeDisabled();
  await user.upload(dialog.getByLabelText("Files of the VNF package"), file("init.sh", "#!/bin/sh\n"));
  expect(await dialog.findByText(/Ready to onboard/)).toBeVisible();
});

it("fetches files from URLs in templates only when that is allowed", async () => {
  const url = "https://files.example/card.yaml";
  const { dialog } = await openDialog(file("router.yaml", `${HOT}  card:\n    type: ${url}\n`));
  const asked = within(await dialog.findByRole("region", { name: "Files from other servers" }));
  expect(asked.getByRole("listitem")).toHaveTextContent(`${url} router.yaml, line 6`);
  const allow = asked.getByRole("checkbox", { name: "Fetch and store these files" });
  expect(allow).not.toBeChecked();
  expect(dialog.getByRole("button", { name: "Onboard" })).toBeDisabled();
  await user.click(allow);
  await onboard(dialog);
  expect(await dialog.findByText(/is onboarded/)).toBeVisible();
});

it("fetches no file while the templates have other errors", async () => {
  const card = "  card:\n    type: https://files.example/card.yaml\n";
  const { dialog } = await openDialog(file("router.yaml", `${HOT}${card}  vm:\n    type: OS::Nova::Servr\n`));
  const allow = await dialog.findByRole("checkbox", { name: "Fetch and store these files" });
  await user.click(allow);
  expect(allow).toBeChecked();
  expect(dialog.getByRole("button", { name: "Onboard" })).toBeDisabled();
  await user.upload(dialog.getByLabelText("Files of the VNF package"), file("router.yaml", `${HOT}${card}`));
  await waitFor(() => expect(dialog.queryByText("TYPE_UNKNOWN")).toBeNull());
  await user.click(await dialog.findByRole("checkbox", { name: "Fetch and store these files" }));
  await waitFor(() => expect(dialog.getByRole("button", { name: "Onboard" })).toBeEnabled());
});

it("resets host key and result when the address changes", async () => {
  const { dialog, changesTo } = await openDialog();
  await user.click(dialog.getByRole("button", { name: "Fetch from a URL instead" }));
  const address = dialog.getByRole("textbox", { name: "Address" });
  await user.type(address, "https://files.example/two.zip{Enter}");
  await user.selectOptions(await dialog.findByRole("combobox", { name: "Root template" }), "core.yaml");
  await user.clear(address);
  await user.type(address, "https://files.example/other.zip");
  expect(dialog.queryByRole("combobox", { name: "Root template" })).toBeNull();
  expect(dialog.queryByText("Each could be the root template.")).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Fetch" }));
  expect(await dialog.findByText("Nothing answers there.")).toBeVisible();
  expect(changesTo("/upload_from_uri").map(({ query }) => query.get("root"))).toEqual([null, null]);
});

it("lets the root of a fetched package be chosen", async () => {
  const { dialog, changesTo } = await openDialog();
  await user.click(dialog.getByRole("button", { name: "Fetch from a URL instead" }));
  await user.type(dialog.getByRole("textbox", { name: "Address" }), "https://files.example/two.zip{Enter}");
  await user.selectOptions(await dialog.findByRole("combobox", { name: "Root template" }), "core.yaml");
  await user.click(dialog.getByRole("button", { name: "Fetch" }));
  expect(await dialog.findByText("Nothing answers there.")).toBeVisible();
  expect(changesTo("/upload_from_uri").map(({ query }) => query.get("root"))).toEqual([null, "core.yaml"]);
});

it("takes one archive or loose files, not both", async () => {
  const { dialog } = await openDialog(file("a.zip", "PK"), file("b.yaml", HOT));
  expect(dialog.getByText("One archive or loose files")).toBeVisible();
  expect(dialog.getByRole("button", { name: "Onboard" })).toBeDisabled();
});

it("takes files that are dropped anywhere on the page", async () => {
  renderApp(pb.catalog());
  const heading = await screen.findByRole("heading", { name: "Catalog", level: 1 });
  fireEvent.drop(heading, { dataTransfer: { files: [file("router.yaml", HOT)], types: ["Files"] } });
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByRole("list", { name: "Selected files" })).toHaveTextContent("router.yaml");
  expect(await dialog.findByText(/Ready to onboard/)).toBeVisible();
});

it("keeps search, filters and view in the address", async () => {
  const { router } = renderApp("/catalog?provider=Nokia");
  await user.type(await screen.findByRole("textbox", { name: "Search packages" }), "rr");
  await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1));
  await user.click(screen.getByRole("button", { name: "List" }));
  const table = within(await screen.findByRole("table", { name: "VNF packages" }));
  expect(table.getByRole("link", { name: "Nokia VSR-RR" })).toBeVisible();
  expect(router.state.location.search).toBe("?provider=Nokia&search=rr&view=list");
  await user.selectOptions(screen.getByRole("combobox", { name: "State" }), "Onboarding failed");
  await user.click(await screen.findByRole("button", { name: "Show all packages" }));
  expect(await screen.findAllByRole("row")).toHaveLength(4);
});

it("explains how to begin with an empty catalog", async () => {
  renderApp(pb.catalog(), { prepare: (db) => (db.packages = []) });
  expect(await screen.findByText("The catalog is empty")).toBeVisible();
});
