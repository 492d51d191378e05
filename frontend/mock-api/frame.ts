import type * as F from "../src/api/frame";
import { type Db } from "./db";
import { ago } from "./util";
import { json, notFound, problem, type Context } from "./http";
import type { Route } from "./routes";
import { availability } from "./views";
import type * as T from "../src/api/types";

const SHORTEST = 2;
const MOST = 8;
const OPEN = ["STARTING", "PROCESSING", "ROLLING_BACK", "FAILED_TEMP"];
const HOUR_S = 3600;
const SEVERITIES = ["CRITICAL", "MAJOR", "MINOR", "WARNING", "INDETERMINATE"] as const;

type Found = Pick<F.SearchHit, "id" | "name" | "detail"> & Partial<F.SearchHit> & { words: readonly string[] };

function known(db: Db): Record<F.SearchKind, Found[]> {
  const vms = db.instances.flatMap((instance) => instance.vnfcs.map((vm) => ({ instance, vm })));
  const owner = ({ id }: { id: string }) => ({ ownerKind: "INSTANCE", ownerId: id }) as const;
  return {
    INSTANCE: db.instances.map(({ id, name, vnfd }) => ({ id, name, detail: vnfd.productName, words: [name, id] })),
    VM: vms.map(({ instance, vm }) => ({
      ...{ id: vm.id, name: vm.name, detail: `${vm.vduId} · ${instance.name}`, words: [vm.name, vm.serverId] },
      ...owner(instance),
    })),
    ELEMENT: db.elements.map(({ id, name, managementAddress }) => ({
      ...{ id, name, detail: managementAddress, words: [name, managementAddress] },
    })),
    ADDRESS: vms.flatMap(({ instance, vm }) =>
      vm.ports.flatMap((port) =>
        port.ipAddresses.map((address) => ({
          ...{ id: port.id, name: address, detail: `${port.cpId} · ${vm.name} · ${instance.name}`, words: [address] },
          ...owner(instance),
        })),
      ),
    ),
    ALARM: db.alarms
      .filter(({ alarmClearedTime }) => alarmClearedTime === null)
      .map((alarm) => ({
        ...{ id: alarm.id, name: alarm.probableCause, severity: alarm.perceivedSeverity },
        detail: alarm.managedObjectName,
        words: [alarm.probableCause, alarm.managedObjectName, ...alarm.faultDetails],
      })),
    PACKAGE: db.vnfds.map((vnfd) => ({
      ...{ id: vnfd.packageId, name: vnfd.productName, detail: `${vnfd.provider} · ${vnfd.softwareVersion}` },
      words: [vnfd.productName, vnfd.provider],
    })),
    CLOUD: db.vims.map(({ id, name, region, authUrl }) => ({ id, name, detail: region, words: [name, authUrl] })),
    SITE: db.sites.map(({ id, name }) => ({ id, name, detail: "", words: [name] })),
  };
}

/** The server ranks a whole word first, then its beginning, then a part of it. */
function rank(words: readonly string[], text: string): number {
  const small = words.map((word) => word.toLowerCase());
  if (small.includes(text)) return 0;
  if (small.some((word) => word.startsWith(text))) return 1;
  return small.some((word) => word.includes(text)) ? 2 : 3;
}

/** The text "fails" makes the search fail. */
function search({ db, url }: Context): Response {
  const text = (url.searchParams.get("q") ?? "").trim().toLowerCase();
  if (text.length < SHORTEST) return problem(400, "Bad request", `Ask for at least ${SHORTEST} characters.`);
  if (text === "fails") {
    return problem(500, "Something went wrong here", "The search could not be made.", {
      nextStep: "Try again; if it stays so, look into the log of the VNF manager.",
    });
  }
  const groups = Object.entries(known(db)).map(([kind, rows]) => {
    const found = rows
      .map((row) => ({ ...row, rank: rank(row.words, text) }))
      .filter((row) => row.rank < 3)
      .sort((a, b) => a.rank - b.rank || a.name.localeCompare(b.name));
    const hits = found.slice(0, MOST).map(({ words, rank: _rank, ...row }) => {
      const matched = row.name.toLowerCase().includes(text) ? "" : words.find((w) => w.toLowerCase().includes(text));
      return { severity: "", ownerKind: kind, ownerId: row.id, ...row, matched: matched ?? "" };
    });
    return { kind, hits, more: found.length > MOST, best: Math.min(...found.map((row) => row.rank)) };
  });
  const sorted = groups.filter(({ hits }) => hits.length > 0).sort((a, b) => a.best - b.best);
  return json({ groups: sorted.map(({ best: _best, ...group }) => group) });
}

