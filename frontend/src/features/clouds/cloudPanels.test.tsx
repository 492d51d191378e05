import { render, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { CAPABILITIES, Pairs } from "./cloudPanels";

it("lists capabilities in words, in one order, and those that it does not know at the end", () => {
  const record = { new_thing: true, hosts: false, admin: null };
  render(<Pairs title="Capabilities" record={record} words={CAPABILITIES} head={["Capability", "Found"]} />);
  const rows = within(screen.getByRole("table")).getAllByRole("row").slice(1);
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "Administrator roleunknown",
    "List compute hostsno",
    "New thingyes",
  ]);
});
