import { expect, it } from "vitest";
import { auditObject, auditText } from "./auditText";

it.each([
  ["POST 202", "/vnflcm/v2/vnf_instances/0c0b3a6e-1111-4222-8333-444455556666/instantiate", "Instantiate VNF instance"],
  ["POST 201", "/api/v1/api_clients", "Create API client"],
  ["POST 201", "/api/v1/session", "Open a session"],
  ["DELETE 204", "/api/v1/session", "Log out"],
  ["login", "session", "Log in"],
])("writes %s of %s as %s", (action, object, words) => expect(auditText({ action, object })).toBe(words));

it("names the object of an event by its kind, not by its id alone", () => {
  const object = "57fa18b7-e8d7-4bb2-8a89-14b71dece836";
  const of = (detail: Record<string, unknown>) => auditObject({ action: "alarm_route.create", object, detail });
  expect([of({ name: "noc" }), of({})]).toEqual(["alarm route noc", "alarm route 57fa18b7"]);
  expect(auditObject({ action: "alarm_policy.create", object: "PortDown", detail: {} })).toBeUndefined();
});
