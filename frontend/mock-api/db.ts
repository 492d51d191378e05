import type { ReadinessCheck, Restoration } from "../src/api/frame";
import type { ApiClient, ApiToken, AuditEntry, User } from "../src/api/people";
import type { AlarmRoute } from "../src/api/alarmRoutes";
import type { Subscription } from "../src/api/subscriptions";
import type * as T from "../src/api/types";
import { makeBoards, type StoredBoard } from "./boards";
import type { Configured } from "./configuration";
import { makePlant, type Plant } from "./fixtures/elements";
import { filesOf } from "./fixtures/files";
import { innerNetwork, makeVims, resources, type StoredVim } from "./fixtures/vims";
import { makeApiClients, makeAudit, makeTokens, makeUsers } from "./fixtures/people";
import { makeAlarmRoutes } from "./fixtures/alarmRoutes";
import { makeSubscriptions } from "./fixtures/subscriptions";
import { makeReceivers, makeTraps } from "./traps";
import { ago, newId } from "./util";
import { vsrPe, vsrPeNext, vsrRr } from "./fixtures/vnfds";

const withInner = (found: T.VimResources): T.VimResources => ({
  ...found,
  networks: [...found.networks, innerNetwork()],
});

/** Both views of an instance in the API are made from this. */
export interface Instance {
  id: string;
  name: string;
  description: string;
  vnfd: T.Vnfd;
  vimId: string | undefined;
  flavourId: string;
  levels: Record<string, number>;
  settings: Record<string, unknown>;
  metadata: Record<string, unknown>;
  instantiated: boolean;
  vnfcs: T.Vnfc[];
  networks: T.InstanceNetwork[];
  /** These are in addition to differences that follow from the states of VNFCs. */
  drift: T.Difference[];
  runningOpOccId: string | undefined;
  version: number;
}

export interface Db extends Plant {
  readiness: ReadinessCheck[];
  restoration: Restoration | null;
  firstSteps: { viewedAt: string | null; dismissed: boolean };
  session: T.Session | null;
  packages: T.VnfPackage[];
  vnfds: T.Vnfd[];
  /** Keys: VNFD id, then path. */
  files: Map<string, Record<string, string>>;
  vims: StoredVim[];
  resources: Record<string, T.VimResources>;
  plans: T.Plan[];
  instances: Instance[];
  occs: T.OpOcc[];
  alarms: T.Alarm[];
  /** Keys: element id. */
  configured: Map<string, Configured>;
  /** Keys: id of the alarm or VNF instance. */
  notes: Map<string, T.AlarmNote[]>;
  snapshots: Map<string, T.InstanceSnapshot[]>;
  /** The times of requests limit how often a user may ask for consoles and logs. */
  asks: Map<string, number[]>;
  alarmPolicies: T.AlarmPolicy[];
  windows: T.MaintenanceWindow[];
  automationPolicies: T.AutomationPolicy[];
  thresholdRules: T.ThresholdRule[];
  environments: T.Environment[];
  /** Keys: owner's name. */
  boards: StoredBoard[];
  /** Keys: policy id. */
  decisions: Map<string, T.AutomationDecision[]>;
  /** All clouds share one message bus here. */
  bus: T.VimBus;
  webhook: T.VimWebhook;
  unclaimed: (T.Unclaimed & { vimId: string })[];
  /** Keys: Idempotency-Key of the POST. */
  answers: Map<string, Response>;
  /** Paths whose second reading fails. */
  readOnce: Set<string>;
  traps: T.Trap[];
  trapReceivers: T.TrapReceiver[];
  users: User[];
  tokens: ApiToken[];
  apiClients: ApiClient[];
  audit: AuditEntry[];
  alarmRoutes: AlarmRoute[];
  subscriptions: Subscription[];
}

const link = { href: "" };
export const packageLinks: T.VnfPackage["_links"] = { self: link, vnfd: link, packageContent: link };

