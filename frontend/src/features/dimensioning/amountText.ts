import { plural } from "@lingui/core/macro";
import { number } from "@/ui/format";

/** Units that are counted; all others are symbols, such as Mpps. */
const COUNTED: Record<string, (count: number, figure: string) => string> = {
  session: (count, figure) => plural(count, { one: `${figure} session`, other: `${figure} sessions` }),
  "session/s": (count, figure) => plural(count, { one: `${figure} session/s`, other: `${figure} sessions/s` }),
  bearer: (count, figure) => plural(count, { one: `${figure} bearer`, other: `${figure} bearers` }),
  route: (count, figure) => plural(count, { one: `${figure} route`, other: `${figure} routes` }),
  peer: (count, figure) => plural(count, { one: `${figure} peer`, other: `${figure} peers` }),
  MAC: (count, figure) => plural(count, { one: `${figure} MAC address`, other: `${figure} MAC addresses` }),
  flow: (count, figure) => plural(count, { one: `${figure} flow`, other: `${figure} flows` }),
  service: (count, figure) => plural(count, { one: `${figure} service`, other: `${figure} services` }),
  vRouter: (count, figure) => plural(count, { one: `${figure} vRouter`, other: `${figure} vRouters` }),
};

/** "40,000,000 routes", "50 Mpps". */
export const amountText = (value: number, unit: string): string =>
  COUNTED[unit]?.(value, number(value)) ?? `${number(value)} ${unit}`;
