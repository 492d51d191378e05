import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { pb } from "@/paths";
import { renderApp } from "@/testing/app";
import { dateTime, exactTime, isoOfTyped, memory, minuteTime, period, sinceTime, typedTime } from "./format";
import { Ago, ExactTime } from "./Time";
import { chooseUtc } from "./zone";

const user = userEvent.setup();
const AT = "2026-11-22T23:30:15.000Z";
afterEach(() => chooseUtc(false));

it("writes times in UTC where that was chosen, and says so", () => {
  chooseUtc(true);
  // The format does not depend on the browser's language, which is American here.
  expect(dateTime(AT)).toBe("22 Nov 2026, 23:30 UTC");
  expect(minuteTime(new Date(AT))).toBe("23:30 UTC");
  expect(exactTime(AT)).toBe("22 Nov 2026, 23:30:15 UTC");
  expect(sinceTime(AT, Date.parse("2026-11-22T23:59:59Z"))).toBe("23:30:15 UTC");
  expect(sinceTime(AT, Date.parse("2026-11-23T00:00:01Z"))).toBe("22 Nov, 23:30 UTC");
  chooseUtc(false);
  expect(dateTime(AT)).not.toMatch(/UTC/);
  expect(exactTime(AT)).toMatch(/\(22 Nov 2026, 23:30:15 UTC\)$/);
});

it.each([true, false])("reads what is typed in the zone in which it shows times (UTC: %s)", (isUtc) => {
  chooseUtc(isUtc);
  expect(isoOfTyped(typedTime(AT))).toBe("2026-11-22T23:30:00.000Z");
  if (isUtc) expect(typedTime(AT)).toBe("2026-11-22T23:30");
  expect(isoOfTyped("")).toBe("");
  expect(isoOfTyped("soon")).toBe("");
});

it("updates the times on the page, and shows ages as times", async () => {
  render(
    <>
      <Ago at={AT} />
      <ExactTime at={AT} />
    </>,
  );
  expect(screen.queryByText(/UTC$/)).toBeNull();
  chooseUtc(true);
  expect(await screen.findAllByText(/22.*23:30 UTC$/)).toHaveLength(2);
});

it("lets the user choose it, for all pages and until something else is chosen", async () => {
  renderApp(pb.alarms());
  const row = await screen.findByRole("row", { name: /lab-west has not answered/ });
  const menu = screen.getByRole("button", { name: "User menu of admin" });
  await user.click(menu);
  await user.click(await screen.findByRole("menuitem", { name: "Show times in UTC" }));
  expect(await within(row).findAllByText(/\d\d:\d\d UTC$/)).not.toHaveLength(0);
  await user.click(menu);
  await user.click(await screen.findByRole("menuitem", { name: /^Show times in local time/ }));
  expect(within(row).queryByText(/UTC$/)).toBeNull();
});

it.each([
  [512, "512 MiB"],
  [1024, "1 GiB"],
  [1536, "1.5 GiB"],
  [2000, "1.95 GiB"],
  [262_144, "256 GiB"],
  [4_194_304, "4,096 GiB"],
])("writes %d MiB of memory as %s", (mib, text) => {
  expect(memory(mib)).toBe(text);
});

it.each([
  [86_400, "24 hours"],
  [172_800, "2 days"],
  [5400, "90 minutes"],
  [60, "60 seconds"],
  [61, "61 seconds"],
  [1, "1 second"],
])("writes a period of %d s in the largest unit that it is several of", (seconds, text) => {
  expect(period(seconds)).toBe(text);
});
