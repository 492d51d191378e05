import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Progress, ProgressMeasureLocation } from "@patternfly/react-core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { frameKeys, type OperationLine } from "@/api/frame";
import { keys } from "@/api/keys";
import { CancelDialog } from "@/features/lifecycle/CancelDialog";
import { pb } from "@/paths";
import { operationText } from "@/ui/operationText";
import { lookOf, OPERATION_STATE } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Ago, Elapsed, Since } from "@/ui/Time";

/** The present step, or the error. */
function Sentence({ line }: { line: OperationLine }) {
  if (line.problem) return <p className="vm-error-text">{line.problem}</p>;
  if (line.waitingSince) {
    return (
      <p>
        <Trans>
          No response since <Since at={line.waitingSince} />; the operation continues when there is one.
        </Trans>
      </p>
    );
  }
  if (line.isCancelPending)
    return (
      <p>
        <Trans>It is being cancelled.</Trans>
      </p>
    );
  return line.step ? <p>{line.step}</p> : null;
}

const nameOf = (line: OperationLine): string =>
  t`${operationText(line)} ${line.vnfInstanceName || t`a deleted instance`}`;

function Line({ line, onCancel }: { line: OperationLine; onCancel: () => void }) {
  const look = lookOf(OPERATION_STATE, line.operationState);
  const name = nameOf(line);
  const open = look.moving ?? false;
  return (
    <li className={`vm-op-line vm-edge-${look.color}`}>
      <div className="vm-op-line-head">
        {line.vnfInstanceName ? (
          <Link to={pb.operation(line.vnfInstanceId, line.id)}>{name}</Link>
        ) : (
          <span>{name}</span>
        )}
        <StateLabel look={look} />
      </div>
      {open && line.steps > 0 && (
        <Progress
          aria-label={t`Steps of ${name}`}
          value={(100 * line.stepsDone) / line.steps}
          label={t`${line.stepsDone} of ${line.steps} steps`}
          valueText={t`${line.stepsDone} of ${line.steps} steps`}
          measureLocation={ProgressMeasureLocation.outside}
          size="sm"
        />
      )}
      <Sentence line={line} />
      <div className="vm-op-line-foot vm-quiet">
        <span>
          {open ? (
            <>
              <Trans>
                for <Elapsed from={line.startTime} />
              </Trans>
            </>
          ) : (
            <>
              <Trans>
                <Ago at={line.stateEnteredTime} />, took <Elapsed from={line.startTime} to={line.stateEnteredTime} />
              </Trans>
            </>
          )}
          {line.startedBy && (
            <>
              {", "}
              <Trans>by {line.startedBy}</Trans>
            </>
          )}
        </span>
        {line.cancellable && (
          <Button variant="link" size="sm" isInline onClick={onCancel} aria-label={t`Cancel ${name}`}>
            <Trans>Cancel</Trans>
          </Button>
        )}
      </div>
    </li>
  );
}

export function OperationLines({ label, lines }: { label: string; lines: readonly OperationLine[] }) {
  // Kept here, because a line may move or disappear while its dialog is open.
  const [cancelling, setCancelling] = useState<OperationLine>();
  const client = useQueryClient();
  const close = () => setCancelling(undefined);
  const done = ({ id }: OperationLine) => {
    close();
    for (const queryKey of [frameKeys.operations, frameKeys.overview, keys.opOccs, keys.opOcc(id)])
      void client.invalidateQueries({ queryKey });
  };
  return (
    <>
      <ul className="vm-op-lines" aria-label={label}>
        {lines.map((line) => (
          <Line key={line.id} line={line} onCancel={() => setCancelling(line)} />
        ))}
      </ul>
      {cancelling && (
        <CancelDialog occ={cancelling} name={nameOf(cancelling)} onDone={() => done(cancelling)} onClose={close} />
      )}
    </>
  );
}
