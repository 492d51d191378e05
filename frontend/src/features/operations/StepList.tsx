import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { CodeBlock, CodeBlockCode, ExpandableSection } from "@patternfly/react-core";
import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useState } from "react";
import type { CloudCall, OpOcc, Step } from "@/api/types";
import { ProblemAlert } from "@/ui/Problem";
import { lookOf, OPERATION_STATE, STEP_STATE } from "@/ui/states";
import { Table } from "@/ui/Table";
import { Elapsed, Since } from "@/ui/Time";

/** OpenStack's logs contain the ids of these requests. */
function Calls({ step }: { step: Step }) {
  const [open, setOpen] = useState(false);
  return (
    <ExpandableSection
      className="vm-step-calls"
      toggleText={t`${plural(step.calls.length, { one: "# request", other: "# requests" })} to OpenStack`}
      isExpanded={open}
      onToggle={(_event, next) => setOpen(next)}
    >
      <Table aria-label={t`Requests of step ${step.seq}`} borders={false}>
        <Thead>
          <Tr>
            <Th>
              <Trans>At</Trans>
            </Th>
            <Th>
              <Trans>Service</Trans>
            </Th>
            <Th>
              <Trans>Request</Trans>
            </Th>
            <Th>
              <Trans>Result</Trans>
            </Th>
            <Th>
              <Trans>OpenStack request id</Trans>
            </Th>
          </Tr>
        </Thead>
        <Tbody>
          {step.calls.map((call) => (
            <CallRow key={call.at + call.requestId + call.path} call={call} />
          ))}
        </Tbody>
      </Table>
    </ExpandableSection>
  );
}

/** "output" of a step, such as the changed lines of a configuration. */
function Output({ step }: { step: Step }) {
  const [open, setOpen] = useState(false);
  return (
    <ExpandableSection
      className="vm-step-calls"
      toggleText={t`Changes`}
      isExpanded={open}
      onToggle={(_event, next) => setOpen(next)}
    >
      <CodeBlock>
        <CodeBlockCode>{step.output}</CodeBlockCode>
      </CodeBlock>
    </ExpandableSection>
  );
}

function CallRow({ call }: { call: CloudCall }) {
  return (
    <Tr>
      <Td dataLabel={t`At`}>
        <Since at={call.at} />
      </Td>
      <Td dataLabel={t`Service`}>{call.service}</Td>
      <Td dataLabel={t`Request`} modifier="breakWord">
        <code>
          {call.method} {call.path}
        </code>
      </Td>
      <Td dataLabel={t`Result`}>{call.status || t`none`}</Td>
      <Td dataLabel={t`OpenStack request id`}>
        <code>{call.requestId || "—"}</code>
      </Td>
    </Tr>
  );
}

interface RowProps {
  step: Step;
  occ: OpOcc;
  withCalls: boolean;
}

function StepRow({ step, occ, withCalls }: RowProps) {
  const look = lookOf(STEP_STATE, step.state);
  // The panel above shows the error of the operation with the possible decisions.
  const isTold = step.problem?.detail === occ.error?.detail;
  const until = lookOf(OPERATION_STATE, occ.operationState).moving ? undefined : occ.stateEnteredTime;
  const Icon = look.icon;
  return (
    <li className={`vm-step vm-step-${step.state.toLowerCase()}`} aria-current={look.moving ? "step" : undefined}>
      <span className={`vm-step-icon vm-color-${look.color}${look.moving ? " vm-moving" : ""}`}>
        <Icon />
      </span>
      <span className="vm-step-text">
        <span className="vm-step-title">{step.title}</span>
        <span className="vm-step-state">
          {step.attempts > 1 ? t`${look.text}, attempt ${step.attempts}` : look.text}
        </span>
        {step.message && <span className="vm-step-message">{step.message}</span>}
        {step.problem && !isTold && <ProblemAlert error={step.problem} />}
        {withCalls && step.output && <Output step={step} />}
        {withCalls && step.calls.length > 0 && <Calls step={step} />}
      </span>
      <span className="vm-step-time">
        {step.startedAt && <Elapsed from={step.startedAt} to={step.finishedAt ?? until} />}
      </span>
    </li>
  );
}

export function StepList({ occ, withCalls = false }: { occ: OpOcc; withCalls?: boolean }) {
  return (
    <ol className="vm-steps" aria-label={t`Steps`}>
      {occ.steps.map((step) => (
        <StepRow key={step.seq} {...{ step, occ, withCalls }} />
      ))}
    </ol>
  );
}
