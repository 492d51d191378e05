import type * as T from "../src/api/types";
import { json } from "./http";
import { listed } from "./lists";
import type { Route } from "./routes";

type Binding = readonly [oid: string, value: number | string, name: string, text: string];
/** The server sends bindings as they were received and with their names. */
const bound = (...all: readonly Binding[]): Pick<T.Trap, "varbinds" | "bindings"> => ({
  varbinds: Object.fromEntries(all.map(([oid, value]) => [oid, value])),
  bindings: all.map(([oid, , name, text]) => ({ oid, name, text })),
});
export const LINK_DOWN = bound(
  ["1.3.6.1.2.1.2.2.1.1.1002", 1002, "ifIndex.1002", "1/1/3"],
  ["1.3.6.1.2.1.2.2.1.7.1002", 1, "ifAdminStatus.1002", "up"],
  ["1.3.6.1.2.1.2.2.1.8.1002", 2, "ifOperStatus.1002", "down"],
);

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

/** One trap is of the first element, one of an unknown sender, and one is not in the catalogue. */
export function makeTraps(element: Pick<T.NetworkElement, "id" | "name" | "managementAddress"> | undefined): T.Trap[] {
  const known = { elementId: element?.id ?? null, elementName: element?.name ?? null };
  const from = { ...known, sourceAddress: element?.managementAddress ?? "" };
  return [
    {
      ...{ ...from, id: 3, name: "linkDown", trapOid: "1.3.6.1.6.3.1.1.5.3", receivedAt: ago(40), sequence: 8 },
      ...LINK_DOWN,
    },
    {
      ...{ ...from, id: 2, name: "", trapOid: "1.3.6.1.4.1.6527.3.1.3.2.0.999", receivedAt: ago(90), sequence: 7 },
      ...bound(["1.3.6.1.4.1.6527.3.1.2.2.1.1.0", "0x0001", "1.3.6.1.4.1.6527.3.1.2.2.1.1.0", "0x0001"]),
    },
    {
      ...{ elementId: null, elementName: null, sourceAddress: "198.51.100.200", id: 1, name: "coldStart" },
      ...{ trapOid: "1.3.6.1.6.3.1.1.5.1", ...bound(), receivedAt: ago(4000), sequence: null },
    },
  ];
}

export const makeReceivers = (): T.TrapReceiver[] => [
  {
    ...{ host: "vnfm-1", address: "0.0.0.0", port: 162, status: "True", problem: "", startedAt: ago(90_000) },
    ...{ observedAt: ago(1), bufferWanted: 8_388_608, bufferSize: 8_388_608, received: 48_210, stored: 47_903 },
    ...{ sampledOut: 300, repeated: 2, refused: 4, garbled: 0, unknown: 1, overflowed: 0, dropped: 0 },
    refusals: [
      {
        ...{ sourceAddress: "192.0.2.7", elementId: null, elementName: null, count: 4, lastAt: ago(60) },
        reason: "It is of SNMPv1, and its community is not that of the element's SNMP policy.",
      },
    ],
  },
  {
    ...{ host: "vnfm-2", address: "0.0.0.0", port: 162, status: "False", startedAt: ago(600), observedAt: ago(2) },
    problem: "Port 162 could not be opened: another process has it.",
    ...{ bufferWanted: 8_388_608, bufferSize: 0, received: 0, stored: 0, sampledOut: 0, repeated: 0, refused: 0 },
    ...{ garbled: 0, unknown: 0, overflowed: 0, dropped: 0, refusals: [] },
  },
];

export const traps: Route[] = [
  ["GET", /^\/api\/v1\/traps$/, (context) => listed(context, context.db.traps)],
  [
    "GET",
    /^\/api\/v1\/trap_receivers$/,
    ({ db }) => json(db.trapReceivers.map((each) => ({ ...each, observedAt: ago(1) }))),
  ],
];
