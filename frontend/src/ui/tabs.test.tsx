import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { expect, it } from "vitest";
import { PageTabs } from "./PageTabs";

const user = userEvent.setup();

function tabs(address: string) {
  const element = (
    <PageTabs
      label="Parts"
      parts={[
        { key: "traps", title: "Traps", content: () => "all traps" },
        { key: "counters", title: "Counters", content: () => "all counters" },
      ]}
    />
  );
  return createMemoryRouter([{ path: "*", element }], { initialEntries: [address] });
}

it("keeps in the address how the other tabs are looked at, and no marker of a list", async () => {
  const router = tabs("/elements/e?trap=link&tab=traps&object=1%2F1%2F1&after=m2");
  render(<RouterProvider router={router} />);
  expect(screen.getByText("all traps")).toBeVisible();
  await user.click(screen.getByRole("tab", { name: "Counters" }));
  expect(screen.getByText("all counters")).toBeVisible();
  const shown = Object.fromEntries(new URLSearchParams(router.state.location.search));
  expect(shown).toEqual({ trap: "link", tab: "counters", object: "1/1/1" });
});
