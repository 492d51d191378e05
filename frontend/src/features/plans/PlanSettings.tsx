import { t } from "@lingui/core/macro";
import type { PlanSetting, Setting } from "@/api/types";
import { valueText } from "@/ui/format";
import { originText } from "@/ui/originText";
import { Panel } from "@/ui/Panel";
import { PlainTable } from "@/ui/PlainTable";
import { Fold } from "./Fold";

interface Props {
  planned: readonly PlanSetting[];
  /** The VNFD's settings give the labels. */
  settings: readonly Setting[];
}

function Values({ label, planned, settings }: Props & { label: string }) {
  return (
    <PlainTable
      label={label}
      head={[t`Setting`, t`Value`, t`Origin`]}
      rows={planned.map(({ name, value, origin }) => ({
        key: name,
        cells: [
          settings.find((each) => each.name === name)?.label ?? name,
          <code>{valueText(value) || "—"}</code>,
          originText(origin),
        ],
      }))}
    />
  );
}

/** Values that come from the package are folded. */
export function PlanSettings({ planned, settings }: Props) {
  const usual = planned.filter(({ origin }) => origin === "package");
  const given = planned.filter(({ origin }) => origin !== "package");
  if (planned.length === 0) return null;
  return (
    <Panel level="h3" title={t`Settings`}>
      {given.length > 0 && <Values label={t`Planned settings`} planned={given} settings={settings} />}
      {usual.length > 0 && (
        <Fold title={t`Package defaults (${usual.length})`}>
          <Values label={t`Package defaults`} planned={usual} settings={settings} />
        </Fold>
      )}
    </Panel>
  );
}
