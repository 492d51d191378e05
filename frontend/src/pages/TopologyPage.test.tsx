import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, it } from "vitest";
import { makeElement } from "../../mock-api/fixtures/elements";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import { choose } from "@/testing/choose";
import { stubLayoutForFlow } from "@/testing/flow";
import { chooseUtc } from "@/ui/zone";

const user = userEvent.setup();

beforeAll(stubLayoutForFlow);

const box = (name: RegExp) => screen.findByRole("group", { name, hidden: true });

it("describes collapsed groups: kind, state, alarms and members", async () => {
  renderApp(pb.topology());
  expect(await box(/^Site Frankfurt, up since .*; no alarms; closed, 4 network elements$/)).toBeInTheDocument();
  expect(await box(/^Site Munich, degraded since .*closed, 1 network element$/)).toBeInTheDocument();
  expect(await screen.findByText("The map is incomplete")).toBeVisible();
});

it("opens and closes groups by keyboard, and keeps that in the address", async () => {
  const { router } = renderApp(pb.topology());
  const site = await box(/^Site Frankfurt/);
  site.focus();
  await user.keyboard("+");
  expect(await box(/^Network element pe-fra-2, changing since/)).toBeInTheDocument();
  expect(router.state.location.search).toContain("expand=site%3A");
  (await box(/^Site Frankfurt.*open/)).focus();
  await user.keyboard("-");
  await waitFor(() => expect(screen.queryByRole("group", { name: /pe-fra-2/, hidden: true })).toBeNull());
  expect(router.state.location.search).not.toContain("expand");
});

it("finds a node in a collapsed group, expands it and shows its details", async () => {
  const { router } = renderApp(pb.topology());
  await user.type(await screen.findByRole("textbox", { name: "Find on the map" }), "pe-muc");
  await user.click(await screen.findByRole("button", { name: "pe-muc-1" }));
  const panel = await screen.findByRole("complementary", { name: "Details of pe-muc-1" });
  expect(panel).toHaveTextContent("It does not answer.");
  expect(within(panel).getAllByText("Down")[0]).toBeVisible();
  expect(panel).toHaveTextContent("reported by one end only");
  expect(router.state.location.search).toContain("expand=site%3Amuc");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("complementary", { name: /^Details/ })).toBeNull());
});

