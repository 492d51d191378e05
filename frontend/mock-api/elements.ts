import { newId, now } from "./util";
import { makeElement, makeOmission, makePolicy } from "./fixtures/elements";
import { csv, json, notFound, problem, stale, type Context } from "./http";
import { fresh, records } from "./records";
import type { Route } from "./routes";
import type * as T from "../src/api/types";

const find = ({ db, params }: Context) => db.elements.find((each) => each.id === params[0]);

/** An address of 203.0.113.0/24 never answers. */
function read({ later, emit }: Context, element: T.NetworkElement): void {
  element.resync = { ...element.resync, state: "WAITING", requestedAt: now() };
  const silent = element.managementAddress.startsWith("203.0.113.");
  later(2, () => {
    const at = now();
    element.resync = silent
      ? { ...element.resync, state: "FAILED", problem: `${element.managementAddress} does not answer by SNMP.` }
      : {
          ...element.resync,
          state: "DONE",
          progress: 100,
          lastFullAt: at,
          firstFullAt: element.resync.firstFullAt ?? at,
        };
    element.version += 1;
    emit("network_element.changed", element.id, element.version);
  });
}

function act(context: Context): Response {
  const element = find(context);
  if (!element) return notFound("network element");
  const refusal = stale(context, element.version);
  if (refusal) return refusal;
  const deed = context.params[1];
  if (deed === "manage" || deed === "resync") read(context, element);
  if (deed === "manage") element.state = "MANAGED";
  if (deed === "suspend") element.state = "SUSPENDED";
  if (deed === "unmanage") element.state = "UNMANAGED";
  if (deed === "unmanage") context.db.equipment.delete(element.id);
  if (deed === "forget_host_key") element.sshHostKey = element.netconfHostKey = "";
  element.version += 1;
  context.emit("network_element.changed", element.id, element.version);
  return json(element, deed === "resync" ? 202 : 200);
}

function scan(context: Context): Response {
  const { db, params, emit, later } = context;
  const rule = db.discoveryRules.find((each) => each.id === params[0]);
  if (!rule) return notFound("discovery rule");
  if (rule.scan.state === "RUNNING") return problem(409, "Conflict", "A scan is under way.");
  rule.scan = { state: "RUNNING", startedAt: now(), endedAt: null, asked: 0, total: 254, problem: "" };
  later(3, () => {
    const found = makeElement({ name: `found-${db.elements.length}`, managementAddress: "192.0.2.77" });
    db.elements.push(found);
    rule.results.push({
      ...{ address: found.managementAddress, outcome: "REGISTERED", sysName: found.name, sysObjectId: "" },
      ...{ driver: found.driver, elementId: found.id, problem: "" },
    });
    rule.scan = { ...rule.scan, state: "DONE", endedAt: now(), asked: 254 };
    rule.version += 1;
    emit("discovery_rule.changed", rule.id);
  });
  return json(rule, 202);
}

const SECRETS = { community: "hasCommunity", password: "hasPassword", privateKey: "hasPrivateKey" } as const;

/** Answers say only whether a secret is set. */
function policyOf(input: Record<string, unknown>): Partial<T.MediationPolicy> {
  const shown = Object.entries(input).map(([name, value]) =>
    name in SECRETS ? [SECRETS[name as keyof typeof SECRETS], true] : [name, value],
  );
  return Object.fromEntries(shown) as Partial<T.MediationPolicy>;
}

/** Keys: last part of the address; values: name in `Db`. */
const PARTS = {
  equipment: "equipment",
  interfaces: "interfaces",
  bgp_peers: "bgpPeers",
  adjacencies: "adjacencies",
  facts: "facts",
} as const;
const part = (name: keyof typeof PARTS): Route => [
  "GET",
  new RegExp(`^/api/v1/elements/([^/]+)/${name}$`),
  (context) => {
    const rows = context.db[PARTS[name]].get(context.params[0] ?? "") ?? [];
    return json(rows);
  },
];

const omissions: Route = [
  "GET",
  /^\/api\/v1\/elements\/([^/]+)\/omissions$/,
  ({ db, params }) => {
    const element = db.elements.find(({ id }) => id === params[0]);
    return json(element && element.omissionCount > 0 ? [makeOmission(element)] : []);
  },
];

export const elements: Route[] = [
  omissions,
  ["GET", /^\/api\/v1\/elements\.csv$/, ({ db }) => csv(["name", "managementAddress", "state"], db.elements)],
  ...records<T.NetworkElement>("elements", {
    rows: ({ db }) => db.elements,
    topic: "network_element.changed",
    make: (input, context) => {
      const made = makeElement({ ...(input as Partial<T.NetworkElement>), id: newId(), observedAt: null, version: 1 });
      read(context, made);
      return made;
    },
    refuse: ({ managementAddress: address }) =>
      address !== undefined && !/^[\d.:a-f]+$/.test(address as string)
        ? ["/managementAddress", "Enter a valid IPv4 or IPv6 address."]
        : undefined,
  }),
  ["POST", /^\/api\/v1\/elements\/([^/]+)\/(manage|unmanage|suspend|resync|forget_host_key)$/, act],
  ...(Object.keys(PARTS) as (keyof typeof PARTS)[]).map(part),
  ...records<T.Site>("sites", {
    rows: ({ db }) => db.sites,
    topic: "site.changed",
    make: (input) => ({ ...fresh(), ...(input as unknown as T.SiteInput) }),
  }),
  ...records<T.MediationPolicy>("mediation_policies", {
    rows: ({ db }) => db.mediationPolicies,
    topic: "mediation_policy.changed",
    make: (input) => makePolicy({ hasCommunity: false, ...policyOf(input), ...fresh() }),
    change: (row, input) => Object.assign(row, policyOf(input)),
    refuse: ({ protocol, community, networks }: { protocol?: unknown; community?: unknown; networks?: string[] }) =>
      protocol === "SNMPv2c" && !community
        ? ["/community", "SNMPv2c needs a community."]
        : networks?.includes("0.0.0.0/0")
          ? ["/networks", "0.0.0.0/0 is too large: choose a /8 or a smaller one."]
          : undefined,
  }),
  ...records<T.ManagementProfile>("management_profiles", {
    rows: ({ db }) => db.managementProfiles,
    topic: "management_profile.changed",
    make: (input) => ({
      ...{ vimId: null, vimName: null, provider: "", productName: "", sshPolicyId: null, netconfPolicyId: null },
      ...{ addressRange: "", configureSnmp: null, ...(input as unknown as T.ManagementProfileInput), ...fresh() },
    }),
  }),
  ...records<T.DiscoveryRule>("discovery_rules", {
    rows: ({ db }) => db.discoveryRules,
    topic: "discovery_rule.changed",
    make: (input) => ({
      ...{ exclude: [], enabled: true, scanInterval: null, siteId: null, sshPolicyId: null, netconfPolicyId: null },
      ...(input as unknown as T.DiscoveryRuleInput),
      ...{ scan: { state: "NEVER", startedAt: null, endedAt: null, asked: 0, total: 0, problem: "" }, results: [] },
      ...fresh(),
    }),
    refuse: ({ include }) =>
      (include as string[] | undefined)?.some((each) => !/^[\d./:a-f-]+$/.test(each))
        ? ["/include/0", "That is no range of addresses."]
        : undefined,
  }),
  ["POST", /^\/api\/v1\/discovery_rules\/([^/]+)\/scan$/, scan],
];
