/** SOL003 clauses 5.4.18 and 7.4.4. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "./__generated__/schema";
import { all, api } from "./client";

export type Subscription = components["schemas"]["SubscriptionOut"];

export const subscriptionKeys = { subscriptions: ["subscriptions"] };

/** Each interface has its own path for subscriptions. */
export function subscriptionDelete({ id, interface: which }: Subscription): Promise<unknown> {
  const place = { params: { path: { subscription_id: id } } };
  switch (which) {
    case "vnffm":
      return api.DELETE("/vnffm/v1/subscriptions/{subscription_id}", place);
    case "vnfind":
      return api.DELETE("/vnfind/v1/subscriptions/{subscription_id}", place);
    case "vnfpkgm":
      return api.DELETE("/vnfpkgm/v1/subscriptions/{subscription_id}", place);
    case "vnfpkgm_v2": // Both editions have the same shape.
      return api.DELETE("/vnfpkgm/v2/subscriptions/{subscription_id}", place);
    case "vnflcm_v1": // SOL003 2.6.1.
      return api.DELETE(
        "/vnflcm/v1/subscriptions/{subscription_id}" as "/vnflcm/v2/subscriptions/{subscription_id}",
        place,
      );
    case "vnfpm_v1":
      return api.DELETE(
        "/vnfpm/v1/subscriptions/{subscription_id}" as "/vnflcm/v2/subscriptions/{subscription_id}",
        place,
      );
    case "vnfpm_job":
      return api.DELETE("/vnfpm/v2/pm_jobs/{job_id}", { params: { path: { job_id: id } } });
    case "vnfpm_threshold":
      return api.DELETE("/vnfpm/v2/thresholds/{threshold_id}", { params: { path: { threshold_id: id } } });
    default:
      return api.DELETE("/vnflcm/v2/subscriptions/{subscription_id}", place);
  }
}

/** Deliveries publish no events, so they are polled. */
const LOOK_MS = 30_000;

export const subscriptionQueries = {
  subscriptions: () =>
    queryOptions({
      queryKey: subscriptionKeys.subscriptions,
      queryFn: () => all<Subscription>(api.GET("/api/v1/subscriptions")),
      refetchInterval: LOOK_MS,
    }),
};
