import { now } from "./util";
import { json, notFound, problem, type Context } from "./http";
import { fresh, records } from "./records";
import type { Route } from "./routes";
import type * as T from "../src/api/types";

function make(input: T.EnvironmentInput, { db }: Context): T.Environment {
  const vnfd = db.vnfds.find(({ vnfdId }) => vnfdId === input.vnfdId);
  return {
    ...{ description: "", instantiationLevelId: "", targetScaleLevelInfo: [], additionalParams: {}, ...input },
    ...{ vnfProvider: vnfd?.provider ?? "", vnfProductName: vnfd?.productName ?? "" },
    ...{ vnfSoftwareVersion: vnfd?.softwareVersion ?? "", vnfdVersion: vnfd?.vnfdVersion ?? "" },
    ...{ vimId: input.vimId ?? null, vimName: db.vims.find(({ id }) => id === input.vimId)?.name ?? "" },
    ...{ createdBy: "admin", changedAt: now(), changedBy: "admin", ...fresh() },
  };
}

/** An environment stores no secrets, so the server refuses parameters that are secret. */
function secretIn({ db, body }: Context): Response | undefined {
  const input = body as T.EnvironmentInput;
  const vnfd = db.vnfds.find(({ vnfdId }) => vnfdId === input.vnfdId);
  const hidden = vnfd?.settings.find(({ name, hidden: secret }) => secret && name in (input.additionalParams ?? {}));
  if (!hidden) return undefined;
  const message = "This is a secret, and an environment stores none: give it at the instantiation.";
  const errors = [{ field: `/additionalParams/${hidden.name}`, message }];
  return problem(422, "Invalid input", message, { code: "ENVIRONMENT_REFUSED", errors });
}

function mayWrite({ db }: Context): Response | undefined {
  if (db.session?.roles.includes("operator")) return undefined;
  return problem(403, "You are not allowed to do this", "This takes the role operator.");
}

const guarded = records<T.Environment>("environments", {
  rows: ({ db }) => db.environments,
  topic: "environment.changed",
  make: (input, context) => make(input as unknown as T.EnvironmentInput, context),
}).map(([method, pattern, handler]): Route => [
  method,
  pattern,
  (context) => {
    const writes = method !== "GET";
    return (
      (writes ? (mayWrite(context) ?? (method === "POST" ? secretIn(context) : undefined)) : undefined) ??
      handler(context)
    );
  },
]);

/** This reads only lines "  name: value" below `parameters:`, where the server reads YAML. */
function parametersOf(document: string): [string, string][] {
  const lines = document.split("\n");
  const from = lines.findIndex((line) => line.trim() === "parameters:");
  return lines.slice(from + 1).flatMap((line): [string, string][] => {
    const found = /^ +([\w-]+): *(.*)$/.exec(line);
    return found?.[1] ? [[found[1], (found[2] ?? "").replace(/^["'](.*)["']$/, "$1")]] : [];
  });
}

function derive({ db, body }: Context): Response {
  const { vnfdId, document } = body as { vnfdId: string; document: string };
  const vnfd = db.vnfds.find((each) => each.vnfdId === vnfdId);
  if (!vnfd) return notFound("VNFD");
  if (!/^parameters:/m.test(document)) {
    const message = "It has no section `parameters` with names and values.";
    return problem(422, "Invalid input", message, {
      ...{ code: "NO_HOT_ENVIRONMENT", nextStep: "Take the file that is given to `openstack stack create -e`." },
      errors: [{ field: "/document", message }],
    });
  }
  const additionalParams: Record<string, unknown> = {};
  const leftOut: T.DerivedEnvironment["leftOut"] = [];
  for (const [name, value] of parametersOf(document)) {
    const setting = vnfd.settings.find((each) => each.name === name);
    if (!setting) leftOut.push({ name, reason: `${vnfd.productName} has no setting '${name}'.` });
    else if (setting.hidden) leftOut.push({ name, reason: "This is a secret, and an environment stores none." });
    else additionalParams[name] = setting.type === "number" ? Number(value) : value;
  }
  return json({ additionalParams, leftOut });
}

function hot({ db, params }: Context): Response {
  const found = db.environments.find(({ id }) => id === params[0]);
  if (!found) return notFound("environment");
  const lines = Object.entries(found.additionalParams).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`);
  const headers = {
    "Content-Type": "text/yaml",
    "Content-Disposition": `attachment; filename="${found.name}.env.yaml"`,
  };
  const text = [`# ${found.name}`, "parameters:", ...lines, ""].join("\n");
  return new Response(text, { headers });
}

export const environments: Route[] = [
  ["POST", /^\/api\/v1\/environments\/derive$/, (context) => mayWrite(context) ?? derive(context)],
  ["GET", /^\/api\/v1\/environments\/([^/]+)\/hot$/, hot],
  ...guarded,
];
