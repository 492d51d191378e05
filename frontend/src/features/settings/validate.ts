import { t } from "@lingui/core/macro";
import type { Constraint, Setting } from "@/api/types";

/** Typed text; a switch has "true" or "false". */
export type Raw = string;

export function rawOf(value: unknown): Raw {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value))
    return value.map((each) => (typeof each === "string" ? each : JSON.stringify(each))).join(", ");
  if (typeof value === "object") return JSON.stringify(value, null, 2);
  return JSON.stringify(value);
}

type Parsed = { ok: true; value: unknown } | { ok: false; message: string };
const ok = (value: unknown): Parsed => ({ ok: true, value });
const no = (message: string): Parsed => ({ ok: false, message });

/** Converts typed text to the value in `additionalParams`. */
export function parseSetting(setting: Pick<Setting, "type">, raw: Raw): Parsed {
  switch (setting.type) {
    case "number": {
      const value = Number(raw.trim());
      return raw.trim() === "" || Number.isNaN(value) ? no(t`Enter a number.`) : ok(value);
    }
    case "boolean":
      return ok(raw === "true");
    case "list":
      return ok(
        raw
          .split(/[,\n]/)
          .map((part) => part.trim())
          .filter(Boolean),
      );
    case "json":
      try {
        return ok(JSON.parse(raw) as unknown);
      } catch (error) {
        return no(t`This is not JSON: ${error instanceof Error ? error.message : ""}`);
      }
    case "string":
      return ok(raw);
  }
}

const OCTET = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const MAC = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i;

export function isIpv4(text: string): boolean {
  return IPV4.test(text);
}
function isIp(text: string): boolean {
  return isIpv4(text) || (text.includes(":") && URL.canParse(`http://[${text}]/`));
}
export function isCidr(text: string): boolean {
  const [address = "", prefix = "", ...more] = text.split("/");
  const bits = isIpv4(address) ? 32 : 128;
  return more.length === 0 && isIp(address) && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
}

const FORMATS: Record<string, (text: string) => string | undefined> = {
  ipv4: (text) => (isIpv4(text) ? undefined : t`Enter an IPv4 address, such as 192.0.2.10.`),
  cidr: (text) => (isCidr(text) ? undefined : t`Enter a network in CIDR notation, such as 192.0.2.0/24.`),
};
/** These of Heat's custom constraints need no cloud. */
const CUSTOM: Record<string, (text: string) => boolean> = {
  ip_addr: isIp,
  net_cidr: isCidr,
  mac_addr: (text) => MAC.test(text),
};

const sizeOf = (value: unknown): number =>
  typeof value === "string" || Array.isArray(value) ? value.length : Object.keys(value as object).length;

interface Bounds {
  between: (low: number, high: number) => string;
  least: (low: number) => string;
  most: (high: number) => string;
}
const LENGTH: Bounds = {
  between: (low, high) => t`The length must be between ${low} and ${high}.`,
  least: (low) => t`The length must be at least ${low}.`,
  most: (high) => t`The length must be at most ${high}.`,
};
const VALUE: Bounds = {
  between: (low, high) => t`The value must be between ${low} and ${high}.`,
  least: (low) => t`The value must be at least ${low}.`,
  most: (high) => t`The value must be at most ${high}.`,
};

function outside(value: number, { min, max }: Constraint, { between, least, most }: Bounds): string | undefined {
  const low = min ?? -Infinity;
  const high = max ?? Infinity;
  if (value >= low && value <= high) return undefined;
  if (high === Infinity) return least(low);
  return low === -Infinity ? most(high) : between(low, high);
}

/** Heat matches the whole value. The server checks a pattern that only Python understands. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`).test(text);
  } catch {
    return true;
  }
}

function broken(constraint: Constraint, value: unknown): string | undefined {
  const items = Array.isArray(value) ? (value as unknown[]) : [value];
  switch (constraint.kind) {
    case "length":
      return typeof value === "number" ? undefined : outside(sizeOf(value), constraint, LENGTH);
    case "range":
      return typeof value === "number" ? outside(value, constraint, VALUE) : undefined;
    case "allowed_values": {
      const allowed = (constraint.values ?? []).map(String);
      return items.every((item) => allowed.includes(String(item)))
        ? undefined
        : t`Choose one of: ${allowed.join(", ")}.`;
    }
    case "allowed_pattern":
      return items.every((item) => matches(constraint.pattern ?? "", String(item)))
        ? undefined
        : t`The value must match ${constraint.pattern ?? ""}.`;
    case "custom": {
      const check = CUSTOM[constraint.name ?? ""];
      return !check || items.every((item) => check(String(item)))
        ? undefined
        : t`This is not a valid ${constraint.name ?? ""}.`;
    }
  }
}

/** Returns the first error. An empty value is valid unless the setting is required. */
export function settingError(setting: Setting, raw: Raw): string | undefined {
  if (raw.trim() === "") return setting.required ? t`This is required.` : undefined;
  const parsed = parseSetting(setting, raw);
  if (!parsed.ok) return parsed.message;
  for (const constraint of setting.constraints) {
    const complaint = broken(constraint, parsed.value);
    if (complaint) return constraint.message || complaint;
  }
  const format = FORMATS[setting.format ?? ""];
  if (!format) return undefined;
  const values = Array.isArray(parsed.value) ? parsed.value.map(String) : [raw.trim()];
  return values.map(format).find((complaint) => complaint !== undefined);
}

/** Undefined unless a constraint lists all values. */
export function choicesOf(setting: Setting): string[] | undefined {
  const constraint = setting.constraints.find((each) => each.kind === "allowed_values");
  return setting.type === "list" || !constraint?.values ? undefined : constraint.values.map(String);
}
