import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { alarm, emptyInstance, type Db } from "../../mock-api/db";
import { vsrPe, vsrRr } from "../../mock-api/fixtures/vnfds";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import { choose } from "@/testing/choose";

vi.setConfig({ testTimeout: 20_000 });
const user = userEvent.setup();
const openFilters = async () => user.click(await screen.findByRole("button", { name: /^Filters/ }));

const rowOf = (name: string) => screen.findByRole("row", { name: new RegExp(name) });
const isGone = (name: string) =>
  waitFor(() => expect(screen.queryByRole("row", { name: new RegExp(name) })).toBeNull());

it("filters by state and cloud on the server, keeps it in the address and the history", async () => {
  let cloud = "";
  const { router, sent } = renderApp(pb.instances(), {
    prepare: (db) => (cloud = db.instances.find(({ name }) => name === "edge-muc-1")?.vimId ?? ""),
  });
  await rowOf("edge-fra-1");
  await openFilters();
  await user.selectOptions(screen.getByLabelText("Instantiation state"), "Instantiated");
  await waitFor(() => expect(router.state.location.search).toBe("?state=INSTANTIATED"));
  await act(() => router.navigate(`/instances?state=INSTANTIATED&cloud=${cloud}`));
  await isGone("edge-fra-1");
  expect(await rowOf("edge-muc-1")).toBeVisible();
  const asked = sent.findLast(({ path }) => path === "/api/v1/vnf_instances")?.query.get("filter");
  expect(asked).toBe(`(eq,instantiationState,'INSTANTIATED');(eq,vimId,'${cloud}')`);
  await act(() => router.navigate(-1));
  expect(await rowOf("edge-fra-1")).toBeVisible();
  await act(() => router.navigate(-1));
  await waitFor(() => expect(screen.getByLabelText("Instantiation state")).toHaveValue(""));
});

it("shows the first page, and keeps its filters open, while the others are still read", async () => {
  renderApp(pb.instances(), {
    prepare: (db) => {
      for (let number = 1; number <= 120; number += 1) db.instances.push(emptyInstance(`many-${number}`, vsrRr));
    },
  });
  const others = Promise.withResolvers<undefined>();
  const served = globalThis.fetch;
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.url.includes("nextpage_opaque_marker")) await others.promise;
    return served(request);
  });
  expect(await screen.findByText("100 so far")).toBeVisible();
  expect(await rowOf("edge-fra-1")).toBeVisible();
  await openFilters();
  await user.selectOptions(screen.getByLabelText("Instantiation state"), "Instantiated");
  expect(screen.getByLabelText("Instantiation state")).toHaveValue("INSTANTIATED");
  await isGone("many-1");
  await user.selectOptions(screen.getByLabelText("Instantiation state"), "All states");
  others.resolve(undefined);
  expect(await screen.findByText("123 in total")).toBeVisible();
});

it("filters by availability as the Overview counts it, and leads there", async () => {
  renderApp(pb.overview());
  const counts = await screen.findByRole("list", { name: "VNF instances by state" });
  await user.click(within(counts).getByRole("link", { name: /1\s*unknown/ }));
  await openFilters();
  expect(await screen.findByLabelText("Availability")).toHaveValue("UNKNOWN");
  expect(await rowOf("edge-muc-1")).toBeVisible();
  await isGone("edge-fra-1");
});

it("filters by the worst alarm, and by there being none", async () => {
  const prepare = (db: Db) => {
    const [one] = db.instances;
    db.alarms = one ? [alarm(one, { perceivedSeverity: "MAJOR" }), alarm(one, { perceivedSeverity: "MINOR" })] : [];
  };
  const { router } = renderApp("/instances?alarms=MAJOR", { prepare });
  expect(await rowOf("edge-fra-1")).toBeVisible();
  await isGone("edge-muc-1");
  await openFilters();
  await user.selectOptions(screen.getByLabelText("Worst alarm"), "Worst alarm: minor");
  expect(await screen.findByText("Nothing matches")).toBeVisible();
  await user.selectOptions(screen.getByLabelText("Worst alarm"), "No alarms");
  expect(await rowOf("edge-muc-1")).toBeVisible();
  expect(router.state.location.search).toBe("?alarms=NONE");
});

it("filters by package, and is kept as a view", async () => {
  const { router } = renderApp(pb.instances(), {
    prepare: (db) => {
      const other = db.instances.find(({ name }) => name === "edge-muc-1");
      if (other) other.vnfd = vsrRr;
    },
  });
  await rowOf("edge-muc-1");
  await openFilters();
  await choose(user, screen.getByLabelText("VNF"), vsrRr.productName, new RegExp(vsrRr.productName));
  await isGone("edge-fra-1");
  expect(router.state.location.search).toBe(`?vnf=${encodeURIComponent(vsrRr.vnfdId)}`);
  await user.click(screen.getByRole("button", { name: "Views" }));
  await user.click(screen.getByRole("menuitem", { name: "Save this view…" }));
  await user.type(await screen.findByLabelText("Name"), "Reflectors");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByRole("button", { name: "View: Reflectors" })).toBeVisible();
});

it("says where a list ends that goes on", async () => {
  const { setScenario } = renderApp(pb.instances(), {
    prepare: ({ instances }) => {
      for (let n = 1; n <= 100; n += 1) instances.push(emptyInstance(`spare-${n}`, vsrPe));
    },
  });
  setScenario("endless:/vnf_instances");
  expect(await screen.findByText(/^The VNF instances: only the first 100 are listed\.$/)).toBeVisible();
});
