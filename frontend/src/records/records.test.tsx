import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { pb } from "@/paths";
import { makePolicy } from "../../mock-api/fixtures/elements";
import { renderApp } from "@/testing/app";
import { choose } from "@/testing/choose";
import { chooseUtc } from "@/ui/zone";
import { RecordField } from "./RecordField";

const user = userEvent.setup();
afterEach(() => {
  vi.unstubAllEnvs();
  chooseUtc(false);
});
const dialogOf = async () => within(await screen.findByRole("dialog"));

const ruleId = async (): Promise<string> =>
  ((await (await fetch("/api/v1/discovery_rules")).json()) as [{ id: string }])[0].id;

it("adds, changes and removes a site", async () => {
  const { changesTo } = renderApp(pb.administration("sites"));
  await user.click(await screen.findByRole("button", { name: "Add a site" }));
  let dialog = await dialogOf();
  await user.click(dialog.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(dialog.getByLabelText(/^Name/)).toHaveAccessibleDescription(/This field is required/));
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
  const [added, ...others] = changesTo("");
  expect(added?.body).toEqual({ name: "Munich", description: "", latitude: 48.14, longitude: null });
  expect(others.map(({ method, headers }) => [method, headers.get("If-Match")])).toEqual([
    ["PATCH", '"1"'],
    ["DELETE", '"2"'],
  ]);
});

it("shows the fields of the policy's protocol, and never a secret", async () => {
  const { changesTo } = renderApp(pb.administration("policies"));
  expect(await screen.findByRole("row", { name: /operators.*SSH.*password: set/ })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Add a mediation policy" }));
  let dialog = await dialogOf();
  expect(dialog.queryByLabelText("Private key")).toBeNull();
  await user.type(dialog.getByLabelText(/^Name/), "lab");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(dialog.getByLabelText(/^Networks/)).toHaveAccessibleDescription(/required/));
  await user.type(dialog.getByLabelText(/^Networks/), "10.1.0.0/16");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(dialog.getByLabelText("Community")).toHaveAccessibleDescription(/needs a community/));
  await user.type(dialog.getByLabelText("Community"), "s3cret");
  await user.clear(dialog.getByLabelText(/^Networks/));
  await user.type(dialog.getByLabelText(/^Networks/), "0.0.0.0/0");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(dialog.getByLabelText(/^Networks/)).toHaveAccessibleDescription(/too large/));
  await user.clear(dialog.getByLabelText(/^Networks/));
  await user.type(dialog.getByLabelText(/^Networks/), "10.1.0.0/16");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  await user.click(await screen.findByRole("button", { name: "Edit lab" }));
  dialog = await dialogOf();
  expect(dialog.getByLabelText("Community")).toHaveValue("");
  expect(dialog.getByLabelText("Community")).toHaveAccessibleDescription("Set. Empty: unchanged.");
  expect(dialog.getByLabelText(/^Protocol/)).toBeDisabled();
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(changesTo("").at(-1)?.body).not.toHaveProperty("community");
  expect(document.body.textContent).not.toContain("s3cret");
});

