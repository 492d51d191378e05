import { describe, expect, it } from "vitest";
import type { Constraint, Setting } from "@/api/types";
import { choicesOf, isCidr, isIpv4, parseSetting, rawOf, settingError } from "./validate";

const setting = (patch: Partial<Setting> = {}): Setting => ({
  ...{ name: "s", label: "S", description: "", group: "", default: "" },
  type: "string",
  required: false,
  hidden: false,
  constraints: [],
  ...patch,
});
const withConstraint = (constraint: Omit<Constraint, "message"> & { message?: string }, patch: Partial<Setting> = {}) =>
  setting({ constraints: [{ message: "", ...constraint }], ...patch });

describe("settingError", () => {
  it("requires mandatory settings only", () => {
    expect(settingError(setting({ required: true }), "  ")).toBe("This is required.");
    expect(settingError(setting(), "")).toBeUndefined();
  });
  it.each([
    ["abc", "Enter a number."],
    ["1399", "The value must be between 1400 and 9000."],
    ["9000", undefined],
  ])("checks a range: %s", (raw, message) => {
    expect(settingError(withConstraint({ kind: "range", min: 1400, max: 9000 }, { type: "number" }), raw)).toBe(
      message,
    );
  });
  it("prefers the VNFD's own words", () => {
    expect(settingError(withConstraint({ kind: "length", min: 8, message: "At least 8." }), "short")).toBe(
      "At least 8.",
    );
  });
  it("matches a pattern over the whole value, as Heat does", () => {
    const pattern = withConstraint({ kind: "allowed_pattern", pattern: "[a-z]+" });
    expect(settingError(pattern, "abc")).toBeUndefined();
    expect(settingError(pattern, "abc1")).toBe("The value must match [a-z]+.");
  });
  it("leaves a pattern that only Python knows to the server", () => {
    expect(settingError(withConstraint({ kind: "allowed_pattern", pattern: "(?P<x>a)" }), "b")).toBeUndefined();
  });
  it("checks each item of a list", () => {
    const list = withConstraint({ kind: "allowed_values", values: ["a", "b"] }, { type: "list" });
    expect(settingError(list, "a, b")).toBeUndefined();
    expect(settingError(list, "a, c")).toBe("Choose one of: a, b.");
  });
  it("checks Heat's custom constraints that need no cloud, and lets the others pass", () => {
    expect(settingError(withConstraint({ kind: "custom", name: "net_cidr" }), "10.0.0.0")).toBe(
      "This is not a valid net_cidr.",
    );
    expect(settingError(withConstraint({ kind: "custom", name: "nova.flavor" }), "anything")).toBeUndefined();
  });
  it("checks formats", () => {
    expect(settingError(setting({ format: "ipv4" }), "10.0.0.256")).toContain("IPv4");
    expect(settingError(setting({ format: "cidr" }), "10.0.0.0/24")).toBeUndefined();
  });
  it("says where JSON breaks", () => {
    expect(settingError(setting({ type: "json" }), "{")).toContain("This is not JSON");
  });
});

it.each(["0.0.0.0", "255.255.255.255"])("%s is an IPv4 address", (text) => expect(isIpv4(text)).toBe(true));
it.each(["1.2.3", "1.2.3.4.5", "a.b.c.d", "1.2.3.400"])("%s is none", (text) => expect(isIpv4(text)).toBe(false));
it.each(["10.0.0.0/8", "2001:db8::/64"])("%s is a CIDR", (text) => expect(isCidr(text)).toBe(true));
it.each(["10.0.0.0/33", "10.0.0.0", "10.0.0.0/8/8", "x/8"])("%s is no CIDR", (text) =>
  expect(isCidr(text)).toBe(false),
);

it.each([
  ["list", ["a", "b"], "a, b"],
  ["boolean", true, "true"],
  ["number", 9000, "9000"],
  ["json", { a: 1 }, '{\n  "a": 1\n}'],
] as const)("a %s goes into a field and comes back", (type, value, raw) => {
  expect(rawOf(value)).toBe(raw);
  expect(parseSetting({ type }, raw)).toEqual({ ok: true, value });
});

it("offers the allowed values as a choice", () => {
  expect(choicesOf(withConstraint({ kind: "allowed_values", values: ["VSR", 1] }))).toEqual(["VSR", "1"]);
  expect(choicesOf(setting())).toBeUndefined();
});
