import type { Vnfd } from "@/api/types";

/** Whether each VNFC of a kind is a router of its own, which can go without loss. */
export const hasRouters = (vnfd: Vnfd | undefined): boolean => Boolean(vnfd?.element?.perComponentOf);

/** What a request says of it: nothing where it is as usual. */
export const drainParams = (vnfd: Vnfd | undefined, drain: boolean): { drain?: false } =>
  hasRouters(vnfd) && !drain ? { drain: false } : {};
