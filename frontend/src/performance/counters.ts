/** What is counted, as people call it. */

/** The object that an element's processor and memory are of. */
export const SYSTEM = "(element)";

export const COUNTER: Record<string, string> = {
  cpu: "processor",
  memory: "memory",
  utilisationIn: "utilisation in",
  utilisationOut: "utilisation out",
  octetsIn: "octets in",
  octetsOut: "octets out",
  packetsIn: "packets in",
  packetsOut: "packets out",
  errorsIn: "errors in",
  errorsOut: "errors out",
  discardsIn: "discards in",
  discardsOut: "discards out",
};
export const counterText = (name: string): string => COUNTER[name] ?? name;

const OF_ELEMENT = ["cpu", "memory"];
/** The counters that an object has. */
export const countersOf = (object: string): string[] =>
  Object.keys(COUNTER).filter((name) => OF_ELEMENT.includes(name) === (object === SYSTEM));

export const objectText = (object: string): string => (object === SYSTEM ? "The element itself" : object);
