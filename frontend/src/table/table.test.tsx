import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { expect, it, vi } from "vitest";
import { DataTable, type Column } from "./DataTable";

const user = userEvent.setup();
const NUMBERS = Array.from({ length: 60 }, (_, n) => n + 1);
const COLUMNS: Column<number>[] = [
  { title: "Name", isName: true, cell: (n) => `row ${n}`, sort: (n) => n },
  { title: "Digit sum", cell: (n) => Math.floor(n / 10) + (n % 10), sort: (n) => Math.floor(n / 10) + (n % 10) },
];

function open(address: string, name?: string, columns = COLUMNS) {
  const element = (
    <DataTable
      label="Rows"
      {...(name ? { name } : {})}
      rows={NUMBERS}
      columns={columns}
      rowKey={String}
      searchText={(n) => `row ${n}`}
      initialSort={{ column: 0, direction: "asc" }}
    />
  );
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: [address] });
  render(<RouterProvider router={router} />);
  return router;
}
const first = () => within(screen.getByRole("table", { name: "Rows" })).getAllByRole("rowheader")[0];

it("pages through many rows, also without search, with a history entry each", async () => {
  const router = open("/");
  expect(screen.queryByText("row 60")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Go to next page" }));
  expect(await screen.findByText("row 60")).toBeVisible();
  expect(router.state.location.search).toBe("?page=2");
  await act(() => router.navigate(-1));
  await waitFor(() => expect(first()).toHaveTextContent("row 1"));
  expect(router.state.location.search).toBe("");
});

it("keeps its order in the address, but not the usual one", async () => {
  const router = open("/");
  await user.click(screen.getByRole("button", { name: "Digit sum" }));
  expect(router.state.location.search).toBe("?sort=digit-sum");
  await user.click(screen.getByRole("button", { name: "Digit sum" }));
  expect(router.state.location.search).toBe("?sort=-digit-sum");
  expect(first()).toHaveTextContent("row 59");
  await user.click(screen.getByRole("button", { name: "Name" }));
  expect(router.state.location.search).toBe("");
  await act(() => router.navigate(-1));
  expect(router.state.location.search).toBe("?sort=-digit-sum");
  await waitFor(() => expect(first()).toHaveTextContent("row 59"));
});

it("keeps the search in the address, with one history entry", async () => {
  const router = open("/?page=2");
  expect(first()).toHaveTextContent("row 51");
  await user.type(screen.getByRole("textbox", { name: "Search Rows" }), "row 3");
  expect(first()).toHaveTextContent("row 3");
  await waitFor(() => expect(router.state.location.search).toBe("?search=row+3"));
  expect(router.state.historyAction).toBe("REPLACE");
});

it("opens as the address says, and follows its changes", async () => {
  const router = open("/?search=row+4&sort=-name");
  expect(screen.getByRole("textbox", { name: "Search Rows" })).toHaveValue("row 4");
  expect(first()).toHaveTextContent("row 49");
  await act(() => router.navigate("/?search=row+5"));
  expect(screen.getByRole("textbox", { name: "Search Rows" })).toHaveValue("row 5");
  await waitFor(() => expect(first()).toHaveTextContent("row 5"));
});

it("has names of its own where a page has several tables", async () => {
  const router = open("/?sort=-name&hosts.search=row+1", "hosts");
  expect(first()).toHaveTextContent("row 1");
  await user.click(screen.getByRole("button", { name: "Name" }));
  expect(router.state.location.search).toBe("?sort=-name&hosts.search=row+1&hosts.sort=-name");
  expect(first()).toHaveTextContent("row 19");
});

it("renders no cell again where only the address has changed", async () => {
  const cell = vi.fn((n: number) => `row ${n}`);
  const router = open("/", undefined, [
    { title: "Name", isName: true, cell },
    { title: "Square", isOptional: true, cell: (n) => n * n },
  ]);
  expect(first()).toHaveTextContent("row 1");
  expect(screen.queryByRole("columnheader", { name: "Square" })).toBeNull();
  cell.mockClear();
  await act(() => router.navigate("/?alarm=1"));
  expect(first()).toHaveTextContent("row 1");
  expect(cell).not.toHaveBeenCalled();
});

it("shows an optional column where the window has room for it, until the user decides", () => {
  const columns: Column<number>[] = [...COLUMNS, { title: "Half", isOptional: true, from: 1600, cell: (n) => n / 2 }];
  open("/", undefined, columns);
  const half = () => screen.queryByRole("columnheader", { name: "Half" });
  expect(half()).toBeNull();
  act(() => {
    vi.stubGlobal("innerWidth", 1600);
    globalThis.dispatchEvent(new Event("resize"));
  });
  expect(half()).toBeVisible();
  act(() => {
    vi.stubGlobal("innerWidth", 1440);
    globalThis.dispatchEvent(new Event("resize"));
  });
  expect(half()).toBeNull();
});
