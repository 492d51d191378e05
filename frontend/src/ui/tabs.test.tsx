import { act, render, screen, waitFor } from "@testing-library/react";
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
        { key: "traps", title: "Traps", content: () => <button>all traps</button> },
        { key: "counters", title: "Counters", content: () => "all counters" },
      ]}
    />
  );
  return createMemoryRouter([{ path: "*", element }], { initialEntries: [address] });
}

it("keeps the other tabs' views in the address, without list markers", async () => {
  const router = tabs("/elements/e?trap=link&tab=traps&object=1%2F1%2F1&after=m2");
  render(<RouterProvider router={router} />);
  expect(screen.getByText("all traps")).toBeVisible();
  await user.click(screen.getByRole("tab", { name: "Counters" }));
  expect(screen.getByText("all counters")).toBeVisible();
  const shown = Object.fromEntries(new URLSearchParams(router.state.location.search));
  expect(shown).toEqual({ trap: "link", tab: "counters", object: "1/1/1" });
});

it("makes a history entry of each tab, and keeps the focus", async () => {
  const router = tabs("/elements/e");
  render(<RouterProvider router={router} />);
  await user.click(screen.getByRole("tab", { name: "Counters" }));
  expect(router.state.location.search).toBe("?tab=counters");
  await user.click(screen.getByRole("tab", { name: "Traps" }));
  expect(router.state.location.search).toBe("");
  screen.getByRole("button", { name: "all traps" }).focus();
  await act(() => router.navigate(-1));
  expect(await screen.findByText("all counters")).toBeVisible();
  await waitFor(() => expect(screen.getByRole("tab", { name: "Counters" })).toHaveFocus());
});