it("takes a private key as it is pasted, line by line", async () => {
  const { changesTo } = renderApp(pb.administration("policies"));
  await user.click(await screen.findByRole("button", { name: "Edit operators" }));
  const dialog = await dialogOf();
  const key = dialog.getByLabelText("Private key");
  expect(key).toHaveValue("");
  await user.click(key);
  await user.paste("-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(changesTo("").at(-1)?.body).toMatchObject({ privateKey: "-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n" });
});

it("shows a select's choice once, also one that is no longer offered", () => {
  const shown = (value: string) => {
    const options = [
      ["", "None"],
      ["SHA", "SHA"],
    ] as const;
    const spec = { kind: "select", name: "auth", label: "Authentication", options } as const;
    const { unmount } = render(
      <RecordField spec={spec} utc value={value} error={undefined} disabled={false} onChange={() => undefined} />,
    );
    const words = [screen.getByLabelText<HTMLSelectElement>("Authentication").selectedOptions[0]?.text];
    words.push(...screen.getAllByRole("option").map(({ textContent }) => textContent));
    unmount();
    return words;
  };
  expect(shown("")).toEqual(["None", "None", "SHA"]);
  expect(shown("MD5")).toEqual(["current: MD5", "None", "SHA", "current: MD5"]);
});

it("runs a discovery rule and shows what it registered", async () => {
  renderApp(pb.administration("discovery"));
  await user.click(await screen.findByRole("button", { name: "Run now: Frankfurt loopbacks" }));
  await user.click(await screen.findByRole("button", { name: /found by Frankfurt loopbacks$/ }));
  const found = within(await screen.findByRole("region", { name: "Found by Frankfurt loopbacks" }));
  expect(await found.findByRole("row", { name: /192\.0\.2\.77.*Registered/ })).toBeVisible();
  expect(found.getByRole("link", { name: "fra-pe-1" })).toBeVisible();
});

it("shows results of a scan live, to viewers", async () => {
  renderApp(pb.administration("discovery"));
  await user.click(await screen.findByRole("button", { name: /found by Frankfurt loopbacks$/ }));
  const found = within(await screen.findByRole("region", { name: "Found by Frankfurt loopbacks" }));
  expect(found.queryByRole("row", { name: /192\.0\.2\.77/ })).toBeNull();
  await fetch(`/api/v1/discovery_rules/${await ruleId()}/scan`, { method: "POST" }); // Another user starts the scan.
  expect(await found.findByRole("row", { name: /192\.0\.2\.77.*Registered/ })).toBeVisible();
});

it("saves a rule during its scan, whose progress is no concurrent change", async () => {
  const { changesTo } = renderApp(pb.administration("discovery"));
  await user.click(await screen.findByRole("button", { name: "Edit Frankfurt loopbacks" }));
  const dialog = await dialogOf();
  const every = dialog.getByLabelText("Scan interval (s)");
  await user.clear(every);
  await user.type(every, "7200");
  await fetch(`/api/v1/discovery_rules/${await ruleId()}/scan`, { method: "POST" });
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByRole("row", { name: /Frankfurt loopbacks.*every 7200 s/ })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const tries = changesTo("").filter(({ method }) => method === "PATCH");
  expect(tries.map(({ headers }) => headers.get("If-Match"))).toEqual(['"2"', '"3"']);
});

it("keeps the input after a concurrent change and shows the changes", async () => {
  const { changesTo } = renderApp(pb.administration("discovery"));
  await user.click(await screen.findByRole("button", { name: "Edit Frankfurt loopbacks" }));
  const dialog = await dialogOf();
  const exclude = dialog.getByLabelText("Exclude");
  await user.clear(exclude);
  await user.type(exclude, "192.0.2.9");
  await fetch(`/api/v1/discovery_rules/${await ruleId()}`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ scanInterval: 60, exclude: ["192.0.2.2"] }),
  });
  await user.click(dialog.getByRole("button", { name: "Save" }));
  const changed = within(await dialog.findByRole("list", { name: "Changes" }));
  expect(changed.getByText(/Scan interval \(s\)/).parentElement).toHaveTextContent("was 3600 and is now 60.");
  expect(changed.getByText("Exclude").parentElement).toHaveTextContent(
    "was 192.0.2.1 and is now 192.0.2.2; saving replaces it with your input, 192.0.2.9.",
  );
  expect(exclude).toHaveValue("192.0.2.9");
  expect(dialog.getByLabelText("Scan interval (s)")).toHaveValue(60);
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(changesTo("").at(-1)?.body).toMatchObject({ scanInterval: 60, exclude: ["192.0.2.9"] });
});

it("never replaces a concurrently changed secret without confirmation", async () => {
  const { changesTo } = renderApp(pb.administration("policies"));
  await user.click(await screen.findByRole("button", { name: "Edit operators" }));
  const dialog = await dialogOf();
  await user.type(dialog.getByLabelText("Password"), "mine");
  const all = (await (await fetch("/api/v1/mediation_policies")).json()) as { id: string; name: string }[];
  await fetch(`/api/v1/mediation_policies/${all.find(({ name }) => name === "operators")?.id}`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ password: "theirs" }),
  });
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await dialog.findByText(/perhaps with another secret/)).toBeVisible();
  expect(changesTo("").filter(({ headers }) => headers.get("If-Match"))).toHaveLength(1);
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(changesTo("").at(-1)?.body).toMatchObject({ password: "mine" });
});