export function packageOf(vnfd: T.Vnfd, usageState: T.VnfPackage["usageState"]): T.VnfPackage {
  return {
    id: vnfd.packageId,
    checksum: { algorithm: "SHA-256", hash: "6f1c0a8e".repeat(8) },
    vnfdId: vnfd.vnfdId,
    vnfProvider: vnfd.provider,
    vnfProductName: vnfd.productName,
    vnfSoftwareVersion: vnfd.softwareVersion,
    vnfdVersion: vnfd.vnfdVersion,
    signature: { state: "UNSIGNED", reason: "" },
    onboardingState: "ONBOARDED",
    operationalState: "ENABLED",
    usageState,
    _links: packageLinks,
  };
}

export function vnfc(instance: string, slot: string, index: number): T.Vnfc {
  const control = Number.isNaN(Number(slot));
  const port = (cpId: string, networkId: string, ip: string | undefined, vnicType: string): T.Port => ({
    id: newId(),
    cpId,
    networkId,
    macAddress: `fa:16:3e:${(index * 7 + 16).toString(16)}:4c:${(cpId.length + 16).toString(16)}`,
    ipAddresses: ip ? [ip] : [],
    vnicType,
    status: "ACTIVE",
  });
  const common = [
    port("mgmt", "net-mgmt", `172.16.10.${20 + index}`, "normal"),
    port("fabric", "net-fabric", `10.250.0.${10 + index}`, "normal"),
  ];
  const data = [port("data-1", "net-data-a", undefined, "direct"), port("data-2", "net-data-b", undefined, "direct")];
  return {
    id: newId(),
    vduId: control ? "cpm" : "iom",
    slot,
    title: `Slot ${slot} (${control ? "Control VM" : "Data path VM"})`,
    name: `${instance}-${control ? "cpm" : "iom"}-${slot.toLowerCase()}`,
    serverId: newId(),
    status: "ACTIVE",
    statusSince: ago(86_000),
    lastKnownStatus: "ACTIVE",
    mateSlot: "",
    pairRole: "",
    desired: "STARTED",
    fault: "",
    host: `compute-${(index % 3) + 1}`,
    flavor: control ? "vsr.cpm" : "vsr.iom",
    observedAt: ago(3),
    ports: control ? common : [...common, ...data],
  };
}

function instance(name: string, vnfd: T.Vnfd, vimId: string, slots: string[]): Instance {
  return {
    id: newId(),
    name,
    description: "",
    vnfd,
    vimId,
    flavourId: "default",
    levels: { datapath: Math.max(0, slots.length - 3) },
    settings: { system_name: name, mgmt_net: "oam" },
    metadata: slots.length > 0 ? { owner: "transport", rack: 12 } : {},
    instantiated: slots.length > 0,
    vnfcs: slots.map((slot, index) => vnfc(name, slot, index)),
    networks: makeNetworks(),
    drift: [],
    runningOpOccId: undefined,
    version: 4,
  };
}

const makeNetworks = (): T.InstanceNetwork[] => [
  { id: "net-mgmt", vlId: "management", name: "mgmt", external: false },
  { id: "net-fabric", vlId: "fabric", name: "fabric", external: false },
  { id: "net-data-a", vlId: "data", name: "data-a", external: true },
  { id: "net-data-b", vlId: "data", name: "data-b", external: true },
];

/** SOL003's create leaves an instance in this state. */
export const emptyInstance = (name: string, vnfd: T.Vnfd): Instance => ({
  ...instance(name, vnfd, "", []),
  ...{ vimId: undefined, levels: {}, settings: {}, version: 1 },
});

function renamed(vnfc: T.Vnfc): T.Difference {
  return {
    kind: "renamed",
    subject: vnfc.name,
    vnfcId: vnfc.id,
    message: `${vnfc.name} is called router-b in the cloud.`,
    expected: vnfc.name,
    found: "router-b",
    acceptable: true,
    whyNot: "",
    accept: "It is called router-b from now on; a recreated server gets the package's name again.",
    repair: `It is called ${vnfc.name} again.`,
    since: ago(9000),
  };
}

