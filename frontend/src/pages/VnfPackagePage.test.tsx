import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { vsrPe, vsrPeNext, vsrRr } from "../../mock-api/fixtures/vnfds";
import type { Db } from "../../mock-api/db";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();
const page = (id: string, tab = "", prepare: (db: Db) => void = () => undefined) =>
  renderApp(`${pb.vnfPackage(id)}${tab && `?tab=${tab}`}`, { prepare });

it("says why a package cannot be deleted, and deletes it when it can", async () => {
  const { changesTo, sent } = page(vsrRr.packageId);
  const button = await screen.findByRole("button", { name: "Delete" });
  expect(button).toHaveAttribute("aria-disabled", "true");
  await user.hover(button);
  expect(await screen.findByRole("tooltip")).toHaveTextContent(/Disable it first/);
  await user.click(screen.getByRole("button", { name: "Disable" }));
  await screen.findByRole("button", { name: "Enable" });
  await user.click(screen.getByRole("button", { name: "Delete" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete" }));
  expect(await screen.findByRole("heading", { name: "Catalog" })).toBeVisible();
  expect(changesTo(vsrRr.packageId).map(({ method }) => method)).toEqual(["PATCH", "DELETE"]);
  const deletion = sent.findIndex(({ method }) => method === "DELETE");
  expect(sent.slice(deletion).filter(({ method, path }) => method === "GET" && path.includes(vsrRr.packageId))).toEqual(
    [],
  );
});

it("shows the files as a tree, and the text of one, at the line of a finding", async () => {
  const { router } = page(vsrPe.packageId, "validation");
  await user.click(await screen.findByRole("link", { name: "Line 12 of base.yaml" }));
  const text = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Text of base.yaml" });
  expect(text.value).toContain("OS::Nova::Server");
  expect(text).toHaveAttribute("readonly");
  await user.click(screen.getByText("placeholder.qcow2"));
  expect(await screen.findByText("This is not a text file.")).toBeVisible();
  expect(router.state.location.search).toContain("file=images%2Fplaceholder.qcow2");
  expect(screen.getByRole("link", { name: "Download" })).toHaveAttribute(
    "href",
    expect.stringMatching(/artifacts\/images\/placeholder.qcow2$/),
  );
});

it("lists the ports of what would be made at a level", async () => {
  page(vsrPe.packageId, "topology");
  const ports = async () => within(await screen.findByRole("table", { name: "Ports" })).getAllByRole("row").length - 1;
  expect(await ports()).toBe(2 * 2 + 3);
  await user.selectOptions(screen.getByRole("combobox", { name: "Instantiation level" }), "medium");
  expect(await ports()).toBe(2 * 2 + 3 * 3);
});

it("compares two versions, file by file and line by line", async () => {
  page(vsrPe.packageId, "versions");
  await user.selectOptions(await screen.findByRole("combobox", { name: "Compare with" }), "14.0.R1 (VNFD 1.1.0)");
  const files = within(await screen.findByRole("table", { name: "Files that differ" }));
  expect(files.getByRole("row", { name: /day0\/startup.cfg Added/ })).toBeVisible();
  expect(files.getByRole("row", { name: /day0\/boot.cfg Removed/ })).toBeVisible();
  await user.click(files.getByRole("button", { name: "vnfd.yaml" }));
  const changed = /Removed:\s*softwareVersion: 0.0.B2-4601.*Added:\s*softwareVersion: 14/;
  expect(await screen.findByRole("row", { name: changed })).toBeVisible();
  await user.click(files.getByRole("button", { name: "base.yaml" }));
  expect(await screen.findByRole("button", { name: /Show \d+ equal lines/ })).toBeVisible();
  expect(vsrPeNext.softwareVersion).toBe("14.0.R1");
});

it("says what its signature is worth", async () => {
  const signature = {
    state: "UNKNOWN_SIGNER",
    reason: "No certificate of ours signed it.",
    subject: "CN=acme",
  } as const;
  page(vsrPe.packageId, "", (db) => Object.assign(db.packages[0] ?? {}, { signature }));
  expect(await screen.findByText("Signed by an unknown signer")).toBeVisible();
  expect(screen.getByText(/By CN=acme, .*No certificate of ours/)).toBeVisible();
});

it("lists its instances and its measurements", async () => {
  page(vsrPe.packageId, "instances");
  expect(await screen.findByRole("link", { name: "edge-fra-1" })).toBeVisible();
  expect(screen.queryByRole("link", { name: "rr-lab" })).toBeNull();
  await user.click(screen.getByRole("tab", { name: "Figures" }));
  const figures = within(await screen.findByRole("table", { name: "Measured figures" }));
  expect(figures.getAllByText(/page 6/)[0]).toBeVisible();
});

it("says why onboarding failed", async () => {
  const detail = "base.yaml: the file is missing.";
  page(vsrRr.packageId, "", (db) => {
    const [pkg] = db.packages.filter((each) => each.id === vsrRr.packageId);
    const details = { status: 422, title: "The VNF package is refused", detail };
    Object.assign(pkg ?? {}, { onboardingState: "ERROR", operationalState: "DISABLED", vnfdId: undefined });
    Object.assign(pkg ?? {}, { onboardingFailureDetails: details });
  });
  expect(await screen.findByRole("alert")).toHaveTextContent(detail);
  expect(screen.queryByRole("tab")).toBeNull();
});
