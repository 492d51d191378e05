import { expect, it } from "vitest";
import { pb } from "@/paths";
import { auditAddress, auditJob, auditObject, auditText } from "./auditText";

it.each([
  ["POST 202", "/vnflcm/v2/vnf_instances/0c0b3a6e-1111-4222-8333-444455556666/instantiate", "Instantiate VNF instance"],
  ["POST 201", "/api/v1/api_clients", "Create API client"],
  ["POST 201", "/api/v1/session", "Open a session"],
  ["DELETE 204", "/api/v1/session", "Log out"],
  ["login", "session", "Log in"],
  [
    "POST 202",
    "/api/v1/elements/0c0b3a6e-1111-4222-8333-444455556666/configuration/push",
    "Push configuration to network element",
  ],
  ["POST 202", "/api/v1/elements/0c0b3a6e-1111-4222-8333-444455556666/configuration/backup", "Back up network element"],
  [
    "POST 202",
    "/api/v1/elements/0c0b3a6e-1111-4222-8333-444455556666/configuration/rollback",
    "Roll back configuration of network element",
  ],
  ["POST 202", "/vnflcm/v2/vnf_lcm_op_occs/0c0b3a6e-1111-4222-8333-444455556666/rollback", "Roll back operation"],
  [
    "POST 202",
    "/api/v1/elements/0c0b3a6e-1111-4222-8333-444455556666/forget_host_key",
    "Forget host key: network element",
  ],
  ["POST 202", "/api/v1/plans", "Plan an operation"],
  ["PATCH 200", "/api/v1/first_steps", "Arrange the first steps"],
  ["instance_forget", "57fa18b7-e8d7-4bb2-8a89-14b71dece836", "Forget VNF instance"],
])("writes %s of %s as %s", (action, object, words) => expect(auditText({ action, object })).toBe(words));

it.each([
  ["configuration PUSH DONE", { changed: true, linesAdded: 1, linesRemoved: 0 }, "Configuration pushed: 1 line added"],
  [
    "configuration PUSH DONE",
    { changed: true, linesAdded: 2, linesRemoved: 1 },
    "Configuration pushed: 2 lines added, 1 line removed",
  ],
  ["configuration PUSH DONE", { changed: false }, "Configuration pushed: nothing changed"],
  ["configuration PUSH FAILED", { changed: null, reason: "It refused." }, "Push configuration"],
  ["configuration ADMIN_STATE DONE", { fdn: "ne:1:port-1/1/3", adminState: "DOWN" }, "Shut down port-1/1/3"],
])("writes %s with %j as %s", (action, detail, words) =>
  expect(auditText({ action, object: "core-1", detail })).toBe(words),
);

it.each([
  ["operate", {}, "Start or stop VNF instance"],
  ["operate", { changeStateTo: "STOPPED" }, "Stop VNF instance"],
  ["operate", { changeStateTo: "STARTED", vnfcs: ["pe-1-iom-1"] }, "Start VNFC pe-1-iom-1"],
  ["operate", { changeStateTo: "STOPPED", vnfcs: ["a", "b"] }, "Stop VNFC a, b"],
  ["scale", { type: "SCALE_IN" }, "Scale in VNF instance"],
  ["scale", {}, "Scale VNF instance"],
])("says which operation %s with %j was", (task, detail, words) => {
  const object = `/vnflcm/v2/vnf_instances/0c0b3a6e-1111-4222-8333-444455556666/${task}`;
  expect(auditText({ action: "POST 202", object, detail })).toBe(words);
});

it("calls a dry run so, and leads to its lines", () => {
  const element = "0c0b3a6e-1111-4222-8333-444455556666";
  const object = `/api/v1/elements/${element}/configuration/push`;
  const asked = { action: "POST 202", object, detail: { id: "j1", dryRun: true, names: { elements: "core-1" } } };
  expect([auditText(asked), auditObject(asked)]).toEqual([
    "Dry run: push configuration to network element",
    "network element core-1",
  ]);
  expect(auditJob(asked)).toEqual({ element, job: "j1" });
  const pushed = { action: "configuration PUSH DONE", object: "core-1", detail: { element, job: "j2" } };
  expect([auditObject(pushed), auditAddress(pushed), auditJob(pushed)]).toEqual([
    "network element core-1",
    pb.element(element),
    { element, job: "j2" },
  ]);
});

it("names what a refused request meant", () => {
  const refused = {
    action: "POST 422",
    object: "/api/v1/elements",
    detail: { name: "core-9", managementAddress: "192.0.2.9" },
  };
  expect([auditText(refused), auditObject(refused)]).toEqual(["Create network element", "network element core-9"]);
});

it("names the object of an event by its kind, not by its id alone", () => {
  const object = "57fa18b7-e8d7-4bb2-8a89-14b71dece836";
  const of = (detail: Record<string, unknown>) => auditObject({ action: "alarm_route.create", object, detail });
  expect([of({ name: "noc" }), of({})]).toEqual(["alarm route noc", "alarm route 57fa18b7"]);
  expect(auditObject({ action: "alarm_policy.create", object: "PortDown", detail: {} })).toBeUndefined();
});