function makeUnclaimed(vimId: string): Db["unclaimed"] {
  const row = (patch: Partial<T.Unclaimed>): Db["unclaimed"][number] => ({
    ...{ id: newId(), vimId, kind: "stack", resourceId: newId(), name: "", ours: false, vnfInstanceId: null },
    ...{ status: "CREATE_COMPLETE", detail: "", firstSeenAt: ago(86_000), lastSeenAt: ago(12) },
    ...{ removal: { state: "NONE", problem: null }, adoptableBy: [] },
    ...patch,
  });
  return [
    row({
      name: "legacy-pe-7",
      detail: "14 resources; made by the user ops on 3 March.",
      adoptableBy: [vsrPe.vnfdId],
    }),
    row({ name: "monitoring", detail: "3 resources: no package of the catalog has such." }),
    row({
      ...{ kind: "image", name: "vnfm-vsr-pe-cpm-4be1a0c8f0d2", ours: true, status: "active" },
      detail: "No VNF instance was made from it, and no package needs it any more.",
    }),
    row({
      ...{ kind: "server", name: "edge-old-iom-9", ours: true, status: "SHUTOFF" },
      detail: "It carries the tag of the VNF instance edge-old, which was deleted.",
    }),
  ];
}

export function alarm(object: Pick<Instance, "id" | "name">, patch: Partial<T.Alarm>): T.Alarm {
  const severity = patch.perceivedSeverity ?? "MAJOR";
  return {
    id: newId(),
    managedObjectType: "VNF_INSTANCE",
    managedObjectId: object.id,
    managedObjectName: object.name,
    vnfcIds: [],
    vimId: null,
    faultyResource: "",
    faultyResourceName: "",
    faultyResourceType: "COMPUTE",
    faultType: "VmDown",
    eventType: "EQUIPMENT_ALARM",
    probableCause: "VNFC stopped",
    faultDetails: [],
    perceivedSeverity: severity,
    originalSeverity: severity,
    previousSeverity: "",
    highestSeverity: severity,
    ackState: "UNACKNOWLEDGED",
    acknowledgedBy: "",
    alarmAcknowledgedTime: null,
    assignedTo: "",
    occurrences: 1,
    occurrencesInADay: 1,
    firstRaisedTime: patch.alarmRaisedTime ?? ago(600),
    alarmRaisedTime: ago(600),
    alarmChangedTime: null,
    severityChangedTime: null,
    alarmClearedTime: null,
    clearedBy: "",
    eventTime: ago(600),
    rootCauseAlarmId: null,
    correlatedCount: 0,
    suppression: "",
    suppressedBy: null,
    clearableByHand: false,
    remedialAction: "",
    version: 1,
    _links: { self: { href: "" }, notes: { href: "" } },
    ...patch,
  };
}

const alarmDefinition = (vnfc: T.Vnfc | undefined): Partial<T.Alarm> =>
  vnfc ? { vnfcIds: [vnfc.id], faultyResource: vnfc.serverId, faultyResourceName: vnfc.name } : {};

function makeAlarms(pe: Instance, edge: Instance): T.Alarm[] {
  return [
    alarm(pe, {
      perceivedSeverity: "MAJOR",
      ...alarmDefinition(pe.vnfcs[3]),
      remedialAction: "Start the server, or find out who stopped it.",
      faultDetails: [`Nova reports SHUTOFF for ${pe.vnfcs[3]?.name ?? ""} (slot 2); ACTIVE is wanted.`],
      alarmRaisedTime: ago(140),
    }),
    alarm(edge, {
      perceivedSeverity: "CRITICAL",
      probableCause: "VNFC missing",
      faultDetails: ["Nova no longer knows the server of slot 1; it was deleted outside the VNF manager."],
      alarmRaisedTime: ago(5400),
      ackState: "ACKNOWLEDGED",
      alarmAcknowledgedTime: ago(5000),
      acknowledgedBy: "admin",
    }),
    alarm(edge, {
      perceivedSeverity: "WARNING",
      probableCause: "Cloud unreachable",
      eventType: "COMMUNICATIONS_ALARM",
      faultDetails: ["lab-west has not answered since 14:02; what is shown of this instance is not current."],
      alarmRaisedTime: ago(8200),
    }),
    alarm(pe, {
      perceivedSeverity: "MAJOR",
      ...alarmDefinition(pe.vnfcs[2]),
      faultDetails: [`Nova reported ERROR for ${pe.vnfcs[2]?.name ?? ""} (slot 1).`],
      alarmRaisedTime: ago(93_000),
      alarmClearedTime: ago(91_000),
      ackState: "ACKNOWLEDGED",
    }),
  ];
}

