import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { vsrPe, vsrRr } from "../../mock-api/fixtures/vnfds";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";

const user = userEvent.setup();
const how = () => user.click(screen.getByRole("button", { name: "Calculate size" }));
const type = async (label: string, text: string) =>
  user.type(await screen.findByRole("textbox", { name: label }), text);

it("offers the dimensions of the package's figures, in their units", async () => {
  const { changesTo } = renderApp(pb.dimensioning());
  await user.selectOptions(await screen.findByRole("combobox", { name: "VNF" }), vsrPe.vnfdId);
  await type("Packet rate", "100");
  await user.selectOptions(screen.getByRole("combobox", { name: "Unit of Packet rate" }), "kpps");
  await type("Frame size (bytes)", "64");
  await type("Routes", "1,000,000");
  await how();
  await screen.findByRole("region", { name: "Result" });
  expect(changesTo("/dimensioning").at(-1)?.body).toEqual({
    vnfdId: vsrPe.vnfdId,
    hostType: "e5-2699v3",
    demand: {
      frameSize: 64,
      packetRate: { value: 100, unit: "kpps" },
      routes: { value: 1_000_000, unit: "route" },
    },
  });
});

it("shows size, head-room, what binds, warnings, what is not known, and the sources", async () => {
  renderApp(pb.dimensioning(vsrPe.vnfdId));
  await type("Packet rate", "115");
  await type("Routes", "3400000");
  await how();
  const answer = await screen.findByRole("region", { name: "Result" });
  expect(answer.contains(document.activeElement)).toBe(true);
  expect(within(answer).getByRole("status")).toHaveTextContent("Fits: 2 Data path VMs, 4 VMs");
  const bars = within(answer).getByRole("list", { name: "Headroom by dimension" });
  expect(within(bars).getByRole("progressbar", { name: /Packet rate/ })).toHaveAttribute(
    "aria-valuetext",
    "115 of 115 Mpps, headroom 0%",
  );
  expect(within(bars).getAllByText("Limiting")).toHaveLength(1);
  expect(within(answer).getByRole("list", { name: "Warnings" })).toHaveTextContent("3.4 million routes, the text 6");
  expect(within(answer).getByRole("list", { name: "Not known" })).toHaveTextContent("How many cores the VMs had");
  const figures = within(answer).getByRole("table", { name: "Figures used" });
  expect(figures).toHaveTextContent("up to 57.5 MPPS (for 64-byte-sized packets)");
  expect(figures).toHaveTextContent("[1], page 6");
  const sources = within(answer).getByRole("list", { name: "Sources" });
  expect(sources).toHaveTextContent("EANTC for Light Reading, 9 February 2016");
  expect(figures).not.toHaveTextContent(".txt");
});

it("reports sizes beyond tests as unknown, and too large ones as not fitting", async () => {
  renderApp(pb.dimensioning(vsrPe.vnfdId));
  await type("Routes", "3400001");
  await how();
  expect(await screen.findByText(/^Not measured/)).toBeVisible();
  await type("Packet rate", "1000");
  await how();
  expect(await screen.findByText(/^Does not fit in one instance/)).toBeVisible();
  expect(screen.getByText(/one instance has at most 10/)).toBeVisible();
  expect(screen.queryByRole("link", { name: "Use this size" })).toBeNull();
});

it("passes size and scale levels to the wizard", async () => {
  const { changesTo } = renderApp(pb.dimensioning(vsrPe.vnfdId));
  await type("Packet rate", "110");
  await how();
  await user.click(await screen.findByRole("link", { name: "Use this size" }));
  await user.click(await screen.findByRole("radio", { name: "lab-east" }));
  await user.click(screen.getByRole("button", { name: "Next" }));
  await type("Name", "edge-1");
  await user.click(screen.getByRole("button", { name: "Next" }));
  expect(await screen.findByText("Differs from the level: Data path level 1")).toBeVisible();
  await waitFor(() =>
    expect(changesTo("/plans").at(-1)?.body).toMatchObject({
      request: { instantiationLevelId: "medium", targetScaleLevelInfo: [{ aspectId: "datapath", scaleLevel: 1 }] },
    }),
  );
  await user.click(screen.getByRole("button", { name: "Use the instantiation level" }));
  expect(screen.queryByText(/Differs from the level/)).toBeNull();
  expect(screen.getByRole("combobox", { name: "Instantiation level" })).toHaveValue("medium");
});

it("shows errors at the field, its own and the server's", async () => {
  renderApp(pb.dimensioning(vsrPe.vnfdId));
  await type("Packet rate", "-5");
  await how();
  const rate = screen.getByRole("textbox", { name: "Packet rate" });
  expect(rate).toHaveAccessibleDescription(/at least 0/);
  expect(rate).toHaveFocus();
  for (const typed of ["57,5", "2e6"]) {
    await user.clear(rate);
    await type("Packet rate", typed);
    await how();
    expect(rate).toHaveAccessibleDescription(/in digits.*such as 57\.5/);
    expect(rate).toHaveValue(typed);
  }
  await user.clear(rate);
  await type("Routes", "666");
  await how();
  const routes = screen.getByRole("textbox", { name: "Routes" });
  await waitFor(() => expect(routes).toHaveAccessibleDescription(/Not this number/));
  expect(routes).toHaveFocus();
});

it("says so when nothing was measured", async () => {
  renderApp(pb.dimensioning(vsrRr.vnfdId));
  expect(await screen.findByText("No measurements for dimensioning")).toBeVisible();
});

it("shows what was measured of physical routers while no VNF is chosen", async () => {
  renderApp(pb.dimensioning());
  await user.click(await screen.findByRole("button", { name: "Physical routers, to compare" }));
  const router = await screen.findByRole("region", { name: /Huawei NE9000-20 with 4T LPU/ });
  expect(within(router).getByRole("table", { name: "All figures" })).toHaveTextContent("5,120,000 unique routes");
});
