import { alarm, emptyInstance, makeDb, vnfc, type Db, type Instance } from "./db";
import { ago, newId } from "./util";
import { makeElement } from "./fixtures/elements";
import { makeVim, reachable } from "./fixtures/vims";
import { vsrPe } from "./fixtures/vnfds";
import { firstUser } from "./people";
import type * as T from "../src/api/types";

/** A new installation has nothing but the user who logged in. */
export function emptyDb(): Db {
  const db = makeDb(true);
  const users = firstUser(db);
  for (const [name, value] of Object.entries(db)) {
    if (Array.isArray(value)) Object.assign(db, { [name]: [] });
    else if (value instanceof Map) Object.assign(db, { [name]: new Map() });
  }
  return Object.assign(db, { resources: {}, users });
}

const CLOUDS = 20;
const SITES = 25;
const ELEMENTS = 2000;
const INSTANCES = 2000;
const ALARMS = 100_000;
/** A map of a whole country has a hundred routers at each site. */
const HUGE_SITES = 100;
export const HUGE_ELEMENTS = 10_000;
const TRAPS = 5000;
const OPERATIONS = 300;
const SLOTS = ["A", "B", "1", "2", "3"];

const times = <R>(count: number, make: (index: number) => R): R[] => Array.from({ length: count }, (_, n) => make(n));
const pick = <R>(rows: readonly R[], index: number): R => {
  const found = rows[index % rows.length];
  if (found === undefined) throw new RangeError("Nothing to pick from.");
  return found;
};
const padded = (index: number, digits = 4): string => String(index + 1).padStart(digits, "0");

function manyInstance(index: number, vims: Db["vims"]): Instance {
  const name = `edge-${padded(index)}`;
  return {
    ...emptyInstance(name, vsrPe),
    ...{ vimId: pick(vims, index).id, instantiated: true, levels: { datapath: 2 }, version: 4 },
    settings: { system_name: name, mgmt_net: "oam" },
    vnfcs: SLOTS.map((slot, place) => vnfc(name, slot, place)),
  };
}

function manyElement(index: number, sites: readonly T.Site[]): T.NetworkElement {
  const site = pick(sites, index);
  const lost = index % 40 === 7;
  const name = `pe-${padded(index)}`;
  const managementAddress = `198.18.${Math.floor(index / 250)}.${(index % 250) + 1}`;
  const silent: T.NetworkElement["conditions"][number] = {
    ...{ type: "Reachable", status: "False", reason: "Timeout", message: `${managementAddress} does not answer.` },
    ...{ lastTransitionTime: ago(8200), observedAt: ago(8300) },
  };
  return makeElement({
    ...{ name, managementAddress, siteId: site.id, siteName: site.name },
    ...(lost ? { conditions: [silent], observedAt: ago(8300) } : {}),
  });
}

const SEVERITIES = ["CRITICAL", "MAJOR", "MAJOR", "MINOR", "MINOR", "MINOR", "WARNING"] as const;

function manyAlarm(index: number, { instances, elements }: Db): T.Alarm {
  const perceivedSeverity = pick(SEVERITIES, index);
  const alarmRaisedTime = ago(30 + index * 7);
  const common = { perceivedSeverity, alarmRaisedTime, firstRaisedTime: alarmRaisedTime, eventTime: alarmRaisedTime };
  if (index % 3 === 0) {
    return alarm(pick(elements, index), {
      ...{ ...common, managedObjectType: "NETWORK_ELEMENT", faultType: "InterfaceDown", faultyResourceType: "" },
      ...{ probableCause: "lossOfSignal", faultyResourceName: `1/1/${(index % 48) + 1}` },
      faultDetails: ["It is wanted up and is down."],
    });
  }
  const instance = pick(instances, index);
  const vm = pick(instance.vnfcs, index);
  const parts = { vnfcIds: [vm.id], faultyResourceName: vm.name };
  return alarm(instance, { ...common, ...parts, faultDetails: [`Nova reports SHUTOFF for ${vm.name}.`] });
}

function manyOperation(index: number, instances: readonly Instance[]): T.OpOcc {
  const instance = pick(instances, index);
  return {
    ...{ id: newId(), operation: "HEAL", operationState: "COMPLETED", stateEnteredTime: ago(index * 900 + 40) },
    ...{ startTime: ago(index * 900 + 90), vnfInstanceId: instance.id, vnfInstanceName: instance.name },
    ...{ startedBy: "admin", isAutomaticInvocation: true, operationParams: {}, isCancelPending: false },
    ...{ waitingSince: null, deadline: ago(0), grant: null, pendingGrant: null, _links: {}, transitions: [] },
    ...{ version: 3, actions: [], steps: [] },
  };
}

const manySites = (count: number): T.Site[] =>
  times(count, (n) => ({
    ...{ id: newId(), name: `Site ${padded(n, 2)}`, description: "", latitude: null, longitude: null },
    ...{ createdAt: ago(900_000), version: 1 },
  }));

export function hugeDb(): Db {
  const db = emptyDb();
  const sites = manySites(HUGE_SITES);
  return {
    ...db,
    sites,
    vims: [makeVim({ name: "cloud-01", conditions: [reachable] })],
    elements: times(HUGE_ELEMENTS, (n) => manyElement(n, sites)),
  };
}

export function manyDb(): Db {
  const db = makeDb(true);
  const vims = times(CLOUDS, (n) => makeVim({ name: `cloud-${padded(n, 2)}`, conditions: [reachable] }));
  const sites = manySites(SITES);
  const [resources] = Object.values(db.resources);
  const large: Db = {
    ...db,
    ...{ vims, sites, occs: [], unclaimed: [] },
    resources: Object.fromEntries(vims.flatMap(({ id }) => (resources ? [[id, resources]] : []))),
    instances: times(INSTANCES, (n) => manyInstance(n, vims)),
    elements: [...db.elements, ...times(ELEMENTS - db.elements.length, (n) => manyElement(n, sites))],
  };
  large.alarms = times(ALARMS, (n) => manyAlarm(n, large));
  large.occs = times(OPERATIONS, (n) => manyOperation(n, large.instances));
  const [trap] = db.traps;
  if (trap) large.traps = times(TRAPS, (n) => ({ ...trap, id: TRAPS - n, receivedAt: ago(n * 3) }));
  return large;
}
