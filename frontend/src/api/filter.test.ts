import { expect, it } from "vitest";
import { filterText } from "./filter";

it("sends no query without criteria", () => {
  expect(filterText([["eq", "kind", ""]])).toBeUndefined();
});

it("quotes values, so that none ends its clause", () => {
  const clauses = [["cont", "name", "o'hare, (old)"] as const, ["in", "perceivedSeverity", "MAJOR,MINOR"] as const];
  expect(filterText(clauses)).toBe("(cont,name,'o''hare, (old)');(in,perceivedSeverity,'MAJOR','MINOR')");
});
