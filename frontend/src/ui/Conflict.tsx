import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, Button } from "@patternfly/react-core";
import type { ReactNode } from "react";
import { asProblem } from "@/api/problem";
import { ProblemBody } from "./Problem";

interface Changed {
  label: string;
  was: ReactNode;
  now: ReactNode;
  /** The typed value, if it differs. */
  typed?: ReactNode;
}
interface Conflicting {
  changes: readonly Changed[];
  /** The draft contains a secret: a concurrent change of the old one is invisible. */
  secret: boolean;
  /** A form that follows the object keeps the values of its fields until the user chooses this. */
  onGoOn?: () => void;
}
type Props = { level?: "h2" } & (
  | { error: unknown; onLook: () => void }
  /** A form keeps the typed values and sends them with the new version. */
  | Conflicting
);

/** Another user or tab has saved the object; nothing was changed, and the user sees the difference first. */
export function Conflict(props: Props) {
  return (
    <Alert
      isInline
      variant="warning"
      title={t`Changed since you opened this`}
      component={props.level ?? "h3"}
      role="alert"
      className="vm-alert"
    >
      {"changes" in props ? (
        <Changes {...props} />
      ) : (
        <>
          <p>
            <Trans>Nothing was changed, because the state has changed since you opened this.</Trans>
          </p>
          <ProblemBody problem={{ ...asProblem(props.error), nextStep: "" }} />
          <Button variant="link" isInline onClick={props.onLook}>
            <Trans>Reload</Trans>
          </Button>
        </>
      )}
    </Alert>
  );
}

function Changes({ changes, secret, onGoOn }: Conflicting) {
  if (changes.length === 0 && !secret)
    return (
      <p>
        <Trans>It changes all the time. Nothing was saved; your input is kept.</Trans>
      </p>
    );
  return (
    <>
      <p>
        {onGoOn ? (
          <Trans>Nothing was saved yet. Your input is kept.</Trans>
        ) : (
          <Trans>Nothing was saved yet. Your input is kept; the other fields show the current values.</Trans>
        )}
      </p>
      {secret && (
        <p>
          <Trans>It was saved since, perhaps with another secret. Saving replaces it with yours.</Trans>
        </p>
      )}
      {changes.length > 0 && (
        <ul className="vm-list" aria-label={t`Changes`}>
          {changes.map(({ label, was, now, typed }) => (
            <li key={label}>
              {typed === undefined ? (
                <Trans>
                  <strong>{label}</strong> was {was} and is now {now}.
                </Trans>
              ) : (
                <Trans>
                  <strong>{label}</strong> was {was} and is now {now}; saving replaces it with your input, {typed}.
                </Trans>
              )}
            </li>
          ))}
        </ul>
      )}
      {onGoOn && (
        <Button variant="link" isInline onClick={onGoOn}>
          <Trans>Continue with the current values</Trans>
        </Button>
      )}
    </>
  );
}
