import { ago, newId } from "./db";
import { none, notFound } from "./http";
import { listed } from "./lists";
import type { Route } from "./routes";
import type { Subscription } from "../src/api/subscriptions";

function subscription(
  which: Subscription["interface"],
  callbackUri: string,
  patch: Partial<Subscription>,
): Subscription {
  const id = newId();
  const condition: Subscription["conditions"][number] = {
    ...{ type: "Delivering", status: "True", reason: "EndpointAnswers", lastTransitionTime: ago(40_000) },
    message: "The endpoint took what it was last sent.",
  };
  const href = `${which === "vnffm" ? "/vnffm/v1" : "/vnflcm/v2"}/subscriptions/${id}`;
  return {
    ...{ id, interface: which, href, callbackUri, authType: "BASIC", waiting: 0, conditions: [condition] },
    ...{ createdAt: ago(600_000), createdBy: "nfvo", ...patch },
  };
}

export const makeSubscriptions = (): Subscription[] => [
  subscription("vnflcm", "https://nfvo.example/lcm", {}),
  subscription("vnffm", "https://oss.example/alarms", {
    ...{ authType: "", waiting: 12 },
    conditions: [
      {
        ...{ type: "Delivering", status: "False", reason: "EndpointFails", lastTransitionTime: ago(900) },
        message: "The endpoint answers 503. Failures in a row: 9; notifications that wait: 12.",
      },
    ],
  }),
];

const ended = (which: Subscription["interface"], path: RegExp): Route => [
  "DELETE",
  path,
  ({ db, params }) => {
    const found = db.subscriptions.find((each) => each.id === params[0] && each.interface === which);
    if (!found) return notFound("subscription");
    db.subscriptions = db.subscriptions.filter((each) => each !== found);
    return none();
  },
];

/** Who is told of alarms and operations. */
export const subscriptions: Route[] = [
  ["GET", /^\/api\/v1\/subscriptions$/, (context) => listed(context, context.db.subscriptions)],
  ended("vnffm", /^\/vnffm\/v1\/subscriptions\/([^/]+)$/),
  ended("vnflcm", /^\/vnflcm\/v2\/subscriptions\/([^/]+)$/),
];
