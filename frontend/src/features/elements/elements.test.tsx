import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { makeEquipment } from "../../../mock-api/fixtures/elements";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();

it("lists physical and virtual routers with their state, and never a stale green", async () => {
  renderApp(pb.elements());
  const row = await screen.findByRole("row", { name: /fra-pe-1/ });
  expect(row).toHaveTextContent(/Physical7750 SR-12TiMOS-C-13.0.R6Frankfurt.*Reachable.*Managed/);
  expect(await within(row).findByRole("link", { name: "1 · Major: 1 alarm, worst major" })).toBeVisible();
  expect(screen.getByRole("row", { name: /muc-pe-9/ })).toHaveTextContent(/Unreachable/);
  const resync = screen.getByRole("progressbar", { name: "Resync of edge-fra-1" });
  expect(resync).toHaveAttribute("aria-valuenow", "40");
});

it("shows failed alarm counts as unknown, not as zero", async () => {
  const { setScenario } = renderApp(pb.elements());
  setScenario("error-500:/alarm_summary/objects");
  const row = await screen.findByRole("row", { name: /muc-pe-9/ });
  expect(row).toHaveTextContent("…");
  await waitFor(() => expect(row).toHaveTextContent("unknown"));
});

it("filters and sorts on the server, and keeps that in the address", async () => {
  const { router, sent } = renderApp(pb.elements());
  await screen.findByRole("row", { name: /muc-pe-9/ });
  await user.click(await screen.findByRole("button", { name: /^Filters/ }));
  await user.selectOptions(screen.getByLabelText("Kind"), "VIRTUAL");
  await waitFor(() => expect(screen.queryByRole("row", { name: /muc-pe-9/ })).toBeNull());
  await user.click(screen.getByRole("button", { name: "Type" }));
  await waitFor(() => expect(router.state.location.search).toBe("?kind=VIRTUAL&sort=chassisType"));
  const asked = sent.findLast(({ path }) => path === "/api/v1/elements")?.query;
  expect([asked?.get("filter"), asked?.get("sort")]).toEqual(["(eq,kind,'VIRTUAL')", "chassisType"]);
  const search = screen.getByLabelText("Search by name or address");
  await user.type(search, "nothing-like-it");
  expect(await screen.findByText("Nothing matches")).toBeVisible();
  await user.clear(search);
  await user.type(search, "10.0.");
  await waitFor(() => {
    const filter = sent.findLast(({ path }) => path === "/api/v1/elements")?.query.get("filter");
    expect(filter).toContain("(cont,managementAddress,'10.0.')");
  });
  await act(() => router.navigate(-1));
  await waitFor(() => expect(router.state.location.search).toBe("?kind=VIRTUAL"));
});

it("shows a rejection at its field, keeping the input", async () => {
  const { changesTo, router } = renderApp(pb.elements());
  await user.click(await screen.findByRole("button", { name: "Register an element" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText(/^Name/), "fra-pe-2");
  const address = dialog.getByLabelText(/^Management address/);
  await user.type(address, "nowhere");
  await user.click(dialog.getByRole("button", { name: "Register" }));
  await waitFor(() => expect(address).toHaveAccessibleDescription(/valid IPv4 or IPv6/));
  await waitFor(() => expect(address).toHaveFocus());
  expect(dialog.getByLabelText(/^Name/)).toHaveValue("fra-pe-2");
  await user.clear(address);
  await user.type(address, "192.0.2.12");
  await user.click(dialog.getByRole("button", { name: "Register" }));
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/elements\/.+/));
  expect(await screen.findByRole("heading", { name: "fra-pe-2", level: 1 })).toBeVisible();
  expect(changesTo("/elements").at(-1)?.body).toMatchObject({ name: "fra-pe-2", kind: "PHYSICAL", siteId: null });
});

it("presets the policies whose networks have the typed address, and keeps what is chosen", async () => {
  const { changesTo } = renderApp(pb.elements());
  await user.click(await screen.findByRole("button", { name: "Register an element" }));
  const dialog = within(await screen.findByRole("dialog"));
  const snmp = dialog.getByRole("combobox", { name: /^SNMP policy/ });
  const address = dialog.getByLabelText(/^Management address/);
  expect(snmp).toHaveValue("");
  await user.type(address, "203.0.113.7");
  expect(snmp).toHaveValue("");
  await user.clear(address);
  await user.type(address, "192.0.2.12");
  await waitFor(() => expect(snmp).toHaveValue("public-v2c"));
  expect(dialog.getByRole("combobox", { name: /^SSH policy/ })).toHaveValue("operators");
  await user.click(dialog.getByRole("button", { name: "Clear SNMP policy" }));
  await user.type(address, "3");
  expect(snmp).toHaveValue("");
  await user.type(dialog.getByLabelText(/^Name/), "fra-pe-2");
  await user.click(dialog.getByRole("button", { name: "Register" }));
  await waitFor(() => expect(changesTo("/elements")).toHaveLength(1));
  const body = changesTo("/elements").at(-1)?.body as Record<string, unknown>;
  expect([body["snmpPolicyId"], body["sshPolicyId"]]).toEqual([null, expect.stringMatching(/.+/)]);
});

