import { render, screen, waitFor } from "@testing-library/react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { lazy } from "react";
import { createMemoryRouter, Outlet, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { Screen, ScreenBoundary } from "./Screen";

test("the focus leaves a page before the page goes, and comes to the heading of the next one", async () => {
  const page = (title: string) => (
    <Screen title={title}>
      <p>Rows</p>
      <button>Open</button>
    </Screen>
  );
  const boundary = (
    <main>
      <ScreenBoundary>
        <Outlet />
      </ScreenBoundary>
    </main>
  );
  const children = ["list", "one"].map((path) => ({ path, element: page(path) }));
  const router = createMemoryRouter([{ element: boundary, children }], { initialEntries: ["/list"] });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const button = await screen.findByRole("button", { name: "Open" });
  button.focus();
  const wasThere: boolean[] = [];
  const rows = screen.getByText("Rows");
  button.addEventListener("blur", () => wasThere.push(rows.isConnected));
  await router.navigate("/one");
  await waitFor(() => expect(screen.getByRole("heading", { name: "one" })).toHaveFocus());
  expect([rows.isConnected, wasThere]).toEqual([false, [true]]);
});

test("a page whose code did not load is reloaded, since trying again would not help", async () => {
  const Lost = lazy(() => Promise.reject(new TypeError("Failed to fetch dynamically imported module: /assets/x.js")));
  const element = (
    <ScreenBoundary>
      <Lost />
    </ScreenBoundary>
  );
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={createMemoryRouter([{ path: "/", element }])} />
    </QueryClientProvider>,
  );
  expect(await screen.findByRole("alert")).toHaveTextContent("This part of the console did not load");
  expect(screen.getByRole("button", { name: "Reload the page" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});
