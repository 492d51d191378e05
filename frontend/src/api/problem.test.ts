import { describe, expect, it } from "vitest";
import { asProblem, pointerParts, problemFrom, splitFieldErrors } from "./problem";

describe("problemFrom", () => {
  it("keeps every member of problem+json", () => {
    const body = JSON.stringify({
      title: "Quota",
      detail: "No room",
      code: "QUOTA_EXCEEDED",
      causes: [{ source: "nova", message: "403" }],
    });
    expect(problemFrom(409, "application/problem+json", body).problem).toMatchObject({
      status: 409,
      title: "Quota",
      code: "QUOTA_EXCEEDED",
      causes: [{ source: "nova", message: "403" }],
    });
  });

  it("turns a proxy's HTML page into a problem", () => {
    expect(problemFrom(502, "text/html", "<h1>Bad gateway</h1>").problem).toEqual({
      status: 502,
      title: "The server answered with HTTP 502",
      detail: "",
    });
  });

  it("accepts a body that is no JSON despite its type", () => {
    expect(problemFrom(404, "application/json", "{").problem.title).toBe("Not found");
  });
});

describe("pointers", () => {
  it.each([
    ["/additionalParams/mgmt_cidr", ["additionalParams", "mgmt_cidr"]],
    ["/request/additionalParams/mgmt_cidr", ["additionalParams", "mgmt_cidr"]],
    ["/endpointOverrides/a~1b~0c", ["endpointOverrides", "a/b~c"]],
    ["", []],
  ])("%s", (pointer, parts) => expect(pointerParts(pointer)).toEqual(parts));

  it("sorts complaints to fields, joins two about one field, and leaves the rest", () => {
    const errors = [
      { field: "/name", message: "Too short." },
      { field: "/name", message: "Taken." },
      { field: "/elsewhere", message: "Hm." },
    ];
    expect(splitFieldErrors(errors, ([head]) => (head === "name" ? "name" : undefined))).toEqual({
      fields: { name: "Too short. Taken." },
      rest: [{ field: "/elsewhere", message: "Hm." }],
    });
  });

  it("names the box to check where the API names its key", () => {
    const errors = [{ field: "/additionalParams/flavor", message: 'None fits. Or agree: "createFlavors": true.' }];
    expect(splitFieldErrors(errors, () => "flavor").fields).toEqual({
      flavor: "None fits. Or agree: check “Create the flavors that are missing”.",
    });
  });
});

it.each([
  ["Ensure this value is greater than or equal to 300.", "Enter at least 300."],
  ["Ensure this value is less than or equal to 0.5.", "Enter at most 0.5."],
  ["Ensure this field has no more than 100 characters.", "Enter at most 100 characters."],
  ["This field may not be blank. Taken.", "This field is required. Taken."],
])("says what to enter: %s", (message, words) => {
  expect(splitFieldErrors([{ field: "/a", message }], () => "a").fields).toEqual({ a: words });
});

it("reports its own errors", () => {
  expect(asProblem(new TypeError("x is undefined"))).toMatchObject({ code: "CONSOLE_ERROR", detail: "x is undefined" });
});

it.each([
  "Failed to fetch dynamically imported module: http://127.0.0.1/assets/BoardPage-1.js",
  "error loading dynamically imported module: http://127.0.0.1/assets/BoardPage-1.js",
  "Importing a module script failed.",
  "Unable to preload CSS for /assets/BoardPage-1.css",
])("says what to do when a part of the console did not load: %s", (message) => {
  expect(asProblem(new TypeError(message))).toMatchObject({
    code: "CODE_NOT_LOADED",
    nextStep: "Reload the page.",
    causes: [{ source: "browser", message }],
  });
});
