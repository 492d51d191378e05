import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, Checkbox, ClipboardCopy, ClipboardCopyVariant } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { CREATE_FLAVORS_LABEL } from "@/api/problem";
import { q } from "@/api/queries";
import type { Plan, PlanFlavor } from "@/api/types";
import { Since } from "@/ui/Time";

/** A failed plan lists the flavors that it lacked. */
export const plannedFlavors = (plan: Plan | undefined): PlanFlavor[] =>
  plan?.result?.flavors ?? plan?.problem?.missingFlavors ?? [];

interface Props {
  id: string;
  vimId: string | null | undefined;
  /** Undefined: flavors are created if the cloud's user may do so. */
  agreed: boolean | undefined;
  missing: readonly PlanFlavor[];
  error: string | undefined;
  onChange: (agreed: boolean) => void;
}

function Commands({ missing }: { missing: readonly PlanFlavor[] }) {
  return (
    <ul aria-label={t`Missing flavors`}>
      {missing.map((flavor) => (
        <li key={flavor.vduId}>
          <strong>{flavor.vduId}</strong>: {flavor.reason}
          <ClipboardCopy
            isReadOnly
            isCode
            hoverTip={t`Copy`}
            clickTip={t`Copied`}
            variant={ClipboardCopyVariant.inlineCompact}
          >
            {flavor.command}
          </ClipboardCopy>
        </li>
      ))}
    </ul>
  );
}

/** If the cloud's user may not create flavors, an administrator has to. */
export function MissingFlavors({ id, vimId, agreed, missing, error, onChange }: Props) {
  const { data: vims } = useQuery(q.vims());
  const vim = vims?.find((each) => each.id === vimId);
  const may = vim?.capabilities["flavor_create"] ?? null;
  const since = vim?.capabilitiesSince["flavor_create"];
  const checked = may !== false && (agreed ?? may === true);
  return (
    <>
      {missing.length > 0 && (
        <Alert
          isInline
          variant={checked ? "info" : "warning"}
          component="h3"
          title={checked ? t`Missing flavors will be created` : t`No flavor of this cloud fits every VDU`}
        >
          {!checked && (
            <p>
              <Trans>An administrator can create them; or choose other flavors below.</Trans>
            </p>
          )}
          <Commands missing={missing} />
        </Alert>
      )}
      <Checkbox
        id={id}
        label={CREATE_FLAVORS_LABEL}
        description={
          <>
            {may === null && <Trans>It is unknown whether Nova lets {vim?.username} create flavors.</Trans>}
            {may === true && <Trans>Nova lets {vim?.username} create flavors.</Trans>}
            {may === false && <Trans>Nova does not let {vim?.username} create flavors.</Trans>}{" "}
            {since && (
              <Trans>
                (Since <Since at={since} />)
              </Trans>
            )}
          </>
        }
        isChecked={checked}
        isDisabled={may === false}
        onChange={(_event, value) => onChange(value)}
        body={error && <span className="vm-error-text">{error}</span>}
      />
    </>
  );
}
