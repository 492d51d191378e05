import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { ThresholdRule } from "@/api/types";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import { freshRule, presetClearValues, ruleInput, type Place } from "./thresholdFields";

vi.setConfig({ testTimeout: 20_000 });
const user = userEvent.setup();

async function openCounters(object?: string) {
  const app = renderApp(pb.elements());
  await user.click(await screen.findByRole("link", { name: "fra-pe-1" }));
  await user.click(await screen.findByRole("tab", { name: "Counters" }));
  if (object) await user.selectOptions(await screen.findByRole("combobox", { name: "Object" }), object);
  return app;
}

it("sets a threshold in a chart, at its last value, lists it with its state, and draws its line", async () => {
  const { changesTo } = await openCounters();
  await user.click(await screen.findByRole("button", { name: "Set a threshold in Load" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByLabelText(/^Name/)).toHaveValue("fra-pe-1 · CPU");
  const threshold = dialog.getByLabelText(/^Threshold \(%\)/);
  expect(Number((threshold as HTMLInputElement).value)).toBeGreaterThan(9);
  await user.clear(threshold);
  await user.type(threshold, "40");
  await user.clear(dialog.getByLabelText(/^Clears at/));
  await user.type(dialog.getByLabelText(/^Clears at/), "30");
  await user.selectOptions(dialog.getByLabelText(/^Severity/), "MAJOR");
  await user.click(dialog.getByRole("button", { name: "Add" }));

  const rules = within(await screen.findByRole("region", { name: "Threshold rules" }));
  const row = within(await rules.findByRole("row", { name: /fra-pe-1 · CPU/ }));
  expect(row.getByText("CPU above 40 %, clears at 30 %")).toBeVisible();
  expect(await row.findByText("Crossed")).toBeVisible();
  expect(row.getByText(/45 %, beyond since/)).toBeVisible();
  expect(row.getByText("1 time")).toBeVisible();
  expect(await screen.findByText("clears at 30 %")).toBeVisible();
  expect(changesTo("/threshold_rules")[0]?.body).toMatchObject({
    ...{ counter: "cpu", direction: "ABOVE", threshold: 40, clearValue: 30, severity: "MAJOR", object: null },
  });

  await user.click(row.getByRole("button", { name: "Edit fra-pe-1 · CPU" }));
  const edit = within(await screen.findByRole("dialog"));
  expect(edit.queryByLabelText(/^Applies to/)).toBeNull();
  await user.clear(edit.getByLabelText(/^Threshold/));
  await user.type(edit.getByLabelText(/^Threshold/), "50");
  await user.click(edit.getByRole("button", { name: "Save" }));
  expect(await rules.findByText("CPU above 50 %, clears at 30 %")).toBeVisible();
  await user.click(rules.getByRole("button", { name: "Delete fra-pe-1 · CPU" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete" }));
  expect(await screen.findByText("No threshold rules yet")).toBeVisible();
});

it("shows a refusal at the limit that it is about", async () => {
  await openCounters();
  await user.click(await screen.findByRole("button", { name: "Set a threshold in Load" }));
  const dialog = within(await screen.findByRole("dialog"));
  const clear = dialog.getByLabelText(/^Clears at/);
  await user.clear(clear);
  await user.type(clear, "99");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  expect(await dialog.findByText(/must not be beyond/)).toBeVisible();
  await waitFor(() => expect(dialog.getByLabelText(/^Clears at/)).toHaveFocus());
});

it("takes limits of traffic in bit/s, of one interface or all", async () => {
  const { changesTo } = await openCounters("1/1/1");
  await user.click(await screen.findByRole("button", { name: "Set a threshold in Traffic" }));
  const dialog = within(await screen.findByRole("dialog"));
  const options = within(dialog.getByLabelText(/^Applies to/)).getAllByRole("option");
  expect(options.map(({ textContent }) => textContent)).toEqual([
    "This counter only",
    "All interfaces of the element",
    "All elements of its kind",
  ]);
  await user.selectOptions(dialog.getByLabelText(/^Applies to/), "ELEMENT");
  for (const [field, value] of [
    [/^Threshold \(Mbit\/s\)/, "8000"],
    [/^Clears at \(Mbit\/s\)/, "6400"],
  ] as const) {
    await user.clear(dialog.getByLabelText(field));
    await user.type(dialog.getByLabelText(field), value);
  }
  await user.click(dialog.getByRole("button", { name: "Add" }));
  expect(await screen.findByText("traffic in above 8,000 Mbit/s, clears at 6,400 Mbit/s")).toBeVisible();
  expect(screen.getByText("all interfaces of fra-pe-1")).toBeVisible();
  expect(changesTo("/threshold_rules")[0]?.body).toMatchObject({
    ...{ counter: "octetsIn", object: null, threshold: 1_000_000_000, clearValue: 800_000_000 },
  });
});

it("adds a rule of all elements of a VNF on the page of its instance", async () => {
  const { changesTo } = renderApp(pb.instances());
  await user.click(await screen.findByRole("link", { name: "edge-fra-1" }));
  await user.click(await screen.findByRole("tab", { name: "Performance" }));
  await user.click(await screen.findByRole("button", { name: "Add a threshold rule" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.selectOptions(dialog.getByLabelText(/^Counter/), "1");
  await user.selectOptions(dialog.getByLabelText(/^Applies to/), "VNF");
  expect(dialog.getByLabelText(/^Name/)).toHaveValue("edge-fra-1 · memory");
  await user.type(dialog.getByLabelText(/^Threshold/), "90");
  expect(dialog.getByLabelText(/^Clears at/)).toHaveValue(81);
  await user.selectOptions(dialog.getByLabelText(/^Alarm when/), "BELOW");
  expect(dialog.getByLabelText(/^Clears at/)).toHaveValue(100);
  await user.click(dialog.getByRole("button", { name: "Add" }));
  expect(await screen.findByText("all elements of edge-fra-1")).toBeVisible();
  expect(await screen.findByText("Crossed", { selector: "td *" })).toBeVisible();
  expect(changesTo("/threshold_rules")[0]?.body).toMatchObject({
    ...{ counter: "memory", direction: "BELOW", threshold: 90, clearValue: 100 },
  });
});

it("leads from the alarm to the chart", async () => {
  const { changesTo, router } = await openCounters("1/1/1");
  await user.click(await screen.findByRole("button", { name: "Set a threshold in Utilisation" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.clear(dialog.getByLabelText(/^Threshold/));
  await user.type(dialog.getByLabelText(/^Threshold/), "40");
  await user.clear(dialog.getByLabelText(/^Clears at/));
  await user.type(dialog.getByLabelText(/^Clears at/), "30");
  await user.click(dialog.getByRole("button", { name: "Add" }));
  expect(await screen.findByText("Crossed", { selector: "td *" })).toBeVisible();
  expect(changesTo("/threshold_rules")[0]?.body).toMatchObject({ object: "1/1/1" });
  act(() => void router.navigate(pb.alarms()));
  await user.click(await screen.findByRole("link", { name: "fra-pe-1 1/1/1 utilisationIn" }));
  await waitFor(() => expect(router.state.location.search).toContain("object=1%2F1%2F1"));
});

it("says what is not known: no value yet, none of late, and what has no alarm", async () => {
  const since = "2026-11-28T13:14:25Z";
  let id = "";
  renderApp(() => pb.counters(id, "(element)"), {
    prepare: (db) => {
      const [element] = db.elements;
      id = element?.id ?? "";
      const rule: ThresholdRule = {
        ...{ id: "r1", version: 1, name: "never", counter: "cpu", unit: "%", severity: "MINOR", object: null },
        ...{
          elementId: element?.id ?? "",
          elementName: element?.name ?? "",
          vnfInstanceId: null,
          vnfInstanceName: null,
        },
        ...{ elementKind: null, direction: "BELOW", threshold: 1, clearValue: 2, state: "UNKNOWN", crossedCount: 0 },
        ...{ crossedCounters: [], unrecordedCount: 0, crossings: 0, crossedAt: null, evaluatedAt: null },
        ...{ unvaluedCount: 0, unvaluedSince: null },
        ...{ evaluatedCounters: 0, createdAt: since, createdBy: "admin", changedAt: since, changedBy: "admin" },
      };
      const late = { ...rule, id: "r2", name: "late", evaluatedAt: since };
      const crossed = {
        ...{ elementId: element?.id ?? "", elementName: element?.name ?? "", object: "(element)", since },
        ...{ value: 0, latestValue: 0, noValueSince: since },
      };
      const full: ThresholdRule = { ...late, id: "r3", name: "full", state: "CROSSED", crossedCount: 7 };
      const partly = { ...late, id: "r4", name: "partly", evaluatedAt: since, unvaluedCount: 2, unvaluedSince: since };
      db.thresholdRules.push(rule, late, partly, { ...full, crossedCounters: [crossed], unrecordedCount: 2 });
    },
  });
  const row = async (name: string) => within(await screen.findByRole("row", { name: new RegExp(`^${name}`) }));
  expect((await row("never")).getByText("no value yet")).toBeVisible();
  expect((await row("late")).getByText(/^no value since/)).toBeVisible();
  expect((await row("late")).getByText("Unknown")).toBeVisible();
  expect((await row("partly")).getByText(/^2 counters have no value since/)).toBeVisible();
  expect((await row("full")).getByText(/no value since/, { selector: "div:has(a)" })).toBeVisible();
  expect((await row("full")).getByText("6 more counters")).toBeVisible();
  expect((await row("full")).getByText(/^2 more are beyond/)).toBeVisible();
});

it("begins with the last value, and with none where there is none", () => {
  const at: Place = {
    counted: [
      { elementId: "e", object: "1/1/1", counter: "octetsIn", name: "in", last: 123_456_789 },
      { elementId: "e", object: "(element)", counter: "cpu", name: "cpu", last: null },
    ],
    elements: [],
  };
  expect(freshRule(at)).toMatchObject({ threshold: [988, ""] });
  const upper = { "threshold/0": "988", "threshold/1": "", direction: "ABOVE" };
  expect(presetClearValues(at, upper)).toEqual({ "clearValue/0": "889", "clearValue/1": "" });
  expect(presetClearValues(at, { ...upper, direction: "BELOW" })).toMatchObject({ "clearValue/0": "1100" });
  expect(ruleInput(at, { series: "7" })).toBeUndefined();
});
