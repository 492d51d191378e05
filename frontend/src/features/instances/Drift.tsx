import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Badge } from "@patternfly/react-core";
import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { vnfInstanceAcceptDrift } from "@/api/calls";
import { keys } from "@/api/keys";
import type { Action, Difference, VnfInstance } from "@/api/types";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { RepairDriftDialog } from "@/features/lifecycle/RepairDriftDialog";
import { ActionButton, actionOf } from "@/ui/ActionButton";
import { ConditionItem, conditionOf } from "@/ui/Conditions";
import { Panel } from "@/ui/Panel";
import { Table } from "@/ui/Table";

const keyOf = ({ kind, subject, expected }: Difference) => `${kind} ${subject} ${expected}`;

function Row({ difference, onAccept }: { difference: Difference; onAccept: () => void }) {
  const { acceptable, whyNot } = difference;
  return (
    <Tr>
      <Th scope="row" dataLabel={t`Difference`} className="vm-normal">
        {difference.message}
      </Th>
      <Td dataLabel={t`Expected`} modifier="breakWord">
        {difference.expected}
      </Td>
      <Td dataLabel={t`Found`} modifier="breakWord">
        {difference.found}
      </Td>
      <Td dataLabel={t`Resolution`}>
        {difference.repair || (
          <span className="vm-quiet">
            <Trans>It cannot be repaired automatically.</Trans>
          </span>
        )}
      </Td>
      <Td dataLabel={t`Accept`}>
        <span className="vm-buttons">
          <ActionButton
            action={{ action: "accept", enabled: acceptable, disabledReason: whyNot }}
            variant="secondary"
            size="sm"
            aria-label={t`Accept: ${difference.message}`}
            onClick={onAccept}
          >
            <Trans>Accept</Trans>
          </ActionButton>
        </span>
      </Td>
    </Tr>
  );
}

function Differences({ differences, onAccept }: { differences: Difference[]; onAccept: (one: Difference) => void }) {
  return (
    <Table aria-label={t`Differences`}>
      <Thead>
        <Tr>
          <Th width={30}>
            <Trans>Difference</Trans>
          </Th>
          <Th width={20}>
            <Trans>Expected</Trans>
          </Th>
          <Th width={15}>
            <Trans>Found</Trans>
          </Th>
          <Th>
            <Trans>Resolution</Trans>
          </Th>
          <Th screenReaderText={t`Accept`} />
        </Tr>
      </Thead>
      <Tbody>
        {differences.map((difference) => (
          <Row key={keyOf(difference)} difference={difference} onAccept={() => onAccept(difference)} />
        ))}
      </Tbody>
    </Table>
  );
}

function AcceptDialog({ instance, one, onClose }: { instance: VnfInstance; one: Difference; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <ConfirmDialog
      title={t`Accept the drift`}
      button={t`Accept`}
      danger={false}
      run={() => vnfInstanceAcceptDrift(instance.id, one, instance.version)}
      onDone={() => {
        void client.invalidateQueries({ queryKey: keys.vnfInstance(instance.id) });
        onClose();
      }}
      onClose={onClose}
    >
      <p className="vm-para">{one.message}</p>
      <p>
        <Trans>{one.accept} Nothing changes in the cloud.</Trans>
      </p>
    </ConfirmDialog>
  );
}

export const DriftTitle = ({ instance: { drift } }: { instance: VnfInstance }) => (
  <>
    <Trans>Drift</Trans>
    {drift.length > 0 && (
      <Badge className="vm-count" screenReaderText={t`differences`}>
        {drift.length}
      </Badge>
    )}
  </>
);

/** Healing repairs differences, so it is offered if it can repair one of them. */
function repairOf({ actions, drift }: VnfInstance): Action | undefined {
  const heal = actionOf(actions, "heal");
  if (!heal?.enabled || drift.some(({ repair }) => repair !== "")) return heal;
  return { ...heal, enabled: false, disabledReason: t`These differences cannot be repaired automatically.` };
}

/** The user accepts single differences or repairs all. */
export function Drift({ instance }: { instance: VnfInstance }) {
  const differences = instance.drift;
  const [accepting, setAccepting] = useState<Difference>();
  const [repairing, setRepairing] = useState(false);
  const inSync = conditionOf(instance.conditions, "InSync");
  return (
    <Panel
      title={t`Drift`}
      count={differences.length}
      actions={
        differences.length > 0 && (
          <ActionButton action={repairOf(instance)} variant="secondary" onClick={() => setRepairing(true)}>
            <Trans>Repair</Trans>
          </ActionButton>
        )
      }
    >
      {inSync ? (
        // The head of the page already shows that the instance is out of sync.
        inSync.status === "True" && <ConditionItem condition={inSync} />
      ) : (
        <p className="vm-quiet">
          <Trans>Drift is checked while the instance is instantiated.</Trans>
        </p>
      )}
      {differences.length > 0 && <Differences differences={differences} onAccept={setAccepting} />}
      {accepting && <AcceptDialog instance={instance} one={accepting} onClose={() => setAccepting(undefined)} />}
      {repairing && <RepairDriftDialog instance={instance} onClose={() => setRepairing(false)} />}
    </Panel>
  );
}