const AT_WORK = ["RUNNING", "WAITING", "UNDOING", "FAILED"];
const lineOf = (occ: T.OpOcc): F.OperationLine => ({
  ...{
    id: occ.id,
    operation: occ.operation as F.OperationLine["operation"],
    operationParams: occ.operationParams ?? {},
  },
  ...{ operationState: occ.operationState, vnfInstanceId: occ.vnfInstanceId, vnfInstanceName: occ.vnfInstanceName },
  ...{
    startedBy: occ.startedBy,
    startTime: occ.startTime,
    stateEnteredTime: occ.stateEnteredTime,
    deadline: occ.deadline,
  },
  steps: occ.steps.length,
  stepsDone: occ.steps.filter(({ state }) => state === "DONE").length,
  step: occ.steps.find(({ state }) => AT_WORK.includes(state))?.title ?? "",
  waitingSince: occ.waitingSince,
  isCancelPending: occ.isCancelPending,
  cancellable: occ.actions.some(({ action, enabled }) => action === "cancel" && enabled),
  problem: occ.error?.detail ?? "",
});
const lines = ({ occs }: Db, open: boolean): F.OperationLine[] =>
  occs
    .filter(({ operationState }) => OPEN.includes(operationState) === open)
    .map(lineOf)
    .reverse();

function operations({ db }: Context): Response {
  const open = lines(db, true);
  return json({ open, openCount: open.length, ended: lines(db, false) });
}

function count<R>(rows: readonly R[], keys: readonly string[], of: (row: R) => string): Record<string, number> {
  return Object.fromEntries(keys.map((key) => [key, rows.filter((row) => of(row) === key).length]));
}

function problems(alarms: readonly T.Alarm[]): F.ObjectProblem[] {
  const weight = ({ perceivedSeverity }: T.Alarm) => (SEVERITIES as readonly string[]).indexOf(perceivedSeverity);
  const groups = Map.groupBy(
    alarms.filter(({ rootCauseAlarmId }) => rootCauseAlarmId === null),
    (alarm) => alarm.managedObjectId,
  );
  return [...groups.values()]
    .flatMap((mine) => {
      const [worst] = [...mine].sort(
        (a, b) => weight(a) - weight(b) || a.alarmRaisedTime.localeCompare(b.alarmRaisedTime),
      );
      return worst ? [{ worst, mine }] : [];
    })
    .sort((a, b) => weight(a.worst) - weight(b.worst))
    .slice(0, MOST)
    .map(({ worst, mine }) => ({
      ...{ managedObjectType: worst.managedObjectType, managedObjectId: worst.managedObjectId },
      ...{ managedObjectName: worst.managedObjectName, since: worst.alarmRaisedTime, alarmId: worst.id },
      severity: worst.perceivedSeverity as F.ObjectProblem["severity"],
      cause: worst.probableCause,
      counts: count(mine, SEVERITIES, (alarm) => alarm.perceivedSeverity),
    }));
}

function hours(alarms: readonly T.Alarm[]): F.Overview["hours"] {
  const hour = new Date().setMinutes(0, 0, 0);
  const indexOf = ({ alarmRaisedTime }: T.Alarm) =>
    23 + Math.floor((Date.parse(alarmRaisedTime) - hour) / (HOUR_S * 1000));
  const byHour = Map.groupBy(alarms, indexOf);
  return Array.from({ length: 24 }, (_none, index) => ({
    begins: new Date(hour - (23 - index) * HOUR_S * 1000).toISOString(),
    counts: count(byHour.get(index) ?? [], SEVERITIES, (alarm) => alarm.highestSeverity),
  }));
}

const cloud = (vim: Db["vims"][number]): F.CloudHealth[] => {
  const [condition] = vim.conditions;
  if (!condition) return [];
  const lost = condition.status === "True" ? null : condition.lastTransitionTime;
  return [
    {
      ...{ id: vim.id, name: vim.name, reachable: condition },
      ...{ quotas: vim.quotas, quotasAt: vim.probedAt, quotasUnknownSince: lost },
    },
  ];
};

