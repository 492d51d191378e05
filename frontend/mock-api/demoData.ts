import { alarm, emptyInstance, vnfc, type Db, type Instance } from "./db";
import { ago, newId } from "./util";
import { makeElement } from "./fixtures/elements";
import { vsrPe } from "./fixtures/vnfds";
import { makeOcc } from "./occurrences";
import { NO_HOST } from "./simulation";
import { opOccActions } from "./views";
import type * as T from "../src/api/types";

const DEPLOYED = ["Check the plan", "Provide the images", "Create the stack", "Wait for the stack", "Record the VNFCs"];

/** `began` is in seconds before now. */
function operation(db: Db, instance: Instance, name: T.Operation, began: number, patch: Partial<T.OpOcc>): T.OpOcc {
  const occ = makeOcc(db, instance, name, DEPLOYED, { startTime: ago(began), ...patch });
  const failed = patch.error ? 3 : DEPLOYED.length;
  occ.steps.forEach((step, index) => {
    const at = { startedAt: ago(began - index * 9), attempts: 1 };
    if (index < failed) Object.assign(step, at, { state: "DONE", finishedAt: ago(began - index * 9 - 8) });
    if (index === failed) Object.assign(step, at, { state: "FAILED", finishedAt: ago(began - index * 9 - 8) });
  });
  occ.stateEnteredTime = ago(Math.max(1, began - 44));
  occ.actions = opOccActions(occ);
  if (occ.operationState !== "FAILED_TEMP") instance.runningOpOccId = undefined;
  return occ;
}

function deployed(db: Db, name: string): Instance {
  const instance: Instance = {
    ...emptyInstance(name, vsrPe),
    ...{ vimId: db.vims[0]?.id, instantiated: true, levels: { datapath: 0 }, version: 3 },
    ...{ settings: { system_name: name, mgmt_net: "oam" }, description: "Broadband edge" },
    vnfcs: ["A", "B", "1"].map((slot, index) => vnfc(name, slot, index)),
  };
  db.instances.push(instance);
  return instance;
}

function automation(db: Db, instance: Instance): void {
  const id = newId();
  db.automationPolicies.push({
    ...{ id, name: "heal the edge", description: "", kind: "HEAL", state: "ENABLED", dryRun: true },
    ...{ vnfInstanceId: instance.id, vnfInstanceName: instance.name, vnfPkgId: null, vnfProductName: null },
    ...{ coolDownSeconds: 600, actionsPerHour: 3, heal: { forSeconds: 60 }, scale: null },
    conditions: [
      {
        ...{ type: "Watching", status: "True", reason: "Watching", message: "It looks at every change." },
        lastTransitionTime: ago(7000),
      },
    ],
    ...{ createdAt: ago(90_000), createdBy: "admin", changedAt: ago(7000), version: 1 },
  });
  const decision: T.AutomationDecision = {
    ...{ id: 7, at: ago(80), vnfInstanceId: instance.id, vnfInstanceName: instance.name, rule: "heal" },
    ...{ outcome: "WOULD_ACT", reason: "DUE", message: "edge-fra-1-iom-2 has been down for 61 s.", seen: [] },
    ...{ actionType: "HEAL", request: null, vnfLcmOpOccId: null },
  };
  db.decisions.set(id, [decision]);
}

function arranged(db: Db, instance: Instance): void {
  const nothing = { escalateOccurrences: null, deescalateAfterMinutes: null, debounceSeconds: null };
  const policy: Omit<T.AlarmPolicy, "id" | "faultType" | "keepClearedDays" | "initialSeverity"> = {
    ...{ ...nothing, escalateAfterMinutes: 60, autoAckOnClear: null, pending: false },
    ...{ changedBy: "admin", changedAt: ago(90_000), version: 1 },
  };
  db.alarmPolicies.push(
    { id: newId(), faultType: "", initialSeverity: "", keepClearedDays: 30, ...policy },
    { id: newId(), faultType: "VmDown", initialSeverity: "CRITICAL", keepClearedDays: 90, ...policy },
  );
  db.windows.push({
    ...{ id: newId(), managedObjectType: "VNF_INSTANCE", managedObjectId: instance.id, version: 1 },
    ...{ managedObjectName: instance.name, startsAt: ago(-7200), endsAt: ago(-14_400), reason: "New line cards" },
    ...{ createdBy: "admin", createdAt: ago(3000) },
  });
}

function plant(db: Db): void {
  const [site] = db.sites;
  const munich: T.Site = {
    ...{ id: newId(), name: "Munich", description: "Exchange", latitude: 48.14, longitude: 11.58 },
    ...{ createdAt: ago(800_000), version: 1 },
  };
  db.sites.push(munich);
  for (const [name, managementAddress, at] of [
    ["fra-pe-2", "192.0.2.12", site],
    ["fra-p-1", "192.0.2.13", site],
    ["muc-pe-1", "192.0.2.21", munich],
    ["muc-p-1", "192.0.2.22", munich],
  ] as const) {
    db.elements.push(makeElement({ name, managementAddress, siteId: at?.id ?? null, siteName: at?.name ?? null }));
  }
  const hours = [1, 2, 2, 5, 6, 9, 9, 9, 14, 15, 20];
  for (const [index, hour] of hours.entries()) {
    const element = db.elements[index % db.elements.length];
    if (!element) continue;
    const raised = ago(hour * 3600 + index * 100);
    db.alarms.push(
      alarm(element, {
        ...{ managedObjectType: "NETWORK_ELEMENT", faultType: "InterfaceDown", probableCause: "lossOfSignal" },
        ...{ faultyResource: `${element.id}:interface-${1001 + index}`, faultyResourceType: "", eventTime: raised },
        faultyResourceName: `1/1/${index + 1}`,
        ...{ perceivedSeverity: index % 3 === 0 ? "MAJOR" : "MINOR", alarmRaisedTime: raised },
        ...(index % 2 === 0 ? { alarmClearedTime: ago(hour * 3600 - 900), clearedBy: "vnfm" } : {}),
        faultDetails: ["It is wanted up and is down."],
      }),
    );
  }
}

export function addDemoData(db: Db): void {
  const [first] = db.instances;
  if (!first) return;
  operation(db, first, "INSTANTIATE", 90_000, { operationState: "COMPLETED" });
  operation(db, first, "HEAL", 9000, { operationState: "COMPLETED", isAutomaticInvocation: true });
  const stuck = deployed(db, "edge-ber-1");
  operation(db, stuck, "SCALE", 1500, {
    ...{ operationState: "FAILED_TEMP", error: NO_HOST },
    operationParams: { type: "SCALE_OUT", aspectId: "datapath", numberOfSteps: 1 },
  });
  deployed(db, "edge-ham-1");
  automation(db, first);
  arranged(db, first);
  plant(db);
}
