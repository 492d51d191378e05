import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { SEVERITIES, SEVERITY } from "@/ui/states";
import { FILLS, SEVERITY_LETTER, type Fill } from "./partLook";

export function DrawingLegend() {
  return (
    <div className="vm-drawing-legend">
      <ul aria-label={t`States`}>
        {(Object.keys(FILLS) as Fill[]).map((fill) => (
          <li key={fill}>
            <span className={`vm-drawn vm-drawn-port vm-drawn-${fill}`} aria-hidden="true">
              <span className="vm-drawn-sign">{FILLS[fill].sign}</span>
            </span>
            {FILLS[fill].text}
          </li>
        ))}
        <li>
          <span className="vm-drawn vm-drawn-port vm-drawn-unlisted" aria-hidden="true" />
          <Trans>Slot not listed</Trans>
        </li>
      </ul>
      <ul aria-label={t`Worst alarm`}>
        {SEVERITIES.filter((severity) => severity !== "CLEARED").map((severity) => (
          <li key={severity}>
            <span className={`vm-drawing-alarm vm-fill-${SEVERITY[severity].color}`} aria-hidden="true">
              {SEVERITY_LETTER[severity]}
            </span>
            {SEVERITY[severity].text}
          </li>
        ))}
      </ul>
    </div>
  );
}
