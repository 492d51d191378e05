import { expect, it } from "vitest";
import { filterText } from "./filter";

it("asks nothing when nothing is given", () => {
  expect(filterText([["eq", "kind", ""]])).toBeUndefined();
});

it("quotes what is asked, so that no value ends its clause", () => {
  const clauses = [["cont", "name", "o'hare, (old)"] as const, ["in", "perceivedSeverity", "MAJOR,MINOR"] as const];
  expect(filterText(clauses)).toBe("(cont,name,'o''hare, (old)');(in,perceivedSeverity,'MAJOR','MINOR')");
});
