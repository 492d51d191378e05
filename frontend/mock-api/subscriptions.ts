import { none, notFound } from "./http";
import { listed } from "./lists";
import type { Route } from "./routes";
import type { Subscription } from "../src/api/subscriptions";

const remove = (which: Subscription["interface"], path: RegExp): Route => [
  "DELETE",
  path,
  ({ db, params }) => {
    const found = db.subscriptions.find((each) => each.id === params[0] && each.interface === which);
    if (!found) return notFound("subscription");
    db.subscriptions = db.subscriptions.filter((each) => each !== found);
    return none();
  },
];

export const subscriptions: Route[] = [
  ["GET", /^\/api\/v1\/subscriptions$/, (context) => listed(context, context.db.subscriptions)],
  remove("vnffm", /^\/vnffm\/v1\/subscriptions\/([^/]+)$/),
  remove("vnflcm", /^\/vnflcm\/v2\/subscriptions\/([^/]+)$/),
  remove("vnflcm_v1", /^\/vnflcm\/v1\/subscriptions\/([^/]+)$/),
  remove("vnfpkgm", /^\/vnfpkgm\/v1\/subscriptions\/([^/]+)$/),
  remove("vnfpkgm_v2", /^\/vnfpkgm\/v2\/subscriptions\/([^/]+)$/),
  remove("vnfind", /^\/vnfind\/v1\/subscriptions\/([^/]+)$/),
  remove("vnfpm_v1", /^\/vnfpm\/v1\/subscriptions\/([^/]+)$/),
  remove("vnfpm_job", /^\/vnfpm\/v2\/pm_jobs\/([^/]+)$/),
  remove("vnfpm_threshold", /^\/vnfpm\/v2\/thresholds\/([^/]+)$/),
];