/** A cloud with the name "overview-fails" makes the overview fail. */
function overview({ db }: Context): Response {
  if (db.vims.some(({ name }) => name === "overview-fails")) {
    return problem(500, "Something went wrong here", "The overview could not be put together.", {
      nextStep: "Try again; if it stays so, look into the log of the VNF manager.",
    });
  }
  const open = db.alarms.filter(({ alarmClearedTime }) => alarmClearedTime === null);
  const vms = db.instances.flatMap(({ vnfcs }) => vnfcs);
  const status = ({ status: each }: T.Vnfc) => (["ACTIVE", "ERROR", "UNKNOWN"].includes(each) ? each : "OTHER");
  const reach = { True: "REACHABLE", False: "UNREACHABLE", Unknown: "UNKNOWN" } as const;
  const operations = lines(db, true);
  return json({
    at: ago(0),
    clouds: db.vims.flatMap(cloud),
    instances: count(
      db.instances,
      ["RUNNING", "DEGRADED", "CHANGING", "DOWN", "UNKNOWN", "NOT_INSTANTIATED"],
      availability,
    ),
    vms: count(vms, ["ACTIVE", "ERROR", "OTHER", "UNKNOWN"], status),
    elements: count(db.elements, ["REACHABLE", "UNREACHABLE", "UNKNOWN", "SUSPENDED", "UNMANAGED"], (element) =>
      element.state === "MANAGED" ? reach[element.conditions[0]?.status ?? "Unknown"] : element.state,
    ),
    alarms: count(open, SEVERITIES, (alarm) => alarm.perceivedSeverity),
    problems: problems(open),
    operations,
    operationsOpen: operations.length,
    hours: hours(db.alarms),
  } satisfies F.Overview);
}

/** The mock keeps only which steps were viewed and dismissed, for all users together. */
function firstSteps({ db }: Context): Response {
  const [element] = db.elements;
  const names = ["VIEW_ELEMENT", "INSTANTIATE", "MANAGE_VNF", "SCALE_OUT", "CLEAR_ALARM"] as const;
  const done = [db.firstSteps.viewedAt, db.instances[0] ? ago(60) : null];
  const steps = names.map((name, index) => ({
    ...{ name, doneAt: done[index] ?? null },
    objectId: name === "VIEW_ELEMENT" ? (element?.id ?? "") : "",
    objectName: name === "VIEW_ELEMENT" ? (element?.name ?? "") : "",
  }));
  return json({ shown: !db.firstSteps.dismissed, steps } satisfies F.FirstSteps);
}

function readiness({ db }: Context): Response {
  const { restoration } = db;
  const onHoldFrom = restoration && restoration.releasedAt === null ? restoration.takenAt : null;
  const ready = db.readiness.every(({ ok }) => ok);
  return json({ ready, checks: db.readiness, version: "1.0.0", onHoldFrom } satisfies F.Readiness);
}

function restoration({ db }: Context): Response {
  return db.restoration ? json(db.restoration) : notFound("restoration");
}

function restorationRelease({ db }: Context): Response {
  if (!db.restoration) return notFound("restoration");
  db.restoration = { ...db.restoration, releasedAt: ago(0), releasedBy: db.session?.username ?? "" };
  return json(db.restoration satisfies F.Restoration);
}

function firstStepsUpdate(context: Context): Response {
  const { elementViewed, dismissed } = context.body as F.FirstStepsChange;
  const { firstSteps: kept } = context.db;
  if (elementViewed) kept.viewedAt ??= ago(0);
  kept.dismissed = dismissed ?? kept.dismissed;
  return firstSteps(context);
}

export const frame: Route[] = [
  ["GET", /^\/api\/v1\/search$/, search],
  ["GET", /^\/api\/v1\/operations$/, operations],
  ["GET", /^\/api\/v1\/overview$/, overview],
  ["GET", /^\/api\/v1\/readiness$/, readiness],
  ["GET", /^\/api\/v1\/restoration$/, restoration],
  ["POST", /^\/api\/v1\/restoration\/release$/, restorationRelease],
  ["GET", /^\/api\/v1\/first_steps$/, firstSteps],
  ["PATCH", /^\/api\/v1\/first_steps$/, firstStepsUpdate],
];