it("finds one among more policies than a page holds, by keyboard alone", async () => {
  const { sent } = renderApp(pb.administration("discovery"), {
    prepare: (db) => {
      db.mediationPolicies.push(
        ...Array.from({ length: 250 }, (_, n) => makePolicy({ id: `policy-${n}`, name: `lab-${n}` })),
      );
    },
  });
  await user.click(await screen.findByRole("button", { name: "Edit Frankfurt loopbacks" }));
  const dialog = await dialogOf();
  const field = dialog.getByRole("combobox", { name: "SNMP policy" });
  await waitFor(() => expect(field).toHaveValue("public-v2c"));
  await user.click(field);
  expect(await screen.findByText("More matches: refine the search")).toBeVisible();
  await user.keyboard("{Enter}"); // Enter without a chosen option must not choose one.
  expect(field).toHaveValue("public-v2c");
  await user.clear(field);
  await user.type(field, "lab-24{Enter}"); // The list still shows options for the previous text.
  expect(field).toHaveValue("lab-24");
  expect(await screen.findByRole("option", { name: "lab-249" })).toBeVisible();
  expect(sent.findLast(({ path }) => path === "/api/v1/mediation_policies")?.query.get("filter")).toBe(
    "(cont,name,'lab-24');(in,protocol,'SNMPv2c','SNMPv3')",
  );
  await user.keyboard("{ArrowDown}{Enter}");
  expect(field).toHaveValue("lab-240");
  expect(field).toHaveFocus();
  await user.keyboard("{ArrowDown}{Escape}");
  await waitFor(() => expect(screen.queryByRole("option")).toBeNull());
  expect(screen.getByRole("dialog")).toBeVisible();
});

it("says at its field what is wrong in a list", async () => {
  renderApp(pb.administration("discovery"));
  await user.click(await screen.findByRole("button", { name: "Add a discovery rule" }));
  const dialog = await dialogOf();
  await user.type(dialog.getByLabelText(/^Name/), "odd");
  await user.type(dialog.getByLabelText(/^Include/), "the cellar");
  await choose(user, dialog.getByLabelText(/^SNMP policy/), "public", "public-v2c");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(dialog.getByLabelText(/^Include/)).toHaveAccessibleDescription(/no range of addresses/));
});

it("parses a time in the zone in which it was typed, though another tab changed the zone", async () => {
  vi.stubEnv("TZ", "Asia/Tokyo");
  chooseUtc(true);
  expect(new Date().getTimezoneOffset()).toBe(-540);
  const { changesTo } = renderApp(pb.administration("maintenance"));
  await user.click(await screen.findByRole("button", { name: "Add a maintenance window" }));
  const dialog = await dialogOf();
  await choose(user, dialog.getByLabelText(/^Object/), "fra-pe", "Network element fra-pe-1");
  const from = dialog.getByLabelText<HTMLInputElement>(/^From/);
  expect(from).toHaveAccessibleDescription(/In UTC\./);
  act(() => chooseUtc(false));
  await user.type(dialog.getByLabelText(/^Reason/), "Cards are moved");
  expect(from).toHaveAccessibleDescription(/In UTC\./);
  await user.click(dialog.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(changesTo("/maintenance_windows")).toHaveLength(1));
  expect(changesTo("/maintenance_windows")[0]?.body).toMatchObject({ startsAt: `${from.value}:00.000Z` });
});

it("plans a maintenance window for an element", async () => {
  const { changesTo } = renderApp(pb.administration("maintenance"));
  await user.click(await screen.findByRole("button", { name: "Add a maintenance window" }));
  const dialog = await dialogOf();
  await choose(user, dialog.getByLabelText(/^Object/), "fra-pe", "Network element fra-pe-1");
  await user.type(dialog.getByLabelText(/^Reason/), "New line card");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  expect(await screen.findByRole("row", { name: /fra-pe-1.*Active.*New line card/ })).toBeVisible();
  expect(changesTo("/maintenance_windows")[0]?.body).toMatchObject({ managedObjectType: "NETWORK_ELEMENT" });
});