it("lists all operations with links, and filters by state", async () => {
  renderApp(`${pb.topology()}?view=list`);
  const nodes = await screen.findByRole("table", { name: "Nodes" });
  expect(within(nodes).getByRole("row", { name: /pe-muc-1 Network element Munich Down/ })).toBeVisible();
  const links = screen.getByRole("table", { name: "Links" });
  expect(within(links).getByRole("row", { name: /LLDP.*pe-fra-1 1\/1\/2.*Down.*One end/ })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Filters" }));
  await user.selectOptions(screen.getByRole("combobox", { name: "State" }), "Down");
  await waitFor(() => expect(screen.queryByRole("row", { name: /pe-fra-2 Network element/ })).toBeNull());
  expect(screen.getByRole("row", { name: /pe-muc-1 Network element/ })).toBeVisible();
});

it("says what to do when nothing is there, and why when nothing can be shown", async () => {
  renderApp(pb.topology(), { prepare: (db) => (db.vims = []) });
  expect(await screen.findByText("The map is empty")).toBeVisible();
});

it("shows the cause when the map cannot be loaded", async () => {
  renderApp(`${pb.topology()}?site=broken`);
  expect(await screen.findByRole("alert")).toHaveTextContent("The database does not answer.");
});

it("closes a node's details by Back, and gives the focus back to what opened them", async () => {
  const { router } = renderApp(`${pb.topology()}?view=list`);
  const open = await screen.findByRole("button", { name: "pe-muc-1" });
  await user.click(open);
  const panel = await screen.findByRole("complementary", { name: "Details of pe-muc-1" });
  await waitFor(() => expect(within(panel).getByRole("heading", { name: "pe-muc-1" })).toHaveFocus());
  await user.click(within(panel).getAllByRole("button", { name: "pe-fra-1" })[0] ?? panel);
  expect(await screen.findByRole("complementary", { name: "Details of pe-fra-1" })).toBeVisible();
  await act(() => router.navigate(-1));
  await waitFor(() => expect(screen.queryByRole("complementary", { name: /^Details/ })).toBeNull());
  expect(router.state.location.search).toBe("?view=list");
  await waitFor(() => expect(screen.getByRole("button", { name: "pe-muc-1" })).toHaveFocus());
});

it("leaves no step behind when details are closed by hand", async () => {
  const { router } = renderApp(`${pb.topology()}?view=list`);
  await user.click(await screen.findByRole("button", { name: "pe-muc-1" }));
  await user.click(await screen.findByRole("button", { name: "Close the details" }));
  await waitFor(() => expect(screen.queryByRole("complementary", { name: /^Details/ })).toBeNull());
  expect(router.state.location.search).toBe("?view=list");
  expect(router.state.historyAction).toBe("POP");
});

it("goes back only over the details, however often they are closed", async () => {
  const { router } = renderApp(pb.vims());
  await screen.findByRole("heading", { name: "Clouds", level: 1 });
  await act(() => router.navigate(`${pb.topology()}?view=list`));
  await user.click(await screen.findByRole("button", { name: "pe-muc-1" }));
  const close = await screen.findByRole("button", { name: "Close the details" });
  act(() => {
    close.click();
    close.click();
  });
  await waitFor(() => expect(screen.queryByRole("complementary", { name: /^Details/ })).toBeNull());
  expect(router.state.location.pathname + router.state.location.search).toBe("/topology?view=list");
  await user.click(await screen.findByRole("button", { name: "pe-muc-1" }));
  await user.click(screen.getByRole("button", { name: "Filters" }));
  await user.selectOptions(screen.getByRole("combobox", { name: "State" }), "Down");
  await user.click(screen.getByRole("button", { name: "Close the details" }));
  await waitFor(() => expect(screen.queryByRole("complementary", { name: /^Details/ })).toBeNull());
  expect(router.state.location.search).toBe("?view=list&state=DOWN");
});

it("expands the groups of the node in the address, and keeps collapsed what the user collapsed", async () => {
  let [vim, instance, vm] = ["", "", ""];
  const { router } = renderApp(() => pb.onMap("vm", vm), {
    prepare: ({ instances: [first] }) => {
      [vim, instance, vm] = [first?.vimId ?? "", first?.id ?? "", first?.vnfcs[0]?.id ?? ""];
    },
  });
  expect(await screen.findByRole("complementary", { name: "Details of edge-fra-1-cpm-a" })).toBeVisible();
  expect(new URLSearchParams(router.state.location.search).get("expand")).toBe(`cloud:${vim},instance:${instance}`);
  // The map scrolls to the named node and gives it the focus.
  await waitFor(async () => expect(await box(/edge-fra-1-cpm-a/)).toHaveFocus());
  (await box(/^VNF instance edge-fra-1,.*open/)).focus();
  await user.keyboard("-");
  await waitFor(() => expect(screen.queryByRole("complementary", { name: /^Details/ })).toBeNull());
  expect(router.state.location.search).not.toContain("instance%3A");
});

it("is left by one step back, though groups were expanded to show the node", async () => {
  let vm = "";
  const { router } = renderApp(pb.alarms(), {
    prepare: ({ instances: [first] }) => {
      vm = first?.vnfcs[0]?.id ?? "";
    },
  });
  await screen.findByRole("heading", { name: "Alarms", level: 1 });
  await act(() => router.navigate(pb.onMap("vm", vm)));
  expect(await screen.findByRole("complementary", { name: "Details of edge-fra-1-cpm-a" })).toBeVisible();
  expect(router.state.location.search).toContain("expand");
  await act(() => router.navigate(-1));
  await waitFor(() => expect(router.state.location.pathname).toBe(pb.alarms()));
});

it("shows an element on the map from its page", async () => {
  let id = "";
  renderApp(() => pb.element(id), { prepare: ({ elements: [element] }) => (id = element?.id ?? "") });
  await user.click(await screen.findByRole("link", { name: "Show on the map" }));
  expect(await screen.findByRole("complementary", { name: "Details of fra-pe-1" })).toBeVisible();
});

it("says that what the address names is not on the map, and shows everything instead of a part", async () => {
  const { router } = renderApp(`${pb.topology()}?node=vm:gone&scope=clouds`);
  expect(await screen.findByText("Not on the map")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Show everything" }));
  expect(await screen.findByText(/The map shows instantiated VNF instances with their VMs/)).toBeVisible();
  expect(router.state.location.search).not.toContain("scope");
});

it("narrows the map to one site or VNF instance, searched on the server", async () => {
  const { router } = renderApp(`${pb.topology()}?view=list`);
  await user.click(await screen.findByRole("button", { name: "Filters" }));
  await choose(user, await screen.findByRole("combobox", { name: "Site" }), "frank", "Frankfurt");
  await waitFor(() => expect(screen.queryByRole("button", { name: "muc-pe-9" })).toBeNull());
  expect(await screen.findByRole("button", { name: "fra-pe-1" })).toBeVisible();
  await choose(user, screen.getByRole("combobox", { name: "VNF instance" }), "edge-fra", "edge-fra-1");
  await waitFor(() => expect(screen.queryByRole("button", { name: "fra-pe-1" })).toBeNull());
  expect(await screen.findByRole("button", { name: "edge-fra-1-cpm-a" })).toBeVisible();
  const params = new URLSearchParams(router.state.location.search);
  expect([params.has("site"), params.has("instance"), params.get("expand")]).toEqual([false, true, "all"]);
  await user.click(screen.getByRole("button", { name: "Kinds" }));
  await user.click(await screen.findByRole("checkbox", { name: "VM" }));
  await waitFor(() => expect(router.state.location.search).toContain("kinds=VM"));
  await user.click(screen.getByRole("button", { name: "Clear all filters" }));
  await waitFor(() => expect(router.state.location.search).toBe("?view=list"));
  await choose(user, screen.getByRole("combobox", { name: "Site" }), "no s", "No site");
  expect(await screen.findByRole("button", { name: "muc-pe-9" })).toBeVisible();
});

it("says since when in the zone that is chosen, at once", async () => {
  renderApp(pb.topology());
  await box(/^Site Frankfurt, up since [^;]*\d;/);
  act(() => chooseUtc(true));
  expect(await box(/^Site Frankfurt, up since [^;]* UTC;/)).toBeInTheDocument();
  act(() => chooseUtc(false));
  expect(await box(/^Site Frankfurt, up since [^;]*\d;/)).toBeInTheDocument();
});

it("saves a moved node though the map is left at once", async () => {
  const { changesTo, router } = renderApp(pb.topology());
  const site = await box(/^Site Frankfurt/);
  site.focus();
  await user.keyboard("{Enter}");
  await screen.findByRole("complementary", { name: "Details of Frankfurt" });
  const chosen = await box(/^Site Frankfurt/);
  act(() => chosen.focus());
  await user.keyboard("{ArrowRight}");
  await act(() => router.navigate(pb.alarms()));
  await waitFor(() => expect(changesTo("/topology/positions")).toHaveLength(1));
  const { positions } = changesTo("/topology/positions")[0]?.body as { positions: Record<string, unknown> };
  expect(Object.keys(positions)).toEqual([expect.stringMatching(/^site:/)]);
});

it("does not open all groups of a large network, and says why to the keyboard, too", async () => {
  const { router } = renderApp(pb.topology(), {
    prepare: ({ elements }) => {
      for (let n = 1; n <= 12_000; n += 1) elements.push(makeElement({ name: `pe-${n}` }));
    },
  });
  const open = await screen.findByRole("button", { name: "Expand all" });
  act(() => open.focus());
  expect(await screen.findByRole("tooltip")).toHaveTextContent(
    /^\d+ boxes are too many for the map: open groups one by/,
  );
  expect(open).toHaveAttribute("aria-disabled", "true");
  await user.keyboard("{Enter}");
  expect(router.state.location.search).toBe("");
});
