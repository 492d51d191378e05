import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { GrantCheck } from "@/api/types";
import { CHECK, lookOf } from "./states";
import { StateLabel } from "./StateLabel";

export function GrantChecks({ checks }: { checks: readonly GrantCheck[] }) {
  return (
    <ul className="vm-conditions vm-checks" aria-label={t`Grant checks`}>
      {checks.map((check) => (
        <li key={check.name + check.message} className="vm-condition">
          <span>
            <StateLabel look={lookOf(CHECK, check.status)} />
          </span>
          <span className="vm-condition-text">
            <strong>{checkName(check.name)}</strong> {check.message}
            {!check.binding && (
              <span className="vm-quiet">
                {" "}
                <Trans>For information only.</Trans>
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** "AntiAffinity" becomes "Anti affinity". */
const checkName = (name: string): string => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
