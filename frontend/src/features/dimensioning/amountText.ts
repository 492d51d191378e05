import { plural } from "@lingui/core/macro";
import { number } from "@/ui/format";

/** These units are words with a plural; the others are symbols, such as Mpps. */
const COUNTED: Record<string, (count: number, figure: string) => string> = {
  session: (count, figure) => plural(count, { one: `${figure} session`, other: `${figure} sessions` }),
  "session/s": (count, figure) => plural(count, { one: `${figure} session/s`, other: `${figure} sessions/s` }),
  bearer: (count, figure) => plural(count, { one: `${figure} bearer`, other: `${figure} bearers` }),
  route: (count, figure) => plural(count, { one: `${figure} route`, other: `${figure} routes` }),
  peer: (count, figure) => plural(count, { one: `${figure} peer`, other: `${figure} peers` }),
  MAC: (count, figure) => plural(count, { one: `${figure} MAC address`, other: `${figure} MAC addresses` }),
  flow: (count, figure) => plural(count, { one: `${figure} flow`, other: `${figure} flows` }),
  service: (count, figure) => plural(count, { one: `${figure} service`, other: `${figure} services` }),
  VM: (count, figure) => plural(count, { one: `${figure} VM`, other: `${figure} VMs` }),
  slot: (count, figure) => plural(count, { one: `${figure} slot`, other: `${figure} slots` }),
  port: (count, figure) => plural(count, { one: `${figure} port`, other: `${figure} ports` }),
  core: (count, figure) => plural(count, { one: `${figure} core`, other: `${figure} cores` }),
  socket: (count, figure) => plural(count, { one: `${figure} socket`, other: `${figure} sockets` }),
  subscriber: (count, figure) => plural(count, { one: `${figure} subscriber`, other: `${figure} subscribers` }),
  "route/s": (count, figure) => plural(count, { one: `${figure} route/s`, other: `${figure} routes/s` }),
  vRouter: (count, figure) => plural(count, { one: `${figure} vRouter`, other: `${figure} vRouters` }),
};

/** "40,000,000 routes", "50 Mpps" */
export const amountText = (value: number, unit: string): string =>
  COUNTED[unit]?.(value, number(value)) ?? `${number(value)} ${unit}`;
