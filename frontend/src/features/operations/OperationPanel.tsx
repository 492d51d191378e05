import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, Button } from "@patternfly/react-core";
import AngleDownIcon from "@patternfly/react-icons/dist/esm/icons/angle-down-icon";
import AngleRightIcon from "@patternfly/react-icons/dist/esm/icons/angle-right-icon";
import { useState, type ReactNode } from "react";
import type { PendingGrant, OpOcc } from "@/api/types";
import { ProblemAlert } from "@/ui/Problem";
import { operationText } from "@/ui/operationText";
import { lookOf, OPERATION_STATE, STEP_STATE } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago, Elapsed, Since } from "@/ui/Time";
import { CancelButton, DecisionButtons } from "./DecisionButtons";

interface NoticeProps {
  title: ReactNode;
  children: ReactNode;
}

function Notice({ title, children }: NoticeProps) {
  return (
    <Alert isInline variant="info" component="h3" title={title}>
      {children}
    </Alert>
  );
}

/** The operation waits for the cloud; it fails only at the deadline. */
function CloudAway({ since, until }: { since: string; until: string }) {
  return (
    <Notice
      title={
        <Trans>
          Waiting for the cloud since <Since at={since} />
        </Trans>
      }
    >
      <Trans>
        The operation continues when the cloud responds. Without a response by <Since at={until} /> it stops and needs a
        decision.
      </Trans>
    </Notice>
  );
}

/** An NFVO decides on the operation (SOL003 clause 9); until then nothing was done in the cloud. */
function PendingGrantNotice({ occ, asked }: { occ: OpOcc; asked: PendingGrant }) {
  if (asked.failure) {
    return (
      <Notice
        title={
          <Trans>
            Waiting for the NFVO since <Since at={occ.waitingSince ?? asked.at} />
          </Trans>
        }
      >
        <p>
          <Trans>The grant request failed:</Trans>
        </p>
        <p className="vm-cause-words">{asked.failure}</p>
        <p>
          <Trans>
            The request is repeated automatically; without a decision by <Since at={occ.deadline} /> the operation
            fails.
          </Trans>
        </p>
      </Notice>
    );
  }
  return (
    <Notice
      title={
        <Trans>
          Waiting for NFVO grant since <Since at={asked.at} />
        </Trans>
      }
    >
      {asked.grantId ? (
        <Trans>
          The NFVO has accepted grant request <code>{asked.grantId}</code> but has not decided yet.
        </Trans>
      ) : (
        t`The NFVO has not accepted the grant request yet.`
      )}{" "}
      <Trans>
        The operation starts when granted; without a decision by <Since at={occ.deadline} /> it fails.
      </Trans>
    </Notice>
  );
}

const CANCELLING: Record<string, string> = {
  GRACEFUL: t`Being cancelled: the running step finishes.`,
  FORCEFUL: t`Being cancelled by force.`,
};

/** The panel of an operation that needs a decision or waits for another system opens by itself. */
const needsAttention = (occ: OpOcc): boolean =>
  occ.operationState === "FAILED_TEMP" || Boolean(occ.pendingGrant) || Boolean(occ.waitingSince);

/** The most important line while the panel is closed: the error, the reason for waiting, or the running step. */
function AtWork({ occ }: { occ: OpOcc }) {
  if (occ.error) return occ.error.title;
  if (occ.pendingGrant)
    return (
      <Trans>
        Waiting for NFVO grant since <Since at={occ.pendingGrant.at} />
      </Trans>
    );
  if (occ.waitingSince)
    return (
      <Trans>
        Waiting for the cloud since <Since at={occ.waitingSince} />
      </Trans>
    );
  return occ.steps.find(({ state }) => lookOf(STEP_STATE, state).moving)?.title ?? "";
}

interface Props {
  occ: OpOcc;
  /** The panel starts as one line. */
  compact?: boolean;
  link?: ReactNode;
  children: ReactNode;
}

export function OperationPanel({ occ, compact = false, link, children }: Props) {
  const attention = needsAttention(occ);
  // The user's choice holds until the operation starts or stops needing attention.
  const [choice, setChoice] = useState<{ attention: boolean; open: boolean }>();
  const open = !compact || (choice?.attention === attention ? choice.open : attention);
  const look = lookOf(OPERATION_STATE, occ.operationState);
  const done = occ.steps.filter((step) => step.state === "DONE").length;
  return (
    <section
      className={`vm-operation vm-edge-${look.color}${compact ? " vm-operation-compact" : ""}`}
      aria-label={t`Operation ${operationText(occ)}`}
    >
      <div className="vm-operation-head">
        {compact && (
          <Button
            variant="plain"
            size="sm"
            icon={open ? <AngleDownIcon /> : <AngleRightIcon />}
            aria-label={t`Steps of ${operationText(occ)}`}
            aria-expanded={open}
            onClick={() => setChoice({ attention, open: !open })}
          />
        )}
        <h2>{operationText(occ)}</h2>
        <span role="status">
          <StateLabel look={look} />
        </span>
        <span className="vm-quiet">
          {look.moving ? (
            <Trans>
              {done} of {occ.steps.length} steps · started <Ago at={occ.startTime} /> · for{" "}
              <Elapsed from={occ.startTime} to={undefined} />
            </Trans>
          ) : (
            <Trans>
              {done} of {occ.steps.length} steps · started <Ago at={occ.startTime} /> · took{" "}
              <Elapsed from={occ.startTime} to={occ.stateEnteredTime} />
            </Trans>
          )}
        </span>
        {occ.isCancelPending && <span>{CANCELLING[occ.cancelMode ?? ""] ?? t`Being cancelled.`}</span>}
        {!open && (
          <span className="vm-operation-now">
            <AtWork occ={occ} />
          </span>
        )}
        {!open && <DecisionButtons occ={occ} />}
        {link}
        <CancelButton occ={occ} />
      </div>
      {open && <Opened occ={occ}>{children}</Opened>}
    </section>
  );
}

/** A cancelled operation proposes decisions; after one was taken they are out of place. */
const errorOf = ({ error, operationState }: OpOcc): OpOcc["error"] =>
  error?.code === "CANCELLED" && operationState !== "FAILED_TEMP" ? { ...error, nextStep: "" } : error;

function Opened({ occ, children }: Pick<Props, "occ" | "children">) {
  const error = errorOf(occ);
  return (
    <>
      {occ.pendingGrant && <PendingGrantNotice occ={occ} asked={occ.pendingGrant} />}
      {occ.waitingSince && !occ.pendingGrant?.failure && <CloudAway since={occ.waitingSince} until={occ.deadline} />}
      {error && <ProblemAlert error={error} variant={occ.operationState === "FAILED_TEMP" ? "warning" : "danger"} />}
      <DecisionButtons occ={occ} />
      {children}
    </>
  );
}
