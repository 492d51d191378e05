import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { vsrFigures } from "../../../mock-api/fixtures/figures";
import { FigureTable } from "./FigureTable";

it.each([
  ["packet-rate-64", "at most 57.5 Mpps"],
  ["routes", "tested with 3,400,000 routes"],
])("says of %s what its source says, and names no file of ours", (id, words) => {
  const figures = vsrFigures.figures.filter((figure) => figure.id === id);
  render(<FigureTable label="Figures" figures={figures} />);
  const [, row] = screen.getAllByRole("row");
  expect(row).toHaveTextContent(words);
  expect(row).toHaveTextContent("[1], page 6");
  expect(screen.getByRole("list", { name: "Sources" })).toHaveTextContent("EANTC for Light Reading, 9 February 2016");
  expect(row).not.toHaveTextContent(".txt");
});
