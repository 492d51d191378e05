import { useState } from "react";
import type { FieldErrors } from "@/api/problem";
import type { Setting, Vnfd } from "@/api/types";
import { CREATE_FLAVORS, settingField } from "./settingFields";
import { parseSetting, rawOf, settingError, type Raw } from "./validate";

export interface Changes {
  valueOf: (setting: Setting) => Raw;
  set: (name: string, raw: Raw | undefined) => void;
  /** How many settings differ from what stands. */
  count: number;
  complaints: FieldErrors;
  /** Whether missing flavors may be created; nothing: where the cloud's user may. */
  createFlavors: boolean | undefined;
  setCreateFlavors: (agreed: boolean) => void;
  /** The changed settings and the agreement as `additionalParams`; nothing when there is neither. */
  params: Record<string, unknown> | undefined;
}

/** What goes into `additionalParams` for a changed setting; null takes the choice back, where empty is no value. */
function valueFrom(setting: Setting, raw: Raw): unknown {
  const parsed = parseSetting(setting, raw);
  return parsed.ok ? parsed.value : null;
}

/** Settings of a VNFD as changes to the current ones. A hidden one that is left empty stays unchanged. */
export function useChanges(vnfd: Vnfd | undefined, standing: Record<string, unknown>): Changes {
  const [typed, setTyped] = useState<Record<string, Raw>>({});
  const [createFlavors, setCreateFlavors] = useState<boolean>();
  const before = (setting: Setting) => rawOf(standing[setting.name] ?? setting.default);
  const valueOf = (setting: Setting) => typed[setting.name] ?? (setting.hidden ? "" : before(setting));
  const changed = (vnfd?.settings ?? []).filter((setting) =>
    setting.hidden ? valueOf(setting) !== "" : valueOf(setting) !== before(setting),
  );
  const complaints: FieldErrors = {};
  const params: Record<string, unknown> = {};
  for (const setting of changed) {
    const complaint = settingError(setting, valueOf(setting));
    if (complaint) complaints[settingField(setting.name)] = complaint;
    else params[setting.name] = valueFrom(setting, valueOf(setting));
  }
  if (createFlavors !== undefined) params[CREATE_FLAVORS] = createFlavors;
  return {
    valueOf,
    set: (name, raw) => setTyped((all) => ({ ...all, [name]: raw ?? "" })),
    count: changed.length,
    complaints,
    createFlavors,
    setCreateFlavors,
    params: Object.keys(params).length > 0 ? params : undefined,
  };
}