function cardAlarms({ elements: [element], equipment }: Plant): T.Alarm[] {
  const card = element && equipment.get(element.id)?.find(({ operState }) => operState === "PROVISIONED");
  if (!element || !card) return [];
  return [
    alarm(element, {
      ...{ managedObjectType: "NETWORK_ELEMENT", faultType: "CardDown", probableCause: "equipmentMalfunction" },
      ...{ faultyResource: card.fdn, faultyResourceName: "Card 2", faultyResourceType: "" },
      ...{ faultDetails: ["Card 2 is wanted and not there: the slot is empty."], alarmRaisedTime: ago(300) },
    }),
  ];
}

export const admin = (username: string): T.Session => ({
  id: newId(),
  username,
  displayName: "",
  roles: ["admin", "operator", "viewer"],
});

export function makeDb(loggedIn: boolean): Db {
  const vims = makeVims();
  const pe = instance("edge-fra-1", vsrPe, vims[0]?.id ?? "", ["A", "B", "1", "2"]);
  const stopped = pe.vnfcs[3];
  if (stopped) stopped.status = "SHUTOFF";
  if (pe.vnfcs[1]) pe.drift = [renamed(pe.vnfcs[1])];
  const plant = makePlant(pe);
  const edge = instance("edge-muc-1", vsrPe, vims[1]?.id ?? "", ["A", "B", "1"]);
  edge.vnfcs.forEach((each) => (each.status = "UNKNOWN"));
  return {
    session: loggedIn ? admin("admin") : null,
    packages: [packageOf(vsrPe, "IN_USE"), packageOf(vsrPeNext, "NOT_IN_USE"), packageOf(vsrRr, "NOT_IN_USE")],
    vnfds: [vsrPe, vsrPeNext, vsrRr],
    files: new Map([vsrPe, vsrPeNext, vsrRr].map((vnfd) => [vnfd.packageId, filesOf(vnfd)])),
    vims,
    resources: Object.fromEntries(vims.map((vim) => [vim.id, withInner(resources())])),
    plans: [],
    instances: [pe, edge, emptyInstance("rr-lab", vsrRr)],
    occs: [],
    ...plant,
    alarms: [...makeAlarms(pe, edge), ...cardAlarms(plant)],
    configured: new Map(),
    readiness: [],
    restoration: null,
    firstSteps: { viewedAt: null, dismissed: false },
    notes: new Map(),
    snapshots: new Map(),
    asks: new Map(),
    alarmPolicies: [],
    windows: [],
    automationPolicies: [],
    thresholdRules: [],
    environments: [],
    boards: makeBoards(plant.elements),
    decisions: new Map(),
    bus: {
      ...{ hasTransportUrl: false, exchanges: ["nova", "neutron", "heat"], topic: "notifications", queue: "" },
      listening: { status: "False", reason: "NotAsked", message: "No transport URL is set.", lastTransitionTime: null },
      ...{ heardAt: null, version: 1 },
    },
    webhook: { aodhUrl: null, madeAt: null, calledAt: null },
    unclaimed: makeUnclaimed(vims[0]?.id ?? ""),
    answers: new Map(),
    readOnce: new Set(),
    traps: makeTraps(plant.elements[0]),
    trapReceivers: makeReceivers(),
    users: makeUsers(),
    tokens: makeTokens(),
    apiClients: makeApiClients(),
    audit: makeAudit(pe.id),
    alarmRoutes: makeAlarmRoutes(),
    subscriptions: makeSubscriptions(),
  };
}
