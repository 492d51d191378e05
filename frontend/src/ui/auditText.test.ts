import { expect, it } from "vitest";
import { auditText } from "./auditText";

it.each([
  ["POST 202", "/vnflcm/v2/vnf_instances/0c0b3a6e-1111-4222-8333-444455556666/instantiate", "Instantiate VNF instance"],
  ["POST 201", "/api/v1/api_clients", "Create API client"],
  ["POST 201", "/api/v1/session", "Open a session"],
  ["DELETE 204", "/api/v1/session", "Log out"],
  ["login", "session", "Log in"],
])("writes %s of %s as %s", (action, object, words) => expect(auditText({ action, object })).toBe(words));
