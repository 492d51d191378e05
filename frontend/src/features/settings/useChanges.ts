import { useState } from "react";
import type { FieldErrors } from "@/api/problem";
import type { Setting, Vnfd } from "@/api/types";
import { CREATE_FLAVORS, settingField } from "./settingFields";
import { parseSetting, rawOf, settingError, type Raw } from "./validate";

export interface Changes {
  valueOf: (setting: Setting) => Raw;
  set: (name: string, raw: Raw | undefined) => void;
  /** Number of settings that differ from the present values. */
  count: number;
  complaints: FieldErrors;
  /** Undefined: flavors are created if the cloud's user may do so. */
  createFlavors: boolean | undefined;
  setCreateFlavors: (agreed: boolean) => void;
  /** Changed settings and the agreement as `additionalParams`; undefined if there are none. */
  params: Record<string, unknown> | undefined;
}

/** null resets the setting if an empty text is not a valid value. */
function valueFrom(setting: Setting, raw: Raw): unknown {
  const parsed = parseSetting(setting, raw);
  return parsed.ok ? parsed.value : null;
}

/** `standing` are the present values. An empty hidden setting stays unchanged. */
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
