import type { Vnfd } from "@/api/types";

/** A VNFC that is a router of its own can be drained before it stops. */
export const hasRouters = (vnfd: Vnfd | undefined): boolean => Boolean(vnfd?.element?.perComponentOf);

/** Draining is the default, so the request says only that it is not wanted. */
export const drainParams = (vnfd: Vnfd | undefined, drain: boolean): { drain?: false } =>
  hasRouters(vnfd) && !drain ? { drain: false } : {};
