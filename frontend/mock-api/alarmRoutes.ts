import type { AlarmRoute } from "../src/api/alarmRoutes";
import { DELIVERING, makeRouteDeliveries } from "./fixtures/alarmRoutes";
import { json, none, notFound, problem } from "./http";
import { fresh, records } from "./records";
import type { Route } from "./routes";

const PARTS = ["mail", "webhook", "syslog", "snmp"] as const;
const SECRETS = ["password", "secret", "authPassword", "privPassword"];

function withoutSecrets(input: Record<string, unknown>): Record<string, unknown> {
  const shown = { ...input };
  for (const part of PARTS) {
    const settings = input[part] as Record<string, unknown> | undefined;
    if (settings)
      shown[part] = Object.fromEntries(Object.entries(settings).filter(([name]) => !SECRETS.includes(name)));
  }
  return shown;
}

const placeOf = (input: Record<string, unknown>): string => {
  const settings = PARTS.map((part) => input[part] as { host?: string; url?: string } | undefined).find(Boolean);
  return settings?.url ?? settings?.host ?? "";
};

/** The mock refuses the test of a route whose name ends in "error-422". */
export const alarmRoutes: Route[] = [
  ...records<AlarmRoute>("alarm_routes", {
    rows: ({ db }) => db.alarmRoutes,
    make: (input) => ({
      ...{ mail: null, webhook: null, syslog: null, snmp: null, engineId: "", hasSecret: true, waiting: 0 },
      ...{ conditions: [DELIVERING], createdBy: "admin", place: placeOf(input) },
      ...(withoutSecrets(input) as unknown as AlarmRoute),
      ...fresh(),
    }),
    change: (row, input) => Object.assign(row, withoutSecrets(input)),
  }),
  [
    "POST",
    /^\/api\/v1\/alarm_routes\/([^/]+)\/test$/,
    ({ db, params }) => {
      const found = db.alarmRoutes.find(({ id }) => id === params[0]);
      if (!found) return notFound("alarm route");
      if (found.conditions[0]?.status === "True" && !found.name.endsWith("error-422")) return none();
      return problem(422, "The alarm route cannot be used", `${found.place} cannot be read from.`, {
        ...{ code: "ROUTE_UNREACHABLE", nextStep: "Check the server." },
      });
    },
  ],
  [
    "GET",
    /^\/api\/v1\/alarm_routes\/([^/]+)\/deliveries$/,
    ({ db, params }) =>
      db.alarmRoutes.some(({ id }) => id === params[0]) ? json(makeRouteDeliveries()) : notFound("alarm route"),
  ],
];
