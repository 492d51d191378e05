import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { DataTable } from "./DataTable";

it("lets people page through many rows, also where nothing can be searched", async () => {
  const user = userEvent.setup();
  const rows = Array.from({ length: 60 }, (_, n) => `row ${n + 1}`);
  render(
    <DataTable
      label="Rows"
      rows={rows}
      columns={[{ title: "Name", isName: true, cell: (row) => row }]}
      rowKey={(row) => row}
    />,
  );
  expect(screen.queryByText("row 60")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Go to next page" }));
  expect(screen.getByText("row 60")).toBeVisible();
});
