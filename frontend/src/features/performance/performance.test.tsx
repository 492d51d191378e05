import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { renderApp } from "@/testing/app";
import { csvOf } from "@/ui/csv";
import { rowsOf } from "./CompareSeries";
import { MOST_SERIES, readSeries, seriesKey, writeSeries } from "./series";

vi.setConfig({ testTimeout: 20_000 });

const series = (object: string) => ({ elementId: "e/1", object, counter: "octetsIn" });

it("keeps series of any name in the address, up to the maximum", () => {
  const odd = [series("1/1/1"), series("to a,b~c & d"), series("(element)")];
  expect(readSeries(writeSeries(odd))).toEqual(odd);
  const many = Array.from({ length: 9 }, (_, index) => series(String(index)));
  expect(readSeries(writeSeries(many))).toHaveLength(MOST_SERIES);
  expect(readSeries(`${seriesKey(series("a"))},${seriesKey(series("a"))},nonsense,%E0%A4%A`)).toEqual([series("a")]);
});

it("aligns series by time, with gaps where unknown", () => {
  const [one, other] = [
    {
      values: new Map([
        ["2016-02-09T12:00:00Z", 1],
        ["2016-02-09T12:01:00Z", null],
      ] as const),
    },
    { values: new Map([["2016-02-09T12:01:00Z", 7]] as const) },
  ];
  expect(rowsOf([one, other])).toEqual([
    { at: "2016-02-09T12:00:00Z", values: [1, null] },
    { at: "2016-02-09T12:01:00Z", values: [null, 7] },
  ]);
});

it("writes CSV that no spreadsheet takes for a formula", () => {
  expect(csvOf([["a", 'say "x"', "=1+1", -3, null]])).toBe('a,"say ""x""",\'=1+1,-3,\r\n');
});

it("lists the busiest, says what is unknown, and compares over time", async () => {
  const { router, sent } = renderApp("/performance");
  const user = userEvent.setup();
  const busiest = await screen.findByRole("region", { name: "Busiest" });
  expect(await within(busiest).findByText("90.0 %")).toBeVisible();
  await user.click(within(busiest).getByRole("button", { name: "Compare fra-pe-1 1/1/1" }));
  const chart = await screen.findByRole("slider", { name: "Utilisation and load: point in time" });
  expect(router.state.location.search).toContain("series=");
  expect(await screen.findByRole("columnheader", { name: /fra-pe-1 · 1\/1\/1 · utilisation in/ })).toBeVisible();

  act(() => chart.focus());
  await user.keyboard("{Home}");
  expect(chart).toHaveAttribute("aria-valuetext", expect.stringMatching(/utilisation in \d/));
  await user.keyboard("{ArrowRight>20/}");
  expect(chart).toHaveAttribute("aria-valuenow", "20");
  expect(chart).toHaveAttribute("aria-valuetext", expect.stringContaining("utilisation in unknown"));

  await user.selectOptions(screen.getByRole("combobox", { name: "Objects" }), "elements");
  expect(await within(busiest).findByText(/none since/)).toBeVisible();
  expect(sent.findLast(({ path }) => path.endsWith("/performance/top"))?.query.get("sort")).toBe("-cpu");

  await user.click(screen.getByRole("button", { name: /^Remove fra-pe-1 · 1\/1\/1 / }));
  expect(await screen.findByText(/No series selected/)).toBeVisible();
});

it("lets a viewer compare, which changes nothing", async () => {
  const { router } = renderApp("/performance", {
    prepare: ({ session }) => {
      if (session) Object.assign(session, { roles: ["viewer"] });
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Compare fra-pe-1 1/1/1" }));
  expect(router.state.location.search).toContain("series=");
  expect(screen.getByRole("button", { name: "Add to the chart" })).toHaveAttribute("aria-disabled", "true");
  await userEvent.hover(screen.getByRole("button", { name: "Add to the chart" }));
  expect(await screen.findByRole("tooltip")).toHaveTextContent("Choose an element first.");
});

it("shows on the page of an instance what its element counts, and that its VMs are not measured", async () => {
  renderApp("/instances");
  const user = userEvent.setup();
  await user.click(await screen.findByRole("link", { name: "edge-fra-1" }));
  await user.click(await screen.findByRole("tab", { name: "Performance" }));
  expect(await screen.findByRole("slider", { name: "Utilisation and load: point in time" })).toBeVisible();
  const vms = await screen.findByRole("region", { name: "VMs, last 15 minutes" });
  expect(within(vms).getAllByText("not measured").length).toBeGreaterThan(0);
  expect(within(vms).getByText(/not from the cloud's telemetry/)).toBeVisible();
});