it("says a rejection once, at its field, with what to do", async () => {
  renderApp(pb.elements());
  await user.click(await screen.findByRole("button", { name: "Register an element" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText(/^Name/), "fra-pe-2");
  await user.type(dialog.getByLabelText(/^Management address/), "nowhere");
  await user.click(dialog.getByRole("button", { name: "Register" }));
  expect(await dialog.findAllByText(/Enter a valid IPv4 or IPv6 address/)).toHaveLength(1);
  expect(dialog.getByRole("alert")).toHaveTextContent(/^Danger alert:Not savedCorrect it\.$/);
  expect(dialog.queryByText(/HTTP|Code/)).toBeNull();
});

it("has the button for a new site at the field of the site", async () => {
  renderApp(pb.elements());
  await user.click(await screen.findByRole("button", { name: "Register an element" }));
  const dialog = within(await screen.findByRole("dialog"));
  const field = dialog.getByRole("combobox", { name: "Site" }).closest<HTMLElement>(".pf-v6-c-form__group");
  expect(field && within(field).getByRole("button", { name: "New site" })).toBeVisible();
});

it("shows the equipment as a tree with arrow keys, and the selected part", async () => {
  renderApp(pb.elements());
  await user.click(await screen.findByRole("link", { name: "fra-pe-1" }));
  const tree = await screen.findByRole("tree", { name: "Equipment of fra-pe-1" });
  const card = within(tree).getByRole("treeitem", { name: /Card 2.*Provisioned, missing/ });
  await user.click(card);
  const panel = within(await screen.findByRole("region", { name: "Card 2" }));
  expect(panel.getByText("The slot is empty.")).toBeVisible();
  expect(panel.getByText(/:shelf-1:cardSlot-2:card$/)).toBeVisible();
  expect(await panel.findByRole("link", { name: "Card down" })).toBeVisible();
  expect(card).toHaveAttribute("aria-selected", "true");
  await user.keyboard("{Home}{ArrowDown}{ArrowLeft}");
  const element = within(tree).getByRole("treeitem", { name: /fra-pe-1/ });
  expect(element).toHaveFocus();
  expect(element).toHaveAttribute("aria-expanded", "false");
  expect(element).toHaveTextContent("1 not in service");
  await user.keyboard("{ArrowRight}{ArrowRight}");
  expect(within(tree).getByRole("treeitem", { name: /Shelf 1/ })).toHaveFocus();
});

it("shows a part's own alarms, or that they are loading", async () => {
  const { setScenario } = renderApp(pb.elements());
  await user.click(await screen.findByRole("link", { name: "fra-pe-1" }));
  const tree = within(await screen.findByRole("tree", { name: "Equipment of fra-pe-1" }));
  await user.click(tree.getByRole("treeitem", { name: /Card 2/ }));
  await within(await screen.findByRole("region", { name: "Card 2" })).findByRole("link", { name: "Card down" });
  await user.click(tree.getByRole("treeitem", { name: /^Card 1/ }));
  expect(await screen.findByText(/No active alarms/)).toBeVisible();
  setScenario("held:/api/v1/alarms");
  await user.click(tree.getByRole("treeitem", { name: /^Card 3/ }));
  expect(await screen.findByRole("region", { name: "Card 3" })).toBeVisible();
  expect(screen.queryByText(/No active alarms/)).toBeNull();
});

it("stays fast with a thousand ports, rendered on demand", async () => {
  renderApp(pb.elements(), {
    prepare: ({ elements: [element], equipment }) => {
      if (element) equipment.set(element.id, makeEquipment(element, 20, 50));
    },
  });
  await user.click(await screen.findByRole("link", { name: "fra-pe-1" }));
  const tree = await screen.findByRole("tree");
  expect(within(tree).getAllByRole("treeitem").length).toBeLessThan(60);
  within(tree)
    .getByRole("treeitem", { name: /MDA 3\/1/ })
    .focus();
  await user.click(within(tree).getByRole("treeitem", { name: /MDA 3\/1/ }));
  await user.keyboard("{ArrowRight}");
  expect(within(tree).getByRole("treeitem", { name: /Port 3\/1\/50/ })).toBeVisible();
});

it("names what an element answers and is not shown as read", async () => {
  renderApp(pb.elements(), {
    prepare: ({ elements: [element] }) => {
      if (element) element.omissionCount = 1;
    },
  });
  await user.click(await screen.findByRole("link", { name: "fra-pe-1" }));
  await user.click(await screen.findByRole("button", { name: /Not shown as read: 1 row or table/ }));
  expect(await screen.findByText(/ipAddressTable could not be read: it repeats a row/)).toBeVisible();
});

it("links a virtual router's card to the VM that it is, and the instance to its element", async () => {
  const { router } = renderApp(pb.elements());
  await user.click(await screen.findByRole("link", { name: "edge-fra-1" }));
  const tree = within(await screen.findByRole("tree"));
  await user.click(tree.getByRole("treeitem", { name: /^Card 1/ }));
  await user.click(await screen.findByRole("link", { name: "edge-fra-1-iom-1 of edge-fra-1" }));
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/instances\//));
  expect(router.state.location.search).toMatch(/^\?vnfc=.+/);
  await user.click(await screen.findByRole("tab", { name: "Element" }));
  expect(await screen.findByRole("link", { name: "Open the element" })).toHaveAttribute(
    "href",
    expect.stringContaining("/elements/"),
  );
});

it("lists interfaces, neighbours and facts", async () => {
  renderApp(pb.elements());
  await user.click(await screen.findByRole("link", { name: "fra-pe-1" }));
  await user.click(await screen.findByRole("tab", { name: "Interfaces" }));
  expect(await screen.findByRole("row", { name: /1\/1\/1.*Up.*10 Gbit\/s.*198\.51\.100\.1\/31/ })).toBeVisible();
  await user.click(screen.getByRole("tab", { name: "BGP" }));
  expect(await screen.findByRole("row", { name: /203\.0\.113\.7.*Base.*64500.*Active/ })).toBeVisible();
  const search = screen.getByRole("textbox", { name: "Search BGP neighbours" });
  await user.type(search, "Active UP");
  expect(await screen.findByRole("row", { name: /203\.0\.113\.7/ })).toBeVisible();
  await user.type(search, " DOWN");
  await waitFor(() => expect(screen.queryByRole("row", { name: /203\.0\.113\.7/ })).toBeNull());
  await user.click(screen.getByRole("tab", { name: "Facts" }));
  expect(await screen.findByRole("row", { name: /Redundancy.*standby ready/ })).toBeVisible();
});

it("says what an action means before it is done, and why another cannot be", async () => {
  const { changesTo } = renderApp(pb.elements());
  await user.click(await screen.findByRole("link", { name: "fra-pe-1" }));
  await user.click(await screen.findByRole("button", { name: "Actions" }));
  expect(screen.getByRole("menuitem", { name: "Manage" })).toHaveAttribute("aria-disabled", "true");
  await user.click(screen.getByRole("menuitem", { name: "Suspend" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/Polling stops/)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Suspend" }));
  expect(await screen.findByText("Suspended")).toBeVisible();
  expect(changesTo("/suspend")[0]?.headers.get("If-Match")).toBe('"3"');
  expect(await screen.findByRole("button", { name: "Manage" })).toBeVisible();
});

const PE = "fra-pe-1";
/** A colleague changes the element while its page is open. */
async function withColleague() {
  let id = "";
  const app = renderApp(pb.elements(), {
    prepare: ({ elements }) => {
      id = elements.find(({ name }) => name === PE)?.id ?? "";
    },
  });
  await user.click(await screen.findByRole("link", { name: PE }));
  const change = async (body: object) => {
    const headers = { "Content-Type": "application/json" };
    await fetch(`/api/v1/elements/${id}`, { method: "PATCH", headers, body: JSON.stringify(body) });
  };
  const choose = async (item: string) => {
    await user.click(await screen.findByRole("button", { name: "Actions" }));
    await user.click(screen.getByRole("menuitem", { name: item }));
    return within(await screen.findByRole("dialog"));
  };
  return {
    change,
    choose,
    mine: () => app.changesTo(`/elements/${id}`).filter(({ headers }) => headers.has("If-Match")),
  };
}

it("saves only the input, though the element was refetched", async () => {
  const { change, choose, mine } = await withColleague();
  const dialog = await choose("Edit");
  await change({ softwareVersion: "TiMOS-C-99" });
  expect(await screen.findByText(/TiMOS-C-99/)).toBeInTheDocument();
  await user.type(dialog.getByLabelText(/^Management address/), "9");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(mine().at(-1)?.body).toEqual({ managementAddress: "192.0.2.119" });
  expect(mine().at(-1)?.headers.get("If-Match")).toBe('"4"');
});

it("neither overwrites nor deletes what another user changed while the dialog was open", async () => {
  const { change, choose, mine } = await withColleague();
  const dialog = await choose("Edit");
  await change({ managementAddress: "192.0.2.88" });
  expect((await screen.findAllByText(/192\.0\.2\.88/))[0]).toBeInTheDocument();
  await user.type(dialog.getByLabelText(/^Name/), "-new");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await dialog.findByText(/Changed since you opened this/)).toBeVisible();
  const changed = within(dialog.getByRole("list", { name: "Changes" }));
  expect(changed.getByText("Management address").parentElement).toHaveTextContent("192.0.2.11 and is now 192.0.2.88.");
  expect(dialog.getByLabelText(/^Name/)).toHaveValue(`${PE}-new`);
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  const removing = await choose("Delete");
  await change({ managementAddress: "192.0.2.89" });
  expect((await screen.findAllByText(/192\.0\.2\.89/))[0]).toBeInTheDocument();
  await user.type(removing.getByLabelText(/Name of the element/), PE);
  await user.click(removing.getByRole("button", { name: "Delete" }));
  expect(await removing.findByText(/Changed since you opened this/)).toBeVisible();
  expect(mine().map(({ method, headers }) => [method, headers.get("If-Match")])).toEqual([["PATCH", '"3"']]); // The first request was refused.
});
