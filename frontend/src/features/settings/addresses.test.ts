import { expect, it } from "vitest";
import { moved, planErrors } from "./addresses";

const plan = { cidr: "net", addresses: ["a", "b"], gateway: "gw", virtualLinkId: "" };
const errors = (values: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(planErrors([plan], (name) => values[name] ?? "")).filter(([, words]) => words !== undefined),
  );

it("finds addresses that do not agree with their subnet, with the gateway or with each other", () => {
  const fine = { net: "10.1.0.0/24", gw: "10.1.0.1", a: "10.1.0.2", b: "10.1.0.3" };
  expect(errors(fine)).toEqual({});
  expect(errors({ ...fine, a: "10.2.0.2" })).toEqual({ a: "10.2.0.2 is not in the network 10.1.0.0/24." });
  expect(errors({ ...fine, a: "10.1.0.255" })["a"]).toMatch(/broadcast address/);
  expect(errors({ ...fine, b: "10.1.0.0" })["b"]).toMatch(/network address/);
  expect(errors({ ...fine, a: "10.1.0.1" })["a"]).toMatch(/gateway/);
  expect(errors({ ...fine, b: "10.1.0.2" })["b"]).toBe("10.1.0.2 is already used by a.");
  expect(errors({ ...fine, gw: "192.0.2.1" })["gw"]).toMatch(/not in the network/);
});

it("knows addresses above 127.255.255.255, and subnets without a broadcast address", () => {
  expect(errors({ net: "203.0.113.0/24", a: "203.0.113.7" })).toEqual({});
  expect(errors({ net: "203.0.113.0/31", a: "203.0.113.0", b: "203.0.113.1" })).toEqual({});
});

it("ignores what is no address or no network", () => {
  expect(errors({ net: "nonsense", a: "10.0.0.1" })).toEqual({});
  expect(errors({ net: "10.0.0.0/24", a: "10.0.0", b: "" })).toEqual({});
});

const present: Record<string, string> = { net: "10.1.0.0/24", gw: "10.1.0.1", a: "10.1.0.10", b: "10.1.0.200" };
const movedTo = (cidr: string, gatewayIp: string, values = present, of = plan) =>
  moved(of, (name) => values[name] ?? "", { cidr, gatewayIp });

it("moves addresses into another subnet, each with its host number, and the gateway to that of the subnet", () => {
  const there = { net: "10.9.0.0/24", gw: "10.9.0.1", a: "10.9.0.10", b: "10.9.0.200" };
  expect(movedTo("10.9.0.0/24", "10.9.0.1")).toEqual(there);
  expect(movedTo("203.0.113.128/25", "203.0.113.129", there)).toEqual({
    net: "203.0.113.128/25",
    gw: "203.0.113.129",
    a: "203.0.113.138",
  });
});

it("moves no address to the gateway or out of the subnet, and none that was elsewhere", () => {
  expect(movedTo("10.9.0.0/24", "10.9.0.10")).toEqual({ net: "10.9.0.0/24", gw: "10.9.0.10", b: "10.9.0.200" });
  expect(movedTo("10.9.0.0/28", "10.9.0.1")).toEqual({ net: "10.9.0.0/28", gw: "10.9.0.1", a: "10.9.0.10" });
  const elsewhere = { ...present, a: "192.0.2.7", b: "" };
  expect(movedTo("10.9.0.0/24", "10.9.0.1", elsewhere)).toEqual({ net: "10.9.0.0/24", gw: "10.9.0.1" });
});

it("moves nothing to a subnet of IPv6, and no gateway where the plan or the subnet has none", () => {
  expect(movedTo("2001:db8::/64", "2001:db8::1")).toEqual({});
  expect(movedTo("10.9.0.0/24", "")).not.toHaveProperty("gw");
  expect(movedTo("10.9.0.0/24", "10.9.0.1", present, { ...plan, gateway: "" })).not.toHaveProperty("gw");
});
