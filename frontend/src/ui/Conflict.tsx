import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, Button } from "@patternfly/react-core";
import type { ReactNode } from "react";
import { asProblem } from "@/api/problem";
import { ProblemBody } from "./Problem";

/** A field in which it is another one now. */
export interface Changed {
  label: string;
  was: ReactNode;
  now: ReactNode;
  /** What is typed for it here, where that is something else. */
  typed?: ReactNode;
}
interface Conflicting {
  changes: readonly Changed[];
  /** A secret is typed, of which nobody can tell whether the one it replaces is still the same. */
  secret: boolean;
}
type Props = { error: unknown; level?: "h2" } & (
  | { onLook: () => void }
  /** Of a form, which keeps what was typed and decides on what is there now when it is sent again. */
  | Conflicting
);

/** Somebody changed meanwhile what was decided about: nothing was done, and it is to be looked at again first. */
export function Conflict(props: Props) {
  return (
    <Alert
      isInline
      variant="warning"
      title={t`Somebody changed it meanwhile: look again`}
      component={props.level ?? "h3"}
      role="alert"
      className="vm-alert"
    >
      {"changes" in props ? (
        <Changes {...props} />
      ) : (
        <>
          <p>
            <Trans>Nothing was done. What you decided on is no longer what is there.</Trans>
          </p>
          <ProblemBody problem={{ ...asProblem(props.error), nextStep: "" }} />
          <Button variant="link" isInline onClick={props.onLook}>
            <Trans>Look again</Trans>
          </Button>
        </>
      )}
    </Alert>
  );
}

function Changes({ changes, secret }: Conflicting) {
  if (changes.length === 0 && !secret)
    return (
      <p>
        <Trans>It changes all the time. Nothing was saved yet, and what you typed is kept.</Trans>
      </p>
    );
  return (
    <>
      <p>
        <Trans>Nothing was saved yet. What you typed is kept; what you had not touched is as it is now.</Trans>
      </p>
      {secret && (
        <p>
          <Trans>
            Somebody else has saved it meanwhile; its secret may be another now. The one you typed replaces it when you
            save.
          </Trans>
        </p>
      )}
      {changes.length > 0 && (
        <ul className="vm-list" aria-label={t`What was changed`}>
          {changes.map(({ label, was, now, typed }) => (
            <li key={label}>
              {typed === undefined ? (
                <Trans>
                  <strong>{label}</strong> was {was} and is now {now}.
                </Trans>
              ) : (
                <Trans>
                  <strong>{label}</strong> was {was} and is now {now}; yours, {typed}, replaces it when you save.
                </Trans>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
