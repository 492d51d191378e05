import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import AngleDownIcon from "@patternfly/react-icons/dist/esm/icons/angle-down-icon";
import { useId, useState } from "react";
import type { MapState } from "@/api/topology";
import { MAP_STATE, SEVERITIES, SEVERITY } from "@/ui/states";
import { KIND_ICON } from "./icons";
import { FULL, KIND, NODE_KINDS } from "./nodeText";

const STATE_WORDS: Record<MapState, string> = {
  UP: t`reachable or running`,
  CHANGING: t`synchronising or changing`,
  DEGRADED: t`some members are down`,
  DOWN: t`unreachable or not running`,
  UNKNOWN: t`not observable now`,
};

export function Legend() {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        icon={<AngleDownIcon />}
        iconPosition="end"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Trans>Legend</Trans>
      </Button>
      <div id={id} hidden={!open} className="vm-map-legend">
        <div className="vm-map-legend-parts">
          <ul aria-label={t`Kinds`}>
            {NODE_KINDS.map((kind) => {
              const Icon = KIND_ICON[kind];
              return (
                <li key={kind}>
                  <Icon /> {KIND[kind]}
                </li>
              );
            })}
          </ul>
          <ul aria-label={t`States`}>
            {(Object.keys(MAP_STATE) as MapState[]).map((state) => {
              const { color, text, icon: Icon } = MAP_STATE[state];
              return (
                <li key={state}>
                  <span className={`vm-node-state vm-color-${color}`}>
                    <Icon /> {text}
                  </span>
                  <span className="vm-quiet">: {STATE_WORDS[state]}</span>
                </li>
              );
            })}
          </ul>
          <ul aria-label={t`Alarms`}>
            {SEVERITIES.filter((severity) => severity !== "CLEARED").map((severity) => {
              const { color, text, icon: Icon } = SEVERITY[severity];
              return (
                <li key={severity}>
                  <Trans>
                    <span className={`vm-node-state vm-color-${color}`}>
                      <Icon />
                    </span>{" "}
                    {text}, with the number of alarms
                  </Trans>
                </li>
              );
            })}
          </ul>
          <ul aria-label={t`Links`}>
            <li>
              <Trans>
                <Line name="vm-edge-green" /> Link, up
              </Trans>
            </li>
            <li>
              <Trans>
                <Line name="vm-edge-red vm-link-down" /> Link, down (dashed)
              </Trans>
            </li>
            <li>
              <Trans>
                <Line name="vm-edge-grey vm-link-unknown" /> Link, unknown (dotted)
              </Trans>
            </li>
            <li>
              <Trans>
                <Line name="vm-edge-green vm-link-half" /> Reported by one end only (thin)
              </Trans>
            </li>
            <li>
              <Trans>
                <Line name="vm-edge-green vm-link-full" /> Load of {FULL} % or more (thick)
              </Trans>
            </li>
            <li>
              <Trans>
                <Line name="vm-link-relation" /> Belongs to
              </Trans>
            </li>
          </ul>
        </div>
        <p className="vm-quiet">
          <Trans>
            On a focused box Enter shows details, + opens a group, − closes it, arrow keys move the selected box. A
            double click opens and closes a group. A closed group counts all its members.
          </Trans>
        </p>
      </div>
    </>
  );
}

function Line({ name }: { name: string }) {
  return (
    <svg className={`vm-link ${name}`} width="36" height="8" aria-hidden="true">
      <path className="react-flow__edge-path" d="M0 4 H36" />
    </svg>
  );
}
