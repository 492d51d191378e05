import type { MediationPolicy } from "@/api/types";
import type { Option } from "@/records/fields";

export const policyOptions = (policies: readonly MediationPolicy[], ...protocols: string[]): Option[] =>
  policies.filter(({ protocol }) => protocols.includes(protocol)).map(({ id, name }) => [id, name]);

export const named = (rows: readonly { id: string; name: string }[]): Option[] =>
  rows.map(({ id, name }) => [id, name]);
