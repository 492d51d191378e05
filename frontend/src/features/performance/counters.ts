import { t } from "@lingui/core/macro";

/** Processor and memory of an element are counters of this object. */
export const SYSTEM = "(element)";

const COUNTER: Record<string, string> = {
  cpu: t`CPU`,
  memory: t`memory`,
  utilisationIn: t`utilisation in`,
  utilisationOut: t`utilisation out`,
  octetsIn: t`traffic in`,
  octetsOut: t`traffic out`,
  packetsIn: t`packets in`,
  packetsOut: t`packets out`,
  errorsIn: t`errors in`,
  errorsOut: t`errors out`,
  discardsIn: t`discards in`,
  discardsOut: t`discards out`,
  sent: t`packets sent`,
  lost: t`packets lost`,
  gap: t`longest gap`,
};
export const counterText = (name: string): string => COUNTER[name] ?? name;

/** The unit of the API. */
export const unitOf = (counter: string): string => {
  if (counter === "cpu" || counter === "memory" || counter.startsWith("utilisation")) return "%";
  return counter.startsWith("octets") ? "octet/s" : "packet/s";
};

const OF_ELEMENT = ["cpu", "memory"];
const OF_PROBES = ["sent", "lost", "gap"];
export const countersOf = (object: string): string[] =>
  Object.keys(COUNTER).filter((name) => !OF_PROBES.includes(name) && OF_ELEMENT.includes(name) === (object === SYSTEM));

export const objectText = (object: string): string => (object === SYSTEM ? t`The element itself` : object);
